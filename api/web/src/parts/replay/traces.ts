// The events of a step as shapes over its board, and the pieces that it moved, on their way.

import type { Shape } from "../../boardview";
import { between, type Point } from "../../geometry";
import type { Board, BoardPiece, TraceOut } from "../../schema";

const LEAST_IN = 0.05; // of the shortest move shown
const UNDER = new Set(["cross-under"]);

// "move-0" is the way of a move of the first side; other looks name no side.
function classOf({ look, arrow }: TraceOut): string {
  const [, kind, number] = /^(.+)-(\d)$/.exec(look) ?? [];
  return `trace ${kind ?? look}${number === undefined ? "" : ` side-${number}`}${arrow ? " arrow" : ""}`;
}

// Lines are drawn on a wider dark one, so that they are visible on any ground.
export function shapesOf(traces: TraceOut[]): Shape[] {
  const under: Shape[] = [];
  const over: Shape[] = [];
  for (const trace of traces) {
    const name = classOf(trace);
    if (trace.shape === "outline") under.push({ outline: trace.points, class: name });
    else if (trace.shape === "text") over.push({ at: trace.points[0] as Point, label: trace.text, class: name });
    else if (trace.arrow) over.push({ line: trace.points, class: "trace case" }, { line: trace.points, class: name });
    else (UNDER.has(trace.look) ? under : over).push({ line: trace.points, class: name });
  }
  return [...under, ...over];
}

export interface Mover {
  piece: BoardPiece;
  way: Point[]; // from its old to its new place
}

// The pieces that have changed their place, each with its way: that of the move that began there, else straight.
export function moversOf(before: Board, after: Board, traces: TraceOut[]): Mover[] {
  const stood = new Map(before.pieces.map((piece) => [piece.id, piece.center]));
  const ways = traces.filter(({ shape, look }) => shape === "line" && look.startsWith("move")).map(({ points }) => points);
  return after.pieces.flatMap((piece): Mover[] => {
    const from = stood.get(piece.id);
    if (from === undefined || between(from, piece.center) < LEAST_IN) return [];
    return [{ piece, way: wayOf(from, piece.center, ways) }];
  });
}

// A move's way may be that of another base of the unit: then its bends are used, shifted by the distance between the
// bases.
function wayOf(from: Point, to: Point, ways: Point[][]): Point[] {
  const near = (way: Point[]): number => between(way[0] as Point, from);
  const way = ways.reduce<Point[] | null>((best, one) => (best === null || near(one) < near(best) ? one : best), null);
  if (way === null || way.length < 3) return [from, to];
  const [dx, dy] = [from[0] - (way[0] as Point)[0], from[1] - (way[0] as Point)[1]];
  return [from, ...way.slice(1, -1).map(([x, y]): Point => [x + dx, y + dy]), to];
}

// The point so far along a way, 0 to 1.
export function alongWay(way: Point[], part: number): Point {
  const far = way.slice(1).map((point, i) => between(way[i] as Point, point));
  let left = part * far.reduce((sum, one) => sum + one, 0);
  for (const [i, length] of far.entries()) {
    const [a, b] = [way[i] as Point, way[i + 1] as Point];
    if (left <= length) return length === 0 ? b : [a[0] + ((b[0] - a[0]) * left) / length, a[1] + ((b[1] - a[1]) * left) / length];
    left -= length;
  }
  return way.at(-1) as Point;
}

// A piece where it is on its way.
export function onItsWay({ piece, way }: Mover, part: number): Point[] {
  const [x, y] = alongWay(way, part);
  const [dx, dy] = [x - piece.center[0], y - piece.center[1]];
  return piece.outline.map(([px, py]): Point => [px + dx, py + dy]);
}
