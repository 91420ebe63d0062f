import type { JSX } from "preact";
import { HOUSES, Pattern, RISES } from "../Patterns";

// The marks of kinds of ground that only games with a board have, so that they differ without their colours.
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
      <Pattern kind="city" tint="#7a4638" size={22}>
        <path d="M2 19V8h6v11M8 12h5v7M13 19V4h5v15M2 19h17M4 11h2M4 14h2M15 7h1M15 10h1M15 13h1" />
      </Pattern>
      <Pattern kind="mountain" tint="#6b5644" size={20}>
        <path d="M1 9 5.5 1 10 9M4 4h3M10 19l4.5-8 4.5 8M13 14h3" />
      </Pattern>
      <Pattern kind="defence-line" tint="#7a5a3a" size={14}>
        <path d="M0 4h3v4h4V4h4v4h3M0 12h14" />
      </Pattern>
      <Pattern kind="airstrip" tint="#6a6f5a" size={16}>
        <path d="M8 0v4M8 7v5M8 15v1M2 0v16M14 0v16" />
      </Pattern>
      <Pattern kind="bocage" tint="#4f6b2c" size={16}>
        <path d="M0 3h16M0 11h16M4 3V0M12 11V3M4 16v-5" />
      </Pattern>
      <Pattern kind="rough" tint="#86744c" size={14}>
        <path d="M2 5 4 2l2 3M9 12l2-3 2 3M9 3h3M2 11h3" />
      </Pattern>
      <Pattern kind="unknown" tint="#8d8873" size={16}>
        <path d="M4 4q0-3 3-3t3 3q0 2-3 3v2M7 12h.01" />
      </Pattern>
    </defs>
  </svg>
);
