import type { ComponentChildren, JSX } from "preact";

interface PatternProps {
  kind: string;
  tint: string;
  size?: number;
  children: ComponentChildren;
}

export const Pattern = ({ kind, tint, size = 16, children }: PatternProps): JSX.Element => (
  <pattern id={`terrain-${kind}`} width={size} height={size} patternUnits="userSpaceOnUse">
    <rect width={size} height={size} fill={tint} fill-opacity="0.5" />
    <g fill="none" stroke="#fff" stroke-opacity="0.85" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round">
      {children}
    </g>
  </pattern>
);

export const HOUSES = <path d="M3 10V6l3.5-3L10 6v4zM12 19v-4l3-2.5 3 2.5v4z" />;
export const RISES = <path d="M2 8q3.5-6 7 0M10 17q3.5-6 7 0" />;

// The marks of each kind of terrain, on the map and on the keys that choose it, so that kinds differ without their
// colour.
export const Patterns = (): JSX.Element => (
  <svg class="unseen" aria-hidden="true">
    <defs>
      <Pattern kind="woods" tint="#1d5b2c" size={18}>
        <path d="M6 2 2.5 8h7zM6 8v3M14 10l-3.5 6h7zM14 16v2" />
      </Pattern>
      <Pattern kind="town" tint="#7a4a3a" size={20}>
        {HOUSES}
      </Pattern>
      <Pattern kind="hill" tint="#8a6a2e" size={18}>
        {RISES}
      </Pattern>
      <Pattern kind="field" tint="#a58b1c" size={10}>
        <path d="M0 10 10 0M-2 2l4-4M8 12l4-4" />
      </Pattern>
      <Pattern kind="marsh" tint="#2d6f6a" size={18}>
        <path d="M1 8h8M5 8V4M3 8 2 5M7 8l1-3M10 17h7" />
      </Pattern>
      <Pattern kind="road" tint="#b9a684" size={12}>
        <path d="M6 6h.01M0 0h.01M12 0h.01M0 12h.01M12 12h.01" stroke-width="2" />
      </Pattern>
      <Pattern kind="river" tint="#2563a8" size={16}>
        <path d="M0 5q4-4 8 0t8 0M0 13q4-4 8 0t8 0" />
      </Pattern>
      <Pattern kind="bridge" tint="#5c5148" size={9}>
        <path d="M2 0v9M6.5 0v9" />
      </Pattern>
      <Pattern kind="wall" tint="#6b5f4c" size={12}>
        <path d="M0 6h12M3 0v6M9 6v6" />
      </Pattern>
      <Pattern kind="rock" tint="#75716a" size={18}>
        <path d="M2 9l3-5 4 2 1 3zM11 17l2-4 4 1v3z" />
      </Pattern>
      <Pattern kind="crater" tint="#8a6a44" size={18}>
        <path d="M2 6a4 2.5 0 1 0 8 0 4 2.5 0 1 0-8 0M11 14a3 2 0 1 0 6 0 3 2 0 1 0-6 0" />
      </Pattern>
      <Pattern kind="ruin" tint="#7a5a4c" size={20}>
        <path d="M3 10V4h2v2h2V3h2M11 19v-6h2v2h2v-3h3" />
      </Pattern>
    </defs>
  </svg>
);
