// The game that this device sits at: what the server tells of it, its live stream, and commands that count once.
// Parts read signals and call actions, nothing else.

import { batch, computed, signal } from "@preact/signals";
import { ask, newId, Refusal } from "./client";
import type {
  CommandWish, DoneOut, GameOut, JudgedOut, LogOut, OptionOut, OptionsOut, PieceOut, RecordOut, BoardUnitOut,
} from "./schema";

export const game = signal<GameOut | null>(null);
export const options = signal<OptionsOut | null>(null);
export const log = signal<RecordOut[]>([]);
export const live = signal<"live" | "waiting" | "ended">("waiting");
export const tableSeq = signal(0); // counts up whenever the game's table has changed: another photo, a correction
export const unitId = signal<string | null>(null); // the unit that was picked
export const sending = signal(false);

export const unit = computed<BoardUnitOut | null>(() => game.value?.board.units.find((one) => one.id === unitId.value) ?? null);
export const pieces = computed<PieceOut[]>(() => game.value?.board.pieces ?? []);
export const mine = computed<OptionOut[]>(() => options.value?.options.filter((one) => one.mine) ?? []);
export const ofUnit = computed<OptionOut[]>(() => options.value?.options.filter((one) => one.unit === unitId.value) ?? []);
export const sideName = (side: string | null): string =>
  game.value?.board.sides.find((one) => one.id === side)?.title ?? side ?? "";

const at = (id: string): string => `/games/${encodeURIComponent(id)}`;

// --- coming and going -------------------------------------------------------------------------------------------

let stream: EventSource | null = null;

export async function openGame(id: string): Promise<void> {
  closeGame();
  const shown = await ask<GameOut>("GET", at(id));
  const told = await ask<LogOut>("GET", `${at(id)}/log`);
  batch(() => {
    game.value = shown;
    log.value = told.events;
  });
  follow(id, Math.max(told.seq, 0));
  await refreshOptions(id);
}

export function closeGame(): void {
  stream?.close();
  stream = null;
  batch(() => {
    game.value = options.value = unitId.value = null;
    log.value = [];
    live.value = "waiting";
  });
}

export const choose = (id: string | null): void => {
  unitId.value = id;
};

// --- the live stream ---------------------------------------------------------------------------------------------

function follow(id: string, after: number): void {
  stream?.close();
  const mineNow = new EventSource(`/api${at(id)}/stream?after=${after}`);
  stream = mineNow;
  mineNow.onopen = () => (live.value = "live");
  mineNow.onerror = () => {
    if (stream !== mineNow) return;
    live.value = mineNow.readyState === EventSource.CLOSED ? "ended" : "waiting";
    if (live.value === "ended") window.setTimeout(() => stream === mineNow && void again(id), 1500);
  };
  mineNow.addEventListener("record", (event) => {
    const record = JSON.parse((event as MessageEvent<string>).data) as RecordOut;
    if (!log.value.some((one) => one.seq === record.seq)) log.value = [...log.value, record];
    later(id);
  });
  mineNow.addEventListener("seat", () => later(id));
  mineNow.addEventListener("table", (event) => {
    tableSeq.value = (JSON.parse((event as MessageEvent<string>).data) as { seq: number }).seq;
  });
}

// After a refusal of the stream itself: the seat may be gone, or the server only away for a while.
async function again(id: string): Promise<void> {
  try {
    await refresh(id);
    follow(id, log.value.at(-1)?.seq ?? 0);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 401 || error.status === 403) game.value = null;
    else window.setTimeout(() => void again(id), 3000);
  }
}

// A phone that slept hears nothing of what ended its stream: look when it wakes.
document.addEventListener("visibilitychange", () => {
  const id = game.value?.id;
  if (!document.hidden && id !== undefined && (stream === null || stream.readyState === EventSource.CLOSED)) void again(id);
});

let waiting = 0;
function later(id: string): void {
  window.clearTimeout(waiting);
  waiting = window.setTimeout(() => void refresh(id).catch(() => undefined), 25);
}

async function refresh(id: string): Promise<void> {
  const next = await ask<GameOut>("GET", at(id));
  if (game.value !== null && game.value.id !== id) return;
  game.value = next;
  await refreshOptions(id);
}

async function refreshOptions(id: string): Promise<void> {
  const next = await ask<OptionsOut>("GET", `${at(id)}/options`);
  if (game.value?.id === id) options.value = next;
}

// --- doing --------------------------------------------------------------------------------------------------------

export type Wish = Partial<Omit<CommandWish, "id" | "after">>;

const PATIENCE_MS = [300, 900, 2500, 5000];

// Say a command until the server has answered it: said twice, it is done once. Throws the server's Refusal.
export async function command(wish: Wish): Promise<DoneOut> {
  const now = game.value;
  if (now === null) throw new Error("no game is open");
  const said: Partial<CommandWish> = { ...wish, id: newId(), after: now.seq };
  sending.value = true;
  try {
    for (const patience of [...PATIENCE_MS, null]) {
      try {
        const done = await ask<DoneOut>("POST", `${at(now.id)}/commands`, said);
        await refresh(now.id);
        return done;
      } catch (error) {
        const lost = error instanceof Refusal && (error.status === 0 || error.status >= 502);
        if (!lost || patience === null) {
          if (error instanceof Refusal && error.type === "gone-on") await refresh(now.id);
          throw error;
        }
        await new Promise((done) => window.setTimeout(done, patience));
      }
    }
  } finally {
    sending.value = false;
  }
  throw new Error("unreachable");
}

export const judge = (words: string): Promise<JudgedOut> =>
  ask<JudgedOut>("POST", `${at(game.value?.id ?? "")}/judge`, { words });

export const undo = (): Promise<DoneOut> => command({ undo: true, referee: game.value?.undo?.referee ?? false });

export const note = (words: string): Promise<DoneOut> =>
  ask<DoneOut>("POST", `${at(game.value?.id ?? "")}/notes`, { id: newId(), text: words });
