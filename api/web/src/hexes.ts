// Numbers of hexes: in each hex where it is large enough; otherwise the rows' numbers to the left of them, and the
// columns' numbers below the nearest row.

import L from "leaflet";
import { boxOf, type Point } from "./geometry";
import { anchor } from "./map";
import { escape, latlng } from "./mapping";
import type { Board } from "./schema";

type CellOut = Board["cells"][number];

const NAME = /^(\d+)-(\d+)$/; // row and place in it
const LEAST_PX = 40; // the least width of a hex that shows its number
const HIGH = 0.36; // of half a hex, from its middle up to its number
const BESIDE_PX = 9; // from a row's first hex to the row's number, and from a column's to the column's

export function drawHexNames({ grid, cells }: Board, perInch: number, into: L.LayerGroup): void {
  const [first] = cells;
  if (grid !== "hex" || first === undefined) return;
  const [left, near, right, far] = boxOf(first.outline);
  const put = (word: string, look: string, at: Point): void => {
    const html = `<span class="${look}" aria-hidden="true">${escape(word)}</span>`;
    L.marker(latlng(at), { icon: anchor(html), pane: "zones", interactive: false, keyboard: false }).addTo(into);
  };
  if ((right - left) * perInch >= LEAST_PX) {
    for (const { id, center: [x, y] } of cells) put(id, "cell-name", [x, y + HIGH * (far - near)]);
    return;
  }
  const rows = new Map<string, CellOut>();
  for (const cell of cells) {
    const row = NAME.exec(cell.id)?.[1];
    if (row !== undefined && cell.center[0] < (rows.get(row)?.center[0] ?? Infinity)) rows.set(row, cell);
  }
  const nearest = [...rows].reduce((best, one) => (one[1].center[1] < best[1].center[1] ? one : best), [...rows][0] ?? ["", first]);
  for (const { id, outline, center } of cells) {
    const [, row, column] = NAME.exec(id) ?? [];
    if (row === nearest[0] && column !== undefined) put(column, "edge-name", [center[0], boxOf(outline)[1] - BESIDE_PX / perInch]);
  }
  for (const [row, { outline, center }] of rows) put(row, "edge-name", [boxOf(outline)[0] - BESIDE_PX / perInch, center[1]]);
}
