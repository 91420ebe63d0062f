// What the eye has learnt.

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const named = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const learnt = {
  title: "What the eye has learnt",
  back: "Back to the start page",
  lead: "How your terrain and armies look, from photos that you settled. The next photos are read by it.",
  learning: "Learn from photos",
  on: "On",
  off: "Off",
  onHint: "A photo is learnt once all its questions are answered and the game goes on. Only what is certain counts. Games that hide anything are left out.",
  offHint: "Nothing new is learnt. Photos are still read by what is known.",
  waiting: (count: number) => `${counted(count, "photo is", "photos are")} being learnt…`,
  trouble: (why: string) => `The last photo taught nothing. ${why}`,
  nothing: "Nothing yet. Take a photo in a game, answer what it asks, and go on playing.",
  all: "All in all",
  photos: (count: number, most: number) => `${counted(count, "photo", "photos")} of at most ${most}; older ones make room.`,
  terrain: "Terrain",
  pieces: (kind: string, count: number) => `${named(kind)}: ${counted(count, "piece", "pieces")}`,
  bases: "Bases",
  side: (side: string, count: number) => `${named(side)}: ${counted(count, "base", "bases")}`,
  kinds: (kinds: { what: string; count: number }[]) => kinds.map(({ what, count }) => `${count} ${what}`).join(", "),
  none: "None yet.",
  from: "Photo by photo",
  day: (day: string) => new Date(`${day}T12:00`).toLocaleDateString([], { dateStyle: "medium" }),
  table: (width: number, depth: number) => `Table of ${width}″ by ${depth}″`,
  stale: "Its terrain was learnt by an older version and counts no longer.",
  pictures: (day: string) => `Small pictures of what was learnt on ${day}`,
  forget: "Forget",
  forgetSure: "Forget it for good?",
  forgotten: "That photo is forgotten",
  copy: "Keep a copy",
  copyHint: "One file with all of it, for another computer",
};
