// Taking a seat: by the token in the address, or by a code. Errors are shown in place, and the code remains available.

import type { ComponentChildren, JSX } from "preact";
import { useSignal } from "@preact/signals";
import { Refusal } from "../../client";
import { join, joinByCode, keptName } from "../../device";
import { landing } from "../../landing";
import type { MeOut } from "../../schema";
import { go } from "../../screens";
import { text } from "../../words/shared";
import { words } from "../../words";
import { ThemeButton } from "../ThemeButton";
import "./join.css";

const say = words.join;
const LONGEST_NAME = 32;
const CODE_SIGNS = 6;

export function Join({ token, to }: { token: string; to: string }): JSX.Element {
  const failed = useSignal("");
  const spent = useSignal("");
  const lost = token === "" || spent.value === token;
  return (
    <main class="home join-page">
      <header class="home-head">
        <img src="/icon.svg" alt="" width="52" height="52" />
        <div>
          <h1>{text.name}</h1>
          <p>{lost ? say.byCode : say.title}</p>
        </div>
        <ThemeButton />
      </header>
      {failed.value !== "" && (
        <p class="join-refused" role="alert" data-test="join-refused">
          {failed.value}
        </p>
      )}
      {lost ? (
        <CodeForm to={to} />
      ) : (
        <NameForm
          lead={say.invited}
          send={(name) => join(token, name)}
          done={(me) => go(landing(me.at, to), true)}
          refused={(error) => {
            failed.value = error.message;
            if (error.status === 410 || error.status === 403) spent.value = token; // this invitation is no longer valid
          }}
        />
      )}
      <button class="join-skip" onClick={() => go({ name: "home" }, true)} data-test="join-skip">
        {say.skip}
      </button>
    </main>
  );
}

// For players without a link: their name and the six characters. Also on the start page of a device without a seat.
export function CodeForm({ to = "" }: { to?: string }): JSX.Element {
  const failed = useSignal("");
  const code = useSignal("");
  return (
    <NameForm
      lead=""
      send={(name) => {
        const signs = code.value.replace(/[\s-]/g, "");
        if (signs.length !== CODE_SIGNS) throw new Refusal("", say.short(signs.length), 422);
        return joinByCode(signs.toUpperCase(), name);
      }}
      done={(me) => go(landing(me.at, to), true)}
      refused={(error) => (failed.value = error.message)}
    >
      <label class="field">
        <span>{say.code}</span>
        <input
          class="code-input"
          data-test="code"
          value={code.value}
          maxLength={12}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          enterkeyhint="go"
          aria-describedby="code-hint"
          onInput={(event) => (code.value = event.currentTarget.value)}
        />
        <small id="code-hint">{say.codeHint}</small>
      </label>
      {failed.value !== "" && (
        <p class="join-refused" role="alert" data-test="code-refused">
          {failed.value}
        </p>
      )}
    </NameForm>
  );
}

interface NameFormProps {
  lead: string;
  send: (name: string) => Promise<MeOut>;
  done: (me: MeOut) => void;
  refused: (error: Refusal) => void;
  children?: ComponentChildren;
}

function NameForm({ lead, send, done, refused, children }: NameFormProps): JSX.Element {
  const name = useSignal(keptName());
  const sending = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (sending.value) return;
    sending.value = true;
    try {
      if (name.value.trim() === "") throw new Refusal("", say.noName, 422);
      done(await send(name.value.trim()));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused(error);
    } finally {
      sending.value = false;
    }
  };
  return (
    <form class="join-form" onSubmit={(event) => void submit(event)} data-test="join-form" noValidate>
      {lead !== "" && <p class="join-lead">{lead}</p>}
      <label class="field">
        <span>{say.name}</span>
        <input
          data-test="name"
          value={name.value}
          maxLength={LONGEST_NAME}
          autocomplete="nickname"
          enterkeyhint="go"
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      </label>
      {children}
      <button class="go" type="submit" disabled={sending.value} data-test="join">
        {sending.value ? say.joining : say.join}
      </button>
    </form>
  );
}
