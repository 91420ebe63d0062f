import { signal } from "@preact/signals";
import type { BegunOut } from "../../schema";

export const begun = signal<BegunOut | null>(null); // the last game started here
