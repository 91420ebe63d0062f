import type { JSX } from "preact";
import type { Action } from "../../actions";
import { sending, unitOf } from "../../game";
import { answer, onlyOne, thinking, wanted } from "../../opponents";
import { takeAction } from "../../play";
import type { WantedOut } from "../../schema";
import { words } from "../../words";

const say = words.computer;

// What a computer wants: players do it on the table and say so, roll its dice, or say that it can't be.
export function Computer(): JSX.Element | null {
  const now = wanted.value;
  if (now === null) return thinking.value ? <p class="next" role="status">{say.thinking}</p> : null;
  const lead = now.pieces.find(({ unique }) => unique) ?? now.pieces[0];
  const kind = unitOf(now.unit)?.title;
  return (
    <section class="computer-wants" aria-live="polite" data-test="computer">
      <p class="whose-turn">{say.plays(now.title)}</p>
      <h3 data-test="computer-label">{now.secret ? say.secret : say.rest(now.label)}</h3>
      {kind !== undefined && kind !== now.unit && <p class="quiet-line">{kind}</p>}
      {lead !== undefined && <p class="computer-place" data-test="computer-place">{say.place(lead.center[0], lead.center[1], lead.facing)}</p>}
      {now.why !== "" && <p class="computer-why">{now.why}</p>}
      {now.mine ? <Answers now={now} /> : <p class="quiet-line">{say.notYours}</p>}
    </section>
  );
}

function Answers({ now }: { now: WantedOut }): JSX.Element {
  const off = sending.value;
  if (now.by_itself) {
    return (
      <button class="go wide" data-test="computer-do" disabled={off} onClick={() => void answer({ says: "do" })}>
        {now.secret ? say.letIt : say.goesOn}
      </button>
    );
  }
  return (
    <div class="computer-answers">
      {now.dice.count > 0 ? (
        <>
          <button class="go wide" data-test="computer-roll" disabled={off} onClick={() => void answer({ says: "do", roll: true })}>
            {say.roll(now.dice.count)}
          </button>
          <button class="soft-go wide" data-test="computer-dice" disabled={off} onClick={() => takeAction(now.action as Action)}>
            {say.ownDice}
          </button>
        </>
      ) : (
        <button class="go wide" data-test="computer-do" disabled={off} onClick={() => void answer({ says: "do" })}>
          {now.pieces.length > 0 ? say.put : say.done}
        </button>
      )}
      <button class="quiet-button" data-test="computer-impossible" disabled={off} onClick={() => void answer({ says: "impossible" })}>
        {say.impossible}
      </button>
    </div>
  );
}

// All that needs no choice, in one tap: dice are rolled by the server.
export function DoTheRest(): JSX.Element | null {
  if (onlyOne.value === null || wanted.value !== null) return null;
  return (
    <button class="soft-go wide" data-test="do-the-rest" disabled={sending.value} onClick={() => void answer({ says: "go-on", roll: true })}>
      {say.theRest}
    </button>
  );
}
