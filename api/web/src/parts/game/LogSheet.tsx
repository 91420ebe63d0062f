import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { type About, game, gone, isReferee, log, sending } from "../../game";
import { keptWords } from "../../kept";
import { caption, pane, takeBack } from "../../play";
import type { EventView } from "../../schema";
import { go } from "../../screens";
import { words } from "../../words";
import { Icon } from "../icons";
import { Sheet } from "../Sheet";

const say = words.game;
const own = keptWords("caption");
const disputed = signal<number | null>(null);
const why = keptWords("disagreement");

interface Chapter {
  title: string;
  events: EventView[];
}

// Events by turn: an event with a new turn begins a chapter.
function chaptersOf(all: EventView[]): Chapter[] {
  const chapters: Chapter[] = [];
  let turn: unknown = null;
  for (const event of all) {
    const next = event.body["turn"];
    const last = chapters.at(-1);
    if (typeof next === "number" && next !== turn) {
      turn = next;
      chapters.push({ title: next === 0 ? say.beginning : say.turnNumber(next), events: [event] });
    } else if (last) last.events.push(event);
    else chapters.push({ title: say.beginning, events: [event] });
  }
  return chapters;
}

export function LogSheet(): JSX.Element {
  const all = log.value;
  const chapters = chaptersOf(all).reverse();
  return (
    <Sheet label={say.log} look="log">
      <header class="sheet-head">
        <div class="sheet-title">
          <h2>{say.log}</h2>
        </div>
        <button class="round small" aria-label={words.replay.title} data-test="log-replay" onClick={() => showAt()}>
          <Icon name="play" />
        </button>
        <button class="round small" aria-label={say.close} data-test="close-log" onClick={() => (pane.value = "turn")}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-body" data-test="log-sheet">
        <Caption />
        {all.length === 0 && <p class="quiet">{say.logEmpty}</p>}
        {chapters.map((chapter) => (
          <section key={chapter.events[0]?.seq} class="chapter">
            <h3>{chapter.title}</h3>
            <ol>
              {[...chapter.events].reverse().map((event) => (
                <Event key={event.seq} event={event} gone={gone.value.has(event.seq)} />
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Sheet>
  );
}

// Show the table after an event; left out, after the last one.
const showAt = (seq?: number): void => {
  const id = game.value?.id;
  if (id !== undefined) go({ name: "replay", id, seq });
};

function Caption(): JSX.Element {
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (own.value.trim() !== "" && (await caption(own.value.trim()))) own.value = "";
  };
  return (
    <form class="caption" onSubmit={(event) => void keep(event)}>
      <label class="field">
        <span>{say.caption}</span>
        <input data-test="caption" value={own.value} placeholder={say.captionHint} onInput={(event) => (own.value = event.currentTarget.value)} />
      </label>
      <button class="soft-go" data-test="keep-caption" disabled={own.value.trim() === ""}>
        {say.keep}
      </button>
    </form>
  );
}

const textOf = ({ text, body, kind }: EventView): string => text || (typeof body["text"] === "string" ? body["text"] : kind === "seen" ? say.photoRead : kind);

// The number of the event that a note is about.
const seqIn = ({ kind, body }: EventView, key: keyof About): number | null => {
  const seq = body[key];
  return kind === "noted" && typeof seq === "number" ? seq : null;
};

function Event({ event, gone }: { event: EventView; gone: boolean }): JSX.Element {
  const about = seqIn(event, "disputes");
  const played = !["noted", "retracted", "seen"].includes(event.kind);
  return (
    <li class={`event ${event.kind === "noted" ? "noted" : ""} ${about === null ? "" : "disputed"}`} data-test={`event-${event.seq}`}>
      <span class="event-seq" aria-label={say.event(event.seq)}>{event.seq}</span>
      <div>
        {gone ? (
          <p>
            <s>{textOf(event)}</s> <em>{say.takenBack}</em>
          </p>
        ) : (
          <p>{textOf(event)}</p>
        )}
        {about !== null && <Settling seq={about} />}
        {played && !gone && (
          <button class="link" data-test={`show-${event.seq}`} aria-label={words.replay.showEvent(event.seq)} onClick={() => showAt(event.seq)}>
            {words.replay.show}
          </button>
        )}
        {played && !gone && disputed.value !== event.seq && (
          <button class="link" data-test={`disagree-${event.seq}`} aria-label={say.disagreeWith(event.seq)} onClick={() => (disputed.value = event.seq)}>
            {say.disagree}
          </button>
        )}
        {disputed.value === event.seq && <Disagree seq={event.seq} />}
      </div>
    </li>
  );
}

function Disagree({ seq }: { seq: number }): JSX.Element {
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const text = say.disagreement(game.value?.me.label ?? "", seq, why.value.trim() || "?");
    if (!(await caption(text, { disputes: seq }))) return;
    disputed.value = null;
    why.value = "";
  };
  return (
    <form class="caption" onSubmit={(event) => void send(event)}>
      <label class="field">
        <span>{say.disagreeWhy}</span>
        <input data-test="disagree-why" value={why.value} onInput={(event) => (why.value = event.currentTarget.value)} />
      </label>
      <button class="soft-go" data-test="disagree-send">
        {say.disagree}
      </button>
      <button type="button" class="soft-go" onClick={() => (disputed.value = null)}>
        {say.close}
      </button>
    </form>
  );
}

// The host settles a disagreement: by taking the last action back, or by letting it stand.
function Settling({ seq }: { seq: number }): JSX.Element | null {
  const settled = gone.value.has(seq) || log.value.some((event) => seqIn(event, "settles") === seq);
  if (settled) return <small class="quiet-line">{say.settled}</small>;
  if (!isReferee.value) return <small class="quiet-line">{say.open}</small>;
  const standing = log.value.filter((event) => !["noted", "retracted", "seen"].includes(event.kind) && !gone.value.has(event.seq));
  const group = standing.find((event) => event.seq === seq)?.group ?? seq;
  const later = new Set(standing.filter((event) => event.group > group).map((event) => event.group)).size;
  return (
    <div class="chips">
      {later > 0 && <small class="quiet-line">{say.stillLater(later)}</small>}
      <button class="chip" data-test={`take-back-${seq}`} disabled={sending.value} onClick={() => void takeBack(say.event(seq))}>
        {later > 0 ? say.undoWhat(game.value?.undo?.words ?? "") : say.takeBack}
      </button>
      <button class="chip" data-test={`leave-${seq}`} onClick={() => void caption(say.stands(seq), { settles: seq })}>
        {say.leaveIt}
      </button>
    </div>
  );
}
