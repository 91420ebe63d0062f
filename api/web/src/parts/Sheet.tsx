import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { holdStill } from "../touch";

// The visible part of the sheet: its head, half of the screen, or nearly all. Drag its handle, or tap it.
type Stop = "low" | "half" | "full";
const STOPS: Record<Stop, number> = { low: 0.17, half: 0.42, full: 0.86 };
const ORDER: Stop[] = ["low", "half", "full"];
export const stop = signal<Stop>("half");

const nearest = (part: number): Stop =>
  ORDER.reduce((best, one) => (Math.abs(STOPS[one] - part) < Math.abs(STOPS[best] - part) ? one : best));

interface SheetProps {
  label: string;
  children: ComponentChildren;
  look?: string;
  unit?: string;
}

export function Sheet({ label, children, look = "", unit }: SheetProps): JSX.Element {
  const place = useRef<HTMLElement>(null);
  const grab = (event: PointerEvent): void => {
    const element = place.current as HTMLElement;
    const handle = event.currentTarget as HTMLElement;
    const start = event.clientY;
    const height = element.getBoundingClientRect().height;
    const letGo = holdStill();
    let moved = false;
    handle.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent): void => {
      moved ||= Math.abs(next.clientY - start) > 6;
      if (moved) element.style.height = `${height + start - next.clientY}px`;
    };
    const up = (next: PointerEvent): void => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", up);
      handle.removeEventListener("pointercancel", up);
      letGo();
      element.style.height = "";
      if (moved) stop.value = nearest((height + start - next.clientY) / window.innerHeight);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", up);
    handle.addEventListener("pointercancel", up);
  };

  const step = (): void => {
    stop.value = ORDER[(ORDER.indexOf(stop.value) + 1) % ORDER.length] as Stop;
  };

  return (
    <section class={`sheet ${stop.value} ${look}`} ref={place} aria-label={label} data-test="sheet" data-unit={unit}>
      <div class="sheet-handle" onPointerDown={grab} onDblClick={step}>
        <i />
      </div>
      {children}
    </section>
  );
}
