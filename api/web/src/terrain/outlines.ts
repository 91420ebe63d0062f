// Drawing and changing an outline or a line by hand: the corner for a touch, and the result of a touch.

import { signal } from "@preact/signals";
import { between, boxOf, distanceToOutline, middleOf, within, type Point } from "../geometry";
import { acrossOf, rectOf, type Rect } from "./rectangles";
import type { Board } from "../schema";
import { toInches } from "../units";
import { type Ground, snap, snapAngle, snapShift } from "./snapping";

export interface Outlined {
  points: Point[];
  closed: boolean; // an outline, else a line
  rect: Rect | null; // set if it is to stay a rectangle
  carried: Point[] | null; // moves and turns with it: the top of a hill
  lying: string | null; // the piece of terrain that it changes
}

export const snapping = signal(true); // whether touches snap to nearby corners and edges
export const asRect = signal(false); // two corners make a rectangle, and it stays one
export const corner = signal<number | null>(null); // the corner that was tapped

const SNAP_PX = 8;
const STRAY_IN = 2; // a tap farther off the table does not count as one at its edge
const LEAST_CORNERS = 3;

export function beginOutlining(points: Point[]): void {
  corner.value = null;
  asRect.value = rectOf(points) !== null;
}

// On the table, to a hundredth of an inch: finer than any finger.
export function onTable([x, y]: Point, { width, depth }: Pick<Board, "width" | "depth">): Point {
  const fine = (value: number, most: number): number => Math.round(within(value, 0, most) * 100) / 100;
  return [fine(x, width), fine(y, depth)];
}

export const isStray = (at: Point, board: Board): boolean => between(at, onTable(at, board)) > STRAY_IN;

// The other pieces on the table; a line that changes a piece ignores them.
const others = (board: Board, now: Outlined): Ground => ({
  width: board.width,
  depth: board.depth,
  outlines: now.lying !== null && !now.closed ? [] : board.ground.filter(({ id }) => id !== now.lying).map(({ outline }) => outline),
});

// The corner for a touch: snapped, where snapping is on.
export function cornerAt(at: Point, board: Board, now: Outlined, pxPerInch: number, from: Point | null = null): Point {
  const there = onTable(at, board);
  return snapping.value ? onTable(snap(there, others(board, now), SNAP_PX / pxPerInch, from).at, board) : there;
}
export const shiftBy = (by: Point, outline: Point[], board: Board, now: Outlined, pxPerInch: number): Point =>
  snapping.value ? snapShift(outline, by, others(board, now), SNAP_PX / pxPerInch) : by;
export function turnBy(by: number, outline: Point[]): number {
  const angle = rectOf(outline)?.angle ?? 0;
  return snapping.value ? snapAngle(angle + by) - angle : by;
}

// The points with a new one: the other corner of a rectangle, a corner on the nearest edge of an existing piece, else
// the last.
export function withPoint({ points, closed, lying }: Outlined, at: Point): Point[] {
  if (closed && asRect.value) return points.length === 0 ? [at] : points.length === 1 ? acrossOf([points[0] as Point, at]) : points;
  if (!closed || lying === null || points.length < LEAST_CORNERS) return [...points, at];
  const off = points.map((a, i) => distanceToOutline([a, points[(i + 1) % points.length] as Point], at));
  const edge = off.indexOf(Math.min(...off));
  return [...points.slice(0, edge + 1), at, ...points.slice(edge + 1)];
}

// The points without the last one; of a rectangle only its first corner remains.
export const withoutLast = ({ points, rect }: Outlined): Point[] => (rect === null ? points.slice(0, -1) : points.slice(0, 1));

export const mayLose = ({ points, closed }: Outlined): boolean => !closed || points.length > LEAST_CORNERS;

// A corner from its numbers, such as "12.5, 8"; null for text that is no place on the table.
export function pointSaid(line: string, board: Board): Point | null {
  const [x, y, more] = line.split(/[\s,;]+/).filter(Boolean).map((word) => toInches(Number(word)));
  if (x === undefined || y === undefined || more !== undefined || !Number.isFinite(x) || !Number.isFinite(y)) return null;
  return between([x, y], onTable([x, y], board)) > 0.01 ? null : [x, y];
}

// The point about which a piece is turned: the middle of its area.
export function middleOfArea(points: Point[]): Point {
  let [area, x, y] = [0, 0, 0];
  points.forEach(([ax, ay], i) => {
    const [bx, by] = points[(i + 1) % points.length] as Point;
    const cross = ax * by - bx * ay;
    [area, x, y] = [area + cross, x + (ax + bx) * cross, y + (ay + by) * cross];
  });
  return Math.abs(area) < 1e-9 ? middleOf(points) : [x / (3 * area), y / (3 * area)];
}

// Of the pieces that a finger touched the nearest; of overlapping ones the smallest.
export function touchedGround(board: Board, at: Point, reach: number): string[] {
  const far = ({ outline }: Board["ground"][number]): number => Math.max(distanceToOutline(outline, at), 0);
  const extent = ({ outline }: Board["ground"][number]): number => {
    const [left, near, right, top] = boxOf(outline);
    return (right - left) * (top - near);
  };
  const lies = board.ground.filter((one) => far(one) <= reach);
  return lies.sort((a, b) => far(a) - far(b) || extent(a) - extent(b)).map(({ id }) => id);
}
