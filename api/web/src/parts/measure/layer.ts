// Measurements on the ground that is shown: their shapes, and what a touch of the ground means.

import { computed, effect, signal } from "@preact/signals";
import { game } from "../../game";
import type { Shape } from "../../boardview";
import type { GameBoard } from "../../gameboard";
import type { Point } from "../../geometry";
import {
  type Chip, cellWord, chips, chosen, current, drawnOn, first, line, measure, measured, overlays, pickLine, pickUnit, sights, tab,
} from "../../measure";
import type { SightLine } from "../../schema";
import { moving, pane } from "../../play";
import { aiming, foundAt, sightAt, type Found, type Surface } from "./surface";
import { shapesOf, thingShapes } from "./shapes";

export const open = computed(() => pane.value === "measure"); // whether the measuring sheet is open
export const choices = signal<[Found[], Found[]]>([[], []]); // other things that the two touches may have meant
export const aim = signal<{ at: Point; from: string; to: string | null } | null>(null);

const firstShapes = computed<Shape[]>(() => {
  const [thing, board] = [first.value, game.value?.board];
  if (thing === null || board === undefined || !open.value) return [];
  const outlines =
    thing.unit != null ? board.pieces.filter((one) => one.unit === thing.unit).map((one) => one.outline)
    : thing.piece != null ? board.pieces.filter((one) => one.id === thing.piece).map((one) => one.outline)
    : thing.cell != null ? board.cells.filter((one) => one.id === thing.cell).map((one) => one.outline)
    : thing.ground != null ? board.ground.filter((one) => one.id === thing.ground).map((one) => one.outline)
    : [];
  const shapes = outlines.flatMap(thingShapes);
  return thing.point ? [...shapes, { at: thing.point, class: "m-dot" }] : shapes;
});

const REACH: Chip[] = ["best", "surely"]; // always shown for a unit that is being moved

export const allShapes = computed<Shape[]>(() => {
  const board = game.value?.board;
  if (board === undefined) return [];
  const measuring = open.value && tab.value !== "unit";
  const shapes = shapesOf({
    board,
    overlays: measuring ? null : overlays.value,
    chips: moving.value ? REACH : chips.value,
    sights: moving.value ? [] : sights.value,
    line: line.value,
    measured: open.value && measuring ? measured.value : [],
    current: current.value,
  });
  return [...shapes, ...firstShapes.value];
});

// A touch of the ground: on a line, a unit, a cell within reach; or on one of two things to be measured.
export async function touched(surface: Surface, screen: Point): Promise<void> {
  const board = game.value?.board;
  if (board === undefined || lately()) return;
  const found = foundAt(surface, board, screen);
  if (tab.value === "unit") return touchedUnit(surface, screen, found);
  if (tab.value === "shared") tab.value = "tool";
  const meant = found[0];
  if (meant === undefined) return;
  choices.value = first.value === null ? [found, []] : [choices.value[0], found];
  await chosen(meant.thing);
}

function touchedUnit(surface: Surface, screen: Point, found: Found[]): void {
  const [things, unit] = [found.map(({ thing }) => thing), found[0]?.thing.unit ?? null];
  const cell = things.find((thing) => thing.cell != null)?.cell ?? null;
  const sight = unit === null && chips.value.includes("sights") ? sightAt(surface, sights.value, screen) : null;
  const reached = (overlays.value?.reach ?? []).flatMap((one) => one.cells).find(({ id }) => id === cell);
  cellWord.value = null;
  if (unit !== null) pickUnit(unit);
  else if (sight) pickLine(sight);
  else if (reached) cellWord.value = reached.says;
}

// The line of sight under a finger on the map, where lines are drawn.
export function sightTouched(surface: Surface, at: Point): SightLine | null {
  const screen = surface.screenOf(at);
  return screen === null || !chips.value.includes("sights") ? null : sightAt(surface, sights.value, screen);
}

let lately = (): boolean => false;

// Dragging from thing to thing on a surface, while it is shown and two things are being measured.
export function over(surface: Surface): () => void {
  const drags = aiming(surface, {
    board: () => (open.peek() && tab.peek() === "tool" ? (game.peek()?.board ?? null) : null),
    aim: (at, from, to) => {
      aim.value = at === null || from === null ? null : { at, from: from.name, to: to?.name ?? null };
    },
    drop: (from, to) => {
      choices.value = [[], []];
      void measure(from, to);
    },
  });
  lately = drags.justDragged;
  return drags.stop;
}

// The game's own map as a surface.
export const mapSurface = (board: GameBoard): Surface => ({
  map: board.map,
  screenOf: ([x, y]) => {
    const at = board.map.latLngToContainerPoint([y, x]);
    return [at.x, at.y];
  },
  tableAt: (screen) => {
    const { lat, lng } = board.map.containerPointToLatLng(screen);
    return [lng, lat];
  },
  heightOf: () => 0,
});

// Draw on the game's map, and take its drags while the photo does not cover it.
export function onMap(board: GameBoard): () => void {
  const surface = mapSurface(board);
  const stops = [
    effect(() => board.overlay("measure", allShapes.value)),
    effect(() => {
      if (drawnOn.value !== "map" || !open.value) return;
      return over(surface);
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
