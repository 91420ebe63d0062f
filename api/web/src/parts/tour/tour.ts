// The tour of the first game: its current card. The tour proceeds when the game, or the screen, shows that the card's
// task was done.

import { computed, effect, signal } from "@preact/signals";
import { ask, newId } from "../../client";
import { enter } from "../../device";
import { game, gameId, log, options, unitId } from "../../game";
import { pane } from "../../play";
import { go } from "../../screens";
import type { BeginWish, BegunOut } from "../../schema";
import { guarded } from "../../shell";
import { storedJson } from "../../storage";
import { words } from "../../words";

const SCENARIO = "first-game";
const FIRST = "B1"; // the unit that moves

export type CardName = keyof typeof words.tour.cards;

interface Step {
  card: CardName;
  done: () => boolean;
}

const happened = (kind: string): number => log.value.filter((event) => event.kind === kind).length;
const may = (kind: string): boolean => (options.value?.options ?? []).some((one) => one.kind === kind && one.mine && one.legal);

const STEPS: Step[] = [
  { card: "whose", done: () => may("move") },
  { card: "pick", done: () => unitId.value === FIRST || happened("move-rolled") > 0 },
  { card: "roll", done: () => happened("move-rolled") > 0 },
  { card: "place", done: () => happened("moved") > 0 },
  { card: "fire", done: () => happened("fired") > 0 },
  { card: "end", done: () => happened("step-ended") > 1 },
  { card: "undo", done: () => game.value?.redo != null },
  { card: "photo", done: () => pane.value === "photo" },
];

interface Kept {
  game: string;
  step: number;
}

const KEY = "tabletop-tour";
const kept = signal<Kept | null>(storedJson<Kept>(KEY));
effect(() => {
  if (kept.value === null) window.localStorage.removeItem(KEY);
  else window.localStorage.setItem(KEY, JSON.stringify(kept.value));
});

const here = computed(() => (kept.value !== null && gameId.value === kept.value.game ? kept.value : null));

// The current card, and the number of its step; null: no tour runs in this game.
export const card = computed<{ name: CardName; step: number; of: number } | null>(() =>
  here.value === null ? null : { name: STEPS[here.value.step]?.card ?? "done", step: Math.min(here.value.step + 1, STEPS.length), of: STEPS.length },
);

export const skipStep = (): void => {
  if (kept.value !== null) kept.value = { ...kept.value, step: kept.value.step + 1 };
};
export const endTour = (): void => {
  kept.value = null;
};

effect(() => {
  if (here.value !== null && STEPS[here.value.step]?.done()) skipStep();
});

export const beginning = signal(false);
let id = newId();

// Start the tour's own game, both sides on this device; repeated after a lost answer, it is the same one.
export async function beginTour(): Promise<void> {
  if (beginning.value) return;
  beginning.value = true;
  await guarded(async () => {
    const wish = { id, scenario: SCENARIO, title: words.tour.title } as BeginWish;
    const begun = await ask<BegunOut>("POST", "/games", wish);
    id = newId();
    kept.value = { game: begun.id, step: 0 };
    await enter();
    go({ name: "game", id: begun.id });
  });
  beginning.value = false;
}
