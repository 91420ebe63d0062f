// Programs that follow a game by a token: made here, shown once, revoked.

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { copyWords } from "../../copying";
import type { ProgramMadeOut, ProgramOut } from "../../schema";
import { guarded, say as tell } from "../../shell";
import { programs as say } from "../../words/programs";
import { made, makeToken, openPrograms, programsOf, takeBack } from "./tokens";
import { SureButton } from "./SureButton";

const DAYS = [1, 30, 366];
const LONGEST_NAME = 32;

export function Programs({ id }: { id: string }): JSX.Element {
  const asking = useSignal(false);
  useEffect(() => void guarded(() => openPrograms(id)), [id]);
  return (
    <>
      <h2>{say.title}</h2>
      {made.value !== null ? (
        <Made of={made.value} />
      ) : (
        <div class="seat-card" data-test="programs">
          <p class="seat-line">{say.lead}</p>
          {asking.value ? (
            <Asking id={id} close={() => (asking.value = false)} />
          ) : (
            <button class="quiet-button" type="button" data-test="add-program" onClick={() => (asking.value = true)}>
              {say.add}
            </button>
          )}
        </div>
      )}
      {programsOf.value.length > 0 && (
        <ul class="seat-list programs" data-test="program-list">
          {programsOf.value.map((one) => (
            <Row key={one.id} id={id} of={one} />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({ id, of }: { id: string; of: ProgramOut }): JSX.Element {
  return (
    <li class="seat-card row" data-test={`program-${of.id}`}>
      <div>
        <strong>{of.label}</strong>
        {!of.mine && <small>{say.of(of.whose)}</small>}
        <small>{say.row(of.may, of.expires)}</small>
        <small>{say.used(of.used)}</small>
      </div>
      <SureButton
        words={say.revoke}
        sure={say.revokeSure}
        test="take-back"
        act={() =>
          void guarded(async () => {
            await takeBack(id, of.id);
            tell({ kind: "info", title: say.revoked(of.label), lines: [] });
          })
        }
      />
    </li>
  );
}

function Asking({ id, close }: { id: string; close: () => void }): JSX.Element {
  const name = useSignal("");
  const may = useSignal<"read" | "act">("read");
  const days = useSignal(30);
  const lacks = useSignal(false);
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    lacks.value = name.value.trim() === "";
    if (lacks.value) return;
    if (await guarded(() => makeToken(id, { label: name.value.trim(), may: may.value, days: days.value }))) close();
  };
  return (
    <form class="program-form" onSubmit={(event) => void make(event)} data-test="program-form" noValidate>
      <label class="field">
        <span>{say.name}</span>
        <input
          data-test="program-name"
          value={name.value}
          maxLength={LONGEST_NAME}
          autocomplete="off"
          placeholder={say.nameHint}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      </label>
      {lacks.value && (
        <p role="alert" class="field-fault">
          {say.noName}
        </p>
      )}
      <Choice name={say.may} options={["read", "act"] as const} chosen={may.value} label={(one) => say[one]} test="may" choose={(one) => (may.value = one)} />
      {may.value === "act" && <p class="quiet-small">{say.actHint}</p>}
      <Choice name={say.days} options={DAYS} chosen={days.value} label={say.lasts} test="days" choose={(one) => (days.value = one)} />
      <div class="seat-deeds">
        <button class="go" type="submit" data-test="make-token">
          {say.make}
        </button>
        <button class="quiet-button" type="button" data-test="no-token" onClick={close}>
          {say.cancel}
        </button>
      </div>
    </form>
  );
}

interface ChoiceProps<T> {
  name: string;
  options: readonly T[];
  chosen: T;
  label: (option: T) => string;
  test: string;
  choose: (option: T) => void;
}

function Choice<T extends string | number>({ name, options, chosen, label, test, choose }: ChoiceProps<T>): JSX.Element {
  return (
    <div class="program-choice">
      <span>{name}</span>
      <div class="chips" role="group" aria-label={name}>
        {options.map((one) => (
          <button key={one} class="chip" type="button" aria-pressed={one === chosen} data-test={`${test}-${one}`} onClick={() => choose(one)}>
            {label(one)}
          </button>
        ))}
      </div>
    </div>
  );
}

function Made({ of }: { of: ProgramMadeOut }): JSX.Element {
  const field = useRef<HTMLTextAreaElement>(null);
  const copied = useSignal(false);
  return (
    <section class="seat-card invite" data-test="made-token" aria-live="polite">
      <h2>{say.made(of.label)}</h2>
      <p class="seat-line">{say.once}</p>
      <textarea class="token" ref={field} readOnly rows={2} spellcheck={false} aria-label={say.made(of.label)} value={of.token} data-test="token" onFocus={(event) => event.currentTarget.select()} />
      <div class="seat-deeds">
        <button
          class="go"
          type="button"
          data-test="copy-token"
          onClick={() => {
            if (field.current !== null) void copyWords(field.current).then(() => (copied.value = true));
          }}
        >
          {copied.value ? say.copied : say.copy}
        </button>
        <button class="quiet-button" type="button" data-test="token-done" onClick={() => (made.value = null)}>
          {say.done}
        </button>
      </div>
    </section>
  );
}
