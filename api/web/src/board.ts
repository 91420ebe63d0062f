// The map: Leaflet with one unit to the inch, the table's photo laid flat, bases and rulings drawn over it.
// It knows no rules: the server sends outlines and verdicts, the board shows them and tells what was touched.

import L from "leaflet";
import {
  between, bearing, distanceTo, forward, openLines, outlineAt, within, type Place, type Point,
} from "./geometry";
import type { Tool } from "./ground";
import { glyph, GRIPS, gripIcon, newMap, type Verdict } from "./map";
import { escape, latlng, ring } from "./mapping";
import { namesOf, type Name } from "./names";
import type { BaseOut, ShotOut, TableOut, ViewOut } from "./schema";
import { TerrainLayer, type HeardOfTerrain } from "./terrain";
import { kindName, text } from "./text";
import { follow, whenHeld } from "./touch";

export interface Shown {
  table: TableOut;
  view: ViewOut | null;
  unit: string | null;
  target: string | null;
  base: string | null;
  correcting: boolean;
  tool: Tool | null;
}

export interface Heard extends HeardOfTerrain {
  tapBase(base: BaseOut): void;
  tapGround(at: Point, pxPerInch: number): void;
  holdBase(base: BaseOut): void;
  dragging(base: BaseOut, from: Place, to: Place): void;
  dropped(base: BaseOut, from: Place, to: Place, what: "move" | "turn"): void;
  dragCancelled(): void;
}

const HANDLE_PX = 58;
const TOP_PX = 66; // the bar at the top
const BAR_PX = 78; // the bar at the bottom

export class Board {
  private readonly map: L.Map;
  private readonly ground = L.layerGroup();
  private readonly terrain: TerrainLayer;
  private readonly areas = L.layerGroup();
  private readonly bases = L.layerGroup();
  private readonly pills = L.layerGroup();
  private readonly handles = L.layerGroup();
  private readonly parts = new Map<string, { paths: L.Polygon[]; nose: L.Polyline }>();
  private drawnGround = "";
  private shown: Shown | null = null;
  private placeHandles: (() => void) | null = null;
  private swallowClick = false;
  private held: { base: BaseOut; to: Place } | null = null; // under a finger: the map must stand still

  constructor(
    element: HTMLElement,
    private readonly heard: Heard,
  ) {
    this.map = newMap(element);
    for (const [name, z] of [["areas", 420], ["bases", 440], ["lines", 450]] as const) {
      this.map.createPane(name).style.zIndex = String(z);
    }
    this.map.getPane("areas")?.classList.add("untouchable");
    this.map.getPane("lines")?.classList.add("untouchable");
    this.ground.addTo(this.map);
    this.terrain = new TerrainLayer(this.map, heard);
    for (const layer of [this.areas, this.bases, this.pills, this.handles]) layer.addTo(this.map);
    this.map.on("click", ({ latlng: at }) => {
      if (!this.swallowClick) this.heard.tapGround([at.lng, at.lat], this.perInch());
    });
    this.map.on("zoom", () => this.placeHandles?.());
    this.map.on("zoomend", () => this.drawPills());
    element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  destroy(): void {
    this.map.remove();
  }

  private perInch(): number {
    return this.map.getZoomScale(this.map.getZoom(), 0);
  }

  resize(): void {
    this.map.invalidateSize({ animate: false });
  }

  // The part of the map that no bar and no sheet covers, in pixels: left, top, right, bottom.
  private free(): [number, number, number, number] {
    const box = this.map.getContainer().getBoundingClientRect();
    const sheet = this.map.getContainer().parentElement?.querySelector(".sheet, .tool-hint")?.getBoundingClientRect();
    const beside = sheet !== undefined && sheet.width < 0.7 * box.width;
    const right = beside ? sheet.left - box.left : box.width;
    const bottom = sheet === undefined || beside ? box.height - BAR_PX : sheet.top - box.top;
    return [0, TOP_PX, right, Math.max(bottom, TOP_PX + 80)];
  }

  fit(animate = true): void {
    if (!this.shown) return;
    const { width, depth } = this.shown.table.table;
    const [left, top, right, bottom] = this.free();
    const size = this.map.getSize();
    this.map.fitBounds([[-0.7, -0.7], [depth + 0.7, width + 0.7]], {
      paddingTopLeft: [left + 4, top],
      paddingBottomRight: [size.x - right + 4, size.y - bottom + 4],
      animate,
    });
  }

  // Show the whole table where it would fit, as it must when one is to tap anywhere on it; not when it is looked at closely.
  fitUnlessClose(): void {
    const [left, , right] = this.free();
    if ((this.shown?.table.table.width ?? 0) * this.perInch() <= right - left) this.fit();
  }

  centre(): Point {
    const [left, top, right, bottom] = this.free();
    const at = this.map.containerPointToLatLng([(left + right) / 2, (top + bottom) / 2]);
    const { width, depth } = this.shown?.table.table ?? { width: 0, depth: 0 };
    return [within(at.lng, 0, width), within(at.lat, 0, depth)];
  }

  // Bring a place well inside the part of the map that is free, when it is not.
  reveal(point: Point): void {
    if (this.held) return;
    const [left, top, right, bottom] = this.free();
    const at = this.map.latLngToContainerPoint(latlng(point));
    const [marginX, marginY] = [0.2 * (right - left), 0.28 * (bottom - top)];
    const inX = at.x > left + marginX && at.x < right - marginX;
    const inY = at.y > top + marginY && at.y < bottom - marginY;
    if (inX && inY) return;
    this.map.panBy([inX ? 0 : at.x - (left + right) / 2, inY ? 0 : at.y - (top + bottom) / 2], { animate: true, duration: 0.3 });
  }

  draw(shown: Shown): void {
    this.shown = shown;
    this.drawGround(shown.table);
    this.terrain.draw(shown.table, shown.tool);
    for (const layer of [this.areas, this.bases, this.handles]) layer.clearLayers();
    this.parts.clear();
    this.placeHandles = null;
    if (shown.view) this.drawView(shown.table, shown.view, shown.target);
    for (const base of shown.table.bases) this.drawBase(base, shown);
    this.drawPills();
    const chosen = shown.table.bases.find((base) => base.id === shown.base);
    if (chosen && shown.correcting) this.drawHandles(chosen);
    if (this.held) this.place(this.held.base, this.held.to);
  }

  // --- the table --------------------------------------------------------------------------------------------------

  private drawGround(table: TableOut): void {
    const { width, depth } = table.table;
    const url = table.photo?.map.url ?? "";
    const key = `${table.id} ${url}`;
    if (this.drawnGround !== key) {
      this.ground.clearLayers();
      if (table.photo?.map.bounds) {
        const [low, high] = table.photo.map.bounds;
        L.imageOverlay(url, [latlng(low), latlng(high)], { className: "tabletop-photo" }).addTo(this.ground);
      }
      const edge = table.photo ? "table-edge" : "table-edge bare";
      L.rectangle([[0, 0], [depth, width]], { className: edge, interactive: false }).addTo(this.ground);
      this.map.setMaxBounds([[-3 * depth, -3 * width], [4 * depth, 4 * width]]);
      this.drawnGround = key;
      this.fit(false);
    }
  }

  private drawView(table: TableOut, view: ViewOut, target: string | null): void {
    const { width, depth } = table.table;
    const quiet = { pane: "areas", interactive: false } as const;
    const whole: L.LatLngTuple[] = [[0, 0], [0, width], [depth, width], [depth, 0]];
    const size = { width, depth };
    if (view.front.length) {
      L.polygon([whole, ...view.front.map(ring)], { ...quiet, className: "rear" }).addTo(this.areas);
      this.edges(view.front, size, "front-line");
    }
    for (const part of view.threat) L.polygon(ring(part), { ...quiet, className: "threat-fill" }).addTo(this.areas);
    this.edges(view.threat, size, "threat");
    for (const reach of view.rings) {
      for (const part of reach.outlines) {
        L.polygon(ring(part), { ...quiet, className: `ring-fill ${reach.name}` }).addTo(this.areas);
      }
      this.edges(reach.outlines, size, "ring-case");
      this.edges(reach.outlines, size, `ring ${reach.name}`);
      this.ringLabel(reach.name, reach.inches, reach.outlines, table);
    }
    const shot = view.shots.find((one) => one.target === target) ?? view.incoming.find((one) => one.firer === target);
    if (shot) this.drawShot(shot);
  }

  // The ground that the lines of sight cross, the line that range is measured on, and where sight is blocked.
  private drawShot(shot: ShotOut): void {
    const above = { pane: "lines", interactive: false, smoothFactor: 0 } as const;
    for (const corridor of shot.corridors) {
      L.polygon(ring(corridor.outline), { ...above, className: `corridor ${corridor.verdict}` }).addTo(this.areas);
    }
    if (shot.range_line.length > 1) {
      L.polyline(ring(shot.range_line), { ...above, className: "shot-case" }).addTo(this.areas);
      L.polyline(ring(shot.range_line), { ...above, className: `shot ${shot.verdict}` }).addTo(this.areas);
    }
    for (const at of shot.blocked_at) {
      const icon = L.divIcon({ className: "anchor", html: `<span class="block">${glyph("no")}</span>`, iconSize: [0, 0] });
      L.marker(latlng(at), { icon, interactive: false, keyboard: false }).addTo(this.areas);
    }
  }

  // The lines that bound an area, less those where the table itself ends.
  private edges(outlines: Point[][], size: { width: number; depth: number }, className: string): void {
    for (const line of outlines.flatMap((outline) => openLines(outline, size.width, size.depth))) {
      L.polyline(line.map(latlng), { pane: "areas", interactive: false, smoothFactor: 0, className }).addTo(this.areas);
    }
  }

  private ringLabel(name: string, inches: number, outlines: Point[][], table: TableOut): void {
    const { width, depth } = table.table;
    const inside = outlines.flat().filter(([x, y]) => x > 1.5 && x < width - 1.5 && y > 1 && y < depth - 1);
    const free = (point: Point): number => Math.min(...table.bases.map((base) => between(point, base.center)), 6);
    const spot = inside.reduce<Point | null>((best, point) => (best === null || free(point) > free(best) ? point : best), null);
    if (!spot) return;
    const html = `<span class="ring-label">${inches}″</span>`;
    L.marker(latlng(spot), { icon: L.divIcon({ className: "anchor", html, iconSize: [0, 0] }), interactive: false, keyboard: false, title: name }).addTo(this.areas);
  }

  // --- bases ------------------------------------------------------------------------------------------------------

  private verdictOf(unit: string | null, shown: Shown): Verdict | null {
    return shown.view?.shots.find((shot) => shot.target === unit)?.verdict ?? null;
  }

  private classesOf(base: BaseOut, shown: Shown): string {
    const sides = shown.table.sides.map((side) => side.id);
    const verdict = this.verdictOf(base.unit, shown);
    return [
      "base",
      base.side === null ? "side-none" : `side-${sides.indexOf(base.side) % 4}`,
      base.unit === null ? "loose" : "",
      base.unique ? "unique" : "",
      verdict ?? "",
      base.unit !== null && base.unit === shown.unit ? "own" : "",
      base.id === shown.base ? "chosen" : "",
      base.method === "hand" ? "by-hand" : "",
    ].filter(Boolean).join(" ");
  }

  private drawBase(base: BaseOut, shown: Shown): void {
    const corners = ring(base.outline);
    const quiet = { pane: "bases", interactive: false } as const;
    const halo = L.polygon(corners, { ...quiet, className: `${this.classesOf(base, shown)} halo` });
    const body = L.polygon(corners, { ...quiet, className: `${this.classesOf(base, shown)} body` });
    const nose = L.polyline(this.nose(base, { center: base.center, facing: base.facing ?? 0 }), {
      ...quiet,
      className: `${this.classesOf(base, shown)} nose`,
    });
    const hit = L.polygon(corners, { pane: "bases", className: "hit", bubblingMouseEvents: false });
    halo.addTo(this.bases);
    body.addTo(this.bases);
    if (base.facing !== null) nose.addTo(this.bases);
    if (base.id === shown.base && base.ellipse.length) {
      L.polygon(ring(base.ellipse), { ...quiet, className: "ellipse" }).addTo(this.bases);
    }
    hit.addTo(this.bases);
    this.parts.set(base.id, { paths: [halo, body, hit], nose });
    const element = hit.getElement();
    element?.setAttribute("data-base", base.id);
    hit.on("click", (event) => {
      if (!this.swallowClick) this.heard.tapBase(this.nearest([event.latlng.lng, event.latlng.lat], base));
    });
    element?.addEventListener("pointerdown", (event) => {
      const press = event as PointerEvent;
      this.press(press, this.nearest(this.tableAt(press), base));
    });
  }

  // The places to touch overlap where bases stand close: the base nearest to the finger is meant.
  private nearest(at: Point, touched: BaseOut): BaseOut {
    const all = this.shown?.table.bases ?? [];
    return all.reduce((best, base) => (distanceTo(base, at) < distanceTo(best, at) ? base : best), touched);
  }

  // A short line from the middle of the base over its front edge: where it faces.
  private nose(base: BaseOut, place: Place): L.LatLngTuple[] {
    const [fx, fy] = forward(place.facing);
    const reach = base.depth / 2;
    const at = (far: number): Point => [place.center[0] + fx * far, place.center[1] + fy * far];
    return [latlng(at(reach * 0.25)), latlng(at(reach + 0.32))];
  }

  private pill(at: Point, html: string, label: string, base: BaseOut): void {
    const icon = L.divIcon({ className: "anchor name", html, iconSize: [0, 0] });
    const marker = L.marker(latlng(at), { icon, bubblingMouseEvents: false, zIndexOffset: 100 });
    marker.addTo(this.pills);
    const element = marker.getElement();
    element?.setAttribute("aria-label", label);
    element?.addEventListener("pointerdown", (event) => this.press(event, base));
    marker.on("click", () => (this.swallowClick ? undefined : this.heard.tapBase(base)));
  }

  private drawPills(): void {
    const shown = this.shown;
    if (!shown) return;
    this.pills.clearLayers();
    const perInch = this.perInch();
    const marked = (unit: string): boolean => this.verdictOf(unit, shown) !== null;
    for (const name of namesOf(shown.table, perInch, marked)) this.drawPill(name, shown);
    for (const base of shown.table.bases) if (base.unit === null) this.drawLoosePill(base);
  }

  private drawPill({ unit, lead, at }: Name, shown: Shown): void {
    const verdict = this.verdictOf(unit.id, shown);
    const sides = shown.table.sides.map((side) => side.id);
    const side = lead.side === null ? "side-none" : `side-${sides.indexOf(lead.side) % 4}`;
    const own = unit.id === shown.unit ? "own" : "";
    const chosen = unit.id === shown.target ? "target" : "";
    const html = `<span class="pill ${side} ${verdict ?? ""} ${own} ${chosen}">${verdict ? glyph(verdict) : ""}${escape(unit.id)}</span>`;
    const label = `${text.baseLabel(unit.id, kindName(unit.kind))}${verdict ? `, ${text.verdict[verdict]}` : ""}`;
    this.pill(at, html, label, lead);
  }

  private drawLoosePill(base: BaseOut): void {
    this.pill(base.center, '<span class="pill loose">?</span>', text.baseLabel(null, ""), base);
  }

  // --- touching ---------------------------------------------------------------------------------------------------

  private press(event: PointerEvent, base: BaseOut): void {
    if (!event.isPrimary || event.button !== 0) return;
    if (this.shown?.correcting) {
      this.drag(event, base, "move");
      return;
    }
    whenHeld(event, () => {
      navigator.vibrate?.(15);
      this.heard.holdBase(base);
      this.drag(event, base, "move");
    });
  }

  private tableAt(event: PointerEvent): Point {
    const at = this.map.mouseEventToLatLng(event);
    return [at.lng, at.lat];
  }

  // From finger down to finger up; the base follows by the way the finger went, so that the finger need not hide it.
  private drag(event: PointerEvent, base: BaseOut, what: "move" | "turn"): void {
    this.held = { base, to: { center: base.center, facing: base.facing ?? 0 } };
    this.map.stop();
    this.map.dragging.disable();
    const grip = this.tableAt(event);
    const from: Place = { center: base.center, facing: base.facing ?? 0 };
    const offset = from.facing - bearing(from.center, grip);
    const size = this.shown?.table.table ?? { width: 0, depth: 0 };
    const target = (now: Point): Place => {
      if (what === "turn") return { ...from, facing: (bearing(from.center, now) + offset + 720) % 360 };
      const center: Point = [
        within(from.center[0] + now[0] - grip[0], 0, size.width),
        within(from.center[1] + now[1] - grip[1], 0, size.depth),
      ];
      return { ...from, center };
    };
    const moved = (next: PointerEvent): void => {
      const to = target(this.tableAt(next));
      this.held = { base, to };
      this.place(base, to);
      this.heard.dragging(base, from, to);
    };
    const ended = (movedAtAll: boolean, whole: boolean): void => {
      const to = this.held?.to ?? from;
      this.held = null;
      this.map.dragging.enable();
      if (!movedAtAll) return;
      this.swallowClick = true;
      window.setTimeout(() => (this.swallowClick = false), 60);
      if (whole) this.heard.dropped(base, from, to, what);
      else {
        this.place(base, from);
        this.heard.dragCancelled();
      }
    };
    follow(event, moved, ended);
  }

  private place(base: BaseOut, place: Place): void {
    const parts = this.parts.get(base.id);
    const corners = ring(outlineAt(base, place));
    parts?.paths.forEach((path) => path.setLatLngs(corners));
    parts?.nose.setLatLngs(this.nose(base, place));
    this.placed = place;
    this.placeHandles?.();
  }

  private placed: Place | null = null;

  private drawHandles(base: BaseOut): void {
    this.placed = { center: base.center, facing: base.facing ?? 0 };
    const grip = (name: keyof typeof GRIPS, label: string): L.Marker => {
      const marker = L.marker(latlng(base.center), { icon: gripIcon(name), bubblingMouseEvents: false, zIndexOffset: 900 });
      marker.addTo(this.handles);
      const element = marker.getElement();
      element?.setAttribute("aria-label", label);
      element?.setAttribute("data-grip", name);
      element?.addEventListener("pointerdown", (event) => {
        if (event.isPrimary) this.drag(event, base, name);
      });
      return marker;
    };
    const stem = L.polyline([], { pane: "bases", interactive: false, className: "stem" }).addTo(this.handles);
    const move = grip("move", text.handleMove);
    const turn = base.shape === "round" && base.facing === null ? null : grip("turn", text.handleTurn);
    this.placeHandles = (): void => {
      const place = this.placed as Place;
      const perInch = this.perInch();
      const reach = base.depth / 2 + HANDLE_PX / perInch;
      const [fx, fy] = forward(place.facing);
      const ahead: Point = [place.center[0] + fx * reach, place.center[1] + fy * reach];
      const behind: Point = [place.center[0] - fx * reach, place.center[1] - fy * reach];
      move.setLatLng(latlng(behind));
      turn?.setLatLng(latlng(ahead));
      stem.setLatLngs([latlng(behind), latlng(turn ? ahead : place.center)]);
    };
    this.placeHandles();
  }
}
