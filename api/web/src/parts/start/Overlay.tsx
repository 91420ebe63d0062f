// Placing a board's grid on the table, on its rectified photo or on the photo itself.

import { effect, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Tapped } from "../../boardview";
import { game } from "../../game";
import type { Point } from "../../geometry";
import { pane, photo as flat } from "../../play";
import { guarded, say as tell } from "../../shell";
import { follow } from "../../touch";
import { overlay as say } from "../../words/start";
import { gameBoard, onPhoto } from "../game/GameMap";
import { Icon } from "../icons";
import { mapSurface } from "../measure/layer";
import { PhotoBoard } from "../measure/photo";
import type { Surface } from "../measure/surface";
import { Sheet } from "../Sheet";
import { Find } from "./Find";
import { forget, touchCorner } from "./finding";
import {
  angleBetween, cells, edge, findable, fit, found, ground, judging, laid, lay, middle, MOST_IN, open, put, putTap, ready, refusal, says, shapes, slideTo,
  tapAt, taps, tapping, told, turnTo, under, way, working,
} from "./grid";
import { Fault, LengthField, NumberField } from "./NumberField";

const KEY_IN = 0.1;
const KEY_DEG = 0.5;
const TOP_PX = 66; // of the bar above

const surface = signal<Surface | null>(null); // the touched surface: the map, or the photo over it
const panned = signal(0);

export function OverlaySheet(): JSX.Element {
  useEffect(() => {
    const before = onPhoto.peek();
    if (flat.peek() !== null) onPhoto.value = true;
    void guarded(open);
    const stop = judging();
    const map = gameBoard();
    map?.whenStill(() => map.fit());
    return () => {
      stop();
      forget();
      onPhoto.value = before;
      ground.value = "map";
      gameBoard()?.overlay("grid", []);
    };
  }, []);
  const lens = under.value?.lens ?? null;
  return (
    <>
      {ground.value === "photo" && lens !== null ? <OnPhoto /> : <OnMap />}
      {(way.value === "numbers" || (way.value === "lines" && found.value !== null)) && <Handles />}
      <Sheet label={say.title} look="grid-sheet">
        <header class="sheet-head">
          <div class="sheet-title">
            <h2>{say.title}</h2>
          </div>
          <button class="round small" aria-label={say.close} data-test="close-grid" onClick={() => (pane.value = "turn")}>
            <Icon name="close" />
          </button>
        </header>
        <div class="sheet-body">
          <div class="switch wide" role="group" aria-label={say.way}>
            {(findable.value ? (["lines", "taps", "numbers"] as const) : (["taps", "numbers"] as const)).map((one) => (
              <button key={one} aria-pressed={way.value === one} data-test={`by-${one}`} onClick={() => (way.value = one)}>
                {say.ways[one]}
              </button>
            ))}
          </div>
          {lens !== null && (
            <div class="switch wide" role="group" aria-label={say.ground}>
              {(["map", "photo"] as const).map((one) => (
                <button key={one} aria-pressed={ground.value === one} data-test={`grid-on-${one}`} onClick={() => (ground.value = one)}>
                  {say.grounds[one]}
                </button>
              ))}
            </div>
          )}
          {under.value !== null && under.value.url === null && <p class="quiet-line">{say.noPhoto}</p>}
          {way.value === "lines" ? <Find /> : way.value === "taps" ? <Taps /> : <Numbers />}
          <div class="grid-says" aria-live="polite">
            {refusal.value === "" ? <p data-test="grid-says">{[says.value, fit.value !== null && fit.value > 0.005 ? say.fit(fit.value) : ""].filter(Boolean).join(" ")}</p> : <Fault text={refusal.value} id="grid-refused" />}
          </div>
        </div>
        <div class="sheet-foot">
          <button class="go" disabled={!ready.value || refusal.value !== "" || working.value} data-test="lay" onClick={() => void layIt()}>
            {working.value ? say.laying : say.lay}
          </button>
        </div>
      </Sheet>
    </>
  );
}

async function layIt(): Promise<void> {
  if (!(await lay())) return;
  pane.value = "turn";
  tell({ kind: "info", title: say.laid, lines: [] });
}

// --- by two taps ------------------------------------------------------------------------------------------------------

function Taps(): JSX.Element {
  const both = taps.value.every(({ at }) => at !== null);
  return (
    <>
      <p class="quiet-line" aria-live="polite" data-test="tap-hint">
        {both ? say.tapped : say.tapHint(say.grids[told.value?.grid ?? "hex"], taps.value[tapping.value].cell)}
      </p>
      <div class="tap-row">
        {([0, 1] as const).map((n) => (
          <TapCard key={n} n={n} />
        ))}
      </div>
    </>
  );
}

function TapCard({ n }: { n: 0 | 1 }): JSX.Element {
  const { cell, at } = taps.value[n];
  return (
    <div class={`tap-card ${tapping.value === n ? "now" : ""}`}>
      <div class="tap-name">
        <button aria-pressed={tapping.value === n} data-test={`tap-${n}`} onClick={() => (tapping.value = n)}>
          {say.tap(n + 1)}
        </button>
        <select value={cell} aria-label={`${say.tap(n + 1)}: ${say.cell}`} data-test={`tap-cell-${n}`} onChange={(event) => putTap(n, { cell: event.currentTarget.value })}>
          {cells.value.map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </div>
      {at === null ? (
        <small data-test={`tap-at-${n}`}>
          {say.notYet}
          <button class="link" data-test={`tap-type-${n}`} onClick={() => putTap(n, { at: typed(cell) })}>
            {say.type}
          </button>
        </small>
      ) : (
        ([0, 1] as const).map((axis) => (
          <LengthField
            key={axis}
            label={axis === 0 ? say.x : say.y}
            value={at[axis]}
            step={KEY_IN}
            least={-MOST_IN}
            most={MOST_IN}
            test={`tap-${n}-${"xy"[axis]}`}
            put={(value) => value !== null && putTap(n, { at: axis === 0 ? [value, at[1]] : [at[0], value] })}
          />
        ))
      )}
    </div>
  );
}

// The present middle of a cell, to be overwritten.
const typed = (cell: string): Point => game.value?.board.cells.find(({ id }) => id === cell)?.center ?? [0, 0];

// --- by size, place and turn ------------------------------------------------------------------------------------------

function Numbers(): JSX.Element | null {
  const now = laid.value;
  if (now === null) return null;
  const [x, y] = now.origin;
  const inches = { step: KEY_IN, most: MOST_IN };
  return (
    <div class="number-row">
      <LengthField label={say.size} {...inches} step={0.05} least={0.25} value={now.size} test="grid-size" put={(size) => size !== null && put({ size })} />
      <NumberField label={say.turn} unit={say.degrees} step={KEY_DEG} least={-360} most={360} value={now.turn} test="grid-turn" put={(turn) => turn !== null && put({ turn })} />
      <LengthField label={`${say.origin(cells.value[0] ?? "")}, ${say.x}`} {...inches} least={-MOST_IN} value={x} test="grid-x" put={(value) => value !== null && put({ origin: [value, y] })} />
      <LengthField label={`${say.origin(cells.value[0] ?? "")}, ${say.y}`} {...inches} least={-MOST_IN} value={y} test="grid-y" put={(value) => value !== null && put({ origin: [x, value] })} />
    </div>
  );
}

// --- drawn and dragged ------------------------------------------------------------------------------------------------

function watched(now: Surface): () => void {
  surface.value = now;
  const again = (): void => void (panned.value += 1);
  now.map.on("move zoom resize", again);
  return () => {
    now.map.off("move zoom resize", again);
    if (surface.peek() === now) surface.value = null;
  };
}

function OnMap(): null {
  useEffect(() => {
    const board = gameBoard();
    if (board === null) return;
    const stops = [watched(mapSurface(board)), effect(() => gameBoard()?.overlay("grid", shapes.value))];
    return () => stops.forEach((stop) => stop());
  }, []);
  return null;
}

function OnPhoto(): JSX.Element | null {
  const place = useRef<HTMLDivElement>(null);
  const { url, lens } = under.value ?? { url: null, lens: null };
  useEffect(() => {
    const board = game.peek()?.board;
    if (place.current === null || url === null || lens === null || board === undefined) return;
    const made: PhotoBoard = new PhotoBoard(place.current, url, lens, (at) => {
      const on = made.tableAt(at);
      if (on !== null) touchAt(on);
    });
    const sheet = document.querySelector(".sheet")?.getBoundingClientRect();
    const [wide, high] = [window.innerWidth, window.innerHeight];
    const beside = sheet !== undefined && sheet.width < 0.7 * wide && sheet.top < 0.3 * high;
    made.fit({ top: TOP_PX, right: beside ? wide - sheet.left : 0, bottom: sheet && !beside ? high - sheet.top : 0 }, board);
    const stops = [watched(made), effect(() => made.draw(shapes.value))];
    return () => {
      stops.forEach((stop) => stop());
      made.destroy();
    };
  }, [url, lens === null]);
  return <div class="grid-ground" ref={place} role="application" aria-label={say.grounds.photo} data-test="grid-photo" />;
}

function Handles(): JSX.Element | null {
  const [on, about, side] = [surface.value, middle.value, edge.value];
  if (on === null || about === null || side === null || panned.value < 0) return null;
  return (
    <div class="grid-hold">
      <Handle look="move" name={say.move} at={on.screenOf(about)} drag={slide} step={(right, up) => laid.value && slideTo(laid.value, [right * KEY_IN, up * KEY_IN])} />
      <Handle look="turn" name={say.turnHandle} at={on.screenOf(side)} drag={turn} step={(right, up) => laid.value && turnTo(laid.value, about, (right + up) * KEY_DEG)} />
    </div>
  );
}

// The effect of a drag, from its start and the finger's place, both on the table.
type Drag = (from: Point) => ((to: Point) => void) | null;

const slide: Drag = (from) => {
  const start = laid.value;
  return start && (([x, y]) => slideTo(start, [x - from[0], y - from[1]]));
};
const turn: Drag = (from) => {
  const [start, about] = [laid.value, middle.value];
  return start && about && ((to) => turnTo(start, about, angleBetween(about, from, to)));
};

const ARROWS: Record<string, Point> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

interface HandleProps {
  look: "move" | "turn";
  name: string;
  at: Point | null;
  drag: Drag;
  step: (right: number, up: number) => void;
}

function Handle({ look, name, at, drag, step }: HandleProps): JSX.Element | null {
  if (at === null) return null;
  const tableAt = (event: PointerEvent): Point | null => {
    const on = surface.peek();
    const box = on?.map.getContainer().getBoundingClientRect();
    return on && box ? on.tableAt([event.clientX - box.left, event.clientY - box.top]) : null;
  };
  return (
    <button
      class={`grip ${look}`}
      style={{ left: `${at[0]}px`, top: `${at[1]}px` }}
      aria-label={name}
      data-test={`handle-${look}`}
      onPointerDown={(event) => {
        const from = tableAt(event);
        const to = from && drag(from);
        if (to) follow(event, (now) => {
          const here = tableAt(now);
          if (here !== null) to(here);
        }, () => undefined);
      }}
      onKeyDown={(event) => {
        const arrow = ARROWS[event.key];
        if (arrow === undefined) return;
        event.preventDefault();
        step(...arrow);
      }}
    >
      <Grip look={look} />
    </button>
  );
}

const Grip = ({ look }: { look: "move" | "turn" }): JSX.Element => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={look === "move" ? "M12 3v18M3 12h18M12 3 9 6m3-3 3 3M12 21l-3-3m3 3 3-3M3 12l3-3m-3 3 3 3M21 12l-3-3m3 3-3 3" : "M19.5 12a7.5 7.5 0 1 1-2.6-5.7M17.5 2.5v4.2h-4.2"} />
  </svg>
);

function touchAt(at: Point): void {
  if (way.peek() === "lines") touchCorner(at);
  else tapAt(at);
}

export function tapOverlay({ at }: Tapped): boolean {
  touchAt(at);
  return true;
}

// Leaving a game clears its state.
effect(() => {
  if (game.value === null) told.value = laid.value = under.value = null;
});
