// Measurements as shapes in table inches: the same ones are drawn on the map and, through its lens, on the photo.

import type { Shape } from "../../boardview";
import { openLines, within, type Point } from "../../geometry";
import type { Chip, Measured } from "../../measure";
import { lineOf } from "../../measure";
import type { Board, Length, UnitOverlays, SightLine } from "../../schema";
import { words } from "../../words";

const say = words.measure;
const LABELS_AT = [90, 60, 120, 30, 150, 75, 105]; // degrees from +x: one direction for every ring's label
const PAIR = 0.14; // inches that a line is moved aside from the one that comes back

export interface Drawn {
  board: Board;
  overlays: UnitOverlays | null;
  chips: Chip[];
  sights: SightLine[];
  line: string | null;
  measured: Measured[];
  current: number | null;
}

export function shapesOf({ board, overlays, chips, sights, line, measured, current }: Drawn): Shape[] {
  const on = (chip: Chip): boolean => chips.includes(chip);
  const found: Shape[] = [];
  if (overlays !== null) {
    if (on("arcs")) found.push(...arcs(overlays, board));
    if (on("threat")) found.push(...area(overlays.threat, "m-threat", board));
    found.push(...reaches(overlays, on, board));
    if (on("ranges")) found.push(...rings(overlays, board));
    if (on("sights")) for (const sight of sights) found.push(...sightShapes(sight, line !== null && lineOf(sight) !== line));
    const picked = sights.find((sight) => lineOf(sight) === line);
    if (picked) found.push(...picked.outlines.map((outline) => ({ line: [...outline, ...outline.slice(0, 1)], class: `m-between ${picked.verdict}` })), ...sightShapes(picked, false, true));
  }
  for (const one of [...measured].reverse()) found.push(...measurementShapes(one, one.key === current));
  return found;
}

function cased(outline: Point[], look: string, { width, depth }: Board): Shape[] {
  return openLines(outline, width, depth).flatMap((line) => [
    { line, class: `m-case ${look}` },
    { line, class: look },
  ]);
}

function area(one: { outlines: Point[][]; says: string } | null, look: string, board: Board): Shape[] {
  return (one?.outlines ?? []).flatMap((outline) => [{ outline, class: `${look} fill`, says: one?.says ?? "" }, ...cased(outline, look, board)]);
}

function arcs({ front, rear }: UnitOverlays, board: Board): Shape[] {
  const behind = (rear?.outlines ?? []).map((outline) => ({ outline, class: "m-rear fill", says: rear?.says ?? "" }));
  return [...behind, ...(front?.outlines ?? []).flatMap((outline) => cased(outline, "m-front", board))];
}

function rings({ ranges }: UnitOverlays, board: Board): Shape[] {
  return ranges.flatMap((ring, i) => {
    const lines = ring.outlines.flatMap((outline) => cased(outline, `m-ring r-${within(i, 0, 3)}`, board));
    const at = edgeOf(ring.outlines, LABELS_AT[i % LABELS_AT.length] as number, board);
    const next = ring.unit === "hexes" && ring.value === 1; // the neighbours need no label
    return at === null || next ? lines : [...lines, { at, label: say.ring(ring.value, ring.unit), class: "m-label", says: ring.says }];
  });
}

// A place on the line round a range, in about that direction, that is not the table's own edge.
function edgeOf(outlines: Point[][], degrees: number, { width, depth }: Board): Point | null {
  const all = outlines.flatMap((outline) => openLines(outline, width, depth).flat());
  if (all.length === 0) return null;
  const [mx, my] = [0, 1].map((i) => all.reduce((sum, point) => sum + (point[i] as number), 0) / all.length) as Point;
  const angle = (degrees * Math.PI) / 180;
  const along = ([x, y]: Point): number => (x - mx) * Math.cos(angle) + (y - my) * Math.sin(angle) - 0.6 * Math.abs((y - my) * Math.cos(angle) - (x - mx) * Math.sin(angle));
  return all.reduce((best, point) => (along(point) > along(best) ? point : best));
}

function reaches({ reach }: UnitOverlays, on: (chip: Chip) => boolean, board: Board): Shape[] {
  const cells = new Map(board.cells.map((cell) => [cell.id, cell]));
  return reach
    .filter(({ name }) => on(name === "best" ? "best" : "surely"))
    .flatMap(({ name, areas, cells: reached, says }) => [
      ...areas.flatMap(({ outline, holes }) => [
        { outline, holes, class: `m-reach fill ${name}`, says },
        ...cased(outline, `m-reach ${name}`, board),
      ]),
      ...reached.flatMap((one): Shape[] => {
        const cell = cells.get(one.id);
        if (cell === undefined) return [];
        const top = Math.max(...cell.outline.map(([, y]) => y));
        const at: Point = [cell.center[0], cell.center[1] + 0.68 * (top - cell.center[1])];
        return [
          { outline: cell.outline, class: `m-reach fill ${name}`, says: one.says },
          { outline: cell.outline, class: `m-reach cell ${name}` },
          { at, label: `${one.leaves === null ? "" : "⇥ "}${say.reachCell(one.moves)}`, class: "m-label small", says: one.says },
        ];
      }),
    ]);
}

// A measured thing: drawn over the pieces, since it usually is one of them.
export const thingShapes = (outline: Point[]): Shape[] => [
  { line: [...outline, ...outline.slice(0, 1)], class: "m-case m-thing" },
  { line: [...outline, ...outline.slice(0, 1)], class: "m-thing" },
];

export function sightShapes(sight: SightLine, faint = false, picked = false): Shape[] {
  const shown = sight.observed ?? sight.verdict; // a shot with a friendly observer may be fired
  const look = `m-sight ${shown} ${sight.observed ? "observed" : ""} ${faint ? "faint" : ""} ${picked ? "picked" : ""}`;
  const crosses = sight.observed ? [] : sight.blocked_at.length ? sight.blocked_at : sight.verdict === "blocked" ? [halfway(sight.points)] : [];
  const marks = crosses.map((at) => ({ at, class: `m-cross ${faint ? "faint" : ""}`, says: sight.says }));
  return [
    { line: sight.points, class: `m-case ${look}` },
    { line: sight.points, class: look, says: sight.says },
    ...marks,
  ];
}

function measurementShapes({ found }: Measured, current: boolean): Shape[] {
  const look = current ? "current" : "past";
  const ends = current ? [...found.a.outlines, ...found.b.outlines].flatMap(thingShapes) : [];
  const other = current && found.rule !== null && !sameLine(found.rule, found.plain) ? found.rule : null;
  const rule = other === null ? [] : lineShapes(other, "m-length rule");
  const two = found.sights.length > 1;
  const seen = current ? found.sights.flatMap((sight) => sightShapes({ ...sight, points: two ? aside(sight.points) : sight.points })) : [];
  const dots = current ? found.plain.line.map((at) => ({ at, class: "m-dot" })) : [];
  const label: Shape = {
    at: between(...found.plain.line, 0.5),
    label: [found.plain, ...(other === null ? [] : [other])].map(lengthOf).join(" · "),
    class: `m-label ${look}`,
    says: found.plain.says,
  };
  return [...ends, ...seen, ...rule, ...lineShapes(found.plain, `m-length ${look}`), ...dots, label];
}

const lineShapes = ({ line }: Length, look: string): Shape[] => [
  { line, class: `m-case ${look}` },
  { line, class: look },
];

const lengthOf = ({ value, unit, sigma }: Length): string => say.length(value, unit, 1.96 * sigma);

const between = (a: Point, b: Point, part: number): Point => [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
const sameLine = (a: Length, b: Length): boolean => a.unit === b.unit && Math.abs(a.value - b.value) < 0.005;

const halfway = ([a, b]: [Point, Point]): Point => between(a, b, 0.5);

// A line moved to its own right, so that the line in the other direction is beside it.
function aside([a, b]: [Point, Point]): [Point, Point] {
  const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const [dx, dy] = [((b[1] - a[1]) / long) * PAIR, ((a[0] - b[0]) / long) * PAIR];
  return [[a[0] + dx, a[1] + dy], [b[0] + dx, b[1] + dy]];
}
