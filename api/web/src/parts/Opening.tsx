// The address of a table that was stored without a game: it opens as its game.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { go } from "../screens";
import { openTable } from "../stored";
import { text } from "../words/shared";

export function Opening({ table }: { table: string }): JSX.Element {
  useEffect(() => {
    void openTable(table, true).then((opened) => !opened && go({ name: "home" }, true));
  }, [table]);
  return (
    <main class="table-page loading">
      <p class="quiet">{text.loading}</p>
    </main>
  );
}
