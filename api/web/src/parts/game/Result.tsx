import type { JSX } from "preact";
import { result } from "../../play";
import { words } from "../../words";
import { Icon } from "../icons";

const say = words.game;
const SHORT = 150; // letters that are shown at once

// The result of an action, short enough to keep the next step's button in sight: of a long one, all but the first
// sentence is behind a tap. Nothing has to be confirmed: the next step removes it.
export function Result(): JSX.Element | null {
  const told = result.value;
  if (told === null) return null;
  const lines = told.texts.length ? told.texts : [say.result];
  const long = lines.length > 1 && lines.join(" ").length > SHORT;
  const shown = lines.map((line) => <p key={line}>{line}</p>);
  return (
    <section class="result" role="status" data-test="result">
      {long ? (
        <details>
          <summary>{lines[0]}</summary>
          {shown.slice(1)}
        </details>
      ) : (
        <div>{shown}</div>
      )}
      <button class="round small" aria-label={say.close} data-test="go-on" onClick={() => (result.value = null)}>
        <Icon name="close" />
      </button>
    </section>
  );
}
