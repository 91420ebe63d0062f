// The result of an action, held by a finger or by keys: pieces at their new places, and points that it names.

import L from "leaflet";
import type { Heard, Names, Shown } from "./boardview";
import { bearing, between, forward, middleOf, within, type Place, type Point } from "./geometry";
import { anchor, gripIcon } from "./map";
import { latlng, ring } from "./mapping";
import type { BoardPiece } from "./schema";
import { follow } from "./touch";

const HANDLE_PX = 56; // from a handle to its piece or point
export const HELD_PX = HANDLE_PX + 28; // around the held piece, with its handles
export const STEPS: Record<string, Point> = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// The places of the handles that move and turn the held piece.
function gripsOf({ ghost }: Shown, perInch: number): Point[] {
  const lead = ghost?.pieces[0];
  if (!lead || ghost?.fixed) return [];
  const reach = lead.depth / 2 + HANDLE_PX / perInch;
  const [fx, fy] = forward(lead.facing ?? 0);
  return [-reach, reach].map((far) => [lead.center[0] + fx * far, lead.center[1] + fy * far]);
}

// The place of a point's handle: below it, or above it at the table's near edge.
function gripOfPoint([x, y]: Point, perInch: number): Point {
  const reach = HANDLE_PX / perInch;
  return [x, y + (y - reach > -reach / 2 ? -reach : reach)];
}

// Where all handles are.
export const gripPlaces = (shown: Shown, perInch: number): Point[] => [
  ...gripsOf(shown, perInch),
  ...shown.points.flatMap((at) => (at === null ? [] : [gripOfPoint(at, perInch)])),
];

export class Ghosts {
  held = false; // a finger is on a handle,
  justDropped = false; // or was a moment ago: lifting it is no tap
  private readonly layer: L.LayerGroup;
  private shown: Shown | null = null;

  constructor(
    private readonly map: L.Map,
    private readonly heard: Pick<Heard, "dragging" | "dropped" | "pointing">,
    private readonly names: Names,
  ) {
    this.layer = L.layerGroup().addTo(map);
  }

  private perInch(): number {
    return this.map.getZoomScale(this.map.getZoom(), 0);
  }

  draw(shown: Shown | null): void {
    this.shown = shown;
    this.layer.clearLayers();
    if (shown === null) return;
    this.drawPoints(shown.points);
    const wish = shown.ghost;
    const lead = wish?.pieces[0];
    if (!wish || !lead) return;
    const quiet = { pane: "ghost", interactive: false, smoothFactor: 0 } as const;
    const verdict = wish.verdict ?? "open";
    const from = shown.board.pieces.find(({ id }) => id === lead.id);
    if (from) L.polyline(ring([from.center, ...wish.way, lead.center]), { ...quiet, className: `ghost-way ${verdict}` }).addTo(this.layer);
    for (const piece of wish.pieces) {
      L.polygon(ring(piece.outline), { ...quiet, className: `ghost-piece ${verdict}` }).addTo(this.layer);
      if (piece.facing !== null) L.polyline(noseOf(piece), { ...quiet, className: "ghost-piece nose" }).addTo(this.layer);
    }
    if (wish.fixed) return;
    const [move, turn] = gripsOf(shown, this.perInch()) as [Point, Point];
    L.polyline(ring([move, turn]), { ...quiet, className: "stem" }).addTo(this.layer);
    this.grip("move", move, lead);
    this.grip("turn", turn, lead);
  }

  private grip(name: "move" | "turn", at: Point, lead: BoardPiece): void {
    const marker = L.marker(latlng(at), { icon: gripIcon(name), bubblingMouseEvents: false, zIndexOffset: 900 }).addTo(this.layer);
    const element = marker.getElement();
    element?.setAttribute("aria-label", this.names[name]);
    element?.setAttribute("data-grip", name);
    element?.addEventListener("pointerdown", (event) => event.isPrimary && this.drag(event, lead, name));
    element?.addEventListener("keydown", (event) => this.nudge(event, lead, name));
  }

  // Points as said, with a line from each to the next and its length; each has a handle that does not hide it.
  private drawPoints(points: (Point | null)[]): void {
    const quiet = { pane: "ghost", interactive: false, smoothFactor: 0 } as const;
    points.forEach((at, index) => {
      const next = points[index + 1];
      if (at && next) {
        L.polyline(ring([at, next]), { ...quiet, className: "pointed-line" }).addTo(this.layer);
        const html = `<span class="ring-label">${escape(`${between(at, next).toFixed(1)}″`)}</span>`;
        L.marker(latlng(middleOf([at, next])), { icon: anchor(html), interactive: false, keyboard: false }).addTo(this.layer);
      }
      if (!at) return;
      const held = gripOfPoint(at, this.perInch());
      L.polyline(ring([at, held]), { ...quiet, className: "stem" }).addTo(this.layer);
      L.marker(latlng(at), { icon: anchor('<span class="pointed"></span>'), interactive: false, keyboard: false }).addTo(this.layer);
      const marker = L.marker(latlng(held), { icon: gripIcon("move"), bubblingMouseEvents: false, zIndexOffset: 900 }).addTo(this.layer);
      const element = marker.getElement();
      element?.setAttribute("aria-label", this.names.point(index));
      element?.setAttribute("data-grip", `point-${index}`);
      element?.addEventListener("pointerdown", (event) => event.isPrimary && this.dragPoint(event, index, at));
      element?.addEventListener("keydown", (event) => this.nudgePoint(event, index, at));
    });
  }

  private nudgePoint(event: KeyboardEvent, index: number, at: Point): void {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.heard.pointing(index, this.onTable([at[0] + step[0] / 4, at[1] + step[1] / 4]));
    this.heard.dropped();
    this.map.getContainer().querySelector<HTMLElement>(`[data-grip=point-${index}]`)?.focus();
  }

  private dragPoint(event: PointerEvent, index: number, at: Point): void {
    const grip = this.tableAt(event);
    this.followed(event, (now) => this.heard.pointing(index, this.onTable([at[0] + now[0] - grip[0], at[1] + now[1] - grip[1]])));
  }

  private onTable([x, y]: Point): Point {
    const { width, depth } = this.shown?.board ?? { width: 0, depth: 0 };
    return [within(x, 0, width), within(y, 0, depth)];
  }

  private nudge(event: KeyboardEvent, lead: BoardPiece, what: "move" | "turn"): void {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const facing = lead.facing ?? 0;
    if (what === "turn") this.heard.dragging({ center: lead.center, facing: (facing + 5 * (step[0] + step[1]) + 360) % 360 });
    else this.heard.dragging({ center: [lead.center[0] + step[0] / 4, lead.center[1] + step[1] / 4], facing });
    this.heard.dropped();
    this.map.getContainer().querySelector<HTMLElement>(`[data-grip=${what}]`)?.focus();
  }

  // From finger down to finger up; the lead follows by the way the finger went, so that the finger need not hide it.
  private drag(event: PointerEvent, lead: BoardPiece, what: "move" | "turn"): void {
    const from: Place = { center: lead.center, facing: lead.facing ?? 0 };
    const grip = this.tableAt(event);
    const offset = from.facing - bearing(from.center, grip);
    const target = (now: Point): Place =>
      what === "turn"
        ? { ...from, facing: (bearing(from.center, now) + offset + 720) % 360 }
        : { ...from, center: this.onTable([from.center[0] + now[0] - grip[0], from.center[1] + now[1] - grip[1]]) };
    this.followed(event, (now) => this.heard.dragging(target(now)));
  }

  // Where on the table a finger goes, until it is lifted.
  private followed(event: PointerEvent, moved: (now: Point) => void): void {
    this.held = true;
    this.map.dragging.disable();
    follow(event, (next) => moved(this.tableAt(next)), (movedAtAll) => {
      this.held = false;
      this.map.dragging.enable();
      if (!movedAtAll) return;
      this.justDropped = true;
      window.setTimeout(() => (this.justDropped = false), 60);
      this.heard.dropped();
    });
  }

  private tableAt(event: PointerEvent): Point {
    const at = this.map.mouseEventToLatLng(event);
    return [at.lng, at.lat];
  }
}

// The line that shows which way a piece faces.
export function noseOf(piece: BoardPiece): L.LatLngTuple[] {
  const [fx, fy] = forward(piece.facing ?? 0);
  const reach = piece.depth / 2;
  const at = (far: number): Point => [piece.center[0] + fx * far, piece.center[1] + fy * far];
  return [latlng(at(reach * 0.4)), latlng(at(reach + 0.3))];
}
