// The camera of a photo: table inches to pixels and back, by OpenCV's model (K, dist, R, t). Pixel (0, 0) is the middle
// of the upper left one. Lines are cut into short pieces so that they bend as the lens bends, and clipped to the
// camera's view, since a distorted lens folds points far outside back into its picture.

import type { Point } from "./geometry";
import type { LensOut } from "./schema";

export type Space = [number, number, number];
export type Height = (at: Point) => number;

export interface Lens {
  project(point: Space): Point | null; // null behind the camera or far outside its picture
  lines(points: Point[], height: Height, closed?: boolean): Point[][];
  area(outline: Point[], height: Height): Point[]; // empty where it is out of sight
  tableAt(pixel: Point, z?: number): Point | null; // null above the horizon
}

const STEP_IN = 0.5;
const BEYOND = 1.06; // how far outside the picture is still drawn
const SIDES = 24; // of the pyramid to which the view is clipped
const MOST_NEWTON = 30;
const MOST_TERMS = 12;

const flat: Height = () => 0;

// Coordinates x, y at distance 1 from the camera, to those at which the lens draws them.
export function distorted(dist: number[], [x, y]: Point): Point {
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0] = dist;
  const r2 = x * x + y * y;
  const radial = (1 + r2 * (k1 + r2 * (k2 + r2 * k3))) / (1 + r2 * (k4 + r2 * (k5 + r2 * k6)));
  return [
    x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x) + r2 * (s1 + r2 * s2),
    y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y + r2 * (s3 + r2 * s4),
  ];
}

// The inverse, by Newton's method; null where no place is drawn there.
export function undistorted(dist: number[], drawn: Point): Point | null {
  let [x, y] = drawn;
  const h = 1e-6;
  for (let i = 0; i < MOST_NEWTON; i += 1) {
    const [u, v] = distorted(dist, [x, y]);
    const [du, dv] = [drawn[0] - u, drawn[1] - v];
    if (Math.hypot(du, dv) < 1e-12) return [x, y];
    const [right, up] = [distorted(dist, [x + h, y]), distorted(dist, [x, y + h])];
    const [a, b, c, d] = [(right[0] - u) / h, (up[0] - u) / h, (right[1] - v) / h, (up[1] - v) / h];
    const det = a * d - b * c;
    if (!(det > 1e-9)) return null;
    x += (d * du - b * dv) / det;
    y += (a * dv - c * du) / det;
  }
  const [u, v] = distorted(dist, [x, y]);
  return Math.hypot(drawn[0] - u, drawn[1] - v) < 1e-7 ? [x, y] : null;
}

// The radius up to which the lens still draws farther points farther out.
function turningRadius(dist: number[], most: number): number {
  const steps = 200;
  const drawn = (r: number): number => distorted([dist[0] ?? 0, dist[1] ?? 0, 0, 0, ...dist.slice(4, 8)], [r, 0])[0];
  for (let i = 1; i <= steps; i += 1) {
    const [before, r] = [((i - 1) * most) / steps, (i * most) / steps];
    if (drawn(r) <= drawn(before)) return before;
  }
  return most;
}

export function lensOf({ width, height, K, dist, R, t }: LensOut): Lens {
  if (dist.slice(MOST_TERMS).some((one) => one !== 0)) throw new RangeError("a tilted lens is not drawn");
  const [[fx = 1, skew = 0, cx = 0] = [], [, fy = 1, cy = 0] = []] = K;
  const row = (i: number): number[] => R[i] as number[];
  const seen = ([x, y, z]: Space): Space =>
    [0, 1, 2].map((i) => {
      const [a = 0, b = 0, c = 0] = row(i);
      return a * x + b * y + c * z + (t[i] as number);
    }) as Space;
  const drawn = ([x, y, z]: Space): Point => {
    const [u, v] = distorted(dist, [x / z, y / z]);
    return [fx * u + skew * v + cx, fy * v + cy];
  };
  const wayTo = ([u, v]: Point): Point | null => {
    const y = (v - cy) / fy;
    return undistorted(dist, [(u - cx - skew * y) / fx, y]);
  };

  const border: Point[] = [0, 0.25, 0.5, 0.75].flatMap((part) => [
    [part * width, 0], [width, part * height], [width - part * width, height], [0, height - part * height],
  ] as Point[]);
  const reach = Math.max(...border.map((pixel) => {
    const way = wayTo(pixel);
    return way === null ? 0 : Math.hypot(...way);
  }), Math.hypot(width, height) / (4 * fx));
  const widest = Math.min(BEYOND * reach, 0.98 * turningRadius(dist, 2 * reach));
  // a pyramid round the camera's axis: what is inside has all of these above 0
  const planes = Array.from({ length: SIDES }, (_, i) => {
    const angle = (2 * Math.PI * i) / SIDES;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return ([x, y, z]: Space): number => widest * z - c * x - s * y;
  });
  const between = (a: Space, b: Space, part: number): Space =>
    a.map((one, i) => one + part * ((b[i] as number) - one)) as Space;

  // A line from a to b in short steps over the ground, without b.
  const steps = (a: Point, b: Point, height: Height): Space[] => {
    const count = Math.max(1, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / STEP_IN));
    return Array.from({ length: count }, (_, i) => {
      const at: Point = [a[0] + ((b[0] - a[0]) * i) / count, a[1] + ((b[1] - a[1]) * i) / count];
      return seen([...at, height(at)]);
    });
  };
  const walk = (points: Point[], height: Height, closed: boolean): Space[] => {
    const all = points.flatMap((point, i) => {
      const next = points[i + 1] ?? (closed ? points[0] : undefined);
      return next === undefined ? [] : steps(point, next, height);
    });
    const last = closed ? points[0] : points.at(-1);
    return last === undefined ? all : [...all, seen([...last, height(last)])];
  };

  return {
    project(point) {
      const at = seen(point);
      return planes.every((plane) => plane(at) >= 0) && at[2] > 0 ? drawn(at) : null;
    },

    lines(points, height, closed = false) {
      const found: Point[][] = [];
      let line: Point[] = [];
      const end = (): void => {
        if (line.length > 1) found.push(line);
        line = [];
      };
      const walked = walk(points, height, closed);
      walked.slice(1).forEach((b, i) => {
        const a = walked[i] as Space;
        let [from, to] = [0, 1];
        for (const plane of planes) {
          const [atA, atB] = [plane(a), plane(b)];
          if (atA < 0 && atB < 0) from = 2;
          else if (atA < 0) from = Math.max(from, atA / (atA - atB));
          else if (atB < 0) to = Math.min(to, atA / (atA - atB));
        }
        if (from >= to) return end();
        if (line.length === 0 || from > 0) {
          end();
          line.push(drawn(between(a, b, from)));
        }
        line.push(drawn(between(a, b, to)));
        if (to < 1) end();
      });
      end();
      return found;
    },

    area(outline, height = flat) {
      let kept = walk(outline, height, true).slice(0, -1);
      for (const plane of planes) {
        kept = kept.flatMap((a, i) => {
          const before = kept.at(i - 1) as Space;
          const [was, is] = [plane(before), plane(a)];
          const cut = was < 0 !== is < 0 ? [between(before, a, was / (was - is))] : [];
          return is < 0 ? cut : [...cut, a];
        });
      }
      return kept.map(drawn);
    },

    tableAt(pixel, z = 0) {
      const way = wayTo(pixel);
      if (way === null) return null;
      // camera and way in the table's own frame: R is turned back
      const turned = (v: number[], i: number): number => [0, 1, 2].reduce((sum, k) => sum + (row(k)[i] as number) * (v[k] as number), 0);
      const ray = [way[0], way[1], 1];
      const [rise, from] = [turned(ray, 2), -turned(t, 2)];
      const far = (z - from) / rise;
      if (!(far > 0) || !Number.isFinite(far)) return null;
      return [-turned(t, 0) + far * turned(ray, 0), -turned(t, 1) + far * turned(ray, 1)];
    },
  };
}
