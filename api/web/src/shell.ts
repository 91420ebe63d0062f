// The frame of every screen: notices, waiting, light and dark colours, the server's properties; and how refusals are
// shown.

import { signal } from "@preact/signals";
import { ask, isLost, REACHED, Refusal } from "./client";
import type { Theme } from "./colours";
import type { HostOut } from "./schema";
import { go } from "./screens";

export interface Notice {
  kind: "error" | "info";
  title: string;
  lines: string[];
  lost?: boolean; // the server was unavailable: the notice closes automatically when it is back
}

export const host = signal<HostOut | null>(null);
export const busy = signal<{ stage: string; fraction: number } | null>(null);
export const notice = signal<Notice | null>(null);
export const theme = signal<Theme>("dark");

const THEME_KEY = "tabletop-theme";

export function start(): void {
  const kept = window.localStorage.getItem(THEME_KEY);
  const light = window.matchMedia("(prefers-color-scheme: light)").matches;
  setTheme(kept === "light" || kept === "dark" ? kept : light ? "light" : "dark", false);
  void guarded(async () => {
    host.value = await ask<HostOut>("GET", "/host");
  });
}

export function setTheme(next: Theme, keep = true): void {
  theme.value = next;
  document.documentElement.dataset["theme"] = next;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", next === "dark" ? "#11171d" : "#f4f1ea");
  if (keep) window.localStorage.setItem(THEME_KEY, next);
}

let fading = 0;

export function say(next: Notice | null): void {
  window.clearTimeout(fading);
  notice.value = next;
  if (next?.kind === "info") fading = window.setTimeout(() => (notice.value = null), 4500);
}
// A notice without a question disappears at the next touch, which reaches the map below it.
window.addEventListener("pointerdown", () => notice.value?.kind === "info" && say(null), true);
window.addEventListener(REACHED, () => notice.value?.lost && say(null));

export async function guarded(job: () => Promise<void>): Promise<boolean> {
  try {
    await job();
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say({ kind: "error", title: error.title, lines: error.message.split("\n"), lost: isLost(error) });
    return false;
  }
}

// Whether a refusal says that this device has no seat there: then show the screen where a code can be typed.
export function shownOut(error: unknown): boolean {
  if (!(error instanceof Refusal)) throw error;
  if (error.status !== 401 && error.status !== 403) return false;
  go({ name: "home" }, true);
  say({ kind: "error", title: error.title, lines: [error.message] });
  return true;
}
