// Stepping through a game, and its short report to hand on.

const turnNumber = (turn: number): string => (turn === 0 ? "Before turn 1" : `Turn ${turn}`);

export const replay = {
  title: "Step through",
  loading: "Loading the table as it was…",
  back: "Back to the game",
  fit: "Whole table",
  boardName: (title: string, step: number) => `Board of ${title} after step ${step}, seen from above`,
  slider: "Step",
  of: (step: number, count: number) => `${step} of ${count}`,
  at: (when: string, step: number, count: number) => `Step ${step} of ${count}, ${when}`,
  when: (turn: number, side: string, phase: string) => [turnNumber(turn), side, phase].filter((part) => part !== "").join(" · "),
  nothing: "Nothing to show.",
  forward: "Next step",
  backward: "Previous step",
  nextTurn: "Next turn",
  lastTurn: "Previous turn",
  play: "Play",
  pause: "Pause",
  photo: "Photo of the table at that time",
  openPhoto: "Open the photo of the table at that time",
  close: "Close",
  show: "Show",
  showEvent: (seq: number) => `Show the table at event ${seq}`,

  share: "Short report to share",
  shareHint: "Four pictures with a few sentences each, for your group chat",
  making: "Drawing four pictures…",
  shareNow: "Share",
  keep: "Save pictures",
  copy: "Copy the text",
  copied: "The text is copied",
  saved: (count: number) => (count === 1 ? "1 picture is saved" : `${count} pictures are saved`),
  map: "Map",
  ownPhoto: "Photo",
  pictureOf: (number: number) => `Picture ${number}`,
};
