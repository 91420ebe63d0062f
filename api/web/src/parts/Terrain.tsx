import type { JSX } from "preact";
import {
  cancel, changePiece, choosePiece, drawing, drawTop, enough, erase, finish, hasHeight, HEIGHT_IN, type Kind, KINDS, piece, pickKind,
  raise, tool, undoPoint, useTool, widen,
} from "../ground";
import { saving, table } from "../store";
import { groundName, text } from "../text";
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

export function DrawHint(): JSX.Element | null {
  const now = drawing.value;
  if (!now) return null;
  const count = now.points.length;
  const told = now.topOf !== null ? words.drawTop(count) : (now.width === null ? words.drawCorners : words.drawLine)(groundName(now.kind), count);
  return (
    <div class="hint tool-hint">
      <span role="status" data-test="draw-hint">
        {told}
      </span>
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
      <button class="bar-button" data-test="undo-point" disabled={!drawing.value?.points.length} onClick={undoPoint}>
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
