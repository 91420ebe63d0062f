// A game step by step: the table as it was, what happened, and a slider over the whole game.

import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { sideColours } from "../../colours";
import { leave } from "../../screens";
import { guarded, shownOut, theme } from "../../shell";
import { words } from "../../words";
import { Icon, type IconName } from "../icons";
import { at, atEnd, closeReplay, goTo, type Head, head, openReplay, playing, readingTime, seen, stepOfTurn, whenOf } from "./stepping";
import { replayBoard, ReplayMap } from "./ReplayMap";

const say = words.replay;

export function Replay({ id, seq }: { id: string; seq: number | undefined }): JSX.Element {
  useEffect(() => {
    void guarded(() => openReplay(id, seq).catch(unlessShownOut));
    const stops = [effect(playOn), effect(keepPlace)];
    window.addEventListener("keydown", byKey);
    return () => {
      window.removeEventListener("keydown", byKey);
      stops.forEach((stop) => stop());
      closeReplay();
    };
  }, [id]);
  const now = head.value;
  const first = seen.value?.board;
  const colours = first ? sideColours(first.sides.map((side) => ({ ...side, rim: side.rim ?? side.colour })), theme.value) : [];
  const style = Object.fromEntries(colours.map((colour, i) => [`--side-${i}`, colour]));
  return (
    <main class="replay-page" style={style} data-test="replay" data-step={seen.value?.number}>
      <header class="replay-head">
        <button class="round" aria-label={say.back} onClick={() => leave({ name: "game", id })} data-test="back">
          <Icon name="back" />
        </button>
        <div>
          <h1>{say.title}</h1>
          <p>{now?.title ?? say.loading}</p>
        </div>
        <button class="round" aria-label={say.fit} onClick={() => replayBoard()?.fit()} data-test="fit">
          <Icon name="fit" />
        </button>
      </header>
      <ReplayMap />
      {now !== null && <Panel count={now.count} />}
    </main>
  );
}

function unlessShownOut(error: unknown): void {
  if (!shownOut(error)) throw error;
}

// While the game plays, a step is followed by the next one after the time to read it.
function playOn(): (() => void) | undefined {
  const step = seen.value;
  if (!playing.value || step === undefined) return undefined;
  if (atEnd.value) {
    playing.value = false;
    return undefined;
  }
  const timer = window.setTimeout(() => goTo(step.number + 1), readingTime(step));
  return () => window.clearTimeout(timer);
}

const REST_MS = 400;

// The address has the current step, so that the page returns to it after a reload.
function keepPlace(): (() => void) | undefined {
  const step = seen.value;
  if (step === undefined) return undefined;
  const timer = window.setTimeout(() => window.history.replaceState(window.history.state, "", `#${step.seq}`), REST_MS);
  return () => window.clearTimeout(timer);
}

const pauseAt = (number: number): void => {
  playing.value = false;
  goTo(number);
};

const playOrPause = (): void => {
  if (!playing.value && atEnd.value) goTo(1);
  playing.value = !playing.value;
};

const KEYS: Record<string, () => void> = {
  ArrowRight: () => pauseAt(at.value + 1),
  ArrowLeft: () => pauseAt(at.value - 1),
  PageDown: () => pauseAt(stepOfTurn(1)),
  PageUp: () => pauseAt(stepOfTurn(-1)),
  Home: () => pauseAt(1),
  End: () => pauseAt(head.value?.count ?? 1),
};

// On the map the arrows move the map, on the slider they are the slider's, on a button the space bar is the button's.
function byKey(event: KeyboardEvent): void {
  const on = event.target instanceof Element ? event.target : document.body;
  if (event.ctrlKey || event.altKey || event.metaKey || on.closest(".board, input, dialog")) return;
  const act = event.key === " " && on.closest("button") === null ? playOrPause : KEYS[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

const LEAST_APART = 5.5; // percent of the slider between two turns that are named

// Turns and where they begin on the slider, as many as there is room for.
function turnMarks(turns: Head["turns"], count: number): [number, number][] {
  const marks: [number, number][] = [];
  for (const { turn, step } of turns) {
    const percent = (100 * (step - 1)) / Math.max(1, count - 1);
    if (turn > 0 && percent - (marks.at(-1)?.[1] ?? -LEAST_APART) >= LEAST_APART) marks.push([turn, percent]);
  }
  return marks;
}

function Panel({ count }: { count: number }): JSX.Element {
  const step = seen.value;
  const turns = head.value?.turns ?? [];
  const when = step === undefined ? say.loading : whenOf(step);
  const button = (name: string, icon: IconName, label: string, act: () => void, off: boolean, look = ""): JSX.Element => (
    <button class={`round ${look}`} aria-label={label} disabled={off} onClick={act} data-test={name}>
      <Icon name={icon} />
    </button>
  );
  return (
    <section class="replay-panel" aria-label={say.title}>
      <div class="replay-when">
        <strong data-test="when">{when}</strong>
        <small data-test="of">{say.of(at.value, count)}</small>
      </div>
      <div class="replay-told">
        <div class="replay-says" aria-live={playing.value ? "off" : "polite"} data-test="says" key={step?.number}>
          {step !== undefined && (step.says.length > 0 ? step.says.map((one, i) => <p key={i}>{one}</p>) : <p class="quiet">{say.nothing}</p>)}
        </div>
        {step?.photo && <Thumb url={step.photo} key={step.photo} />}
      </div>
      <div class="replay-slider">
        <input
          type="range"
          min={1}
          max={count}
          value={at.value}
          aria-label={say.slider}
          aria-valuetext={say.at(when, at.value, count)}
          onInput={(event) => pauseAt(Number(event.currentTarget.value))}
          data-test="slider"
        />
        <div class="replay-turns" aria-hidden="true">
          {turnMarks(turns, count).map(([turn, percent]) => <i key={turn} style={{ left: `${percent}%` }}>{turn}</i>)}
        </div>
      </div>
      <div class="replay-buttons">
        {button("last-turn", "behind", say.lastTurn, () => pauseAt(stepOfTurn(-1)), at.value <= 1)}
        {button("backward", "back", say.backward, () => pauseAt(at.value - 1), at.value <= 1)}
        {button("play", playing.value ? "pause" : "play", playing.value ? say.pause : say.play, playOrPause, count < 2, "strong")}
        {button("forward", "right", say.forward, () => pauseAt(at.value + 1), atEnd.value)}
        {button("next-turn", "ahead", say.nextTurn, () => pauseAt(stepOfTurn(1)), atEnd.value)}
      </div>
    </section>
  );
}

// The table's photo by then, small; a tap opens it. One that the server no longer keeps is not shown.
function Thumb({ url }: { url: string }): JSX.Element | null {
  const gone = useSignal(false);
  const dialog = useRef<HTMLDialogElement>(null);
  if (gone.value) return null;
  return (
    <>
      <button class="replay-thumb" aria-label={say.openPhoto} onClick={() => dialog.current?.showModal()} data-test="photo">
        <img src={url} alt="" onError={() => (gone.value = true)} />
      </button>
      <dialog class="replay-photo" ref={dialog} aria-label={say.photo} onClick={() => dialog.current?.close()} data-test="photo-open">
        <img src={url} alt={say.photo} />
        <button class="round" aria-label={say.close} data-test="close-photo">
          <Icon name="close" />
        </button>
      </dialog>
    </>
  );
}
