// The tokens of one game's programs, and the newest one.

import { batch, signal } from "@preact/signals";
import { ask } from "../../client";
import type { ProgramMadeOut, ProgramOut, ProgramWish } from "../../schema";

export const programsOf = signal<ProgramOut[]>([]);
export const made = signal<ProgramMadeOut | null>(null); // its secret is known only here

const at = (id: string): string => `/games/${encodeURIComponent(id)}/tokens`;

export async function openPrograms(id: string): Promise<void> {
  batch(() => {
    programsOf.value = [];
    made.value = null;
  });
  await lookAgain(id);
}

async function lookAgain(id: string): Promise<void> {
  programsOf.value = await ask<ProgramOut[]>("GET", at(id));
}

export async function makeToken(id: string, wish: Required<ProgramWish>): Promise<void> {
  made.value = await ask<ProgramMadeOut>("POST", at(id), wish);
  await lookAgain(id);
}

export async function takeBack(id: string, token: string): Promise<void> {
  await ask("DELETE", `${at(id)}/${token}`);
  if (made.value?.id === token) made.value = null;
  await lookAgain(id);
}
