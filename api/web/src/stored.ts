// Tables that were stored without a game and the demonstration open as games that only measure; table files, by their
// rules.

import { signal } from "@preact/signals";
import { ask, isLost, newId, Refusal } from "./client";
import { enter, seated } from "./device";
import type { BegunOut, JobOut, TableBrief } from "./schema";
import { go } from "./screens";
import { busy, guarded, host, say } from "./shell";
import { text } from "./words/shared";

export const tables = signal<TableBrief[] | null>(null);

export async function lookForTables(): Promise<void> {
  tables.value = await ask<TableBrief[]>("GET", "/tables");
}

export const lookAround = (): Promise<boolean> =>
  guarded(async () => {
    await enter();
    if (seated.value) await lookForTables();
  });

// Make a game from a stored table, with everything on it; repeated, it is the same game.
async function opened(table: string, replace = false): Promise<void> {
  const begun = await ask<BegunOut>("POST", `/tables/${encodeURIComponent(table)}/game`);
  await enter();
  go({ name: "game", id: begun.id }, replace);
}

export function openTable(table: string, replace = false): Promise<boolean> {
  say(null);
  return guarded(() => opened(table, replace));
}

const NAMES_RULES = /^\s*rules\s*=/m;

// A game by the rules that the file names.
export async function openTableFile(file: File): Promise<void> {
  const most = host.value?.max_table_bytes;
  if (most !== undefined && file.size > most) {
    say({ kind: "error", title: text.failed, lines: [text.tooLarge(Math.floor(most / 1e6))] });
    return;
  }
  say(null);
  await guarded(async () => {
    const wish = { table_file: await file.text(), table_name: file.name };
    const begin = (more: { rules?: string }): Promise<BegunOut> => ask<BegunOut>("POST", "/games", { ...wish, ...more, id: newId() });
    const begun = await begin({}).catch((error) => {
      if (!(error instanceof Refusal) || error.status !== 422 || NAMES_RULES.test(wish.table_file)) throw error;
      return begin({ rules: "measure" }); // it names no rules, and doesn't fit the default ones
    });
    await enter();
    go({ name: "game", id: begun.id });
  });
}

const MOST_LOST = 20;
const pause = (ms: number): Promise<void> => new Promise((done) => window.setTimeout(done, ms));

// Follow a photo until it is on its table. A phone that lost the network for a moment asks again.
async function followed(job: JobOut): Promise<JobOut> {
  let lost = 0;
  for (let now = job; ; ) {
    if (now.state === "failed") throw new Refusal(text.failed, now.detail, 422);
    if (now.state === "done") return now;
    const stage = now.state === "working" ? (text.stages[now.stage] ?? text.reading) : text.reading;
    busy.value = { stage, fraction: now.fraction };
    await pause(now.ask_ms);
    try {
      now = await ask<JobOut>("GET", `/jobs/${job.id}`);
      lost = 0;
    } catch (error) {
      if (!isLost(error) || ++lost > MOST_LOST) throw error;
    }
  }
}

export async function demo(): Promise<void> {
  if (busy.value) return;
  say(null);
  busy.value = { stage: text.reading, fraction: 0 };
  await guarded(async () => opened((await followed(await ask<JobOut>("POST", "/demo"))).table));
  busy.value = null;
}
