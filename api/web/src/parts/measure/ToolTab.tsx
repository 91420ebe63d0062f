import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { again, asking, clearAll, current, first, measure, measured, share, shown, type Measured } from "../../measure";
import { game, isReferee } from "../../game";
import type { Length, Thing } from "../../schema";
import { words } from "../../words";
import { Lists } from "./Lists";
import { choices } from "./layer";
import { bringUp, Reasons, SightCard } from "./Sights";
import type { Found } from "./surface";

const say = words.measure;

export function ToolTab(): JSX.Element {
  const now = shown.value;
  const others = measured.value.filter(({ key }) => key !== current.value);
  return (
    <>
      <div aria-live="polite" aria-atomic="true">
        {asking.value ? <p class="m-hint">{say.measuring}</p> : now === null ? <Hint /> : <Result one={now} />}
      </div>
      {now !== null && <After one={now} />}
      <Lists />
      {others.length > 0 && (
        <section>
          <h3>{say.before}</h3>
          <ul class="m-lines">
            {others.map((one) => (
              <li key={one.key}>
                <button data-test="measured-before" onClick={() => (current.value = one.key)}>
                  <strong>{lengthOf(one.found.plain)}</strong>
                  <span>{one.found.plain.says}</span>
                </button>
              </li>
            ))}
          </ul>
          <button class="link" data-test="measure-clear" onClick={clearAll}>{say.clear}</button>
        </section>
      )}
    </>
  );
}

function Hint(): JSX.Element {
  const from = first.value;
  const name = choices.value[0].find(({ thing }) => thing === from)?.name ?? nameOf(from);
  return (
    <div class="m-hint" data-test="measure-hint">
      <p>{from === null ? say.first : say.second(name)}</p>
      {from !== null && (
        <>
          <Instead end={name} found={choices.value[0]} now={from} choose={(thing) => (first.value = thing)} />
          <button class="link" data-test="measure-forget" onClick={() => (first.value = null)}>{say.forget}</button>
        </>
      )}
    </div>
  );
}

const nameOf = (thing: Thing | null): string =>
  thing === null ? "" : thing.point ? say.point(thing.point) : (thing.unit ?? thing.piece ?? thing.ground ?? (thing.cell ? say.cell(thing.cell, game.value?.board.grid ?? "hex") : ""));

const lengthOf = ({ value, unit, sigma }: Length): string => say.length(value, unit, 1.96 * sigma);

function Result({ one: { key, found, by } }: { one: Measured }): JSX.Element {
  const top = useRef<HTMLElement>(null);
  useEffect(() => bringUp(top.current), [key]);
  const [plain, rule] = [found.plain, found.rule];
  const sights = found.sights;
  const told = new Set(sights.flatMap((sight) => sight.reasons.map(({ text }) => text)));
  const reasons = found.reasons.filter(({ text }) => !told.has(text));
  return (
    <section class="m-result" data-test="measured" ref={top} key={key}>
      {by !== null && <p class="quiet-line">{say.sharedBy(by)}</p>}
      <div class="m-lengths">
        <Length name={say.edge} length={plain} test="plain" />
        {rule !== null && <Length name={say.rule} length={rule} test="rule" />}
      </div>
      {sights.map((sight) => (
        <SightCard key={`${sight.from} ${sight.to}`} sight={sight} title={sights.length > 1 ? say.sight(sight.from, sight.to) : say.sightOneWay} />
      ))}
      {reasons.length > 0 && <Reasons reasons={reasons} />}
    </section>
  );
}

const Length = ({ name, length, test }: { name: string; length: Length; test: string }): JSX.Element => (
  <div class={`m-length-box ${test}`} data-test={`length-${test}`}>
    <span>{name}</span>
    <strong>{lengthOf(length)}</strong>
    {length.band !== null && <em>{say.band(length.band)}</em>}
    <small>{length.says}</small>
  </div>
);

function After({ one }: { one: Measured }): JSX.Element {
  const [mine, ends] = [one.by === null, one.ends];
  const roles = game.value?.me.roles ?? [];
  const mayShare = mine && (isReferee.value || roles.some((role) => role !== "spectator"));
  return (
    <>
      {mine && ends !== null && (
        <>
          <Instead end={one.found.a.id} found={choices.value[0]} now={ends[0]} choose={(thing) => void measure(thing, ends[1], true)} />
          <Instead end={one.found.b.id} found={choices.value[1]} now={ends[1]} choose={(thing) => void measure(ends[0], thing, true)} />
        </>
      )}
      <div class="m-buttons">
        {mayShare && (
          <button class="soft-go" data-test="share" disabled={one.told} onClick={() => void share(one)}>
            {one.told ? say.shared : say.share}
          </button>
        )}
        {mine && (
          <button class="soft-go" data-test="measure-again" onClick={again}>{say.again}</button>
        )}
      </div>
      {mine && !one.told && <p class="quiet-line">{say.private}</p>}
    </>
  );
}

interface InsteadProps {
  end: string;
  found: Found[];
  now: Thing;
  choose: (thing: Thing) => void;
}

// Other things that the touch may have meant.
function Instead({ end, found, now, choose }: InsteadProps): JSX.Element | null {
  const same = (one: Found): boolean => JSON.stringify(one.thing) === JSON.stringify(now);
  if (found.length < 2 || !found.some(same)) return null;
  return (
    <div class="chips m-instead" role="group" aria-label={say.instead(end)}>
      {found.map((one) => (
        <button key={one.name} class="chip" aria-pressed={same(one)} data-test="instead" onClick={() => choose(one.thing)}>
          {one.name}
        </button>
      ))}
    </div>
  );
}
