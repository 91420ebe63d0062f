// The map at a step: the board after it, what happened drawn over it, and, one step on, the pieces on their way.

import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Heard, type Shape, sideClass } from "../../boardview";
import { GameBoard } from "../../gameboard";
import { wantsStill } from "../../map";
import type { Board } from "../../schema";
import { words } from "../../words";
import { GamePatterns } from "../game/GamePatterns";
import { Patterns } from "../Patterns";
import { at, before, head, seen, type Seen } from "./stepping";
import { moversOf, onItsWay, shapesOf } from "./traces";

const MOVE_MS = 650;
const SHOT_MS = 450;

let current: GameBoard | null = null;
export const replayBoard = (): GameBoard | null => current;

const none = (): void => undefined;
const same = <T,>(to: T): T => to;
// Nothing here can be moved by hand.
const DEAF: Heard = {
  tap: none, dragging: none, dropped: none, pointing: none, cornering: same, shifting: same, turning: same, outlined: none,
  outlineDropped: none, chooseCorner: none, stepCorner: none, removeCorner: none,
};


class Shower {
  private shown = 0;
  private frame = 0;

  constructor(
    private readonly map: GameBoard,
    private readonly element: HTMLElement,
  ) {}

  stop(): void {
    window.cancelAnimationFrame(this.frame);
  }

  // Show a step; the step after the shown one is animated.
  show(step: Seen, last: Seen | undefined): void {
    this.stop();
    const follows = last !== undefined && this.shown === last.number && !wantsStill();
    this.shown = step.number;
    const movers = follows ? moversOf(last.board, step.board, step.traces) : [];
    this.map.overlay("traces", shapesOf(step.traces));
    if (follows) this.drawShots();
    if (movers.length === 0) return this.arrive(step.board);
    const moving = new Set(movers.map(({ piece }) => piece.id));
    this.draw({ ...step.board, pieces: step.board.pieces.filter(({ id }) => !moving.has(id)) });
    const begun = performance.now();
    const go = (now: number): void => {
      const part = Math.min(1, (now - begun) / MOVE_MS);
      const eased = part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part);
      if (part === 1) return this.arrive(step.board);
      const pieces = movers.map((mover): Shape => ({ outline: onItsWay(mover, eased), class: `on-its-way ${sideClass(step.board, mover.piece.side)}` }));
      this.map.overlay("movers", pieces);
      this.frame = window.requestAnimationFrame(go);
    };
    go(begun);
  }

  private arrive(board: Board): void {
    this.map.overlay("movers", []);
    this.draw(board);
  }

  private draw(board: Board): void {
    this.map.draw({ board, photo: null, unit: null, base: null, marked: new Map(), odds: new Map(), able: new Set(), ghost: null, points: [] });
  }

  // Lines of fire run from who fired to the target.
  private drawShots(): void {
    for (const line of this.element.querySelectorAll<SVGPathElement>("path.trace.arrow:not(.move)")) {
      const far = line.getTotalLength();
      line.animate([{ strokeDasharray: `0 ${far}` }, { strokeDasharray: `${far} 0` }], { duration: SHOT_MS, easing: "ease-out" });
    }
  }
}

export function ReplayMap(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current as HTMLDivElement;
    const made = new GameBoard(element, DEAF, { move: "", turn: "", point: () => "", corner: () => "", newCorner: () => "", moveAll: "", turnAll: "" });
    const shower = new Shower(made, element);
    current = made;
    const stop = effect(() => {
      const step = seen.value;
      if (step !== undefined) shower.show(step, before.peek());
    });
    const watch = new ResizeObserver(() => {
      made.resize();
      made.fit(false);
    });
    watch.observe(element);
    return () => {
      stop();
      shower.stop();
      watch.disconnect();
      made.destroy();
      current = null;
    };
  }, []);
  return (
    <div class="replay-map">
      <Patterns />
      <GamePatterns />
      <Heads />
      <div class="board" ref={place} role="application" aria-label={words.replay.boardName(head.value?.title ?? "", at.value)} />
    </div>
  );
}

// The heads of arrows, one in each side's colour.
const Heads = (): JSX.Element => (
  <svg class="unseen" aria-hidden="true">
    <defs>
      {["0", "1", "2", "3", "none"].map((side) => (
        <marker key={side} id={`trace-head-${side}`} class={`side-${side}`} viewBox="0 0 10 10" refX="7" refY="5" markerWidth="3.6" markerHeight="3.6" orient="auto">
          <path d="M0 0 10 5 0 10 2.4 5z" />
        </marker>
      ))}
    </defs>
  </svg>
);
