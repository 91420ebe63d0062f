// Following fingers across the screen.

import { between, type Point } from "./geometry";

const SLOP_PX = 9;

const place = (event: PointerEvent): Point => [event.clientX, event.clientY];

// While a finger drags something of ours the browser must see no fling in it, or it swallows the next tap.
export function holdStill(): () => void {
  const still = (touch: TouchEvent): void => touch.preventDefault();
  window.addEventListener("touchmove", still, { passive: false });
  return () => window.removeEventListener("touchmove", still);
}

// From finger down to finger up: `moved` after the first few pixels, then `ended` once, with whether it moved at all
// and whether the touch ended normally, not cancelled by the browser.
export function follow(
  event: PointerEvent,
  moved: (now: PointerEvent) => void,
  ended: (movedAtAll: boolean, whole: boolean) => void,
): void {
  const start = place(event);
  const letGo = holdStill();
  let live = false;
  const move = (next: PointerEvent): void => {
    if (next.pointerId !== event.pointerId) return;
    live ||= between(start, place(next)) >= SLOP_PX;
    if (live) moved(next);
  };
  const end = (next: PointerEvent): void => {
    if (next.pointerId !== event.pointerId) return;
    letGo();
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
    window.removeEventListener("pointercancel", end);
    ended(live, next.type === "pointerup");
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}
