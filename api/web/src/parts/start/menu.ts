// Preparations before the first turn have two entries in the game's menu. Their sheets are fetched when they are
// opened.

import { effect } from "@preact/signals";
import { game, isReferee } from "../../game";
import { pane } from "../../play";
import { words } from "../../words";
import { extras, type Extra } from "../game/extras";
import { openPane } from "../game/panes";
import { later } from "../Later";
import { begun } from "./begun";

const overlayEntry: Extra = {
  id: "overlay",
  icon: "map",
  label: words.entries.overlay,
  shown: () => false,
  inMenu: () => isReferee.value && (game.value?.board.cells.length ?? 0) > 0,
  Sheet: later(() =>
    import("./of-games").then((part) => {
      overlayEntry.tap = part.tapOverlay;
      return part.OverlaySheet;
    }),
  ),
  bare: true,
};

extras.push(
  {
    id: "prepare",
    icon: "flag",
    label: words.entries.prepare,
    shown: () => false,
    inMenu: () => true,
    Sheet: later(() => import("./of-games").then((part) => part.PrepareSheet)),
  },
  overlayEntry,
);

// It opens automatically after a game was started here.
let opened = "";
effect(() => {
  const id = game.value?.id;
  if (id === undefined || id !== begun.value?.id || opened === id) return;
  opened = id;
  window.setTimeout(() => pane.peek() === "turn" && openPane("prepare"), 0);
});
