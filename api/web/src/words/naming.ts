// The words of naming corners, loaded with it.

export const naming = {
  title: "Name the corners",
  photo: "The photo, with the corners to drag",
  hint: "Drag each corner of the rectangle to its place, also beyond the photo's edge.",
  corners: ["Near left", "Near right", "Far right", "Far left"],
  size: "The rectangle",
  table: (width: number, depth: number) => `The whole table${width > 0 ? `, ${width} × ${depth}″` : ""}`,
  listed: (name: string, width: number, depth: number) => (/^\d+x\d+$/.test(name) ? `${width} × ${depth}″` : name.endsWith("cm") ? name.replace("x", " × ").replace("cm", " cm") : name === "A4" ? "A4, long side along the near edge" : "A4, upright"),
  other: "Another size, or one known length",
  width: "Width, along the near edge",
  depth: "Depth",
  oneSide: "Leave one empty if you know only the other.",
  middle: "It is in the middle of the table",
  place: ["From the left edge", "From the near edge"],
  turn: "Next near edge",
  snap: "Snap to lines",
  guess: "Suggested corners",
  before: "As in the last photo",
  checking: "Checking the corners…",
  worth: (middle: number, worst: number) => `Places are known to ± ${Math.max(0.1, middle).toFixed(1)}″ in the middle of the table and ± ${Math.max(0.1, worst).toFixed(1)}″ where it is worst. ${worst > 0.5 ? "Closer rulings will be too close to call." : ""}`,
  read: "Read the photo",
};
