// Measuring: a unit's overlays, the distance of two things, measurements shown to all, the photo.

const inches = (value: number, digits = 2): string => `${value.toFixed(digits)}″`;
type Unit = "in" | "hexes" | "squares";
const one = { hexes: "hex", squares: "square" };
const counted = (count: number, unit: "hexes" | "squares"): string => `${count} ${count === 1 ? one[unit] : unit}`;

export const measure = {
  entry: "Measure",
  title: "Measure",
  close: "Close measuring",
  tabs: { tool: "Two things", unit: "Unit", shared: "Shown to all" },
  grounds: { map: "Map", photo: "Photo" },
  ground: "Draw on",

  // two things
  first: "Tap the first thing, or drag from one thing to another.",
  second: (name: string) => `From ${name}: tap the second thing.`,
  forget: "Start again",
  measuring: "Measuring…",
  private: "Shown on this device only.",
  share: "Show to all",
  shared: "Shown to all",
  sharedBy: (who: string) => `${who} showed`,
  sharedNone: "No measurements have been shown yet.",
  showIt: (who: string, says: string) => `${who} showed: ${says}`,
  dismiss: "Dismiss",
  again: "Measure again from the same thing",
  before: "Measured before",
  clear: "Clear all",
  lists: "Choose from lists",
  from: "From",
  to: "To",
  choose: "Choose…",
  doMeasure: "Measure",
  xy: { x: "x, inches", y: "y, inches" },
  kinds: { unit: "Units", piece: "Single pieces", cell: "Hexes or squares", ground: "Ground", point: "Any place" },
  aPoint: "A place by its coordinates",
  instead: (end: string) => `${end}: choose another`,
  point: ([x, y]: [number, number]) => `the place ${x.toFixed(1)}, ${y.toFixed(1)}`,
  cell: (id: string, grid: "hex" | "square") => `${grid} ${id}`,
  onePiece: (id: string) => `only ${id}`,
  terrain: (kind: string, id: string) => (kind === id ? kind : `${kind} ${id}`),
  edge: "Edge to edge",
  rule: "As the rules measure",
  sight: (from: string, to: string) => `Sight ${from} → ${to}`,
  sightOneWay: "Sight, both ways the same",
  length: (value: number, unit: Unit, spread: number): string =>
    unit !== "in" ? counted(value, unit) : spread > 0.005 ? `${inches(value, spread < 0.25 ? 2 : 1)} ± ${inches(spread, spread < 0.25 ? 2 : 1)}` : inches(value),
  band: (band: string) => (band === "out" ? "out of reach" : band),
  reasons: "Why",

  // one unit
  pick: "Tap a unit to see its ranges, reach and sight lines.",
  chips: {
    ranges: "Ranges", arcs: "Front and rear", threat: "Threat zone", best: "Possible reach", surely: "Certain reach",
    sights: "Sight lines", beyond: "Also beyond reach",
  },
  chipsName: "What is drawn",
  observed: (who: string) => `Observed by ${who}`,
  verdicts: { clear: "Clear", partial: "Partial", "too-close": "Too close to call", blocked: "Blocked" },
  tooClose: "Too close to call: measure it on the table",
  legend: "Solid: clear. Long dashes: partial. Short dashes: too close to call. Dots and a cross: blocked.",
  ring: (value: number, unit: Unit) => (unit === "in" ? `${value}″` : counted(value, unit)),
  lines: (shown: number, beyond: number) =>
    beyond === 0 ? `Lines of sight: ${shown}` : `Lines of sight: ${shown}; ${beyond} more beyond reach`,
  notNow: "Not now",
  threatenedBy: (names: string) => `Threatened by ${names}.`,
  perhapsBy: (names: string) => `Possibly threatened by ${names}: too close to call.`,
  reachCell: (moves: number) => String(moves),

  // the photo
  photoName: "The table's photo, with what is measured drawn on it",
  noPhoto: "No photo of this table was taken yet.",
  noLens: "The camera of this photo is unknown: draw on the map instead.",
  photoHint: "Dashed outlines: where the game has the pieces.",
  zoomIn: "Nearer",
  zoomOut: "Farther",
};
