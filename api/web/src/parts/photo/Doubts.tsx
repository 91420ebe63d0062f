import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { QuestionOut } from "../../schema";
import { words } from "../../words";
import { Icon } from "../icons";
import { Crop } from "./Crop";
import { answer, look, question, questions, skip, skipped, tab, takeBack, watching, working } from "./turn";

const say = words.photo;
const unfolded = signal<string | null>(null);

// One thing that the photo leaves open at a time: a tap settles it, or it is skipped.
export function Doubts(): JSX.Element {
  const asked = question.value;
  return (
    <>
      <div aria-live="polite">{asked === null ? <Settled /> : <Asked key={asked.id} asked={asked} />}</div>
      <TakeBack />
    </>
  );
}

function Asked({ asked }: { asked: QuestionOut }): JSX.Element {
  const total = questions.value.length;
  const rest = asked.others.filter((one) => !asked.answers.some(({ value }) => String(value) === one));
  const shown = unfolded.value === asked.id;
  return (
    <section class="doubt" data-test="doubt" aria-label={asked.says}>
      <p class="doubt-says">
        <small>{say.place(1, total)}</small> {asked.says}
      </p>
      {asked.center && <Crop at={asked.center} what={asked.says} />}
      <ol class="answers">
        {asked.answers.map((one, i) => (
          <li key={String(one.value)}>
            <button
              class="answer"
              data-test={`answer-${i}`}
              disabled={working.value || watching.value}
              aria-label={say.answer(one.says, one.chance)}
              onClick={() => void answer(asked, one.value)}
            >
              <i class="answer-bar" style={{ width: `${100 * one.chance}%` }} />
              <span>{one.says}</span>
              <b>{say.chance(one.chance)}</b>
            </button>
          </li>
        ))}
      </ol>
      {shown && (
        <div class="chips">
          {rest.map((one) => (
            <button key={one} class="chip" data-test={`other-${one}`} disabled={working.value} onClick={() => void answer(asked, one)}>
              {one}
            </button>
          ))}
        </div>
      )}
      <div class="row-buttons">
        {rest.length > 0 && !shown && !watching.value && (
          <button class="quiet-button" data-test="others" onClick={() => (unfolded.value = asked.id)}>
            {say.others}
          </button>
        )}
        <button class="quiet-button" data-test="skip" onClick={() => skip(asked.id)}>
          {say.skip}
        </button>
      </div>
    </section>
  );
}

function Settled(): JSX.Element {
  return (
    <div class="row-buttons">
      <p class="quiet">{skipped.value.size > 0 ? say.skipped(skipped.value.size) : say.allSettled}</p>
      {skipped.value.size > 0 && (
        <button class="quiet-button" data-test="ask-again" onClick={() => (skipped.value = new Set())}>
          {say.askAgain}
        </button>
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
