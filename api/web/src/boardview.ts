// The input of a game's map, and the touches that it reports.

import type { Place, Point } from "./geometry";
import type { Verdict } from "./map";
import type { HeardOfOutline, OutlineNames } from "./terrain/outline-handles";
import type { Board, BoardPiece } from "./schema";

export type CellOut = Board["cells"][number];

// The class that gives a thing its side's colour.
export const sideClass = (board: Board, side: string | null): string =>
  `side-${side === null ? "none" : board.sides.findIndex(({ id }) => id === side) % 4}`;

// Something drawn over the board under a name: an area, a line or a mark; `class` is its look.
export interface Shape {
  outline?: Point[];
  holes?: Point[][];
  line?: Point[];
  at?: Point;
  label?: string;
  class: string;
  says?: string;
}

export interface Photo {
  url: string;
  bounds: [Point, Point];
}

export interface Shown {
  board: Board;
  photo: Photo | null; // the table's rectified photo, drawn under the pieces
  unit: string | null;
  base: string | null; // the one base of its unit that an action is about
  marked: Map<string, Verdict>; // cells and units that are possible targets
  odds: Map<string, string>; // of the actions on them, in short
  able: Set<string>; // units that can still do something
  ghost: Ghost | null;
  points: (Point | null)[]; // of an action that names points and no unit
}

// Pieces at their places after an action: the first one leads, and is dragged and turned.
export interface Ghost {
  pieces: BoardPiece[];
  verdict: Verdict | null;
  way: Point[];
  fixed?: boolean; // only to look at
}

export interface Tapped {
  piece: BoardPiece | null;
  cell: CellOut | null;
  at: Point;
  pxPerInch: number;
}

export interface Heard extends HeardOfOutline {
  tap(tapped: Tapped): void;
  dragging(to: Place): void;
  dropped(): void;
  pointing(index: number, to: Point): void;
}

export interface Names extends OutlineNames {
  move: string;
  turn: string;
  point: (index: number) => string;
}
