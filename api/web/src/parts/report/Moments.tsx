// The moments to tick, the most important first; a ticked one has room for the player's own words.

import type { JSX } from "preact";
import { useSignal } from "@preact/signals";
import type { ReportMomentOut } from "../../schema";
import { guarded } from "../../shell";
import { report as say } from "../../words/report";
import { capital } from "../../words/forms";
import { change, draft, isTold, making, report, sayOf, tick, told, weigh } from "./draft";
import { Own } from "./Own";

const FIRST = 6;

export function Moments({ all, most }: { all: ReportMomentOut[]; most: number }): JSX.Element {
  const whole = useSignal(false);
  const chances = report.value?.chances;
  const counting = making.value === "chances";
  const shown = all.filter((one, at) => whole.value || at < FIRST || isTold(one));
  return (
    <section aria-labelledby="report-moments">
      <div class="report-line">
        <h2 id="report-moments">{say.moments}</h2>
        {draft.value.kept !== null && all.length > 0 && (
          <button class="report-small" onClick={() => change({ kept: null })} data-test="propose">
            {say.propose}
          </button>
        )}
      </div>
      {all.length === 0 ? (
        <p class="quiet">{say.noMoments}</p>
      ) : (
        <p class="report-hint">
          {chances === "counted" ? say.chancesHint : say.momentsHint} <b aria-live="polite" data-test="chosen">{say.chosen(told.value.length, all.length)}.</b>
        </p>
      )}
      {chances === "possible" && all.length > 0 && (
        <>
          <button
            class="report-more"
            aria-disabled={making.value !== null}
            aria-busy={counting}
            onClick={() => void guarded(weigh)}
            data-test="weigh"
          >
            {counting ? say.weighing : say.weigh}
          </button>
          <p class="report-hint">{say.weighHint}</p>
        </>
      )}
      <ul class="report-list">
        {shown.map((one) => (
          <li key={one.seq} class={isTold(one) ? "report-card kept" : "report-card"} data-test={`moment-${one.number}`}>
            <label class="report-tick">
              <input type="checkbox" checked={isTold(one)} onChange={() => tick(one)} data-test={`tick-${one.number}`} />
              <span class="report-box" aria-hidden="true" />
              <span class="report-what">
                <strong>{one.when}</strong>
                <span>{one.says}</span>
                <small>{chances === "counted" ? `${capital(one.why)}.` : `${say.weight(one.weight)}: ${one.why}`}</small>
              </span>
            </label>
            {isTold(one) && (
              <Own
                name={say.momentWords(one.number)}
                value={draft.value.moments[one.seq] ?? ""}
                most={most}
                test={`moment-${one.number}`}
                write={(text) => sayOf("moments", one.seq, text)}
              />
            )}
          </li>
        ))}
      </ul>
      {shown.length < all.length && (
        <button class="report-more" onClick={() => (whole.value = true)} data-test="all-moments">
          {say.allMoments(all.length - shown.length)}
        </button>
      )}
    </section>
  );
}
