// Drawing terrain by hand: which step the tool is in, what has been tapped so far, and what can be done.

import { computed, effect, signal } from "@preact/signals";
import { client } from "./client";
import { between, distanceToOutline, within, type Point } from "./geometry";
import type { TerrainChange, TerrainOut } from "./schema";
import { baseId, change, correct, correcting, saving, table } from "./store";

export type Kind = TerrainOut["kind"];
export const KINDS: Kind[] = ["woods", "town", "hill", "field", "marsh", "road", "river", "bridge"];
const LONG: Kind[] = ["road", "river", "bridge"]; // drawn along the middle
const RAISED: Kind[] = ["hill", "bridge"];
const WIDTH_IN = { start: 2, least: 0.5, most: 8, step: 0.25 };
export const HEIGHT_IN = { most: 24, step: 0.5 };
const MOST_POINTS = { line: 24, outline: 60 };
const STRAY_IN = 2; // a tap so far off the table is none at its edge
const REACH_PX = 22; // how far beside a piece a finger still means it

export interface Drawing {
  step: "draw";
  kind: Kind;
  points: Point[];
  width: number | null; // of a line; null for an outline
  topOf: string | null; // the hill whose top this outline is
}
export type Tool = { step: "pick" } | Drawing | { step: "piece"; id: string };

export const tool = signal<Tool | null>(null);
export const drawing = computed<Drawing | null>(() => (tool.value?.step === "draw" ? tool.value : null));
export const piece = computed<TerrainOut | null>(() => {
  const now = tool.value;
  return (now?.step === "piece" && table.value?.terrain.find((one) => one.id === now.id)) || null;
});
export const enough = computed(() => {
  const now = drawing.value;
  return now !== null && now.points.length >= (now.width === null ? 3 : 2);
});
export const hasHeight = (one: TerrainOut): boolean => RAISED.includes(one.kind) || one.height > 0;

effect(() => {
  if (!correcting.value) tool.value = null;
  else if (tool.value?.step === "piece" && piece.value === null) tool.value = { step: "pick" };
});

export function useTool(on: boolean): void {
  correct(true);
  tool.value = on ? { step: "pick" } : null;
}

export const pickKind = (kind: Kind): void => {
  tool.value = { step: "draw", kind, points: [], width: LONG.includes(kind) ? WIDTH_IN.start : null, topOf: null };
};
export const drawTop = (hill: TerrainOut): void => {
  tool.value = { step: "draw", kind: "hill", points: [], width: null, topOf: hill.id };
};
export const choosePiece = (id: string): void => {
  baseId.value = null;
  tool.value = { step: "piece", id };
};
export const cancel = (): void => {
  const hill = drawing.value?.topOf ?? null;
  tool.value = hill === null ? { step: "pick" } : { step: "piece", id: hill };
};

export function undoPoint(): void {
  const now = drawing.value;
  if (now) tool.value = { ...now, points: now.points.slice(0, -1) };
}

export function widen(steps: number): void {
  const now = drawing.value;
  if (now?.width == null) return;
  tool.value = { ...now, width: within(now.width + steps * WIDTH_IN.step, WIDTH_IN.least, WIDTH_IN.most) };
}

// On the table, to a hundredth of an inch: finer than any finger.
export function onTable([x, y]: Point): Point {
  const { width, depth } = table.value?.table ?? { width: 0, depth: 0 };
  const fine = (value: number, most: number): number => Math.round(within(value, 0, most) * 100) / 100;
  return [fine(x, width), fine(y, depth)];
}

// A tap on the map: the next corner, or the piece that lies there.
export function tapMap(at: Point, pxPerInch: number): void {
  const now = drawing.value;
  if (now) {
    if (saving.value) return; // what was drawn is on its way
    const most = now.width === null ? MOST_POINTS.outline : MOST_POINTS.line;
    if (now.points.length < most && between(at, onTable(at)) < STRAY_IN) tool.value = { ...now, points: [...now.points, onTable(at)] };
    return;
  }
  const far = (one: TerrainOut): number => distanceToOutline(one.polygon, at) * pxPerInch;
  const touched = (table.value?.terrain ?? [])
    .filter((one) => far(one) < REACH_PX)
    .sort((a, b) => Math.max(far(a), 0) - Math.max(far(b), 0) || extent(a) - extent(b))[0];
  tool.value = touched ? { step: "piece", id: touched.id } : { step: "pick" };
}

// Of pieces that lie over each other the smallest is meant.
const extent = ({ polygon }: TerrainOut): number => {
  const next = (i: number): Point => polygon[(i + 1) % polygon.length] as Point;
  return Math.abs(polygon.reduce((sum, [x, y], i) => sum + x * next(i)[1] - next(i)[0] * y, 0));
};

export async function finish(): Promise<void> {
  const now = drawing.value;
  if (!now || !enough.value) return;
  const { kind, points, width, topOf } = now;
  if (topOf !== null) {
    if (await change((game) => client.reshape(game, topOf, { hill_top: points }))) choosePiece(topOf);
    return;
  }
  const wish = width === null ? { kind, polygon: points } : { kind, line: points, width };
  await andChoose(() => change((game) => client.draw(game, wish)));
}

export async function changePiece(one: TerrainOut, wish: TerrainChange): Promise<void> {
  await andChoose(() => change((game) => client.reshape(game, one.id, wish)));
}

// A new piece, or one that has a new name, is the one to go on with.
async function andChoose(job: () => Promise<boolean>): Promise<void> {
  const known = new Set(table.value?.terrain.map((one) => one.id));
  const before = tool.value;
  if (!(await job())) return;
  const made = table.value?.terrain.find((one) => !known.has(one.id));
  if (made && (tool.value === before || tool.value?.step === "pick")) choosePiece(made.id);
}

// A step from the height that stands when its turn comes.
export const raise = (id: string, steps: number): Promise<boolean> =>
  change((game) => {
    const now = table.value?.terrain.find((one) => one.id === id)?.height ?? 0;
    return client.reshape(game, id, { height: within(now + steps * HEIGHT_IN.step, 0, HEIGHT_IN.most) });
  });

export const erase = (id: string): Promise<boolean> => change((game) => client.erase(game, id));
