// The browser's Back closes what was opened last on the game screen, and never leaves the game: one entry of the
// history is held above the game's own.

import { unitId } from "../../game";
import { draft, pane, pick, result, setAside } from "../../play";
import { openPane } from "./panes";

const HELD = { held: true };

const hold = (): void => {
  if ((window.history.state as typeof HELD | null)?.held !== true) window.history.pushState(HELD, "");
};

function closeLast(): void {
  if (pane.value !== "turn") openPane("turn");
  else if (draft.value !== null) setAside();
  else if (unitId.value !== null) pick(null);
  else result.value = null;
}

// Hold Back until the function that is returned is called.
export function holdBack(): () => void {
  const path = window.location.pathname;
  const back = (): void => {
    if (window.location.pathname !== path) return;
    closeLast();
    hold();
  };
  hold();
  window.addEventListener("popstate", back);
  return () => window.removeEventListener("popstate", back);
}
