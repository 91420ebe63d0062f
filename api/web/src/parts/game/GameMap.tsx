import { computed, effect, signal, untracked } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ask } from "../../client";
import { able, game, tableSeq, unitId } from "../../game";
import type { Ghost, Shape, Tapped } from "../../boardview";
import { GameBoard } from "../../gameboard";
import { middleOf, type Place, type Point } from "../../geometry";
import { HELD_PX } from "../../ghosts";
import { corner, cornerAt, mayLose, onTable, type Outlined, shiftBy, turnBy } from "../../terrain/outlines";
import {
  draft, dropPoint, ghost, judgeSoon, layUnder, middleIs, moveTo, oneBase, outlined, pane, photo, placeCorner, placing, points, result, setOutline, setPoint, tap, targetOdds, targets, wantsOutline,
} from "../../play";
import { wanted, wantedAbout, wantedGhost } from "../../opponents";
import { rectOf } from "../../terrain/rectangles";
import type { PhotoGroundOut } from "../../schema";
import { words } from "../../words";
import { Patterns } from "../Patterns";
import { stop } from "../Sheet";
import { type Extra, extras } from "./extras";
import { GamePatterns } from "./GamePatterns";

let current: GameBoard | null = null;
export const gameBoard = (): GameBoard | null => current;

// Whether no detail is open, and the sheet leaves room for the whole table.
const idle = computed(() => ["turn", "measure"].includes(pane.value) && stop.value !== "full" && unitId.value === null && draft.value === null);

export const onPhoto = signal(false);
export const dragText = signal<string | null>(null); // how far a finger has dragged something

// A table without a photo is unknown to the server or has none: then there is no photo to draw under the map.
async function lookForPhoto(of: string): Promise<void> {
  layUnder(await ask<PhotoGroundOut>("GET", `/games/${of}/photo`).catch(() => null));
}

const opened = (): Extra | undefined => extras.find(({ id }) => id === pane.value);

// The piece that is held on the board, by the open sheet or by the action, and where a finger puts it.
const held = (): Ghost | null => opened()?.holds?.ghost() ?? ghost.value ?? wantedGhost.value;
const heldTo = (to: Place): void => {
  const holds = opened()?.holds;
  if (holds?.ghost()) holds.moveTo(to);
  else moveTo(to);
};

const touched = (tapped: Tapped): void => {
  if (opened()?.tap?.(tapped)) return;
  const spare = draft.value === null && tapped.piece === null && !targets.value.has(tapped.cell?.id ?? "");
  if (spare && extras.some((extra) => extra.spare?.(tapped))) return;
  tap(tapped);
};

// The unfinished outline.
function outlineOf(now: Outlined | null): Shape[] {
  if (now === null || now.points.length < 2) return [];
  const shape = { class: "drawn-outline" };
  const all: Shape[] = [now.closed && now.points.length > 2 ? { ...shape, outline: now.points } : { ...shape, line: now.points }];
  return now.carried ? [...all, { ...shape, outline: now.carried }] : all;
}

// Points that a computer names; two are the ends of a line.
const pointed = (points: Point[]): Shape[] => [
  ...(points.length > 1 ? [{ class: "pointed-line", line: points }] : []),
  ...points.map((at) => ({ class: "pointed", at })),
];

// The reactions of an outline's handles to fingers, with its texts.
const outlining = {
  cornering: (at: Point, pxPerInch: number): Point => {
    const [now, board] = [outlined.peek(), game.peek()?.board];
    const to = now && board ? cornerAt(at, board, now, pxPerInch) : at;
    dragText.value = words.game.dragged(...to);
    return to;
  },
  shifting: (by: Point, outline: Point[], pxPerInch: number): Point => {
    const [now, board] = [outlined.peek(), game.peek()?.board];
    const to = now && board ? shiftBy(by, outline, board, now, pxPerInch) : by;
    dragText.value = words.game.moved(Math.hypot(...to));
    return to;
  },
  turning: (by: number, outline: Point[]): number => {
    const to = turnBy(by, outline);
    dragText.value = words.game.turned(((rectOf(outline)?.angle ?? 0) + to + 720) % 360);
    return to;
  },
  outlined: setOutline,
  outlineDropped: (): void => {
    dragText.value = null;
    judgeSoon(0);
  },
  chooseCorner: (index: number): void => {
    corner.value = corner.value === index ? null : index;
  },
  stepCorner: (index: number, [dx, dy]: Point): void => {
    const [at, board] = [outlined.value?.points[index], game.value?.board];
    if (at && board) placeCorner(index, onTable([at[0] + dx, at[1] + dy], board));
  },
  removeCorner: (index: number): void => {
    if (outlined.value && mayLose(outlined.value)) dropPoint(index);
  },
};

const WANTED_PX = 30; // of margin around the things that a computer's action names
const isHigh = (): boolean => window.innerHeight > window.innerWidth;

export function GameMap(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const seen = (): void => {
      const at = untracked(held)?.pieces[0]?.center;
      if (at) made.reveal([at], HELD_PX);
    };
    const seeWanted = (): void => {
      const places = untracked(() => wantedAbout.value?.places ?? []);
      if (!made.shows(places)) made.reveal(places, WANTED_PX);
    };
    const dropped = (): void => judgeSoon(0);
    const heard = { tap: touched, dragging: heldTo, dropped, pointing: setPoint, ...outlining };
    const { moveHandle: move, turnHandle: turn, pointHandle: point, ...say } = words.game;
    const names = { move, turn, point, corner: say.cornerHandle, newCorner: say.newCorner, moveAll: say.moveAll, turnAll: say.turnAll };
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
        const about = wantedAbout.value;
        made.draw({
          board: now.board,
          photo: onPhoto.value ? photo.value : null,
          unit: unitId.value ?? about?.unit ?? null,
          base: oneBase.value?.id ?? null,
          marked: opened()?.bare ? new Map() : about ? new Map(about.marked.map((id) => [id, "yes"])) : targets.value,
          odds: opened()?.bare ? new Map() : targetOdds.value,
          able: about ? new Set(about.group) : draft.value === null && !able.value.has(unitId.value ?? "") && !opened() ? able.value : new Set(),
          ghost: held(),
          points: wantsOutline.value === null ? points.value : [],
        });
      }),
      effect(() => made.overlay("outline", outlineOf(outlined.value))),
      effect(() => made.overlay("wanted", pointed(wantedAbout.value?.points ?? []))),
      effect(() => made.outline(outlined.value, corner.value)),
      effect(() => {
        const begun = wantsOutline.value === null ? undefined : draft.value?.begun;
        const [first] = untracked(() => outlined.value?.points ?? []);
        if (begun === undefined) return;
        made.whenStill(() => {
          if (draft.peek()?.begun !== begun) return;
          if (first === undefined) made.fitUnlessClose();
          else made.reveal([middleOf(outlined.peek()?.points ?? [first])], HELD_PX);
        });
      }),
      effect(() => {
        const unit = unitId.value;
        const lead = untracked(() => game.value?.board.pieces.find((piece) => piece.unit === unit));
        if (lead) made.whenStill(() => made.reveal([lead.center]));
      }),
      effect(() => {
        if (placing.value !== null) made.whenStill(seen); // once: later the map stays where the user moved it
      }),
      effect(() => {
        if (wanted.value !== null) made.whenStill(seeWanted);
        else if (idle.value) made.whenStill(() => idle.peek() && made.fitAgain());
      }),
    ];
    let high = isHigh();
    const watch = new ResizeObserver(() => {
      made.resize();
      if (high === isHigh()) return;
      high = isHigh(); // the device was turned: the sheet is elsewhere
      made.whenStill(() => {
        made.fitUnlessClose();
        seeWanted();
      });
    });
    watch.observe(place.current as HTMLDivElement);
    return () => {
      stops.forEach((end) => end());
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
