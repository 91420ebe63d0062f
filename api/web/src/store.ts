// A table without a game: what the page knows of it (signals) and what can be done (actions).

import { computed, effect, signal, untracked } from "@preact/signals";
import { client, Refusal } from "./client";
import { sideColours } from "./colours";
import { go, screen, type Screen } from "./screens";
import type { BaseChange, BaseOut, JobOut, MarksChange, ShotOut, TableOut, ViewOut } from "./schema";
import { busy, guarded, host, say, theme } from "./shell";
import { text } from "./text";

export const table = signal<TableOut | null>(null);
export const view = signal<ViewOut | null>(null);
export const unitId = signal<string | null>(null);
export const baseId = signal<string | null>(null);
export const shotTarget = signal<string | null>(null);
export const correcting = signal(false);
export const layer = signal<"map" | "photo">("map");
export const listing = signal(false);
export const picking = signal(false);
export const saving = signal(false);
export const dragText = signal<string | null>(null);

export const base = computed<BaseOut | null>(() => table.value?.bases.find((b) => b.id === baseId.value) ?? null);
export const loose = computed<BaseOut[]>(() => table.value?.bases.filter((b) => b.unit === null) ?? []);

// --- start, addresses ---------------------------------------------------------------------------------------------

export function start(): void {
  effect(() => {
    const colours = sideColours(table.value?.sides ?? [], theme.value);
    colours.forEach((colour, i) => document.documentElement.style.setProperty(`--side-${i}`, colour));
  });
  window.setInterval(() => void followOthers(), FOLLOW_MS);
  effect(() => {
    const now = screen.value;
    untracked(() => void route(now));
  });
}

const FOLLOW_MS = 3000;

// Another phone may change the same table: look whether it did, and then show it.
async function followOthers(): Promise<void> {
  const shown = table.value;
  const quiet = (): boolean => !busy.value && !saving.value && dragText.value === null && table.value === shown;
  if (!shown || document.hidden || !quiet()) return;
  const changed = await client.seq(shown.id).then(
    ({ seq }) => seq !== shown.seq,
    () => false, // the next touch will tell that the server is gone
  );
  if (!changed || !quiet()) return;
  await guarded(async () => {
    const next = await client.table(shown.id);
    if (quiet()) table.value = next;
    if (baseId.value !== null && base.value === null) baseId.value = null;
    await refreshView();
  });
}

async function route(now: Screen): Promise<void> {
  const id = now.name === "table" ? now.id : null;
  if (id !== null && table.value?.id === id) return; // it was shown before its address was
  forget();
  table.value = null;
  if (id !== null) {
    await guarded(async () => {
      const next = await client.table(id);
      if (screen.value === now) table.value = next;
    });
    if (screen.value === now && table.value === null) home();
  }
}

export const home = (): void => go({ name: "home" });
export const open = (game: string): void => go({ name: "table", id: game });

function forget(): void {
  unitId.value = baseId.value = shotTarget.value = view.value = null;
  correcting.value = listing.value = picking.value = false;
  layer.value = "map";
}

// --- asking the server --------------------------------------------------------------------------------------------

const MOST_LOST = 20;
const pause = (ms: number): Promise<void> => new Promise((done) => window.setTimeout(done, ms));

// Follow a photo until it lies on its table. A phone that lost the network for a moment asks again.
async function followed(job: JobOut): Promise<JobOut> {
  let lost = 0;
  for (let now = job; ; ) {
    if (now.state === "failed") throw new Refusal(text.failed, now.detail, 422);
    if (now.state === "done") return now;
    const stage = now.state === "working" ? (text.stages[now.stage] ?? text.reading) : text.reading;
    if (busy.value) busy.value = { stage, fraction: 0.25 + 0.75 * now.fraction };
    await pause(now.ask_ms);
    try {
      now = await client.job(job.id);
      lost = 0;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 0 || ++lost > MOST_LOST) throw error;
    }
  }
}

async function working(send: () => Promise<JobOut>): Promise<void> {
  if (busy.value) return;
  say(null);
  busy.value = { stage: text.reading, fraction: 0 };
  await guarded(async () => {
    const job = await followed(await send());
    const next = await client.table(job.table);
    forget();
    table.value = next;
    if (screen.value.name !== "table" || screen.value.id !== next.id) open(next.id);
  });
  busy.value = null;
}

const fits = (file: File, most: number | undefined): boolean => {
  if (most === undefined || file.size <= most) return true;
  say({ kind: "error", title: text.failed, lines: [text.tooLarge(Math.floor(most / 1e6))] });
  return false;
};

export async function sendPhoto(file: File): Promise<void> {
  const game = table.value?.id;
  if (game === undefined || !fits(file, host.value?.max_photo_bytes)) return;
  await working(() =>
    client.photo(game, file, (part) => {
      if (busy.value && part < 1) busy.value = { stage: text.sending(Math.round(100 * part)), fraction: 0.25 * part };
      else if (busy.value) busy.value = { stage: text.reading, fraction: 0.25 };
    }),
  );
}

// --- looking ------------------------------------------------------------------------------------------------------

export async function showUnit(unit: string | null): Promise<void> {
  unitId.value = unit;
  shotTarget.value = null;
  if (unit !== view.value?.unit) view.value = null;
  if (unit !== null) listing.value = picking.value = false;
  await refreshView();
}

async function refreshView(): Promise<void> {
  const game = table.value?.id;
  const unit = unitId.value;
  if (game === undefined || unit === null) return;
  const shown = await guarded(async () => {
    const next = await client.view(game, unit);
    if (unitId.value === unit) view.value = next;
  });
  if (!shown && view.value?.unit !== unit && unitId.value === unit) unitId.value = null;
}

export function tapBase(tapped: BaseOut): void {
  if (correcting.value || tapped.unit === null) {
    correcting.value = true;
    baseId.value = tapped.id;
    if (tapped.unit !== null && tapped.unit !== unitId.value) void showUnit(tapped.unit);
    return;
  }
  const shown = view.value;
  const judged = shown?.shots.some((shot) => shot.target === tapped.unit);
  if (judged && shotTarget.value !== tapped.unit) shotTarget.value = tapped.unit;
  else void showUnit(tapped.unit);
}

export function tapGround(): void {
  if (correcting.value) baseId.value = null;
  else if (shotTarget.value !== null) shotTarget.value = null;
  else void showUnit(null);
}

export function correct(on: boolean, startBase: string | null = null): void {
  correcting.value = on;
  layer.value = "map";
  listing.value = picking.value = false;
  baseId.value = on ? startBase : null;
}

// --- changing -----------------------------------------------------------------------------------------------------

const verdicts = (shown: ViewOut | null): Map<string, ShotOut["verdict"]> =>
  new Map(shown?.shots.map((shot) => [shot.target, shot.verdict]) ?? []);

// One after another, in the order of the touches: each starts from what the one before has left.
let lastChange: Promise<unknown> = Promise.resolve();

export function change(job: (game: string) => Promise<TableOut>, done: string | null = null): Promise<boolean> {
  const mine = lastChange.then(() => changeNow(job, done));
  lastChange = mine.catch(() => undefined);
  return mine;
}

async function changeNow(job: (game: string) => Promise<TableOut>, done: string | null): Promise<boolean> {
  const game = table.value?.id;
  if (game === undefined) return false;
  const before = verdicts(view.value);
  const watched = view.value?.unit ?? null;
  saving.value = true;
  const worked = await guarded(async () => {
    table.value = await job(game);
    if (baseId.value !== null && base.value === null) baseId.value = null;
  });
  saving.value = false;
  if (!worked) {
    table.value = table.value && { ...table.value }; // draw what stands, not what was wished
    return false;
  }
  await refreshView();
  if (watched !== null && watched === view.value?.unit) tellChanges(before, verdicts(view.value), done);
  else if (done !== null) say({ kind: "info", title: done, lines: [] });
  return true;
}

function tellChanges(
  before: Map<string, ShotOut["verdict"]>,
  after: Map<string, ShotOut["verdict"]>,
  done: string | null,
): void {
  const lines = [...after]
    .filter(([target, verdict]) => before.has(target) && before.get(target) !== verdict)
    .map(([target, verdict]) => {
      const was = before.get(target) as ShotOut["verdict"];
      return text.change(target, text.verdict[was], text.verdict[verdict]);
    });
  const title = lines.length ? text.changed(lines.length) : (done ?? text.unchanged);
  say({ kind: "info", title, lines });
}

export const changeBase = (id: string, wish: BaseChange): Promise<boolean> =>
  change((game) => client.change(game, id, wish));

// A step from where the base lies when its turn comes.
export const stepBase = (id: string, step: (now: BaseOut) => BaseChange): Promise<boolean> =>
  change((game) => {
    const now = table.value?.bases.find((one) => one.id === id);
    return client.change(game, id, now ? step(now) : {});
  });

export async function giveBase(id: string, unit: string | null, unique: boolean): Promise<void> {
  const given = await change((game) => client.change(game, id, unit === null ? { unit } : { unit, unique }));
  if (given && unit !== null) await showUnit(unit);
}

export async function addBase(unit: string, center: [number, number]): Promise<void> {
  const roster = table.value?.units.find((u) => u.id === unit);
  const known = new Set(table.value?.bases.map((b) => b.id));
  const mate = table.value?.bases.find((b) => b.unit === unit && b.facing !== null);
  const wish = { unit, center, facing: mate?.facing ?? 0, unique: !roster?.has_unique };
  if (!(await change((game) => client.add(game, wish)))) return;
  baseId.value = table.value?.bases.find((b) => !known.has(b.id))?.id ?? null;
  await showUnit(unit);
}

export const removeBase = (id: string): Promise<boolean> => change((game) => client.remove(game, id));
export const mark = (unit: string, marks: MarksChange): Promise<boolean> =>
  change((game) => client.mark(game, unit, marks));
export const setDice = (dice: "d5" | "d6"): Promise<boolean> => change((game) => client.dice(game, dice));
export const undo = (): Promise<boolean> => change((game) => client.undo(game), text.undone);
export const redo = (): Promise<boolean> => change((game) => client.redo(game), text.redone);
