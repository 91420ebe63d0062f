import type { JSX } from "preact";

const PATHS = {
  back: "M15 5 8 12l7 7",
  close: "M6 6l12 12M18 6 6 18",
  camera: "M4 8.5h3.2L8.8 6h6.4l1.6 2.5H20v10H4zM12 16.5a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6z",
  gallery: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5L20 17M15.5 9.5h.01",
  hand: "M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3",
  undo: "M8 5 4 9l4 4M4 9h9a5.5 5.5 0 0 1 0 11H8",
  redo: "M16 5l4 4-4 4M20 9h-9a5.5 5.5 0 0 0 0 11h5",
  list: "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2.5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3 7 7M17 17l1.7 1.7M18.7 5.3 17 7M7 17l-1.7 1.7",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  map: "M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  done: "M5 12.5 10 17.5 19.5 7",
  plus: "M12 5v14M5 12h14",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7",
  down: "M6 9.5l6 6 6-6",
  file: "M7 3.5h7l4 4v13H7zM14 3.5v4h4M10 12h5M10 15.5h5",
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M8 5.5v13M16 5.5v13",
  ahead: "M6 5.5v13l9-6.5zM18 5.5v13",
  behind: "M18 5.5v13L9 12zM6 5.5v13",
  share: "M12 15V4M8 7.5 12 3.5l4 4M6 11.5v8.5h12v-8.5",
  warn: "M12 4 3 20h18zM12 10v5M12 17.5h.01",
  right: "M9 5l7 7-7 7",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM17.5 17.5H20V20h-2.5M20 14v.01M14 20v.01",
  flag: "M6 21V4M6 4.5c5-2.5 7 2.5 12 0v8c-5 2.5-7-2.5-12 0",
  print: "M7 9V3.5h10V9M7 17H4V9h16v8h-3M7 14h10v6.5H7z",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.6c2.1.9 3.5 2.8 3.5 5.4",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4",
  mute: "M6 16.5V11a6 6 0 0 1 9-5.2M18 11v5.5l1.5 1.5h-15zM10 20.5h4M4 4l16 16",
  save: "M12 4v10.5M7 10l5 5 5-5M5 19.5h14",
  ruler: "M3 15.5 15.5 3 21 8.5 8.5 21zM6.5 12l2 2M9.5 9l2.8 2.8M12.5 6l2 2",
  minus: "M5 12h14",
  dice: "M7 4.5h10a2.5 2.5 0 0 1 2.5 2.5v10a2.5 2.5 0 0 1-2.5 2.5H7A2.5 2.5 0 0 1 4.5 17V7A2.5 2.5 0 0 1 7 4.5zM8.7 8.7h.01M15.3 8.7h.01M12 12h.01M8.7 15.3h.01M15.3 15.3h.01",
  look: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  book: "M4 5.5c3-1.3 5.5-1 8 .7 2.5-1.7 5-2 8-.7v13c-3-1.3-5.5-1-8 .7-2.5-1.7-5-2-8-.7zM12 6.2v13",
  legend: "M4 5h5v5H4zM4 14h5v5H4zM12.5 7.5H20M12.5 16.5H20",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }): JSX.Element => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

const VERDICTS = {
  yes: "M4 9.5 7.5 13 14 5",
  "too-close": "M2.5 10.5c2.2-4.6 4.6-4.2 6.5-1.5s4.3 3 6.5-1.5",
  no: "M4.5 4.5l9 9m0-9-9 9",
} as const;

export const VerdictIcon = ({ verdict }: { verdict: keyof typeof VERDICTS }): JSX.Element => (
  <svg class={`verdict-icon ${verdict}`} viewBox="0 0 18 18" aria-hidden="true">
    <path d={VERDICTS[verdict]} />
  </svg>
);
