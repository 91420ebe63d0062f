import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { sending } from "../../game";
import { addDie, allFaces as all, dice, faces, need, seenDice } from "../../play";
import { words } from "../../words";

const say = words.game;

const PIPS: Record<number, [number, number][]> = {
  1: [[12, 12]],
  2: [[7, 7], [17, 17]],
  3: [[7, 7], [12, 12], [17, 17]],
  4: [[7, 7], [17, 7], [7, 17], [17, 17]],
  5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]],
  6: [[7, 6], [17, 6], [7, 12], [17, 12], [7, 18], [17, 18]],
};

function Face({ value }: { value: number }): JSX.Element {
  const pips = PIPS[value];
  return (
    <svg class="die" viewBox="0 0 24 24" aria-hidden="true">
      <rect x="1.5" y="1.5" width="21" height="21" rx="5" />
      {pips ? pips.map(([x, y]) => <circle key={`${x} ${y}`} cx={x} cy={y} r="2.1" />) : <text x="12" y="16.5">{value}</text>}
    </svg>
  );
}

export const MOST_THROWN = 40; // by hand: the server rolls for a whole board
const MOST_SHOWN = 12; // dice, and faces of a die: a card of a deck is typed

// Whether the form names the faces of a die: they are not 1, 2, 3 and so on.
const isUncommon = (all: number[]): boolean => all.length <= MOST_SHOWN && all.some((face, i) => face !== i + 1);

// The dice for an action, as rolled on the table: tapped face by face, or typed in a row.
export function DiceInput(): JSX.Element | null {
  const refused = useSignal<number[]>([]); // typed numbers that are on none of the dice
  if (need.value === 0) return null;
  const left = need.value - dice.value.length;
  const title = need.value <= MOST_THROWN ? say.dice(need.value) : say.manyDice;
  const read = (line: string): void => {
    const found = (line.match(/\d+/g) ?? []).map(Number);
    refused.value = found.filter((value) => !faces.value.includes(value));
    dice.value = found.filter((value) => faces.value.includes(value)).slice(0, need.value);
  };
  return (
    <section class="dice-input" aria-label={title}>
      <header>
        <strong>{title}</strong>
        {isUncommon(all.value) && <small data-test="dice-faces">{say.facesAre(all.value)}</small>}
        <small aria-live="polite">{dice.value.length > 0 && left > 0 ? say.diceLeft(left) : ""}</small>
      </header>
      {dice.value.length > 0 && need.value <= MOST_SHOWN && (
        <div class="rolled">
          {dice.value.map((face, i) => (
            <button
              key={i}
              aria-label={say.dieAt(i + 1, face)}
              onClick={() => (dice.value = dice.value.filter((_, place) => place !== i))}
            >
              <Face value={face} />
            </button>
          ))}
        </div>
      )}
      {need.value <= MOST_SHOWN && faces.value.length <= MOST_SHOWN && left > 0 && (
        <div class="faces">
          {faces.value.map((face) => (
            <button key={face} class="face" aria-label={say.die(face)} data-test={`die-${face}`} disabled={sending.value} onClick={() => ((refused.value = []), addDie(face))}>
              <Face value={face} />
            </button>
          ))}
        </div>
      )}
      {seenDice.value.length > 0 && (
        <button class="chip" data-test="dice-photo" onClick={() => (dice.value = seenDice.value)}>
          {say.fromPhoto(seenDice.value)}
        </button>
      )}
      {need.value <= MOST_THROWN && (
        <label class="field">
          <span>{say.diceTyped}</span>
          <input
            inputMode="numeric"
            data-test="dice-typed"
            aria-invalid={refused.value.length > 0}
            value={dice.value.join(" ")}
            onChange={(event) => read(event.currentTarget.value)}
          />
          {refused.value.length > 0 && <p role="alert" data-test="dice-refused">{say.noFace(refused.value[0] as number, faces.value)}</p>}
        </label>
      )}
    </section>
  );
}
