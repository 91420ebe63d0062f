// Actions are words. Those that name a place or a cell are changed here by what was touched, and read for what to draw.

import type { Place, Point } from "./geometry";
import type { BoardOut } from "./schema";

const NUMBER = "-?\\d+(?:\\.\\d+)?";
const AT = new RegExp(`\\bat (?:X,Y|(${NUMBER}),(${NUMBER}))(?: facing (?:DEGREES|(${NUMBER})))?`);
const WAY = new RegExp(`\\bvia((?: ${NUMBER},${NUMBER})+)`);
const BLANK = /^(HEX|SQUARE|UNIT|PLATOON|COMPANY|TARGET|TERRAIN|KIND|SIDE|PLAYER|POINTS|CORNER|DEGREES|INCHES|LEVEL|COUNT|N|ROLE|X,Y)$/;
const CELL = /^(HEX|SQUARE)$/;

const told = (value: number): string => String(Math.round(value * 100) / 100);

export const placeIn = (words: string): boolean => AT.test(words);

// Where the words put the first base; a facing that they don't say is the one of a line that faces the far edge.
export function spotIn(words: string): Place | null {
  const found = AT.exec(words);
  if (found?.[1] === undefined || found[2] === undefined) return null;
  return { center: [Number(found[1]), Number(found[2])], facing: Number(found[3] ?? 0) };
}

export const withPlace = (words: string, { center: [x, y], facing }: Place): string =>
  words.replace(AT, `at ${told(x)},${told(y)} facing ${Math.round(facing + 360) % 360}`);

// Points that the words name, each after "at", "from" or "to"; those that are still to be said are null.
const POINT = new RegExp(`\\b(at|from|to) (?:X,Y|(${NUMBER}),(${NUMBER}))`, "g");
export const pointsIn = (words: string): (Point | null)[] =>
  [...words.matchAll(POINT)].map(([, , x, y]) => (x === undefined || y === undefined ? null : [Number(x), Number(y)]));

export function withPoint(words: string, index: number, [x, y]: Point): string {
  let n = 0;
  return words.replace(POINT, (found, before: string) => (n++ === index ? `${before} ${told(x)},${told(y)}` : found));
}

// What a form says of bare points, when they stand right behind its verb: then no unit is put there.
export const barePoints = (form: string): string | null => /^\S+(?: (?:at|from|to) X,Y)+/.exec(form)?.[0] ?? null;

export const hasBlankPoint = (words: string): boolean => words.includes("X,Y");

// What a reason tells players to say when they have looked: say "with A1" or "without A1".
export const sayableIn = (reason: string): string[] =>
  [...reason.matchAll(/\bsay ("[^"]+"(?:(?:,| or|, or) "[^"]+")*)/g)].flatMap(([, all]) => [...(all ?? "").matchAll(/"([^"]+)"/g)].map((one) => one[1] as string));

export const wayIn = (words: string): Point[] =>
  (WAY.exec(words)?.[1] ?? "").trim().split(" ").filter(Boolean).map((pair) => pair.split(",").map(Number) as Point);

export function withWay(words: string, way: Point[]): string {
  const bare = words.replace(WAY, "").replace(/\s+/g, " ").trim();
  return way.length ? `${bare} via ${way.map(([x, y]) => `${told(x)},${told(y)}`).join(" ")}` : bare;
}

// Words that a form leaves to choose between at its end, as in "fire UNIT at TARGET [hit|miss]".
export const choicesIn = (form: string): string[] => /\[([a-z-]+(?:\|[a-z-]+)+)\]$/.exec(form)?.[1]?.split("|") ?? [];

// The action with one of them said, or with none where it was said already.
export function withChoice(words: string, all: string[], one: string): string {
  const said = words.trim().split(/\s+/);
  const bare = all.includes(said.at(-1) ?? "") ? said.slice(0, -1) : said;
  return [...bare, ...(said.at(-1) === one ? [] : [one])].join(" ");
}

// Numbers and single words that a form leaves to say or not, as in "attack [men N]" and "fire UNIT at TARGET [stationary]".
const MOST_COUNTS = 2; // a form of more is a list, and is written
export function countsIn(form: string): string[] {
  const found = [...form.matchAll(/\[([a-z-]+) N\]/g)].map((one) => one[1] as string);
  return found.length > MOST_COUNTS ? [] : found;
}
// Those that words ask for by blanks, as in "army red tanks COUNT guns COUNT", where the form leaves them to say or not.
export const countsAsked = (words: string, form: string): string[] =>
  [...words.matchAll(/ ([a-z-]+) (?:COUNT|N)\b/g)].map((one) => one[1] as string).filter((name) => form.includes(`[${name} N]`));
export const withoutBlankCounts = (words: string, form: string): string =>
  words.replace(/ ([a-z-]+) (?:COUNT|N)\b/g, (said, name: string) => (form.includes(`[${name} N]`) ? "" : said));
// A title for them: what is still to be said is three dots.
export const shortened = (words: string): string => words.replace(/(?: [a-z-]+ (?:COUNT|N)\b)+/g, " …");
export const flagsIn = (form: string): string[] => [...form.matchAll(/\[([a-z-]+)\]/g)].map((one) => one[1] as string);

export const countOf = (words: string, name: string): number | null => {
  const found = new RegExp(`\\b${name} (\\d+)\\b`).exec(words)?.[1];
  return found === undefined ? null : Number(found);
};
export const hasFlag = (words: string, name: string): boolean => words.trim().split(/\s+/).slice(1).includes(name);

// The action with a number said under its name, or without it; in the order that the form has.
export function withCount(words: string, form: string, name: string, count: number | null): string {
  const bare = words.replace(new RegExp(`\\s*\\b${name} \\d+\\b`), "").trim();
  return count === null ? bare : inOrder(bare, form, `[${name} N]`, `${name} ${count}`);
}

export function withFlag(words: string, form: string, name: string): string {
  const all = words.trim().split(/\s+/);
  return hasFlag(words, name) ? all.filter((word, i) => i === 0 || word !== name).join(" ") : inOrder(words.trim(), form, `[${name}]`, name);
}

function inOrder(words: string, form: string, token: string, added: string): string {
  const after = form.slice(form.indexOf(token) + token.length);
  const later = [...after.matchAll(/\[([a-z-]+)/g)].map((one) => one[1] as string);
  const all = words.split(/\s+/);
  const at = all.findIndex((word, i) => i > 0 && later.includes(word));
  const end = at < 0 ? all.length : at;
  return [...all.slice(0, end), added, ...all.slice(end)].join(" ");
}

export const blanksIn = (words: string): string[] => words.split(" ").filter((word) => BLANK.test(word));

// Actions that a sentence quotes, as in: "stay B2" or "lay HEX TERRAIN". The mark of inches, as in 11", opens no quote.
export const quotedIn = (sentence: string): string[] =>
  [...sentence.matchAll(/(?:^|[\s(])"([^"]+)"/g)].map((found) => found[1] as string);

// Quoted ones that can be done as they stand.
export const isWhole = (words: string): boolean => !/\.\.\.|\||X,Y/.test(words) && blanksIn(words).length === 0;

export const isCell = (id: string, board: BoardOut | null): boolean => board?.cells.some((cell) => cell.id === id) ?? false;

export const namesUnits = (words: string, id: string): boolean =>
  words.includes(" at ") || blanksIn(words).some((blank) => !CELL.test(blank)) || words.split(/[\s:]/).includes(id);

// A cell or a unit that was touched: into the first blank of its sort, else taken out where it stands, else put beside the
// last one of its sort.
export function toggled(
  words: string,
  id: string,
  sort: "cell" | "unit",
  known: { cells: string[]; units: string[] },
): string {
  const all = words.split(/\s+/).filter((word) => word !== "...");
  const blank = all.findIndex((word) => (sort === "cell" ? CELL.test(word) : /^(UNIT|PLATOON|TARGET)$/.test(word)));
  if (blank >= 0) return [...all.slice(0, blank), id, ...all.slice(blank + 1)].join(" ");
  const same = sort === "cell" ? known.cells : known.units;
  const standing = all.findIndex((word) => word === id || word.startsWith(`${id}:`));
  if (standing >= 0) return same.length > 1 ? [...all.slice(0, standing), ...all.slice(standing + 1)].join(" ") : words;
  const last = same.length ? all.lastIndexOf(same.at(-1) as string) : all.length - 1;
  return [...all.slice(0, last + 1), id, ...all.slice(last + 1)].join(" ");
}

export type Facing = "corner" | "unit-corner" | null;

// How a form lets a unit face a corner: as a word of its own, or behind the unit's name.
export const facingIn = (form: string): Facing =>
  form.includes("facing CORNER") ? "corner" : form.includes(":CORNER") ? "unit-corner" : null;

export function withCorner(words: string, unit: string, how: Facing, corner: number): string {
  if (how === "corner") return `${words.replace(/\s+facing \d+/, "")} facing ${corner}`;
  return words.split(" ").map((word) => (word.split(":")[0] === unit ? `${unit}:${corner}` : word)).join(" ");
}

export function cornerIn(words: string, unit: string): number | null {
  const found = new RegExp(`facing (\\d+)|\\b${unit}:(\\d+)`).exec(words);
  return found === null ? null : Number(found[1] ?? found[2]);
}
