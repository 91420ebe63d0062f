import type { JSX } from "preact";
import type { ShotOut } from "../schema";
import { shotTarget, table } from "../store";
import { kindName, text } from "../text";
import { VerdictIcon } from "./icons";

const factor = (value: number): string => (value === 0.5 ? "× ½" : value === 0.25 ? "× ¼" : `× ${value}`);
const amount = (add: number | null, multiply: number | null): string =>
  add !== null ? `${add < 0 ? "−" : "+"}${Math.abs(add)}` : multiply !== null ? factor(multiply) : "";

// A reason ends with its place in the rules, in brackets: shown smaller.
const PLACE = /\s*\[([^[\]]+)\]\s*$/;
const plain = (words: string): string => words.replace(PLACE, "");

function Reason({ words }: { words: string }): JSX.Element {
  const place = PLACE.exec(words)?.[1];
  return (
    <li>
      {plain(words)} {place !== undefined && <cite>{place}</cite>}
    </li>
  );
}

function Hits({ shot }: { shot: ShotOut }): JSX.Element | null {
  const bars = Object.entries(shot.hits).sort(([a], [b]) => Number(a) - Number(b));
  if (!bars.length || shot.expected_hits === 0) return null;
  const most = Math.max(...bars.map(([, chance]) => chance));
  return (
    <ol class="hits" aria-label={text.hitsName}>
      {bars.map(([hits, chance]) => (
        <li key={hits} aria-label={text.hitsBar(hits, chance)}>
          <i style={{ height: `${Math.max(3, (44 * chance) / most)}px` }} />
          <b>{hits}</b>
          <small>{Math.round(100 * chance)}%</small>
        </li>
      ))}
    </ol>
  );
}

function Shot({ shot, incoming }: { shot: ShotOut; incoming: boolean }): JSX.Element {
  const other = incoming ? shot.firer : shot.target;
  const kind = table.value?.units.find((unit) => unit.id === other)?.kind ?? null;
  const open = shotTarget.value === other;
  const verdict = text.verdict[shot.verdict];
  return (
    <li class={`shot-row ${shot.verdict} ${open ? "open" : ""}`} data-test={`shot-${other}`}>
      <button
        class="shot-head"
        aria-expanded={open}
        aria-label={text.shotName(shot, other, verdict)}
        onClick={() => (shotTarget.value = open ? null : other)}
      >
        <VerdictIcon verdict={shot.verdict} />
        <span class="shot-who">
          <strong>
            {other} <span class="kind">{kindName(kind)}</span>
          </strong>
          <small>{text.headline(shot)}</small>
        </span>
        <span class="shot-numbers">
          <strong>{text.range(shot)}</strong>
          <small>
            {shot.verdict === "no" ? (text.bands[shot.range.band] ?? shot.range.band) : text.expected(shot.expected_hits)}
          </small>
        </span>
      </button>
      {open && (
        <div class="shot-more">
          <p class={`verdict-words ${shot.verdict}`}>{verdict}</p>
          <ul class="reasons" aria-label={text.reasons}>
            {shot.reasons.map((reason) => (
              <Reason key={reason} words={reason} />
            ))}
          </ul>
          {shot.priority && shot.priority.of > 1 && (
            <p class="priority">{text.priority(shot.priority.rank, shot.priority.of, plain(shot.priority.why))}</p>
          )}
          {shot.modifiers.length > 0 && (
            <dl class="modifiers" aria-label={text.modifiers}>
              {shot.modifiers.map((one) => (
                <div key={one.name}>
                  <dt>{one.name}</dt>
                  <dd>{amount(one.add, one.multiply)}</dd>
                </div>
              ))}
            </dl>
          )}
          <Hits shot={shot} />
        </div>
      )}
    </li>
  );
}

export function ShotList({ shots, incoming }: { shots: ShotOut[]; incoming: boolean }): JSX.Element {
  if (!shots.length) return <p class="quiet">{text.noShots}</p>;
  return (
    <ul class="shots">
      {shots.map((shot) => (
        <Shot key={incoming ? shot.firer : shot.target} shot={shot} incoming={incoming} />
      ))}
    </ul>
  );
}

export function Counts({ shots }: { shots: ShotOut[] }): JSX.Element {
  const of = (verdict: ShotOut["verdict"]): number => shots.filter((shot) => shot.verdict === verdict).length;
  const all = ["too-close", "yes", "no"] as const;
  return (
    <span class="counts" role="img" aria-label={text.counts(of("yes"), of("too-close"), of("no"))}>
      {all.map((verdict) => (
        <span key={verdict} class={`count ${verdict}`}>
          <VerdictIcon verdict={verdict} />
          {of(verdict)}
        </span>
      ))}
    </span>
  );
}
