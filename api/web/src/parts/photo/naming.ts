// Naming the corners of the table in a photo that shows no markers: their places, their rectangle, and their accuracy.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { ask, Refusal } from "../../client";
import { focalOf } from "../../exif";
import { game } from "../../game";
import type { Point } from "../../geometry";
import { patiently } from "./patiently";
import type { CheckOut, NamedWish, NamingOut } from "../../schema";

export type Four = [Point, Point, Point, Point];
export const TABLE = "table"; // the whole table
export const OTHER = "other"; // a size that is typed; one side may be left out

export interface Photo {
  file: File;
  url: string;
  size: Point;
  focal: number | null;
}

const FRAME_PX = 1000;
const FRAME_QUALITY = 0.7;
const INSET: Four = [[0.15, 0.85], [0.85, 0.85], [0.75, 0.25], [0.25, 0.25]];
const BEYOND = 1; // how far outside a corner may be

export const photo = signal<Photo | null>(null);
export const unreadable = signal(false); // the browser can't show this photo
export const aid = signal<NamingOut | null>(null);
export const corners = signal<Four>(INSET);
export const sizeName = signal<string>(TABLE);
export const typed = signal<[number | null, number | null]>([null, null]);
export const at = signal<Point | null>(null); // where the near left corner is on the table; null: in the middle
export const check = signal<CheckOut | null>(null);
export const checking = signal(false);
export const snapping = signal(true);

const path = (rest: string): string => `/games/${encodeURIComponent(game.value?.id ?? "")}/${rest}`;

// --- the rectangle ----------------------------------------------------------------------------------------------------

// The entered size, if it is not the whole table; undefined while nothing is typed.
export const sizeIn = computed<[number | null, number | null] | null | undefined>(() => {
  if (sizeName.value === TABLE) return null;
  const [width, depth] = typed.value;
  if (sizeName.value === OTHER) return width === null && depth === null ? undefined : [width, depth];
  return aid.value?.sizes.find(({ name }) => name === sizeName.value)?.size_in ?? null;
});
const named = computed<NamedWish | null>(() => (sizeIn.value === undefined ? null : { corners: corners.value, size_in: sizeIn.value, at: sizeIn.value === null ? null : at.value }));
export const wish = computed<NamedWish | null>(() => (check.value?.refused === "" && !checking.value ? named.value : null));

export function moveCorner(corner: number, [x, y]: Point): void {
  const within = (value: number): number => Math.min(Math.max(value, -BEYOND), 1 + BEYOND);
  corners.value = corners.value.map((old, n) => (n === corner ? [within(x), within(y)] : old)) as Four;
}

// Make the next edge the near one.
export const turnCorners = (): void => {
  const [a, b, c, d] = corners.value;
  corners.value = [b, c, d, a];
};

// The crossings of the photo's lines.
export const crossings = computed<Point[]>(() => {
  const lines = snapping.value ? (aid.value?.lines ?? []) : [];
  return lines.flatMap((one, i) => lines.slice(i + 1).flatMap((other) => crossing(one, other)));
});

function crossing([a, b]: [Point, Point], [c, d]: [Point, Point]): Point[] {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const cross = ux * vy - uy * vx;
  if (Math.abs(cross) < 0.02 * Math.hypot(ux, uy) * Math.hypot(vx, vy)) return [];
  const t = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / cross;
  return t < 0 || t > 1 ? [] : [[a[0] + t * ux, a[1] + t * uy]];
}

export function startFrom(which: "guess" | "before"): void {
  const known = aid.value;
  batch(() => {
    if (which === "guess") corners.value = (known?.guess as Four | null | undefined) ?? corners.value;
    else if (known?.before) {
      const { corners: old, size_in: size, at: place } = known.before;
      corners.value = old as Four;
      const listed = size === null ? TABLE : known.sizes.find(({ size_in: [w, d] }) => w === size[0] && d === size[1])?.name;
      sizeName.value = listed ?? OTHER;
      if (size !== null && listed === undefined) typed.value = size;
      at.value = place;
    }
  });
}

// --- the photo --------------------------------------------------------------------------------------------------------

// Show a photo for naming its corners. Its lines are found in a small copy; unless a finger was faster, the corners
// start where an earlier photo had them, or at the most likely rectangle for the table.
export async function open(file: File): Promise<void> {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    unreadable.value = true;
    return;
  }
  const size: Point = [image.naturalWidth, image.naturalHeight];
  const focal = await focalOf(file);
  batch(() => {
    corners.value = INSET;
    [sizeName.value, at.value] = [TABLE, null];
    photo.value = { file, url, size, focal };
  });
  try {
    const found = await patiently(() => helped(image, size), () => photo.value?.file === file);
    if (photo.value?.file !== file) return;
    aid.value = found;
    if (corners.value === INSET) startFrom(found.before ? "before" : "guess");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

async function helped(image: HTMLImageElement, [width, height]: Point): Promise<NamingOut> {
  const scale = Math.min(1, FRAME_PX / Math.max(width, height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const frame = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", FRAME_QUALITY));
  const form = new FormData();
  if (frame !== null) form.append("frame", frame, "frame.jpg");
  return ask<NamingOut>("POST", path("naming"), form);
}

export function close(): void {
  if (photo.value !== null) URL.revokeObjectURL(photo.value.url);
  batch(() => {
    photo.value = aid.value = check.value = null;
    unreadable.value = false;
  });
}

// --- the corners' accuracy ---------------------------------------------------------------------------------------

const SOON_MS = 350;
let asked = 0;

// Ask the server after every change; returns a function that stops this.
export function judging(): () => void {
  let timer = 0;
  const stop = effect(() => {
    const [now, shown] = [named.value, photo.value];
    window.clearTimeout(timer);
    const mine = (asked += 1);
    untracked(() => (checking.value = now !== null && shown !== null));
    if (now !== null && shown !== null) timer = window.setTimeout(() => void judge(now, shown, () => mine === asked), SOON_MS);
  });
  return () => {
    window.clearTimeout(timer);
    asked += 1;
    stop();
  };
}

async function judge(now: NamedWish, { size: [width, height], focal }: Photo, still: () => boolean): Promise<void> {
  let found: CheckOut;
  try {
    found = await patiently(() => ask<CheckOut>("POST", path("naming/check"), { ...now, width, height, focal_35mm: focal }), still);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    found = { refused: error.message, middle_in: 0, worst_in: 0, outline: [], says: "" };
  }
  if (still()) batch(() => {
    check.value = found;
    checking.value = false;
  });
}
