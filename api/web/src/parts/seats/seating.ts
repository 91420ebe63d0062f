// The seats of one game, and the host's actions on them.

import { batch, computed, signal } from "@preact/signals";
import { ask, newId } from "../../client";
import { enter, device, keptName } from "../../device";
import type { DoneOut, GameOut, InvitedOut, PlayersWish, SeatOut, SeatsOut } from "../../schema";
import { words } from "../../words";

export const seatsOf = signal<SeatsOut | null>(null);
export const invited = signal<InvitedOut | null>(null); // the invitation on the screen; only here is its secret known
export const again = signal(""); // the label of the seat with the lost phone that it is for

const at = (id: string): string => `/games/${encodeURIComponent(id)}`;

export function openSeats(id: string): void {
  if (shownOf === id) return;
  shownOf = id;
  batch(() => {
    seatsOf.value = invited.value = null;
    again.value = "";
  });
}
let shownOf = "";

// Load the present seats; for a host all of them, for others only whether the own one still exists.
export async function look(id: string, hosts: boolean): Promise<void> {
  if (hosts) seatsOf.value = await ask<SeatsOut>("GET", `${at(id)}/seats`);
  else await ask("GET", `${at(id)}/me`);
}

let sat = new Set<string>(); // seats that others had before the invitation was made
const show = (made: InvitedOut, whose?: SeatOut): void =>
  batch(() => {
    sat = new Set(seatsOf.value?.seats.flatMap(({ seat }) => (seat === whose?.seat ? [] : [seat])));
    invited.value = made;
    again.value = whose?.label ?? "";
    window.scrollTo({ top: 0 });
  });

// The seat that accepted the invitation on the screen; null while it is open.
export const joined = computed<SeatOut | "nobody" | null>(() => {
  const [made, now] = [invited.value, seatsOf.value];
  if (made === null || now === null || now.invitations.some(({ invitation }) => invitation === made.invitation)) return null;
  const roles = made.roles.join();
  return now.seats.find((one) => !one.revoked && !sat.has(one.seat) && one.roles.join() === roles) ?? "nobody";
});

export async function invite(id: string, roles: string[]): Promise<void> {
  const made = await ask<InvitedOut>("POST", `${at(id)}/invitations`, { roles });
  await look(id, true);
  show(made);
}

export async function inviteAgain(id: string, seat: SeatOut): Promise<void> {
  const made = await ask<InvitedOut>("POST", `${at(id)}/seats/${seat.seat}/invitations`);
  await look(id, true);
  show(made, seat);
}

export async function withdraw(id: string, invitation: string): Promise<void> {
  await ask("DELETE", `${at(id)}/invitations/${invitation}`);
  if (invited.value?.invitation === invitation) invited.value = null;
  await look(id, true);
}

export async function assign(id: string, seat: string, roles: string[]): Promise<void> {
  await ask("PUT", `${at(id)}/seats/${seat}`, { roles });
  await look(id, true);
}

export async function revoke(id: string, seat: string): Promise<void> {
  await ask("DELETE", `${at(id)}/seats/${seat}`);
  await look(id, true);
}

export async function playAs(id: string, roles: string[]): Promise<void> {
  const label = keptName() || device.value?.label || words.seats.role("host");
  await ask("PUT", `${at(id)}/me`, { roles: ["host", ...roles], label });
  await enter();
  await look(id, true);
}

export async function leave(id: string): Promise<void> {
  await ask("POST", `${at(id)}/leave`);
  await enter();
}

export const whoPlays = signal<GameOut | null>(null); // the game, for the sides that computers play

export async function lookWhoPlays(id: string): Promise<void> {
  whoPlays.value = await ask<GameOut>("GET", at(id));
}

export async function letPlay(id: string, computers: Record<string, string>): Promise<void> {
  await ask<DoneOut>("POST", `${at(id)}/computers`, { id: newId(), computers } satisfies PlayersWish);
  await lookWhoPlays(id);
}
