// Sides that the computer plays.

import { capital } from "./forms";

const LEVELS: Record<string, string> = { simple: "Computer, simple", medium: "Computer, medium", strong: "Computer, strong" };
const degrees = (facing: number): string => `${Math.round(facing)}°`;

export const computer = {
  thinking: "The computer thinks…",
  plays: (side: string) => `${side}, by the computer`,
  wants: (side: string, what: string) => `${side}: ${what}`,
  rest: capital,
  secret: "It decides in secret",
  // Where and how the unit is placed; a cell (``at`` is null) has its name already.
  stance: (at: [number, number] | null, facing: number | null) =>
    capital([at && `to ${at[0].toFixed(1)}, ${at[1].toFixed(1)}″`, facing !== null && `facing ${degrees(facing)}`].filter(Boolean).join(", ")),
  letIt: "Let it decide",
  goesOn: "Continue",
  done: "Done on the table",
  put: "It is placed",
  roll: (count: number) => (count === 1 ? "Roll its die" : `Roll its ${count} dice`),
  ownDice: "We rolled",
  impossible: "Not possible on the table",
  notYours: "A player confirms when it is done.",
  theRest: "Roll and continue",
  theRestRolled: "up to the next choice",

  // who plays
  who: (side: string) => `${capital(side)}: person or computer?`,
  person: "A person",
  level: (name: string) => LEVELS[name] ?? `Computer, ${name}`,
  title: "The computer",
  hint: "The page shows the computer’s moves, and you make them on the table. It sees only what its side may see.",
};
