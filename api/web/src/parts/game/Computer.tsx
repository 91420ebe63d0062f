import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Action } from "../../actions";
import { game, sending } from "../../game";
import { answer, onlyOne, thinking, wanted } from "../../opponents";
import { takeAction } from "../../play";
import type { WantedOut } from "../../schema";
import { words } from "../../words";
import { MOST_THROWN } from "./DiceInput";

const say = words.computer;

// What a computer wants: players do it on the table and confirm, roll its dice, or say that it is impossible.
export function Computer(): JSX.Element | null {
  const now = wanted.value;
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.closest(".sheet-body")?.scrollTo({ top: 0 }), [now?.seq]);
  if (now === null) return thinking.value ? <p class="next" role="status">{say.thinking}</p> : null;
  const lead = now.pieces.find(({ unique }) => unique) ?? now.pieces[0];
  const stance = lead === undefined ? "" : say.stance(game.value?.board.grid === null ? lead.center : null, lead.facing);
  return (
    <section class="computer-wants" ref={place} aria-live="polite" data-test="computer">
      <p class="whose-turn">{say.plays(now.title)}</p>
      <h3 class="computer-label" data-test="computer-label">
        {now.secret ? say.secret : say.rest(now.label)}
      </h3>
      {stance !== "" && <p class="computer-place" data-test="computer-place">{stance}</p>}
      {!now.mine && <p class="quiet-line">{say.notYours}</p>}
      {now.why !== "" && <p class="computer-why">{now.why}</p>}
      {now.mine && !onlySaid(now) && (
        <button class="quiet-button" data-test="computer-impossible" disabled={sending.value} onClick={() => void answer({ says: "impossible" })}>
          {say.impossible}
        </button>
      )}
    </section>
  );
}

// The players have nothing to do for it on the table.
const onlySaid = (now: WantedOut): boolean => now.by_itself || (now.dice.count === 0 && Object.keys(now.action ?? {}).length === 1);

// The answers to it, always in sight below the sheet; with its text where the card is not shown.
export function ComputerFoot({ alone = false }: { alone?: boolean }): JSX.Element | null {
  const now = wanted.value;
  if (now === null || !now.mine) return null;
  return (
    <footer class="sheet-foot computer-foot">
      {alone && <p>{say.wants(now.title, now.secret ? say.secret : say.rest(now.label))}</p>}
      <Answers now={now} />
    </footer>
  );
}

function Answers({ now }: { now: WantedOut }): JSX.Element {
  const off = sending.value;
  if (now.dice.count === 0 || now.by_itself) {
    return (
      <button class="go wide" data-test="computer-do" disabled={off} onClick={() => void answer({ says: "do" })}>
        {now.secret ? say.letIt : onlySaid(now) ? say.goesOn : now.pieces.length > 0 ? say.put : say.done}
      </button>
    );
  }
  return (
    <div class={now.dice.count <= MOST_THROWN ? "computer-answers" : ""}>
      <button class="go wide" data-test="computer-roll" disabled={off} onClick={() => void answer({ says: "do", roll: true })}>
        {say.roll(now.dice.count)}
      </button>
      {now.dice.count <= MOST_THROWN && (
        <button class="soft-go" data-test="computer-dice" disabled={off} onClick={() => takeAction(now.action as Action)}>
          {say.ownDice}
        </button>
      )}
    </div>
  );
}

// Every step that needs no choice, in one tap: the server rolls the dice. Without dice or further steps, the step's own
// button does the same.
export function DoTheRest(): JSX.Element | null {
  const one = onlyOne.value;
  if (one === null || (one.dice === 0 && !words.game.repeated.includes(one.kind)) || wanted.value !== null) return null;
  return (
    <button class="soft-go wide" data-test="do-the-rest" disabled={sending.value} onClick={() => void answer({ says: "go-on", roll: true })}>
      {one.dice > 0 ? say.theRest : say.goesOn}
      <small>{say.theRestRolled}</small>
    </button>
  );
}
