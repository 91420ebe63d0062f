// The room that labels take, as app.css and game.css draw them.

import type { Cut } from "./labels";

const PILL = { rem: 0.78, weight: 750, high: 1.5, pad: 1, mark: 1, border: 3 };
const TINY = { rem: 0.7, weight: 750, high: 1.05, pad: 0.4, mark: 0.75, border: 3 };
const BADGE = { rem: 0.68, weight: 750, beside: 8, gap: 3 }; // `beside`: a badge's own padding and margin, in pixels
const ZONE = { rem: 0.72, weight: 650, high: 1.15, beside: 18 };
const GROUND = { rem: 0.68, weight: 600, high: 0.7, beside: 2 };
const LONE_REM = 1.15;
const COST = { bare: 0.35, tiny: 0.9, lone: 2, line: 0.2 };

const rem = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize);

const pen = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
const widths = new Map<string, number>();

// The width of words, in pixels.
function wide(words: string, { rem: size, weight }: { rem: number; weight: number }, style = ""): number {
  const font = `${style} ${weight} ${size * rem()}px ${getComputedStyle(document.body).fontFamily}`.trim();
  const known = widths.get(font + words);
  if (known !== undefined) return known;
  pen.font = font;
  const found = pen.measureText(words).width;
  widths.set(font + words, found);
  return found;
}

// The forms of a unit's label, the fullest first: with its badges, without, in small letters, and only its mark.
export function unitCuts(label: string, badges: string[], marked: boolean, must: boolean): Cut[] {
  const em = rem();
  const pill = (look: typeof PILL): number => wide(label, look) + look.pad * em + (marked ? look.mark * em : 0) + (marked ? look.border : 0);
  const more = badges.reduce((sum, badge) => sum + wide(badge, BADGE) + BADGE.beside, BADGE.gap);
  const cuts: Cut[] = [
    { size: "bare", wide: pill(PILL), high: PILL.high * em, cost: badges.length ? COST.bare : 0 },
    { size: "tiny", wide: pill(TINY), high: TINY.high * em, cost: COST.tiny },
  ];
  if (badges.length) cuts.unshift({ size: "full", wide: pill(PILL) + more, high: PILL.high * em, cost: 0 });
  if (marked && !must) cuts.push({ size: "lone", wide: LONE_REM * em, high: LONE_REM * em, cost: COST.lone });
  return cuts;
}

// A zone's label in one line, or in two or three.
export const zoneCuts = (label: string): Cut[] =>
  [1, 2, 3].slice(0, label.split(" ").length).map((lines) => ({
    size: "bare", wide: linesOf(label, lines) + ZONE.beside, high: lines * ZONE.high * rem(), cost: (lines - 1) * COST.line,
  }));

// The least width of words in so many lines, in pixels.
function linesOf(label: string, lines: number): number {
  const words = label.split(" ");
  const widest = (from: number, left: number): number => {
    if (left === 1) return wide(words.slice(from).join(" "), ZONE);
    const cuts = words.slice(from + 1).map((_, i) => from + 1 + i);
    return Math.min(...cuts.map((cut) => Math.max(wide(words.slice(from, cut).join(" "), ZONE), widest(cut, left - 1))), Infinity);
  };
  return Math.ceil(widest(0, lines));
}
export const groundCut = (name: string): Cut => ({ size: "bare", wide: wide(name, GROUND, "italic") + GROUND.beside, high: GROUND.high * rem(), cost: 0 });
