// What was entered and not yet done outlives the page: when its game is opened again, it is there, set aside.

import { effect, type Signal, signal, untracked } from "@preact/signals";
import { game } from "./game";
import { aside, draft, entered, type Entered } from "./play";

const keyOf = (id: string): string => `tabletop-draft-${id}`;
let opened: string | undefined;

function kept(id: string): Entered | null {
  return JSON.parse(window.localStorage.getItem(keyOf(id)) ?? "null") as Entered | null;
}

effect(() => {
  const id = game.value?.id;
  const now = entered.value ?? aside.value;
  if (id !== opened) {
    opened = id;
    if (id !== undefined) untracked(() => (aside.value = kept(id)));
  } else if (id === undefined) return;
  else if (now !== null) window.localStorage.setItem(keyOf(id), JSON.stringify(now));
  else if (draft.value === null) window.localStorage.removeItem(keyOf(id));
});

// Words that are being written in the open game: each game keeps its own until they are sent or taken out.
export function keptWords(name: string): Signal<string> {
  const written = signal("");
  let of: string | undefined;
  effect(() => {
    const [id, now] = [game.value?.id, written.value];
    const key = `tabletop-${name}-${id}`;
    if (id !== of) {
      of = id;
      if (id !== undefined) untracked(() => (written.value = window.localStorage.getItem(key) ?? ""));
    } else if (id !== undefined && now !== "") window.localStorage.setItem(key, now);
    else if (id !== undefined) window.localStorage.removeItem(key);
  });
  return written;
}
