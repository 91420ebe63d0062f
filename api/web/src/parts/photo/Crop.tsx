import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { between, boxOf, type Point } from "../../geometry";
import { lensOf } from "../../lens";
import type { PictureOut } from "../../schema";
import { words } from "../../words";
import type { Mark } from "./asking";
import { ground, look, whole } from "./turn";

const say = words.photo;

interface Spot {
  url: string;
  width: number; // of the picture as drawn, in pixels
  height: number;
  at: Point; // in it
}

const FLAT_PER_INCH = 26;

// A place of the table in a picture of the photo, whole or a part, in the picture's pixels.
export function onPicture({ part, width, height }: PictureOut, at: Point): Point | null {
  const lens = ground.value?.lens ?? null;
  const pixel = lens === null ? null : lensOf(lens).project([...at, 0]);
  if (part == null || lens === null || pixel === null) return null;
  const [left, top, right, bottom] = part;
  const put = (value: number, of: number, from: number, to: number, size: number): number => (((value + 0.5) / of - from) / (to - from)) * size - 0.5;
  return [put(pixel[0], lens.width, left, right, width), put(pixel[1], lens.height, top, bottom, height)];
}

// A place of the table on the photo with its bases drawn in, or on the map where no lens is known.
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

const AROUND_PX = 44; // of the picture that is shown around the marks
const LEAST_SCALE = 0.2;
const HIGH_PX = [140, 140, 140, 100, 72]; // by the rows of answers below, so that all are in sight on a phone
const NEAR_PX = 30;

interface CropProps {
  marks: Mark[];
  what: string;
  rows?: number;
  picked?: (mark: Mark) => boolean; // whether a tap on it was used
}

// The part of the photo in question, with its letters; a tap beside them opens the whole photo.
export function Crop({ marks, what, rows = 4, picked }: CropProps): JSX.Element | null {
  const box = useRef<HTMLButtonElement>(null);
  const [room, setRoom] = useState<Point>([350, 150]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setRoom([element.clientWidth, element.clientHeight]));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const spots = marks.flatMap((mark) => {
    const spot = spotOf(mark.at);
    return spot === null ? [] : [{ mark, spot }];
  });
  const first = spots[0]?.spot;
  if (first === undefined) return null;
  const [west, north, east, south] = boxOf(spots.map(({ spot }) => spot.at));
  const scale = within(Math.min(room[0] / (east - west + 2 * AROUND_PX), room[1] / (south - north + 2 * AROUND_PX)), LEAST_SCALE, 1);
  const [width, height] = [scale * first.width, scale * first.height];
  const left = within((scale * (west + east) - room[0]) / 2, 0, Math.max(0, width - room[0]));
  const top = within((scale * (north + south) - room[1]) / 2, 0, Math.max(0, height - room[1]));
  const shown = spots.map(({ mark, spot }) => ({ mark, at: [scale * spot.at[0] - left, scale * spot.at[1] - top] as Point }));
  const tap = ({ offsetX, offsetY }: MouseEvent): void => {
    const near = shown.find(({ at }) => between(at, [offsetX, offsetY]) <= NEAR_PX);
    if (near === undefined || !picked?.(near.mark)) whole.value = true;
  };
  return (
    <button class="photo-crop" ref={box} style={{ height: `${HIGH_PX[rows] ?? 72}px` }} data-test="photo-crop" onClick={tap}>
      <span class="unseen">{say.cropName(what)}</span>
      <img src={first.url} alt="" draggable={false} style={{ width: `${width}px`, height: `${height}px`, transform: `translate(${-left}px, ${-top}px)` }} />
      {shown.map(({ mark, at }) =>
        mark.letter === "" ? (
          <i key={mark.id} class="photo-spot" style={{ left: `${at[0]}px`, top: `${at[1]}px` }} />
        ) : (
          <b key={mark.id} class="photo-letter" style={{ left: `${at[0]}px`, top: `${at[1]}px` }}>{mark.letter}</b>
        ),
      )}
    </button>
  );
}
