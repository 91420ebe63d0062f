// A board of squares found by its lines in the table's last photo: the server finds it, the grid is drawn there, and
// the player says which corner has the first square.

import { batch, computed, signal } from "@preact/signals";
import { ask, Refusal } from "../../client";
import type { Point } from "../../geometry";
import type { FoundOverlayOut, GridWayOut } from "../../schema";
import { corner, found, laid, lies, middle, path, says, told, turned, turnTo } from "./grid";

export const looking = signal(false);
export const notFound = signal("");

const NEAR_SQUARES = 1.5; // how near a corner's square is touched

let asked = 0;

// Closing the sheet abandons a search.
export function forget(): void {
  asked += 1;
  batch(() => {
    looking.value = false;
    notFound.value = "";
  });
}

export async function find(): Promise<void> {
  if (looking.value) return;
  const mine = (asked += 1);
  batch(() => {
    looking.value = true;
    notFound.value = "";
  });
  try {
    const board = await ask<FoundOverlayOut>("POST", `${path()}/overlay/found`);
    if (mine !== asked) return;
    batch(() => {
      found.value = told.value = board;
      laid.value = lies(board);
      corner.value = board.way;
      says.value = "";
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (mine === asked) notFound.value = error.message;
  } finally {
    if (mine === asked) looking.value = false;
  }
}

// The angle between the board's present orientation and another one.
function between(way: GridWayOut): number {
  const now = found.value?.ways[corner.value];
  return now === undefined ? 0 : Math.round((way.rotation_deg - now.rotation_deg) / 90) * 90;
}

// Move the first square to another corner: the board is turned about its middle, even if it was dragged since.
export function choose(n: number): void {
  const [way, now, about] = [found.value?.ways[n], laid.value, middle.value];
  if (way === undefined || now === null || about === null || n === corner.value) return;
  batch(() => {
    turnTo(now, about, between(way));
    corner.value = n;
  });
}

// The place of the first square in each orientation.
const corners = computed<Point[]>(() => {
  const [board, now, about] = [found.value, laid.value, middle.value];
  if (board === null || now === null || about === null) return [];
  return board.ways.map((way) => {
    const [dx, dy] = turned([now.origin[0] - about[0], now.origin[1] - about[1]], between(way));
    return [about[0] + dx, about[1] + dy];
  });
});

// A touch of a corner's square.
export function touchCorner([x, y]: Point): void {
  const away = corners.value.map(([cx, cy]) => Math.hypot(cx - x, cy - y));
  const least = Math.min(...away);
  if (least <= NEAR_SQUARES * (laid.value?.size ?? 0)) choose(away.indexOf(least));
}

// Whether it is where it was found, in any orientation.
export const asFound = computed(() => {
  const [way, board, now] = [found.value?.ways[corner.value], found.value, laid.value];
  if (way === undefined || board === null || now === null) return false;
  const turn = Math.abs(((now.turn - way.rotation_deg + 540) % 360) - 180);
  const away = Math.hypot(now.origin[0] - way.origin[0], now.origin[1] - way.origin[1]);
  return away < 0.01 && turn < 0.02 && Math.abs(now.size - board.size_in) < 0.002;
});
