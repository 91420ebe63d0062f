import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { QuestionOut } from "../../schema";
import { words } from "../../words";
import { Icon } from "../icons";
import { answerSays, saysOf } from "./asking";
import { Crop } from "./Crop";
import { answer, askApart, asked, askMore, folded, look, marks, moreLeft, question, skip, skipped, tab, takeBack, unfold, watching, working } from "./turn";

const say = words.photo;
const MOST_ANSWERS = 4; // in sight
const unfolded = signal<string | null>(null);

// The open questions of a photo, one at a time: a tap answers it, or it is skipped.
export function Doubts(): JSX.Element {
  const [first] = question.value;
  return (
    <>
      <div aria-live="polite">{first === undefined ? <Settled /> : <Asked key={first.id} group={question.value} />}</div>
      <TakeBack />
      <Folded />
    </>
  );
}

// Optional questions: possible terrain, the most likely first, and others.
function Folded(): JSX.Element | null {
  const likeliest = ({ answers }: QuestionOut): QuestionOut["answers"][number] | undefined => answers.find(({ value }) => value !== null);
  const chance = (one: QuestionOut): number => likeliest(one)?.chance ?? 0;
  const pieces = folded.value.filter(({ ask }) => ask === "kind").sort((a, b) => chance(b) - chance(a));
  const others = folded.value.filter(({ ask }) => ask !== "kind");
  return folded.value.length === 0 ? null : (
    <details class="why-not">
      <summary data-test="folded">{say.folded(pieces.length, others.length)}</summary>
      <div class="chips">
        {[...pieces, ...others].map((one) => (
          <button key={one.id} class="chip" data-test={`unfold-${one.id}`} onClick={() => unfold(one.id)}>
            {one.ask === "kind" ? `${likeliest(one)?.says ?? ""} ${say.chance(chance(one))}` : one.says}
          </button>
        ))}
      </div>
    </details>
  );
}

function Asked({ group }: { group: QuestionOut[] }): JSX.Element {
  const [first] = group as [QuestionOut];
  const says = saysOf(group, marks.value);
  const each = first.ask === "unique" && group.length > 1; // one for each unit, tapped on the picture
  const answers = each ? [] : first.answers.slice(0, MOST_ANSWERS);
  const values = new Set(answers.map(({ value }) => String(value)));
  const rest = [...first.answers.slice(MOST_ANSWERS).map(({ value }) => String(value)), ...first.others].filter((one) => !values.has(one));
  const shown = unfolded.value === first.id;
  const off = working.value || watching.value;
  const others = each ? [] : [...new Set(rest)];
  return (
    <section class="doubt" data-test="doubt" aria-label={says}>
      <p class="doubt-says">
        <small>{say.place(1, asked.value.length)}</small> {says}
      </p>
      <Crop
        marks={marks.value}
        what={says}
        rows={answers.length}
        picked={({ id }) => {
          const of = each ? group.filter((one) => one.answers.some(({ value }) => value === id)) : values.has(id) ? group : [];
          if (!off && of.length > 0) void answer(of, id, !each);
          return of.length > 0;
        }}
      />
      <ol class="answers">
        {answers.map((one, i) => {
          const text = answerSays(group, one.value, one.says, marks.value);
          return (
            <li key={String(one.value)}>
              <button class="answer" data-test={`answer-${i}`} disabled={off} onClick={() => void answer(group, one.value)}>
                <i class="answer-bar" style={{ width: `${100 * one.chance}%` }} />
                <span>{text}</span>{" "}
                <b>{say.chance(one.chance)}</b>
              </button>
            </li>
          );
        })}
      </ol>
      {shown && (
        <div class="chips">
          {others.map((one) => (
            <button key={one} class="chip" data-test={`other-${one}`} disabled={working.value} onClick={() => void answer(group, one)}>
              {one}
            </button>
          ))}
        </div>
      )}
      <div class="row-buttons">
        {others.length > 0 && !shown && !watching.value && (
          <button class="quiet-button" data-test="others" onClick={() => (unfolded.value = first.id)}>
            {say.others}
          </button>
        )}
        {group.length > 1 && (
          <button class="quiet-button" data-test="one-by-one" onClick={() => askApart(group)}>
            {say.apart}
          </button>
        )}
        <button class="quiet-button" data-test="skip" onClick={() => skip(group)}>
          {say.skip}
        </button>
      </div>
    </section>
  );
}

function Settled(): JSX.Element {
  const more = moreLeft.value;
  return (
    <div class="row-buttons">
      <p class="quiet">{more > 0 ? say.moreLeft(more) : skipped.value.size > 0 ? say.skipped(skipped.value.size) : say.allSettled}</p>
      {more > 0 ? (
        <button class="quiet-button" data-test="ask-more" onClick={askMore}>
          {say.askMore}
        </button>
      ) : (
        skipped.value.size > 0 && (
          <button class="quiet-button" data-test="ask-again" onClick={() => (askMore(), (skipped.value = new Set()))}>
            {say.askAgain}
          </button>
        )
      )}
      <button class="quiet-button" data-test="to-moves" onClick={() => (tab.value = "moves")}>
        {say.tabs.moves}
        <Icon name="right" />
      </button>
    </div>
  );
}

export function TakeBack(): JSX.Element | null {
  const last = look.value?.answered;
  return !last || watching.value ? null : (
    <button class="take-back" data-test="take-back" title={last.question} disabled={working.value} onClick={() => void takeBack()}>
      <Icon name="undo" />
      {say.takenBack(last.says)}
    </button>
  );
}
