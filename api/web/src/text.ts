// Every word that the page says, in one place: a translation is another object of this shape.

import type { ShotOut } from "./schema";

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
const inches = (value: number): string => `${value.toFixed(1)}″`;

export const en = {
  name: "Tabletop",
  loading: "Loading…",
  close: "Close",
  back: "All tables",

  takePhoto: "Take a photo",
  pickPhoto: "Choose from gallery",
  newPhoto: "Photo",
  firstPhoto: "Now photograph the table",
  nextPhoto: "The next photo of this table",
  photoAdvice: [
    "All frame markers in the picture, lying flat.",
    "From the side of the table, arms up, phone tilted down.",
    "Hold still; no flash.",
  ],
  sending: (percent: number) => `Sending the photo, ${percent} %`,
  reading: "Reading the photo",
  stages: {
    "opening the photo": "Opening the photo",
    "looking for the frame markers": "Looking for the frame markers",
    "solving camera and table": "Solving camera and table",
    "reading the terrain": "Reading the terrain",
    "reading unit tags": "Reading the unit tags",
    "finding bases": "Finding the bases",
    "drawing the terrain": "Drawing the terrain",
    "weighing what is open": "Weighing what is open",
    "looking for markers beside units": "Looking for markers beside units",
    "laying the photo flat": "Laying the photo flat",
  } as Record<string, string>,

  map: "Map",
  photo: "Photo",
  light: "Light colours",
  dark: "Dark colours",
  correct: "Correct",
  done: "Done",
  undo: "Undo",
  redo: "Redo",
  units: "Units",
  fit: "Fit",
  mapName: "Map of the table, seen from above",
  photoHint: "As read from the photo. Corrections are on the map.",
  photoName: "The photo with the bases drawn in",
  hint: "Tap a unit to see what it can do.",
  correctHint: "Drag a base to its place. Tap one to turn it or to say whose it is.",
  unknownBases: (count: number) =>
    count === 1 ? "1 base has no unit yet: tap it." : `${count} bases have no unit yet: tap them.`,
  warnings: (count: number) => (count === 1 ? "1 remark on this photo" : `${count} remarks on this photo`),

  verdict: { yes: "Yes", "too-close": "Too close to call", no: "No" },
  counts: (yes: number, close: number, no: number) => `${yes} yes, ${close} too close to call, ${no} no`,
  kinds: { infantry: "Infantry", tank: "Tank", atg: "Anti-tank gun", mortar: "Mortar", "mortar-tank": "Close-support tank" } as Record<string, string>,
  sides: {} as Record<string, string>,
  outgoing: "Fires at",
  incoming: "Fired on by",
  state: "Markers",
  noShots: "Nothing to judge: no enemy unit with a known position.",
  range: ({ range }: ShotOut) =>
    `${inches(range.value)}${range.sigma > 0.005 ? ` ± ${range.sigma < 0.51 ? (1.96 * range.sigma).toFixed(2) : (1.96 * range.sigma).toFixed(1)}″` : ""}`,
  headline: ({ verdict, range, sight, arc }: ShotOut): string => {
    const by = sight.blocked_by.join(", ");
    if (verdict === "no") {
      const why = [
        ...(range.band === "out" ? ["out of range"] : []),
        ...(sight.verdict === "blocked" ? [by ? `sight blocked by ${by}` : "sight blocked"] : []),
      ];
      return sentence(why.join("; ") || "cannot fire");
    }
    if (verdict === "too-close") {
      const open = [
        ...(range.possible.includes("out") ? ["range"] : []),
        ...(sight.verdict === "too-close" ? [by ? `sight past ${by}` : "sight"] : []),
      ];
      return sentence(open.length ? `open: ${open.join(" and ")}` : "the photo leaves it open");
    }
    const band = text.bands[range.band] ?? range.band;
    const open = range.possible.length > 1 ? `${range.possible.map((one) => text.bands[one] ?? one).join(" or ")}` : band;
    return sentence(
      `${open} range${arc.firing_on_rear ? ", on its rear" : ""}${arc.firing_to_rear ? ", over its own rear" : ""}`,
    );
  },
  priority: (rank: number, of: number, why: string) => `Target ${rank} of ${of} by priority: ${why}`,
  bands: { close: "close", normal: "normal", long: "long", out: "out of range" } as Record<string, string>,
  expected: (hits: number) => `≈ ${hits.toFixed(1)} hits`,
  hitsName: "Chance of each number of hits",
  hitsBar: (hits: string, chance: number) => `${hits} hits: ${Math.round(100 * chance)} %`,
  modifiers: "Modifiers",
  reasons: "Why",
  perhaps: (by: string[]) => `Perhaps threatened by ${by.join(", ")}: too close to call.`,
  removed: "Destroyed: its hits take it off the table.",
  threatened: (by: string[]) => `Threatened by ${by.join(", ")} (enemy within 2″).`,
  shotName: (shot: ShotOut, other: string, verdict: string) =>
    `${other}: ${verdict}, ${inches(shot.range.value)}`,
  marks: { dug_in: "Dug-in", ready: "Ready", moved: "Moved", fired: "Fired" },
  dice: "Dice",
  diceNames: { d5: "Average (2 3 3 4 4 5)", d6: "D6" },
  hits: "Hits",
  permanent: "of these permanent",
  more: "one more",
  fewer: "one fewer",
  legend: { front: "Front", rear: "Rear", threat: "Threat 2″", ring: (name: string, at: number) => `${name} ${at}″` },
  rings: { close: "Close", normal: "Normal", long: "Long" } as Record<string, string>,

  base: "Base",
  baseOf: (unit: string) => `Base of ${unit}`,
  uniqueOf: (unit: string) => `Unique base of ${unit}`,
  unknownBase: "Base without a unit",
  unknownBaseOf: (side: string) => `Base of ${side}, unit unknown`,
  byHand: "placed by hand",
  seen: (method: string) => (method === "tag" ? "read from its tag" : "found by its outline"),
  place: (x: number, y: number, sigma: number) => `x ${x.toFixed(1)}″, y ${y.toFixed(1)}″, ± ${(1.96 * sigma).toFixed(2)}″`,
  facing: (degrees: number | null) => (degrees === null ? "facing unknown" : `faces ${Math.round(degrees)}°`),
  turn: "Turn",
  turnBy: (degrees: number) => `${degrees > 0 ? "Clockwise" : "Anticlockwise"} by ${Math.abs(degrees)} degrees`,
  nudge: "Nudge",
  nudges: { up: "Away by 0.1 inch", down: "Nearer by 0.1 inch", left: "Left by 0.1 inch", right: "Right by 0.1 inch" },
  belongs: "Belongs to",
  nobody: "Unknown",
  unique: "Unique base (measures range)",
  remove: "Not a base: remove",
  addBase: "Add a missing base",
  addBaseOf: "Of which unit?",
  moved: (inch: number) => `moved ${inch.toFixed(1)}″`,
  turned: (degrees: number) => `faces ${Math.round(degrees)}°`,
  changed: (count: number) => (count === 1 ? "1 ruling changed" : `${count} rulings changed`),
  unchanged: "No ruling changed",
  change: (target: string, before: string, after: string) => `${target}: ${before} → ${after}`,
  undone: "Taken back",
  redone: "Done again",
  found: (have: number, want: number) => `${have} of ${want} bases`,
  notSeen: "not seen",

  baseLabel: (unit: string | null, kind: string) => (unit === null ? "Base without a unit" : `${unit}, ${kind}`),
  handleMove: "Drag to move the base",
  handleTurn: "Drag to turn the base",

  terrain: {
    name: "Terrain",
    pick: "What is there to draw?",
    pickHint: "Pick a kind, or tap a piece on the map to change it.",
    onTable: "On the table",
    drawCorners: (kind: string, corners: number) =>
      corners === 0 ? `Tap the corners of the ${kind.toLowerCase()}, one after another.` : `${kind}: ${corners} ${corners === 1 ? "corner" : "corners"}`,
    drawTop: (corners: number) => (corners === 0 ? "Tap the corners of the hill's top." : `Hill top: ${corners} ${corners === 1 ? "corner" : "corners"}`),
    drawLine: (kind: string, points: number) =>
      points === 0 ? `Tap along the middle of the ${kind.toLowerCase()}.` : `${kind}: ${points} ${points === 1 ? "point" : "points"}`,
    width: "Width",
    wider: "Wider",
    narrower: "Narrower",
    undoPoint: "Undo point",
    cancel: "Cancel",
    finish: "Finish",
    close: "First corner: tap to close the outline",
    closeTop: "First corner: tap to close the hill's top",
    corner: (number: number, name: string) => `Corner ${number} of ${name}: drag to move it`,
    dragged: (x: number, y: number) => `x ${x.toFixed(1)}″, y ${y.toFixed(1)}″`,
    about: (kind: string, byHand: boolean) => `${kind} · ${byHand ? "drawn by hand" : "from the table file"}`,
    reshapeHint: "Drag its corners on the map.",
    newCorner: (number: number, name: string) => `New corner after corner ${number} of ${name}: drag it out, or tap`,
    move: (name: string) => `Move ${name}: drag`,
    turn: (name: string) => `Turn ${name}: drag`,
    rectangle: "Rectangle",
    snap: "Snap",
    snapHint: "Corners go to what is near: other corners, edges, whole angles",
    typed: "x, y",
    typedName: "A corner by its inches, as 12.5, 8",
    cut: "Cut it",
    cutHint: (points: number) => (points === 0 ? "Tap beside the piece where the cut begins." : points === 1 ? "Tap on its other side." : "Finish cuts it in two."),
    numbers: "Place and size",
    numberNames: { x: "Middle x", y: "Middle y", width: "Width", depth: "Depth", angle: "Angle" },
    keepRect: "Stays a rectangle",
    chosenCorner: (number: number) => `Corner ${number}`,
    cornerX: "x, inches",
    cornerY: "y, inches",
    removeCorner: "Remove corner",
    kind: "Kind",
    height: "Height",
    higher: "Higher",
    lower: "Lower",
    top: "Hill top",
    addTop: "Draw its top",
    removeTop: "Remove top",
    remove: "Remove this terrain",
    kinds: {
      woods: "Woods", town: "Town", hill: "Hill", field: "Field", marsh: "Marsh", road: "Road", river: "River", bridge: "Bridge",
    },
  },

  offline: "The server does not answer. Is the phone still in the same network?",
  tooLarge: (megabytes: number) => `This file has more than ${megabytes} MB, the most that is taken.`,
  failed: "That did not work",
};

export type Text = typeof en;

export const text: Text = en;

export const kindName = (kind: string | null): string => (kind === null ? "" : (text.kinds[kind] ?? kind));
export const sideName = (side: string): string => text.sides[side] ?? side;
export const tableName = (file: string): string => file.replace(/(\.table)?\.toml$/, "") || file;
export const groundName = (kind: keyof Text["terrain"]["kinds"]): string => text.terrain.kinds[kind];
