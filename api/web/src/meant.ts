// Hit testing for touches.

import type { CellOut } from "./boardview";
import { distanceToOutline, type Point } from "./geometry";
import type { Board, BoardPiece } from "./schema";

const REACH_PX = 15; // how far beside a thing a touch still hits it

// The things that a touch may mean, the nearest first; of those under it, first the one with the nearest middle. `far`:
// its distance in pixels beside a thing, below 0 on it; `middle`: its distance from the middle.
export function meant<T>(things: T[], far: (one: T) => number, middle: (one: T) => number): { one: T; far: number }[] {
  const near = things.map((one) => ({ one, far: far(one) })).filter((found) => found.far < REACH_PX);
  return near.sort((a, b) => Math.max(a.far, 0) - Math.max(b.far, 0) || middle(a.one) - middle(b.one));
}

const isOn = (cell: CellOut, at: Point): boolean => distanceToOutline(cell.outline, at) < 0;

export const cellAt = ({ cells }: Board, at: Point): CellOut | null => cells.find((cell) => isOn(cell, at)) ?? null;

// The piece that a touch in a cell means: on a grid, a touch beside a piece but in another cell means that cell.
export const meantPiece = (board: Board, cell: CellOut | null, far: (piece: BoardPiece) => number, middle: (piece: BoardPiece) => number): BoardPiece | null =>
  meant(board.pieces, far, middle).find(({ one, far }) => far < 0 || cell === null || isOn(cell, one.center))?.one ?? null;
