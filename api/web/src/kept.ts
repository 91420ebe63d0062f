// What was entered and not yet done outlives the page: when its game is opened again, it is there, set aside.

import { effect, untracked } from "@preact/signals";
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
