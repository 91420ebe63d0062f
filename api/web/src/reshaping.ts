// The handles of the piece of terrain that was chosen: its corners, new ones between them, one to move and one to turn it.
// A rectangle stays one, and is told by its middle, size and angle; other pieces by the turn and the shift.

import L from "leaflet";
import { bearing, between, type Point } from "./geometry";
import { anchor, gripIcon, type GRIPS } from "./map";
import { latlng, ring } from "./mapping";
import { cornersOf, rectTo, turnedBy } from "./rectangles";
import type { RectOut, TerrainChange, TerrainOut } from "./schema";
import { text } from "./text";
import { follow } from "./touch";

export interface HeardOfReshaping {
  draggingCorner(at: Point, of: TerrainOut, pxPerInch: number): Point; // where the corner goes: on the table
  shifting(by: Point, of: TerrainOut, pxPerInch: number): Point;
  turning(by: number, of: TerrainOut): number;
  reshaped(piece: TerrainOut, wish: TerrainChange): void;
  chooseCorner(index: number | null): void;
  stepCorner(piece: TerrainOut, index: number, by: Point): void;
  removeCorner(piece: TerrainOut, index: number): void;
  dragCancelled(): void;
}
export interface Paths {
  foot: L.Polygon;
  top: L.Polygon | null;
}
type Of = "polygon" | "hill_top";

const TURN_PX = 64;
const ROOM_PX = 96; // an edge that is shorter has no place for a new corner's handle
const STEP_IN = 0.25;
const ARROWS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Reshaping {
  holding = false;
  private place: (() => void) | null = null;

  constructor(
    private readonly map: L.Map,
    private readonly layer: L.LayerGroup,
    private readonly heard: HeardOfReshaping,
  ) {
    map.on("zoomend", () => this.place?.());
  }

  forget(): void {
    this.place = null;
  }

  draw(piece: TerrainOut, paths: Paths | undefined, corner: number | null, asRect: boolean): void {
    if (paths === undefined) return;
    const rect = asRect ? piece.rect : null;
    this.drawGrips(piece, paths);
    if (rect === null) this.drawBetween(piece, paths);
    piece.polygon.forEach((at, i) => this.drawCorner(piece, paths, "polygon", i, at, corner === i, rect));
    piece.hill_top?.forEach((at, i) => this.drawCorner(piece, paths, "hill_top", i, at, false, null));
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

  private drawCorner(piece: TerrainOut, paths: Paths, of: Of, index: number, at: Point, chosen: boolean, rect: RectOut | null): void {
    const look = `corner grab ${of === "hill_top" ? "high" : ""} ${chosen ? "chosen" : ""}`;
    const { marker, element } = this.marker(at, anchor(`<span class="${look}"></span>`), text.terrain.corner(index + 1, piece.id), 900);
    element?.setAttribute("data-corner", `${of}-${index}`);
    marker.on("click", () => of === "polygon" && this.heard.chooseCorner(index)); // its tap is none of the map's
    element?.addEventListener("keydown", (event) => of === "polygon" && this.key(event, piece, index));
    element?.addEventListener("pointerdown", (event) => {
      if (event.isPrimary && event.button === 0) this.dragCorner(event, piece, paths, of, index, marker, rect);
    });
  }

  private key(event: KeyboardEvent, piece: TerrainOut, index: number): void {
    const way = ARROWS[event.key];
    if (way) this.heard.stepCorner(piece, index, [way[0] * STEP_IN * (event.shiftKey ? 4 : 1), way[1] * STEP_IN * (event.shiftKey ? 4 : 1)]);
    else if (event.key === "Delete" || event.key === "Backspace") this.heard.removeCorner(piece, index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // A small handle in the middle of each edge: dragged, it is a new corner there.
  private drawBetween(piece: TerrainOut, paths: Paths): void {
    piece.polygon.forEach((a, i) => {
      const b = piece.polygon[(i + 1) % piece.polygon.length] as Point;
      if (between(a, b) * this.perInch() < ROOM_PX) return;
      const at: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      const { marker, element } = this.marker(at, anchor('<span class="corner plus"></span>'), text.terrain.newCorner(i + 1, piece.id), 850);
      element?.setAttribute("data-corner", `new-${i}`);
      const wider: TerrainOut = { ...piece, polygon: [...piece.polygon.slice(0, i + 1), at, ...piece.polygon.slice(i + 1)] };
      marker.on("click", () => this.heard.reshaped(piece, { polygon: wider.polygon }));
      element?.addEventListener("pointerdown", (event) => {
        if (event.isPrimary && event.button === 0) this.dragCorner(event, wider, paths, "polygon", i + 1, marker, null);
      });
    });
  }

  private drawGrips(piece: TerrainOut, paths: Paths): void {
    const grip = (name: keyof typeof GRIPS, label: string): L.Marker => {
      const { marker, element } = this.marker(piece.middle, gripIcon(name), label, 880);
      element?.setAttribute("data-piece-grip", name);
      element?.addEventListener("pointerdown", (event) => {
        if (event.isPrimary && event.button === 0) this.dragPiece(event, piece, paths, name);
      });
      marker.on("click", () => undefined);
      return marker;
    };
    grip("move", text.terrain.move(piece.id));
    const turn = grip("turn", text.terrain.turn(piece.id));
    this.place = (): void => {
      const far = Math.max(...piece.polygon.map(([, y]) => y - piece.middle[1]), 0) + TURN_PX / this.perInch();
      const above = this.map.latLngToContainerPoint(latlng([piece.middle[0], piece.middle[1] + far])).y > 90;
      turn.setLatLng(latlng([piece.middle[0], piece.middle[1] + (above ? far : -far)]));
    };
    this.place();
  }

  // --- dragging ---------------------------------------------------------------------------------------------------

  private at(event: PointerEvent): Point {
    const { lng, lat } = this.map.mouseEventToLatLng(event);
    return [lng, lat];
  }

  private hold(event: PointerEvent, moved: (now: Point) => void, ended: (whole: boolean) => void): void {
    this.holding = true;
    this.map.stop();
    this.map.dragging.disable();
    follow(
      event,
      (next) => moved(this.at(next)),
      (movedAtAll, whole) => {
        this.holding = false;
        this.map.dragging.enable();
        if (movedAtAll) ended(whole);
      },
    );
  }

  private dragCorner(
    event: PointerEvent, piece: TerrainOut, paths: Paths, of: Of, index: number, marker: L.Marker, rect: RectOut | null,
  ): void {
    const outline = piece[of] as Point[];
    const start = outline[index] as Point;
    const grip = this.at(event);
    let to = start;
    const framed = (): RectOut | null => (rect === null ? null : rectTo(rect, outline[(index + 2) % 4] as Point, to));
    const shape = (): Point[] => {
      const frame = framed();
      return frame ? cornersOf(frame) : outline.map((point, i) => (i === index ? to : point));
    };
    const show = (): void => {
      marker.setLatLng(latlng(to));
      (of === "polygon" ? paths.foot : paths.top)?.setLatLngs(ring(shape()));
    };
    this.hold(
      event,
      (now) => {
        to = this.heard.draggingCorner([start[0] + now[0] - grip[0], start[1] + now[1] - grip[1]], piece, this.perInch());
        show();
      },
      (whole) => {
        if (whole && between(to, start) > 0) {
          const frame = framed();
          this.heard.reshaped(piece, frame ? { rect: frame } : of === "polygon" ? { polygon: shape() } : { hill_top: shape() });
          return;
        }
        to = start;
        show();
        this.heard.dragCancelled();
      },
    );
  }

  private dragPiece(event: PointerEvent, piece: TerrainOut, paths: Paths, name: keyof typeof GRIPS): void {
    const grip = this.at(event);
    let [by, angle]: [Point, number] = [[0, 0], 0];
    const show = (): void => {
      paths.foot.setLatLngs(ring(turnedBy(piece.polygon, angle, piece.middle, by)));
      if (piece.hill_top) paths.top?.setLatLngs(ring(turnedBy(piece.hill_top, angle, piece.middle, by)));
    };
    this.hold(
      event,
      (now) => {
        if (name === "move") by = this.heard.shifting([now[0] - grip[0], now[1] - grip[1]], piece, this.perInch());
        else angle = this.heard.turning(bearing(piece.middle, now) - bearing(piece.middle, grip), piece);
        show();
      },
      (whole) => {
        const { rect, middle } = piece;
        const frame = rect && !piece.hill_top && { center: [middle[0] + by[0], middle[1] + by[1]] as Point, size: rect.size, angle: rect.angle + angle };
        if (whole && name === "move") this.heard.reshaped(piece, frame ? { rect: frame } : { shift: by });
        else if (whole) this.heard.reshaped(piece, frame ? { rect: frame } : { turn: angle });
        else {
          [by, angle] = [[0, 0], 0];
          show();
          this.heard.dragCancelled();
        }
      },
    );
  }
}
