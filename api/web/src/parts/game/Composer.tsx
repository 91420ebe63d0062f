import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { countIn, isCount, type Slot, type Value, withCount, withValue } from "../../actions";
import { actorName, forms, game, isReferee, kindTitle, sending, unitOf } from "../../game";
import {
  chooseBase, cornerHere, type Draft, goLess, type How, mayGoLess, seeking, dice, doIt, doubt, draft, fill, form, goes, isJudged, judged, mates, moveTo, need, oneBase, open, points, reason, refill, reword, setAside, setPoint, slots, spot,
  staying, stoppedBy, straight, unsaid, verdict, wantsOutline, wantsPlace, wantsPoints, way,
} from "../../play";
import type { Choice } from "../../schema";
import { words } from "../../words";
import { Entry } from "../Entry";
import { Icon, VerdictIcon } from "../icons";
import { Sheet } from "../Sheet";
import { DiceInput } from "./DiceInput";
import { length, number } from "./numbers";
import { draftName, Odds, Violations } from "./Options";
import { OutlineFields } from "./OutlineFields";
import { Sure } from "./Sure";

const say = words.game;
const TAPPED = ["cell", "unit", "unit-or-base", "thing"];

export function Composer(): JSX.Element | null {
  const now = draft.value;
  if (now === null) return null;
  const unit = unitOf(now.option?.unit ?? null);
  const title = draftName(now);
  return (
    <Sheet label={title} look="composer">
      <header class="sheet-head">
        <div class="sheet-title">
          <h2>{title}</h2>
          {unit && <small>{unit.title}</small>}
        </div>
        <button class="round small" aria-label={say.close} data-test="drop" onClick={setAside}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-body">
        {open.value.length === 0 && (now.words ?? !unsaid.value) && <Judgement />}
        <Answers />
        {judged.value && judged.value.dangers.length > 0 && <Dangers lines={judged.value.dangers} />}
        <DiceInput />
        {judged.value?.odds && <Odds odds={judged.value.odds} />}
        {wantsOutline.value !== null ? <OutlineFields /> : wantsPoints.value && <PointFields />}
        {wantsPlace.value && <PlaceFields />}
        <Missing />
        <Fields />
        {now.words !== null ? <WordsField /> : <Folded />}
      </div>
      <DoButtons />
    </Sheet>
  );
}

const Folded = (): JSX.Element => (
  <details class="why-not">
    <summary data-test="as-typed">{say.asTyped}</summary>
    <WordsField />
  </details>
);

function WordsField(): JSX.Element {
  const now = draft.value;
  const said = now?.words ?? (open.value.length > 0 ? "" : judged.value?.words) ?? ""; // an incomplete action has no words yet
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
      {now?.words != null && said.trim() === "" && (
        <div class="chips">
          {Object.keys(forms.value).map((word) => (
            <button key={word} class="chip" onClick={() => reword(`${word} `)}>
              {kindTitle(word)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

// The points of an action that places no unit: tapped on the table one after another, or typed.
function PointFields(): JSX.Element {
  const all = points.value;
  const next = all.indexOf(null);
  return (
    <>
      <p class="next" aria-live="polite" data-test="point-hint">
        {next >= 0 ? say.pointHint(next + 1, all.length) : say.pointsThere(all.length)}
      </p>
      {all.map((at, i) => (
        <div key={i} class="place-fields pair">
          {length(say.pointX(i + 1, all.length), at?.[0] ?? null, 0.25, (x) => setPoint(i, [x, at?.[1] ?? 0]), `point-${i}-x`)}
          {length(say.pointY(i + 1, all.length), at?.[1] ?? null, 0.25, (y) => setPoint(i, [at?.[0] ?? 0, y]), `point-${i}-y`)}
        </div>
      ))}
    </>
  );
}

// The players' possible answers to an action that was too close to call, once they have measured.
function Answers(): JSX.Element | null {
  const [found, now] = [judged.value, draft.value];
  const asking = found?.violations.filter((one) => (one.choices ?? []).length > 0) ?? [];
  if (found === null || !isJudged.value || now?.action == null || asking.length === 0) return null;
  const action = now.action;
  const all = new Map<string, [string, Choice]>();
  for (const one of asking) for (const choice of one.choices ?? []) all.set(choice.title, [choice.field || one.field || "", choice]);
  const answer = (field: string, value: Value): void => {
    const many = form.value?.fields.find(({ name }) => name === field)?.many ?? false;
    const before = action[field];
    refill(withValue(action, [field], many ? [...(Array.isArray(before) ? before : []), value] : value));
  };
  return (
    <div class="chips" role="group" aria-label={say.sayable}>
      {[...all.values()].map(([field, choice]) => (
        <button key={choice.title} class="chip" data-test={`say-${field}-${choice.value}`} onClick={() => answer(field, choice.value)}>
          {say.rest(choice.title)}
        </button>
      ))}
    </div>
  );
}

// The missing fields, and how to fill them in.
function Missing(): JSX.Element | null {
  const next = open.value[0];
  if (wantsPoints.value || (next === undefined && !unsaid.value)) return null;
  return (
    <p class="next" aria-live="polite" data-test="missing">
      {next === undefined ? say.changeOne : TAPPED.includes(next.domain.type) ? say.tapFor(next.title) : say.sayFor(next.title)}
    </p>
  );
}

function PlaceFields(): JSX.Element {
  const now = spot.value ?? { center: [0, 0] as [number, number], facing: 0 };
  const corners = way.value.length;
  return (
    <>
      {staying.value && <p class="next">{say.placeHint}</p>}
      <div class="place-fields">
        {length(say.x, now.center[0], 0.25, (x) => moveTo({ ...now, center: [x, now.center[1]] }), "place-x")}
        {length(say.y, now.center[1], 0.25, (y) => moveTo({ ...now, center: [now.center[0], y] }), "place-y")}
        {number(say.facing, now.facing, 5, (facing) => moveTo({ ...now, facing }), "place-facing")}
      </div>
      {form.value?.fields.some(({ type, many }) => type === "point" && many) && (
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

const FEW = 6; // optional fields that are shown at once

// A control for each field: the required ones first, the optional ones at once where they are few.
function Fields(): JSX.Element | null {
  const all = slots.value.filter((slot) => !PLACED.includes(slot.domain.type) && (slot.domain.type !== "rows" || isCount(slot.domain)));
  const asked = all.filter((slot) => slot.asked);
  const others = all.filter((slot) => !slot.asked);
  if (draft.value?.action == null || all.length === 0) return null;
  return (
    <>
      {asked.map(control)}
      {others.length <= FEW ? (
        others.map(control)
      ) : (
        <details class="why-not">
          <summary data-test="more-fields">{say.besides}</summary>
          {others.map(control)}
        </details>
      )}
    </>
  );
}

const PLACED = ["point", "place", "ring", "top"]; // with controls of their own

const idOf = (slot: Slot): string => slot.path.join("-");

function control(slot: Slot): JSX.Element | null {
  switch (slot.domain.type) {
    case "number":
      return <Stepper key={idOf(slot)} title={slot.title} id={idOf(slot)} value={slot.value} least={slot.domain.least} most={slot.domain.most} put={(value) => fill(slot.path, value)} />;
    case "rows":
      return <Counts key={idOf(slot)} slot={slot} />;
    case "flag":
      return (
        <div key={idOf(slot)} class="chips">
          {chip(`flag-${idOf(slot)}`, slot.title, slot.value === true, () => fill(slot.path, slot.value === true ? undefined : true))}
        </div>
      );
    case "yes-no":
      return <Choices key={idOf(slot)} slot={slot} choices={[{ value: true, title: say.yes, field: "" }, { value: false, title: say.no, field: "" }]} />;
    case "unit-or-base":
      return mates.value.length > 1 ? <OneBase key={idOf(slot)} title={slot.title} /> : <Written key={idOf(slot)} slot={slot} />;
    case "corner":
      return <Corners key={idOf(slot)} slot={slot} />;
    case "inches":
      return length(say.inches(slot.title), typeof slot.value === "number" ? slot.value : null, 0.25, (value) => fill(slot.path, value), `field-${idOf(slot)}`);
    case "degrees":
      return measured(slot, say.degrees(slot.title), 1);
    case "facing":
      return measured(slot, slot.title, 5);
    default:
      return slot.domain.choices?.length ? <Choices key={idOf(slot)} slot={slot} choices={slot.domain.choices} /> : <Written key={idOf(slot)} slot={slot} />;
  }
}

const measured = (slot: Slot, title: string, step: number): JSX.Element =>
  number(title, typeof slot.value === "number" ? slot.value : null, step, (value) => fill(slot.path, value), `field-${idOf(slot)}`);

const chip = (test: string, title: string, pressed: boolean, put: () => void): JSX.Element => (
  <button key={test} class="chip" aria-pressed={pressed} data-test={test} onClick={put}>
    {say.rest(title)}
  </button>
);

const MOST_CHIPS = 24;

// One of some values, or several; pressed again, a value is removed.
function Choices({ slot, choices }: { slot: Slot; choices: Choice[] }): JSX.Element {
  const all = Array.isArray(slot.value) ? slot.value : [];
  const has = (value: Value): boolean => (slot.domain.many ? all.includes(value) : slot.value === value);
  const toggled = (value: Value): Value | undefined => {
    if (!slot.domain.many) return has(value) && !slot.asked ? undefined : value;
    const rest = has(value) ? all.filter((one) => one !== value) : [...all, value];
    return rest.length ? rest : undefined;
  };
  if (choices.length > MOST_CHIPS && !slot.domain.many) {
    return (
      <label class="field">
        <span>{say.rest(slot.title)}</span>
        <select data-test={`field-${idOf(slot)}`} value={String(slot.value ?? "")} onChange={(event) => fill(slot.path, event.currentTarget.value || undefined)}>
          <option value="" />
          {choices.map((one) => (
            <option key={String(one.value)} value={String(one.value)}>
              {one.title}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <div class="chips" role="group" aria-label={slot.title}>
      {choices.map((one) => chip(`say-${one.value}`, one.title, has(one.value), () => fill(slot.path, toggled(one.value))))}
    </div>
  );
}

// The whole unit, or one of its bases.
function OneBase({ title }: { title: string }): JSX.Element {
  const all = mates.value;
  const whole = all[0]?.unit ?? "";
  return (
    <div class="chips" role="group" aria-label={title}>
      {chip("whole-unit", say.wholeUnit, oneBase.value === null, () => chooseBase(whole))}
      {all.map(({ id }, i) => chip(`base-${i + 1}`, say.base(i + 1), oneBase.value?.id === id, () => chooseBase(id)))}
    </div>
  );
}

// A unit, a cell, a name or words: tapped on the board, or typed.
function Written({ slot }: { slot: Slot }): JSX.Element {
  const { type, many } = slot.domain;
  const known = knownFor(type);
  const list = `known-${idOf(slot)}`;
  const text = Array.isArray(slot.value) ? slot.value.join(" ") : String(slot.value ?? "");
  const put = (said: string): void => {
    const value = many ? said.split(/[\s,]+/).filter(Boolean) : said.trim();
    fill(slot.path, value.length ? value : undefined);
  };
  return (
    <label class="field">
      <span>{say.rest(slot.title)}</span>
      <Entry test={`field-${idOf(slot)}`} value={text} list={known?.length && !many ? list : undefined} put={put} />
      {known && known.length > 0 && !many && (
        <datalist id={list}>
          {known.map(({ id }) => (
            <option key={id} value={id} />
          ))}
        </datalist>
      )}
    </label>
  );
}

// Everything on the board that a field may name.
function knownFor(type: Slot["domain"]["type"]): { id: string }[] {
  const board = game.value?.board;
  if (board === undefined) return [];
  if (type === "thing") return [...board.units, ...board.pieces.filter(({ id, unit }) => id !== unit), ...board.ground];
  if (type === "unit-or-base") return [...board.units, ...board.pieces.filter(({ id, unit }) => id !== unit)];
  return type === "unit" ? board.units : type === "cell" ? board.cells : type === "ground" ? board.ground : [];
}

interface Counting {
  title: string;
  id: string;
  value: Value | undefined;
  least: number | null | undefined;
  most: number | null | undefined;
  put: (value: number | undefined) => void;
}

function Stepper({ title, id, value, least, most, put }: Counting): JSX.Element {
  const now = typeof value === "number" ? value : null;
  const [from, to] = [least ?? 0, most ?? Infinity];
  const within = (count: number): number => Math.min(to, Math.max(from, Math.round(count)));
  return (
    <div class="control stepper" role="group" aria-label={say.rest(title)}>
      <span>{say.rest(title)}</span>
      <button class="key" aria-label={say.fewer(title)} data-test={`less-${id}`} disabled={now === null} onClick={() => put(now === null || now <= from ? undefined : now - 1)}>
        −
      </button>
      <Entry
        type="number"
        inputMode="numeric"
        min={from}
        label={say.rest(title)}
        placeholder={say.unsaid}
        test={`count-${id}`}
        value={now ?? ""}
        put={(text) => put(text === "" ? undefined : within(Number(text)))}
      />
      <button class="key" aria-label={say.moreOf(title)} data-test={`more-${id}`} onClick={() => put(within((now ?? Math.max(from, 1) - 1) + 1))}>
        +
      </button>
    </div>
  );
}

// A number for each of some choices, as the units of an army.
function Counts({ slot }: { slot: Slot }): JSX.Element {
  const [kinds, numbers] = Object.values(slot.domain.parts ?? {});
  return (
    <>
      {(kinds?.choices ?? []).map((one) => {
        const count = countIn(slot, one.value);
        const put = (next: number | undefined): void => {
          if (draft.value?.action) refill(withCount(draft.value.action, slot, one.value, next ?? 0));
        };
        return <Stepper key={String(one.value)} title={one.title} id={String(one.value)} value={count || undefined} least={0} most={numbers?.most} put={put} />;
      })}
    </>
  );
}

// Which corner of its hex a unit faces.
function Corners({ slot }: { slot: Slot }): JSX.Element | null {
  if (game.value?.board.grid !== "hex") return null;
  return (
    <div class="control">
      <span>{say.faces}</span>
      <div class="buttons">
        {[0, 1, 2, 3, 4, 5].map((corner) => (
          <button
            key={corner}
            class="key"
            aria-label={say.corner(corner)}
            aria-pressed={slot.value === corner}
            data-test={`corner-${corner}`}
            onClick={() => fill(slot.path, slot.value === corner && !slot.asked ? undefined : corner)}
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

function Judgement(): JSX.Element {
  const found = judged.value;
  const sure = verdict.value;
  const option = draft.value?.option ?? null;
  const told = !isJudged.value ? "" : doubt.value !== null ? "doubt" : (sure ?? "");
  return (
    <div class={`judgement ${found?.mine === false ? "locked" : (sure ?? "")}`} aria-live="polite" data-test="judgement" data-verdict={told}>
      {doubt.value !== null && <p>{doubt.value}</p>}
      {doubt.value === null && sure === null && <p class="quiet-line">{say.checking}</p>}
      {found && sure && (
        <>
          <p class="verdict-words">
            {found.mine ? <VerdictIcon verdict={sure} /> : <Icon name="lock" />} {found.mine ? say.verdict[sure] : say.onlyFor(actorName(found.actor))}
          </p>
          {found.violations.length > 0 && <Violations all={found.violations} />}
          {goes.value !== null && <p class="reach" data-test="goes">{oneBase.value ? say.baseGoes(goes.value) : say.goes(goes.value, option?.limits.total_in ?? null, option?.advice ?? "")}</p>}
          {stoppedBy.value.length > 0 && (
            <div data-test="stopped-by">
              <p class="quiet-line">{say.stoppedBy}</p>
              <Violations all={stoppedBy.value} />
            </div>
          )}
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
  const asked = useSignal<Draft | null>(null); // about a unit that would stay where it is
  if (found === null) return null;
  const short = need.value > 0 && dice.value.length < need.value;
  const rolled = need.value > 0 ? { dice: dice.value } : {};
  const held = found.legal ? {} : { measured: true };
  const firm = found.violations.some((one) => one.firm);
  const may = found.mine && (found.legal || found.open);
  const overrule = isReferee.value && !firm && !may;
  const title = draft.value?.action == null ? say.doIt : wantsPlace.value ? say.confirmPlace : draftName(draft.value);
  const act = (how: How): void => {
    if (staying.value && asked.value !== draft.value) asked.value = draft.value;
    else void doIt(how);
  };
  if (may && !short && staying.value && asked.value === draft.value) {
    return (
      <footer class="sheet-foot do-buttons">
        <Sure says={say.stays} yes={say.letStay} tests={{ says: "stays", yes: "let-stay" }} act={() => act({ ...held, ...rolled })} back={() => (asked.value = null)} />
      </footer>
    );
  }
  return (
    <footer class="sheet-foot do-buttons">
      {mayGoLess.value && (
        <button class="go wide" data-test="go-less" disabled={seeking.value} onClick={() => void goLess()}>
          {seeking.value ? say.seeking : say.goLess}
        </button>
      )}
      {may && !short && (
        <button class="go" data-test="do-it" disabled={sending.value || !isJudged.value} onClick={() => act({ ...held, ...rolled })}>
          {sending.value ? say.sending : found.open ? say.measured : need.value > 0 ? say.withDice(title, dice.value) : title}
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
            <input data-test="reason" aria-label={say.reason} placeholder={say.reason} value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} />
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
