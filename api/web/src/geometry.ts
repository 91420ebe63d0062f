// Points, bearings and outlines on the table.

export type Point = [number, number];
export interface Place {
  center: Point;
  facing: number;
}

const ELLIPSE_POINTS = 40;

export const forward = (facing: number): Point => {
  const angle = (facing * Math.PI) / 180;
  return [Math.sin(angle), Math.cos(angle)];
};

// The outline of an ellipse about a point, its long half axis along a bearing.
export function ellipseAt(center: Point, { long, short, bearing }: { long: number; short: number; bearing: number }): Point[] {
  const [fx, fy] = forward(bearing);
  return Array.from({ length: ELLIPSE_POINTS }, (_, i) => {
    const angle = (2 * Math.PI * i) / ELLIPSE_POINTS;
    const [along, across] = [long * Math.cos(angle), short * Math.sin(angle)];
    return [center[0] + along * fx + across * fy, center[1] + along * fy - across * fx];
  });
}

// The bearing from one point to another in degrees clockwise from +y, 0 to 360.
export const bearing = (from: Point, to: Point): number =>
  ((Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI + 360) % 360;

export const between = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

export const within = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

// The lines of a closed outline, except along the edge of a table of that size.
export function openLines(outline: Point[], width: number, depth: number): Point[][] {
  const near = (value: number, edge: number): boolean => Math.abs(value - edge) < 1e-3;
  const onEdge = (a: Point, b: Point): boolean =>
    [0, width].some((x) => near(a[0], x) && near(b[0], x)) || [0, depth].some((y) => near(a[1], y) && near(b[1], y));
  const count = outline.length;
  const point = (i: number): Point => outline[i % count] as Point;
  const gap = outline.findIndex((_, i) => onEdge(point(i), point(i + 1)));
  if (gap < 0) return [[...outline, point(0)]];
  const lines: Point[][] = [];
  let line: Point[] = [];
  for (let i = gap + 1; i <= gap + count; i += 1) {
    line.push(point(i));
    if (onEdge(point(i), point(i + 1))) {
      if (line.length > 1) lines.push(line);
      line = [];
    }
  }
  return lines;
}

// Left, near, right, far: a box along the table's edges.
export type Box = [number, number, number, number];

export const boxOf = (points: Point[]): Box => {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

// The middle of the box of points.
export const middleOf = (points: Point[]): Point => {
  const [left, near, right, far] = boxOf(points);
  return [(left + right) / 2, (near + far) / 2];
};

export const area = ([left, near, right, far]: Box): number => (right - left) * (far - near);

// Whether a point is in a closed outline, and how far from its lines, in inches.
function toEdge(outline: Point[], [x, y]: Point): { inside: boolean; far: number } {
  let inside = false;
  let far = Infinity;
  outline.forEach(([ax, ay], i) => {
    const [bx, by] = outline[(i + 1) % outline.length] as Point;
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
    const [dx, dy] = [bx - ax, by - ay];
    const along = within(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1), 0, 1);
    far = Math.min(far, Math.hypot(x - ax - along * dx, y - ay - along * dy));
  });
  return { inside, far };
}

// The distance of a point from a closed outline, in inches; -1 inside.
export function distanceToOutline(outline: Point[], at: Point): number {
  const { inside, far } = toEdge(outline, at);
  return inside ? -1 : far;
}

// How deep a point is in a closed outline, in inches; negative outside.
export function depthIn(outline: Point[], at: Point): number {
  const { inside, far } = toEdge(outline, at);
  return inside ? far : -far;
}

const cornersOf = ([left, near, right, far]: Box): Point[] => [[left, near], [right, near], [right, far], [left, far]];
const edgesOf = (outline: Point[]): [Point, Point][] => outline.map((at, i) => [at, outline[(i + 1) % outline.length] as Point]);

// Whether a convex outline and a box share more than their rims: no line parts them.
export function meets(outline: Point[], box: Box): boolean {
  const corners = cornersOf(box);
  const parts = ([nx, ny]: Point): boolean => {
    const along = (points: Point[]): number[] => points.map(([x, y]) => x * nx + y * ny);
    const [a, b] = [along(outline), along(corners)];
    return Math.max(...a) <= Math.min(...b) || Math.max(...b) <= Math.min(...a);
  };
  return !([[1, 0], [0, 1]] as Point[]).some(parts) && !edgesOf(outline).some(([[ax, ay], [bx, by]]) => parts([by - ay, ax - bx]));
}

// The distance of a convex outline from a box; 0 where they meet.
export function distanceToBox(outline: Point[], box: Box): number {
  if (meets(outline, box)) return 0;
  const toBox = ([x, y]: Point): number => Math.hypot(Math.max(box[0] - x, x - box[2], 0), Math.max(box[1] - y, y - box[3], 0));
  return Math.min(...outline.map(toBox), ...cornersOf(box).map((corner) => toEdge(outline, corner).far));
}

// Whether a line crosses an outline, or ends in it.
export function crosses([from, to]: [Point, Point], outline: Point[]): boolean {
  const side = ([ax, ay]: Point, [bx, by]: Point, [x, y]: Point): number => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  const cut = ([a, b]: [Point, Point]): boolean => side(from, to, a) * side(from, to, b) < 0 && side(a, b, from) * side(a, b, to) < 0;
  return depthIn(outline, to) > 0 || edgesOf(outline).some(cut);
}
