// The server and this device's seats there: joining by a token or a code, the games that it may open.

import { computed, signal } from "@preact/signals";
import { ask } from "./client";
import type { GameBrief, DeviceOut, GameWish, MeOut } from "./schema";

export const device = signal<DeviceOut | null>(null);
export const games = signal<GameBrief[] | null>(null);

export const isHost = computed(() => device.value?.host ?? false);
export const seated = computed(() => isHost.value || (device.value?.seats.length ?? 0) > 0);

const NAME = "tabletop-name";
export const keptName = (): string => window.localStorage.getItem(NAME) ?? device.value?.label ?? "";
export const keepName = (name: string): void => window.localStorage.setItem(NAME, name);

export async function enter(): Promise<void> {
  device.value = await ask<DeviceOut>("GET", "/device");
  if (seated.value) games.value = await ask<GameBrief[]>("GET", "/games");
}

// Changes of a game in the list: its title, whether it is archived.
export async function changeGame(id: string, wish: Partial<GameWish>): Promise<void> {
  await ask<GameBrief>("PATCH", `/games/${encodeURIComponent(id)}`, wish);
  await enter();
}

export async function deleteGame(id: string): Promise<void> {
  await ask("DELETE", `/games/${encodeURIComponent(id)}`);
  await enter();
}

export const join = (token: string, label: string): Promise<MeOut> => joined("/join", { token, label });
export const joinByCode = (code: string, label: string): Promise<MeOut> => joined("/join/code", { code, label });

async function joined(path: string, wish: { label: string } & Record<string, string>): Promise<MeOut> {
  const me = await ask<MeOut>("POST", path, wish);
  keepName(me.label);
  await enter();
  return me;
}
