// Sides that computers play: what one wants done on the table, the players' answer, and who plays.

import { computed, effect, signal } from "@preact/signals";
import { type Action, namesIn, type Value } from "./actions";
import type { Ghost } from "./boardview";
import { ask, newId } from "./client";
import { due, game, gameId, gameSeq, heard, options, sending, shownVersion, unitId } from "./game";
import type { Point } from "./geometry";
import { draft, result } from "./play";
import type { ComputerWish, DoneOut, OptionOut, WantedOut } from "./schema";
import { guarded } from "./shell";

const at = (id: string): string => `/games/${encodeURIComponent(id)}`;

const found = signal<WantedOut | null>(null); // the last answer
export const thinking = signal(false);
export const computers = computed(() => game.value?.computers ?? {});
const anyComputer = computed(() => Object.keys(computers.value).length > 0 && game.value?.outcome === null);

// What a computer wants in the game's present state.
export const wanted = computed<WantedOut | null>(() => (anyComputer.value && found.value?.seq === gameSeq.value ? found.value : null));

// The pieces at their new places, while no other action is being entered.
export const wantedGhost = computed<Ghost | null>(() => {
  const pieces = wanted.value?.pieces ?? [];
  const [first, rest] = [pieces.filter(({ unique }) => unique), pieces.filter(({ unique }) => !unique)];
  return pieces.length > 0 && draft.value === null ? { pieces: [...first, ...rest], verdict: "yes", way: [], fixed: true } : null;
});

// The subject of its action, while its card is open: the unit or group that acts, the cells and other sides' units that
// it names, its points, and all places of these and of the pieces it moves. A single acting unit is `unit`; for a group
// that names none of its units it is the leader, as in the options.
interface About {
  unit: string | null;
  group: string[];
  marked: string[];
  points: Point[];
  places: Point[];
}

export const wantedAbout = computed<About | null>(() => {
  const [now, board] = [wanted.value, game.value?.board];
  if (now?.action == null || board === undefined || draft.value !== null || unitId.value !== null) return null;
  const names = new Set(named(now.action as Action));
  const option = options.value?.options.find(({ action, unit }) => unit !== null && action.kind === now.action?.kind && named(action as Action).every((name) => names.has(name)));
  const own = board.pieces.filter(({ side, unit, id }) => side === now.side && names.has(unit ?? id)).map(({ unit, id }) => unit ?? id);
  const group = [...new Set(own)];
  const unit = now.unit ?? (group.length > 1 ? null : (group[0] ?? option?.unit ?? null));
  for (const name of [unit, option?.target]) if (name != null) names.add(name);
  const pieces = board.pieces.filter((piece) => names.has(piece.unit ?? piece.id));
  const cells = board.cells.filter(({ id }) => names.has(id));
  const others = pieces.filter(({ side }) => side !== now.side).map((piece) => piece.unit ?? piece.id);
  const points = Object.values(now.action).filter(isPoint);
  const places = [...points, ...[...pieces, ...now.pieces, ...cells].map(({ center }) => center)];
  return { unit, group: unit === null ? group : [], marked: [...others, ...cells.map(({ id }) => id)], points, places };
});

const isPoint = (value: unknown): value is Point => Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number");
const named = ({ kind: _, ...said }: Action): string[] => namesIn(said as Value);

let asked = 0;

effect(() => {
  const [id, seq, any] = [gameId.value, gameSeq.value, anyComputer.value];
  const mine = ++asked;
  thinking.value = false;
  if (id === undefined || seq === undefined || !any) return;
  thinking.value = true;
  void ask<WantedOut | null>("GET", `${at(id)}/computer`)
    .catch(() => null) // the stream shows whether the server is unavailable
    .then((answer) => {
      if (mine !== asked) return;
      found.value = answer;
      thinking.value = false;
    });
});

// The only legal action, with nothing to choose in it.
export const onlyOne = computed<OptionOut | null>(() => {
  const [one, ...others] = due.value;
  return one !== undefined && others.length === 0 && one.legal && Object.keys(one.fields).length === 0 ? one : null;
});

export type Said = Pick<ComputerWish, "says"> & Partial<Pick<ComputerWish, "dice" | "roll">>;

export async function answer(said: Said): Promise<void> {
  const now = game.value;
  if (now === null || sending.value) return;
  sending.value = true;
  const told = guarded(async () => {
    const wish = { id: newId(), after: now.seq, screen: shownVersion(), roll: false, ...said } satisfies ComputerWish;
    const done = await ask<DoneOut>("POST", `${at(now.id)}/computer`, wish);
    heard(done);
    result.value = said.says === "impossible" ? null : { texts: done.events.map(({ text }) => text).filter(Boolean), words: "", seq: done.seq };
  });
  await told.finally(() => (sending.value = false));
}
