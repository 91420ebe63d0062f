import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Shape } from "../../boardview";
import { pane } from "../../play";
import { words } from "../../words";
import { extras } from "../game/extras";
import { HELD_PX } from "../../ghosts";
import { gameBoard } from "../game/GameMap";
import { Icon } from "../icons";
import { later } from "../Later";
import { Sheet } from "../Sheet";
import { correctable, ghost, moveTo, pick, picked, touch } from "./bases";
import { Doubts, TakeBack } from "./Doubts";
import { Moves } from "./Moves";
import { DropPhoto, OtherTable, OutOfStep, Truth } from "./OutOfStep";
import { SeenBase } from "./SeenBase";
import { OnItsWay, Taking } from "./Taking";
import {
  asked, correcting, drawing, dropDie, filming, look, marks, moreLeft, naming, open, otherTable, outOfStep, place, proposals, question, send, tab, taking, underway, watching, whole, working,
} from "./turn";
import { WholePhoto } from "./WholePhoto";
import "./photo.css";

const say = words.photo;
const DrawTerrain = later(() => import("./on-photo").then((part) => part.DrawTerrain));
const NameCorners = later(() => import("./on-photo").then((part) => part.NameCorners));
const Camera = later(() => import("./on-photo").then((part) => part.Camera));

export function PhotoSheet(): JSX.Element {
  const found = look.value;
  const asksFor = found === null || taking.value;
  return (
    <>
      <Sheet label={say.title} look="photo-sheet">
        <header class="sheet-head">
          <div class="sheet-title">
            <h2 data-test="photo-title">{found === null ? say.none : say.found(found.bases, found.units)}</h2>
            {found !== null && <small data-test="to-settle">{otherTable.value ? say.otherTable : say.toSettle(asked.value.length, moreLeft.value > 0)}</small>}
          </div>
          {found !== null && (
            <button class="round small" aria-label={say.whole} data-test="see-photo" onClick={() => (whole.value = true)}>
              <Icon name="gallery" />
            </button>
          )}
          {found !== null && !watching.value && (
            <button class="round small" aria-label={say.again} aria-pressed={taking.value} data-test="again" onClick={() => (taking.value = !taking.value)}>
              <Icon name="camera" />
            </button>
          )}
          <button class="round small" aria-label={say.close} data-test="close-photo-sheet" onClick={() => (pane.value = "turn")}>
            <Icon name="close" />
          </button>
        </header>
        <div class="sheet-body photo-body">
          {underway.value !== null ? <OnItsWay /> : asksFor ? <Taking /> : <Found />}
        </div>
      </Sheet>
      {whole.value && <WholePhoto />}
      {naming.value && (
        <NameCorners file={naming.value} send={(file, named) => void send(file, named)} leave={() => (naming.value = null)} />
      )}
      {drawing.value && <DrawTerrain leave={() => (drawing.value = false)} />}
      {filming.value && (
        <Camera
          done={(file) => {
            filming.value = false;
            if (file) void send(file);
          }}
        />
      )}
    </>
  );
}

function Found(): JSX.Element {
  const top = useRef<HTMLSpanElement>(null);
  const shown = `${tab.value} ${question.value.map(({ id }) => id)} ${picked.value?.id}`;
  useEffect(() => top.current?.parentElement?.scrollTo(0, 0), [shown]);
  if (otherTable.value !== null) return <OtherTable />;
  if (correcting.value) return <Truth />;
  if (picked.value !== null) {
    return (
      <>
        <span ref={top} />
        <SeenBase />
        <TakeBack />
      </>
    );
  }
  return (
    <>
      <span ref={top} />
      {outOfStep.value && <OutOfStep />}
      {outOfStep.value ? (
        asked.value.length > 0 && <Doubts />
      ) : (
        <>
          <div class="switch wide" role="group">
            <button aria-pressed={tab.value === "doubts"} data-test="tab-doubts" onClick={() => (tab.value = "doubts")}>
              {say.tabs.doubts} {asked.value.length > 0 && <b>{asked.value.length}</b>}
            </button>
            <button aria-pressed={tab.value === "moves"} data-test="tab-moves" onClick={() => (tab.value = "moves")}>
              {say.tabs.moves} {proposals.value.length > 0 && <b>{proposals.value.length}</b>}
            </button>
          </div>
          {tab.value === "doubts" ? <Doubts /> : <Moves />}
        </>
      )}
      <SeenDice />
      {look.value?.drawable && look.value.upright !== null && (
        <button class="choice" data-test="draw-terrain" onClick={() => (drawing.value = true)}>
          <Icon name="hand" />
          <span>
            <strong>{say.draw}</strong>
            <small>{say.drawHint}</small>
          </span>
        </button>
      )}
      {correctable.value && <p class="quiet-line" data-test="tap-base">{say.tapBase}</p>}
      <Notes />
      {!watching.value && !outOfStep.value && (
        <div class="row-buttons">
          <DropPhoto />
        </div>
      )}
    </>
  );
}

// The dice on the photo; a tap drops one that does not count.
function SeenDice(): JSX.Element | null {
  const dice = look.value?.dice ?? [];
  return dice.length === 0 ? null : (
    <div class="photo-dice" data-test="seen-dice">
      <p>
        {say.seenDice}
        {dice.map(({ id, value }) => [
          " ",
          <button key={id} class="die-chip" aria-label={say.dropDie(value)} data-test={`drop-${id}`} disabled={working.value || watching.value} onClick={() => void dropDie(id)}>
            {value ?? say.unreadable}
            <Icon name="close" />
          </button>,
        ])}
      </p>
    </div>
  );
}

// Warnings of the photo's reading, folded.
function Notes(): JSX.Element | null {
  const lines = outOfStep.value ? [] : (look.value?.warnings ?? []);
  return lines.length === 0 ? null : (
    <details class="why-not">
      <summary data-test="photo-notes">{say.notes(lines.length)}</summary>
      {lines.map((line) => (
        <p key={line} class="quiet-line">
          {line}
        </p>
      ))}
    </details>
  );
}

// The findings, drawn over the board: new terrain and bases as seen, the chosen unit's way, and the open questions.
function shapes(): Shape[] {
  const found = look.value;
  if (found === null || otherTable.value !== null) return [];
  const chosen = proposals.value.find(({ id }) => id === open.value && tab.value === "moves");
  const ways = (chosen?.seen?.after ?? []).flatMap((after) => {
    const before = chosen?.seen?.before ?? [];
    const near = [...before].sort((a, b) => Math.hypot(a[0] - after[0], a[1] - after[1]) - Math.hypot(b[0] - after[0], b[1] - after[1]))[0];
    return near ? [{ line: [near, after], class: "seen-way" }] : [];
  });
  const ground = proposals.value.flatMap(({ id, seen, what }) => (what === "laid" && seen ? [{ outline: seen.after, class: `seen-base ${id === chosen?.id ? "chosen" : ""}` }] : []));
  const lettered = marks.value.length > 1 ? marks.value.map(({ at, letter }) => ({ at, class: "seen-letter", label: letter })) : [];
  const spoken = lettered.length > 0 || place.value === null ? lettered : [{ at: place.value, class: "seen-spot" }];
  return [
    ...ground,
    ...found.outlines.filter(({ id }) => id !== picked.value?.id).map(({ outline, unit }) => ({ outline, class: `seen-base ${unit === null ? "loose" : ""} ${unit !== null && unit === chosen?.unit ? "chosen" : ""}` })),
    ...(picked.value === null ? [...ways, ...spoken] : []),
  ];
}

effect(() => {
  const drawn = pane.value === "photo" ? shapes() : []; // also while there is no map yet
  gameBoard()?.overlay("photo", drawn);
});

// Close the last thing that was opened in the sheet; false where nothing is open.
function back(): boolean {
  const opened = [
    [filming.value, () => (filming.value = false)],
    [naming.value !== null, () => (naming.value = null)],
    [drawing.value, () => (drawing.value = false)],
    [whole.value, () => (whole.value = false)],
    [picked.value !== null, () => pick(null)],
    [correcting.value, () => (correcting.value = false)],
    [taking.value && look.value !== null, () => (taking.value = false)],
    [open.value !== null && tab.value === "moves", () => (open.value = null)],
  ] as const;
  const last = opened.find(([is]) => is);
  last?.[1]();
  return last !== undefined;
}

let moved = false; // whether the map shows the question's place
effect(() => {
  const here = pane.value === "photo";
  const at = here ? (picked.value ? [picked.value.center] : marks.value.length > 0 ? marks.value.map((mark) => mark.at) : place.value ? [place.value] : null) : null;
  const map = gameBoard();
  if (at) map?.whenStill(() => map.reveal(at, picked.peek() === null ? 40 : HELD_PX));
  else if (moved) map?.whenStill(() => map.fit());
  moved = at !== null;
});

extras.push({ id: "photo", icon: "camera", label: say.title, shown: () => true, Sheet: PhotoSheet, back, tap: touch, holds: { ghost: () => ghost.value, moveTo } });
