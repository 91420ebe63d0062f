import type { JSX } from "preact";
import { HOUSES, Pattern, RISES } from "../Patterns";

// The marks of kinds of ground that only games with a board have: told apart without their colours.
export const GamePatterns = (): JSX.Element => (
  <svg class="unseen" aria-hidden="true">
    <defs>
      <Pattern kind="poor-going" tint="#7c6a2a" size={14}>
        <path d="M1 4h4M8 4h4M4 11h4M11 11h3M0 11h1" />
      </Pattern>
      <Pattern kind="crest" tint="#8a6a2e" size={18}>
        {RISES}
      </Pattern>
      <Pattern kind="wooded-crest" tint="#3c5f26" size={22}>
        <path d="M5 1.5 2 7h6zM5 7v3M11 19q4-7 8 0" />
      </Pattern>
      <Pattern kind="farm" tint="#7a4a3a" size={20}>
        {HOUSES}
      </Pattern>
    </defs>
  </svg>
);
