// A side's colour on the screen: the hue of its painted rims, with the brightness of the theme.

export type Theme = "dark" | "light";

const FALLBACK_HUES = [214, 0, 266, 172];
const LEAST_HUE_GAP = 25;

interface Tint {
  hue: number;
  saturation: number;
}

function tintOf(rim: string | null): Tint | null {
  const parts = /^#(..)(..)(..)$/.exec(rim ?? "");
  if (!parts) return null;
  const [r, g, b] = parts.slice(1).map((part) => parseInt(part, 16) / 255) as [number, number, number];
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const spread = most - least;
  if (spread < 0.06) return { hue: 0, saturation: 0 };
  const hue = most === r ? ((g - b) / spread) % 6 : most === g ? (b - r) / spread + 2 : (r - g) / spread + 4;
  return { hue: (hue * 60 + 360) % 360, saturation: 1 };
}

const gap = (a: number, b: number): number => Math.abs(((a - b + 540) % 360) - 180);

export function sideColours(sides: { rim: string | null }[], theme: Theme): string[] {
  const taken: Tint[] = [];
  return sides.map((side) => {
    const free = (tint: Tint): boolean =>
      taken.every((one) => one.saturation !== tint.saturation || gap(one.hue, tint.hue) > LEAST_HUE_GAP);
    const wished = tintOf(side.rim);
    const spare = FALLBACK_HUES.map((hue) => ({ hue, saturation: 1 }));
    const tint = [...(wished ? [wished] : []), ...spare].find(free) ?? { hue: 214, saturation: 1 };
    taken.push(tint);
    const [saturation, lightness] = theme === "dark" ? [88, 68] : [72, 38];
    return `hsl(${Math.round(tint.hue)} ${Math.round(saturation * tint.saturation)}% ${lightness}%)`;
  });
}
