// Where a device goes that has just taken a seat.

import { games } from "./device";
import { screenOf, type Screen } from "./screens";

// `at` is where the seat is: the server itself ("*"), a game or a table. `to` is a wish from the address: only a path
// of this page's own counts, and only for who may look everywhere.
export function landing(at: string, to: string): Screen {
  if (at === "*") return screenOf(to);
  const isTable = /^[0-9a-f]{16}$/.test(at) && !games.value?.some((one) => one.id === at);
  return isTable ? { name: "table", id: at } : { name: "game", id: at };
}
