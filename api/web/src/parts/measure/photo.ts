// The upright photo of a table under the finger, with measurements drawn in perspective through its lens.

import L from "leaflet";
import { distanceToOutline, type Point } from "../../geometry";
import type { Shape } from "../../boardview";
import { lensOf, type Height, type Lens } from "../../lens";
import { anchor, newMap } from "../../map";
import { escape } from "../../mapping";
import type { Board, LensOut, BoardPiece } from "../../schema";
import type { Surface } from "./surface";

const UNIT_PX = 32; // pixels of the photo to one unit of the map
const PANES = [["areas", 420], ["pieces", 440], ["lines", 450]] as const;

// The height of the ground: a hill's top, or the whole hill if it has no top drawn.
export const heightOf = (board: Board): Height => {
  const hills = board.ground.filter(({ kind, height }) => kind === "hill" && height > 0);
  return (at) => {
    const under = hills.filter(({ outline, hill_top: top }) => distanceToOutline(top ?? outline, at) < 0);
    return Math.max(0, ...under.map(({ height }) => height));
  };
};

export class PhotoBoard implements Surface {
  readonly map: L.Map;
  private readonly lens: Lens;
  private readonly pieces = L.layerGroup();
  private readonly shapes = L.layerGroup();
  private height: Height = () => 0;

  constructor(
    element: HTMLElement,
    url: string,
    private readonly camera: LensOut,
    tapped: (screen: Point) => void,
  ) {
    this.lens = lensOf(camera);
    this.map = newMap(element);
    for (const [name, z] of PANES) {
      const pane = this.map.createPane(name);
      pane.style.zIndex = String(z);
      pane.classList.add("untouchable");
    }
    for (const layer of [this.pieces, this.shapes]) layer.addTo(this.map);
    L.imageOverlay(url, [this.at([-0.5, camera.height - 0.5]), this.at([camera.width - 0.5, -0.5])], { className: "measure-photo" }).addTo(this.map);
    this.map.on("click", ({ containerPoint: { x, y } }) => tapped([x, y]));
    const { width, height } = camera;
    this.map.setMaxBounds([this.at([-2 * width, 4 * height]), this.at([3 * width, -3 * height])]);
  }

  destroy(): void {
    this.map.remove();
  }

  resize(): void {
    this.map.invalidateSize({ animate: false });
  }

  // Fit the table into the uncovered part of the screen: `covered` are the covered pixels at its edges.
  fit(covered: { top: number; right: number; bottom: number }, board: Board): void {
    const edge = this.lens.area([[0, 0], [board.width, 0], [board.width, board.depth], [0, board.depth]], () => 0);
    const { width, height } = this.camera;
    const seen = edge.map(([x, y]): Point => [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)]);
    const all: Point[] = seen.length ? seen : [[0, 0], [width, height]];
    this.map.fitBounds(L.latLngBounds(all.map((pixel) => this.at(pixel))), {
      paddingTopLeft: [4, covered.top + 4],
      paddingBottomRight: [covered.right + 4, covered.bottom + 4],
      animate: false,
    });
  }

  zoom(by: number): void {
    this.map.setZoom(this.map.getZoom() + by);
  }

  private at = ([x, y]: Point): L.LatLngTuple => [-y / UNIT_PX, x / UNIT_PX];
  private ring = (pixels: Point[]): L.LatLngTuple[] => pixels.map(this.at);

  // --- where things are ---------------------------------------------------------------------------------------------

  heightOf = (at: Point): number => this.height(at);

  screenOf(at: Point, z = this.height(at)): Point | null {
    const pixel = this.lens.project([...at, z]);
    if (pixel === null) return null;
    const { x, y } = this.map.latLngToContainerPoint(this.at(pixel));
    return [x, y];
  }

  // On a hill the ray ends on its top, elsewhere on the table.
  tableAt(screen: Point): Point | null {
    const { lat, lng } = this.map.containerPointToLatLng(screen);
    const pixel: Point = [lng * UNIT_PX, -lat * UNIT_PX];
    const low = this.lens.tableAt(pixel);
    for (const high of this.tops) {
      const place = this.lens.tableAt(pixel, high);
      if (place !== null && this.height(place) === high) return place;
    }
    return low;
  }

  private tops: number[] = [];

  // --- drawing ------------------------------------------------------------------------------------------------------

  // The pieces where the game has them, and the table's own edge.
  drawBoard(board: Board, unit: string | null): void {
    this.height = heightOf(board);
    this.tops = [...new Set(board.ground.flatMap(({ kind, height }) => (kind === "hill" && height > 0 ? [height] : [])))].sort((a, b) => b - a);
    this.pieces.clearLayers();
    const edge: Point[] = [[0, 0], [board.width, 0], [board.width, board.depth], [0, board.depth]];
    this.line(edge, "table-edge", this.pieces, () => 0, true);
    for (const cell of board.cells) this.line(cell.outline, "m-grid", this.pieces, () => 0, true);
    const named = new Set<string>();
    for (const piece of board.pieces) this.drawPiece(piece, board, piece.unit !== null && piece.unit === unit, named);
  }

  private drawPiece(piece: BoardPiece, board: Board, own: boolean, named: Set<string>): void {
    const z = this.height(piece.center);
    const side = piece.side === null ? "side-none" : `side-${board.sides.findIndex(({ id }) => id === piece.side) % 4}`;
    const outline = this.lens.area(piece.outline, () => z);
    if (outline.length < 3) return;
    const quiet = { pane: "pieces", interactive: false, smoothFactor: 0 };
    L.polygon(this.ring(outline), { ...quiet, className: `m-piece halo ${own ? "own" : ""}` }).addTo(this.pieces);
    const body = L.polygon(this.ring(outline), { ...quiet, className: `m-piece ${side}` }).addTo(this.pieces);
    body.getElement()?.setAttribute("data-photo-piece", piece.id);
    const name = piece.shape === "counter" ? piece.id : (piece.unit ?? piece.id);
    if (named.has(name)) return;
    named.add(name);
    const top = outline.reduce((best, pixel) => (pixel[1] < best[1] ? pixel : best));
    const html = `<span class="pill ${side} ${own ? "own" : ""}">${escape(piece.label)}</span>`;
    L.marker(this.at([top[0], top[1]]), { icon: anchor(html, "m-name"), interactive: false, keyboard: false }).addTo(this.pieces);
  }

  draw(shapes: Shape[]): void {
    this.shapes.clearLayers();
    for (const shape of shapes) {
      if (shape.outline) {
        const outer = this.lens.area(shape.outline, this.height);
        const holes = (shape.holes ?? []).map((hole) => this.ring(this.lens.area(hole, this.height)));
        if (outer.length > 2) L.polygon([this.ring(outer), ...holes], { pane: "areas", interactive: false, smoothFactor: 0, className: shape.class }).addTo(this.shapes);
      }
      if (shape.line) this.line(shape.line, shape.class, this.shapes, this.height, false);
      if (shape.at) this.mark(shape, shape.at);
    }
  }

  private line(points: Point[], look: string, layer: L.LayerGroup, height: Height, closed: boolean): void {
    for (const piece of this.lens.lines(points, height, closed)) {
      L.polyline(this.ring(piece), { pane: "lines", interactive: false, smoothFactor: 0, className: look }).addTo(layer);
    }
  }

  private mark(shape: Shape, at: Point): void {
    const pixel = this.lens.project([...at, this.height(at)]);
    if (pixel === null) return;
    const html = shape.label === undefined ? `<span class="${escape(shape.class)}"></span>` : `<span class="ring-label ${escape(shape.class)}">${escape(shape.label)}</span>`;
    L.marker(this.at(pixel), { icon: anchor(html), interactive: false, keyboard: false, alt: shape.says ?? "" }).addTo(this.shapes);
  }
}
