// Programs that follow a game by a token of a player's seat.

const day = (when: string): string => new Date(when).toLocaleDateString([], { dateStyle: "medium" });
const moment = (when: string): string => new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

export const programs = {
  title: "Programs",
  lead: "A scoreboard or another program can follow the game as you see it, by a token that it sends.",
  add: "Let a program in",
  name: "Its name",
  nameHint: "such as Scoreboard",
  noName: "Enter the program’s name.",
  may: "Its access",
  read: "Only look",
  act: "Look and act",
  actHint: "It can do everything that you can do in this game.",
  days: "How long",
  lasts: (days: number): string => (days === 1 ? "One day" : days < 366 ? `${days} days` : "A year"),
  make: "Make the token",
  cancel: "Not now",
  made: (name: string) => `The token of ${name}`,
  once: "Give it to the program now: it is shown this once. Anyone who has it sees what you see.",
  copy: "Copy",
  copied: "Copied",
  done: "Done",
  row: (may: string, until: string): string => `${may === "act" ? "Looks and acts" : "Only looks"}, until ${day(until)}`,
  used: (when: string | null): string => (when === null ? "Not used yet" : `Last used ${moment(when)}`),
  of: (name: string): string => `Of ${name}`,
  revoke: "Take it back",
  revokeSure: "Tap again: take it back",
  revoked: (name: string) => `${name} no longer has access.`,
};
