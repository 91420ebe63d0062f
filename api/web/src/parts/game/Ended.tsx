import type { JSX } from "preact";
import { game, sideName } from "../../game";
import { go } from "../../screens";
import { words } from "../../words";

const say = words.game;

// The end of the game; the board and the log stay available.
export function Ended(): JSX.Element | null {
  const now = game.value;
  if (!now?.outcome) return null;
  const { winner, reason } = now.outcome;
  return (
    <section class="ended" data-test="ended" role="status">
      <strong>{winner === null ? say.draw : say.won(sideName(winner))}</strong>
      <p>{reason}</p>
      <div class="ended-next">
        <button class="soft-go" data-test="to-replay" onClick={() => go({ name: "replay", id: now.id, seq: 1 })}>
          {words.replay.title}
        </button>
        <button class="go" data-test="to-report" onClick={() => go({ name: "report", id: now.id })}>
          {say.readReport}
        </button>
      </div>
    </section>
  );
}
