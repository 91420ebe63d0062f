import { readFileSync } from "node:fs";
import { lensOf } from "LENS";
const wishes = JSON.parse(readFileSync(0, "utf8"));
const answers = wishes.map(({ lens, points, pixels, line, hill, closed, z }) => {
  const made = lensOf(lens);
  const height = ([x]) => (x > hill ? 1 : 0);
  return {
    points: points.map((point) => made.project(point)),
    pixels: pixels.map((pixel) => made.tableAt(pixel, z)),
    lines: made.lines(line, height, closed),
    area: made.area(line, height),
  };
});
console.log(JSON.stringify(answers));
