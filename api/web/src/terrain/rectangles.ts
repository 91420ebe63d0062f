// Rectangles by their middle, size and turn, and outlines that are turned and moved.

import { bearing, between, forward, type Point } from "../geometry";

export interface Rect {
  center: Point;
  size: Point; // width and depth
  angle: number; // degrees clockwise
}

const LEAST_IN = 0.25;
const SQUARE_IN = 0.02; // how far hand-placed corners may be off a rectangle

export const turnedBy = (points: Point[], angle: number, about: Point, by: Point = [0, 0]): Point[] => {
  const [sin, cos] = forward(angle);
  return points.map(([x, y]) => {
    const [right, up] = [x - about[0], y - about[1]];
    return [about[0] + by[0] + right * cos + up * sin, about[1] + by[1] - right * sin + up * cos];
  });
};

// The rectangle with one corner at a place, the opposite one where it was, and its angle as it was.
export function rectTo(rect: Rect, fixed: Point, to: Point): Rect {
  const [sin, cos] = forward(rect.angle);
  const [dx, dy] = [to[0] - fixed[0], to[1] - fixed[1]];
  const [along, up] = [dx * cos - dy * sin, dx * sin + dy * cos];
  const size: Point = [Math.max(Math.abs(along), LEAST_IN), Math.max(Math.abs(up), LEAST_IN)];
  const half: Point = [(Math.sign(along) || 1) * size[0] / 2, (Math.sign(up) || 1) * size[1] / 2];
  const center: Point = [fixed[0] + half[0] * cos + half[1] * sin, fixed[1] - half[0] * sin + half[1] * cos];
  return { center, size, angle: rect.angle };
}

export const cornersOf = ({ center, size: [w, d], angle }: Rect): Point[] =>
  turnedBy([[-w / 2, -d / 2], [-w / 2, d / 2], [w / 2, d / 2], [w / 2, -d / 2]], angle, [0, 0], center);

// The four corners of the upright rectangle between two of them.
export const acrossOf = ([a, b]: Point[]): Point[] => (a && b ? [a, [a[0], b[1]], b, [b[0], a[1]]] : []);

// An outline as a rectangle turned by 0 to 90 degrees; null where it is not a rectangle.
export function rectOf(points: Point[]): Rect | null {
  const [a, b, c, d] = points;
  if (points.length !== 4 || !a || !b || !c || !d) return null;
  const middles: [Point, Point] = [[(a[0] + c[0]) / 2, (a[1] + c[1]) / 2], [(b[0] + d[0]) / 2, (b[1] + d[1]) / 2]];
  if (between(a, c) < 1e-6 || Math.abs(between(a, c) - between(b, d)) > SQUARE_IN || between(...middles) > SQUARE_IN) return null;
  const turns = [bearing(a, b) % 180, bearing(b, c) % 180].map((turn) => Math.round(turn * 100) / 100 % 180);
  const up = (turns[0] as number) < 90 ? 0 : 1;
  const [depth, width] = up === 0 ? [between(a, b), between(b, c)] : [between(b, c), between(a, b)];
  return { center: middles[0], size: [width, depth], angle: turns[up] as number };
}
