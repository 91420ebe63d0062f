// What a board of squares has besides its cells: letters and numbers along its edges, and signs in marked squares, which
// grow with the map.

import L from "leaflet";
import type { Point } from "./geometry";
import { anchor } from "./map";
import { escape, latlng, ring } from "./mapping";
import type { BoardOut } from "./schema";

type CellOut = BoardOut["cells"][number];

const NAME = /^([a-z])(\d+)$/;
const BESIDE = 0.78; // of a square, from the middle of the outermost one to its name

// Shapes in a square of side 1 round (0, 0): told apart without colour, each with a place of its own in the square.
const SIGNS: Record<string, Point[]> = {
  hq: [[-0.3, -0.32], [-0.24, -0.32], [-0.24, 0.05], [0.06, 0.18], [-0.24, 0.32], [-0.3, 0.32]],
  objective: star(0.3, 0.13, 5),
  mine: star(0.2, 0.12, 8),
};

function star(far: number, near: number, points: number): Point[] {
  return Array.from({ length: 2 * points }, (_, k) => {
    const [turn, reach] = [(Math.PI * k) / points, k % 2 === 0 ? far : near];
    return [reach * Math.sin(turn), reach * Math.cos(turn)] as Point;
  });
}

// How far, and which way, the next column and the next row are.
function steps(cells: CellOut[]): { right: Point; away: Point } | null {
  const at = new Map(cells.map((cell) => [cell.id, cell.center]));
  const [first, second, above] = [at.get("a1"), at.get("b1"), at.get("a2")];
  if (!first || !second || !above) return null;
  return { right: [second[0] - first[0], second[1] - first[1]], away: [above[0] - first[0], above[1] - first[1]] };
}

// As on a chessboard: a1 is dark.
export function shade({ grid }: BoardOut, id: string): string {
  const [, letter, number] = NAME.exec(id) ?? [];
  if (grid !== "square" || letter === undefined) return "";
  return (letter.charCodeAt(0) - 97 + Number(number)) % 2 === 1 ? "on-dark" : "";
}

const along = ([x, y]: Point, [dx, dy]: Point, by: number): Point => [x + dx * by, y + dy * by];

export function drawSquares(board: BoardOut, into: L.LayerGroup): void {
  const step = steps(board.cells);
  if (board.grid !== "square" || step === null) return;
  for (const cell of board.cells) {
    const [, letter, number] = NAME.exec(cell.id) ?? [];
    if (number === "1") name(letter ?? "", along(cell.center, step.away, -BESIDE), into);
    if (letter === "a") name(number ?? "", along(cell.center, step.right, -BESIDE), into);
    for (const mark of cell.marks) {
      const sign = SIGNS[mark];
      if (sign === undefined) continue;
      const outline = sign.map(([x, y]) => along(along(cell.center, step.right, x), step.away, y));
      const look = { interactive: false, smoothFactor: 0, pane: "ways", className: `cell-sign ${mark}` };
      L.polygon(ring(outline), look).addTo(into);
    }
  }
}

function name(word: string, at: Point, into: L.LayerGroup): void {
  const html = `<span class="edge-name" aria-hidden="true">${escape(word)}</span>`;
  L.marker(latlng(at), { icon: anchor(html), interactive: false, keyboard: false }).addTo(into);
}
