import type { JSX } from "preact";
import { game, isReferee, sending } from "../../game";
import { wanted } from "../../opponents";
import { askBack, result, takeBack } from "../../play";
import { words } from "../../words";
import { Icon } from "../icons";

const say = words.game;

const SHORT = 72; // letters, that are told in large ones

// What came of an action, told large, with the way back beside it. Nothing has to be answered: going on takes it away.
export function Result(): JSX.Element | null {
  const told = result.value;
  if (told === null) return null;
  const lines = told.texts.length ? told.texts : [say.result];
  return (
    <section class={`result ${wanted.value ? "brief" : ""}`} role="status" data-test="result">
      {lines.map((line, i) => (
        <p key={line} class={`result-line ${i === 0 && !wanted.value && line.length <= SHORT ? "large" : ""}`}>
          {line}
        </p>
      ))}
      <button class="round small" aria-label={say.close} data-test="go-on" onClick={() => (result.value = null)}>
        <Icon name="close" />
      </button>
      <div class="result-foot">
        {game.value?.seq === told.seq && !wanted.value && <UndoButton />}
      </div>
    </section>
  );
}

function UndoButton(): JSX.Element | null {
  const undo = game.value?.undo ?? null;
  if (undo === null) return null;
  if (!undo.may) return undo.ask == null ? null : <AskButton />; // else the bar's own button says why not
  const name = undo.referee && isReferee.value ? say.undoReferee(undo.words) : say.undoWhat(undo.words);
  return (
    <button class="soft-go" data-test="undo-last" aria-label={name} disabled={sending.value} onClick={() => void takeBack()}>
      <Icon name="undo" /> {say.undo}
    </button>
  );
}

function AskButton(): JSX.Element {
  const asked = game.value?.ask_back != null;
  return (
    <button class="soft-go" data-test="ask-undo" disabled={sending.value || asked} onClick={() => void askBack()}>
      <Icon name="undo" /> {say.askBack}
    </button>
  );
}
