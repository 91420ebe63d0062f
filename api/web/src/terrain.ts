// Terrain on the map: the pieces that lie there, the one being drawn, and the corners to drag of the one chosen.

import L from "leaflet";
import { boxOf, type Point } from "./geometry";
import type { Drawing, Tool } from "./ground";
import { anchor } from "./map";
import { escape, latlng, ring } from "./mapping";
import { acrossOf } from "./rectangles";
import { type HeardOfReshaping, type Paths, Reshaping } from "./reshaping";
import type { TableOut, TerrainOut } from "./schema";
import { groundName, text } from "./text";

export interface HeardOfTerrain extends HeardOfReshaping {
  closeOutline(): void;
}

const LINES = ["road", "river", "bridge"]; // too long and thin to carry a name
const NAME_PX = 6.2; // of a letter

export class TerrainLayer {
  private readonly pieces = L.layerGroup();
  private readonly handles = L.layerGroup();
  private readonly paths = new Map<string, Paths>();
  private band: { line: L.Polyline; width: number } | null = null;
  private readonly reshaping: Reshaping;

  constructor(
    private readonly map: L.Map,
    private readonly heard: HeardOfTerrain,
  ) {
    map.createPane("terrain").style.zIndex = "410";
    map.getPane("terrain")?.classList.add("untouchable");
    for (const layer of [this.pieces, this.handles]) layer.addTo(map);
    map.on("zoom", () => this.weigh());
    this.reshaping = new Reshaping(map, this.handles, heard);
  }

  draw(table: TableOut, tool: Tool | null): void {
    if (this.reshaping.holding) return; // the finger's own end redraws
    for (const layer of [this.pieces, this.handles]) layer.clearLayers();
    this.paths.clear();
    this.band = null;
    this.reshaping.forget();
    const drawing = tool?.step === "draw" ? tool : null;
    const cutting = tool?.step === "cut" ? tool : null;
    if (drawing || cutting) this.map.doubleClickZoom.disable();
    else this.map.doubleClickZoom.enable();
    const chosen = tool?.step === "piece" || tool?.step === "cut" ? tool.id : drawing?.topOf;
    for (const piece of table.terrain) this.drawPiece(piece, piece.id === chosen, tool !== null);
    const shaped = tool?.step === "piece" ? table.terrain.find((piece) => piece.id === tool.id) : undefined;
    if (shaped && tool?.step === "piece") this.reshaping.draw(shaped, this.paths.get(shaped.id), tool.corner, tool.asRect);
    if (drawing) this.drawDrawing(drawing);
    if (cutting) this.drawCut(cutting.points);
  }

  private drawPiece(piece: TerrainOut, chosen: boolean, tooled: boolean): void {
    const classes = ["terrain", piece.kind, piece.method === "hand" ? "by-hand" : "", tooled ? "tooled" : "", chosen ? "chosen" : ""];
    const look = { pane: "terrain", interactive: false, smoothFactor: 0 } as const;
    const filled = tooled || piece.method === "hand";
    const className = classes.filter(Boolean).join(" ");
    if (filled) L.polygon(ring(piece.polygon), { ...look, className: "terrain-case" }).addTo(this.pieces);
    const fill = filled ? { fillColor: `url(#terrain-${piece.kind})` } : { fill: false };
    const foot = L.polygon(ring(piece.polygon), { ...look, ...fill, className }).addTo(this.pieces);
    foot.getElement()?.setAttribute("data-terrain", piece.id);
    const top = piece.hill_top ? L.polygon(ring(piece.hill_top), { ...look, fill: false, className: `${className} top` }) : null;
    top?.addTo(this.pieces);
    this.paths.set(piece.id, { foot, top });
    if (tooled || !LINES.includes(piece.kind)) this.drawName(piece, tooled);
  }

  private drawName(piece: TerrainOut, tooled: boolean): void {
    const [left, near, right] = boxOf(piece.polygon);
    const [name, kind] = [piece.id, groundName(piece.kind)];
    const told = !tooled || name.toLowerCase().includes(kind.toLowerCase()) ? name : `${name}, ${kind}`;
    const half = (told.length * NAME_PX) / 2 / this.map.getZoomScale(this.map.getZoom(), 0);
    const x = right - left > 2 * half ? (left + right) / 2 : Math.max((left + right) / 2, half);
    const html = `<span class="terrain-name ${tooled ? "below" : ""}">${escape(told)}</span>`;
    const icon = L.divIcon({ className: "anchor", html, iconSize: [0, 0] });
    const at = latlng([x, Math.max(near, 0.4)]);
    L.marker(at, { icon, interactive: false, keyboard: false, zIndexOffset: -500 }).addTo(this.pieces);
  }

  // --- drawing ----------------------------------------------------------------------------------------------------

  private drawDrawing({ points, width, topOf, rect }: Drawing): void {
    const quiet = { pane: "terrain", interactive: false, smoothFactor: 0 } as const;
    if (width !== null) {
      const line = L.polyline(ring(points), { ...quiet, className: "draft-band", lineCap: "butt", lineJoin: "miter" });
      this.band = { line: line.addTo(this.handles), width };
      this.weigh();
    } else if (rect && points.length === 2) {
      L.polygon(ring(acrossOf(points)), { ...quiet, className: "draft-fill" }).addTo(this.handles);
    } else if (points.length > 2) {
      L.polygon(ring(points), { ...quiet, className: "draft-fill" }).addTo(this.handles);
    }
    L.polyline(ring(points), { ...quiet, className: "draft-case" }).addTo(this.handles);
    L.polyline(ring(points), { ...quiet, className: "draft" }).addTo(this.handles);
    const closes = width === null && !rect && points.length > 2;
    points.forEach((point, i) => {
      const first = i === 0 && closes;
      const look = first ? "corner close" : i === points.length - 1 ? "corner last" : "corner";
      const html = `<span class="${look}"></span>`;
      const icon = L.divIcon({ className: "anchor", html, iconSize: [0, 0] });
      const marker = L.marker(latlng(point), { icon, interactive: first, keyboard: first, bubblingMouseEvents: false, zIndexOffset: 900 });
      marker.addTo(this.handles);
      if (!first) return;
      marker.getElement()?.setAttribute("aria-label", topOf === null ? text.terrain.close : text.terrain.closeTop);
      marker.getElement()?.setAttribute("data-test", "close-outline");
      marker.on("click", () => this.heard.closeOutline());
    });
  }

  private drawCut(points: Point[]): void {
    const quiet = { pane: "terrain", interactive: false, smoothFactor: 0 } as const;
    L.polyline(ring(points), { ...quiet, className: "draft-case" }).addTo(this.handles);
    L.polyline(ring(points), { ...quiet, className: "draft cut" }).addTo(this.handles);
    for (const point of points) {
      L.marker(latlng(point), { icon: anchor('<span class="corner last"></span>'), interactive: false, keyboard: false, zIndexOffset: 900 }).addTo(this.handles);
    }
  }

  private weigh(): void {
    this.band?.line.setStyle({ weight: this.band.width * this.map.getZoomScale(this.map.getZoom(), 0) });
  }
}
