// The report of a game.

export const report = {
  title: "Report",
  soFar: "Report so far",
  back: "Back to the game",
  loading: "Reading the game’s log…",
  own: "This report also tells what only your side may know until the game is over: keep it to yourself till then.",

  length: "How much",
  lengths: { short: "Short", full: "Full" },
  lengthHints: {
    short: "The beginning, the moments that you choose, the end: about four paragraphs and four pictures.",
    full: "Turn by turn, with a map for every turn, the luck of the dice, losses and the end.",
  },
  named: "Title",

  moments: "Key moments",
  momentsHint: "Ticked moments are included. The percentage says how much a moment changed.",
  noMoments: "Nothing has weighed much yet. Moments come with the first losses and lucky dice.",
  chosen: (kept: number, all: number) => `${kept} of ${all} are told`,
  weight: (share: number) => `weighs ${(100 * share).toFixed(1)} %`,
  allMoments: (hidden: number) => (hidden === 1 ? "Show one more" : `Show ${hidden} more`),
  propose: "As proposed",

  turns: "Turns",
  turnsHint: "Your own words stand with the turn’s map. In the short report a turn with your words is told too.",
  noteHint: "Noted in the game, quoted as it stands",
  write: "Write your own words",
  yours: "Your words",
  momentWords: (number: number) => `Your words on moment ${number}`,
  turnWords: (turn: string) => `Your words on: ${turn}`,
  marks: "*italic*, **bold**, - lists. Kept on this phone until you make the report.",

  files: "Files",
  filesHint: "They hold the game as it stands now.",
  file: {
    html: { name: "Web page", hint: "One file with all maps, for phone, screen and print" },
    pdf: { name: "PDF", hint: "A4, to print and to hand on" },
    zip: { name: "Blog", hint: "Zip with numbered pictures, captions and the post" },
    markdown: { name: "Markdown", hint: "The words alone; the pictures that it names are in the blog’s zip" },
    geojson: { name: "GeoJSON", hint: "Everything on the table, in table inches" },
    uvtt: { name: "Universal VTT map", hint: "For playing on from afar, pieces drawn in" },
    ground: { name: "Universal VTT, ground alone", hint: "For tokens that are moved in the virtual tabletop" },
    log: { name: "The game’s log", hint: "Every event, to keep and to load again" },
    csv: { name: "Log as a table", hint: "An event a row, for a spreadsheet (CSV)" },
    observation: { name: "Observation", hint: "What the last photo shows, with your corrections, as JSON" },
    picture: { name: "Board picture", hint: "The whole game on one sheet (SVG)" },
  },
  making: "Drawing…",
  kept: (file: string) => `${file} is ready`,

  preview: "Preview",
  previewing: "Drawing…",
  previewName: "Preview of the report",
  close: "Close the preview",
  toFiles: "Files",
};
