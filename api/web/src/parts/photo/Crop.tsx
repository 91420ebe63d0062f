import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Point } from "../../geometry";
import { lensOf } from "../../lens";
import type { PictureOut } from "../../schema";
import { words } from "../../words";
import { ground, look, whole } from "./turn";

const say = words.photo;

interface Spot {
  url: string;
  width: number; // of the picture as drawn, in pixels
  height: number;
  at: Point; // in it
}

const FLAT_PER_INCH = 26;

// Where a place of the table is on a picture of the photo, whole or a part, in the picture's pixels.
export function onPicture({ part, width, height }: PictureOut, at: Point): Point | null {
  const lens = ground.value?.lens ?? null;
  const pixel = lens === null ? null : lensOf(lens).project([...at, 0]);
  if (part == null || lens === null || pixel === null) return null;
  const [left, top, right, bottom] = part;
  const put = (value: number, of: number, from: number, to: number, size: number): number => (((value + 0.5) / of - from) / (to - from)) * size - 0.5;
  return [put(pixel[0], lens.width, left, right, width), put(pixel[1], lens.height, top, bottom, height)];
}

// A place of the table on the photo with what was found drawn in, or on the map where no lens is known.
export function spotOf(at: Point): Spot | null {
  const under = ground.value;
  const picture = look.value?.annotated;
  if (under === null) return null;
  const shown = picture ? onPicture(picture, at) : null;
  if (picture && shown) return { url: picture.url, width: picture.width, height: picture.height, at: shown };
  if (under.map_url === null || under.map_bounds === null) return null;
  const [[left, low], [right, high]] = under.map_bounds;
  const size: Point = [(right - left) * FLAT_PER_INCH, (high - low) * FLAT_PER_INCH];
  return { url: under.map_url, width: size[0], height: size[1], at: [(at[0] - left) * FLAT_PER_INCH, (high - at[1]) * FLAT_PER_INCH] };
}

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

export function Crop({ at, what }: { at: Point; what: string }): JSX.Element | null {
  const box = useRef<HTMLButtonElement>(null);
  const [room, setRoom] = useState<Point>([350, 150]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setRoom([element.clientWidth, element.clientHeight]));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const spot = spotOf(at);
  if (spot === null) return null;
  const left = within(spot.at[0] - room[0] / 2, 0, Math.max(0, spot.width - room[0]));
  const top = within(spot.at[1] - room[1] / 2, 0, Math.max(0, spot.height - room[1]));
  return (
    <button class="photo-crop" ref={box} aria-label={say.cropName(what)} data-test="photo-crop" onClick={() => (whole.value = true)}>
      <img
        src={spot.url}
        alt=""
        draggable={false}
        style={{ width: `${spot.width}px`, height: `${spot.height}px`, transform: `translate(${-left}px, ${-top}px)` }}
      />
      <i class="photo-spot" style={{ left: `${spot.at[0] - left}px`, top: `${spot.at[1] - top}px` }} />
    </button>
  );
}
