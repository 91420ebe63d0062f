// Sides that the computer plays.

import { capital } from "./forms";

const LEVELS: Record<string, string> = { simple: "Computer, simple", medium: "Computer, medium", strong: "Computer, strong" };
const degrees = (facing: number): string => `${Math.round(facing)}°`;

export const computer = {
  thinking: "The computer thinks…",
  plays: (side: string) => `${side}, by the computer`,
  rest: capital,
  secret: "It decides in secret",
  place: (x: number, y: number, facing: number | null) => `To ${x.toFixed(1)}, ${y.toFixed(1)}″${facing === null ? "" : `, facing ${degrees(facing)}`}`,
  letIt: "Let it decide",
  goesOn: "Go on",
  done: "Done on the table",
  put: "It stands there",
  roll: (count: number) => (count === 1 ? "Roll its die" : `Roll its ${count} dice`),
  ownDice: "We rolled",
  impossible: "Not possible on the table",
  notYours: "Whoever plays says when it is done.",
  theRest: "Do all that needs no choice",
  theRestRolled: "Dice are rolled for you",

  // who plays
  who: (side: string) => `Who plays ${side}`,
  person: "A person",
  level: (name: string) => LEVELS[name] ?? `Computer, ${name}`,
  title: "The computer",
  hint: "What it does is shown here, and you do it on the table. It sees only what its side may see.",
};
