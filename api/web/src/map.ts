// Shared by the map of a photo's table and the map of a game: Leaflet with one unit to the inch, marks, handles.

import L from "leaflet";

// Whether the device is set to reduced motion.
export const wantsStill = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export type Verdict = "yes" | "too-close" | "no";
const GLYPHS: Record<Verdict, string> = {
  yes: '<path d="M4 9.5 7.5 13 14 5"/>',
  "too-close": '<path d="M2.5 10.5c2.2-4.6 4.6-4.2 6.5-1.5s4.3 3 6.5-1.5"/>',
  no: '<path d="M4.5 4.5l9 9m0-9-9 9"/>',
};
export const glyph = (verdict: Verdict): string =>
  `<svg class="glyph" viewBox="0 0 18 18" aria-hidden="true">${GLYPHS[verdict]}</svg>`;

export const GRIPS = {
  move: '<path d="M12 3v18M3 12h18M12 3 9 6m3-3 3 3M12 21l-3-3m3 3 3-3M3 12l3-3m-3 3 3 3M21 12l-3-3m3 3-3 3"/>',
  turn: '<path d="M19.5 12a7.5 7.5 0 1 1-2.6-5.7M17.5 2.5v4.2h-4.2"/>',
};
export const gripIcon = (name: keyof typeof GRIPS): L.DivIcon =>
  anchor(`<span class="grip ${name}"><svg viewBox="0 0 24 24" aria-hidden="true">${GRIPS[name]}</svg></span>`);

export const anchor = (html: string, more = ""): L.DivIcon =>
  L.divIcon({ className: `anchor ${more}`, html, iconSize: [0, 0] });

// Leaflet rounds every corner to a whole pixel, which makes small bases crooked and ranges bumpy; this map does not.
const FineMap = L.Map.extend({
  latLngToLayerPoint(this: L.Map, at: L.LatLngExpression): L.Point {
    return this.project(L.latLng(at as L.LatLngLiteral)).subtract(this.getPixelOrigin());
  },
}) as unknown as new (element: HTMLElement, options: L.MapOptions) => L.Map;

export const newMap = (element: HTMLElement): L.Map =>
  new FineMap(element, {
    crs: L.CRS.Simple,
    attributionControl: false,
    zoomControl: false,
    zoomSnap: 0,
    zoomDelta: 0.7,
    minZoom: 1,
    maxZoom: 7.5,
    maxBoundsViscosity: 0.4,
    bounceAtZoomLimits: false, // a pinch beyond them would move the table away
    tapHold: false,
    keyboard: true,
  });
