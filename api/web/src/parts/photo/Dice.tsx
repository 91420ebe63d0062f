import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { tableSeq } from "../../game";
import { words } from "../../words";
import { photoDice } from "./turn";

const say = words.photo;

interface DiceProps {
  count: number;
  faces: number[];
  off: boolean;
  done: (dice: number[]) => void;
  roll?: () => void;
}

// The dice of a proposal: tapped face by face, taken from the photo, or rolled by the server.
export function Dice({ count, faces, off, done, roll }: DiceProps): JSX.Element {
  const [dice, setDice] = useState<number[]>([]);
  const [onPhoto, setOnPhoto] = useState<number[]>([]);
  const kinds = [...new Set(faces)].sort((a, b) => a - b);
  useEffect(() => {
    void photoDice().then((values) => setOnPhoto(values.filter((value) => kinds.includes(value))));
  }, [tableSeq.value]);
  return (
    <div class="photo-dice" data-test="photo-dice">
      <p>
        {say.dice(count)}
        {dice.map((face, i) => (
          <button key={i} class="die-chip" aria-label={say.dieAt(i + 1, face)} onClick={() => setDice(dice.filter((_, at) => at !== i))}>
            {face}
          </button>
        ))}
      </p>
      {dice.length < count ? (
        <div class="chips">
          {kinds.map((face) => (
            <button key={face} class="chip face-chip" aria-label={say.die(face)} data-test={`face-${face}`} onClick={() => setDice([...dice, face])}>
              {face}
            </button>
          ))}
          {dice.length === 0 && onPhoto.length === count && (
            <button class="chip" data-test="dice-seen" onClick={() => setDice(onPhoto)}>
              {say.fromPhoto(onPhoto)}
            </button>
          )}
          {dice.length === 0 && roll && (
            <button class="chip" data-test="roll" disabled={off} onClick={roll}>
              {say.roll}
            </button>
          )}
        </div>
      ) : (
        <button class="go wide" data-test="with-dice" disabled={off} onClick={() => done(dice)}>
          {say.withDice(dice)}
        </button>
      )}
    </div>
  );
}
