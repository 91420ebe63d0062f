// A board's grid before it is placed on the table: by its lines, by two taps or by size, origin and turn. It is drawn
// from cells that the server sent once, moved, turned and scaled here, so that it follows the finger; the server checks
// it shortly after.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { ask, Refusal } from "../../client";
import { game } from "../../game";
import type { Shape } from "../../boardview";
import { bearing, type Point } from "../../geometry";
import type { FoundOverlayOut, OverlayOut, OverlayWish, PhotoGroundOut } from "../../schema";

export interface Laid {
  size: number;
  origin: Point; // the middle of the first cell
  turn: number;
}
export interface Tap {
  cell: string;
  at: Point | null;
}

const LEAST_SIZE_IN = 0.25;
export const MOST_IN = 480;

export const told = signal<OverlayOut | null>(null); // with the cells that are drawn, moved
export const laid = signal<Laid | null>(null);
export const way = signal<"lines" | "taps" | "numbers">("taps");
export const found = signal<FoundOverlayOut | null>(null); // the board by its lines, and
export const corner = signal(0); // the number of its orientation
export const taps = signal<[Tap, Tap]>([{ cell: "", at: null }, { cell: "", at: null }]);
export const tapping = signal<0 | 1>(0);
export const says = signal("");
export const fit = signal<number | null>(null);
export const refusal = signal("");
export const working = signal(false);
export const under = signal<PhotoGroundOut | null>(null);
export const ground = signal<"map" | "photo">("map");

export const cells = computed<string[]>(() => game.value?.board.cells.map(({ id }) => id) ?? []);
export const path = (): string => `/games/${encodeURIComponent(game.value?.id ?? "")}`;
// A board of squares can be found by its lines if the table has a photo.
export const findable = computed(() => told.value?.grid === "square" && under.value !== null && under.value.url !== null);
const fine = (value: number): number => Math.round(value * 1000) / 1000;

// --- its place --------------------------------------------------------------------------------------------------------

export const turned = ([x, y]: Point, degrees: number): Point => {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [x * c + y * s, y * c - x * s];
};

// The new place of a point of the server's grid.
export function moved(from: OverlayOut, to: Laid, [x, y]: Point): Point {
  const [dx, dy] = turned([x - from.origin[0], y - from.origin[1]], to.turn - from.rotation_deg);
  const scale = to.size / from.size_in;
  return [to.origin[0] + dx * scale, to.origin[1] + dy * scale];
}

export const middle = computed<Point | null>(() => {
  const [from, to] = [told.value, laid.value];
  if (from === null || to === null) return null;
  const mean = (axis: 0 | 1): number => from.cells.reduce((sum, { center }) => sum + center[axis], 0) / from.cells.length;
  return moved(from, to, [mean(0), mean(1)]);
});

// The handle that turns it: the middle of the cells farthest to the right on an unturned board, so that it covers no
// corner.
export const edge = computed<Point | null>(() => {
  const [from, to] = [told.value, laid.value];
  if (from === null || to === null) return null;
  const cells = from.cells.map(({ center }) => ({ center, right: turned(center, -from.rotation_deg)[0] }));
  const most = Math.max(...cells.map(({ right }) => right)) - 0.01;
  const last = cells.filter(({ right }) => right >= most).map(({ center }) => center);
  const mean = (axis: 0 | 1): number => last.reduce((sum, center) => sum + center[axis], 0) / last.length;
  return moved(from, to, [mean(0), mean(1)]);
});

export const shapes = computed<Shape[]>(() => {
  const [from, to] = [told.value, laid.value];
  const marks = way.value === "taps" ? taps.value.flatMap(({ at }, n) => (at === null ? [] : [{ at, class: `grid-tap tap-${n + 1}` }])) : [];
  if (from === null || to === null) return marks;
  const rings = from.cells.map(({ outline }) => outline.map((point) => moved(from, to, point)));
  const [outline, ...holes] = rings;
  if (outline === undefined) return marks;
  const [first] = from.cells;
  const name = first === undefined ? [] : [{ at: moved(from, to, first.center), label: first.id, class: "grid-name" }];
  const bad = refusal.value !== "" ? " no" : "";
  return [{ outline, holes, class: "grid-case" }, { outline, holes, class: `grid-cell${bad}` }, { outline, class: "grid-first" }, ...name, ...marks];
});

export function put(next: Partial<Laid>): void {
  const now = laid.value;
  if (now === null) return;
  laid.value = { ...now, ...next };
}

export const slideTo = (start: Laid, [dx, dy]: Point): void => put({ origin: [fine(start.origin[0] + dx), fine(start.origin[1] + dy)] });

// Turned about the board's middle.
export function turnTo(start: Laid, about: Point, by: number): void {
  const [dx, dy] = turned([start.origin[0] - about[0], start.origin[1] - about[1]], by);
  const turn = ((((start.turn + by + 180) % 360) + 360) % 360) - 180;
  put({ turn: Math.round(turn * 100) / 100, origin: [fine(about[0] + dx), fine(about[1] + dy)] });
}

export const angleBetween = (about: Point, from: Point, to: Point): number => bearing(about, to) - bearing(about, from);

export function tapAt([x, y]: Point): void {
  if (way.value !== "taps") return;
  const at: Point = [Math.round(x * 100) / 100, Math.round(y * 100) / 100];
  batch(() => {
    putTap(tapping.value, { at });
    if (tapping.value === 0 && taps.value[1].at === null) tapping.value = 1;
  });
}

export function putTap(n: 0 | 1, part: Partial<Tap>): void {
  const [one, other] = taps.value;
  taps.value = n === 0 ? [{ ...one, ...part }, other] : [one, { ...other, ...part }];
}

// --- with the server --------------------------------------------------------------------------------------------------

export const lies = ({ size_in, origin, rotation_deg }: OverlayOut): Laid => ({ size: fine(size_in), origin: [fine(origin[0]), fine(origin[1])], turn: Math.round(rotation_deg * 100) / 100 });

// A first guess where no grid has been placed yet: as the game draws its board.
function guess(): OverlayWish {
  const first = game.value?.board.cells[0];
  const [x, y] = first?.center ?? [0, 0];
  const apothem = Math.min(
    ...(first?.outline ?? []).map(([ax, ay], i, all) => {
      const [bx, by] = all[(i + 1) % all.length] as Point;
      return Math.hypot((ax + bx) / 2 - x, (ay + by) / 2 - y);
    }),
  );
  return { size_in: 2 * apothem, origin: [x, y] };
}

export async function open(): Promise<void> {
  const board = game.value?.board;
  if (board === undefined) return;
  batch(() => {
    told.value = laid.value = fit.value = found.value = null;
    says.value = refusal.value = "";
    tapping.value = 0;
    taps.value = [{ cell: cells.value[0] ?? "", at: null }, { cell: farFromFirst(), at: null }];
  });
  const lying = await ask<OverlayOut | null>("GET", `${path()}/overlay`);
  const known = lying ?? (await ask<OverlayOut>("PUT", `${path()}/overlay`, { ...guess(), preview: true }));
  const photo = await ask<PhotoGroundOut>("GET", `${path()}/photo`);
  batch(() => {
    told.value = known;
    laid.value = lies(known);
    says.value = lying === null ? "" : lying.says;
    under.value = photo;
    if (findable.value) way.value = "lines";
    else if (way.value === "lines") way.value = "taps";
  });
}

// A second tap should be far from the first one.
function farFromFirst(): string {
  const all = game.value?.board.cells ?? [];
  const [x, y] = all[0]?.center ?? [0, 0];
  const far = ({ center }: { center: Point }): number => Math.hypot(center[0] - x, center[1] - y);
  return all.reduce<(typeof all)[number] | undefined>((best, one) => (best === undefined || far(one) > far(best) ? one : best), undefined)?.id ?? "";
}

// The requested grid, or null while a tap or a number is missing.
const wish = computed<OverlayWish | null>(() => {
  if (way.value === "taps") {
    const [one, other] = taps.value;
    return one.at === null || other.at === null ? null : { taps: [one, other].map(({ cell, at }) => ({ cell, at: at as Point })) };
  }
  const now = way.value === "lines" && found.value === null ? null : laid.value;
  return now === null || now.size < LEAST_SIZE_IN ? null : { size_in: now.size, origin: now.origin, rotation_deg: now.turn };
});
export const ready = computed(() => wish.value !== null);

const SOON_MS = 220;
let asked = 0;

export function judging(): () => void {
  let timer = 0;
  const stop = effect(() => {
    const now = wish.value;
    window.clearTimeout(timer);
    asked += 1;
    if (now === null || untracked(() => told.value) === null) return;
    const mine = asked;
    timer = window.setTimeout(() => void judge(now, () => mine === asked), SOON_MS);
  });
  return () => {
    window.clearTimeout(timer);
    asked += 1;
    stop();
  };
}

async function judge(now: OverlayWish, still: () => boolean): Promise<void> {
  try {
    const found = await ask<OverlayOut>("PUT", `${path()}/overlay`, { ...now, preview: true });
    if (!still()) return;
    batch(() => {
      says.value = found.says;
      fit.value = found.fit_in;
      refusal.value = "";
      if (now.taps) {
        told.value = found;
        laid.value = lies(found);
      }
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (still()) batch(() => {
      refusal.value = error.message;
      says.value = "";
      fit.value = null;
    });
  }
}

// Place the board there, for everyone. Returns whether that succeeded.
export async function lay(): Promise<boolean> {
  const now = wish.value;
  if (now === null || working.value) return false;
  working.value = true;
  try {
    await ask<OverlayOut>("PUT", `${path()}/overlay`, now);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal.value = error.message;
    return false;
  } finally {
    working.value = false;
  }
}
