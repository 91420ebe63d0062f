import type { JSX } from "preact";
import { Pattern } from "../Patterns";

// The marks of kinds of ground that only games with a board have: told apart without their colours.
export const GamePatterns = (): JSX.Element => (
  <svg class="unseen" aria-hidden="true">
    <defs>
      <Pattern kind="poor-going" tint="#7c6a2a" size={14}>
        <path d="M1 4h4M8 4h4M4 11h4M11 11h3M0 11h1" />
      </Pattern>
      <Pattern kind="crest" tint="#8a6a2e" size={18}>
        <path d="M2 8q3.5-6 7 0M10 17q3.5-6 7 0" />
      </Pattern>
      <Pattern kind="wooded-crest" tint="#3c5f26" size={22}>
        <path d="M5 1.5 2 7h6zM5 7v3M11 19q4-7 8 0" />
      </Pattern>
      <Pattern kind="farm" tint="#7a4a3a" size={20}>
        <path d="M3 10V6l3.5-3L10 6v4zM12 19v-4l3-2.5 3 2.5v4z" />
      </Pattern>
    </defs>
  </svg>
);
