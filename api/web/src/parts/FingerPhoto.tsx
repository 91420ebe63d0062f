// A photo to pan and to pinch, with points on it that a finger drags, also beyond its edges: a loupe shows the place under
// the finger. All places are shares of the photo's width and height from its top left corner.

import L from "leaflet";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { between, boxOf, depthIn, type Point } from "../geometry";
import { follow } from "../touch";
import "./finger-photo.css";

export interface Knob {
  at: Point;
  name: string; // as it is read out
  label: string; // beside it
}
export interface PhotoShape {
  points: Point[];
  look: string;
  closed?: boolean;
  guide?: boolean; // seen only while a finger drags
}

interface FingerPhotoProps {
  url: string;
  size: Point; // of the photo, in pixels
  name: string;
  knobs: Knob[];
  shapes: PhotoShape[];
  snaps: Point[]; // points that attract a knob near them
  move: (knob: number, at: Point) => void;
  pen?: Pen;
  see?: Point[]; // the places to zoom in on where they are small
}

// A finger that draws on the photo; two fingers move and zoom it.
export interface Pen {
  begins: (at: Point, depth: Depth) => boolean; // whether a finger draws from here, or moves the photo
  draws: (way: Point[]) => void;
  drawn: (way: Point[], whole: boolean) => void; // whole: not interrupted by a second finger
  taps: (at: Point, depth: Depth) => void;
}
export type Depth = (outline: Point[]) => number; // how deep in an outline a finger is, in screen pixels; negative outside

const [MARGIN_PX, EDGE_PX] = [40, 4]; // around the photo and its points; if no point is dragged beyond it
const KNOB_PX = 24; // half of a point's width
const SNAP_PX = 14;
const STEP_PX = 3; // between the points of a drawn line
const SMALL = 0.45; // of the photo's place on the screen
const CLOSE = 0.62; // the share of it that is filled after zooming in
const LOUPE_PX = 132;
const LOUPE_TIMES = 3;
const KEY_PX = 1;
const ARROWS: Record<string, Point> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function FingerPhoto({ url, size, name, knobs, shapes, snaps, move, pen, see }: FingerPhotoProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<L.Map | null>(null);
  const [, setSeen] = useState(0); // counts how often the photo was moved or zoomed
  const [held, setHeld] = useState<number | null>(null);
  const [tip, setTip] = useState<Point | null>(null); // where a finger draws
  const hand = useRef(pen);
  hand.current = pen;
  const before = useRef<[L.LatLng, number] | null>(null); // the view before zooming in
  const [width, height] = size;
  const fit = (on: L.Map): void => {
    const xs = [0, 1, ...knobs.map(({ at }) => at[0])];
    const ys = [0, 1, ...knobs.map(({ at }) => at[1])];
    const corner = (x: number, y: number): L.LatLngTuple => [height * (1 - y), width * x];
    on.fitBounds([corner(Math.min(...xs), Math.max(...ys)), corner(Math.max(...xs), Math.min(...ys))], { animate: false, padding: pen ? [EDGE_PX, EDGE_PX] : [MARGIN_PX, MARGIN_PX] });
  };
  useEffect(() => {
    if (place.current === null) return;
    const made = L.map(place.current, {
      crs: L.CRS.Simple, attributionControl: false, zoomControl: false, zoomSnap: 0, minZoom: -6, maxZoom: 3, tapHold: false, zoomAnimation: false, keyboard: false,
    });
    L.imageOverlay(url, [[0, 0], [height, width]], { alt: name }).addTo(made);
    fit(made);
    made.on("move zoom resize", () => setSeen((count) => count + 1));
    setMap(made);
    const watch = new ResizeObserver(() => made.invalidateSize({ animate: false }));
    watch.observe(place.current);
    return () => {
      watch.disconnect();
      made.remove();
    };
  }, [url]);
  const screenOf = ([x, y]: Point): Point => {
    const at = map?.latLngToContainerPoint([height * (1 - y), width * x]);
    return at ? [at.x, at.y] : [0, 0];
  };
  const placeAt = ([x, y]: Point): Point => {
    const at = map?.containerPointToLatLng([x, y]);
    return at ? [at.lng / width, 1 - at.lat / height] : [0, 0];
  };
  // Points out of view are brought into view once no finger is on them.
  useEffect(() => {
    const room = map?.getSize();
    const isSeen = ([x, y]: Point): boolean => room === undefined || (x >= KNOB_PX && y >= KNOB_PX && x <= room.x - KNOB_PX && y <= room.y - KNOB_PX);
    if (map !== null && pen === undefined && held === null && !knobs.every(({ at }) => isSeen(screenOf(at)))) fit(map);
  }, [map, held, knobs.flatMap(({ at }) => at).join()]);
  const drag = (knob: number, event: PointerEvent): void => {
    const [from, start] = [[event.clientX, event.clientY] as Point, screenOf(knobs[knob]?.at ?? [0, 0])];
    setHeld(knob);
    follow(
      event,
      (now) => {
        const to: Point = [start[0] + now.clientX - from[0], start[1] + now.clientY - from[1]];
        const near = snaps.map((at) => ({ at, far: between(screenOf(at), to) })).sort((a, b) => a.far - b.far)[0];
        move(knob, near !== undefined && near.far < SNAP_PX ? near.at : placeAt(to));
      },
      () => setHeld(null),
    );
  };
  const draw = (event: PointerEvent): void => {
    const room = place.current?.getBoundingClientRect();
    if (map === null || room === undefined || !event.isPrimary || event.button !== 0) return;
    const onScreen = ({ clientX, clientY }: PointerEvent): Point => [clientX - room.left, clientY - room.top];
    const [start, photo] = [onScreen(event), map];
    if (!hand.current?.begins(placeAt(start), (way) => depthIn(way.map(screenOf), start))) return;
    let [last, whole] = [start, true];
    const way = [placeAt(start)];
    const second = (other: PointerEvent): void => {
      if (!other.isPrimary) whole = false;
    };
    photo.dragging.disable();
    window.addEventListener("pointerdown", second, true);
    follow(
      event,
      (now) => {
        const to = onScreen(now);
        if (!whole || between(last, to) < STEP_PX) return;
        last = to;
        way.push(placeAt(to));
        setTip(placeAt(to));
        hand.current?.draws([...way]);
      },
      (movedAtAll, letGo) => {
        window.removeEventListener("pointerdown", second, true);
        photo.dragging.enable();
        setTip(null);
        if (movedAtAll) hand.current?.drawn(way, whole && letGo);
      },
    );
  };
  useEffect(() => {
    if (map === null || pen === undefined) return;
    const element = map.getContainer();
    const tapped = ({ containerPoint: { x, y } }: L.LeafletMouseEvent): void =>
      hand.current?.taps(placeAt([x, y]), (way) => depthIn(way.map(screenOf), [x, y]));
    const begin = (event: PointerEvent): void => latest.current(event);
    element.addEventListener("pointerdown", begin, true);
    map.on("click", tapped);
    return () => {
      element.removeEventListener("pointerdown", begin, true);
      map.off("click", tapped);
    };
  }, [map, pen === undefined]);
  const latest = useRef(draw);
  latest.current = draw;
  // Zoom in on small places; afterwards the photo is shown as before.
  useEffect(() => {
    if (map === null) return;
    if (!see?.length) {
      if (before.current !== null) map.setView(...before.current, { animate: false });
      before.current = null;
      return;
    }
    const [left, top, right, bottom] = boxOf(see.map(screenOf));
    const { x, y } = map.getSize();
    const part = Math.max((right - left) / x, (bottom - top) / y);
    if (part > SMALL && left > 0 && top > 0 && right < x && bottom < y) return;
    before.current ??= [map.getCenter(), map.getZoom()];
    const [middle, times] = [map.containerPointToLatLng([(left + right) / 2, (top + bottom) / 2]), part > SMALL ? 1 : CLOSE / Math.max(part, 0.02)];
    map.setView(middle, Math.min(map.getZoom() + Math.log2(times), 1.5), { animate: false });
  }, [map, see?.flat().join()]);
  const holding = tip ?? (held === null ? undefined : knobs[held]?.at);
  const drawn = shapes.filter(({ guide }) => !guide || held !== null);
  const path = ({ points }: PhotoShape): string => points.map((at) => screenOf(at).map((value) => value.toFixed(1)).join()).join(" ");
  return (
    <div class="finger-photo" data-test="finger-photo">
      <div class="finger-map" ref={place} role="application" aria-label={name} />
      {map !== null && (
        <>
          <svg class="finger-shapes" aria-hidden="true">
            {drawn.map((shape, n) => (shape.closed ? <polygon key={n} class={shape.look} points={path(shape)} /> : <polyline key={n} class={shape.look} points={path(shape)} />))}
          </svg>
          {knobs.map(({ at, name: called, label }, knob) => {
            const [x, y] = screenOf(at);
            return (
              <button
                key={called}
                class={`knob ${held === knob ? "held" : ""}`}
                style={{ left: `${x}px`, top: `${y}px` }}
                aria-label={called}
                data-test={`knob-${knob}`}
                onPointerDown={(event) => drag(knob, event)}
                onKeyDown={(event) => {
                  const arrow = ARROWS[event.key];
                  if (arrow === undefined) return;
                  event.preventDefault();
                  move(knob, placeAt([x + KEY_PX * arrow[0], y + KEY_PX * arrow[1]]));
                }}
              >
                <span>{label}</span>
              </button>
            );
          })}
          {holding && <Loupe url={url} size={size} at={holding} right={screenOf(holding)[0] < (place.current?.clientWidth ?? 0) / 2} times={LOUPE_TIMES * 2 ** map.getZoom()} shapes={drawn} />}
        </>
      )}
    </div>
  );
}

interface LoupeProps {
  url: string;
  size: Point;
  at: Point;
  right: boolean; // whether it is on the right, away from the finger
  times: number; // pixels of the screen to one of the photo
  shapes: PhotoShape[];
}

function Loupe({ url, size: [width, height], at, right, times, shapes }: LoupeProps): JSX.Element {
  const put = ([x, y]: Point): Point => [LOUPE_PX / 2 + (x - at[0]) * width * times, LOUPE_PX / 2 + (y - at[1]) * height * times];
  const [left, top] = put([0, 0]);
  return (
    <div class={`loupe ${right ? "right" : ""}`} style={{ width: `${LOUPE_PX}px`, height: `${LOUPE_PX}px` }} aria-hidden="true" data-test="loupe">
      <img src={url} alt="" style={{ width: `${width * times}px`, height: `${height * times}px`, transform: `translate(${left}px, ${top}px)` }} />
      <svg>
        {shapes.map((shape, n) => {
          const points = shape.points.map((point) => put(point).join()).join(" ");
          return shape.closed ? <polygon key={n} class={shape.look} points={points} /> : <polyline key={n} class={shape.look} points={points} />;
        })}
        <path class="loupe-cross" d={`M${LOUPE_PX / 2} 0v${LOUPE_PX}M0 ${LOUPE_PX / 2}h${LOUPE_PX}`} />
      </svg>
    </div>
  );
}
