// The current screen, which follows the address; navigation changes the address.

import { signal } from "@preact/signals";

export type Screen =
  | { name: "home" }
  | { name: "join"; token: string; to: string }
  | { name: "start" }
  | { name: "camera" }
  | { name: "prints" }
  | { name: "learnt" }
  | { name: "game"; id: string }
  | { name: "seats"; id: string }
  | { name: "report"; id: string }
  | { name: "replay"; id: string; seq?: number | undefined } // at the step of that event; left out, at the last one
  | { name: "table"; id: string };

const GAME = /^\/g\/([A-Za-z0-9][A-Za-z0-9_.-]{0,63})(?:\/(seats|report|replay))?$/;
const TABLE = /^\/t\/([0-9a-f]{16})(?:\/seats)?$/; // of a table that was stored without a game
const PLAIN = { "/start": "start", "/camera": "camera", "/prints": "prints", "/learnt": "learnt" } as const;

const replayAt = (id: string, seq: number): Screen => ({ name: "replay", id, seq: seq > 0 ? seq : undefined });

export function screenOf(path: string, search = "", hash = ""): Screen {
  if (path === "/j") return { name: "join", token: hash.slice(1), to: new URLSearchParams(search).get("to") ?? "" };
  const game = GAME.exec(path);
  if (game?.[2] === "replay") return replayAt(game[1] as string, Number(hash.slice(1)));
  if (game) return { name: (game[2] as "report" | "seats" | undefined) ?? "game", id: game[1] as string };
  const table = TABLE.exec(path);
  if (table) return { name: "table", id: table[1] as string };
  const plain = PLAIN[path as keyof typeof PLAIN];
  return plain ? { name: plain } : { name: "home" };
}

// The token of an invitation is secret: it leaves the address, and so the browser's history, before anything is drawn.
function here(): Screen {
  const { pathname, search, hash } = window.location;
  const found = screenOf(pathname, search, hash);
  if (found.name === "join" && hash !== "") window.history.replaceState(null, "", pathname);
  return found;
}

export const screen = signal<Screen>(here());

export const pathOf = (to: Screen): string => {
  if (to.name === "home") return "/";
  if (to.name === "join") return "/j";
  if (to.name === "game") return `/g/${to.id}`;
  if (to.name === "replay" && to.seq !== undefined) return `/g/${to.id}/replay#${to.seq}`;
  if (to.name === "table") return `/t/${to.id}`;
  return "id" in to ? `/g/${to.id}/${to.name}` : `/${to.name}`;
};

// An entry of the browser's history: whether the player came to it from another screen of this page, and whether it
// only exists so that Back closes something open on the screen.
interface Entry {
  inside?: boolean;
  held?: boolean;
}

const entry = (): Entry => (window.history.state as Entry | null) ?? {};

export function go(to: Screen, replace = false): void {
  const { inside = false } = entry();
  if (replace) window.history.replaceState({ inside }, "", pathOf(to));
  else window.history.pushState({ inside: true }, "", pathOf(to));
  screen.value = to;
  window.scrollTo(0, 0);
}

// Leave a screen for the one before, else for another.
export function leave(otherwise: Screen): void {
  if (entry().inside) window.history.back();
  else go(otherwise, true);
}

// Have Back close one thing at a time on a screen, and leave it where nothing is open (`closeLast` returns false).
// Returns a function that ends this.
export function holdBack(closeLast: () => boolean): () => void {
  const path = window.location.pathname;
  const hold = (): void => {
    if (!entry().held) window.history.pushState({ ...entry(), held: true }, "");
  };
  const back = (): void => {
    if (window.location.pathname !== path || entry().held) return;
    if (closeLast()) hold();
    else leave({ name: "home" });
  };
  hold();
  window.addEventListener("popstate", back);
  return () => window.removeEventListener("popstate", back);
}

window.addEventListener("popstate", () => (screen.value = here()));
