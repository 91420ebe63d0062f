import type { JSX } from "preact";
import { forgetUnsent, game, live, news, sending, sideName, unsent } from "../../game";
import { keepIt, letBack, sendAgain } from "../../play";
import type { EventView } from "../../schema";
import { words } from "../../words";
import { Icon } from "../icons";
import { extras } from "./extras";

const say = words.game;
const SHOWN = 3;

// What others did since one last looked, quietly; and a wish of one's own that nobody has answered yet.
export function News(): JSX.Element {
  const told = sending.value ? [] : news.value.filter((event) => textOf(event)).slice(-SHOWN);
  const kept = unsent.value;
  return (
    <div class="news" aria-live="polite">
      {live.value !== "live" && <p class="news-line waiting" data-test="no-connection">{say.live[live.value]}</p>}
      {kept !== null && (
        <div class="news-line waiting" data-test="unsent">
          <p>{say.unsent(kept.label || say.undo)}</p>
          <button class="chip" disabled={sending.value} onClick={() => void sendAgain()}>{say.sendAgain}</button>
          <button class="chip" disabled={sending.value} onClick={forgetUnsent}>{say.forget}</button>
        </div>
      )}
      <AskedBack />
      {told.length > 0 && (
        <div class="news-line" data-test="news">
          <ul>
            {told.map((event) => (
              <li key={event.seq}>{textOf(event)}</li>
            ))}
          </ul>
          <button class="round small" aria-label={say.readNews} data-test="read-news" onClick={() => (news.value = [])}>
            <Icon name="close" />
          </button>
        </div>
      )}
      {extras.map(({ id, Over }) => Over && <Over key={id} />)}
    </div>
  );
}

// What stands in the news of an event: nothing of a question that is asked beside them.
const textOf = (event: EventView): string => ("asks_back" in event.body ? "" : event.text);

// One side asks the other whether its last action may be taken back.
function AskedBack(): JSX.Element | null {
  const asked = game.value?.ask_back ?? null;
  if (asked === null) return null;
  return (
    <div class="news-line waiting" role="alert" data-test="ask-back">
      <p>{asked.may ? say.asksBack(sideName(asked.by), asked.text) : say.askedBack}</p>
      {asked.may && (
        <>
          <button class="chip" data-test="let-back" disabled={sending.value} onClick={() => void letBack()}>{say.letBack}</button>
          <button class="chip" data-test="keep-it" disabled={sending.value} onClick={() => void keepIt()}>{say.keepIt}</button>
        </>
      )}
    </div>
  );
}
