// The form of a table from nothing: two sides and their units, with defaults for each kind. It is stored on this device
// until a game has started from it.

import { computed, effect, signal } from "@preact/signals";
import type { FormWish, Standard, UnitWish } from "../../schema";
import { storedJson } from "../../storage";
import { start as say } from "../../words/start";


export interface FormSide {
  id: string;
  rim: string;
  painted: boolean;
}
// A number that is left out has its kind's default; null is empty.
export interface FormUnit {
  key: number;
  id: string;
  side: number;
  kind: string;
  shape: NonNullable<UnitWish["shape"]>;
  bases?: number | null | undefined;
  width?: number | null | undefined;
  depth?: number | null | undefined;
}
export interface Form {
  width: number | null;
  depth: number | null;
  sides: [FormSide, FormSide];
  units: FormUnit[];
  markers: boolean;
  tags: boolean;
}

const empty = (): Form => ({
  width: 48,
  depth: 48,
  sides: [
    { id: say.sideNames[0] ?? "", rim: "#2456c8", painted: true },
    { id: say.sideNames[1] ?? "", rim: "#b3261e", painted: true },
  ],
  units: [],
  markers: true,
  tags: true,
});

const KEY = "tabletop-form";
export const form = signal<Form>({ ...empty(), ...storedJson<Partial<Form>>(KEY) });
export const kinds = signal<Standard[]>([]);
export const openUnit = signal<number | null>(null); // the unit with open fields

effect(() => window.localStorage.setItem(KEY, JSON.stringify(form.value)));

export const names = computed(() => form.value.sides.map(({ id }) => id));
export const kindOf = (kind: string): Standard | undefined => kinds.value.find((one) => one.kind === kind);
export const usual = (unit: FormUnit): { bases: number | null; width: number | null; depth: number | null } => {
  const kind = kindOf(unit.kind);
  const or = (own: number | null | undefined, value: number | undefined): number | null => (own === undefined ? (value ?? null) : own);
  return { bases: or(unit.bases, kind?.bases), width: or(unit.width, kind?.width_in), depth: or(unit.depth, kind?.depth_in) };
};

export const change = (part: Partial<Form>): void => {
  form.value = { ...form.value, ...part };
};

export function changeSide(n: number, part: Partial<FormSide>): void {
  const [one, other] = form.value.sides;
  change({ sides: n === 0 ? [{ ...one, ...part }, other] : [one, { ...other, ...part }] });
}

export const changeUnit = (key: number, part: Partial<FormUnit>): void =>
  change({ units: form.value.units.map((unit) => (unit.key === key ? { ...unit, ...part } : unit)) });

const nextKey = (): number => Math.max(0, ...form.value.units.map(({ key }) => key)) + 1;

// A name that no unit has: the letter of the similar unit, with the next number.
function freeName(like: string): string {
  const stem = like.replace(/\d+$/, "");
  const taken = new Set(form.value.units.map(({ id }) => id));
  for (let n = 1; ; n += 1) if (!taken.has(`${stem}${n}`)) return `${stem}${n}`;
}

export function addUnit(side: number, kind: string): void {
  const letter = (form.value.sides[side]?.id.trim()[0] ?? "U").toUpperCase();
  const other = (form.value.sides[1 - side]?.id.trim()[0] ?? "").toUpperCase();
  const stem = letter === other ? `${letter}${side + 1}-` : letter;
  change({ units: [...form.value.units, { key: nextKey(), id: freeName(stem), side, kind, shape: "rect" }] });
}

export function copyUnit(unit: FormUnit): void {
  const at = form.value.units.findIndex(({ key }) => key === unit.key) + 1;
  const twin = { ...unit, key: nextKey(), id: freeName(unit.id) };
  change({ units: [...form.value.units.slice(0, at), twin, ...form.value.units.slice(at)] });
}

export const removeUnit = (key: number): void => change({ units: form.value.units.filter((unit) => unit.key !== key) });

export const clearForm = (): void => {
  form.value = empty();
};

// --- for the server ---------------------------------------------------------------------------------------------------

export const formWish = computed<FormWish>(() => {
  const { width, depth, sides, units, markers, tags } = form.value;
  return {
    width_in: width ?? 0,
    depth_in: depth ?? 0,
    sides: sides.map(({ id, rim, painted }) => ({ id, rim: painted ? rim : null })),
    units: units.map((unit) => ({
      id: unit.id,
      side: sides[unit.side]?.id ?? "",
      kind: unit.kind,
      shape: unit.shape,
      bases: unit.bases ?? null,
      width_in: unit.width ?? null,
      depth_in: unit.shape === "round" ? null : (unit.depth ?? null),
    })),
    markers,
    tags,
  };
});

// Number fields that are empty, by the server's names of fields.
export const formFaults = computed<Record<string, string[]>>(() => {
  const { width, depth, units } = form.value;
  const without: [string, unknown][] = [["form.width_in", width], ["form.depth_in", depth]];
  units.forEach((unit, n) => {
    const at = `form.units.${n}`;
    const whole = unit.bases === undefined || Number.isInteger(unit.bases) ? 0 : null;
    without.push([`${at}.bases`, whole], [`${at}.width_in`, unit.width]);
    if (unit.shape !== "round") without.push([`${at}.depth_in`, unit.depth]);
  });
  return Object.fromEntries(without.filter(([, value]) => value === null).map(([where]) => [where, [say.number]]));
});
