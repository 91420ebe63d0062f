// What a finger means.

import type { CellOut } from "./boardview";
import { distanceToOutline, type Point } from "./geometry";
import type { Board, BoardPiece } from "./schema";

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
