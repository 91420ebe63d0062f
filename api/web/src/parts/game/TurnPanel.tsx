import { computed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Action } from "../../actions";
import { able, askHint, due, game, hint, hinting, isGrave, kindTitle, options, possible, sending } from "../../game";
import { pick, take, takeHint, takeOrDo } from "../../play";
import type { OptionOut, Unit } from "../../schema";
import { wanted } from "../../opponents";
import { words } from "../../words";
import { isMyTurn, whoseTurn } from "../../turn-alert";
import { Sheet } from "../Sheet";
import { PhotoOffer } from "../tour/PhotoOffer";
import { bare, inDetail, OptionRow, plainly } from "./Options";
import { Computer, ComputerFoot, DoTheRest } from "./Computer";
import { GoOn } from "./GoOn";
import { Result } from "./Result";
import { Sure } from "./Sure";

const say = words.game;
const FEW = 3; // actions that can be chosen without picking their unit first

// No unit picked: the side that acts, what comes next, what can be done without a unit, and all units.
export function TurnPanel(): JSX.Element | null {
  const now = game.value;
  if (now === null) return null;
  const [, first, rest] = /^(.*?[.:])\s+(.*)$/.exec(now.turn.headline) ?? [null, now.turn.headline, ""];
  return (
    <Sheet label={say.turn}>
      <header class="sheet-head">
        <div class="sheet-title">
          {whoseTurn.value && <p class={`whose-turn ${isMyTurn.value ? "mine" : ""}`} data-test="whose-turn">{whoseTurn.value}</p>}
          <h2 data-test="headline">
            {first} {rest && <span class="kind">{rest}</span>}
          </h2>
        </div>
      </header>
      <div class="sheet-body" tabIndex={0}>
        <Computer />
        <Result />
        <GoOn />
        {wanted.value === null && (now.turn.hidden || now.turn.next) && <p class="next" data-test="next">{now.turn.hidden || now.turn.next}</p>}
        <PhotoOffer />
        {now.outcome === null && <Actions />}
        {now.hints && now.outcome === null && wanted.value === null && due.value.length > 0 && <Hint />}
        <Units />
        <Facts />
      </div>
      <ComputerFoot />
      <StepFoot />
    </Sheet>
  );
}

interface Offered {
  step: OptionOut | null; // ends this step, or is the only action: always visible
  large: OptionOut[];
  aimed: OptionOut[];
  grave: OptionOut[];
}

// The actions that need no unit picked first, grouped by button; none for a player who only waits.
export const offered = computed<Offered>(() => {
  const may = possible(options.value);
  const few = may.length <= FEW;
  const its = wanted.value?.side; // the answers to it are the large buttons
  const free = may.filter(({ unit }) => unit === null || few);
  const large = free.filter(({ target, side }) => (target === null || few) && side !== its);
  const step = large.find(({ kind }) => kind === "end") ?? (large.length === 1 ? large[0] : undefined) ?? null;
  const grave = (options.value?.options ?? []).filter((option) => option.mine && option.legal && isGrave(option));
  return {
    step,
    large: large.filter((option) => option !== step),
    aimed: free.filter((option) => !large.includes(option)),
    grave: due.value.length > 0 ? grave : [],
  };
});

const StepFoot = (): JSX.Element | null => {
  const { step } = offered.value;
  return step === null || game.value?.outcome !== null ? null : (
    <footer class="sheet-foot step-foot">
      <BigButton key={step.text} option={step} />
      <DoTheRest />
    </footer>
  );
};

function Actions(): JSX.Element {
  const { large, aimed, grave } = offered.value;
  return (
    <div class="actions">
      {large.map((option) => (
        <BigButton key={option.text} option={option} />
      ))}
      {(aimed.length > 0 || grave.length > 0) && (
        <details class="why-not">
          <summary data-test="other-actions">{say.other}</summary>
          <ul class="shots">
            {[...aimed, ...grave].map((option) => (
              <OptionRow key={option.text} option={option} whole />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

// A search's suggestion: asking does nothing, and its first action is only filled in.
function Hint(): JSX.Element {
  const found = hint.value?.seq === game.value?.seq ? hint.value : null;
  const first = found?.line[0];
  return (
    <section class="looked-ahead" aria-live="polite">
      {found === null ? (
        <button class="quiet-button" data-test="hint" disabled={hinting.value} onClick={() => void askHint()}>
          {hinting.value ? say.hinting : say.hint}
        </button>
      ) : (
        <>
          <p class="quiet-line" data-test="hint-says">{found.says}</p>
          {first !== undefined && found.action != null && (
            <button class="quiet-button" data-test="take-hint" onClick={() => takeHint(found.action as Action)}>
              {say.takeHint(first)}
            </button>
          )}
        </>
      )}
    </section>
  );
}

// Ending a step while units can still act needs one confirmation.
function BigButton({ option }: { option: OptionOut }): JSX.Element {
  const asked = useSignal(-1); // the event after which it was
  const act = option.legal ? () => void takeOrDo(option) : () => take(option);
  const unused = option.kind === "end" ? [...able.value] : [];
  if (unused.length > 0 && asked.value === game.value?.seq) {
    return (
      <Sure says={say.stillCan(unused)} yes={say.endAnyway} tests={{ says: "still-can", yes: "end-anyway" }} act={act} back={() => (asked.value = -1)} />
    );
  }
  const begin = unused.length > 0 ? () => (asked.value = game.value?.seq ?? -1) : act;
  return (
    <button class="go wide" data-test={`do-${option.text.replace(/\W+/g, "-")}`} disabled={sending.value} onClick={begin}>
      {bare(option) ? kindTitle(option.kind, option.label) : say.rest(option.label)}
      {plainly(option) && <small>{plainly(option)}</small>}
      {inDetail(option) && <small class="fine">{inDetail(option)}</small>}
    </button>
  );
}

// A unit's kind, from its title.
const kindOf = ({ id, kind, title }: Unit): string => (title.startsWith(`${id}, `) ? title.slice(id.length + 2) : kind);

function Units(): JSX.Element {
  const board = game.value?.board;
  return (
    <>
      {board?.sides.map((side, index) => {
        const own = board.units.filter((unit) => unit.side === side.id);
        return (
          <section key={side.id} class="roster">
            <h3>
              <span class={`swatch side-${index % 4}`} />
              {side.title}
            </h3>
            <div class="chips">
              {own.map((unit) => (
                <button
                  key={unit.id}
                  class={`chip roomy ${unit.on_table ? "" : "missing"} ${able.value.has(unit.id) ? "can" : ""}`}
                  data-test={`unit-${unit.id}`}
                  aria-description={unit.says}
                  onClick={() => pick(unit.id)}
                >
                  <b>{unit.id}</b> {kindOf(unit)}{" "}
                  <small>{[...(unit.on_table ? [] : [say.notOnTable]), ...unit.badges.map((badge) => badge.text)].join(" · ")}</small>
                </button>
              ))}
            </div>
          </section>
        );
      })}
    </>
  );
}

const Facts = (): JSX.Element => (
  <section class="roster">
    <h3>{say.facts}</h3>
    <dl class="modifiers">
      {game.value?.board.facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  </section>
);
