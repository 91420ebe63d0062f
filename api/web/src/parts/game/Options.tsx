import type { JSX } from "preact";
import { actorName, actsFor, isReferee, kindTitle, sending, unitOf } from "../../game";
import { type Draft, mayRoll, rollFor, take, verdictOf } from "../../play";
import type { OddsOut, OptionOut, Violation } from "../../schema";
import { words } from "../../words";
import { Icon, VerdictIcon } from "../icons";
import { RuledReasons } from "../rules/RuledReasons";

const say = words.game;

// An option below its unit: the rest of its text.
const restOf = (option: OptionOut): string => (option.rest === "" ? kindTitle(option.kind) : say.rest(option.rest));

const MOST_LETTERS = 26; // of a title's second part

// Only its verb is given so far.
export const bare = (option: OptionOut): boolean => Object.keys(option.action).length === 1;

// An option in a few words: its action and its target.
export function titleOf(option: OptionOut): string {
  const kind = kindTitle(option.kind, bare(option) ? option.label : undefined);
  if (option.target === null) return kind;
  return option.rest.length <= MOST_LETTERS && option.rest.endsWith(option.target) ? `${kind} ${option.rest}` : say.aimed(kind, option.target);
}

// The action being entered, in a few words: by its option until it is changed.
export function draftName({ action, option, changed }: Draft): string {
  if (action === null) return say.inWords;
  return option !== null && !changed ? titleOf(option) : kindTitle(action.kind);
}

const isLikely = (chance: number): boolean => chance >= 0.005; // else it would read 0 %

export function oddsLine(odds: OddsOut): string {
  const also = Object.entries(odds.also).filter(([, chance]) => isLikely(chance)).map(([what, chance]) => say.also(what, chance));
  return [...(Object.keys(odds.chances).length > 1 ? [say.expected(odds.expected, odds.what)] : []), ...also].join(" · ");
}

export function Odds({ odds }: { odds: OddsOut }): JSX.Element | null {
  const bars = Object.entries(odds.chances).filter(([, chance]) => isLikely(chance)).sort(([a], [b]) => Number(a) - Number(b));
  const most = Math.max(...bars.map(([, chance]) => chance), 0.001);
  return (
    <div class="odds">
      {oddsLine(odds) && <p class="odds-line">{oddsLine(odds)}</p>}
      {bars.length > 1 && (
        <ol class="hits" aria-label={say.oddsName(odds.what)}>
          {bars.map(([value, chance]) => (
            <li key={value} aria-label={say.chance(value, chance)}>
              <i style={{ height: `${Math.max(3, (40 * chance) / most)}px` }} />
              <b>{value}</b>
              <small>{Math.round(100 * chance)}%</small>
            </li>
          ))}
        </ol>
      )}
      {odds.words.map((line) => (
        <p key={line} class="quiet-line">{line}</p>
      ))}
      {(odds.cases ?? []).map((one) => (
        <p key={one.when} class="quiet-line">
          {say.when(one.when)}: {say.expected(one.expected, one.what)}
        </p>
      ))}
    </div>
  );
}

export const Violations = ({ all }: { all: Violation[] }): JSX.Element => <RuledReasons all={all} />;

export const within = (option: OptionOut): string => {
  const { range_in, sigma_in, total_in, by_road_in, least_in, most_in } = option.limits;
  return [
    ...(range_in === undefined ? [] : [say.limits.range_in(range_in, sigma_in ?? 0)]),
    ...(total_in === undefined ? [] : [say.limits.total_in(total_in)]),
    ...(by_road_in === undefined ? [] : [say.limits.by_road_in(by_road_in)]),
    ...(least_in === undefined || most_in === undefined ? [] : [say.limits.least_most(least_in, most_in)]),
  ].join(" · ");
};

const advised = ({ advice }: OptionOut): string => (advice === "again" ? say.again : say.rest(advice));

// The result of an option in plain words: its hits or chance and its distance, else its other text.
export const plainly = (option: OptionOut): string =>
  option.odds ? [oddsLine(option.odds) || option.odds.words[0], within(option)].filter(Boolean).join(" · ") : advised(option);

// Further text of an option, if any.
export const inDetail = (option: OptionOut): string => (option.odds ? advised(option) : "");

export function OptionRow({ option, whole = false }: { option: OptionOut; whole?: boolean }): JSX.Element {
  const verdict = verdictOf(option);
  const target = unitOf(option.target);
  const lines = [
    ...(option.odds && oddsLine(option.odds) ? [oddsLine(option.odds)] : option.odds?.words ?? []),
    ...(target && target.title !== option.target ? [target.title] : []),
    ...(verdict === "yes" ? [] : option.violations.slice(0, 1).map((one) => one.text)),
  ];
  const title = whole ? say.rest(option.label) : restOf(option);
  return (
    <li class={`shot-row ${verdict}`}>
      <button class="shot-head" data-test={`option-${option.text.replace(/\W+/g, "-")}`} onClick={() => take(option)}>
        <VerdictIcon verdict={verdict} />
        <span class="shot-who">
          <strong>{title}</strong>
          <small>{lines.join(" · ")}</small>
          {advised(option) && <small class="fine">{advised(option)}</small>}
        </span>
        <span class="shot-numbers">
          <strong>{within(option)}</strong>
        </span>
      </button>
      {mayRoll(option) && (
        <button class="round roll-now" aria-label={say.rollNow(title)} data-test={`roll-${option.unit}`} disabled={sending.value} onClick={() => void rollFor(option)}>
          <Icon name="dice" />
        </button>
      )}
    </li>
  );
}

// Possible actions by kind; then those too close to call; the others with every reason, folded.
export function OptionList({ options, whole = false }: { options: OptionOut[]; whole?: boolean }): JSX.Element {
  const reachable = options.filter((option) => option.mine || isReferee.value || actsFor(option.side));
  const may = reachable.filter((option) => option.legal && option.mine);
  const close = reachable.filter((option) => option.open && option.mine);
  const not = options.filter((option) => !may.includes(option) && !close.includes(option));
  const kinds = [...new Set(may.map(({ kind }) => kind))];
  return (
    <>
      {may.length + close.length === 0 && <p class="quiet">{say.noneOf}</p>}
      {kinds.map((kind) => (
        <section key={kind} class="option-group">
          {(whole || may.some((option) => option.kind === kind && option.rest !== "")) && <h3>{kindTitle(kind)}</h3>}
          <ul class="shots">
            {may.filter((option) => option.kind === kind).map((option) => (
              <OptionRow key={option.text} option={option} whole={whole} />
            ))}
          </ul>
        </section>
      ))}
      {close.length > 0 && (
        <section class="option-group">
          <h3>{say.close_call}</h3>
          <ul class="shots">
            {close.map((option) => (
              <OptionRow key={option.text} option={option} whole />
            ))}
          </ul>
        </section>
      )}
      {not.length > 0 && <WhyNot options={not} />}
    </>
  );
}

// Options by the reasons that refuse them, so that equal reasons are shown once.
export function groupsOf(options: OptionOut[]): OptionOut[][] {
  const groups = new Map<string, OptionOut[]>();
  for (const option of options) {
    const why = option.violations.length > 0 ? option.violations.map(({ text }) => text).join("\n") : option.actor;
    groups.set(why, [...(groups.get(why) ?? []), option]);
  }
  return [...groups.values()];
}

function WhyNot({ options }: { options: OptionOut[] }): JSX.Element {
  return (
    <details class="why-not">
      <summary data-test="why-not">{say.cannot(options.length)}</summary>
      <ul>
        {groupsOf(options).map((group) => {
          const [first] = group as [OptionOut];
          return (
            <li key={first.text}>
              {group.map((option) => (
                <button key={option.text} class="why-head" onClick={() => take(option)} data-test={`option-${option.text.replace(/\W+/g, "-")}`}>
                  {option.legal ? <Icon name="lock" /> : <VerdictIcon verdict={verdictOf(option)} />}
                  <strong>{say.rest(option.label)}</strong>
                </button>
              ))}
              {first.violations.length > 0 ? <Violations all={first.violations} /> : <p class="quiet-line">{say.onlyFor(actorName(first.actor))}</p>}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
