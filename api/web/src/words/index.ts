// The words of what is loaded at first, by area; parts that are loaded later import theirs. A translation is other objects of these
// shapes.

import { computer } from "./computer";
import { game } from "./game";
import { home } from "./home";
import { join } from "./join";
import { measure } from "./measure";
import { photo } from "./photo";
import { replay } from "./replay";
import { legend, rules } from "./rules";
import { seats } from "./seats";
import { overlay, start } from "./start";
import { tour } from "./tour";

export const words = { computer, game, home, join, legend, measure, overlay, photo, replay, rules, seats, start, tour };
