// Labels of entries to parts that are loaded later, and a base's outlines.

export const entries = {
  overlay: "Lay the grid",
  prepare: "Before the first turn",
  shape: "Shape",
  shapes: { rect: "Rectangle", round: "Round", oval: "Oval" },
};
