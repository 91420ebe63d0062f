import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { game, unitId } from "../../game";
import type { Point } from "../../geometry";
import { photo } from "../../measure";
import { words } from "../../words";
import { Icon } from "../icons";
import { allShapes, over, touched } from "./layer";
import { PhotoBoard } from "./photo";

const say = words.measure;
const STEP = 0.8;

// The part of an element that bars and sheets cover, in pixels.
function coveredOf(element: HTMLElement): { top: number; right: number; bottom: number } {
  const box = element.getBoundingClientRect();
  const of = (name: string): DOMRect | undefined => document.querySelector(name)?.getBoundingClientRect();
  const [above, below, sheet] = [of(".top-bar"), of(".bar"), of(".sheet")];
  const beside = sheet !== undefined && sheet.width < 0.7 * box.width && sheet.top < 0.3 * box.height;
  const lowest = sheet !== undefined && !beside ? Math.min(sheet.top, below?.top ?? box.bottom) : (below?.top ?? box.bottom);
  return { top: (above?.bottom ?? box.top) - box.top, right: beside ? box.right - sheet.left : 0, bottom: box.bottom - lowest };
}

export function PhotoGround(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<PhotoBoard | null>(null);
  const [url, lens] = [photo.value?.url ?? null, photo.value?.lens ?? null];
  const fit = (): void => {
    const now = game.peek()?.board;
    if (now && place.current) made.current?.fit(coveredOf(place.current), now);
  };
  useEffect(() => {
    const element = place.current;
    if (element === null || url === null || lens === null) return;
    const board = new PhotoBoard(element, url, lens, (screen: Point) => void touched(board, screen));
    made.current = board;
    fit();
    const first = window.setTimeout(fit, 60); // once the sheet has its height
    const stops = [
      effect(() => {
        const now = game.value?.board;
        if (now) board.drawBoard(now, unitId.value);
      }),
      effect(() => {
        if (game.value) board.draw(allShapes.value);
      }),
      over(board),
    ];
    const watch = new ResizeObserver(() => board.resize());
    watch.observe(element);
    return () => {
      window.clearTimeout(first);
      stops.forEach((stop) => stop());
      watch.disconnect();
      board.destroy();
      made.current = null;
    };
  }, [url, lens === null]);
  if (url === null || lens === null) {
    return <div class="board measure-ground none" data-test="no-photo"><p class="quiet">{url === null ? say.noPhoto : say.noLens}</p></div>;
  }
  return (
    <>
      <div class="board measure-ground" ref={place} role="application" aria-label={say.photoName} data-test="photo-ground" />
      <div class="measure-zoom" role="group">
        <button class="round" aria-label={words.game.fit} data-test="photo-fit" onClick={() => fit()}>
          <Icon name="fit" />
        </button>
        <button class="round" aria-label={say.zoomIn} data-test="photo-in" onClick={() => made.current?.zoom(STEP)}>
          <Icon name="plus" />
        </button>
        <button class="round" aria-label={say.zoomOut} data-test="photo-out" onClick={() => made.current?.zoom(-STEP)}>
          <Icon name="minus" />
        </button>
      </div>
    </>
  );
}
