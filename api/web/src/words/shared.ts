// Words that all screens share; the others lie beside this, by area: a translation is another object of this shape.

export const en = {
  name: "Tabletop",
  loading: "Loading…",
  close: "Close",
  light: "Light colours",
  dark: "Dark colours",

  reading: "Reading the photo",
  stages: {
    "opening the photo": "Opening the photo",
    "looking for the frame markers": "Looking for the frame markers",
    "solving camera and table": "Solving camera and table",
    "reading the terrain": "Reading the terrain",
    "reading unit tags": "Reading the unit tags",
    "finding bases": "Finding the bases",
    "drawing the terrain": "Drawing the terrain",
    "weighing what is open": "Weighing what is open",
    "looking for markers beside units": "Looking for markers beside units",
    "laying the photo flat": "Laying the photo flat",
  } as Record<string, string>,

  offline: "The server does not answer. Is the phone still in the same network?",
  tooLarge: (megabytes: number) => `This file has more than ${megabytes} MB, the most that is taken.`,
  failed: "That did not work",
};

export type Text = typeof en;

export const text: Text = en;

export const tableName = (file: string): string => file.replace(/(\.table)?\.toml$/, "") || file;
