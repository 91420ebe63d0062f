import type { JSX } from "preact";
import { useState } from "preact/hooks";
import {
  beginCut, cancel, changePiece, chosen, choosePiece, cutting, drawing, drawRect, drawTop, enough, erase, finish, hasHeight, HEIGHT_IN, keepRect, type Kind, KINDS, piece,
  pickKind, placeCorner, raise, removeCorner, snapping, tool, typePoint, undoPoint, useTool, widen,
} from "../ground";
import type { RectOut, TerrainOut } from "../schema";
import { saving, table } from "../store";
import { groundName, text } from "../text";
import { Entry } from "./Entry";
import { Icon } from "./icons";
import { Sheet } from "./Sheet";

const words = text.terrain;

const KindKeys = ({ chosen, pick }: { chosen: Kind | null; pick: (kind: Kind) => void }): JSX.Element => (
  <div class="kinds">
    {KINDS.map((kind) => (
      <button
        key={kind}
        class="kind-key"
        data-test={`kind-${kind}`}
        {...(chosen === null ? {} : { "aria-pressed": kind === chosen })}
        onClick={() => pick(kind)}
      >
        <svg class="kind-swatch" aria-hidden="true">
          <rect width="100%" height="100%" fill={`url(#terrain-${kind})`} />
        </svg>
        <span class="kind-word">{groundName(kind)}</span>
      </button>
    ))}
  </div>
);

export const TerrainSheet = (): JSX.Element => (piece.value ? <PieceSheet /> : <PickSheet />);

function PickSheet(): JSX.Element {
  const pieces = table.value?.terrain ?? [];
  return (
    <Sheet label={words.name}>
      <header class="sheet-head">
        <div class="sheet-title">
          <h2>{words.pick}</h2>
          {pieces.length > 0 && <small>{words.pickHint}</small>}
        </div>
        <button class="round small" aria-label={text.close} data-test="close-sheet" onClick={() => useTool(false)}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-body">
        <KindKeys chosen={null} pick={pickKind} />
        {pieces.length > 0 && <h3>{words.onTable}</h3>}
        <div class="chips">
          {pieces.map((one) => (
            <button key={one.id} class="chip" data-test={`piece-${one.id}`} onClick={() => choosePiece(one.id)}>
              <b>{one.id}</b> {groundName(one.kind)}
            </button>
          ))}
        </div>
      </div>
    </Sheet>
  );
}

function PieceSheet(): JSX.Element | null {
  const shown = piece.value;
  if (!shown) return null;
  return (
    <Sheet label={shown.id} look="slim">
      <header class="sheet-head">
        <div class="sheet-title">
          <h2>{shown.id}</h2>
          <small>
            {words.about(groundName(shown.kind), shown.method === "hand")} · {words.reshapeHint}
          </small>
        </div>
        <button class="round small" aria-label={text.close} data-test="close-sheet" onClick={() => (tool.value = { step: "pick" })}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-body">
        <div class="chips">
          <button class="chip" aria-pressed={snapping.value} title={words.snapHint} data-test="snap" onClick={() => (snapping.value = !snapping.value)}>
            {words.snap}
          </button>
          {shown.rect && (
            <button class="chip" aria-pressed={chosen.value?.asRect ?? false} data-test="keep-rect" onClick={() => keepRect(!chosen.value?.asRect)}>
              {words.keepRect}
            </button>
          )}
          <button class="chip" data-test="cut" onClick={() => beginCut(shown.id)}>
            {words.cut}
          </button>
        </div>
        <CornerNumbers shown={shown} />
        {shown.rect && <Numbers shown={shown} rect={shown.rect} />}
        {hasHeight(shown) && (
          <div class="counter">
            <span>{words.height}</span>
            <button class="round" aria-label={words.lower} disabled={shown.height <= 0} onClick={() => void raise(shown.id, -1)}>
              −
            </button>
            <output>{shown.height.toFixed(1)}″</output>
            <button
              class="round"
              aria-label={words.higher}
              disabled={shown.height >= HEIGHT_IN.most}
              onClick={() => void raise(shown.id, 1)}
            >
              +
            </button>
          </div>
        )}
        {shown.kind === "hill" && (
          <div class="control">
            <span>{words.top}</span>
            <div class="buttons">
              <button class="key" data-test="draw-top" onClick={() => drawTop(shown)}>
                {words.addTop}
              </button>
              {shown.hill_top && (
                <button class="key" data-test="remove-top" onClick={() => void changePiece(shown, { hill_top: null })}>
                  {words.removeTop}
                </button>
              )}
            </div>
          </div>
        )}
        <button class="danger" data-test="remove-terrain" onClick={() => void erase(shown.id)}>
          <Icon name="trash" />
          {words.remove}
        </button>
        <h3>{words.kind}</h3>
        <KindKeys chosen={shown.kind} pick={(kind) => void changePiece(shown, { kind })} />
      </div>
    </Sheet>
  );
}

const read = (value: string): number => Number(value.trim().replace(",", "."));

// The corner that was tapped, by its numbers.
function CornerNumbers({ shown }: { shown: TerrainOut }): JSX.Element | null {
  const index = chosen.value?.corner ?? null;
  const at = index === null ? undefined : shown.polygon[index];
  if (index === null || at === undefined) return null;
  const set = (axis: 0 | 1, value: number): void => {
    if (Number.isFinite(value)) placeCorner(shown, index, axis === 0 ? [value, at[1]] : [at[0], value]);
  };
  return (
    <section aria-label={words.chosenCorner(index + 1)} data-test="corner-numbers">
      <h3>{words.chosenCorner(index + 1)}</h3>
      <div class="numbers">
        {([0, 1] as const).map((axis) => (
          <label key={axis}>
            {axis === 0 ? words.cornerX : words.cornerY}
            <Entry inputMode="decimal" test={axis === 0 ? "corner-x" : "corner-y"} value={at[axis].toFixed(2)} put={(text) => set(axis, read(text))} />
          </label>
        ))}
      </div>
      {shown.polygon.length > 3 && (
        <button class="key" data-test="remove-corner" onClick={() => removeCorner(shown, index)}>
          {words.removeCorner}
        </button>
      )}
    </section>
  );
}

// A rectangle by its middle, size and angle.
function Numbers({ shown, rect }: { shown: TerrainOut; rect: RectOut }): JSX.Element {
  const [x, y] = rect.center;
  const [width, depth] = rect.size;
  const now = { x, y, width, depth, angle: rect.angle };
  const set = (name: keyof typeof now, value: number): void => {
    if (!Number.isFinite(value)) return;
    const next = { ...now, [name]: value };
    void changePiece(shown, { rect: { center: [next.x, next.y], size: [next.width, next.depth], angle: next.angle } });
  };
  return (
    <section aria-label={words.numbers}>
      <h3>{words.numbers}</h3>
      <div class="numbers">
        {(Object.keys(now) as (keyof typeof now)[]).map((name) => (
          <label key={name}>
            {words.numberNames[name]}
            <Entry inputMode="decimal" test={`rect-${name}`} value={now[name].toFixed(name === "angle" ? 1 : 2)} put={(text) => set(name, read(text))} />
          </label>
        ))}
      </div>
    </section>
  );
}

function Typed(): JSX.Element {
  const [wrong, setWrong] = useState(false);
  return (
    <input
      class="typed"
      inputMode="text"
      placeholder={words.typed}
      aria-label={words.typedName}
      aria-invalid={wrong}
      data-test="typed-point"
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        const done = typePoint(event.currentTarget.value);
        setWrong(!done);
        if (done) event.currentTarget.value = "";
      }}
    />
  );
}

export function DrawHint(): JSX.Element | null {
  const now = drawing.value;
  if (cutting.value) {
    return (
      <div class="hint tool-hint">
        <span role="status" data-test="draw-hint">
          {words.cutHint(cutting.value.points.length)}
        </span>
        <Typed />
      </div>
    );
  }
  if (!now) return null;
  const count = now.points.length;
  const told = now.topOf !== null ? words.drawTop(count) : (now.width === null ? words.drawCorners : words.drawLine)(groundName(now.kind), count);
  return (
    <div class="hint tool-hint">
      <span role="status" data-test="draw-hint">
        {told}
      </span>
      {now.width === null && now.topOf === null && (
        <button class="chip" aria-pressed={now.rect} data-test="as-rect" onClick={() => drawRect(!now.rect)}>
          {words.rectangle}
        </button>
      )}
      <Typed />
      {now.width !== null && (
        <>
          <button class="round" aria-label={`${words.width}: ${words.narrower}`} onClick={() => widen(-1)}>
            −
          </button>
          <output aria-label={words.width}>{now.width}″</output>
          <button class="round" aria-label={`${words.width}: ${words.wider}`} onClick={() => widen(1)}>
            +
          </button>
        </>
      )}
    </div>
  );
}

export function DrawBar(): JSX.Element {
  return (
    <nav class={`bar ${saving.value ? "saving" : ""}`}>
      <button class="bar-button" data-test="cancel-drawing" onClick={cancel}>
        <Icon name="close" />
        {words.cancel}
      </button>
      <button class="bar-button" data-test="undo-point" disabled={!(drawing.value ?? cutting.value)?.points.length} onClick={undoPoint}>
        <Icon name="undo" />
        {words.undoPoint}
      </button>
      <button class="bar-button strong" data-test="finish" disabled={!enough.value || saving.value} onClick={() => void finish()}>
        <Icon name="done" />
        {words.finish}
      </button>
    </nav>
  );
}
