import { effect, signal, untracked } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ask } from "../../client";
import { game, tableSeq, unitId } from "../../game";
import type { Shape, Tapped } from "../../boardview";
import { GameBoard } from "../../gameboard";
import type { Point } from "../../geometry";
import { HANDLE_PX } from "../../ghosts";
import { draft, ghost, judgeSoon, middleIs, moveTo, pane, photo, points, result, setPoint, tap, targets, wantsOutline, wantsPlace } from "../../play";
import type { PhotoGroundOut } from "../../schema";
import { words } from "../../words";
import { Patterns } from "../Patterns";
import { extras } from "./extras";
import { GamePatterns } from "./GamePatterns";

let current: GameBoard | null = null;
export const gameBoard = (): GameBoard | null => current;

export const onPhoto = signal(false);

// A table of which no photo was taken is unknown or has none: then there is nothing to lay under the map.
async function lookForPhoto(of: string): Promise<void> {
  const found = await ask<PhotoGroundOut>("GET", `/games/${of}/photo`).catch(() => null);
  photo.value = found?.map_url && found.map_bounds ? { url: found.map_url, bounds: found.map_bounds } : null;
}

const touched = (tapped: Tapped): void => {
  if (extras.some((extra) => extra.id === pane.value && extra.tap?.(tapped))) return;
  const spare = draft.value === null && tapped.piece === null && !targets.value.has(tapped.cell?.id ?? "");
  if (spare && extras.some((extra) => extra.spare?.(tapped))) return;
  tap(tapped);
};

// What is being drawn, as far as it goes.
const outlineOf = (all: Point[], kind: "ring" | "line" | null): Shape[] =>
  kind === null || all.length < 2 ? [] : [kind === "ring" && all.length > 2 ? { outline: all, class: "drawn-outline" } : { line: all, class: "drawn-outline" }];

export function GameMap(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const seen = (): void => {
      const at = ghost.peek()?.pieces[0]?.center;
      if (at && current === made) made.reveal(at, HANDLE_PX + 28);
    };
    const dropped = (): void => {
      judgeSoon(0);
      seen();
    };
    const heard = { tap: touched, dragging: moveTo, dropped, pointing: setPoint };
    const names = { move: words.game.moveHandle, turn: words.game.turnHandle, point: words.game.pointHandle };
    const made = new GameBoard(place.current as HTMLDivElement, heard, names);
    current = made;
    middleIs(() => made.centre());
    const stops = [
      effect(() => {
        const now = tableSeq.value > 0 ? untracked(() => game.value?.id) : undefined;
        if (now === undefined) photo.value = null;
        else void lookForPhoto(now);
      }),
      effect(() => {
        const now = game.value;
        if (now === null) return;
        made.draw({
          board: now.board,
          photo: onPhoto.value ? photo.value : null,
          unit: unitId.value,
          marked: extras.some((extra) => extra.id === pane.value && extra.bare) ? new Map() : targets.value,
          ghost: ghost.value,
          points: points.value ?? [],
        });
      }),
      effect(() => made.overlay("outline", outlineOf(points.value.filter((at) => at !== null), wantsOutline.value))),
      effect(() => {
        const unit = unitId.value;
        const lead = untracked(() => game.value?.board.pieces.find((piece) => piece.unit === unit));
        // after the sheet has found its height
        if (lead) window.setTimeout(() => current === made && made.reveal(lead.center), 260);
      }),
      effect(() => {
        if (draft.value?.option && wantsPlace.value) window.setTimeout(seen, 260);
      }),
    ];
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(place.current as HTMLDivElement);
    const first = window.setTimeout(() => made.fit(false), 80); // once the sheet stands
    return () => {
      window.clearTimeout(first);
      stops.forEach((stop) => stop());
      watch.disconnect();
      made.destroy();
      current = null;
      photo.value = null;
      onPhoto.value = false;
      result.value = null;
    };
  }, []);
  return (
    <>
      <Patterns />
      <GamePatterns />
      <div class="board" ref={place} role="application" aria-label={words.game.boardName(game.value?.title ?? "")} />
    </>
  );
}
