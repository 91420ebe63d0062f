// Words that all screens share; the others are in files beside this, by area: a translation is another object of this
// shape.

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
    "solving camera and table": "Working out where the camera was",
    "reading the terrain": "Reading the terrain",
    "reading unit tags": "Reading the unit tags",
    "finding bases": "Finding the bases",
    "drawing the terrain": "Drawing the terrain",
    "weighing what is open": "Preparing questions",
    "looking for markers beside units": "Looking for markers beside units",
    "laying the photo flat": "Flattening the photo",
  } as Record<string, string>,

  offline: "The server does not answer. Is the phone still on the same network?",
  tooLarge: (megabytes: number) => `This file is larger than the limit of ${megabytes} MB.`,
  failed: "That did not work",
};

export type Text = typeof en;

export const text: Text = en;

export const tableName = (file: string): string => file.replace(/(\.table)?\.toml$/, "") || file;
