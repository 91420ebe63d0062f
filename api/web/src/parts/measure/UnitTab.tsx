import type { JSX } from "preact";
import { game, unit, unitId } from "../../game";
import { CHIPS, cellWord, chips, isBeyond, line, lineOf, overlays, picked, pickLine, pickUnit, refused, sights, toggle, type Chip } from "../../measure";
import { words } from "../../words";
import { LineSample, rangeOf, Reasons, SightCard } from "./Sights";

const say = words.measure;

export function UnitTab(): JSX.Element {
  const found = overlays.value;
  return (
    <>
      <UnitChoice />
      {unitId.value === null && <p class="quiet" data-test="pick-hint">{say.pick}</p>}
      {refused.value !== null && <p class="quiet">{refused.value}</p>}
      {found !== null && (
        <>
          <div aria-live="polite">
            {cellWord.value !== null && <p class="m-word" data-test="cell-word">{cellWord.value}</p>}
            {picked.value !== null && <SightCard shown sight={picked.value} title={say.sight(picked.value.from, picked.value.to)} />}
          </div>
          <Chips />
          <p class="m-says">{found.says}</p>
          {found.threatened_by.length > 0 && <p class="m-says">{say.threatenedBy(found.threatened_by.join(", "))}</p>}
          {found.perhaps_threatened_by.length > 0 && <p class="m-says">{say.perhapsBy(found.perhaps_threatened_by.join(", "))}</p>}
          <ReachWords />
          <Lines />
        </>
      )}
    </>
  );
}

function UnitChoice(): JSX.Element {
  const units = game.value?.board.units.filter((one) => one.on_table) ?? [];
  return (
    <label class="field">
      <span class="unseen">{say.tabs.unit}</span>
      <select data-test="measure-unit" value={unit.value?.id ?? ""} onChange={(event) => pickUnit(event.currentTarget.value || null)}>
        <option value="">{say.choose}</option>
        {units.map((one) => (
          <option key={one.id} value={one.id}>{one.title}</option>
        ))}
      </select>
    </label>
  );
}

const has = (chip: Chip): boolean => {
  const found = overlays.value;
  if (found === null) return false;
  if (chip === "ranges") return found.ranges.length > 0;
  if (chip === "arcs") return found.front !== null || found.rear !== null;
  if (chip === "threat") return found.threat !== null;
  if (chip === "best") return found.reach.some(({ name }) => name === "best");
  if (chip === "surely") return found.reach.some(({ name }) => name !== "best");
  return chip === "sights" ? found.sights.length > 0 : found.sights.some(isBeyond);
};

const SAMPLES: Partial<Record<Chip, string>> = { ranges: "m-ring", arcs: "m-front", threat: "m-threat", best: "m-reach best", surely: "m-reach surely", sights: "m-sight clear" };

function Chips(): JSX.Element {
  return (
    <div class="chips m-chips" role="group" aria-label={say.chipsName}>
      {CHIPS.filter(has).map((chip) => (
        <button key={chip} class="chip" aria-pressed={chips.value.includes(chip)} data-test={`chip-${chip}`} onClick={() => toggle(chip)}>
          {SAMPLES[chip] && (
            <svg class="m-sample" viewBox="0 0 44 16" aria-hidden="true">
              <path class={`m-case ${SAMPLES[chip]}`} d="M3 8h38" />
              <path class={SAMPLES[chip]} d="M3 8h38" />
            </svg>
          )}
          {say.chips[chip]}
        </button>
      ))}
    </div>
  );
}

function ReachWords(): JSX.Element | null {
  const found = overlays.value;
  const shown = (found?.reach ?? []).filter(({ name }) => chips.value.includes(name === "best" ? "best" : "surely"));
  if (found === null || shown.length === 0) return null;
  return (
    <section class="m-reach-words">
      {shown.map((one) => (
        <p key={one.name} class="m-says">{one.says}</p>
      ))}
      {found.against.length > 0 && (
        <>
          <h3>{say.notNow}</h3>
          <Reasons reasons={found.against} />
        </>
      )}
    </section>
  );
}

function Lines(): JSX.Element | null {
  if (!chips.value.includes("sights")) return null;
  const shown = sights.value;
  const beyond = (overlays.value?.sights.length ?? 0) - shown.length;
  return (
    <section>
      <h3>{say.lines(shown.length, beyond)}</h3>
      <ul class="m-lines">
        {shown.map((sight) => (
          <li key={lineOf(sight)}>
            <button
              aria-expanded={line.value === lineOf(sight)}
              title={sight.says}
              data-test={`sight-${sight.to}`}
              data-verdict={sight.verdict}
              onClick={() => pickLine(sight)}
            >
              <LineSample verdict={sight.verdict} quiet />
              <strong>{sight.to}</strong>
              <span>{say.verdicts[sight.verdict]}</span>
              <small>{rangeOf(sight)}</small>
            </button>
          </li>
        ))}
      </ul>
      <p class="quiet-line">{say.legend}</p>
    </section>
  );
}
