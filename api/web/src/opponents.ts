// Sides that computers play: what one wants to be done on the table, what players say of it, and who plays.

import { computed, effect, signal } from "@preact/signals";
import type { Ghost } from "./boardview";
import { ask, newId } from "./client";
import { game, gameId, gameSeq, heard, options, possible, sending, shownVersion } from "./game";
import { draft, result } from "./play";
import type { ComputerWish, DoneOut, OptionOut, WantedOut } from "./schema";
import { guarded } from "./shell";

const at = (id: string): string => `/games/${encodeURIComponent(id)}`;

const found = signal<WantedOut | null>(null); // the last answer
export const thinking = signal(false);
export const computers = computed(() => game.value?.computers ?? {});
const anyComputer = computed(() => Object.keys(computers.value).length > 0 && game.value?.outcome === null);

// What a computer wants as the game stands.
export const wanted = computed<WantedOut | null>(() => (anyComputer.value && found.value?.seq === gameSeq.value ? found.value : null));

// The pieces as they would stand, while nothing else is being said.
export const wantedGhost = computed<Ghost | null>(() => {
  const pieces = wanted.value?.pieces ?? [];
  const [first, rest] = [pieces.filter(({ unique }) => unique), pieces.filter(({ unique }) => !unique)];
  return pieces.length > 0 && draft.value === null ? { pieces: [...first, ...rest], verdict: "yes", way: [], fixed: true } : null;
});

let asked = 0;

effect(() => {
  const [id, seq, any] = [gameId.value, gameSeq.value, anyComputer.value];
  const mine = ++asked;
  thinking.value = false;
  if (id === undefined || seq === undefined || !any) return;
  thinking.value = true;
  void ask<WantedOut | null>("GET", `${at(id)}/computer`)
    .catch(() => null) // the stream tells whether the server is away
    .then((answer) => {
      if (mine !== asked) return;
      found.value = answer;
      thinking.value = false;
    });
});

// The only thing that may be done, with nothing to choose in it.
export const onlyOne = computed<OptionOut | null>(() => {
  const [one, ...others] = possible(options.value).filter((option) => option.advice !== "again");
  return one !== undefined && others.length === 0 && one.legal && Object.keys(one.fields).length === 0 ? one : null;
});

export type Said = Pick<ComputerWish, "says"> & Partial<Pick<ComputerWish, "dice" | "roll">>;

export async function answer(said: Said): Promise<void> {
  const now = game.value;
  if (now === null || sending.value) return;
  sending.value = true;
  const told = guarded(async () => {
    const wish = { id: newId(), after: now.seq, screen: shownVersion(), roll: false, ...said } satisfies ComputerWish;
    const done = await ask<DoneOut>("POST", `${at(now.id)}/computer`, wish);
    heard(done);
    result.value = said.says === "impossible" ? null : { texts: done.events.map(({ text }) => text).filter(Boolean), words: "", seq: done.seq };
  });
  await told.finally(() => (sending.value = false));
}
