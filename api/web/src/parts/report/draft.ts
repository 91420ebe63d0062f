// The contents for the report, this phone's draft of it, and its files. The draft stays on the phone until it is sent.

import { computed, effect, signal } from "@preact/signals";
import { answered, ask, Refusal, save } from "../../client";
import type { PreviewOut, PreviewWish, ReportFileOut, ReportMomentOut, ReportOut } from "../../schema";
import { theme } from "../../shell";
import { storedJson } from "../../storage";
import { unit } from "../../units";

export type Length = ReportOut["lengths"][number];

// Moments are stored by their first event: their numbers change as the game continues.
interface Draft {
  length: Length;
  title: string;
  kept: number[] | null;
  turns: Record<string, string>;
  moments: Record<string, string>;
}

const FRESH: Draft = { length: "short", title: "", kept: null, turns: {}, moments: {} };

export const report = signal<ReportOut | null>(null);
export const draft = signal<Draft>(FRESH);
export const making = signal<string | null>(null); // the file in preparation
export const preview = signal<string | null>(null); // the address of the open preview

let game = "";
const weighed = (): boolean => report.value?.chances === "counted";
const keyOf = (id: string): string => `tabletop-report-${id}`;
const root = (): string => `/games/${encodeURIComponent(game)}`;

export const isTold = (moment: ReportMomentOut): boolean =>
  draft.value.kept?.includes(moment.seq) ?? moment[draft.value.length];
export const told = computed<ReportMomentOut[]>(() => report.value?.moments.filter(isTold) ?? []);

// --- the draft ----------------------------------------------------------------------------------------------------

effect(() => {
  const now = draft.value;
  if (game === "") return;
  if (now === FRESH) window.localStorage.removeItem(keyOf(game));
  else window.localStorage.setItem(keyOf(game), JSON.stringify(now));
});

export async function openReport(id: string): Promise<void> {
  if (game !== id) {
    game = "";
    report.value = preview.value = null;
    draft.value = { ...FRESH, ...storedJson<Partial<Draft>>(keyOf(id)) };
    game = id;
  }
  const next = await ask<ReportOut>("GET", `${root()}/report${weighed() ? "?chances=true" : ""}`);
  if (game === id) report.value = next;
}

export function closeReport(): void {
  game = "";
  report.value = preview.value = making.value = null;
}

export const change = (next: Partial<Draft>): void => {
  draft.value = { ...draft.value, ...next };
};

export function tick(moment: ReportMomentOut): void {
  const now = told.value.map((one) => one.seq);
  change({ kept: now.includes(moment.seq) ? now.filter((seq) => seq !== moment.seq) : [...now, moment.seq] });
}

export const sayOf = (what: "turns" | "moments", key: number, words: string): void =>
  change({ [what]: { ...draft.value[what], [key]: words } });

// --- asking -------------------------------------------------------------------------------------------------------

// The draft as the server takes it: only for existing turns and moments, and only text that the player wrote.
function wish(): PreviewWish {
  const { length, title, kept, turns, moments } = draft.value;
  const now = report.value as ReportOut;
  const written = (rows: [number, string | undefined][]): Record<string, string> =>
    Object.fromEntries(rows.filter((row): row is [number, string] => (row[1] ?? "").trim() !== ""));
  return {
    length,
    title: title.trim() || null,
    moments: kept === null ? null : told.value.map((one) => one.number),
    captions: {
      turns: written(now.turns.map((one) => [one.turn, turns[one.turn]])),
      moments: written(told.value.map((one) => [one.number, moments[one.seq]])),
    },
    unit: unit.value,
    chances: weighed(),
    seq: now.seq,
  };
}

// If the game has moved on meanwhile, load its new state and ask once more.
async function upToDate<T>(job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof Refusal) || error.type !== "gone-on") throw error;
    await openReport(game);
    return job();
  }
}

// Moments by the chance to win: the server plays the game out, which takes a while the first time.
export async function weigh(): Promise<void> {
  if (making.value !== null) return;
  making.value = "chances";
  const asked = game;
  try {
    const next = await ask<ReportOut>("POST", `${root()}/report/chances`);
    if (game === asked) report.value = next;
  } finally {
    if (game === asked) making.value = null;
  }
}

// One file at a time: a tap while another is being made does nothing.
export async function look(): Promise<void> {
  if (making.value !== null) return;
  making.value = "preview";
  try {
    const kept = await upToDate(() => ask<PreviewOut>("POST", `${root()}/report/preview`, { ...wish(), scheme: theme.value }));
    preview.value = kept.address;
  } finally {
    making.value = null;
  }
}

const EXPORTS: Record<string, string> = {
  geojson: "table.geojson",
  uvtt: "table.uvtt",
  ground: "table.uvtt?pieces=false",
  log: "log.jsonl",
  csv: "log.csv",
  picture: "board.svg",
  observation: "observation.json",
};

// Have a file made and download it; returns its name, or nothing while another is being made.
export async function make(name: string, file: ReportFileOut): Promise<string | null> {
  if (making.value !== null) return null;
  making.value = name;
  try {
    const path = EXPORTS[name];
    const answer =
      path === undefined
        ? await upToDate(() => answered("POST", `${root()}/report`, { ...wish(), format: file.name }))
        : await answered("GET", `${root()}/${path}`);
    save(await answer.blob(), file.file);
    return file.file;
  } finally {
    making.value = null;
  }
}
