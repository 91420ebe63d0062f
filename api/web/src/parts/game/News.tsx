import type { JSX } from "preact";
import { forgetUnsent, game, gone, live, news, sending, sideName, unsent } from "../../game";
import { keepIt, letBack, sendAgain } from "../../play";
import type { EventView } from "../../schema";
import { words } from "../../words";
import { Icon } from "../icons";
import { extras } from "./extras";
import { openPane } from "./panes";

const say = words.game;

// What others have done since the player last looked, in place of the game's title, so that it hides nothing of the
// table: the latest event, and how many more are in the log.
export function Told(): JSX.Element | null {
  const told = sending.value ? [] : news.value.filter((event) => textOf(event) && !gone.value.has(event.seq));
  const last = told.at(-1);
  if (last === undefined) return null;
  const read = (): void => {
    news.value = [];
  };
  return (
    <div class="told">
      <button class="told-text" data-test="news" onClick={() => (read(), openPane("log"))}>
        <span>{textOf(last)}</span>
        {told.length > 1 && <b>{say.moreNews(told.length - 1)}</b>}
      </button>
      <button class="round small" aria-label={say.readNews} data-test="read-news" onClick={read}>
        <Icon name="close" />
      </button>
    </div>
  );
}

// Messages that are always shown: a lost network, this device's unanswered command, the other side's request.
export function News(): JSX.Element {
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
      {extras.map(({ id, Over }) => Over && <Over key={id} />)}
    </div>
  );
}

// The text of an event in the news: empty for a request, which is shown beside them.
const textOf = (event: EventView): string => ("asks_back" in event.body ? "" : event.news || event.text);

// A side asks the others to take back its last action: everyone at the game sees who asks.
function AskedBack(): JSX.Element | null {
  const asked = game.value?.ask_back ?? null;
  if (asked === null) return null;
  const others = (game.value?.board.sides ?? []).filter(({ id }) => id !== asked.by).map(({ title }) => title).join(", ");
  return (
    <div class="news-line waiting" role="alert" data-test="ask-back">
      <p>{asked.may ? say.asksBack(sideName(asked.by), asked.words) : asked.mine ? say.askedBack(asked.words, others) : say.asksOther(sideName(asked.by), others, asked.words)}</p>
      {asked.may && (
        <>
          <button class="chip" data-test="let-back" disabled={sending.value} onClick={() => void letBack()}>{say.letBack}</button>
          <button class="chip" data-test="keep-it" disabled={sending.value} onClick={() => void keepIt()}>{say.keepIt}</button>
        </>
      )}
    </div>
  );
}
