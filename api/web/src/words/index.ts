// Every word that the page says, by area: a translation is another object of this shape.

import { camera } from "./camera";
import { computer } from "./computer";
import { game } from "./game";
import { home } from "./home";
import { join } from "./join";
import { learnt } from "./learnt";
import { measure } from "./measure";
import { photo } from "./photo";
import { prints } from "./prints";
import { programs } from "./programs";
import { replay } from "./replay";
import { report } from "./report";
import { legend, rules } from "./rules";
import { seats } from "./seats";
import { overlay, start } from "./start";
import { tour } from "./tour";

export const words = { camera, computer, game, home, join, learnt, legend, measure, overlay, photo, prints, programs, replay, report, rules, seats, start, tour };
