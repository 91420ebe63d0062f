// Terrain drawn by a finger on the last photo: around its foot, corrected by taps, added to the table.

import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { drawing as say } from "../../words/drawing";
import { FingerPhoto, type PhotoShape } from "../FingerPhoto";
import { Icon } from "../icons";
import { LengthField } from "../start/NumberField";
import {
  add, begins, begunWith, busy, checking, chooseKind, chooseShape, clear, drawAgain, drawn, drawOn, erase, high, instead, kind, kinds, line, lying, may, mayUndo, moveCorner, onTable, outline, photo, setHigh, setVisible, setWide, shape, type Shape, taps, told, undo, visible, way,
  wide,
} from "./drawing";
import "./drawing.css";

const SHAPES: Shape[] = ["around", "along", "box"];
const MOST_IN = 24;
const MOST_WIDE_IN = 12;

export function DrawTerrain({ leave }: { leave: () => void }): JSX.Element | null {
  const picture = photo.value?.picture;
  useEffect(() => effect(drawOn), []);
  if (!picture) return null;
  const [now, found] = [line.value, outline.value];
  const along = shape.value === "along";
  const shapes: PhotoShape[] = [
    ...onTable.value.map(({ id, onPhoto }) => ({ points: onPhoto, look: `drawn-lying ${id === lying.value || id === instead.value ? "chosen" : ""}`, closed: true })),
    ...(now === null ? [] : [{ points: now.points, look: `drawn-line ${found?.refused ? "refused" : ""}`, closed: !along }]),
    ...(now?.redrawn ?? []).map((points) => ({ points, look: "drawn-line" })),
    ...(found === null || now === null ? [] : [{ points: found.on_photo, look: "drawn-foot", closed: true }]),
    ...(way.value.length > 1 ? [{ points: way.value, look: "drawn-way" }] : []),
  ];
  const knobs = along && now !== null ? now.points.map((at, n) => ({ at, name: say.corner(n + 1), label: "" })) : [];
  return (
    <div class="on-photo drawing" role="dialog" aria-label={say.title} data-test="drawing" onKeyDown={(event) => event.key === "Escape" && leave()}>
      <div class="on-photo-picture">
        <FingerPhoto
          url={picture.url}
          size={[picture.width, picture.height]}
          name={say.photo}
          knobs={knobs}
          shapes={shapes}
          snaps={[]}
          move={moveCorner}
          pen={{ begins, drawn, taps, draws: (points) => (way.value = points) }}
          see={begunWith.value}
        />
        <button class="round" aria-label={say.done} data-test="close-drawing" onClick={leave}>
          <Icon name="close" />
        </button>
      </div>
      <div class="on-photo-sheet">
        <Says />
        {lying.value === null && (
          <>
            <Kinds />
            <div class="switch wide" role="group" aria-label={say.shape}>
              {SHAPES.map((one) => (
                <button key={one} aria-pressed={shape.value === one} data-test={`shape-${one}`} onClick={() => chooseShape(one)}>
                  {say.shapes[one]}
                </button>
              ))}
            </div>
            <Sizes />
          </>
        )}
      </div>
      <Foot leave={leave} />
    </div>
  );
}

// One line: the next step, the last result, or an error.
function Says(): JSX.Element {
  const found = outline.value;
  const bad = line.value !== null && found?.refused;
  const piece = onTable.value.find(({ id }) => id === lying.value);
  const sentence = (): string => {
    if (told.value !== "") return told.value;
    if (piece) return say.lying(piece.id, piece.kind);
    if (line.value === null) return instead.value === null ? say.hints[shape.value] : say.instead(instead.value);
    if (bad) return found.refused;
    if (found === null || checking.value) return say.outlining;
    return `${say.known(found.sigma_in)} ${shape.value === "along" ? say.correctLine : say.correct}`;
  };
  return (
    <p class={`drawing-says ${bad && told.value === "" ? "fault" : ""}`} role="status" data-test="drawing-says">
      {sentence()}
    </p>
  );
}

// Every kind in the rules by its symbol, the most recently used first.
function Kinds(): JSX.Element {
  return (
    <div class="kinds" role="group" aria-label={say.kinds}>
      {kinds.value.map((one) => (
        <button key={one} class="kind-key" aria-pressed={kind.value === one} data-test={`kind-${one}`} onClick={() => chooseKind(one)}>
          <svg viewBox="0 0 44 32" class="legend-ground" aria-hidden="true">
            <rect class={`terrain ${one}`} x="1" y="1" width="42" height="30" fill={`url(#terrain-${one})`} />
          </svg>
          {one}
        </button>
      ))}
    </div>
  );
}

// The width of a piece along a line; a height where it is known.
function Sizes(): JSX.Element {
  const along = shape.value === "along";
  const tall = <LengthField label={say.high} value={high.value} step={0.5} least={0} most={MOST_IN} test="drawing-high" put={setHigh} />;
  if (along) {
    return (
      <div class="number-row">
        <LengthField label={say.wide} value={wide.value} step={0.25} least={0.25} most={MOST_WIDE_IN} test="drawing-wide" put={setWide} />
        {tall}
      </div>
    );
  }
  return (
    <details class="why-not">
      <summary data-test="drawing-sizes">{say.height}</summary>
      {tall}
      <button class="chip" aria-pressed={visible.value} disabled={!high.value} data-test="drawing-visible" onClick={() => setVisible(!visible.value)}>
        {say.visible}
      </button>
    </details>
  );
}

function Foot({ leave }: { leave: () => void }): JSX.Element {
  const piece = onTable.value.find(({ id }) => id === lying.value);
  if (piece) {
    return (
      <div class="on-photo-foot drawing-foot">
        <button class="quiet-button" data-test="leave-piece" onClick={() => (lying.value = null)}>
          {say.leave}
        </button>
        <button class="quiet-button" data-test="erase-piece" disabled={busy.value} onClick={() => void erase(piece.id)}>
          <Icon name="trash" />
          {say.erase}
        </button>
        <button class="go" data-test="draw-again" onClick={() => drawAgain(piece)}>
          {say.again}
        </button>
      </div>
    );
  }
  const begun = line.value !== null || instead.value !== null;
  return (
    <div class="on-photo-foot drawing-foot">
      <button class="quiet-button" data-test="undo-drawing" disabled={!mayUndo.value} onClick={() => void undo()}>
        <Icon name="undo" />
        {say.undo}
      </button>
      {begun && (
        <button class="quiet-button" data-test="clear-drawing" onClick={clear}>
          {say.clear}
        </button>
      )}
      {begun ? (
        <button class="go" data-test="add-drawn" disabled={!may.value} onClick={() => void add()}>
          {say.add(kind.value)}
        </button>
      ) : (
        <button class="go" data-test="drawing-done" onClick={leave}>
          {say.done}
        </button>
      )}
    </div>
  );
}
