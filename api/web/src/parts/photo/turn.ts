// The photo turn of a game: a photo on its way, the contents of the last one, and what is done about it.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { ask, client, isLost, newId, REACHED, Refusal } from "../../client";
import { game, gameId, gameSeq, isReferee, judge, ours, photoDice, tableSeq } from "../../game";
import { layUnder, pane } from "../../play";
import type {
  AcceptWish, CorrectionOut, Dice, DoneOut, JobOut, LookOut, NamedWish, PhotoGroundOut, ProposalOut, QuestionOut, TruthOut,
} from "../../schema";
import { guarded, host, say } from "../../shell";
import { text } from "../../words/shared";
import { words } from "../../words";
import { grouped, type Mark, marksOf } from "./asking";

const said = words.photo;

export interface Underway {
  id: string | null; // null: still going out
  stage: string;
  fraction: number;
}

export const underway = signal<Underway | null>(null);
export const failed = signal<string | null>(null); // why the last photo could not be used
export const look = signal<LookOut | null>(null);
export const ground = signal<PhotoGroundOut | null>(null);
export const truth = signal<TruthOut | null>(null);
export const taking = signal(false); // the controls for another photo are open
export const correcting = signal(false); // the corrections for trusting the photo are shown
export const tab = signal<"doubts" | "moves">("doubts");
export const skipped = signal<ReadonlySet<string>>(new Set());
export const left = signal<ReadonlySet<string>>(new Set()); // proposals that are not to be carried out
export const open = signal<string | null>(null); // the open proposal
export const whole = signal(false); // the whole photo is shown
export const filming = signal(false); // the live camera is open
export const drawing = signal(false); // terrain is being drawn on the photo
export const working = signal(false);
const shownFile = signal<{ url: string; of: string } | null>(null);
export const own = computed(() => (shownFile.value?.of === gameId.value ? shownFile.value?.url : undefined)); // the photo on its way, as this device has it

let lastFile: File | null = null;
const fileIs = signal(false);
export const mayResend = computed(() => fileIs.value && failed.value !== null);
const unplaced = signal(false); // the table could not be placed in the last photo
export const mayName = computed(() => mayResend.value && unplaced.value);
export const mayNameEarly = computed(() => fileIs.value && underway.value !== null);
export const naming = signal<File | null>(null); // the photo in which corners are being named
export const nameCorners = (): void => {
  naming.value = lastFile;
};

// The opened further questions, then the first questions.
const opened = signal<ReadonlySet<string>>(new Set());
const further = computed<QuestionOut[]>(() => look.value?.further.filter(({ id }) => !skipped.value.has(id)) ?? []);
export const folded = computed<QuestionOut[]>(() => further.value.filter(({ id }) => !opened.value.has(id)));
export const questions = computed<QuestionOut[]>(() => [
  ...further.value.filter(({ id }) => opened.value.has(id)),
  ...(look.value?.questions.filter(({ id }) => !skipped.value.has(id)) ?? []),
]);
// Questions that are asked one by one although they are alike; how many groups are asked before a button offers more.
export const apart = signal<ReadonlySet<string>>(new Set());
const MOST_ASKED = 6;
const most = signal(MOST_ASKED);
const groups = computed(() => grouped(questions.value, apart.value));
export const asked = computed(() => groups.value.slice(0, most.value));
export const moreLeft = computed(() => groups.value.slice(most.value).flat().length);
export const askMore = (): void => {
  most.value = MOST_ASKED;
};
export const question = computed<QuestionOut[]>(() => asked.value[0] ?? []);
export const marks = computed<Mark[]>(() => (tab.value === "doubts" && !taking.value && !outOfStep.value ? marksOf(question.value, look.value?.outlines ?? []) : []));
export const proposals = computed<ProposalOut[]>(() => look.value?.proposals.filter(({ id }) => !left.value.has(id)) ?? []);
export const certain = computed<ProposalOut[]>(() => proposals.value.filter((one) => one.acceptable && one.mine));
export const outOfStep = computed(() => look.value?.sync.state === "out of step");
export const otherTable = computed(() => look.value?.questions.find(({ ask }) => ask === "table") ?? null); // the question whether it is used anyway
export const watching = computed(() => game.value !== null && game.value.me.acts_as.length === 0);

// The place on the table in question.
export const place = computed<[number, number] | null>(() => {
  if (look.value === null || taking.value || outOfStep.value) return null;
  if (tab.value === "doubts") return marks.value[0]?.at ?? null;
  const after = proposals.value.find(({ id }) => id === open.value)?.seen?.after;
  if (!after?.length) return null;
  const mean = (i: 0 | 1): number => after.reduce((sum, at) => sum + at[i], 0) / after.length;
  return [mean(0), mean(1)];
});

const path = (rest: string): string => `/games/${encodeURIComponent(game.value?.id ?? "")}/${rest}`;

// --- looking ------------------------------------------------------------------------------------------------------

// The comparison of the last photo with the game; nothing without a photo. After a new reading (fresh) both are
// requested at once.
export async function refresh(fresh = false): Promise<void> {
  const now = game.value;
  if (now === null) return;
  const early = fresh ? ask<LookOut>("GET", path("look")) : null;
  early?.catch(() => undefined); // reported below
  const under = await ask<PhotoGroundOut>("GET", path("photo"));
  if (game.value?.id !== now.id) return;
  ground.value = under;
  layUnder(under);
  if (under.map_url === null) {
    look.value = null;
    return;
  }
  const found = await (early ?? ask<LookOut>("GET", path("look")));
  if (game.value?.id === now.id) shown(found);
}

function shown(found: LookOut): void {
  batch(() => {
    if (found.photo !== look.value?.photo) {
      skipped.value = left.value = apart.value = opened.value = new Set();
      most.value = MOST_ASKED;
      open.value = null;
      correcting.value = false;
      tab.value = found.questions.length > 0 ? "doubts" : "moves";
    }
    look.value = found;
  });
  truth.value = null;
  if (found.overrule) void ask<TruthOut>("GET", path("look/truth")).then((told) => (truth.value = told), () => undefined);
}

// The user did not request this, so no error is shown while the server is unavailable; it is done when the server is
// back.
const refreshWhenReached = (fresh = false): Promise<boolean> =>
  guarded(() =>
    refresh(fresh).catch((error) => {
      if (!isLost(error)) throw error;
    }),
  );

effect(() => {
  const [id, , , here] = [gameId.value, gameSeq.value, tableSeq.value, pane.value === "photo"];
  if (id !== undefined && here) untracked(() => void refreshWhenReached());
});
window.addEventListener(REACHED, () => gameId.value !== undefined && pane.value === "photo" && void refreshWhenReached());

// --- a photo on its way -------------------------------------------------------------------------------------------

const AWAY_MS = 2500;
const jobKey = (): string => `tabletop-photo-${game.value?.id ?? ""}`;
const pause = (ms: number): Promise<void> => new Promise((done) => window.setTimeout(done, ms));

let latest = 0; // counts what is sent: a photo sent again with its corners named takes the place of the first

export async function send(file: File, named?: NamedWish): Promise<void> {
  const now = game.value;
  if (now === null || (underway.value !== null && named === undefined)) return;
  const most = host.value?.max_photo_bytes;
  if (most !== undefined && file.size > most) {
    failed.value = said.tooLarge(Math.floor(most / 1e6));
    return;
  }
  const mine = (latest += 1);
  [lastFile, fileIs.value] = [file, true];
  show(file);
  batch(() => {
    failed.value = null;
    unplaced.value = false;
    underway.value = { id: null, stage: said.sending(0), fraction: 0 };
  });
  try {
    if (ground.value === null) await refresh(); // the game's table is created by its first request
    const job = await client.photo(now.table, file, (part) => {
      if (mine !== latest) return;
      underway.value = { id: null, stage: part < 1 ? said.sending(part) : said.reading, fraction: 0.25 * part };
    }, named);
    if (mine !== latest) return;
    window.sessionStorage.setItem(jobKey(), job.id);
    await follow(job.id, now.id, mine);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (mine === latest) gaveUp(error.message);
  }
}

// Show the photo itself meanwhile, and release the one before.
function show(file: File | null): void {
  if (shownFile.value !== null) URL.revokeObjectURL(shownFile.value.url);
  shownFile.value = file && { url: URL.createObjectURL(file), of: gameId.value ?? "" };
}

export const showNothing = (): void => show(null); // the browser can't show the photo's format, such as HEIC

export const resend = (): void => {
  if (lastFile !== null) void send(lastFile);
};

function gaveUp(why: string, notPlaced = false): void {
  show(null);
  window.sessionStorage.removeItem(jobKey());
  batch(() => {
    unplaced.value = notPlaced;
    underway.value = null;
    failed.value = why;
  });
}

// Poll a photo until it is on its table, even across sleep and a lost network.
async function follow(id: string, of: string, mine = (latest += 1)): Promise<void> {
  const still = (): boolean => game.value?.id === of && mine === latest;
  underway.value = { id, stage: said.waiting, fraction: 0.25 };
  while (still()) {
    let job: JobOut;
    try {
      job = await client.job(id);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!still()) return;
      if (error.status === 404) return gaveUp(said.forgotten);
      if (error.status !== 0 && error.status < 500) return gaveUp(error.message);
      underway.value = { id, stage: said.lost, fraction: underway.value?.fraction ?? 0.25 };
      await pause(AWAY_MS);
      continue;
    }
    if (!still()) return;
    if (job.state === "failed") return gaveUp(job.detail, job.unplaced);
    if (job.state === "done") break;
    const stage = job.state === "working" ? (text.stages[job.stage] ?? said.reading) : said.behind(job.ahead);
    underway.value = { id, stage, fraction: 0.25 + 0.75 * job.fraction };
    await pause(document.hidden ? AWAY_MS : job.ask_ms);
  }
  if (!still()) return;
  window.sessionStorage.removeItem(jobKey());
  await refreshWhenReached(true);
  show(null);
  batch(() => {
    underway.value = null;
    taking.value = false;
    [lastFile, fileIs.value] = [null, false];
  });
}

// Continue to follow a photo that was on its way when the page was reloaded.
effect(() => {
  const [id] = [gameId.value, gameSeq.value];
  untracked(() => {
    batch(() => {
      if (look.value !== null || ground.value !== null) forget();
      taking.value = false;
    });
    const kept = id === undefined ? null : window.sessionStorage.getItem(jobKey());
    if (id === undefined || kept === null || underway.value !== null) return;
    pane.value = "photo";
    void follow(kept, id);
  });
});

function forget(): void {
  look.value = ground.value = truth.value = failed.value = underway.value = null;
}

// --- doubts -------------------------------------------------------------------------------------------------------

export const skip = (group: QuestionOut[]): void => {
  skipped.value = new Set([...skipped.value, ...group.map(({ id }) => id)]);
  most.value -= 1;
};
// Ask a further question now.
export const unfold = (id: string): void => {
  opened.value = new Set([...opened.value, id]);
  apart.value = new Set([...apart.value, id]);
  most.value += 1;
};
export const askApart = (group: QuestionOut[]): void => {
  apart.value = new Set([...apart.value, ...group.map(({ id }) => id)]);
};

// Change an answer or a base of the photo; returns whether it was done.
export const change = (method: "POST" | "PATCH" | "DELETE", rest: string, body?: object): Promise<boolean> =>
  busily(async () => shown(await ask<LookOut>(method, path(`look/${rest}`), body)));

let together = { seq: 0, count: 1 }; // answers given together, and the table's event after them

// One answer to questions that are alike; a question that an earlier answer settled is skipped.
export const answer = (group: QuestionOut[], value: QuestionOut["answers"][number]["value"], wholly = true): Promise<boolean> =>
  busily(async () => {
    let count = 0;
    for (const { id } of group) {
      if (count > 0 && !look.value?.questions.some((one) => one.id === id)) continue;
      shown(await ask<LookOut>("POST", path("look/answers"), { question: id, value }));
      together = { seq: look.value?.table_seq ?? 0, count: ++count };
    }
    if (wholly) most.value -= 1;
  });

export const takeBack = (): Promise<boolean> =>
  busily(async () => {
    const count = look.value?.table_seq === together.seq ? together.count : 1;
    for (let i = 0; i < count; i += 1) shown(await ask<LookOut>("DELETE", path("look/last")));
    most.value += 1;
  });

// One thing at a time: a second tap while the first is under way is ignored. Returns whether it was done.
async function busily(job: () => Promise<void>): Promise<boolean> {
  if (working.value) return false;
  working.value = true;
  try {
    const done = await guarded(job);
    if (!done) await refreshWhenReached();
    return done;
  } finally {
    working.value = false;
  }
}

// --- moves --------------------------------------------------------------------------------------------------------

export const leave = (id: string): void => {
  left.value = new Set([...left.value, id]);
  open.value = null;
};

const MOST_LINES = 3;
const told = (done: DoneOut): void => {
  ours(done);
  const lines = done.events.map((one) => one.text).filter(Boolean);
  const more = lines.length - MOST_LINES;
  say({ kind: "info", title: lines.length > 0 ? said.done : said.nothingDone, lines: [...lines.slice(0, MOST_LINES), ...(more > 0 ? [said.more(more)] : [])] });
  open.value = null;
};

// An unanswered wish keeps its id, so that it counts once however often it is sent.
async function once(rest: string, wish: object): Promise<void> {
  const whole = { ...wish, id: newId(), after: look.value?.seq ?? 0 };
  for (let tries = 0; ; tries += 1) {
    try {
      told(await ask<DoneOut>("POST", path(rest), whole));
      break;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 0 || tries > 2) throw error;
      await pause(600 * (tries + 1));
    }
  }
  await refreshWhenReached();
}

export const accept = (wish: Partial<AcceptWish>): Promise<boolean> => busily(() => once("look/accept", wish));
// Carry out every certain change; show the table if none remains.
export async function acceptCertain(): Promise<void> {
  const done = await accept({ chosen: certain.value.map(({ id }) => id) });
  if (done && questions.value.length + proposals.value.length === 0 && pane.value === "photo") pane.value = "turn";
}
export const correctAll = (rows: CorrectionOut[]): Promise<boolean> =>
  busily(async () => {
    await once("look/truth", { chosen: rows.map(({ id }) => id) });
    correcting.value = false;
  });
export const correctionOf = (one: ProposalOut): CorrectionOut | null =>
  (isReferee.value && truth.value?.corrections.find((row) => row.unit === one.unit && row.action !== "")) || null;

// The dice of an action that answers a question; they are asked for first.
export const diceOf = async (action: Record<string, unknown>): Promise<Dice> => (await judge({ action })).dice;
export { photoDice };

// --- dropping -----------------------------------------------------------------------------------------------------

// Discard the photo's results, for all phones.
export const dropPhoto = (): Promise<boolean> =>
  busily(async () => {
    await ask("DELETE", path(`photos/${look.value?.photo ?? ""}`));
    await refresh();
  });
export const dropDie = (id: string): Promise<boolean> => change("DELETE", `dice/${encodeURIComponent(id)}`);
