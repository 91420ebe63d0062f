// The photo turn of a game: taking the photo, what was found, doubts, moves.

import { counted } from "./forms";

const percent = (chance: number): string => (chance >= 0.995 ? "> 99 %" : chance < 0.005 ? "< 1 %" : `${Math.round(100 * chance)} %`);
const listed = (names: string[]): string => names.join(", ").replace(/, ([^,]*)$/, " and $1");
const fine = (value: number, spread: number): string => `± ${Math.max(0.1, Math.ceil(19.6 * spread) / 10).toFixed(1)}${value === 0 ? "" : "″"}`;

export const photo = {
  title: "Photo",
  close: "Close",
  none: "No photo of this table yet",
  take: "Take a photo",
  pick: "Pick a photo",
  live: "Live camera",
  again: "Another photo",
  advice: ["The whole table in the picture, any frame markers lying flat.", "From one side of the table, hold the phone high and tilt it down.", "Hold still; no flash."],
  goOn: "Play goes on without a photo as well.",
  watching: "Spectators see what the photo shows, but can’t change anything.",

  // on its way
  own: "Your photo, which is being read",
  sending: (part: number) => `Sending the photo, ${Math.round(100 * part)} %`,
  waiting: "Waiting for its turn",
  behind: (ahead: number) => (ahead === 0 ? "Waiting for its turn" : `Waiting behind ${counted(ahead, "photo")}`),
  reading: "Reading the photo",
  lost: "No connection. The page asks for the photo again when it is back.",
  meanwhile: "You can close this: reading continues.",
  failed: "The photo can't be used",
  tooLarge: (most: number) => `This photo is larger than the limit of ${most} MB.`,
  sendAgain: "Send it again",
  forgotten: "This photo has expired on the server; take it again.",

  // what was found
  found: (bases: number, units: number) => `${counted(bases, "base", "bases")}, ${counted(units, "unit", "units")}`,
  toSettle: (count: number, more: boolean) => (count === 0 ? "no questions" : `${counted(count, "question", "questions")}${more ? " first" : ""}`),
  whole: "The whole photo",
  wholeName: "The photo with what was found drawn in",
  upright: "As taken",
  drawnIn: "With what was found",
  cropName: (what: string) => `Its place on the photo: ${what}. Tap for the whole photo.`,
  drop: "Drop this photo",
  tabs: { doubts: "Questions", moves: "Moves" },
  notes: (count: number) => counted(count, "note on this photo", "notes on this photo"),

  // a base put right
  tapBase: "Wrong? Tap a base on the map to correct it.",
  base: (unit: string | null) => (unit === null ? "A base without a name" : `A base of ${unit}`),
  baseHint: "Drag it, or tap its place.",
  basesName: "Which of its bases",
  whose: "Its unit",
  nobody: "None",
  fullUnits: "All their bases have been found",
  width: "Width, inches",
  depth: "Depth, inches",
  across: "Across, inches",
  putRight: "Correct it",
  putRightFirst: "Correct its bases first",
  noBase: "There is no base",

  // doubts
  place: (n: number, of: number) => `${n} of ${of}`,
  // Questions that are alike, by what they ask for; names are letters on the picture, or units.
  together: {
    presence: (names: string[]) => `Not seen on the photo: ${listed(names)}. Where are they?`,
    there: (names: string[]) => `Are there bases at ${listed(names)}?`,
    kind: (names: string[]) => `What is the terrain at ${listed(names)}?`,
    side: (names: string[]) => `Which side do the bases at ${listed(names)} belong to?`,
    whose: (names: string[]) => `Which unit do the markers at ${listed(names)} belong to?`,
    unit: (names: string[]) => `Which unit do the bases at ${listed(names)} belong to?`,
  } as Record<string, (names: string[]) => string>,
  named: (unit: string, letter: string) => (letter === "" ? unit : `${unit} (${letter})`),
  alike: (names: string[], says: string) => `${listed(names)}: ${says}`,
  all: { "presence off": "All were taken off the table", "presence hidden": "All are on the table, out of the picture", "there base": "Yes, all", "there null": "No, nothing is there" } as Record<string, string>,
  each: (says: string) => `Each: ${says}`,
  apart: "One by one",
  moreLeft: (count: number) => `${counted(count, "more question", "more questions")}, if you like`,
  askMore: "Answer more",
  chance: (chance: number) => percent(chance),
  others: "Something else",
  skip: "Skip",
  change: (title: string, what: string, measured: string[]) => [`${title}: ${what.toLowerCase()}`, ...measured].join(", "),
  skipped: (count: number) => `${counted(count, "question was", "questions were")} skipped`,
  askAgain: "Ask again",
  takenBack: (says: string) => `Take back: ${says}`,
  allSettled: "All answered.",

  // moves
  noMoves: "Photo and game agree.",
  certain: (count: number) => `Carry out ${count === 1 ? "the one that is" : `all ${count} that are`} certain`,
  distance: (value: number, sigma: number | null) => `${value.toFixed(1)}″${sigma === null ? "" : ` ${fine(value, sigma)}`}`,
  turned: (value: number, sigma: number | null) => `${Math.round(Math.abs(value))}°${sigma === null ? "" : ` ± ${Math.max(1, Math.ceil(1.96 * sigma))}°`} ${value < 0 ? "left" : "right"}`,
  whats: {
    moved: "Moved", turned: "Turned", nudged: "Nudged", new: "New", removed: "Gone", deployed: "Deployed", stayed: "Stayed", left: "Left the table",
    fired: "Fired", hits: "Hits", ready: "Ready", "dug-in": "Dug in", marker: "A marker", uncertain: "Uncertain", entered: "Came on", laid: "Ground", spent: "Spent",
    fresh: "Fresh", shown: "Revealed", resized: "Outline", guns: "Guns", unknown: "Unknown",
  } as Record<string, string>,
  table: "The table",
  verdict: { yes: "Allowed", "too-close": "Too close to call: measure it", no: "Not allowed" },
  settledByPhoto: "The photo shows that it is legal",
  carryOut: "Carry it out",
  withDice: (dice: number[]) => `Carry it out with ${dice.join(" ")}`,
  yes: "Yes",
  leave: "Leave it",
  left: (count: number) => `${counted(count, "change was", "changes were")} left`,
  showLeft: "Show again",
  measured: "We measured: it is legal",
  overrule: "Overrule as the referee",
  correct: "Correct its place as seen",
  forWhom: (side: string) => `For ${side} to decide`,
  onlyAsk: "Settle it on the table, or type an action.",
  dice: (count: number) => (count === 1 ? "1 die is needed" : `${count} dice are needed`),
  die: (face: number) => `A ${face}`,
  dieAt: (place: number, face: number) => `Die ${place} shows ${face}: remove it`,
  roll: "Roll for us",
  fromPhoto: (values: number[]) => `From the photo: ${values.join(" ")}`,
  done: "Carried out",
  more: (count: number) => `and ${count} more, in the log`,
  nothingDone: "Nothing was carried out.",
  seenDice: "Dice on the photo:",
  dropDie: (value: number | null) => (value === null ? "Drop the die that can't be read" : `Drop the die that shows ${value}`),
  unreadable: "?",

  // another table
  otherTable: "a different table?",
  useAnyway: "Use it anyway",

  // out of step
  outOfStep: "The photo does not follow the game",
  ways: {
    retake: ["Take it again", "The whole table and any frame markers in view, nothing in the way."],
    accept: ["Trust the photo", "The referee corrects the game to match the photo."],
    keep: ["Drop this photo", "The game stays as it was."],
  } as Record<string, [string, string]>,
  hostOnly: "The host can do this.",
  corrections: "What would be corrected",
  noCorrections: "Everything on the photo is where the game has it.",
  correctAll: (count: number) => `Correct ${counted(count, "thing", "things")}`,
  openFirst: (count: number) => `${counted(count, "question is", "questions are")} open: a base without a unit is not corrected.`,
  back: "Back",

  // the live camera
  shoot: "Take the photo",
  cameraRefused: "The page has no access to the camera: allow it in the browser, or take a photo the usual way.",
  cameraName: "What the camera sees",
  dark: "Too dark: more light",
  bright: "Too bright: turn away from the lamp",
  blurred: "Hold still, let it focus",
  good: "All frame markers in view? Then take it.",
  warming: "The camera starts…",
  markersSeen: (seen: number, of: number) => `${seen} of ${of} markers`,
  markersUnseen: (ids: number[]) => `not seen: ${ids.join(", ")}`,
  height: (degrees: number) => `seen from ${Math.round(degrees)}°`,
};
