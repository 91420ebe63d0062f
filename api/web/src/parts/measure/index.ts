// Measuring is an entry of the game screen: a sheet, a layer on the board, a strip of others' measurements.

import { mapSurface, sightTouched, touched } from "./layer";
import { pickLine, tab } from "../../measure";
import { unitId } from "../../game";
import { words } from "../../words";
import { extras } from "../game/extras";
import { gameBoard } from "../game/GameMap";
import { openPane } from "../game/panes";
import { MeasureSheet } from "./MeasureSheet";
import { Over } from "./Over";
import "./measure.css";

extras.push({
  id: "measure",
  icon: "ruler",
  label: words.measure.entry,
  shown: () => true,
  Sheet: MeasureSheet,
  Over,
  bare: true,
  spare: ({ at }) => {
    const board = gameBoard();
    const sight = board === null ? null : sightTouched(mapSurface(board), at);
    if (sight === null) return false;
    openPane("measure");
    tab.value = "unit";
    pickLine(sight);
    return true;
  },
  tap: ({ at }) => {
    const board = gameBoard();
    if (board === null) return false;
    const surface = mapSurface(board);
    const screen = surface.screenOf(at);
    if (screen !== null) void touched(surface, screen);
    return true;
  },
  opened: () => {
    if (unitId.value !== null && tab.value === "tool") tab.value = "unit";
  },
});
