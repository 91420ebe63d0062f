// JSON Patch (RFC 6902), as far as the server writes it: add, remove and replace.

import type { PatchOut } from "./schema";

type Json = Record<string, unknown> | unknown[];

// The value with the changes applied. Unchanged parts are the same objects as before.
export const patched = <T>(value: T, changes: PatchOut[]): T =>
  changes.reduce<unknown>((done, change) => at(done, keys(change.path), change), value) as T;

const keys = (path: string): string[] =>
  path.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

function at(into: unknown, [key, ...rest]: string[], change: PatchOut): unknown {
  if (key === undefined) return change.value;
  const copy: Json = Array.isArray(into) ? [...(into as unknown[])] : { ...(into as Record<string, unknown>) };
  if (Array.isArray(copy)) inList(copy, Number(key), rest, change);
  else if (rest.length === 0 && change.op === "remove") delete copy[key];
  else copy[key] = at(copy[key], rest, change);
  return copy;
}

function inList(list: unknown[], place: number, rest: string[], change: PatchOut): void {
  if (rest.length > 0 || change.op === "replace") list[place] = at(list[place], rest, change);
  else if (change.op === "add") list.splice(place, 0, change.value);
  else list.splice(place, 1);
}
