import { effect, untracked } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Board } from "../board";
import { between, boxOf } from "../geometry";
import {
  changePiece, chooseCorner, cornerAt, drawing, finish, piece, removeCorner, shiftBy, stepCorner, tapMap, tool, turnBy,
} from "../ground";
import {
  baseId, changeBase, correct, correcting, dragText, shotTarget, showUnit, table, tapBase, tapGround, unitId, view,
} from "../store";
import { text } from "../text";
import { Patterns } from "./Patterns";

let current: Board | null = null;
export const board = (): Board | null => current;

export function MapView(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const made = new Board(place.current as HTMLDivElement, {
      tapBase,
      tapGround: (at, pxPerInch) => (tool.value === null ? tapGround() : tapMap(at, pxPerInch)),
      closeOutline: () => void finish(),
      draggingCorner: (at, of, pxPerInch) => {
        const to = cornerAt(at, of, pxPerInch);
        dragText.value = text.terrain.dragged(...to);
        return to;
      },
      shifting: (by, of, pxPerInch) => {
        const to = shiftBy(by, of, pxPerInch);
        dragText.value = text.moved(Math.hypot(...to));
        return to;
      },
      turning: (by, of) => {
        const to = turnBy(by, of);
        dragText.value = text.turned(((of.rect?.angle ?? 0) + to + 720) % 360);
        return to;
      },
      chooseCorner,
      stepCorner,
      removeCorner,
      reshaped: (one, wish) => {
        dragText.value = null;
        void changePiece(one, wish);
      },
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
        tool: tool.value,
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
    const revealPiece = effect(() => {
      const chosen = piece.value?.id;
      const outline = untracked(() => piece.value?.polygon ?? []);
      if (chosen === undefined) return;
      const [left, near, right, far] = boxOf(outline);
      window.setTimeout(() => current === made && piece.value?.id === chosen && made.reveal([(left + right) / 2, (near + far) / 2]), 260);
    });
    const whole = effect(() => {
      if (drawing.value?.points.length === 0) window.setTimeout(() => current === made && made.fitUnlessClose(), 60);
    });
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(place.current as HTMLDivElement);
    return () => {
      stop();
      reveal();
      revealPiece();
      whole();
      watch.disconnect();
      made.destroy();
      current = null;
    };
  }, []);
  return (
    <>
      <Patterns />
      <div class="board" ref={place} role="application" aria-label={text.mapName} />
    </>
  );
}
