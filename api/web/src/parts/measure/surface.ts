// The map or the photo under a finger: screen places, hit testing, and dragging from thing to thing.

import type L from "leaflet";
import { between, distanceToOutline, type Point } from "../../geometry";
import { cellAt, meantPiece } from "../../meant";
import type { Board, SightLine, Thing } from "../../schema";
import { words } from "../../words";
import { follow } from "../../touch";

export interface Surface {
  map: L.Map;
  screenOf(at: Point, z?: number): Point | null; // pixels of the map's element; null: out of the picture
  tableAt(screen: Point): Point | null;
  heightOf(at: Point): number;
}

// Things that a finger may mean there, the most likely first.
export interface Found {
  thing: Thing;
  name: string;
}

const say = words.measure;
const EDGE_PX = 12;
const LINE_PX = 15;
const ABOVE_PX = 66; // how far above a finger its aim is

export function foundAt(surface: Surface, board: Board, screen: Point): Found[] {
  const place = surface.tableAt(screen);
  const far = (outline: Point[]): number => pixelsTo(surface, outline, screen);
  const middle = ({ center }: { center: Point }): number => between(surface.screenOf(center, surface.heightOf(center)) ?? [1e6, 1e6], screen);
  const cell = place && cellAt(board, place);
  const first = meantPiece(board, cell, ({ outline }) => far(outline), middle);
  const found: Found[] = [];
  if (first) {
    const single = { thing: { piece: first.id }, name: say.onePiece(first.id) };
    if (first.unit === null) found.push({ ...single, name: first.label || first.id });
    else {
      found.push({ thing: { unit: first.unit }, name: first.unit });
      if (board.pieces.filter(({ unit }) => unit === first.unit).length > 1) found.push(single);
    }
  }
  if (cell) found.push({ thing: { cell: cell.id }, name: say.cell(cell.id, board.grid ?? "hex") });
  if (place === null || !onTable(board, place)) return found;
  const rounded: Point = [Math.round(place[0] * 100) / 100, Math.round(place[1] * 100) / 100];
  const point = { thing: { point: rounded }, name: say.point(rounded) };
  const grounds = board.ground
    .map((one) => ({ one, far: far(one.outline) }))
    .filter((near) => near.far < EDGE_PX)
    .sort((a, b) => b.far - a.far);
  const named = grounds.map(({ one }) => ({ thing: { ground: one.id }, name: say.terrain(one.kind, one.id) }));
  const onEdge = grounds.some((near) => near.far >= 0);
  return [...found, ...(onEdge ? [...named, point] : [point, ...named])];
}

const onTable = ({ width, depth }: Board, [x, y]: Point): boolean => x >= 0 && y >= 0 && x <= width && y <= depth;

function pixelsTo(surface: Surface, outline: Point[], screen: Point): number {
  const drawn = outline.map((point) => surface.screenOf(point, surface.heightOf(point)));
  return drawn.every((point) => point !== null) ? distanceToOutline(drawn as Point[], screen) : Infinity;
}

// The line of sight that a finger means, where it is near one.
export function sightAt(surface: Surface, sights: SightLine[], screen: Point): SightLine | null {
  const far = ({ points }: SightLine): number => {
    const drawn = points.map((point) => surface.screenOf(point, surface.heightOf(point)));
    const known = drawn.filter((point) => point !== null) as Point[];
    return known.length > 1 ? Math.abs(distanceToOutline([...known, ...[...known].reverse()], screen)) : Infinity;
  };
  const best = sights.map((sight) => ({ sight, far: far(sight) })).sort((a, b) => a.far - b.far)[0];
  return best !== undefined && best.far < LINE_PX ? best.sight : null;
}

export interface Aiming {
  board(): Board | null;
  aim(at: Point | null, from: Found | null, found: Found | null): void; // while the finger is down; null: lifted
  drop(from: Thing, to: Thing): void;
}

// A drag that starts on a thing draws a line from it to another; one that starts beside all things moves the ground.
export function aiming(surface: Surface, told: Aiming): { stop: () => void; justDragged: () => boolean } {
  const element = surface.map.getContainer();
  let last = -Infinity;
  const screenOf = (event: PointerEvent): Point => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const down = (event: PointerEvent): void => {
    const board = told.board();
    if (board === null || !event.isPrimary || event.button > 0) return;
    const from = foundAt(surface, board, screenOf(event))[0];
    if (from === undefined || !("unit" in from.thing || "piece" in from.thing)) return;
    const above = event.pointerType === "mouse" ? 0 : ABOVE_PX;
    let to: Found | null = null;
    surface.map.dragging.disable();
    follow(
      event,
      (now) => {
        const [x, y] = screenOf(now);
        const at: Point = [x, y - above];
        to = foundAt(surface, board, at)[0] ?? null;
        told.aim(at, from, to);
      },
      (movedAtAll, whole) => {
        surface.map.dragging.enable();
        told.aim(null, null, null);
        if (!movedAtAll) return;
        last = performance.now();
        if (whole && to !== null) told.drop(from.thing, to.thing);
      },
    );
  };
  element.addEventListener("pointerdown", down);
  surface.map.doubleClickZoom.disable(); // two quick taps are two things
  const stop = (): void => {
    element.removeEventListener("pointerdown", down);
    surface.map.doubleClickZoom.enable();
  };
  return { stop, justDragged: () => performance.now() - last < 120 };
}
