import type { JSX } from "preact";
import { isReferee, options, sending, sideName, unitOf } from "../../game";
import {
  cornerHere, dice, doIt, doubt, draft, drop, form, goes, isJudged, judged, moveTo, need, points, reason, reword, setPoint, spot, straight, verdict,
  wantsPlace, wantsPoints,
} from "../../play";
import { words } from "../../words";
import {
  blanksIn, choicesIn, cornerIn, countOf, countsAsked, countsIn, facingIn, flagsIn, hasFlag, sayableIn, wayIn, withChoice, withCorner, withCount, withFlag,
} from "../../wording";
import { game } from "../../game";
import { Icon, VerdictIcon } from "../icons";
import { Sheet } from "../Sheet";
import { DiceInput } from "./DiceInput";
import { kindTitle, Odds, Violations, within } from "./Options";

const say = words.game;

export function Composer(): JSX.Element | null {
  const now = draft.value;
  if (now === null) return null;
  const unit = unitOf(now.option?.unit ?? null);
  const title = now.option && now.option.kind !== "" ? kindTitle(now.option.kind) : say.inWords;
  return (
    <Sheet label={title} look="composer">
      <header class="sheet-head">
        <div class="sheet-title">
          <h2>{title}</h2>
          {unit && <small>{unit.title}</small>}
        </div>
        <button class="round small" aria-label={say.close} data-test="drop" onClick={drop}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-body">
        {now.words !== "" && !asksPoint() && <Judgement />}
        <Sayable />
        {judged.value && judged.value.dangers.length > 0 && <Dangers lines={judged.value.dangers} />}
        <DiceInput />
        {judged.value?.odds && <Odds odds={judged.value.odds} />}
        {wantsPoints.value && <PointFields />}
        {wantsPlace.value && <PlaceFields />}
        <Corners />
        <Either />
        <Additions />
        <WordsField said={now.words} />
      </div>
      <DoButtons />
    </Sheet>
  );
}

function WordsField({ said }: { said: string }): JSX.Element {
  const verb = said.trim().split(" ")[0] ?? "";
  const forms = Object.keys(options.value?.forms ?? {});
  const blank = blanksIn(said).length > 0 || (game.value?.board.cells.length ?? 0) > 0;
  return (
    <div class="words-field">
      <label class="field">
        <span>{say.wordsLabel}</span>
        <input
          data-test="words"
          value={said}
          placeholder={say.wordsPlaceholder}
          autocapitalize="off"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => reword(event.currentTarget.value)}
        />
      </label>
      {form.value !== "" && form.value !== said && <small class="form">{say.form(form.value)}</small>}
      {said.trim() === "" && (
        <div class="chips">
          {forms.map((word) => (
            <button key={word} class="chip" onClick={() => reword(`${word} `)}>
              {word}
            </button>
          ))}
        </div>
      )}
      {wantsPlace.value ? <small class="form">{say.placeHint}</small> : !wantsPoints.value && blank && verb !== "" && / \S/.test(said) && <small class="form">{say.cellHint}</small>}
    </div>
  );
}

const number = (label: string, value: number | null, step: number, put: (value: number) => void, test: string): JSX.Element => (
  <label class="field">
    <span>{label}</span>
    <input
      type="number"
      inputMode="decimal"
      step={step}
      data-test={test}
      value={value === null ? "" : Math.round(value * 100) / 100}
      onChange={(event) => Number.isFinite(event.currentTarget.valueAsNumber) && put(event.currentTarget.valueAsNumber)}
    />
  </label>
);

const asksPoint = (): boolean => points.value?.includes(null) ?? false;

// The points of an action that puts no unit anywhere: tapped on the table one after another, or written.
function PointFields(): JSX.Element {
  const all = points.value ?? [];
  const next = all.indexOf(null);
  return (
    <>
      <p class="next" aria-live="polite" data-test="point-hint">
        {next >= 0 ? say.pointHint(next + 1, all.length) : say.pointsThere(all.length)}
      </p>
      {all.map((at, i) => (
        <div key={i} class="place-fields pair">
          {number(say.pointX(i + 1, all.length), at?.[0] ?? null, 0.25, (x) => setPoint(i, [x, at?.[1] ?? 0]), `point-${i}-x`)}
          {number(say.pointY(i + 1, all.length), at?.[1] ?? null, 0.25, (y) => setPoint(i, [at?.[0] ?? 0, y]), `point-${i}-y`)}
        </div>
      ))}
    </>
  );
}

// What players may say once they have looked at what is too close to call, as the reasons have it.
function Sayable(): JSX.Element | null {
  const open = judged.value?.violations.filter((one) => one.answer === "too-close") ?? [];
  const all = [...new Set(open.flatMap((one) => sayableIn(one.text)))];
  if (!isJudged.value || all.length === 0) return null;
  return (
    <div class="chips" role="group" aria-label={say.sayable}>
      {all.map((one) => (
        <button key={one} class="chip" data-test={`say-${one.replace(/\W+/g, "-")}`} onClick={() => reword(`${draft.value?.words.trim() ?? ""} ${one}`)}>
          {say.rest(one)}
        </button>
      ))}
    </div>
  );
}

function PlaceFields(): JSX.Element {
  const now = spot.value ?? { center: [0, 0] as [number, number], facing: 0 };
  const corners = wayIn(draft.value?.words ?? "").length;
  return (
    <>
      <div class="place-fields">
        {number(say.x, now.center[0], 0.25, (x) => moveTo({ ...now, center: [x, now.center[1]] }), "place-x")}
        {number(say.y, now.center[1], 0.25, (y) => moveTo({ ...now, center: [now.center[0], y] }), "place-y")}
        {number(say.facing, now.facing, 5, (facing) => moveTo({ ...now, facing }), "place-facing")}
      </div>
      {form.value.includes("[via X,Y") && (
        <div class="chips">
          <button class="chip" data-test="via" onClick={cornerHere}>
            {say.viaHere}
          </button>
          {corners > 0 && (
            <button class="chip" onClick={straight}>
              {say.viaNone} ({say.wayOf(corners)})
            </button>
          )}
        </div>
      )}
    </>
  );
}

// Which corner of its hex a unit faces, where the action lets it say so.
function Corners(): JSX.Element | null {
  const now = draft.value;
  const unit = now?.option?.unit ?? null;
  const piece = game.value?.board.pieces.find((one) => one.unit === unit);
  const how = facingIn(form.value);
  const faces = piece?.facing != null || /\bface\b/.test(now?.option?.advice ?? "");
  if (now === null || unit === null || how === null || game.value?.board.grid !== "hex" || !faces) return null;
  const chosen = cornerIn(now.words, unit);
  return (
    <div class="control">
      <span>{say.faces}</span>
      <div class="buttons">
        {[0, 1, 2, 3, 4, 5].map((corner) => (
          <button
            key={corner}
            class="key"
            aria-label={say.corner(corner)}
            aria-pressed={chosen === corner}
            data-test={`corner-${corner}`}
            onClick={() => reword(withCorner(now.words, unit, how, corner))}
          >
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" style={{ rotate: `${60 * corner}deg` }}>
              <path d="M12 20V4M6 10l6-6 6 6" />
            </svg>
          </button>
        ))}
      </div>
    </div>
  );
}

// What the action may say besides: a card that was drawn, for example.
function Either(): JSX.Element | null {
  const said = draft.value?.words.trim() ?? "";
  const all = choicesIn(form.value);
  if (all.length === 0 || blanksIn(said).length > 0 || !/ \S/.test(said)) return null;
  return (
    <div class="chips" role="group" aria-label={say.either}>
      {all.map((one) => (
        <button key={one} class="chip" aria-pressed={said.endsWith(` ${one}`)} data-test={`say-${one}`} onClick={() => reword(withChoice(said, all, one))}>
          {say.rest(one)}
        </button>
      ))}
    </div>
  );
}

// Numbers and words that the action may say besides, as its form has them.
function Additions(): JSX.Element | null {
  const [said, how] = [draft.value?.words.trim() ?? "", form.value];
  const asked = countsAsked(draft.value?.option?.text ?? "", how);
  const [counts, flags] = [asked.length > 0 ? asked : countsIn(how), flagsIn(how)];
  if (said === "" || counts.length + flags.length === 0 || blanksIn(said).length > 0 || asksPoint()) return null;
  const step = (name: string, count: number | null): void => reword(withCount(said, how, name, count));
  return (
    <>
      {counts.map((name) => {
        const now = countOf(said, name);
        return (
          <div key={name} class="control stepper" role="group" aria-label={say.rest(name)}>
            <span>{say.rest(name)}</span>
            <button class="key" aria-label={say.fewer(name)} data-test={`less-${name}`} disabled={now === null} onClick={() => step(name, now === null || now <= 1 ? null : now - 1)}>
              −
            </button>
            <input
              type="number"
              inputMode="numeric"
              min={0}
              aria-label={say.rest(name)}
              placeholder={say.unsaid}
              data-test={`count-${name}`}
              value={now ?? ""}
              onChange={(event) => step(name, event.currentTarget.value === "" ? null : Math.max(0, Math.round(event.currentTarget.valueAsNumber) || 0))}
            />
            <button class="key" aria-label={say.moreOf(name)} data-test={`more-${name}`} onClick={() => step(name, (now ?? 0) + 1)}>
              +
            </button>
          </div>
        );
      })}
      {flags.length > 0 && (
        <div class="chips" role="group" aria-label={say.besides}>
          {flags.map((name) => (
            <button key={name} class="chip" aria-pressed={hasFlag(said, name)} data-test={`flag-${name}`} onClick={() => reword(withFlag(said, how, name))}>
              {say.rest(name)}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

function Judgement(): JSX.Element {
  const found = judged.value;
  const sure = verdict.value;
  const option = draft.value?.option ?? null;
  const told = !isJudged.value ? "" : doubt.value !== null ? "doubt" : (sure ?? "");
  return (
    <div class={`judgement ${sure ?? ""}`} aria-live="polite" data-test="judgement" data-verdict={told}>
      {doubt.value !== null && <p>{doubt.value}</p>}
      {doubt.value === null && sure === null && <p class="quiet-line">{say.checking}</p>}
      {found && sure && (
        <>
          <p class="verdict-words">
            <VerdictIcon verdict={sure} /> {found.mine ? say.verdict[sure] : say.notMine(sideName(found.actor))}
          </p>
          {found.violations.length > 0 && <Violations all={found.violations} />}
          {goes.value !== null && <p class="quiet-line">{[say.goes(goes.value), ...(option ? [within(option)] : [])].filter(Boolean).join(" ")}</p>}
        </>
      )}
    </div>
  );
}

const Dangers = ({ lines }: { lines: string[] }): JSX.Element => (
  <details class="remarks" data-test="dangers">
    <summary aria-label={say.dangers}>
      <Icon name="warn" />
      <span>{lines[0]}</span>
    </summary>
    <ul>
      {lines.slice(1).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </details>
);

function DoButtons(): JSX.Element | null {
  const found = judged.value;
  if (found === null) return null;
  const short = need.value > 0 && dice.value.length < need.value;
  const rolled = need.value > 0 ? { dice: dice.value } : {};
  const held = found.legal ? {} : { measured: true };
  const firm = found.violations.some((one) => one.firm);
  const may = found.mine && (found.legal || found.open);
  const overrule = isReferee.value && !firm && !may;
  return (
    <footer class="sheet-foot do-buttons">
      {may && !short && (
        <button class="go" data-test="do-it" disabled={sending.value || !isJudged.value} onClick={() => void doIt({ ...held, ...rolled })}>
          {sending.value ? say.sending : found.open ? say.measured : need.value > 0 ? say.withDice(dice.value) : say.doIt}
        </button>
      )}
      {may && short && (
        <button class={dice.value.length ? "soft-go" : "go"} data-test="roll" disabled={sending.value || !isJudged.value} onClick={() => void doIt({ ...held, roll: true })}>
          {sending.value ? say.sending : `${found.open ? `${say.measured}: ` : ""}${say.rollForUs}`}
        </button>
      )}
      {overrule && (
        <>
          <label class="field">
            <span>{say.reason}</span>
            <input data-test="reason" value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} />
          </label>
          <button
            class="soft-go"
            data-test="overrule"
            disabled={sending.value || !isJudged.value}
            onClick={() => void doIt({ overrule: true, ...(short ? { roll: need.value > 0 } : rolled) })}
          >
            {say.overrule}
          </button>
        </>
      )}
    </footer>
  );
}
