// Terrain drawn by a finger on the photo: the line, its corrections, the server's outline of it, the pieces added.

import { batch, computed, signal } from "@preact/signals";
import { ask, newId, Refusal } from "../../client";
import { command, forms, game, ours, undo as takeBack } from "../../game";
import { between, type Point } from "../../geometry";
import { lensOf } from "../../lens";
import type { DoneOut, FixWish, LensOut, LineWish, OutlineOut, PictureOut, TerrainWish } from "../../schema";
import { storedJson } from "../../storage";
import { drawing as say } from "../../words/drawing";
import type { Depth } from "../FingerPhoto";
import { patiently } from "./patiently";
import { ground, look } from "./turn";

export type Shape = "around" | "along" | "box";
export interface Lying {
  id: string;
  kind: string;
  onPhoto: Point[];
}
interface Drawn {
  points: Point[];
  fixes: FixWish[];
  redrawn: Point[][];
}

const KINDS_KEY = "tabletop-drawn-kinds"; // the most recently used, the last one first
const WIDE_KEY = "tabletop-drawn-wide";
const LINES = ["wall", "road", "river"]; // kinds that usually run along a line
const MOST_POINTS = 300;
const EDGE_PX = 34; // a finger this near the edge draws it again
const FAR_TAP_PX = 140;
const STRAIGHT = 0.06; // of a line's length: how far a finger strays from a straight one

const listed = computed(() => forms.value["draw"]?.fields.find(({ name }) => name === "of_kind")?.choices.map(({ value }) => String(value)) ?? []);
const used = signal<string[]>(storedJson<string[]>(KINDS_KEY) ?? []);
export const kinds = computed(() => [...used.value.filter((kind) => listed.value.includes(kind)), ...listed.value.filter((kind) => !used.value.includes(kind))]);
const chosenKind = signal<string | null>(null);
export const kind = computed(() => chosenKind.value ?? kinds.value[0] ?? "");
export const shape = signal<Shape>("around");
export const wide = signal<number | null>(storedJson<number>(WIDE_KEY) ?? 0.5);
export const high = signal<number | null>(null);
export const visible = signal(false);

export const way = signal<Point[]>([]); // under the finger
const steps = signal<Drawn[]>([]); // the line and its corrections, the last one as it is now
export const line = computed(() => steps.value.at(-1) ?? null);
export const begunWith = computed(() => steps.value[0]?.points ?? []); // the line before its corrections
export const outline = signal<OutlineOut | null>(null);
export const checking = signal(false);
export const busy = signal(false);
export const told = signal(""); // the last result, or why it failed
export const lying = signal<string | null>(null); // the piece on the table that was tapped
export const instead = signal<string | null>(null); // the piece that the line replaces
const added = signal<{ seq: number; actions: number }[]>([]); // this device's pieces, which can be taken back

const path = (rest: string): string => `/games/${encodeURIComponent(game.value?.id ?? "")}/${rest}`;

// --- on the table ------------------------------------------------------------------------------------------------------

// The terrain of the game, placed on the photo.
export const onTable = computed<Lying[]>(() => {
  const lens = photo.value?.lens;
  if (!lens) return [];
  const seen = lensOf(lens);
  return (game.value?.board.ground ?? []).flatMap(({ id, kind, outline }) => {
    const onPhoto = seen.area(outline, () => 0).map(([x, y]): Point => [(x + 0.5) / lens.width, (y + 0.5) / lens.height]);
    return onPhoto.length > 2 ? [{ id, kind, onPhoto }] : [];
  });
});

// --- choosing -----------------------------------------------------------------------------------------------------------

export function chooseKind(next: string): void {
  batch(() => {
    chosenKind.value = next;
    if (line.value === null) shape.value = LINES.includes(next) ? "along" : shape.value === "along" ? "around" : shape.value;
  });
}

export function chooseShape(next: Shape): void {
  const along = next === "along" || shape.value === "along";
  shape.value = next;
  if (along) clear();
  else void outlineNow();
}

export function setWide(next: number | null): void {
  wide.value = next;
  if (next !== null) window.localStorage.setItem(WIDE_KEY, JSON.stringify(next));
  void outlineNow();
}

export function setHigh(next: number | null): void {
  batch(() => {
    high.value = next;
    if (!next) visible.value = false;
  });
  void outlineNow();
}

export function setVisible(next: boolean): void {
  visible.value = next;
  void outlineNow();
}

export function clear(): void {
  batch(() => {
    steps.value = way.value = [];
    outline.value = instead.value = lying.value = null;
    told.value = "";
  });
}

interface Photo {
  sha: string;
  picture: PictureOut;
  lens: LensOut | null;
}
export const photo = signal<Photo | null>(null); // the photo under the finger, also while its comparison is refreshed

// A drawing begun on this photo is continued; another photo starts without one.
export function drawOn(): void {
  const [seen, lens] = [look.value, ground.value?.lens ?? null];
  if (seen?.upright == null || ground.value === null) return;
  const another = seen.photo !== photo.value?.sha;
  if (!another && lens === photo.value?.lens) return;
  photo.value = { sha: seen.photo, picture: seen.upright, lens };
  if (another) batch(() => {
    clear();
    chosenKind.value = null;
    high.value = null;
    visible.value = false;
    added.value = [];
  });
}

// --- the finger ---------------------------------------------------------------------------------------------------------

export const begins = (_: Point, depth: Depth): boolean =>
  line.value === null || (shape.value !== "along" && outline.value?.refused === "" && Math.abs(depth(outline.value.on_photo)) <= EDGE_PX);

export function drawn(points: Point[], whole: boolean): void {
  way.value = [];
  if (!whole || points.length < 2) return;
  const now = line.value;
  if (now === null) step({ points: shape.value === "along" ? straightened(points) : thinned(points, MOST_POINTS), fixes: [], redrawn: [] });
  else step({ ...now, redrawn: [...now.redrawn, thinned(points, MOST_POINTS)] });
}

export function taps(at: Point, depth: Depth): void {
  const found = outline.value;
  if (line.value === null) {
    const touched = onTable.value.filter(({ onPhoto }) => depth(onPhoto) >= 0).at(-1);
    lying.value = touched?.id ?? null;
    told.value = touched ? "" : say.tap;
  } else if (shape.value !== "along" && found?.refused === "") {
    const deep = depth(found.on_photo);
    if (deep < -FAR_TAP_PX) told.value = say.farTap;
    else step({ ...line.value, fixes: [...line.value.fixes, { at, inside: deep < 0 }] });
  }
}

// A corner of a line along something, dragged.
export function moveCorner(corner: number, at: Point): void {
  const now = line.value;
  if (now !== null) step({ ...now, points: now.points.map((old, n) => (n === corner ? at : old)) }, corner);
}

let moved: number | null = null; // the corner that the last step moved: moving it further is the same step

function step(next: Drawn, corner: number | null = null): void {
  const before = corner !== null && corner === moved && steps.value.length > 1 ? steps.value.slice(0, -1) : steps.value;
  moved = corner;
  batch(() => {
    steps.value = [...before, next];
    lying.value = null;
    told.value = "";
  });
  if (corner === null) void outlineNow();
  else outlineSoon();
}

const thinned = (points: Point[], most: number): Point[] =>
  points.filter((_, n) => points.length <= most || Math.floor((n * most) / points.length) !== Math.floor(((n - 1) * most) / points.length));

// The ends of a line and its intended bends, which leave the straight line by more than a finger strays.
function straightened(points: Point[]): Point[] {
  const { width, height } = photo.value?.picture ?? { width: 1, height: 1 };
  const px = points.map(([x, y]): Point => [x * width, y * height]);
  const long = px.slice(1).reduce((sum, at, n) => sum + between(px[n] as Point, at), 0);
  const kept = (from: number, to: number): number[] => {
    const [a, b] = [px[from] as Point, px[to] as Point];
    const across = (n: number): number => {
      const [x, y] = px[n] as Point;
      return Math.abs((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / (between(a, b) || 1);
    };
    const between_ = Array.from({ length: Math.max(to - from - 1, 0) }, (_, i) => from + 1 + i);
    const far = between_.reduce((best, n) => (across(n) > across(best) ? n : best), from);
    return far === from || across(far) < STRAIGHT * long ? [] : [...kept(from, far), far, ...kept(far, to)];
  };
  return [0, ...kept(0, px.length - 1), px.length - 1].map((n) => points[n] as Point);
}

// --- asking -------------------------------------------------------------------------------------------------------------

const wish = (): LineWish | null =>
  line.value && {
    ...line.value, kind: kind.value, wide: shape.value === "along" ? (wide.value ?? 0.5) : null, high: high.value ?? 0, box: shape.value === "box", visible: shape.value !== "along" && visible.value,
  };

const SOON_MS = 250;
let [asked, timer] = [0, 0];

// While a finger drags a corner, once it rests.
function outlineSoon(): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void outlineNow(), SOON_MS);
}

async function outlineNow(): Promise<void> {
  const [now, mine] = [wish(), (asked += 1)];
  if (now === null) return;
  checking.value = true;
  let found: OutlineOut;
  try {
    found = await patiently(() => ask<OutlineOut>("POST", path("look/outline"), now), () => mine === asked);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    found = { refused: error.message, on_photo: [], outline: [], sigma_in: 0 };
  }
  if (mine === asked) batch(() => {
    checking.value = false;
    if (line.value !== null) outline.value = found;
  });
}

// --- doing --------------------------------------------------------------------------------------------------------------

export const may = computed(() => line.value !== null && outline.value?.refused === "" && !checking.value && !busy.value);

// Add the drawn piece to the table; the line stays if that is refused.
export async function add(): Promise<void> {
  const [now, of] = [wish(), kind.value];
  if (now === null) return;
  const whole: TerrainWish = { ...now, replaces: instead.value ?? "", id: newId(), after: game.value?.seq ?? 0 };
  await doing(async () => {
    const done = await patiently(() => ask<DoneOut>("POST", path("look/terrain"), whole), () => true);
    ours(done);
    used.value = [of, ...used.value.filter((one) => one !== of)];
    window.localStorage.setItem(KINDS_KEY, JSON.stringify(used.value));
    batch(() => {
      added.value = [...added.value, { seq: done.seq, actions: whole.replaces === "" ? 1 : 2 }];
      clear();
      chosenKind.value = of;
      high.value = null;
      visible.value = false;
      told.value = say.added(of);
    });
  });
}

export const mayUndo = computed(() => !busy.value && (steps.value.length > 0 || (added.value.at(-1)?.seq ?? Infinity) === game.value?.seq));

// Undo the last step of the line, or the last piece that was added.
export async function undo(): Promise<void> {
  const last = added.value.at(-1);
  if (steps.value.length > 0) {
    steps.value = steps.value.slice(0, -1);
    moved = null;
    told.value = "";
    if (steps.value.length > 0) return outlineNow();
    return clear();
  }
  if (last === undefined) return;
  await doing(async () => {
    for (let n = 0; n < last.actions; n += 1) ours(await takeBack());
    added.value = added.value.slice(0, -1);
    told.value = say.back;
  });
}

export async function erase(id: string): Promise<void> {
  await doing(async () => {
    const done = await command({ action: { kind: "erase", terrain: id } });
    ours(done);
    added.value = [...added.value, { seq: done.seq, actions: 1 }];
    lying.value = null;
    told.value = say.gone;
  });
}

export function drawAgain({ id, kind: of }: Lying): void {
  clear();
  chooseKind(of);
  instead.value = id;
}

async function doing(job: () => Promise<void>): Promise<void> {
  if (busy.value) return;
  busy.value = true;
  try {
    await job();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    told.value = error.message;
  } finally {
    busy.value = false;
  }
}
