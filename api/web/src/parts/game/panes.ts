// The sheet below the board: opening one closes the one before.

import { pane } from "../../play";
import { extras } from "./extras";

export function openPane(next: string): void {
  const to = pane.value === next ? "turn" : next;
  if (to === pane.value) return;
  extras.find((one) => one.id === pane.value)?.closed?.();
  pane.value = to;
  extras.find((one) => one.id === to)?.opened?.();
}
