// What is being done on the game screen: an action from its words to its dice, and what came of the last one.

import { batch, computed, effect, signal } from "@preact/signals";
import { Refusal } from "./client";
import {
  choose, command, game, isReferee, judge, note, options, photoDice, REACHED, resend, sending, undo, unitId, unsent,
} from "./game";
import type { Ghost, Photo, Tapped } from "./gameboard";
import { between, forward, type Place, type Point } from "./geometry";
import type { Verdict } from "./map";
import type { DoneOut, JudgedOut, OptionOut, PieceOut } from "./schema";
import { guarded, say } from "./store";
import { words } from "./words";
import { barePoints, isCell, namesUnits, placeIn, pointsIn, spotIn, toggled, wayIn, withoutBlankCounts, withPlace, withPoint, withWay } from "./wording";

export interface Draft {
  words: string;
  option: OptionOut | null; // where the words come from
}

export interface Result {
  texts: string[];
  words: string;
  seq: number; // the last event that it led to
}

export const draft = signal<Draft | null>(null);
export const judged = signal<JudgedOut | null>(null);
export const doubt = signal<string | null>(null); // why the words are not understood
const judgedWords = signal(""); // what was judged last
export const dice = signal<number[]>([]);
export const seenDice = signal<number[]>([]); // what the last photo shows
export const result = signal<Result | null>(null);
export const reason = signal("");
export const photo = signal<Photo | null>(null); // the table's photo laid flat, where there is one
export const pane = signal("turn"); // which sheet is open, besides a unit, a draft and a result

export const need = computed(() => judged.value?.dice.count ?? 0);
export const faces = computed(() => [...new Set(judged.value?.dice.faces ?? [])].sort((a, b) => a - b));
export const verdict = computed<Verdict | null>(() => {
  const found = judged.value;
  return found === null ? null : found.legal ? "yes" : found.open ? "too-close" : "no";
});
export const isJudged = computed(() => draft.value?.words.trim() === judgedWords.value && (judged.value ?? doubt.value) !== null);
export const form = computed<string>(() => {
  const verb = draft.value?.words.trim().split(/\s+/)[0]?.toLowerCase() ?? "";
  return options.value?.forms[verb] ?? "";
});
export const spot = computed(() => (draft.value === null ? null : spotIn(draft.value.words)));
// Points that the action names without a unit that is put there: where something fell, from where to where.
export const points = computed<(Point | null)[] | null>(() => {
  const bare = barePoints(form.value);
  if (draft.value === null || bare === null) return null;
  const said = pointsIn(draft.value.words);
  return said.length || draft.value.words.trim().includes(" ") ? said : pointsIn(bare);
});
export const wantsPoints = computed(() => (points.value?.length ?? 0) > 0);
export const wantsPlace = computed(() => draft.value !== null && !wantsPoints.value && placeIn(draft.value.words));

// --- an action, filled in and judged ---------------------------------------------------------------------------------

export const verdictOf = (option: OptionOut): Verdict => (option.legal ? "yes" : option.open ? "too-close" : "no");

export function take(option: OptionOut): void {
  batch(() => {
    result.value = null;
    reason.value = "";
    dice.value = [];
    judged.value = doubt.value = null;
    const how = options.value?.forms[option.text.split(" ")[0]?.toLowerCase() ?? ""] ?? "";
    draft.value = { words: withoutBlankCounts(option.text, how), option };
  });
  if (wantsPlace.value && spotIn(option.text) === null) beginAt(option);
  judgeSoon(0);
}

export function takeWords(said: string): void {
  take({ ...NOTHING, text: said, kind: said.split(" ")[0] ?? "" });
}

const NOTHING: Omit<OptionOut, "text" | "kind"> = {
  side: "", unit: null, target: null, legal: true, open: false, mine: true, limits: {}, violations: [], advice: "", odds: null,
};

export function drop(): void {
  batch(() => {
    draft.value = judged.value = null;
    doubt.value = null;
    dice.value = [];
    reason.value = "";
  });
}

export function reword(said: string): void {
  if (draft.value === null || said === draft.value.words) return;
  batch(() => {
    draft.value = { words: said, option: draft.value?.option ?? null };
    dice.value = [];
  });
  judgeSoon();
}

const JUDGE_MS = 130;
let timer = 0;
let asked = 0;

export function judgeSoon(wait = JUDGE_MS): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void judgeNow(), wait);
}

async function judgeNow(): Promise<void> {
  const said = draft.value?.words.trim() ?? "";
  const mine = ++asked;
  if (said === "" || (wantsPoints.value && (points.value ?? []).includes(null))) {
    judged.value = doubt.value = null;
    return;
  }
  try {
    const found = await judge(said);
    if (mine !== asked || draft.value === null) return;
    batch(() => {
      judged.value = found;
      judgedWords.value = said;
      doubt.value = null;
    });
    if (found.dice.count > 0) void lookForDice();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (mine !== asked || draft.value === null) return;
    batch(() => {
      judged.value = null;
      judgedWords.value = said;
      doubt.value = error.message;
    });
  }
}

// Another device did something: what was judged may not hold any more.
effect(() => {
  const seq = game.value?.seq;
  if (seq !== undefined && judged.peek() !== null && judged.peek()?.seq !== seq) judgeSoon();
});

async function lookForDice(): Promise<void> {
  if (photo.value === null) return;
  const found = await photoDice();
  const known = faces.value;
  seenDice.value = found.length === need.value && found.every((face) => known.includes(face)) ? found : [];
}

export function addDie(face: number): void {
  if (dice.value.length < need.value) dice.value = [...dice.value, face];
}

// --- places and cells, by touch ---------------------------------------------------------------------------------------

const piecesOf = (unit: string | null): PieceOut[] => {
  const all = game.value?.board.pieces.filter((piece) => piece.unit === unit) ?? [];
  return [...all].sort((a, b) => Number(b.unique) - Number(a.unique));
};

let middle: () => Point = () => [0, 0];
export const middleIs = (found: () => Point): void => {
  middle = found;
};

// Where a unit stands now; one that is not on the table begins in its zone, facing the far edge from there.
function beginAt(option: OptionOut): void {
  const board = game.value?.board;
  const lead = piecesOf(option.unit)[0];
  if (board === undefined) return;
  if (lead) return moveTo({ center: lead.center, facing: lead.facing ?? 0 });
  const zone = board.zones.find((one) => one.kind === "deployment" && one.holder === option.side);
  const xs = zone?.outline.map(([x]) => x) ?? [];
  const ys = zone?.outline.map(([, y]) => y) ?? [];
  const center: Point = zone ? [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2] : middle();
  moveTo({ center, facing: center[1] > board.depth / 2 ? 180 : 0 });
}

export function moveTo(place: Place): void {
  if (draft.value !== null) reword(withPlace(draft.value.words, place));
}

// A point of the action: the one that is asked for, else the one that is nearest.
export function pointAt(at: Point): void {
  const all = points.value ?? [];
  const blank = all.indexOf(null);
  const far = (index: number): number => between(all[index] ?? at, at);
  setPoint(blank >= 0 ? blank : all.reduce((best, _, i) => (far(i) < far(best) ? i : best), 0), at);
}

export function setPoint(index: number, to: Point): void {
  const said = draft.value?.words ?? "";
  const words = pointsIn(said).length ? said : barePoints(form.value);
  if (words !== null) reword(withPoint(words, index, to));
}

export function cornerHere(): void {
  const now = spot.value;
  if (draft.value !== null && now !== null) reword(withWay(draft.value.words, [...wayIn(draft.value.words), now.center]));
}
export const straight = (): void => {
  if (draft.value !== null) reword(withWay(draft.value.words, []));
};

// The pieces of the draft's unit, carried along with its first one: from where they stand, or from where the server put them.
export const ghost = computed<Ghost | null>(() => {
  const [now, unit] = [spot.value, draft.value?.option?.unit ?? judged.value?.pieces[0]?.unit ?? null];
  if (now === null || draft.value === null) return null;
  const standing = piecesOf(unit);
  const put = (judged.value?.pieces ?? []).filter((piece) => piece.unit === unit);
  const from = standing.length ? standing : [...put].sort((a, b) => Number(b.unique) - Number(a.unique));
  const pieces = from.length ? carried(from, now) : [];
  return { pieces, verdict: verdict.value, way: wayIn(draft.value.words) };
});

// How far the middle of the first base goes, where it stands on the table already.
export const goes = computed<number | null>(() => {
  const [now, lead] = [ghost.value, piecesOf(draft.value?.option?.unit ?? null)[0]];
  const to = now?.pieces[0];
  if (!now || !to || !lead) return null;
  const way = [lead.center, ...now.way, to.center];
  return way.slice(1).reduce((sum, point, i) => sum + between(way[i] as Point, point), 0);
});

function carried(pieces: PieceOut[], to: Place): PieceOut[] {
  const lead = pieces[0] as PieceOut;
  const by = to.facing - (lead.facing ?? 0);
  const [sin, cos] = forward(by);
  const put = ([x, y]: Point): Point => {
    const [dx, dy] = [x - lead.center[0], y - lead.center[1]];
    return [to.center[0] + dx * cos + dy * sin, to.center[1] - dx * sin + dy * cos];
  };
  return pieces.map((piece) => ({
    ...piece,
    center: put(piece.center),
    outline: piece.outline.map(put),
    facing: piece.facing === null ? null : (piece.facing + by + 360) % 360,
  }));
}

// What may be done to which cells and units: by the unit that was picked, or instead of the action that is being said.
export const targets = computed<Map<string, Verdict>>(() => {
  const found = new Map<string, Verdict>();
  const origin = draft.value?.option;
  for (const option of options.value?.options ?? []) {
    if (option.target === null || !(option.mine || isReferee.value) || (!option.legal && !option.open)) continue;
    const wanted = draft.value === null ? unitId.value !== null && option.unit === unitId.value : origin != null && sameKind(option, origin);
    if (!wanted || found.get(option.target) === "yes") continue;
    found.set(option.target, verdictOf(option));
  }
  if (judged.value) for (const id of tokensOf(judged.value.words)) if (found.has(id)) found.set(id, verdict.value ?? "no");
  return found;
});

const sameKind = (a: OptionOut, b: OptionOut): boolean => a.kind === b.kind && a.unit === b.unit;
const tokensOf = (said: string): string[] => said.split(/[\s,:]+/);

const optionAt = (id: string): OptionOut | undefined => {
  const origin = draft.value?.option;
  const wanted = (option: OptionOut): boolean =>
    option.target === id && (origin != null ? sameKind(option, origin) : option.unit === unitId.value && unitId.value !== null);
  const all = (options.value?.options ?? []).filter((option) => wanted(option) && option.mine);
  return all.find((option) => option.legal) ?? all.find((option) => option.open);
};

// A finger on the board, while nothing else takes it.
export function tap({ piece, cell, at }: Tapped): void {
  if (draft.value !== null) return tapForDraft(piece, cell?.id ?? null, at);
  const aimed = [piece?.unit, piece === null ? cell?.id : undefined].flatMap((id) => (id == null ? [] : [optionAt(id)]))[0];
  if (aimed) return take(aimed);
  pick(piece?.unit ?? (cell === null ? null : unitAt(cell.id)));
}

export function pick(unit: string | null): void {
  result.value = null;
  choose(unit);
}

const unitAt = (cell: string): string | null => game.value?.board.units.find((unit) => unit.place === cell)?.id ?? null;

function tapForDraft(piece: PieceOut | null, cell: string | null, at: Point): void {
  const now = draft.value as Draft;
  if (wantsPoints.value) return pointAt(at);
  if (wantsPlace.value) return moveTo({ center: at, facing: spot.value?.facing ?? 0 });
  const unit = piece?.unit ?? null;
  const thing = unit !== null && (cell === null || unit === cell || namesUnits(now.words, unit)) ? unit : cell;
  if (thing === null) return;
  const other = [thing, cell].flatMap((id) => (id === null ? [] : [optionAt(id)])).find((option) => option !== undefined);
  if (other && other.text !== now.words && now.option?.text === now.words) return take(other);
  reword(toggled(now.words, thing, isCell(thing, game.value?.board ?? null) ? "cell" : "unit", knownIn(now.words)));
}

const knownIn = (said: string): { cells: string[]; units: string[] } => {
  const board = game.value?.board;
  const cells = new Set(board?.cells.map(({ id }) => id));
  const units = new Set(board?.units.map(({ id }) => id).filter((id) => !cells.has(id)));
  const all = said.split(/\s+/);
  return {
    cells: all.filter((word) => cells.has(word)),
    units: all.filter((word) => units.has(word.split(":")[0] ?? "")),
  };
};

// --- doing it -------------------------------------------------------------------------------------------------------

export type How = { dice?: number[]; roll?: boolean; measured?: boolean; overrule?: boolean };

export async function doIt(how: How = {}): Promise<void> {
  const said = draft.value?.words.trim() ?? "";
  if (sending.value || said === "") return;
  await carry(() => command({ words: said, reason: reason.value.trim(), ...how }), said);
}

// Something that needs nothing filled in and no dice is done at once; anything else is shown first.
export async function takeOrDo(option: OptionOut): Promise<void> {
  if (sending.value) return;
  take(option);
  window.clearTimeout(timer);
  await judgeNow();
  const found = judged.value;
  if (draft.value?.words === option.text && found?.legal && found.mine && found.dice.count === 0) await doIt();
}

export const takeBack = (why = ""): Promise<void> => carry(() => undo(why), words.game.undone);

async function carry(job: () => Promise<DoneOut | null>, said: string): Promise<void> {
  if (sending.value) return;
  const sent = draft.value;
  try {
    const done = await job();
    if (done === null) return;
    batch(() => {
      if (draft.value === sent) drop(); // else the next action was begun before the answer came
      result.value = { texts: done.events.map((event) => event.text).filter(Boolean), words: said, seq: done.seq };
      const chosen = unitId.value;
      if (chosen !== null && !game.value?.board.units.some((unit) => unit.id === chosen)) choose(null);
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tellRefusal(error);
  }
}

function tellRefusal(error: Refusal): void {
  if (unsent.value !== null) return; // it stands on the screen until it is answered
  if (error.type === "gone-on") {
    say({ kind: "error", title: words.game.goneOn, lines: [error.message, words.game.goneOnHint] });
    judgeSoon(0);
    return;
  }
  say({ kind: "error", title: error.title, lines: error.message.split("\n") });
  judgeSoon(0);
}

export async function sendAgain(): Promise<void> {
  const said = unsent.value?.said.words ?? "";
  await carry(resend, said || words.game.undone);
}
window.addEventListener(REACHED, () => unsent.value !== null && void sendAgain());

export const caption = (text: string): Promise<boolean> =>
  guarded(async () => {
    await note(text);
    say({ kind: "info", title: words.game.kept, lines: [] });
  });
