// Extensions of the game screen by other parts: an entry of the bar with its sheet, which may take touches on the
// board.

import type { JSX } from "preact";
import type { Ghost, Tapped } from "../../boardview";
import type { Place } from "../../geometry";
import type { IconName } from "../icons";

export interface Extra {
  id: string; // also the name of its pane
  icon: IconName;
  label: string;
  shown: () => boolean;
  inMenu?: () => boolean; // whether the menu has an entry for it
  Sheet: (props: object) => JSX.Element | null;
  Over?: () => JSX.Element | null; // always there, among the news
  bare?: boolean; // its sheet uses the board alone: targets are not marked there meanwhile
  spare?: (tapped: Tapped) => boolean; // whether it takes a touch beside everything else, while its sheet is closed
  tap?: (tapped: Tapped) => boolean; // whether it took the touch, while its sheet is open
  holds?: { ghost: () => Ghost | null; moveTo: (to: Place) => void }; // on the board, instead of an action's pieces, meanwhile
  back?: () => boolean; // close the last thing that was opened in its sheet; false where nothing is open
  opened?: () => void;
  closed?: () => void;
}

export const extras: Extra[] = [];
