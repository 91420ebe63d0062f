// The paper in this player's printer: guessed by the language's country, and remembered.

import { signal } from "@preact/signals";
import type { JSX } from "preact";

export type Paper = "letter" | "a4";
const KEY = "tabletop-paper";
const LETTER = /-(US|CA|MX|PH|CL|CO|VE)\b/;

const kept = window.localStorage.getItem(KEY);
export const paper = signal<Paper>(kept === "letter" || kept === "a4" ? kept : LETTER.test(navigator.language) ? "letter" : "a4");
export const printsOf = signal<string | null>(null); // the game that the player came from

function choose(next: Paper): void {
  paper.value = next;
  window.localStorage.setItem(KEY, next);
}

export const PaperChips = ({ label, names }: { label: string; names: Record<Paper, string> }): JSX.Element => (
  <div class="chips" role="group" aria-label={label}>
    {(["a4", "letter"] as const).map((one) => (
      <button key={one} class="chip" type="button" aria-pressed={paper.value === one} data-test={`paper-${one}`} onClick={() => choose(one)}>
        {names[one]}
      </button>
    ))}
  </div>
);
