// The rules in short and the legend are entries of the game's menu, with a sheet each that opens large enough to read.

import { words } from "../../words";
import { extras } from "../game/extras";
import { later } from "../Later";
import { stop } from "../Sheet";
import "./rules.css";

const RulesSheet = later(() => import("./sheets").then((part) => part.RulesSheet));
const LegendSheet = later(() => import("./sheets").then((part) => part.LegendSheet));

let before = stop.peek();
const reading = {
  shown: () => false,
  inMenu: () => true,
  opened: () => {
    before = stop.peek();
    stop.value = "full";
  },
  closed: () => {
    stop.value = before;
  },
};

extras.push(
  { ...reading, id: "legend", icon: "legend", label: words.legend.entry, Sheet: LegendSheet },
  { ...reading, id: "rules", icon: "book", label: words.rules.entry, Sheet: RulesSheet },
);
