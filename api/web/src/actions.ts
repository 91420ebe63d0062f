// A typed action while it is filled in: the values of its fields, the possible ones, and what a touch fills in. The
// server defines the fields of an action; nothing here knows a game.

import type { Place, Point } from "./geometry";
import type { Domain, FormOut, OptionOut } from "./schema";

export type Value = string | number | boolean | null | Value[] | { [name: string]: Value };
export interface Action {
  kind: string;
  [field: string]: Value;
}
export type Path = (string | number)[];

// One value of an action, or the empty place for one: a field, or a part of a row of a field that has rows.
export interface Slot {
  path: Path;
  title: string;
  domain: Domain;
  asked: boolean; // required, or the option asks for it
  needed: boolean; // nothing is judged without it
  value: Value | undefined;
}

export type Sort = "cell" | "unit" | "unit-or-base" | "thing" | "ground";
export interface Spot {
  x: number;
  y: number;
  facing?: number;
}

const isEmpty = (value: Value | undefined): value is undefined | null | "" =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

export function slotsOf(action: Action, form: FormOut | undefined, option: OptionOut | null): Slot[] {
  const narrowed = option?.kind === action.kind ? option.fields : {};
  return (form?.fields ?? []).flatMap((field) => {
    const domain = narrowed[field.name] ?? field;
    const asked = field.name in narrowed || !field.optional;
    const value = action[field.name];
    const needed = asked && (!field.optional || TOUCHED.includes(domain.type));
    const whole: Slot = { path: [field.name], title: field.title, domain, asked, needed, value };
    return domain.type === "rows" && !isCount(domain) ? [whole, ...partsOf(whole)] : [whole];
  });
}

const TOUCHED = ["unit", "unit-or-base", "cell", "point", "place", "rows", "ring", "top", "ground", "thing"]; // an option that asks for one of these means nothing without

// Rows of a choice and a number, as an army: each choice has its number.
export const isCount = (domain: Domain): boolean => {
  const parts = Object.values(domain.parts ?? {});
  return domain.type === "rows" && parts.length === 2 && parts[0]?.type === "choice" && parts[1]?.type === "number";
};

function partsOf({ path, domain: rows, asked, needed, value }: Slot): Slot[] {
  const all = !rows.many ? [value ?? []] : Array.isArray(value) && value.length > 0 ? value : asked ? [emptyRow(rows)] : [];
  return all.flatMap((row, n) =>
    Object.entries(rows.parts ?? {}).map(([name, domain], i) => {
      const key = rows.keyed ? name : i;
      const at = rows.many ? [...path, n, key] : [...path, key];
      const own = (row as Record<string | number, Value>)[key];
      return { path: at, title: name, domain, asked: asked && !domain.optional, needed: needed && !domain.optional, value: own };
    }),
  );
}

const emptyRow = (domain: Domain): Value => (domain.keyed ? {} : []);

// The action with a value at a path; undefined removes it.
export function withValue(action: Action, path: Path, value: Value | undefined): Action {
  return put(action, path, value) as Action;
}

function put(into: Value, path: Path, value: Value | undefined): Value {
  const [key, ...rest] = path;
  if (typeof key === "number") {
    const list: Value[] = Array.isArray(into) ? [...into] : [];
    while (list.length < key) list.push(null);
    list[key] = rest.length ? put(list[key] ?? (typeof rest[0] === "number" ? [] : {}), rest, value) : (value ?? null);
    return list;
  }
  const { [key as string]: old, ...others } = into as Record<string, Value>;
  if (rest.length) return { ...others, [key as string]: put(old ?? [], rest, value) };
  return value === undefined ? others : { ...(into as Record<string, Value>), [key as string]: value };
}

// An option's action, with the parts of its open rows that leave no choice.
export function begun(option: OptionOut): Action {
  return Object.entries(option.fields).reduce((action, [name, domain]) => {
    const parts = Object.entries(domain.parts ?? {});
    if (domain.type !== "rows" || isCount(domain) || name in action) return action;
    return parts.reduce((done, [part, { choices }], i) => {
      const only = choices?.length === 1 ? choices[0]?.value : undefined;
      const path = [name, ...(domain.many ? [0] : []), domain.keyed ? part : i];
      return only === undefined ? done : withValue(done, path, only);
    }, action);
  }, option.action as Action);
}

// The action as it is sent: each row of a list has a place for each of its parts.
export function whole(action: Action, slots: Slot[]): Action {
  return slots.reduce((done, { path, domain, value }) => {
    if (domain.type !== "rows" || !domain.many || domain.keyed || !Array.isArray(value)) return done;
    const parts = Object.keys(domain.parts ?? {});
    return withValue(done, path, value.map((row) => parts.map((_, i) => (row as Value[])[i] ?? null)));
  }, action);
}

export const missing = (slots: Slot[]): Slot[] => slots.filter((slot) => slot.needed && slot.domain.type !== "rows" && (isEmpty(slot.value) || isShort(slot)) && !isSaid(slot));

// Whether an action lacks everything of which the form requires at least one.
export const saysNothing = (action: Action, form: FormOut | undefined): boolean =>
  form !== undefined && form.needs_one_of.length > 0 && form.needs_one_of.every((name) => isEmpty(action[name]));

const isShort = ({ domain, value }: Slot): boolean => (isClosed(domain) || domain.type === "point") && Array.isArray(value) && value.length < (domain.least ?? 0);

// A field that is null was set to nothing; in a row it is only not set yet.
const isSaid = ({ path, value }: Slot): boolean => path.length === 1 && value === null;

// --- cells and units, by touch -----------------------------------------------------------------------------------------

export const wants = (slots: Slot[], sort: Sort): boolean => slots.some((slot) => slot.domain.type === sort);

// Fill in a cell or a unit that was touched: in the first empty place of its sort that is asked for; if it is named
// already, remove it; otherwise add it where several are possible, or replace the last one.
export function touched(action: Action, slots: Slot[], id: string, sort: Sort): Action {
  const same = slots.filter((slot) => slot.domain.type === sort);
  const blank = same.find((slot) => slot.asked && isEmpty(slot.value));
  if (blank) return withValue(action, blank.path, blank.domain.many ? [id] : id);
  const holding = same.find((slot) => slot.domain.many && (slot.value as Value[] | undefined)?.includes(id));
  if (holding) {
    const rest = (holding.value as Value[]).filter((one) => one !== id);
    return rest.length >= Math.max(holding.domain.least ?? 1, holding.asked ? 1 : 0) ? withValue(action, holding.path, rest.length ? rest : undefined) : action;
  }
  const rows = slots.find((slot) => slot.domain.type === "rows" && Object.values(slot.domain.parts ?? {})[0]?.type === sort);
  if (rows) return inRows(action, rows, id);
  const list = same.find((slot) => slot.domain.many && room(slot));
  if (list) return withValue(action, list.path, [...((list.value as Value[] | undefined) ?? []), id]);
  const last = same.filter((slot) => !slot.domain.many).at(-1);
  return last ? withValue(action, last.path, id) : action;
}

const room = ({ domain, value }: Slot): boolean => domain.most == null || ((value as Value[] | undefined)?.length ?? 0) < domain.most;

function inRows(action: Action, rows: Slot, id: string): Action {
  const all = (rows.value as Value[] | undefined) ?? [];
  const key = rows.domain.keyed ? (Object.keys(rows.domain.parts ?? {})[0] as string) : 0;
  const at = all.findIndex((row) => (row as Record<string | number, Value>)[key] === id);
  if (at >= 0) return all.length > 1 ? withValue(action, rows.path, all.filter((_, n) => n !== at)) : action;
  return room(rows) ? withValue(action, [...rows.path, all.length, key], id) : action;
}

// Everything that an action names.
export const namesIn = (value: Value | undefined): string[] =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.flatMap(namesIn) : value !== null && typeof value === "object" ? Object.values(value).flatMap(namesIn) : [];

// --- places and points --------------------------------------------------------------------------------------------------

const rounded = (value: number): number => Math.round(value * 100) / 100;

export const placeSlot = (slots: Slot[]): Slot | undefined => slots.find((slot) => slot.domain.type === "place" && (slot.asked || isSpot(slot.value) || isSpread(slot.value)));

// A place of each base, as a hint has it.
export const isSpread = (value: Value | undefined): boolean => Array.isArray(value) && value.length > 0 && value.every(isSpot);

const isSpot = (value: Value | undefined): boolean => typeof value === "object" && value !== null && !Array.isArray(value) && "x" in value;

// The place of the first base; without a facing, that of a line that faces the far edge.
export function placeAt(slot: Slot | undefined): Place | null {
  if (slot === undefined || !isSpot(slot.value)) return null;
  const { x, y, facing } = slot.value as unknown as Spot;
  return { center: [x, y], facing: facing ?? 0 };
}

export const placeValue = ({ center: [x, y], facing }: Place): Value => ({ x: rounded(x), y: rounded(y), facing: Math.round(facing + 360) % 360 });

// An outline, or a line of points that is asked for: tapped on the table one after another.
export const outlineSlot = (slots: Slot[]): Slot | undefined =>
  placeSlot(slots) === undefined ? slots.find(({ asked, domain }) => asked && (isClosed(domain) || (domain.type === "point" && domain.many))) : undefined;
export const isClosed = ({ type }: Domain): boolean => type === "ring" || type === "top";
export const groundSlot = (slots: Slot[]): Slot | undefined => slots.find(({ domain }) => domain.type === "ground");
export const unitSlot = (slots: Slot[]): Slot | undefined => slots.find(({ domain }) => domain.type === "unit-or-base");
export const topSlot = (slots: Slot[]): Slot | undefined => slots.find(({ domain }) => domain.type === "top");

// Anything that can be measured, by where it was touched.
export const thingAt = (unit: string | null, [x, y]: Point): string => unit ?? `${rounded(x)},${rounded(y)}`;

export const pointSlots = (slots: Slot[]): Slot[] => slots.filter((slot) => slot.domain.type === "point" && !slot.domain.many && slot.asked);
export const waySlot = (slots: Slot[]): Slot | undefined => slots.find((slot) => slot.domain.type === "point" && slot.domain.many);
export const pointIn = (slot: Slot): Point | null => (Array.isArray(slot.value) && slot.value.length === 2 ? (slot.value as Point) : null);
export const pointValue = ([x, y]: Point): Value => [rounded(x), rounded(y)];
export const cornerValue = (at: Point): Value => at.map((inches) => Math.round(inches * 1e4) / 1e4); // precise enough that a turned rectangle stays one
export const wayIn = (slot: Slot | undefined): Point[] => (Array.isArray(slot?.value) ? (slot.value as Point[]) : []);

// --- numbers of choices, as in an army ----------------------------------------------------------------------------------

export const countIn = (slot: Slot, choice: Value): number =>
  ((slot.value as [Value, number][] | undefined) ?? []).find(([one]) => one === choice)?.[1] ?? 0;

export function withCount(action: Action, slot: Slot, choice: Value, count: number): Action {
  const order = (Object.values(slot.domain.parts ?? {})[0]?.choices ?? []).map(({ value }) => value as Value);
  const all = new Map(((slot.value as [Value, number][] | undefined) ?? []).map(([one, n]) => [one, n]));
  all.set(choice, count);
  const rows = order.filter((one) => (all.get(one) ?? 0) > 0).map((one) => [one, all.get(one) as number]);
  return withValue(action, slot.path, rows.length ? rows : undefined);
}
