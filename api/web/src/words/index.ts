// Every word that the page says, by area: a translation is another object of this shape.

import { game } from "./game";
import { home } from "./home";
import { join } from "./join";
import { measure } from "./measure";
import { report } from "./report";
import { seats } from "./seats";

export const words = { game, home, join, measure, report, seats };
