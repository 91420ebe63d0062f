// Names on the map that would hide each other: how much room one takes, and whether two share too much of it.

import type { Point } from "./geometry";

const PILL_PX = 18; // beside its letters
const LETTER_PX = 8;
export const PILL_HIGH_PX = 26;

export const pillWidth = (text: string): number => PILL_PX + LETTER_PX * text.length;

export type Box = [number, number, number, number]; // left, near, right, far

export const boxRound = ([x, y]: Point, width: number, height: number): Box => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];

// Whether two boxes share too much of the smaller one.
export function covers(a: Box, b: Box): boolean {
  const across = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const along = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  const area = ([left, near, right, far]: Box): number => (right - left) * (far - near);
  return across > 0 && along > 0 && across * along > 0.3 * Math.min(area(a), area(b));
}
