// The questions of a photo in groups: similar ones together, with a letter for each place.

import type { Point } from "../../geometry";
import type { QuestionOut, SeenBaseOut } from "../../schema";
import { words } from "../../words";

export interface Mark {
  letter: string; // empty where there is only one
  at: Point;
  id: string; // the base, or what the question is about
}

const TOGETHER = ["there", "presence", "kind", "side", "whose", "unit", "unique"]; // kinds of questions that can share an answer
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SAME_IN = 0.08; // places in sentences are rounded

const alike = (one: QuestionOut, other: QuestionOut): boolean => {
  const values = ({ answers }: QuestionOut): string => answers.map(({ value }) => String(value)).sort().join();
  return one.ask === other.ask && TOGETHER.includes(one.ask) && (one.ask === "unique" || values(one) === values(other));
};

// Questions in their order, each with the similar ones after it; those of `apart` alone.
export function grouped(all: QuestionOut[], apart: ReadonlySet<string>): QuestionOut[][] {
  const groups: QuestionOut[][] = [];
  for (const one of all) {
    const group = apart.has(one.id) ? undefined : groups.find(([first]) => first !== undefined && !apart.has(first.id) && alike(first, one));
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups;
}

// The places of questions on the table: the bases of one, one place for each of several.
export function marksOf(group: QuestionOut[], bases: SeenBaseOut[]): Mark[] {
  const [only] = group;
  if (only === undefined) return [];
  const covered = group.length > 1 && only.ask !== "unique" ? [] : group.flatMap(({ covers }) => covers.flat());
  const own = bases.filter(({ id }) => covered.includes(id)).sort((a, b) => covered.indexOf(a.id) - covered.indexOf(b.id));
  const places = own.length > 0 ? own : group.flatMap(({ about, center }) => (center === null ? [] : [{ id: about, center }]));
  return places.map(({ id, center }, i) => ({ letter: places.length > 1 ? (LETTERS[i] ?? String(i + 1)) : "", at: center, id }));
}

// A sentence that names lettered places by their letters.
export const lettered = (text: string, marks: Mark[]): string =>
  text.replace(/\((-?\d+\.\d+), (-?\d+\.\d+)\)/g, (said, x: string, y: string) => {
    const near = marks.find(({ at }) => Math.abs(at[0] - Number(x)) < SAME_IN && Math.abs(at[1] - Number(y)) < SAME_IN);
    return near?.letter || said;
  });

// The question and the answers of a group, in words.
export function saysOf(group: QuestionOut[], marks: Mark[]): string {
  const [first] = group as [QuestionOut];
  if (group.length === 1) return lettered(first.says, marks);
  const names = first.ask === "presence" ? group.map(({ about }, i) => words.photo.named(about, marks[i]?.letter ?? "")) : marks.map(({ letter }) => letter);
  return words.photo.together[first.ask]?.(names) ?? words.photo.alike(names, first.says);
}

export const answerSays = (group: QuestionOut[], value: unknown, says: string, marks: Mark[]): string =>
  group.length === 1 ? lettered(says, marks) : (words.photo.all[`${group[0]?.ask} ${value}`] ?? words.photo.each(says));
