import type { JSX } from "preact";
import { words } from "../words";

interface PlayerChipsProps {
  sides: { id: string; title: string }[];
  levels: Record<string, string[]>; // the levels that may play each side; a side without levels has no player
  players: Record<string, string>; // the sides that computers play, each with its level
  put: (side: string, level: string) => void; // an empty level is a person
}

// The player of each side: a person, or a computer of a level.
export const PlayerChips = ({ sides, levels, players, put }: PlayerChipsProps): JSX.Element => (
  <>
    {sides.filter(({ id }) => levels[id]).map(({ id, title }) => (
      <section key={id}>
        <h2>{words.computer.who(title)}</h2>
        <div class="chips" role="group" aria-label={words.computer.who(title)}>
          {["", ...(levels[id] ?? [])].map((level) => (
            <button key={level} class="chip" aria-pressed={(players[id] ?? "") === level} data-test={`player-${id}-${level || "person"}`} onClick={() => put(id, level)}>
              {level === "" ? words.computer.person : words.computer.level(level)}
            </button>
          ))}
        </div>
      </section>
    ))}
  </>
);
