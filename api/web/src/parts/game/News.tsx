import type { JSX } from "preact";
import { forgetUnsent, game, gone, live, news, sending, sideName, unsent } from "../../game";
import { keepIt, letBack, sendAgain } from "../../play";
import type { EventView } from "../../schema";
import { words } from "../../words";
import { Icon } from "../icons";
import { extras } from "./extras";
import { openPane } from "./panes";

const say = words.game;

// What others did since one last looked, in the place of the game's title, so that it hides nothing of the table: the last
// of it, and how much more there is, which the log has.
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

// What a player has to know whatever else is shown: no network, a wish of one's own that nobody has answered yet, what the
// other side asks.
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

// What stands in the news of an event: nothing of a question that is asked beside them.
const textOf = (event: EventView): string => ("asks_back" in event.body ? "" : event.news || event.text);

// One side asks the others whether its last action may be taken back: everyone at the game sees who asks whom.
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
