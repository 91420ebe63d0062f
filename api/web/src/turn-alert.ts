// The turn alert: the acting side in the page's title, and a sound when this device may act, which can be switched off.

import { computed, effect, signal } from "@preact/signals";
import { actsFor, due, forHost, game, isReferee, kindTitle, options, possible, sideName } from "./game";
import { words } from "./words";

const KEY = "tabletop-sound";
const TONES_HZ = [659, 880];
const TONE_S = 0.16;
const LOUD = 0.12;

export const sound = signal(window.localStorage.getItem(KEY) !== "off");

export function setSound(on: boolean): void {
  sound.value = on;
  window.localStorage.setItem(KEY, on ? "on" : "off");
  if (on) chime();
}

// The side that acts; where sides act at once, in secret, this device's own while there is something for it to do.
const acting = computed(() => {
  const now = game.value;
  if (now === null || now.outcome !== null) return null;
  const own = now.turn.hidden ? possible(options.value).find(({ side }) => actsFor(side))?.side : undefined;
  return own ?? now.turn.to_act;
});

// Whether this device can act now. A device that acts for all sides always can, so this stays false there.
export const isMyTurn = computed(() => {
  if (acting.value === null || game.value?.board.sides.every(({ id }) => actsFor(id))) return false;
  return forHost.value === null ? actsFor(acting.value) && due.value.length > 0 : isReferee.value;
});

// The acting side in the page's heading; empty where no side acts.
export const whoseTurn = computed(() => {
  const [side, begin] = [acting.value, forHost.value];
  if (side === null) return "";
  if (begin !== null && !isReferee.value) return words.game.waitingForHost(kindTitle(begin.kind));
  if (begin !== null && isMyTurn.value) return words.game.hostTurn;
  return isMyTurn.value ? words.game.yourTurn(sideName(side)) : words.game.theirTurn(sideName(side));
});

effect(() => {
  const now = game.value;
  document.title = [whoseTurn.value, now?.title, words.game.product].filter(Boolean).join(" · ");
});

let before: { id: string; mine: boolean } | null = null;

effect(() => {
  const id = game.value?.id;
  const mine = isMyTurn.value;
  if (before !== null && before.id === id && mine && !before.mine && sound.peek()) chime();
  before = id === undefined ? null : { id, mine };
});

let audio: AudioContext | null = null;

// Two short tones. A browser plays none before the page is first touched.
function chime(): void {
  audio ??= new AudioContext();
  if (audio.state !== "running") void audio.resume();
  const volume = audio.createGain();
  volume.gain.value = LOUD;
  volume.connect(audio.destination);
  TONES_HZ.forEach((frequency, i) => {
    const tone = new OscillatorNode(audio as AudioContext, { frequency });
    const from = (audio as AudioContext).currentTime + i * TONE_S;
    tone.connect(volume);
    tone.start(from);
    tone.stop(from + TONE_S);
  });
}
