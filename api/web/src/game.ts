// The game of this device: the server's data, its live stream, and commands that count once. Parts read signals and
// call actions, nothing else.

import { batch, computed, signal } from "@preact/signals";
import { API, ask, isLost, newId, REACHED, Refusal } from "./client";
import { patched } from "./patch";
import { words } from "./words";
import type {
  Unit, CommandWish, DoneOut, FormOut, GameOut, HintOut, JudgedOut, LogOut, LookOut, NearestOut, NoteWish, OptionOut, OptionsOut, BoardPiece, EventView,
  ScreenChangeOut, ScreenOut,
} from "./schema";
import { guarded, shownOut } from "./shell";
import { storedJson } from "./storage";

export const game = signal<GameOut | null>(null);
export const options = signal<OptionsOut | null>(null);
export const forms = signal<Record<string, FormOut>>({}); // every kind of action of the game's rules, by its verb
export const log = signal<EventView[]>([]);
export const live = signal<"live" | "waiting" | "ended">("waiting");
export const tableSeq = signal(0); // counts up whenever the game's table has changed: another photo, a correction; 0: no table yet
export const unitId = signal<string | null>(null); // the unit that was picked
export const sending = signal(false);
export const news = signal<EventView[]>([]); // unread events of others
export const unsent = signal<Unsent | null>(null); // a command that the server has not answered yet

// Events that were taken back.
export const gone = computed(
  () => new Set(log.value.flatMap(({ kind, body }) => (kind === "retracted" ? ((body["seqs"] as number[] | undefined) ?? []) : []))),
);

export const gameId = computed(() => game.value?.id);
export const gameSeq = computed(() => game.value?.seq); // the last event of the game as it is shown
export const unit = computed<Unit | null>(() => game.value?.board.units.find((one) => one.id === unitId.value) ?? null);
export const pieces = computed<BoardPiece[]>(() => game.value?.board.pieces ?? []);
export const mine = computed<OptionOut[]>(() => options.value?.options.filter((one) => one.mine) ?? []);
export const ofUnit = computed<OptionOut[]>(() => options.value?.options.filter((one) => one.unit === unitId.value) ?? []);
// Units that can do something now by this device, without looking at the table first.
export const able = computed(() => new Set((options.value?.options ?? []).flatMap((one) => (one.mine && one.legal && one.unit !== null ? [one.unit] : []))));
export const sideName = (side: string | null): string =>
  game.value?.board.sides.find((one) => one.id === side)?.title ?? side ?? "";

export const unitOf = (id: string | null): Unit | null =>
  game.value?.board.units.find((one) => one.id === id) ?? null;
const REFEREE = "referee";
// The actor of an action, for people.
export const actorName = (actor: string): string => (actor === REFEREE ? words.game.host : sideName(actor));
export const actsFor = (side: string | null): boolean => side !== null && (game.value?.me.acts_as.includes(side) ?? false);
export const isReferee = computed(() => game.value?.me.roles.includes("host") ?? false);

const at = (id: string): string => `/games/${encodeURIComponent(id)}`;

// The same verb may have another meaning in other rules: then its title is looked up with its first field.
export const kindTitle = (kind: string, label = kind): string =>
  words.game.kinds[`${kind} ${forms.value[kind]?.fields[0]?.name ?? ""}`] ?? words.game.kinds[kind] ?? words.game.rest(label);

// --- coming and going -------------------------------------------------------------------------------------------

let stream: EventSource | null = null;
let version = ""; // of what is shown
let told: ScreenOut | null = null; // the stream's screen: older than the shown one where an answer came first

export async function openGame(id: string): Promise<void> {
  closeGame();
  const [screen, past, known] = await Promise.all([
    ask<ScreenOut>("GET", `${at(id)}/screen`),
    ask<LogOut>("GET", `${at(id)}/log`),
    ask<Record<string, FormOut>>("GET", `${at(id)}/forms`),
  ]);
  batch(() => {
    forms.value = known;
    tableSeq.value = screen.game.table_seq;
    log.value = past.events;
    told = screen;
    show(screen);
  });
  follow(id, past.seq);
  unsent.value = keptUnsent(id);
}

export function closeGame(): void {
  stream?.close();
  stream = null;
  version = "";
  told = null;
  held = [];
  batch(() => {
    game.value = options.value = unitId.value = null;
    forms.value = {};
    log.value = news.value = [];
    unsent.value = null;
    live.value = "waiting";
  });
}

export const choose = (id: string | null): void => {
  unitId.value = id;
};

const MOST_NEWS = 12;
const QUIET_MS = 20_000; // of silence, after which the log is checked for missed events
let heardAt = 0;
const NEWS_MS = 30_000; // after which it is only in the log
const own = new Set<number>(); // events of this device's own commands
export const ours = (done: DoneOut): void => {
  for (const { seq } of done.events) own.add(seq);
  news.value = news.value.filter(({ seq }) => seq > done.seq); // after an action of one's own, earlier news is in the log only
};

function tell(record: EventView): void {
  news.value = [...news.value, record].slice(-MOST_NEWS);
  window.setTimeout(() => (news.value = news.value.filter((one) => one !== record)), NEWS_MS);
}

// --- the live stream ---------------------------------------------------------------------------------------------

function follow(id: string, after: number): void {
  stream?.close();
  const mineNow = new EventSource(`${API}${at(id)}/stream?after=${after}&screen=${told?.version ?? ""}`);
  stream = mineNow;
  mineNow.onopen = () => {
    live.value = "live";
    window.dispatchEvent(new Event(REACHED));
  };
  mineNow.onerror = () => {
    if (stream !== mineNow) return;
    live.value = mineNow.readyState === EventSource.CLOSED ? "ended" : "waiting";
    if (live.value === "ended") window.setTimeout(() => stream === mineNow && void again(id), 1500);
  };
  mineNow.addEventListener("record", (event) => {
    heardAt = performance.now();
    const record = JSON.parse((event as MessageEvent<string>).data) as EventView;
    if (!log.value.some((one) => one.seq === record.seq)) {
      log.value = [...log.value, record];
      if (!own.has(record.seq)) tell(record);
    }
  });
  mineNow.addEventListener("screen", (event) => {
    if (stream !== mineNow) return;
    held.push(JSON.parse((event as MessageEvent<string>).data) as ScreenChangeOut);
    if (!asking) release(id);
  });
  mineNow.addEventListener("table", (event) => {
    tableSeq.value = (JSON.parse((event as MessageEvent<string>).data) as { seq: number }).seq;
  });
}

// After an error of the stream: the seat may be gone, or the server only unavailable for a while.
async function again(id: string): Promise<void> {
  try {
    await refresh(id);
    if (game.value?.id === id) follow(id, log.value.at(-1)?.seq ?? 0);
  } catch (error) {
    if (shownOut(error)) game.value = null;
    else window.setTimeout(() => void again(id), 3000);
  }
}

// A phone that slept or lost the network does not notice that its stream ended, and a dead connection may look alive
// for minutes: in these cases, reconnect from the last event received.
const anew = (): void => {
  const id = game.value?.id;
  if (id === undefined || document.hidden) return;
  void again(id);
  window.dispatchEvent(new Event(REACHED));
};
window.addEventListener("online", anew);
document.addEventListener("visibilitychange", anew);

window.setInterval(() => {
  const id = game.value?.id;
  if (id === undefined || document.hidden || live.value !== "live" || performance.now() - heardAt < QUIET_MS) return;
  heardAt = performance.now();
  void ask<LogOut>("GET", `${at(id)}/log?after=${log.value.at(-1)?.seq ?? 0}`).then(
    ({ events }) => (events.length ? again(id) : undefined),
    () => undefined, // the stream reports the error
  );
}, QUIET_MS / 2);

async function refresh(id: string): Promise<void> {
  const next = await ask<ScreenOut>("GET", `${at(id)}/screen`);
  if (game.value !== null && game.value.id !== id) return;
  told = next;
  showNewer(next);
}

// Events that arrive while a command is under way are shown together with its result, so that no one acts in between.
let asking = false;
let held: ScreenChangeOut[] = [];

function release(id: string): void {
  asking = false;
  for (const one of held.splice(0)) change(id, one);
}

// A screen after a change; null if the change is not from that screen.
const changed = ({ version: of, game, options }: ScreenOut, { since, version, changes }: ScreenChangeOut): ScreenOut | null =>
  since === of || changes[0]?.path === "" ? { ...patched({ game, options }, changes), version } : null;

// If the changes don't start from the stream's last screen, some were missed: then request the whole screen.
function change(id: string, by: ScreenChangeOut): void {
  if (told === null || by.version === told.version) return;
  told = changed(told, by);
  if (told === null) void again(id);
  else showNewer(told);
}

// The answer to a command has the changes since the screen that was shown when it was sent.
function answered(by: ScreenChangeOut): void {
  if (game.value === null || options.value === null) return;
  const next = changed({ version, game: game.value, options: options.value }, by);
  if (next !== null) showNewer(next);
}

// A late answer or stream message does not replace a newer screen.
function showNewer(next: ScreenOut): void {
  const now = game.value;
  if (next.version === version || (now !== null && (next.game.seq < now.seq || next.game.table_seq < now.table_seq))) return;
  show(next);
}

function show(next: ScreenOut): void {
  const { seq } = next.options;
  const others = options.value !== null && options.value.seq !== seq && !sending.value && !own.has(seq); // did something
  version = next.version;
  batch(() => {
    game.value = next.game;
    options.value = next.options;
  });
  const mine = possible(next.options);
  if (others && unitId.value !== null && mine.length > 0 && mine.every((one) => one.unit !== unitId.value)) choose(null);
}

// Whether an action is rare and final, such as conceding. In a game without turns, `end` ends the game.
export const isGrave = ({ kind }: OptionOut): boolean => words.game.grave.includes(kind) || (kind === "end" && game.value?.turn.to_act === null);

// This device's options now, without those.
export const possible = (of: OptionsOut | null): OptionOut[] =>
  (of?.options ?? []).filter((one) => one.mine && (one.legal || one.open) && !isGrave(one));

// Whether the game waits for this option: it is not done already, and does not give up.
const isWaitedFor = (option: OptionOut): boolean => option.advice !== "again" && !isGrave(option);
export const due = computed(() => possible(options.value).filter(isWaitedFor));

// The one option of the host alone, where the game waits for nothing else.
export const forHost = computed<OptionOut | null>(() => {
  const legal = (options.value?.options ?? []).filter((one) => one.legal && isWaitedFor(one));
  const whole = legal.filter(({ actor, fields }) => actor === REFEREE && Object.keys(fields).length === 0);
  return game.value?.turn.hidden === "" && legal.every(({ actor }) => actor === REFEREE) ? (whole[0] ?? null) : null;
});

// --- doing --------------------------------------------------------------------------------------------------------

export type Wish = Partial<Omit<CommandWish, "id" | "after">>;

export interface Unsent {
  game: string;
  said: Partial<CommandWish>;
  label: string; // its description for people
}

const PATIENCE_MS = [300, 900, 2500];
const UNSENT = "tabletop-unsent";

// Send a command until the server has answered it: repeated, it is done once. Throws the server's Refusal. An
// unanswered command is kept, even if the page is reloaded, and sent again with `resend`.
export async function command(wish: Wish, label = ""): Promise<DoneOut> {
  const now = game.value;
  if (now === null) throw new Error("no game is open");
  if (unsent.value !== null) throw new Refusal("", words.game.unsentFirst, 0);
  return saying({ game: now.id, said: { ...wish, id: newId(), after: now.seq, screen: version }, label });
}

export async function resend(): Promise<DoneOut | null> {
  const kept = unsent.value;
  return kept === null || sending.value ? null : saying(kept);
}

export function forgetUnsent(): void {
  unsent.value = null;
  window.localStorage.removeItem(UNSENT);
}

function keptUnsent(id: string): Unsent | null {
  const kept = storedJson<Unsent>(UNSENT);
  return kept?.game === id ? kept : null;
}

async function saying(wish: Unsent): Promise<DoneOut> {
  sending.value = asking = true;
  window.localStorage.setItem(UNSENT, JSON.stringify(wish));
  try {
    const done = await said(wish);
    forgetUnsent();
    ours(done);
    if (done.screen != null && game.value?.id === wish.game) answered(done.screen);
    release(wish.game);
    if (game.value?.id === wish.game && game.value.seq < done.seq) await refresh(wish.game).catch(() => undefined);
    return done;
  } catch (error) {
    if (isLost(error)) unsent.value = wish;
    else forgetUnsent();
    release(wish.game);
    if (error instanceof Refusal && error.type === "gone-on") await refresh(wish.game);
    throw error;
  } finally {
    sending.value = false;
  }
}

async function said({ game: id, said: wish }: Unsent): Promise<DoneOut> {
  for (const patience of PATIENCE_MS) {
    try {
      return await ask<DoneOut>("POST", `${at(id)}/commands`, wish);
    } catch (error) {
      if (!isLost(error) || !navigator.onLine) throw error;
      await new Promise((done) => window.setTimeout(done, patience));
    }
  }
  return ask<DoneOut>("POST", `${at(id)}/commands`, wish);
}

// Apply an answer that no command of this device requested.
export function heard(done: DoneOut): void {
  ours(done);
  if (done.screen != null) answered(done.screen);
}

export const shownVersion = (): string => version;

export const judge = (wish: Pick<CommandWish, "action"> | Pick<CommandWish, "words">): Promise<JudgedOut> =>
  ask<JudgedOut>("POST", `${at(game.value?.id ?? "")}/judge`, wish);

// The nearest place at which an action is legal.
export const nearest = (wish: Pick<CommandWish, "action">): Promise<NearestOut> =>
  ask<NearestOut>("POST", `${at(game.value?.id ?? "")}/nearest`, wish);

// Take the last action back: as the host where only the host may, or, with `agreed`, at the other side's request.
export const undo = (reason = "", agreed = false): Promise<DoneOut> =>
  command({ undo: true, referee: !agreed && (game.value?.undo?.referee ?? false), agreed, reason });

export const redo = (): Promise<DoneOut> => command({ redo: true, referee: game.value?.redo?.referee ?? false });

// The number of the event that a note disagrees with, lets stand, asks to take back, or refuses to take back.
export type About = Pick<NoteWish, "disputes" | "settles" | "asks_back" | "keeps">;

export async function note(text: string, about: About = {}): Promise<void> {
  ours(await ask<DoneOut>("POST", `${at(game.value?.id ?? "")}/notes`, { id: newId(), text, ...about } satisfies NoteWish));
}

export const hint = signal<HintOut | null>(null); // the last one asked for
export const hinting = signal(false);

export async function askHint(): Promise<void> {
  const id = game.value?.id;
  if (id === undefined || hinting.value) return;
  hinting.value = true;
  await guarded(async () => {
    hint.value = await ask<HintOut>("GET", `${at(id)}/hint`);
  });
  hinting.value = false;
}

// The dice in the game's last photo, if it has any.
export async function photoDice(): Promise<number[]> {
  const seen = await ask<Pick<LookOut, "dice">>("GET", `${at(game.value?.id ?? "")}/look`).catch(() => null);
  return (seen?.dice ?? []).flatMap(({ value, hits }) => (value === null || hits !== null ? [] : [value]));
}
