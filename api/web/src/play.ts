// The current action of the game screen, from its fields to its dice, and the result of the last one.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import {
  type Action, begun as actionOf, cornerValue, groundSlot, isClosed, isSpread, missing, namesIn, outlineSlot, type Path, placeAt, placeSlot, placeValue, pointIn, pointSlots, pointValue, saysNothing, type Slot, slotsOf, thingAt, topSlot, touched, unitSlot, type Value, wants,
  wayIn, waySlot, whole, withValue,
} from "./actions";
import { isLost, REACHED, Refusal } from "./client";
import {
  type About, actsFor, askHint, choose, command, forms, game, gone, hint, isReferee, judge, nearest, note, options, photoDice, possible, redo, resend, sending, sideName, tableSeq, undo, unitId, unsent,
} from "./game";
import type { Ghost, Photo, Tapped } from "./boardview";
import { between, forward, type Place, type Point } from "./geometry";
import type { Verdict } from "./map";
import { asRect, beginOutlining, corner, cornerAt, isStray, onTable, type Outlined, touchedGround, withoutLast, withPoint } from "./terrain/outlines";
import { cornersOf, rectOf, rectTo } from "./terrain/rectangles";
import type { DoneOut, FormOut, JudgedOut, OptionOut, BoardPiece, PhotoGroundOut, Violation } from "./schema";
import { guarded, say } from "./shell";
import { words } from "./words";

export interface Draft {
  begun: number; // which draft it is, however it is changed
  action: Action | null; // null while typed words are not understood yet
  option: OptionOut | null; // its origin
  words: string | null; // as typed by hand, else null
  changed?: boolean; // by hand, since the option was taken
}

export interface Result {
  texts: string[];
  words: string;
  seq: number; // its last event
}

export const draft = signal<Draft | null>(null);
export const judged = signal<JudgedOut | null>(null);
export const doubt = signal<string | null>(null); // why the words are not understood
const judgedDraft = signal<Draft | null>(null); // the last draft that was judged
export const dice = signal<number[]>([]);
export const seenDice = signal<number[]>([]); // the dice in the last photo
export const result = signal<Result | null>(null);
effect(() => {
  if (result.value !== null && gone.value.has(result.value.seq)) result.value = null; // it is no longer valid
});
let headline = ""; // of the game after the result
effect(() => {
  const [told, now] = [result.value, game.value];
  if (told === null || now === null) return;
  if (now.seq <= told.seq) headline = now.turn.headline;
  else if (now.turn.headline !== headline) result.value = null; // others have played on since
});
export const reason = signal("");
export const photo = signal<Photo | null>(null); // the table's rectified photo, if any
export const layUnder = (found: PhotoGroundOut | null): void => {
  photo.value = found?.map_url && found.map_bounds ? { url: found.map_url, bounds: found.map_bounds } : null;
};
export const pane = signal("turn"); // which sheet is open, besides a unit, a draft and a result

export const need = computed(() => judged.value?.dice.count ?? 0);
export const allFaces = computed(() => [...(judged.value?.dice.faces ?? [])].sort((a, b) => a - b)); // of one die
export const faces = computed(() => [...new Set(allFaces.value)]);
export const verdict = computed<Verdict | null>(() => {
  const found = judged.value;
  return found === null ? null : found.legal ? "yes" : found.open ? "too-close" : "no";
});
export const isJudged = computed(() => draft.value !== null && draft.value === judgedDraft.value && (judged.value ?? doubt.value) !== null);
export const form = computed<FormOut | undefined>(() => forms.value[draft.value?.action?.kind ?? ""]);
export const slots = computed<Slot[]>(() => (draft.value?.action ? slotsOf(draft.value.action, form.value, draft.value.option) : []));
export const open = computed<Slot[]>(() => missing(slots.value));
export const unsaid = computed(() => draft.value?.action != null && saysNothing(draft.value.action, form.value));
export const spot = computed<Place | null>(() => {
  const slot = placeSlot(slots.value);
  const lead = isSpread(slot?.value) ? judged.value?.pieces.find(({ unique }) => unique) : undefined;
  return placeAt(slot) ?? (lead === undefined ? null : { center: lead.center, facing: lead.facing ?? 0 });
});
export const wantsPlace = computed(() => placeSlot(slots.value) !== undefined);
// The draft that places a unit, however it is changed.
export const placing = computed(() => (draft.value?.option && wantsPlace.value ? draft.value.begun : null));
// Whether that moves a unit from its place, within the limit of its dice.
export const moving = computed(() => placing.value !== null && draft.value?.option?.limits["total_in"] !== undefined);
// Points that the action names: where something fell, or from where to where.
export const points = computed<(Point | null)[]>(() => (outlineSlot(slots.value) ? wayIn(outlineSlot(slots.value)) : pointSlots(slots.value).map(pointIn)));
export const wantsOutline = computed<"ring" | "line" | null>(() => {
  const slot = outlineSlot(slots.value);
  return slot === undefined ? null : isClosed(slot.domain) ? "ring" : "line";
});
// The outline that is drawn or changed by its corners, and the hill's top that moves with it.
export const outlined = computed<Outlined | null>(() => {
  const slot = outlineSlot(slots.value);
  if (slot === undefined) return null;
  const points = wayIn(slot);
  const closed = isClosed(slot.domain);
  const lying = groundSlot(slots.value)?.value;
  const piece = game.value?.board.ground.find(({ id }) => id === lying);
  const top = slot.domain.type === "ring" ? topSlot(slots.value) : undefined;
  const carried = top === undefined ? null : wayIn(top).length ? wayIn(top) : (piece?.hill_top ?? null);
  return { points, closed, rect: closed && asRect.value ? rectOf(points) : null, carried, lying: slot.domain.type !== "top" && piece ? piece.id : null };
});
export const wantsPoints = computed(() => wantsOutline.value !== null || points.value.length > 0);
export const way = computed<Point[]>(() => wayIn(waySlot(slots.value)));

// --- an action, filled in and judged ---------------------------------------------------------------------------------

export const verdictOf = (option: OptionOut): Verdict => (option.legal ? "yes" : option.open ? "too-close" : "no");

// Take an option, with the values that were entered before it was set aside.
export function take(option: OptionOut): void {
  if (toGoOn.value?.draft.option?.text === option.text) return goOn();
  begin({ action: actionOf(option), option, words: null });
  beginOutline();
  if (wantsPlace.value && spot.value === null) beginAt(option);
  judgeSoon(0);
}

// Start to change the outline of a piece on the table from its present one.
function beginOutline(): void {
  const [slot, lying] = [outlineSlot(slots.value), groundSlot(slots.value)?.value];
  const known = game.value?.board.ground.find(({ id }) => id === lying);
  if (slot?.domain.type === "ring" && known) fill(slot.path, known.outline.map(cornerValue));
  if (draft.value) draft.value = { ...draft.value, changed: false };
  beginOutlining(outlined.value?.points ?? []);
}

export function takeAction(action: Action): void {
  begin({ action, option: null, words: null });
  judgeSoon(0);
}

// Carry out a hint: a unit that rolls first is then put at the place of the next hint.
export function takeHint(action: Action): void {
  takeAction(action);
  hinted = namesIn(action as Value).find((id) => game.value?.board.units.some((unit) => unit.id === id)) ?? null;
}
let hinted: string | null = null; // the unit

async function putAsHinted(rolled: OptionOut): Promise<void> {
  await askHint();
  const [found, now] = [hint.value, game.value];
  const next = found !== null && found.seq === now?.seq ? (found.action as Action | null) : null;
  if (draft.value !== null) return; // another action was begun meanwhile
  if (next?.kind === rolled.kind && namesIn(next as Value).includes(rolled.unit ?? "")) takeAction(next);
  else take(rolled);
}

export const typeWords = (): void => begin({ action: null, option: null, words: "" });

let drafts = 0;

function begin(next: Omit<Draft, "begun">): void {
  batch(() => {
    result.value = null;
    reason.value = "";
    dice.value = [];
    judged.value = doubt.value = null;
    draft.value = { ...next, begun: ++drafts };
    hinted = null;
  });
}

export function drop(): void {
  batch(() => {
    draft.value = judged.value = null;
    doubt.value = null;
    dice.value = [];
    reason.value = "";
  });
}

// --- set aside ----------------------------------------------------------------------------------------------------------

// Unfinished input.
export interface Entered {
  game: string;
  draft: Draft;
  dice: number[];
  reason: string;
  unit: string | null;
}

export const aside = signal<Entered | null>(null);
// The action that was set aside in this game, while no other is being entered.
export const toGoOn = computed(() => (draft.value === null && aside.value?.game === game.value?.id ? aside.value : null));

// The current action, if anything was entered that is worth keeping.
export const entered = computed<Entered | null>(() => {
  const [now, id] = [draft.value, game.value?.id];
  if (now === null || id === undefined || now.words === "") return null;
  const touched = now.changed === true || now.words !== null || dice.value.length > 0 || reason.value !== "";
  return touched ? { game: id, draft: now, dice: dice.value, reason: reason.value, unit: unitId.value } : null;
});

// Close the current action: it can be continued later.
export function setAside(): void {
  const now = entered.value;
  batch(() => {
    if (now !== null) aside.value = now;
    drop();
  });
}

export function goOn(): void {
  const now = aside.value;
  if (now === null) return;
  const { option } = now.draft;
  const same = options.value?.options.find((one) => one.text === option?.text) ?? option;
  batch(() => {
    aside.value = null;
    if (now.unit !== null && game.value?.board.units.some(({ id }) => id === now.unit)) choose(now.unit);
    begin({ ...now.draft, option: same });
    dice.value = now.dice;
    reason.value = now.reason;
  });
  judgeSoon(0);
}

export const throwAway = (): void => {
  aside.value = null;
};

// --- changed by hand --------------------------------------------------------------------------------------------------

// Change the action by hand: its fields, or its words.
function change(next: Partial<Draft>): void {
  if (draft.value === null) return;
  batch(() => {
    draft.value = { ...(draft.value as Draft), ...next };
    dice.value = [];
  });
  judgeSoon();
}

export function reword(words: string): void {
  const kind = words.trim().toLowerCase();
  const bare = forms.value[kind] !== undefined; // a verb alone: its fields are shown
  change({ words, changed: true, ...(bare ? { action: { kind } } : {}) });
}
export const refill = (action: Action): void => change({ action, words: null, changed: true });

export function fill(path: Path, value: Value | undefined): void {
  if (draft.value?.action) refill(withValue(draft.value.action, path, value));
}

const JUDGE_MS = 130;
let timer = 0;
let asked = 0;

export function judgeSoon(wait = JUDGE_MS): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void judgeNow(), wait);
}

async function judgeNow(): Promise<void> {
  const sent = draft.value;
  const mine = ++asked;
  const bare = sent?.words == null || sent.words.trim().toLowerCase() === sent.action?.kind;
  if (sending.value) return; // the answer judges the action under way
  const nothing = sent === null || sent.words?.trim() === "" || (bare && (open.value.length > 0 || unsaid.value));
  if (nothing) {
    judged.value = doubt.value = null;
    return;
  }
  try {
    const found = await judge(wishOf(sent));
    if (mine !== asked || draft.value !== sent) return;
    batch(() => {
      judged.value = found;
      if (sent.words !== null) draft.value = { ...draft.value as Draft, action: found.action as Action };
      judgedDraft.value = draft.value;
      doubt.value = null;
    });
    if (found.dice.count > 0) void lookForDice();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (mine !== asked || draft.value !== sent) return;
    batch(() => {
      judged.value = null;
      judgedDraft.value = draft.value;
      doubt.value = error.message;
    });
  }
}

const wishOf = ({ action, words }: Draft): { action: Action } | { words: string } =>
  words === null && action !== null ? { action: whole(action, slots.value) } : { words: (words ?? "").trim() };

// Another phone did something: a judgement, or one on its way, may no longer be valid.
effect(() => {
  const seq = game.value?.seq;
  if (options.value !== null && seq !== undefined && draft.peek() !== null && judged.peek()?.seq !== seq) judgeSoon();
});

// The table's photo was dropped, a die on it, or another one was taken.
effect(() => {
  if (tableSeq.value > 0 && untracked(() => need.value > 0)) void lookForDice();
});

async function lookForDice(): Promise<void> {
  const found = photo.peek() === null ? [] : await photoDice();
  const known = faces.value;
  seenDice.value = found.length === need.value && found.every((face) => known.includes(face)) ? found : [];
}

export function addDie(face: number): void {
  if (dice.value.length < need.value) dice.value = [...dice.value, face];
}

// --- places and cells, by touch ---------------------------------------------------------------------------------------

const piecesOf = (unit: string | null): BoardPiece[] => {
  const all = game.value?.board.pieces.filter((piece) => piece.unit === unit) ?? [];
  return [...all].sort((a, b) => Number(b.unique) - Number(a.unique));
};

let middle: () => Point = () => [0, 0];
export const middleIs = (found: () => Point): void => {
  middle = found;
};

// Start at a unit's present place; one that is not on the table starts in its zone, facing the far edge from there.
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

// The bases of the action's unit, where it can be about one of them alone.
export const mates = computed<BoardPiece[]>(() => {
  const named = unitSlot(slots.value)?.value;
  const all = game.value?.board.pieces ?? [];
  const unit = all.find(({ id }) => id === named)?.unit ?? named;
  return all.filter((piece) => piece.unit === unit);
});
export const oneBase = computed<BoardPiece | null>(() => mates.value.find(({ id, unit }) => id !== unit && id === unitSlot(slots.value)?.value) ?? null);

// The whole unit or one of its bases, from its present place.
export function chooseBase(id: string): void {
  const [slot, place, action] = [unitSlot(slots.value), placeSlot(slots.value), draft.value?.action];
  if (slot === undefined || !action) return;
  const next = withValue(action, slot.path, id);
  const lead = mates.value.find((piece) => piece.id === id) ?? piecesOf(id)[0];
  refill(place && lead ? withValue(next, place.path, placeValue({ center: lead.center, facing: lead.facing ?? 0 })) : next);
}

export function moveTo(place: Place): void {
  const slot = placeSlot(slots.value);
  if (slot !== undefined) fill(slot.path, placeValue(place));
}

// A point of the action: the requested one, else the nearest one.
export function pointAt(at: Point, pxPerInch: number): void {
  if (outlined.value !== null) return outlineAt(at, pxPerInch);
  const all = points.value;
  const blank = all.indexOf(null);
  const far = (index: number): number => between(all[index] ?? at, at);
  setPoint(blank >= 0 ? blank : all.reduce((best, _, i) => (far(i) < far(best) ? i : best), 0), at);
}

export function setPoint(index: number, to: Point): void {
  const slot = pointSlots(slots.value)[index];
  if (slot !== undefined) fill(slot.path, pointValue(to));
}

// --- outlines, by touch -----------------------------------------------------------------------------------------------

// A touch while an outline is drawn: its next corner, or a new one of an existing piece.
function outlineAt(at: Point, pxPerInch: number): void {
  const [now, board] = [outlined.value, game.value?.board];
  if (now === null || board === undefined || isStray(at, board)) return;
  const from = asRect.value || now.lying !== null && now.closed ? null : (now.points.at(-1) ?? null);
  setOutline(withPoint(now, cornerAt(at, board, now, pxPerInch, from)));
}

export function addPoint(at: Point): void {
  if (outlined.value !== null) setOutline(withPoint(outlined.value, at));
}

export function setOutline(points: Point[], carried: Point[] | null = null): void {
  const [slot, top] = [outlineSlot(slots.value), topSlot(slots.value)];
  const action = draft.value?.action;
  if (slot === undefined || !action) return;
  const next = withValue(action, slot.path, points.length ? points.map(cornerValue) : undefined);
  refill(carried === null || top === undefined ? next : withValue(next, top.path, carried.map(cornerValue)));
  if (points.length !== wayIn(slot).length) corner.value = null;
}

export function placeCorner(index: number, to: Point): void {
  const [now, board] = [outlined.value, game.value?.board];
  if (now === null || board === undefined) return;
  const at = onTable(to, board);
  const opposite = now.points[(index + 2) % 4] as Point;
  setOutline(now.rect ? cornersOf(rectTo(now.rect, opposite, at)) : now.points.map((old, i) => (i === index ? at : old)));
}

export function dropPoint(index: number): void {
  if (outlined.value !== null) setOutline(outlined.value.points.filter((_, i) => i !== index));
}

export function dropLastPoint(): void {
  if (outlined.value !== null) setOutline(withoutLast(outlined.value));
}

const stopped = signal<{ at: Draft; why: Violation[] } | null>(null);
// The reasons why a unit can't go farther, while it is at that place.
export const stoppedBy = computed<Violation[]>(() => (stopped.value !== null && stopped.value.at === draft.value ? stopped.value.why : []));
export const seeking = signal(false);

// Whether a refused place can be fixed by a shorter move: the unit is on the table.
export const mayGoLess = computed(() => verdict.value === "no" && wantsPlace.value && draft.value?.option != null && piecesOf(draft.value.option.unit).length > 0);

// Put the unit at the legal place nearest to the refused one.
export async function goLess(): Promise<void> {
  const [now, wanted, slot] = [draft.value, spot.value, placeSlot(slots.value)];
  if (seeking.value || now?.action == null || wanted === null || slot === undefined) return;
  const action = withValue(now.action, slot.path, placeValue(wanted));
  seeking.value = true;
  await guarded(async () => {
    const { at, violations } = await nearest({ action: whole(action, slots.value) });
    if (draft.value !== now) return;
    if (at !== null) moveTo({ center: at, facing: wanted.facing });
    else say({ kind: "info", title: words.game.noneNearer, lines: violations.map(({ text }) => text) });
    stopped.value = at !== null ? { at: draft.value, why: violations } : null;
  });
  seeking.value = false;
}

export function cornerHere(): void {
  const [slot, now] = [waySlot(slots.value), spot.value];
  if (slot !== undefined && now !== null) fill(slot.path, [...way.value.map(pointValue), pointValue(now.center)]);
}
export function straight(): void {
  const slot = waySlot(slots.value);
  if (slot !== undefined) fill(slot.path, undefined);
}

// The pieces of the draft's unit, moved along with its first one: from their present places, or those from the server.
export const ghost = computed<Ghost | null>(() => {
  const [now, unit] = [spot.value, draft.value?.option?.unit ?? judged.value?.pieces[0]?.unit ?? null];
  if (now === null || draft.value === null) return null;
  const standing = oneBase.value ? [oneBase.value] : piecesOf(unit);
  const put = (judged.value?.pieces ?? []).filter((piece) => piece.unit === unit);
  const from = standing.length ? standing : [...put].sort((a, b) => Number(b.unique) - Number(a.unique));
  const pieces = from.length ? carried(from, now) : [];
  return { pieces, verdict: verdict.value, way: way.value };
});

// How far the middle of the first base moves, if it is on the table already.
export const goes = computed<number | null>(() => {
  const [now, lead] = [ghost.value, oneBase.value ?? piecesOf(draft.value?.option?.unit ?? null)[0]];
  const to = now?.pieces[0];
  if (!now || !to || !lead) return null;
  const way = [lead.center, ...now.way, to.center];
  return way.slice(1).reduce((sum, point, i) => sum + between(way[i] as Point, point), 0);
});

const STAYS_IN = 0.05; // shown as 0.0 inches
const STAYS_DEG = 1;

// Whether a unit on the table would be put where it is already.
export const staying = computed(() => {
  const [to, action, board] = [spot.value, draft.value?.action ?? null, game.value?.board];
  if (to === null || action === null || board === undefined || way.value.length > 0) return false;
  const named = [draft.value?.option?.unit ?? null, ...namesIn(action as Value)].find((id) => board.pieces.some(({ unit }) => unit === id));
  const lead = oneBase.value ?? piecesOf(named ?? null)[0];
  if (lead === undefined) return false;
  const turn = lead.facing === null ? 0 : Math.abs(((to.facing - lead.facing + 540) % 360) - 180);
  return between(lead.center, to.center) < STAYS_IN && turn < STAYS_DEG;
});

function carried(pieces: BoardPiece[], to: Place): BoardPiece[] {
  const lead = pieces[0] as BoardPiece;
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

// The legal targets among cells and units: of the picked unit, or of options in place of the current action.
export const targets = computed<Map<string, Verdict>>(() => {
  const found = new Map<string, Verdict>();
  const origin = draft.value?.option;
  for (const option of options.value?.options ?? []) {
    if (option.target === null || !(option.mine || isReferee.value) || (!option.legal && !option.open)) continue;
    const wanted = draft.value === null ? unitId.value !== null && option.unit === unitId.value : origin != null && sameKind(option, origin);
    if (!wanted || found.get(option.target) === "yes") continue;
    found.set(option.target, verdictOf(option));
  }
  if (judged.value) for (const id of namesIn(judged.value.action as Value)) if (found.has(id)) found.set(id, verdict.value ?? "no");
  return found;
});

// The expected result, in short, at each unit that can be a target.
export const targetOdds = computed<Map<string, string>>(() => {
  const found = new Map<string, string>();
  const origin = draft.value?.option;
  for (const option of options.value?.options ?? []) {
    if (option.target === null || option.odds === null || !targets.value.has(option.target)) continue;
    const wanted = draft.value === null ? option.unit === unitId.value : origin != null && sameKind(option, origin);
    if (wanted && !found.has(option.target)) found.set(option.target, words.game.shortOdds(option.odds));
  }
  return found;
});

const sameKind = (a: OptionOut, b: OptionOut): boolean => a.kind === b.kind && a.unit === b.unit;

const optionAt = (id: string): OptionOut | undefined => {
  const origin = draft.value?.option;
  const wanted = (option: OptionOut): boolean =>
    option.target === id && (origin != null ? sameKind(option, origin) : option.unit === unitId.value && unitId.value !== null);
  const all = (options.value?.options ?? []).filter((option) => wanted(option) && option.mine);
  return all.find((option) => option.legal) ?? all.find((option) => option.open);
};

// A finger on the board, while nothing else takes it.
export function tap({ piece, cell, at, pxPerInch }: Tapped): void {
  if (draft.value !== null) return tapForDraft(piece, cell?.id ?? null, at, pxPerInch);
  const aimed = [piece?.unit, piece === null ? cell?.id : undefined].flatMap((id) => (id == null ? [] : [optionAt(id)]))[0];
  if (aimed) return take(aimed);
  const changing = piece === null && cell === null ? groundOption(at, GROUND_PX / pxPerInch) : undefined;
  if (changing) return take(changing);
  pick(piece?.unit ?? (cell === null ? null : unitAt(cell.id)));
}

const GROUND_PX = 22; // how far beside a piece of terrain a touch still hits it

// An option for the touched piece of terrain that has fields to fill in.
function groundOption(at: Point, reach: number): OptionOut | undefined {
  const board = game.value?.board;
  const may = (options.value?.options ?? []).filter((one) => one.unit === null && one.mine && one.legal && Object.keys(one.fields).length > 0);
  const touched = board === undefined ? [] : touchedGround(board, at, reach);
  return touched.flatMap((id) => may.find(({ target }) => target === id) ?? [])[0];
}

export function pick(unit: string | null): void {
  result.value = null;
  choose(unit);
}

const unitAt = (cell: string): string | null => game.value?.board.units.find((unit) => unit.place === cell)?.id ?? null;

function tapForDraft(piece: BoardPiece | null, cell: string | null, at: Point, pxPerInch: number): void {
  const now = draft.value as Draft;
  if (wantsPoints.value) return pointAt(at, pxPerInch);
  if (wantsPlace.value) return moveTo({ center: at, facing: spot.value?.facing ?? 0 });
  if (now.action === null) return;
  const unit = piece?.unit ?? null;
  if (wants(slots.value, "thing")) return refill(touched(now.action, slots.value, thingAt(unit, at), "thing"));
  if (unit !== null && wants(slots.value, "unit-or-base")) return chooseBase(piece !== null && oneBase.value?.unit === unit ? piece.id : unit);
  const byUnit = unit !== null && (cell === null || wants(slots.value, "unit"));
  const thing = byUnit ? unit : cell;
  if (thing === null) return;
  const other = [thing, cell].flatMap((id) => (id === null ? [] : [optionAt(id)])).find((option) => option !== undefined);
  const untouched = now.option !== null && now.words === null && !now.changed;
  if (other && other !== now.option && untouched) return take(other);
  refill(touched(now.action, slots.value, thing, byUnit ? "unit" : "cell"));
}

// --- doing it -------------------------------------------------------------------------------------------------------

export type How = { dice?: number[]; roll?: boolean; measured?: boolean; overrule?: boolean };

export async function doIt(how: How = {}): Promise<void> {
  const now = draft.value;
  if (sending.value || now === null) return;
  const said = judged.value?.words ?? now.words ?? "";
  await carry(() => command({ ...wishOf(now), reason: reason.value.trim(), ...how }, said), said);
}

// Take an option; returns whether it is ready to be done.
async function takenWhole(option: OptionOut): Promise<boolean> {
  if (sending.value) return false;
  take(option);
  window.clearTimeout(timer);
  await judgeNow();
  const whole = Object.keys(option.fields).length === 0;
  return whole && draft.value?.option === option && !draft.value.changed && judged.value?.legal === true && judged.value.mine;
}

// Something that needs nothing filled in and no dice is done at once; anything else is shown first.
export async function takeOrDo(option: OptionOut): Promise<void> {
  if ((await takenWhole(option)) && need.value === 0) await doIt();
}

// A move that starts with its dice: they are rolled at once.
export const mayRoll = (option: OptionOut): boolean => option.legal && option.mine && option.limits["most_in"] !== undefined && Object.keys(option.fields).length === 0;
export async function rollFor(option: OptionOut): Promise<void> {
  if ((await takenWhole(option)) && need.value > 0) await doIt({ roll: true });
}

// A move with rolled dice, that waits for its place.
const isRolled = (one: OptionOut): boolean => one.mine && one.limits["total_in"] !== undefined && Object.values(one.fields).some(({ type }) => type === "place");

export const takeBack = (why = ""): Promise<void> => carry(() => undo(why), words.game.undone);
export const letBack = (): Promise<void> => carry(() => undo("", true), words.game.undone);

// Ask the other side to allow the last action to be taken back.
export async function askBack(): Promise<void> {
  const undo = game.value?.undo;
  if (undo?.ask != null) await noted(words.game.mayWe(undo.words), { asks_back: undo.ask });
}
export async function keepIt(): Promise<void> {
  const asked = game.value?.ask_back;
  if (asked) await noted(words.game.itStands(sideName(game.value?.board.sides.find(({ id }) => id !== asked.by && actsFor(id))?.id ?? null)), { keeps: asked.seq });
}
const noted = (text: string, about: About): Promise<boolean> => guarded(() => note(text, about));
export const doAgain = (): Promise<void> => carry(redo, words.game.redone);

async function carry(job: () => Promise<DoneOut | null>, said: string): Promise<void> {
  if (sending.value) return;
  const sent = draft.value;
  try {
    const done = await job();
    if (done === null) return;
    batch(() => {
      if (draft.value?.begun === sent?.begun) drop(); // otherwise the next action was begun before the answer came
      aside.value = null;
      result.value = { texts: done.events.map((event) => event.text).filter(Boolean), words: said, seq: done.seq };
      const chosen = unitId.value;
      const left = possible(options.value).some((one) => one.unit === chosen || one.target === chosen);
      if (chosen !== null && !left) choose(null); // it is gone, or has nothing left to do: show the next step
    });
    const mover = sent?.option?.unit ?? hinted;
    const rolled = options.value?.options.find((one) => one.unit !== null && one.unit === mover && isRolled(one));
    if (rolled && draft.value === null) {
      if (hinted === rolled.unit) await putAsHinted(rolled);
      else take(rolled); // its dice are rolled: now it is placed
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tellRefusal(error);
  }
}

function tellRefusal(error: Refusal): void {
  if (unsent.value !== null) return; // it stays on the screen until it is answered
  if (error.type === "gone-on") {
    say({ kind: "error", title: words.game.goneOn, lines: [error.message, words.game.goneOnHint] });
    judgeSoon(0);
    return;
  }
  say({ kind: "error", title: error.title, lines: error.message.split("\n"), lost: isLost(error) });
  judgeSoon(0);
}

export async function sendAgain(): Promise<void> {
  await carry(resend, unsent.value?.label || words.game.undone);
}
window.addEventListener(REACHED, () => {
  if (unsent.value !== null) void sendAgain();
  else if (draft.value !== null && doubt.value !== null) judgeSoon(0);
});

export const caption = (text: string, about?: About): Promise<boolean> =>
  guarded(async () => {
    await note(text, about);
    say({ kind: "info", title: words.game.kept, lines: [] });
  });
