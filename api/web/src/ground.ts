// Drawing terrain by hand: which step the tool is in, what has been tapped so far, and what can be done.

import { computed, effect, signal } from "@preact/signals";
import { client } from "./client";
import { between, distanceToOutline, within, type Point } from "./geometry";
import { rectTo } from "./rectangles";
import type { TerrainChange, TerrainOut } from "./schema";
import { type Ground, snap, snapAngle, snapShift } from "./snapping";
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
  rect: boolean; // two corners make a rectangle
}
export interface Chosen {
  step: "piece";
  id: string;
  corner: number | null; // the corner that was tapped
  asRect: boolean; // a rectangle stays one
}
export interface Cutting {
  step: "cut";
  id: string;
  points: Point[];
}
export type Tool = { step: "pick" } | Drawing | Chosen | Cutting;

export const tool = signal<Tool | null>(null);
export const drawing = computed<Drawing | null>(() => (tool.value?.step === "draw" ? tool.value : null));
export const snapping = signal(true);
export const chosen = computed<Chosen | null>(() => (tool.value?.step === "piece" ? tool.value : null));
export const cutting = computed<Cutting | null>(() => (tool.value?.step === "cut" ? tool.value : null));
export const piece = computed<TerrainOut | null>(() => {
  const now = tool.value;
  return ((now?.step === "piece" || now?.step === "cut") && table.value?.terrain.find((one) => one.id === now.id)) || null;
});
export const enough = computed(() => {
  const now = drawing.value;
  if (cutting.value) return cutting.value.points.length >= 2;
  return now !== null && now.points.length >= (now.width === null && !now.rect ? 3 : 2);
});
export const hasHeight = (one: TerrainOut): boolean => RAISED.includes(one.kind) || one.height > 0;

effect(() => {
  if (!correcting.value) tool.value = null;
  else if ((tool.value?.step === "piece" || tool.value?.step === "cut") && piece.value === null) tool.value = { step: "pick" };
});

export function useTool(on: boolean): void {
  correct(true);
  tool.value = on ? { step: "pick" } : null;
}

export const pickKind = (kind: Kind): void => {
  tool.value = { step: "draw", kind, points: [], width: LONG.includes(kind) ? WIDTH_IN.start : null, topOf: null, rect: false };
};
export const drawTop = (hill: TerrainOut): void => {
  tool.value = { step: "draw", kind: "hill", points: [], width: null, topOf: hill.id, rect: false };
};
export const choosePiece = (id: string): void => {
  baseId.value = null;
  tool.value = { step: "piece", id, corner: null, asRect: true };
};
export const chooseCorner = (corner: number | null): void => {
  if (chosen.value) tool.value = { ...chosen.value, corner: corner === chosen.value.corner ? null : corner };
};
export const keepRect = (asRect: boolean): void => {
  if (chosen.value) tool.value = { ...chosen.value, asRect };
};
export const beginCut = (id: string): void => {
  tool.value = { step: "cut", id, points: [] };
};
export const drawRect = (rect: boolean): void => {
  const now = drawing.value;
  if (now) tool.value = { ...now, rect, points: now.points.slice(0, rect ? 2 : undefined) };
};
export const cancel = (): void => {
  const back = drawing.value?.topOf ?? cutting.value?.id ?? null;
  if (back === null) tool.value = { step: "pick" };
  else choosePiece(back);
};

export function undoPoint(): void {
  const now = drawing.value ?? cutting.value;
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

const SNAP_PX = 8;

// What lies on the table, besides a piece itself.
const others = (id: string | null): Ground => ({
  ...(table.value?.table ?? { width: 0, depth: 0 }),
  outlines: (table.value?.terrain ?? []).filter((one) => one.id !== id).map(({ polygon }) => polygon),
});

// A place on the table, at what is near it where fingers are to be helped.
function near(at: Point, pxPerInch: number, from: Point | undefined, cut = false): Point {
  const rect = drawing.value?.rect ?? false;
  const there = onTable(at);
  if (!snapping.value) return there;
  return onTable(snap(there, cut ? { ...others(null), outlines: [] } : others(null), SNAP_PX / pxPerInch, rect ? null : (from ?? null)).at);
}
export const cornerAt = (at: Point, of: TerrainOut, pxPerInch: number): Point =>
  onTable(snapping.value ? snap(onTable(at), others(of.id), SNAP_PX / pxPerInch).at : at);
export const shiftBy = (by: Point, of: TerrainOut, pxPerInch: number): Point =>
  snapping.value ? snapShift(of.polygon, by, others(of.id), SNAP_PX / pxPerInch) : by;
export const turnBy = (by: number, of: TerrainOut): number =>
  snapping.value ? snapAngle((of.rect?.angle ?? 0) + by) - (of.rect?.angle ?? 0) : by;

// A corner said by its numbers, as "12.5, 8".
export function typePoint(line: string): boolean {
  const [x, y, more] = line.split(/[\s,;]+/).filter(Boolean).map((word) => Number(word.replace(",", ".")));
  if (x === undefined || y === undefined || more !== undefined || !Number.isFinite(x) || !Number.isFinite(y)) return false;
  const now = drawing.value ?? cutting.value;
  if (now === null || (now.step === "draw" && now.rect && now.points.length > 1) || between([x, y], onTable([x, y])) > 0.01) return false;
  tool.value = { ...now, points: [...now.points, [x, y]] };
  return true;
}

// A tap on the map: the next corner, or the piece that lies there.
export function tapMap(at: Point, pxPerInch: number): void {
  const now = drawing.value;
  if (now) {
    if (saving.value) return; // what was drawn is on its way
    const most = now.rect ? 2 : now.width === null ? MOST_POINTS.outline : MOST_POINTS.line;
    if (now.points.length < most && between(at, onTable(at)) < STRAY_IN) tool.value = { ...now, points: [...now.points, near(at, pxPerInch, now.points.at(-1))] };
    return;
  }
  const cut = cutting.value;
  if (cut) {
    if (!saving.value && between(at, onTable(at)) < STRAY_IN) tool.value = { ...cut, points: [...cut.points, near(at, pxPerInch, cut.points.at(-1), true)] };
    return;
  }
  const far = (one: TerrainOut): number => distanceToOutline(one.polygon, at) * pxPerInch;
  const touched = (table.value?.terrain ?? [])
    .filter((one) => far(one) < REACH_PX)
    .sort((a, b) => Math.max(far(a), 0) - Math.max(far(b), 0) || extent(a) - extent(b))[0];
  if (touched) choosePiece(touched.id);
  else tool.value = { step: "pick" };
}

// Of pieces that lie over each other the smallest is meant.
const extent = ({ polygon }: TerrainOut): number => {
  const next = (i: number): Point => polygon[(i + 1) % polygon.length] as Point;
  return Math.abs(polygon.reduce((sum, [x, y], i) => sum + x * next(i)[1] - next(i)[0] * y, 0));
};

export async function finish(): Promise<void> {
  const cut = cutting.value;
  if (cut && enough.value) {
    if (await change((game) => client.reshape(game, cut.id, { cut: cut.points }))) choosePiece(cut.id);
    return;
  }
  const now = drawing.value;
  if (!now || !enough.value) return;
  const { kind, points, width, topOf } = now;
  if (topOf !== null) {
    if (await change((game) => client.reshape(game, topOf, { hill_top: points }))) choosePiece(topOf);
    return;
  }
  const [a, b] = points;
  const rect = now.rect && a && b && { center: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] as Point, size: [Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])] as Point };
  const wish = rect ? { kind, rect } : width === null ? { kind, polygon: points } : { kind, line: points, width };
  await andChoose(() => change((game) => client.draw(game, wish)));
}

export async function changePiece(one: TerrainOut, wish: TerrainChange): Promise<void> {
  await andChoose(() => change((game) => client.reshape(game, one.id, wish)));
}

const moved = (one: TerrainOut, index: number, to: Point): Point[] => one.polygon.map((at, i) => (i === index ? onTable(to) : at));

export function placeCorner(one: TerrainOut, index: number, to: Point): void {
  const frame = chosen.value?.asRect ? one.rect : null;
  void changePiece(one, frame ? { rect: rectTo(frame, one.polygon[(index + 2) % 4] as Point, onTable(to)) } : { polygon: moved(one, index, to) });
}
export function stepCorner(one: TerrainOut, index: number, by: Point): void {
  const at = one.polygon[index] as Point;
  placeCorner(one, index, [at[0] + by[0], at[1] + by[1]]);
}
export function removeCorner(one: TerrainOut, index: number): void {
  if (one.polygon.length <= 3) return;
  chooseCorner(null);
  void changePiece(one, { polygon: one.polygon.filter((_, i) => i !== index) });
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
