// Where the units' names stand on the map: beside their units, on the side where they hide the least.

import { area, around, boxOf, overlap, type Box, type Point } from "./geometry";
import type { BaseOut, TableOut, UnitOut } from "./schema";

const HALF_HEIGHT_PX = 12.5;
const HALF_LETTER_PX = 4.5;
const HALF_PADDING_PX = 9;
const HALF_MARK_PX = 8;
const GAP_PX = 5;

export interface Name {
  unit: UnitOut;
  lead: BaseOut; // the unique base, or the first one seen
  at: Point;
}

// `marked` tells whether a unit's name carries the mark of a verdict, which makes it wider.
export function namesOf(table: TableOut, pxPerInch: number, marked: (unit: string) => boolean): Name[] {
  const boxes = new Map(table.bases.map((base) => [base, boxOf(base.outline)]));
  const whole: Box = [0, 0, table.table.width, table.table.depth];
  const taken: Box[] = [];
  const sum = (box: Box, others: Box[]): number => others.reduce((all, other) => all + overlap(box, other), 0);
  return table.units.flatMap((unit) => {
    const bases = table.bases.filter((base) => base.unit === unit.id);
    const lead = bases.find((base) => base.unique) ?? bases[0];
    if (!lead) return [];
    const halfWidth = HALF_PADDING_PX + HALF_LETTER_PX * unit.id.length + (marked(unit.id) ? HALF_MARK_PX : 0);
    const half: Point = [halfWidth / pxPerInch, HALF_HEIGHT_PX / pxPerInch];
    const others = [...boxes].filter(([base]) => base.unit !== unit.id).map(([, box]) => box);
    const cost = (box: Box): number => sum(box, others) + 3 * sum(box, taken) + 10 * (area(box) - overlap(box, whole));
    const own = boxOf(bases.flatMap((base) => base.outline));
    const box = around(own, half, GAP_PX / pxPerInch).reduce((best, one) => (cost(one) < cost(best) - 1e-9 ? one : best));
    taken.push(box);
    return [{ unit, lead, at: [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2] as Point }];
  });
}
