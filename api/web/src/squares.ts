// The extras of a board of squares: letters and numbers along its edges, and signs in marked squares, which grow with
// the map.

import L from "leaflet";
import type { Point } from "./geometry";
import { anchor } from "./map";
import { escape, latlng, ring } from "./mapping";
import type { Board } from "./schema";

type CellOut = Board["cells"][number];

const NAME = /^([a-z])(\d+)$/;
const BESIDE = 0.78; // of a square, from the middle of the outermost one to its name

// Shapes in a square of side 1 around (0, 0): they differ without colour, each at its own place in the square.
export const SIGNS: Record<string, Point[]> = {
  hq: [[-0.3, -0.32], [-0.24, -0.32], [-0.24, 0.05], [0.06, 0.18], [-0.24, 0.32], [-0.3, 0.32]],
  objective: star(0.3, 0.13, 5),
  mine: star(0.2, 0.12, 8),
  crater: star(0.24, 0.16, 6),
};

function star(far: number, near: number, points: number): Point[] {
  return Array.from({ length: 2 * points }, (_, k) => {
    const [turn, reach] = [(Math.PI * k) / points, k % 2 === 0 ? far : near];
    return [reach * Math.sin(turn), reach * Math.cos(turn)] as Point;
  });
}

// The offsets to the next column and the next row.
function steps(cells: CellOut[]): { right: Point; away: Point } | null {
  const at = new Map(cells.map((cell) => [cell.id, cell.center]));
  const [first, second, above] = [at.get("a1"), at.get("b1"), at.get("a2")];
  if (!first || !second || !above) return null;
  return { right: [second[0] - first[0], second[1] - first[1]], away: [above[0] - first[0], above[1] - first[1]] };
}

// As on a chessboard: a1 is dark.
export function shade({ grid }: Board, id: string): string {
  const [, letter, number] = NAME.exec(id) ?? [];
  if (grid !== "square" || letter === undefined) return "";
  return (letter.charCodeAt(0) - 97 + Number(number)) % 2 === 1 ? "on-dark" : "";
}

const along = ([x, y]: Point, [dx, dy]: Point, by: number): Point => [x + dx * by, y + dy * by];

export const isSigned = ({ grid }: Board, { kind, cell }: Board["marks"][number]): boolean =>
  grid === "square" && cell !== null && kind in SIGNS;

export function drawSquares(board: Board, into: L.LayerGroup): void {
  const step = steps(board.cells);
  if (board.grid !== "square" || step === null) return;
  for (const kind of ["river", "road"]) drawWays(board, kind, step, into);
  for (const cell of board.cells) {
    const [, letter, number] = NAME.exec(cell.id) ?? [];
    if (number === "1") name(letter ?? "", along(cell.center, step.away, -BESIDE), into);
    if (letter === "a") name(number ?? "", along(cell.center, step.right, -BESIDE), into);
    for (const mark of new Set([...cell.marks, ...board.marks.flatMap((one) => (one.cell === cell.id ? [one.kind] : []))])) {
      const sign = SIGNS[mark];
      if (sign === undefined) continue;
      const outline = sign.map(([x, y]) => along(along(cell.center, step.right, x), step.away, y));
      const look = { interactive: false, smoothFactor: 0, pane: "ways", className: `cell-sign ${mark}` };
      L.polygon(ring(outline), look).addTo(into);
    }
  }
}

// A road or river through the middles of its squares; diagonally only where no route around the corner is part of it.
function drawWays(board: Board, kind: string, { right, away }: { right: Point; away: Point }, into: L.LayerGroup): void {
  const own = new Map(board.cells.filter(({ marks }) => marks.includes(kind)).map((cell) => [cell.id, cell]));
  const next = (id: string, dx: number, dy: number): CellOut | undefined => {
    const [, letter = "", number = ""] = NAME.exec(id) ?? [];
    return own.get(`${String.fromCharCode(letter.charCodeAt(0) + dx)}${Number(number) + dy}`);
  };
  const weight = 0.22 * Math.hypot(...right);
  const stroke = (from: Point, to: Point): void => {
    const side = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const [nx, ny] = [(-(to[1] - from[1]) / side) * (weight / 2), ((to[0] - from[0]) / side) * (weight / 2)];
    const outline: Point[] = [[from[0] + nx, from[1] + ny], [to[0] + nx, to[1] + ny], [to[0] - nx, to[1] - ny], [from[0] - nx, from[1] - ny]];
    L.polygon(ring(outline), { interactive: false, smoothFactor: 0, pane: "ways", className: `cell-way ${kind}` }).addTo(into);
  };
  for (const cell of own.values()) {
    let joined = false;
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1], [-1, 0], [0, -1], [-1, -1], [-1, 1]] as const) {
      const to = next(cell.id, dx, dy);
      if (!to || (dx !== 0 && dy !== 0 && (next(cell.id, dx, 0) ?? next(cell.id, 0, dy)))) continue;
      joined = true;
      if (dx > 0 || (dx === 0 && dy > 0)) stroke(cell.center, to.center);
    }
    if (!joined) stroke(along(cell.center, away, -0.4), along(cell.center, away, 0.4));
    const dot = { interactive: false, pane: "ways", radius: weight / 2, className: `cell-way ${kind}` };
    L.circle(latlng(cell.center), dot).addTo(into);
  }
}

function name(word: string, at: Point, into: L.LayerGroup): void {
  const html = `<span class="edge-name" aria-hidden="true">${escape(word)}</span>`;
  L.marker(latlng(at), { icon: anchor(html), interactive: false, keyboard: false }).addTo(into);
}
