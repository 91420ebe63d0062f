import { signal } from "@preact/signals";
import type { BegunOut } from "../../schema";

export const begun = signal<BegunOut | null>(null); // the game that was begun here last
