// The effect of Back on the game screen.

import { unitId } from "../../game";
import { draft, pane, pick, result, setAside } from "../../play";
import { extras } from "./extras";
import { openPane } from "./panes";

// Close the last thing that was opened; false where nothing is open.
export function closeLast(): boolean {
  if (extras.find(({ id }) => id === pane.value)?.back?.()) return true;
  if (pane.value !== "turn") openPane("turn");
  else if (draft.value !== null) setAside();
  else if (unitId.value !== null) pick(null);
  else if (result.value !== null) result.value = null;
  else return false;
  return true;
}
