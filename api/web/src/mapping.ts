// Table inches to Leaflet's idea of a place, and words to harmless HTML.

import type L from "leaflet";
import type { Point } from "./geometry";

export const latlng = ([x, y]: Point): L.LatLngTuple => [y, x];
export const ring = (outline: Point[]): L.LatLngTuple[] => outline.map(latlng);
export const escape = (word: string): string =>
  word.replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c] as string);
