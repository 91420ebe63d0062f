// Measuring: the picked unit's overlays, the distance of two things, measurements that others showed to all. Parts read
// signals and call actions, nothing else.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { ask, newId, Refusal } from "./client";
import { choose, game, gameId, gameSeq, tableSeq, unit } from "./game";
import type { Measurement, UnitOverlays, PhotoGroundOut, SharedOut, SightLine, Thing } from "./schema";
import { guarded, say } from "./shell";
import { words } from "./words";

export const CHIPS = ["ranges", "arcs", "threat", "best", "surely", "sights", "beyond"] as const;
export type Chip = (typeof CHIPS)[number];
export type Tab = "tool" | "unit" | "shared";

export interface Measured {
  key: number;
  ends: [Thing, Thing] | null; // null: what others named
  found: Measurement;
  by: string | null; // who showed it to all; null: measured here
  told: boolean; // whether this device showed it to all
}

const MOST_KEPT = 6;
const CHIPS_KEY = "tabletop-measure-chips";
const PUT_KEY = "tabletop-measure-read";
const MOST_PUT = 60;
const START: Chip[] = ["ranges", "sights"];

export const tab = signal<Tab>("tool");
export const drawnOn = signal<"map" | "photo">("map");
export const overlays = signal<UnitOverlays | null>(null);
export const refused = signal<string | null>(null); // why the unit has no overlays
export const chips = signal<Chip[]>(keptChips());
export const line = signal<string | null>(null); // the sight line that was picked, as "from to"
export const cellWord = signal<string | null>(null); // the text of the reach for the cell that was touched
export const first = signal<Thing | null>(null);
export const measured = signal<Measured[]>([]); // the last one first
export const current = signal<number | null>(null);
export const asking = signal(false);
export const shared = signal<SharedOut[]>([]);
export const put = signal<Set<string>>(keptPut()); // measurements shown to all that were read or put away
export const photo = signal<PhotoGroundOut | null>(null);

export const shown = computed<Measured | null>(() => measured.value.find(({ key }) => key === current.value) ?? null);
export const fresh = computed<SharedOut | null>(() => shared.value.find(({ id }) => !put.value.has(id)) ?? null);
export const lineOf = ({ from, to }: Pick<SightLine, "from" | "to">): string => `${from} ${to}`;
export const isBeyond = (sight: SightLine): boolean => sight.range.band === "out";
export const sights = computed<SightLine[]>(() => {
  const all = overlays.value?.sights ?? [];
  return chips.value.includes("beyond") ? all : all.filter((sight) => !isBeyond(sight) || lineOf(sight) === line.value);
});
export const picked = computed<SightLine | null>(
  () => overlays.value?.sights.find((sight) => lineOf(sight) === line.value) ?? null,
);

const at = (): string => `/games/${encodeURIComponent(untracked(() => game.value?.id ?? ""))}`;

// --- what is drawn ------------------------------------------------------------------------------------------------

function keptChips(): Chip[] {
  const kept = window.localStorage.getItem(CHIPS_KEY);
  return kept === null ? START : CHIPS.filter((chip) => kept.split(" ").includes(chip));
}

export function toggle(chip: Chip): void {
  chips.value = CHIPS.filter((one) => (one === chip) !== chips.value.includes(one));
  window.localStorage.setItem(CHIPS_KEY, chips.value.join(" "));
}

export const pickLine = (sight: SightLine | null): void => {
  line.value = sight === null || lineOf(sight) === line.value ? null : lineOf(sight);
};

// --- following the game ---------------------------------------------------------------------------------------------

// While a game is open: the picked unit's overlays after every event, measurements shown to all, the last photo.
export function following(): () => void {
  const stops = [
    effect(() => {
      const [id, seq, now] = [unitNow.value, game.value?.seq, game.value?.id];
      if (now === undefined || seq === undefined) return;
      if (id !== untracked(() => overlays.value?.unit ?? null)) forgetUnit();
      if (id !== null) void lookAt(id, seq);
    }),
    effect(() => {
      const [id] = [gameId.value, gameSeq.value, tableSeq.value];
      if (id !== undefined) void Promise.all([lookForShared(), lookForPhoto()]);
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    batch(() => {
      forgetUnit();
      measured.value = shared.value = [];
      first.value = current.value = photo.value = null;
      drawnOn.value = "map";
    });
  };
}

const unitNow = computed(() => (unit.value?.on_table ? unit.value.id : null));

function forgetUnit(): void {
  batch(() => {
    overlays.value = refused.value = line.value = cellWord.value = null;
  });
}

async function lookAt(id: string, seq: number): Promise<void> {
  const still = (): boolean => unitNow.peek() === id && game.peek()?.seq === seq;
  try {
    const found = await ask<UnitOverlays>("GET", `${at()}/units/${encodeURIComponent(id)}/overlays`);
    if (!still()) return;
    batch(() => {
      overlays.value = found;
      refused.value = cellWord.value = null;
      if (picked.peek() === null) line.value = null;
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!still()) return;
    batch(() => {
      forgetUnit();
      refused.value = error.message;
    });
  }
}

async function lookForShared(): Promise<void> {
  shared.value = await ask<SharedOut[]>("GET", `${at()}/shared`).catch(() => shared.peek());
}

async function lookForPhoto(): Promise<void> {
  photo.value = await ask<PhotoGroundOut>("GET", `${at()}/photo`).catch(() => photo.peek());
}

// --- two things -----------------------------------------------------------------------------------------------------

let keys = 0;

export const sameThing = (a: Thing, b: Thing): boolean => JSON.stringify(a) === JSON.stringify(b);

// A finger's choice: the first thing, or the second, which is measured at once.
export async function chosen(thing: Thing): Promise<void> {
  const from = first.value;
  if (from === null) {
    batch(() => {
      first.value = thing;
      current.value = null;
    });
  } else if (sameThing(from, thing)) first.value = null;
  else await measure(from, thing);
}

// Measure two things; `instead` replaces the measurement shown.
export async function measure(a: Thing, b: Thing, instead = false): Promise<void> {
  asking.value = true;
  await guarded(async () => {
    const found = await ask<Measurement>("POST", `${at()}/measure`, { a, b });
    const kept = instead ? measured.value.filter(({ key }) => key !== current.value) : measured.value;
    keep({ key: ++keys, ends: [a, b], found, by: null, told: false }, kept);
  });
  batch(() => {
    asking.value = false;
    first.value = null;
  });
}

function keep(one: Measured, others = measured.value): void {
  batch(() => {
    measured.value = [one, ...others].slice(0, MOST_KEPT);
    current.value = one.key;
    first.value = null;
  });
}

export function again(): void {
  first.value = shown.value?.ends?.[0] ?? null;
  current.value = null;
}

export function clearAll(): void {
  batch(() => {
    measured.value = [];
    current.value = first.value = null;
  });
}

// --- shown to all ---------------------------------------------------------------------------------------------------

export async function share(one: Measured): Promise<void> {
  const ends = one.ends;
  if (ends === null) return;
  await guarded(async () => {
    const told = await ask<SharedOut>("POST", `${at()}/shared`, { id: newId(), a: ends[0], b: ends[1] });
    batch(() => {
      putAway(told.id);
      measured.value = measured.value.map((kept) => (kept.key === one.key ? { ...kept, told: true } : kept));
    });
    say({ kind: "info", title: words.measure.shared, lines: [] });
  });
}

export const putAway = (id: string): void => {
  put.value = new Set([...[...put.value].slice(1 - MOST_PUT), id]);
  window.localStorage.setItem(PUT_KEY, [...put.value].join(" "));
};

function keptPut(): Set<string> {
  return new Set((window.localStorage.getItem(PUT_KEY) ?? "").split(" ").filter(Boolean));
}

export function showShared(one: SharedOut): void {
  batch(() => {
    putAway(one.id);
    keep({ key: ++keys, ends: null, found: one.measurement, by: one.by, told: true });
    tab.value = "tool";
  });
}

export const pickUnit = (id: string | null): void => {
  if (id !== null) choose(id);
};
