import type { JSX } from "preact";
import { live, news, sending, unsent } from "../../game";
import { sendAgain } from "../../play";
import { forgetUnsent } from "../../game";
import { words } from "../../words";
import { Icon } from "../icons";
import { extras } from "./extras";

const say = words.game;
const SHOWN = 3;

// What others did since one last looked, quietly; and a wish of one's own that nobody has answered yet.
export function News(): JSX.Element {
  const told = sending.value ? [] : news.value.filter((event) => event.text).slice(-SHOWN);
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
      {told.length > 0 && (
        <div class="news-line" data-test="news">
          <ul>
            {told.map((event) => (
              <li key={event.seq}>{event.text}</li>
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
