import type { JSX } from "preact";
import { goOn, throwAway, toGoOn } from "../../play";
import { words } from "../../words";
import { draftName } from "./Options";

const say = words.game;

// An unfinished action that was closed, by its button or by Back, or when the page was reloaded.
export function GoOn(): JSX.Element | null {
  const now = toGoOn.value;
  if (now === null) return null;
  return (
    <div class="chips go-on">
      <button class="chip" data-test="go-on-with" onClick={goOn}>
        {say.goOnWith(now.draft.words || draftName(now.draft), now.dice)}
      </button>
      <button class="chip" data-test="throw-away" onClick={throwAway}>
        {say.throwAway}
      </button>
    </div>
  );
}
