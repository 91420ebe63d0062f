// Lengths in the player's unit: in inches, as in the rules, or in centimetres. The server and the rules only use
// inches: sentences are converted on their way to the screen, and typed numbers on their way back.

import { options, type VNode } from "preact";
import { signal } from "@preact/signals";

export type LengthUnit = "in" | "cm";

const KEY = "tabletop-unit";
const CM = 2.54;

export const unit = signal<LengthUnit>(window.localStorage.getItem(KEY) === "cm" ? "cm" : "in");

export function setUnit(next: LengthUnit): void {
  unit.value = next;
  window.localStorage.setItem(KEY, next);
}

const perInch = (): number => (unit.value === "cm" ? CM : 1);
export const fromInches = (inches: number): number => inches * perInch();
export const toInches = (shown: number): number => shown / perInch();

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const SIGN = String.raw`(?:″| inches\b)`;
const SUM = new RegExp(`= (${NUMBER})″`, "g"); // a sum of dice, which count inches
const PART = new RegExp(`([−+]${NUMBER})″`, "g"); // of such a sum
const FIRST = String.raw`(?:(${NUMBER})( × | by | of | to | and | ± )(?=${NUMBER}${SIGN}))?`;
const SPREAD = String.raw`(?:( \(?± )(${NUMBER})(?!\.?\d|″))?`; // after a length, in the same unit
const LENGTH = new RegExp(`${FIRST}(${NUMBER})${SIGN}${SPREAD}`, "g");
const PLACE = new RegExp(String.raw`\((-?${NUMBER}), (-?${NUMBER})\)`, "g");

const cm = (inches: string): string => {
  const value = CM * Number(inches);
  return String(Number(value.toFixed(Math.abs(value) < 1 ? 2 : 1)));
};

function length(_: string, first: string | undefined, between: string, last: string, around: string, spread: string | undefined): string {
  return `${first === undefined ? "" : cm(first) + between}${cm(last)} cm${spread === undefined ? "" : around + cm(spread)}`;
}

// A sentence with its lengths, and its places on the table, in the player's unit: `tabletop/units.py` has the same rule.
export function inUnit(text: string): string {
  if (unit.value === "in" || !/″|inches|\(\d/.test(text)) return text;
  return text
    .replace(SUM, (_, inches: string) => `= ${inches} in (${cm(inches)} cm)`)
    .replace(PART, "$1 in")
    .replace(LENGTH, length)
    .replace(PLACE, (_, x: string, y: string) => `(${cm(x)}, ${cm(y)})`)
    .replace(/(are )inches\b/, "$1centimetres")
    .replace(/, inches$/, ", cm");
}

const READ = ["alt", "aria-label", "aria-description", "title", "placeholder", "label"];

// Every text that parts draw goes through here.
const before = options.vnode;
options.vnode = (node: VNode): void => {
  if (typeof node.type === "string") {
    const props = node.props as Record<string, unknown>;
    for (const name of READ) if (typeof props[name] === "string") props[name] = inUnit(props[name] as string);
    const { children } = props;
    if (typeof children === "string") props["children"] = inUnit(children);
    else if (Array.isArray(children)) props["children"] = children.map((one: unknown) => (typeof one === "string" ? inUnit(one) : one));
  }
  before?.(node);
};
