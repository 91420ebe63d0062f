// Fingers: what they mean, and where they go across the screen.

import type { CellOut } from "./boardview";
import { between, distanceToOutline, type Point } from "./geometry";
import type { Board, BoardPiece } from "./schema";

const SLOP_PX = 9;
const REACH_PX = 15; // how far beside a thing a finger still means it

// The things that a finger may mean, the nearest first, of those under it the one whose middle is nearest; `far`: how many
// pixels beside a thing it is, below 0 on it, `middle`: how far from its middle.
export function meant<T>(things: T[], far: (one: T) => number, middle: (one: T) => number): { one: T; far: number }[] {
  const near = things.map((one) => ({ one, far: far(one) })).filter((found) => found.far < REACH_PX);
  return near.sort((a, b) => Math.max(a.far, 0) - Math.max(b.far, 0) || middle(a.one) - middle(b.one));
}

const isOn = (cell: CellOut, at: Point): boolean => distanceToOutline(cell.outline, at) < 0;

export const cellAt = ({ cells }: Board, at: Point): CellOut | null => cells.find((cell) => isOn(cell, at)) ?? null;

// The piece that a finger in a cell means: on a grid, one beside a piece but in another cell means that cell.
export const meantPiece = (board: Board, cell: CellOut | null, far: (piece: BoardPiece) => number, middle: (piece: BoardPiece) => number): BoardPiece | null =>
  meant(board.pieces, far, middle).find(({ one, far }) => far < 0 || cell === null || isOn(cell, one.center))?.one ?? null;

const place = (event: PointerEvent): Point => [event.clientX, event.clientY];

// While a finger drags something of ours the browser must see no fling in it, or it swallows the next tap.
export function holdStill(): () => void {
  const still = (touch: TouchEvent): void => touch.preventDefault();
  window.addEventListener("touchmove", still, { passive: false });
  return () => window.removeEventListener("touchmove", still);
}

// From finger down to finger up: `moved` after the first few pixels, then `ended` once, telling whether it moved at all
// and whether the browser let it end by itself.
export function follow(
  event: PointerEvent,
  moved: (now: PointerEvent) => void,
  ended: (movedAtAll: boolean, whole: boolean) => void,
): void {
  const start = place(event);
  const letGo = holdStill();
  let live = false;
  const move = (next: PointerEvent): void => {
    if (next.pointerId !== event.pointerId) return;
    live ||= between(start, place(next)) >= SLOP_PX;
    if (live) moved(next);
  };
  const end = (next: PointerEvent): void => {
    if (next.pointerId !== event.pointerId) return;
    letGo();
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
    window.removeEventListener("pointercancel", end);
    ended(live, next.type === "pointerup");
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}
