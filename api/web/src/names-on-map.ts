// Names on the map that would hide each other: where each stands, and how much of it is said where there is little room.

import type { Point } from "./geometry";

export type Box = [number, number, number, number]; // left, near, right, far

export type Size = "full" | "bare" | "tiny" | "lone"; // with its badges, without them, in small letters, its mark alone

// A name as it could stand: what it says beside its letters is so many letters long.
export interface Wish {
  letters: number;
  more: number; // letters of its badges, with one for the frame of each
  mark: boolean; // it bears a mark, which is drawn wherever it stands
  must: boolean; // it is told in full, whatever it hides
  over: Point; // the middle of what it names
  above: Point;
  below: Point;
}

export interface Standing {
  size: Size;
  at: Point;
}

const PILL = { beside: 18, letter: 8, high: 26 };
const TINY = { beside: 9, letter: 7.4, high: 17 };
const MARK_PX = 19;
const MOST_HIDDEN = 0.06; // of the smaller one

function boxOf(wish: Wish, { size, at: [x, y] }: Standing, perInch: number): Box {
  const look = size === "tiny" ? TINY : PILL;
  const letters = wish.letters + (size === "full" ? wish.more : 0);
  const wide = size === "lone" ? MARK_PX : look.beside + look.letter * letters + (wish.mark ? MARK_PX : 0);
  const high = size === "lone" ? MARK_PX : look.high;
  return [x - wide / 2 / perInch, y - high / 2 / perInch, x + wide / 2 / perInch, y + high / 2 / perInch];
}

// Whether two boxes share too much of the smaller one.
export function covers(a: Box, b: Box): boolean {
  const across = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const along = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  const area = ([left, near, right, far]: Box): number => (right - left) * (far - near);
  return across > 0 && along > 0 && across * along > MOST_HIDDEN * Math.min(area(a), area(b));
}

// Where names stand, those that come first having the most room; one for which there is none is left out.
export function standings(wishes: Wish[], perInch: number): (Standing | null)[] {
  const said: Box[] = [];
  return wishes.map((wish) => {
    const badges = wish.more > 0 && (wish.must || !wish.mark); // where many are marked, their names matter more
    const sizes: Size[] = badges ? ["full", "bare", "tiny"] : ["bare", "tiny"];
    const tries = sizes.flatMap((size) => [wish.above, wish.below].map((at): Standing => ({ size, at })));
    const free = (one: Standing): boolean => !said.some((box) => covers(box, boxOf(wish, one, perInch)));
    const found = wish.must ? tries[0] : (tries.find(free) ?? (wish.mark ? { size: "lone" as const, at: wish.over } : null));
    if (!found) return null;
    said.push(boxOf(wish, found, perInch));
    return found;
  });
}
