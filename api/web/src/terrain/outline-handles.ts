// The handles of an outline or a line on the map: its corners, new ones between them, one to move and one to turn the
// whole.

import L from "leaflet";
import { bearing, between, type Point } from "../geometry";
import { anchor, gripIcon, type GRIPS } from "../map";
import { latlng } from "../mapping";
import { middleOfArea, type Outlined } from "./outlines";
import { cornersOf, rectTo, turnedBy } from "./rectangles";
import { follow } from "../touch";

export interface HeardOfOutline {
  cornering(at: Point, pxPerInch: number): Point; // where the corner goes: on the table
  shifting(by: Point, outline: Point[], pxPerInch: number): Point;
  turning(by: number, outline: Point[]): number;
  outlined(points: Point[], carried: Point[] | null): void; // its present state, while a finger drags
  outlineDropped(): void;
  chooseCorner(index: number): void;
  stepCorner(index: number, by: Point): void;
  removeCorner(index: number): void;
}
export interface OutlineNames {
  corner: (index: number) => string;
  newCorner: (index: number) => string;
  moveAll: string;
  turnAll: string;
}

const TURN_PX = 64;
const ROOM_PX = 96; // an edge that is shorter has no place for a new corner's handle
const BAR_PX = 90; // the top bar hides what is above
const STEP_IN = 0.25;
const ARROWS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class OutlineHandles {
  holding = false;
  private readonly layer: L.LayerGroup;
  private shown: Outlined | null = null;
  private chosen: number | null = null;
  private corners: L.Marker[] = [];
  private focus: string | null = null; // the corner that keys moved
  private redrawing = false; // removed elements then lose no focus

  constructor(
    private readonly map: L.Map,
    private readonly heard: HeardOfOutline,
    private readonly names: OutlineNames,
  ) {
    this.layer = L.layerGroup().addTo(map);
    map.on("zoomend", () => this.draw(this.shown, this.chosen));
  }

  draw(shown: Outlined | null, chosen: number | null): void {
    this.shown = shown;
    this.chosen = chosen;
    if (this.holding) return;
    this.redrawing = true;
    this.layer.clearLayers();
    this.redrawing = false;
    this.corners = [];
    if (shown === null) return;
    if (shown.closed && shown.points.length > 2) this.drawGrips(shown);
    if (shown.rect === null) this.drawBetween(shown);
    this.corners = shown.points.map((at, index) => this.drawCorner(shown, index, at));
    if (this.focus !== null) this.layer.eachLayer((one) => this.refocus(one as L.Marker));
  }

  private refocus(marker: L.Marker): void {
    const element = marker.getElement();
    if (element?.dataset["corner"] === this.focus) element?.focus();
  }

  private perInch(): number {
    return this.map.getZoomScale(this.map.getZoom(), 0);
  }

  private marker(at: Point, icon: L.DivIcon, label: string, z: number): { marker: L.Marker; element: HTMLElement | undefined } {
    const marker = L.marker(latlng(at), { icon, bubblingMouseEvents: false, zIndexOffset: z }).addTo(this.layer);
    const element = marker.getElement();
    element?.setAttribute("aria-label", label);
    return { marker, element };
  }

  private drawCorner(shown: Outlined, index: number, at: Point): L.Marker {
    const look = `corner grab ${this.chosen === index ? "chosen" : ""}`;
    const { marker, element } = this.marker(at, anchor(`<span class="${look}"></span>`), this.names.corner(index), 900);
    element?.setAttribute("data-corner", String(index));
    marker.on("click", () => this.heard.chooseCorner(index)); // its tap must not reach the map
    element?.addEventListener("keydown", (event) => this.key(event, index));
    element?.addEventListener("pointerdown", (event) => {
      if (event.isPrimary && event.button === 0) this.dragCorner(event, shown, index, marker, null);
    });
    element?.addEventListener("blur", () => {
      if (!this.redrawing) this.focus = null;
    });
    return marker;
  }

  private key(event: KeyboardEvent, index: number): void {
    const way = ARROWS[event.key];
    const step = STEP_IN * (event.shiftKey ? 4 : 1);
    if (!way && event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    event.stopPropagation();
    this.focus = String(index);
    if (way) this.heard.stepCorner(index, [way[0] * step, way[1] * step]);
    else this.heard.removeCorner(index);
  }

  // A small handle in the middle of each edge: dragged, or tapped, it is a new corner there.
  private drawBetween(shown: Outlined): void {
    const { points, closed } = shown;
    points.forEach((a, i) => {
      const b = points[i + 1] ?? (closed && points.length > 2 ? points[0] : undefined);
      if (b === undefined || between(a, b) * this.perInch() < ROOM_PX) return;
      const at: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      const { marker, element } = this.marker(at, anchor('<span class="corner plus"></span>'), this.names.newCorner(i), 850);
      element?.setAttribute("data-corner", `new-${i}`);
      const wider = { ...shown, points: [...points.slice(0, i + 1), at, ...points.slice(i + 1)] };
      marker.on("click", () => {
        this.heard.outlined(wider.points, null);
        this.heard.outlineDropped();
      });
      element?.addEventListener("pointerdown", (event) => {
        if (event.isPrimary && event.button === 0) this.dragCorner(event, wider, i + 1, marker, points);
      });
    });
  }

  private drawGrips(shown: Outlined): void {
    const middle = middleOfArea(shown.points);
    const grip = (name: keyof typeof GRIPS, at: Point, label: string): void => {
      const { marker, element } = this.marker(at, gripIcon(name), label, 880);
      element?.setAttribute("data-piece-grip", name);
      element?.addEventListener("pointerdown", (event) => {
        if (event.isPrimary && event.button === 0) this.dragAll(event, shown, middle, name, marker);
      });
      marker.on("click", () => undefined);
    };
    grip("move", middle, this.names.moveAll);
    const far = Math.max(...shown.points.map(([, y]) => y - middle[1]), 0) + TURN_PX / this.perInch();
    const above = this.map.latLngToContainerPoint(latlng([middle[0], middle[1] + far])).y > BAR_PX;
    grip("turn", [middle[0], middle[1] + (above ? far : -far)], this.names.turnAll);
  }

  // --- dragging ---------------------------------------------------------------------------------------------------

  private at(event: PointerEvent): Point {
    const { lng, lat } = this.map.mouseEventToLatLng(event);
    return [lng, lat];
  }

  // `before` is restored if the browser cancels the touch.
  private hold(event: PointerEvent, before: Outlined, moved: (now: Point) => void): void {
    this.holding = true;
    this.map.stop();
    this.map.dragging.disable();
    follow(
      event,
      (next) => moved(this.at(next)),
      (movedAtAll, whole) => {
        this.holding = false;
        this.map.dragging.enable();
        if (!movedAtAll) return;
        if (!whole) this.heard.outlined(before.points, before.carried);
        this.heard.outlineDropped();
        this.draw(this.shown, this.chosen);
      },
    );
  }

  private dragCorner(event: PointerEvent, shown: Outlined, index: number, marker: L.Marker, before: Point[] | null): void {
    const { points, rect } = shown;
    const start = points[index] as Point;
    const grip = this.at(event);
    this.hold(event, { ...shown, points: before ?? points }, (now) => {
      const to = this.heard.cornering([start[0] + now[0] - grip[0], start[1] + now[1] - grip[1]], this.perInch());
      const next = rect ? cornersOf(rectTo(rect, points[(index + 2) % 4] as Point, to)) : points.map((at, i) => (i === index ? to : at));
      if (before === null) this.follow(next);
      marker.setLatLng(latlng(to));
      this.heard.outlined(next, null);
    });
  }

  private dragAll(event: PointerEvent, shown: Outlined, middle: Point, name: keyof typeof GRIPS, marker: L.Marker): void {
    const grip = this.at(event);
    const { points, carried } = shown;
    this.hold(event, shown, (now) => {
      const by: Point = name === "move" ? this.heard.shifting([now[0] - grip[0], now[1] - grip[1]], points, this.perInch()) : [0, 0];
      const angle = name === "turn" ? this.heard.turning(bearing(middle, now) - bearing(middle, grip), points) : 0;
      const next = turnedBy(points, angle, middle, by);
      this.follow(next);
      marker.setLatLng(latlng(name === "move" ? [middle[0] + by[0], middle[1] + by[1]] : now));
      this.heard.outlined(next, carried && turnedBy(carried, angle, middle, by));
    });
  }

  private follow(points: Point[]): void {
    this.corners.forEach((marker, i) => points[i] && marker.setLatLng(latlng(points[i])));
  }
}
