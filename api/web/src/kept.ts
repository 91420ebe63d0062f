// Unfinished input outlives the page: when its game is opened again, it is restored, set aside.

import { effect, type Signal, signal, untracked } from "@preact/signals";
import { game } from "./game";
import { aside, draft, entered, type Entered } from "./play";
import { storedJson } from "./storage";

// Store some input for the open game, separately for each game. `now` returns the value to store; null to delete it;
// undefined to leave the stored one.
function keepInGame(name: string, now: () => string | null | undefined, open: (key: string) => void): void {
  let opened: string | undefined;
  effect(() => {
    const [id, text] = [game.value?.id, now()];
    const key = `tabletop-${name}-${id}`;
    if (id !== opened) {
      opened = id;
      if (id !== undefined) untracked(() => open(key));
    } else if (id === undefined || text === undefined) return;
    else if (text !== null) window.localStorage.setItem(key, text);
    else window.localStorage.removeItem(key);
  });
}

function drafted(): string | null | undefined {
  const now = entered.value ?? aside.value;
  if (now !== null) return JSON.stringify(now);
  return draft.value === null ? null : undefined;
}
keepInGame("draft", drafted, (key) => (aside.value = storedJson<Entered>(key)));

// Text that is being written in the open game: each game keeps its own until it is sent or deleted.
export function keptWords(name: string): Signal<string> {
  const written = signal("");
  keepInGame(name, () => written.value || null, (key) => (written.value = window.localStorage.getItem(key) ?? ""));
  return written;
}
