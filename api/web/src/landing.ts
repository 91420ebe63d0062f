// The screen for a device that has just taken a seat.

import { games } from "./device";
import { screenOf, type Screen } from "./screens";

// `at` is the seat's place: the server itself ("*"), a game or a table. `to` is a request in the address: only a path
// of this page counts, and only for a seat that may look everywhere.
export function landing(at: string, to: string): Screen {
  if (at === "*") return screenOf(to);
  const isTable = /^[0-9a-f]{16}$/.test(at) && !games.value?.some((one) => one.id === at);
  return isTable ? { name: "table", id: at } : { name: "game", id: at };
}
