// The rules in short, and the legend.

export const rules = {
  entry: "Rules in short",
  close: "Close the rules",
  none: "These rules have no short rulebook.",
  loading: "Fetching the rules…",
  from: (source: string) => `In our own words, with references to ${source}`,
  place: (place: string) => `Rulebook: ${place}`,
  headings: "Headings",
};

export const legend = {
  entry: "Legend",
  close: "Close the legend",
  lead: "What the symbols in this game mean",
  sides: "Sides",
  badges: "Marks on labels",
  units: "Units",
  pieces: "How they are drawn",
  ground: "Ground",
  marks: "On the ground",
  zones: "Places",
  lines: "Lines of sight",
  answers: "Answers",
  looks: {
    able: "Can do something now",
    own: "Selected",
    unique: "The unit’s unique base",
    front: "This side is its front",
    hidden: "Not revealed to everyone",
    spent: "Spent, or it has acted",
  },
  zoneKinds: { objective: "Objective", deployment: "Setting up", exit: "Exit", edge: "Line in the rules" },
  verdicts: { yes: "Allowed", "too-close": "Too close to call: measure it", no: "Not allowed" },
};
