// What other parts add to the game screen: an entry of the bar with a sheet of its own, which may take touches on the board.

import type { JSX } from "preact";
import type { Tapped } from "../../gameboard";
import type { IconName } from "../icons";

export interface Extra {
  id: string; // also the name of its pane
  icon: IconName;
  label: string;
  shown: () => boolean;
  Sheet: () => JSX.Element | null;
  Over?: () => JSX.Element | null; // always there, among the news
  tap?: (tapped: Tapped) => boolean; // whether it took the touch, while its sheet is open
  opened?: () => void;
  closed?: () => void;
}

export const extras: Extra[] = [];
