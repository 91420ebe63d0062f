import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { words } from "../../words";
import { gameBoard } from "../game/GameMap";
import { Icon } from "../icons";
import { card, endTour, skipStep } from "./tour";

const say = words.tour;

// One card of the tour, between the bar at the top and the part of the map that is free.
export function TourCard(): JSX.Element | null {
  const now = card.value;
  const name = now?.name ?? null;
  useEffect(() => {
    const board = gameBoard();
    board?.whenStill(() => board.fitUnlessClose());
  }, [name]);
  if (now === null) return null;
  const { title, says } = say.cards[now.name];
  const last = now.name === "done";
  return (
    <aside class="news-line tour-card" aria-label={say.label} aria-live="polite" data-test="tour" data-card={now.name}>
      <div class="tour-words">
        <strong>{title}</strong> {!last && <small>{say.step(now.step, now.of)}</small>}
        <p>{says}</p>
      </div>
      {last ? (
        <button class="chip" data-test="finish-tour" onClick={endTour}>{say.finish}</button>
      ) : (
        <div class="tour-keys">
          <button class="round small" aria-label={say.end} data-test="end-tour" onClick={endTour}>
            <Icon name="close" />
          </button>
          <button class="round small" aria-label={say.skip} title={say.skip} data-test="skip-step" onClick={skipStep}>
            <Icon name="right" />
          </button>
        </div>
      )}
    </aside>
  );
}
