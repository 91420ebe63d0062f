import { effect, untracked } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Board } from "../board";
import { between } from "../geometry";
import {
  baseId, changeBase, correct, correcting, dragText, shotTarget, showUnit, table, tapBase, tapGround, unitId, view,
} from "../store";
import { text } from "../text";

let current: Board | null = null;
export const board = (): Board | null => current;

export function MapView(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const made = new Board(place.current as HTMLDivElement, {
      tapBase,
      tapGround,
      holdBase: (base) => {
        if (base.unit !== null) void showUnit(base.unit);
        correct(true, base.id);
      },
      dragging: (_base, from, to) => {
        const gone = between(from.center, to.center);
        dragText.value = gone > 0 ? text.moved(gone) : text.turned(to.facing);
      },
      dropped: (base, _from, to, what) => {
        dragText.value = null;
        baseId.value = base.id;
        void changeBase(base.id, what === "move" ? { center: to.center } : { facing: to.facing });
      },
      dragCancelled: () => (dragText.value = null),
    });
    current = made;
    const stop = effect(() => {
      const shown = table.value;
      if (!shown) return;
      made.draw({
        table: shown,
        view: view.value,
        unit: unitId.value,
        target: shotTarget.value,
        base: baseId.value,
        correcting: correcting.value,
      });
    });
    const reveal = effect(() => {
      const [unit, chosen] = [unitId.value, baseId.value];
      const bases = untracked(() => table.value?.bases ?? []);
      const lead =
        bases.find((base) => base.id === chosen) ??
        bases.find((base) => base.unit === unit && base.unique) ??
        bases.find((base) => base.unit === unit);
      if (unit === null && chosen === null) return;
      // after the sheet has found its height
      if (lead) window.setTimeout(() => current === made && made.reveal(lead.center), 260);
    });
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(place.current as HTMLDivElement);
    return () => {
      stop();
      reveal();
      watch.disconnect();
      made.destroy();
      current = null;
    };
  }, []);
  return <div class="board" ref={place} role="application" aria-label={text.mapName} />;
}
