// The words of the parts that are loaded first, by area; parts that are loaded later import their own. A translation is
// other objects of these shapes.

import { computer } from "./computer";
import { entries } from "./entries";
import { game } from "./game";
import { home } from "./home";
import { join } from "./join";
import { measure } from "./measure";
import { photo } from "./photo";
import { replay } from "./replay";
import { legend, rules } from "./rules";
import { seats } from "./seats";
import { tour } from "./tour";

export const words = { computer, entries, game, home, join, legend, measure, photo, replay, rules, seats, tour };
