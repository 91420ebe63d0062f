// The place that a touch means: at an existing corner or edge, at the table's edge, or in a straight line at a multiple
// of 15 degrees.

import { bearing, between, forward, type Point } from "../geometry";

export const STEP_DEG = 15;
const NEAR_DEG = 3;

export interface Ground {
  width: number;
  depth: number;
  outlines: Point[][]; // the existing outlines, without the one being drawn
}
export interface Snapped {
  at: Point;
  how: "corner" | "edge" | "table" | "angle" | null;
}

const nearest = (at: Point, places: Point[]): Point | null =>
  places.reduce<Point | null>((best, one) => (best === null || between(one, at) < between(best, at) ? one : best), null);

const onSegment = (at: Point, a: Point, b: Point): Point => {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / length));
  return [a[0] + part * dx, a[1] + part * dy];
};

const edges = (outline: Point[]): [Point, Point][] => outline.map((a, i) => [a, outline[(i + 1) % outline.length] as Point]);

// `from` is the corner before, for whole angles; `reach` in inches is the snapping distance.
export function snap(at: Point, ground: Ground, reach: number, from: Point | null = null): Snapped {
  const { width, depth, outlines } = ground;
  const corners = nearest(at, [...outlines.flat(), [0, 0], [width, 0], [width, depth], [0, depth]]);
  if (corners !== null && between(corners, at) <= reach) return { at: corners, how: "corner" };
  const sides: Point[] = [[0, at[1]], [width, at[1]], [at[0], 0], [at[0], depth]];
  const side = nearest(at, sides);
  const straight = from === null || between(from, at) < 1e-6 ? null : wholeAngle(from, at);
  if (side !== null && between(side, at) <= reach) {
    if (straight === null || Math.abs(turnTo(from as Point, at)) > NEAR_DEG) return { at: side, how: "table" };
    return { at: [side[0] === at[0] ? straight[0] : side[0], side[1] === at[1] ? straight[1] : side[1]], how: "table" };
  }
  const edge = nearest(at, outlines.flatMap(edges).map(([a, b]) => onSegment(at, a, b)));
  if (edge !== null && between(edge, at) <= reach) return { at: edge, how: "edge" };
  if (straight !== null && Math.abs(turnTo(from as Point, at)) <= NEAR_DEG) return { at: straight, how: "angle" };
  return { at, how: null };
}

// The angle between the way to a place and the nearest multiple of 15 degrees.
const turnTo = (from: Point, at: Point): number => {
  const off = bearing(from, at) % STEP_DEG;
  return off > STEP_DEG / 2 ? off - STEP_DEG : off;
};

function wholeAngle(from: Point, at: Point): Point {
  const off = turnTo(from, at);
  const [fx, fy] = forward(bearing(from, at) - off);
  const far = between(from, at) * Math.cos((off * Math.PI) / 180);
  return [from[0] + fx * far, from[1] + fy * far];
}

// An angle at the nearest multiple of 15 degrees, where it is near one.
export function snapAngle(angle: number, near = 4): number {
  const whole = STEP_DEG * Math.round(angle / STEP_DEG);
  return Math.abs(angle - whole) <= near ? whole : angle;
}

// The shift of a whole outline that puts one of its corners on an existing corner or edge.
export function snapShift(outline: Point[], shift: Point, ground: Ground, reach: number): Point {
  let best: { far: number; by: Point } | null = null;
  for (const corner of outline) {
    const there: Point = [corner[0] + shift[0], corner[1] + shift[1]];
    const found = snap(there, ground, reach);
    const far = between(found.at, there);
    if (found.how !== null && (best === null || far < best.far)) best = { far, by: [found.at[0] - there[0], found.at[1] - there[1]] };
  }
  return best === null ? shift : [shift[0] + best.by[0], shift[1] + best.by[1]];
}
