// A game step by step: the runs of steps from the server, and the current step.

import { batch, computed, signal } from "@preact/signals";
import { ask } from "../../client";
import { patched } from "../../patch";
import type { Board, ReplayOut, StepOut } from "../../schema";
import { guarded } from "../../shell";
import { words } from "../../words";

export interface Seen extends StepOut {
  board: Board;
}

export type Head = Pick<ReplayOut, "id" | "title" | "seq" | "count" | "turns">;

export const head = signal<Head | null>(null);
export const steps = signal<ReadonlyMap<number, Seen>>(new Map());
export const at = signal(0); // the number of the current step
export const playing = signal(false);

export const seen = computed<Seen | undefined>(() => steps.value.get(at.value));
export const before = computed<Seen | undefined>(() => steps.value.get(at.value - 1));
export const whenOf = ({ turn, side, phase }: StepOut): string => words.replay.when(turn, side, phase);

let game = "";
const asked = new Set<number>(); // steps that are on their way

export async function openReplay(id: string, seq: number | undefined): Promise<void> {
  closeReplay();
  game = id;
  const run = await ask<ReplayOut>("GET", `${root()}${seq === undefined ? "" : `?seq=${seq}`}`);
  if (game !== id) return;
  keep(run);
  at.value = run.at;
  await fetchStep(run.at - 1);
}

export function closeReplay(): void {
  game = "";
  head.value = null;
  steps.value = new Map();
  at.value = 0;
  playing.value = false;
  asked.clear();
}

const root = (): string => `/games/${encodeURIComponent(game)}/replay`;

// If the game has changed since, cached steps may have been taken back.
function keep(run: ReplayOut): void {
  const known = new Map(head.value?.seq === run.seq ? steps.value : []);
  let board = run.board;
  for (const step of run.steps) {
    board = patched(board, step.changes);
    known.set(step.number, { ...step, board });
  }
  batch(() => {
    steps.value = known;
    head.value = run;
  });
}

// Load a step and those around it; does nothing where no step has that number.
async function fetchStep(number: number): Promise<void> {
  const count = head.value?.count ?? 0;
  if (number < 1 || number > count || steps.value.has(number) || asked.has(number)) return;
  asked.add(number);
  const id = game;
  try {
    const run = await ask<ReplayOut>("GET", `${root()}?step=${number}`);
    if (game === id) keep(run);
  } finally {
    asked.delete(number);
  }
}

const within = (number: number): number => Math.min(Math.max(number, 1), head.value?.count ?? 1);

const SETTLE_MS = 90; // that a slider rests before its step is fetched
let waiting = 0;

// Show a step; the next ones are fetched in advance.
export function goTo(number: number): void {
  at.value = within(number);
  window.clearTimeout(waiting);
  const round = async (): Promise<void> => {
    for (const wanted of [at.value, at.value - 1, at.value + 4]) await fetchStep(wanted);
  };
  waiting = window.setTimeout(() => void guarded(round), steps.value.has(at.value) ? 0 : SETTLE_MS);
}

// The first step of the next turn, or of this turn and else of the one before.
export function stepOfTurn(way: 1 | -1): number {
  const begins = (head.value?.turns ?? []).map(({ step }) => step);
  const next = way > 0 ? begins.find((step) => step > at.value) : begins.reverse().find((step) => step < at.value);
  return next ?? (way > 0 ? (head.value?.count ?? 1) : 1);
}

export const atEnd = computed(() => head.value !== null && at.value >= head.value.count);

const LEAST_MS = 1300; // that a step is shown when the game plays
const LETTER_MS = 28;
const MOST_MS = 5200;
export const readingTime = (step: Seen): number =>
  Math.min(MOST_MS, LEAST_MS + LETTER_MS * step.says.reduce((sum, one) => sum + one.length, 0));
