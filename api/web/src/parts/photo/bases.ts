// One base of the photo under a finger, corrected before anything is carried out.

import { computed, effect, signal } from "@preact/signals";
import type { Ghost, Tapped } from "../../boardview";
import { game } from "../../game";
import { between, distanceToOutline, ellipseAt, type Place, type Point } from "../../geometry";
import { meant } from "../../meant";
import { pane } from "../../play";
import type { BaseWish, BoardPiece, SeenBaseOut, Unit } from "../../schema";
import { cornersOf } from "../../terrain/rectangles";
import { change, look, taking, watching } from "./turn";

export const picked = signal<SeenBaseOut | null>(null); // as the photo has it
export const wish = signal<BaseWish>({}); // its corrections
export const correctable = computed(() => look.value?.correctable === true && !watching.value && !taking.value);

interface Wished {
  center: Point;
  facing: number | null;
  unit: string;
  width: number;
  depth: number;
  shape: NonNullable<BaseWish["shape"]>;
}

// The base with its corrections.
export const wished = computed<Wished | null>(() => {
  const [base, now] = [picked.value, wish.value];
  if (base === null) return null;
  const [shape, width] = [now.shape ?? base.shape, now.width ?? base.width];
  const depth = shape === "round" ? width : (now.depth ?? base.depth);
  return { center: now.center ?? base.center, facing: now.facing ?? base.facing, unit: now.unit ?? base.unit ?? "", width, depth, shape };
});
export const isChanged = computed(() => Object.keys(wish.value).length > 0);

// The bases that the photo assigns to a unit; empty without a unit.
export const basesOf = (unit: string | null): SeenBaseOut[] => look.value?.outlines.filter((base) => unit !== null && base.unit === unit) ?? [];

// The units that a base may belong to, its own among them, and those with all bases in the photo already.
export function unitsFor(own: string): [open: Unit[], full: Unit[]] {
  const { units, pieces } = game.value?.board ?? { units: [], pieces: [] };
  const all = (id: string): number => pieces.filter(({ unit }) => unit === id).length;
  const open = units.filter(({ id }) => id === own || all(id) === 0 || basesOf(id).length < all(id));
  return [open, units.filter((unit) => !open.includes(unit))];
}

export function pick(base: SeenBaseOut | null): void {
  wish.value = {};
  picked.value = base;
}

export const fill = (next: BaseWish): void => {
  wish.value = { ...wish.value, ...next };
};

// The place where a finger puts it; an untouched facing stays as it was seen.
export function moveTo(to: Place): void {
  const now = wished.value;
  if (now === null) return;
  fill({
    ...(between(to.center, now.center) > 1e-9 ? { center: to.center } : {}),
    ...(to.facing !== (now.facing ?? 0) ? { facing: to.facing } : {}),
  });
}

export const keep = (): Promise<void> => done("PATCH", wish.value);
export const takeOff = (): Promise<void> => done("DELETE");

async function done(method: "PATCH" | "DELETE", body?: BaseWish): Promise<void> {
  const base = picked.value;
  if (base !== null && (await change(method, `bases/${encodeURIComponent(base.id)}`, body))) pick(null);
}

// The base under a finger; while one is held, a touch beside all others puts it there.
export function touch({ at, pxPerInch }: Tapped): boolean {
  if (!correctable.value) return false;
  const others = (look.value?.outlines ?? []).filter(({ id }) => id !== picked.value?.id);
  const first = meant(others, ({ outline }) => distanceToOutline(outline, at) * pxPerInch, ({ center }) => between(center, at))[0]?.one;
  if (first !== undefined) pick(first);
  else if (wished.value !== null) moveTo({ center: at, facing: wished.value.facing ?? 0 });
  else return false;
  return true;
}

// The base is drawn with the handles of an action's pieces.
export const ghost = computed<Ghost | null>(() => {
  const [base, now] = [picked.value, wished.value];
  if (base === null || now === null) return null;
  const angle = now.facing ?? 0;
  const axes = { long: now.depth / 2, short: now.width / 2, bearing: angle };
  const outline = now.shape === "rect" ? cornersOf({ center: now.center, size: [now.width, now.depth], angle }) : ellipseAt(now.center, axes);
  const side = game.value?.board.units.find(({ id }) => id === now.unit)?.side ?? null;
  const piece: BoardPiece = {
    id: `seen ${base.id}`, kind: "", unit: now.unit || null, side, label: now.unit, shape: now.shape, center: now.center, facing: now.facing,
    width: now.width, depth: now.depth, outline, unique: false, hidden: false, state: "fresh", badges: [], says: "", ellipse: null,
  };
  return { pieces: [piece], verdict: null, way: [] };
});

// The photo's new reading may lack the base that was held, or have changed it.
effect(() => {
  const base = picked.peek();
  const now = look.value?.outlines.find(({ id }) => id === base?.id) ?? null;
  if (base !== null && (pane.value !== "photo" || !correctable.value || now === null)) pick(null);
  else if (base !== null && now !== null) picked.value = now;
});
