// Table inches to Leaflet's coordinates, and words to safe HTML with lengths in the player's unit.

import type L from "leaflet";
import type { Point } from "./geometry";
import { inUnit } from "./units";

export const latlng = ([x, y]: Point): L.LatLngTuple => [y, x];
export const ring = (outline: Point[]): L.LatLngTuple[] => outline.map(latlng);
export const escape = (word: string): string =>
  inUnit(word).replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c] as string);
