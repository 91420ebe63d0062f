// The places of labels on the map: a label is beside its object and nearer to it than to anything else, never over
// other units' bases or another label. The report's maps follow the same rule (geometry/drawing/labels.py).

import { area, type Box, boxOf, crosses, depthIn, distanceToBox, meets, middleOf, type Point } from "./geometry";

export type Size = "full" | "bare" | "tiny" | "lone"; // with its badges, without them, in small letters, only its mark

// A form of a label, in pixels; `cost`: how much information it lacks.
export interface Cut {
  size: Size;
  wide: number;
  high: number;
  cost: number;
}

export interface Label {
  cuts: Cut[];
  own: Point[][]; // outlines of its object, in inches
  on: boolean; // it is placed on its object, such as terrain; else beside it
  must: boolean; // it is always shown, whatever it hides
}

export interface Standing {
  cut: Cut;
  at: Point; // its middle, in inches
  leader: [Point, Point] | null; // from the label to its object, where they are apart
}

interface Place {
  box: Box;
  cost: number;
}

const RINGS = [[0.1, 0], [0.6, 0.15], [1.3, 0.4], [2.3, 0.8], [3.6, 1.2]] as const; // a ring in label heights, and its cost
const FAR_RINGS = [[5.5, 2], [8, 3], [12, 4]] as const; // for labels that are always shown
const WAYS = 24; // places round a ring
const LEADER_PX = 7; // apart, a line joins a label and its object
const GAP_PX = 2; // between labels
const TOUCH_PX = 1; // a label may touch a base
const COST = { aside: 0.05, below: 0.03, oneBase: 0.02, pushed: 0.25, overOwn: 0.5, onOwn: 1, gap: 0.02, nearerToOthers: 0.5, crossing: 0.4, edge: 0.3, hidden: 8 };
const GRID = 7; // places tried along and across the object under a label
const LEAST_ON = [0.99, 0.5]; // shares of a label on its object, tried in this order

// Places labels, the first ones with the most room; one that would hide something is left out. `pieces` are the
// outlines of all bases; a label stays in the first of `frames` (inches) that contains its object, else in the last.
// None covers a handle (`held`, inches), nor the table's `edge` where there is another place.
export function placeLabels(labels: Label[], pieces: Point[][], perInch: number, frames: Box[], edge: Box, held: Box[] = []): (Standing | null)[] {
  const px = (outline: Point[]): Point[] => outline.map(([x, y]) => [x * perInch, y * perInch]);
  const scaled = (box: Box): Box => box.map((one) => one * perInch) as Box;
  const solid = new Map(pieces.map((outline) => [outline, px(outline)]));
  const taken = held.map(scaled);
  const table = scaled(edge);
  return labels.map((label) => {
    const own = label.own.map((outline) => solid.get(outline) ?? px(outline));
    const others = [...solid.values()].filter((outline) => !own.includes(outline));
    const within = frames.find((one) => inBox(middleOf(label.own.flat()), one)) ?? (frames.at(-1) as Box);
    const best = label.on ? bestOn(label, own, [...solid.values()], taken, table) : bestBeside(label, own, others, taken, scaled(within), table);
    if (best === null) return null;
    const [cut, box] = best;
    taken.push(box);
    const back = ([x, y]: Point): Point => [x / perInch, y / perInch];
    const line = label.on ? null : leaderOf(box, own);
    return { cut, at: back(middle(box)), leader: line && [back(line[0]), back(line[1])] };
  });
}

const middle = ([left, near, right, far]: Box): Point => [(left + right) / 2, (near + far) / 2];
const inBox = ([x, y]: Point, [left, near, right, far]: Box): boolean => left <= x && x <= right && near <= y && y <= far;
const boxAt = ([x, y]: Point, { wide, high }: Cut): Box => [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
const apart = (a: Box, b: Box, gap: number): boolean => a[2] + gap <= b[0] || b[2] + gap <= a[0] || a[3] + gap <= b[1] || b[3] + gap <= a[1];

// --- beside ---------------------------------------------------------------------------------------------------------

function bestBeside(label: Label, own: Point[][], others: Point[][], taken: Box[], bounds: Box, edge: Box): [Cut, Box] | null {
  const around = others.map((outline) => ({ outline, box: boxOf(outline) }));
  let best: [Cut, Box] | null = null;
  let least = Infinity;
  for (const cut of label.cuts) {
    if (cut.cost >= least) break;
    for (const { box, cost } of placesBeside(own, cut, label.must).map((one) => pushed(one, bounds))) {
      if (cut.cost + cost >= least) continue;
      const hides = taken.some((one) => !apart(box, one, GAP_PX)) || around.some((one) => covers(box, one));
      if (hides && !label.must) continue;
      const sum = cut.cost + cost + nearness(box, own, around) + (hides ? COST.hidden : 0) + (straddles(box, edge) ? COST.edge : 0);
      if (sum < least) [best, least] = [[cut, box], sum];
    }
  }
  return best;
}

interface Around {
  outline: Point[];
  box: Box;
}

const straddles = (box: Box, edge: Box): boolean => !apart(box, edge, 0) && !isInside(box, edge);
const isInside = (box: Box, [left, near, right, far]: Box): boolean => box[0] >= left && box[1] >= near && box[2] <= right && box[3] <= far;
const covers = (label: Box, { outline, box }: Around): boolean => !apart(label, box, -TOUCH_PX) && meets(outline, shrunk(label, TOUCH_PX));
const shrunk = ([left, near, right, far]: Box, by: number): Box => [left + by, near + by, right - by, far - by];

// Places around everything that a label names, and around each piece of it; finally on it.
function placesBeside(own: Point[][], cut: Cut, must: boolean): Place[] {
  const whole = boxOf(own.flat());
  const homes = [{ home: whole, rings: must ? [...RINGS, ...FAR_RINGS] : RINGS, cost: 0 }];
  if (own.length > 1) for (const outline of own) homes.push({ home: boxOf(outline), rings: RINGS.slice(0, 2), cost: COST.oneBase });
  const places = homes.flatMap(({ home, rings, cost }) =>
    rings.flatMap(([far, more]) => ringRound(home, far * cut.high, cut).map((one) => ({ box: one.box, cost: cost + more + one.cost }))),
  );
  return [...places, { box: boxAt(middle(whole), cut), cost: COST.onOwn }];
}

function ringRound(home: Box, far: number, cut: Cut): Place[] {
  const [x, y] = middle(home);
  const [reachX, reachY] = [(home[2] - home[0] + cut.wide) / 2 + far, (home[3] - home[1] + cut.high) / 2 + far];
  return Array.from({ length: WAYS }, (_, n) => {
    const angle = Math.PI / 2 + (2 * Math.PI * n) / WAYS;
    const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
    const reach = Math.min(reachX / Math.max(Math.abs(ux), 1e-9), reachY / Math.max(Math.abs(uy), 1e-9));
    return { box: boxAt([x + ux * reach, y + uy * reach], cut), cost: Math.abs(ux) * COST.aside + (uy < -1e-9 ? COST.below : 0) };
  });
}

// A place moved into bounds, where it fits there at all.
function pushed({ box, cost }: Place, bounds: Box): Place {
  const by = (low: number, high: number, from: number, to: number): number => (high - low > to - from ? 0 : Math.max(from - low, 0) + Math.min(to - high, 0));
  const [dx, dy] = [by(box[0], box[2], bounds[0], bounds[2]), by(box[1], box[3], bounds[1], bounds[3])];
  if (dx === 0 && dy === 0) return { box, cost };
  return { box: [box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy], cost: cost + COST.pushed };
}

// The cost of a place that is far from its own bases, on them, or nearer to others, or has a leader across others.
function nearness(box: Box, own: Point[][], others: Around[]): number {
  const mine = Math.min(...own.map((outline) => distanceToBox(outline, box)));
  const theirs = Math.min(Infinity, ...others.map((one) => distanceToBox(one.outline, box)));
  const over = own.some((outline) => meets(outline, shrunk(box, TOUCH_PX)));
  const leader = leaderOf(box, own);
  const crossed = leader !== null && others.some(({ outline }) => crosses(leader, outline));
  return COST.gap * mine + (theirs < mine ? COST.nearerToOthers : 0) + (over ? COST.overOwn : 0) + (crossed ? COST.crossing : 0);
}

// The line from a label to the nearest of the pieces that it names, where they are apart.
function leaderOf(box: Box, own: Point[][]): [Point, Point] | null {
  if (Math.min(...own.map((outline) => distanceToBox(outline, box))) < LEADER_PX) return null;
  const ends = own.map((outline): [Point, Point] => {
    const [x, y] = middleOf(outline);
    return [[Math.min(Math.max(x, box[0]), box[2]), Math.min(Math.max(y, box[1]), box[3])], [x, y]];
  });
  const long = ([[ax, ay], [bx, by]]: [Point, Point]): number => Math.hypot(bx - ax, by - ay);
  return ends.reduce((best, one) => (long(one) < long(best) ? one : best));
}

// --- on -------------------------------------------------------------------------------------------------------------

// The deepest place on a label's object where it hides nothing: for the whole label, else a part of it, and never off
// the table.
function bestOn(label: Label, [outline = []]: Point[][], pieces: Point[][], taken: Box[], edge: Box): [Cut, Box] | null {
  const [left, near, right, far] = boxOf(outline);
  const share = (low: number, high: number, n: number): number => low + ((n + 0.5) / GRID) * (high - low);
  const tries = Array.from({ length: GRID * GRID }, (_, n): Point => [share(left, right, n % GRID), share(near, far, Math.floor(n / GRID))]);
  const deep = [middleOf(outline), ...tries].map((at) => ({ at, depth: depthIn(outline, at) })).filter(({ depth }) => depth > 0);
  deep.sort((a, b) => b.depth - a.depth);
  const around = pieces.map((one) => ({ outline: one, box: boxOf(one) }));
  for (const least of LEAST_ON) {
    for (const cut of label.cuts) {
      for (const { at } of deep) {
        const { box } = pushed({ box: boxAt(at, cut), cost: 0 }, edge);
        const part: Box = [Math.max(box[0], left), Math.max(box[1], near), Math.min(box[2], right), Math.min(box[3], far)];
        const lies = part[2] <= part[0] || part[3] <= part[1] ? 0 : area(part) / area(box);
        if (lies < least || !isInside(box, edge) || taken.some((one) => !apart(box, one, GAP_PX)) || around.some((one) => covers(box, one))) continue;
        return [cut, box];
      }
    }
  }
  return null;
}
