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

// Degrees clockwise from +y, 0 to 360, of the way from one point to another.
export const bearing = (from: Point, to: Point): number =>
  ((Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI + 360) % 360;

export const between = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

export const within = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

// The lines of a closed outline that do not run along the edge of a table of that size.
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

// Whether a point lies in a closed outline, and how far from its lines, in inches.
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

// How far a point lies from a closed outline, in inches; -1 inside.
export function distanceToOutline(outline: Point[], at: Point): number {
  const { inside, far } = toEdge(outline, at);
  return inside ? -1 : far;
}

const GRID = 8; // places tried along each side of an outline's box

// A place well inside an outline: its middle, where that is as good as any.
export function deepestIn(outline: Point[]): Point {
  const [left, near, right, far] = boxOf(outline);
  const share = (low: number, high: number, n: number): number => low + ((n + 0.5) / GRID) * (high - low);
  const tries = Array.from({ length: GRID * GRID }, (_, n): Point => [share(left, right, n % GRID), share(near, far, Math.floor(n / GRID))]);
  const depth = (at: Point): number => {
    const { inside, far } = toEdge(outline, at);
    return inside ? far : -far;
  };
  const middle = middleOf(outline);
  const deepest = tries.reduce((best, at) => (depth(at) > depth(best) ? at : best), middle);
  return depth(middle) > 0.8 * depth(deepest) ? middle : deepest;
}
