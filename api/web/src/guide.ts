// The open game's rules in short and its legend, from its ruleset: fetched once for each, and cached.

import { computed, effect, signal } from "@preact/signals";
import { ask } from "./client";
import { game } from "./game";
import type { GuideOut, Rule } from "./schema";

export const guide = signal<GuideOut | null>(null);

const rules = computed(() => game.value?.rules ?? null);
const kept = new Map<string, GuideOut>();

effect(() => {
  const name = rules.value;
  guide.value = (name === null ? undefined : kept.get(name)) ?? null;
  if (name === null || kept.has(name)) return;
  ask<GuideOut>("GET", `/rulesets/${encodeURIComponent(name)}/guide`).then(
    (found) => {
      kept.set(name, found);
      if (rules.peek() === name) guide.value = found;
    },
    () => undefined, // reasons are shown without rules; the next game tries again
  );
});

// The rule that a reason refers to: by its code, else the one at its place in the rulebook, or the nearest to it.
export function ruleOf(code: string | undefined, place: string): Rule | null {
  const all = guide.value?.rules ?? [];
  const byCode = code === undefined ? undefined : all.find(({ codes }) => codes.includes(code));
  if (byCode || place === "") return byCode ?? null;
  const near = all.filter((one) => place === one.place || place.startsWith(`${one.place},`) || place.startsWith(`${one.place};`));
  return near.sort((a, b) => b.place.length - a.place.length)[0] ?? null;
}

export const headings = computed(() => [...new Set((guide.value?.rules ?? []).map(({ heading }) => heading))]);
