import type { JSX } from "preact";
import type { BaseOut } from "../schema";
import { base, baseId, changeBase, giveBase, removeBase, stepBase, table } from "../store";
import { kindName, sideName, text } from "../text";
import { Icon } from "./icons";
import { Sheet } from "./Sheet";

const TURNS = [-15, -3, 3, 15];
const STEP_IN = 0.1;

const titleOf = (shown: BaseOut): string => {
  if (shown.unit !== null) return shown.unique ? text.uniqueOf(shown.unit) : text.baseOf(shown.unit);
  return shown.side !== null ? text.unknownBaseOf(sideName(shown.side)) : text.unknownBase;
};

export function BaseSheet(): JSX.Element | null {
  const shown = base.value;
  const now = table.value;
  if (!shown || !now) return null;
  const sides = now.sides.map((side) => side.id);
  const turn = (degrees: number): void =>
    void stepBase(shown.id, (base) => ({ facing: ((base.facing ?? 0) + degrees + 360) % 360 }));
  const nudge = (dx: number, dy: number): void =>
    void stepBase(shown.id, (base) => ({ center: [base.center[0] + dx, base.center[1] + dy] }));
  return (
    <Sheet label={titleOf(shown)} look="slim">
      <header class="sheet-head">
        <span class={`swatch ${shown.side === null ? "side-none" : `side-${sides.indexOf(shown.side) % 4}`}`} />
        <div class="sheet-title">
          <h2>{titleOf(shown)}</h2>
          <small>
            {text.place(shown.center[0], shown.center[1], shown.sigma)} · {text.facing(shown.facing)} ·{" "}
            {shown.method === "hand" ? text.byHand : text.seen(shown.method)}
          </small>
        </div>
        <button class="round small" aria-label={text.close} data-test="close-sheet" onClick={() => (baseId.value = null)}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-body">
        {shown.unit === null && <Belongs />}
        <div class="control">
          <span>{text.turn}</span>
          <div class="buttons">
            {TURNS.map((degrees) => (
              <button key={degrees} class="key" aria-label={text.turnBy(degrees)} onClick={() => turn(degrees)}>
                {degrees > 0 ? `↻ ${degrees}°` : `↺ ${-degrees}°`}
              </button>
            ))}
          </div>
        </div>
        <div class="control">
          <span>{text.nudge}</span>
          <div class="buttons">
            <button class="key" aria-label={text.nudges.left} onClick={() => nudge(-STEP_IN, 0)}>←</button>
            <button class="key" aria-label={text.nudges.up} onClick={() => nudge(0, STEP_IN)}>↑</button>
            <button class="key" aria-label={text.nudges.down} onClick={() => nudge(0, -STEP_IN)}>↓</button>
            <button class="key" aria-label={text.nudges.right} onClick={() => nudge(STEP_IN, 0)}>→</button>
          </div>
        </div>
        {shown.unit !== null && <Belongs />}
        {shown.unit !== null && (
          <button
            class="chip wide"
            aria-pressed={shown.unique === true}
            data-test="unique"
            onClick={() => void changeBase(shown.id, { unique: shown.unique !== true })}
          >
            {text.unique}
          </button>
        )}
        <button class="danger" data-test="remove-base" onClick={() => void removeBase(shown.id)}>
          <Icon name="trash" />
          {text.remove}
        </button>
      </div>
    </Sheet>
  );
}

function Belongs(): JSX.Element | null {
  const shown = base.value;
  const now = table.value;
  if (!shown || !now) return null;
  const sides = now.sides.map((side) => side.id);
  const candidates = now.units.filter((unit) => shown.unit !== null || shown.side === null || unit.side === shown.side);
  candidates.sort((a, b) => Number(b.side === shown.side) - Number(a.side === shown.side));
  return (
    <>
        <div class="control tall">
          <span>{text.belongs}</span>
          <div class="chips">
            {candidates.map((unit) => (
              <button
                key={unit.id}
                class={`chip dotted side-${sides.indexOf(unit.side) % 4}`}
                aria-pressed={unit.id === shown.unit}
                data-test={`give-${unit.id}`}
                onClick={() => void giveBase(shown.id, unit.id, unit.id === shown.unit ? shown.unique === true : false)}
              >
                <b>{unit.id}</b> {kindName(unit.kind)} {unit.bases_found}/{unit.bases_expected}
              </button>
            ))}
            <button class="chip" aria-pressed={shown.unit === null} onClick={() => void giveBase(shown.id, null, false)}>
              {text.nobody}
            </button>
          </div>
        </div>
    </>
  );
}
