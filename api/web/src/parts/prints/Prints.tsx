// Sheets to print: a game's own, frame markers for any table, tags by number, the board for calibrating.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { ask } from "../../client";
import { enter, games, seated } from "../../device";
import type { SheetOut } from "../../schema";
import { go, leave } from "../../screens";
import { guarded } from "../../shell";
import { unit } from "../../units";
import { prints as say } from "../../words/prints";
import { Icon } from "../icons";
import { LengthField, NumberField } from "../start/NumberField";
import { PageHead } from "../start/PageHead";
import { paper, PaperChips, printsOf } from "./paper";
import { PrintLink } from "./PrintLink";
import "../start/start.css";
import "./prints.css";

const TABLE = { least: 8, most: 240 };
const MARKER = { least: 1, most: 7 };
const TAG = { least: 0.3, most: 4 };
const FAMILIES = { DICT_APRILTAG_25h9: 35, DICT_APRILTAG_36h11: 587 } as const;
type Family = keyof typeof FAMILIES;
const MOST_AT_ONCE = 600;

export function Prints(): JSX.Element {
  useEffect(() => {
    void guarded(enter).then(() => seated.value || go({ name: "home" }, true));
  }, []);
  return (
    <main class="home plain-page prints-page">
      <PageHead title={say.title} lead={say.lead} back={say.back} act={() => leave({ name: "home" })} />
      <h2>{say.paper}</h2>
      <PaperChips label={say.paper} names={say.papers} />
      <Own />
      <Markers />
      <Tags />
      <section>
        <h2>{say.board}</h2>
        <p class="hint-line">{say.boardHint}</p>
        <PrintLink path={`/prints/board.pdf?paper=${paper.value}`} label={say.getBoard} test="get-board" />
        <button class="quiet-button" onClick={() => go({ name: "camera" })} data-test="prints-to-camera">
          {say.toCamera}
        </button>
      </section>
      <Others />
      <section class="way ruler-check" data-test="checks">
        <h2>
          <Icon name="ruler" /> {say.check}
        </h2>
        <ol class="advice">
          {say.checks.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ol>
      </section>
    </main>
  );
}

function Own(): JSX.Element | null {
  const all = games.value ?? [];
  const chosen = all.find((one) => one.id === printsOf.value) ?? all[0];
  if (chosen === undefined) return null;
  const path = `/games/${encodeURIComponent(chosen.id)}/prints`;
  return (
    <section>
      <h2>{say.own}</h2>
      <p class="hint-line">{say.ownHint}</p>
      <label class="field">
        <span>{say.game}</span>
        <select value={chosen.id} data-test="prints-game" onChange={(event) => (printsOf.value = event.currentTarget.value)}>
          {all.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <div class="choices pair" key={chosen.id}>
        <PrintLink path={`${path}/markers.pdf?paper=${paper.value}&unit=${unit.value}`} label={say.ownMarkers} test="own-markers" />
        <PrintLink path={`${path}/tags.pdf?paper=${paper.value}&unit=${unit.value}`} label={say.ownTags} test="own-tags" />
      </div>
    </section>
  );
}

function Others(): JSX.Element | null {
  const all = useSignal<SheetOut[]>([]);
  useEffect(() => {
    void guarded(async () => {
      all.value = await ask<SheetOut[]>("GET", "/prints/sheets");
    });
  }, []);
  if (all.value.length === 0) return null;
  return (
    <section>
      <h2>{say.others}</h2>
      {all.value.map(({ id, title, says }) => (
        <PrintLink key={id} path={`/prints/sheets/${encodeURIComponent(id)}.pdf?paper=${paper.value}&unit=${unit.value}`} label={title} hint={says} test={`sheet-${id}`} />
      ))}
    </section>
  );
}

const outside = (value: number | null, { least, most }: { least: number; most: number }, mark = "″"): string =>
  value !== null && value >= least && value <= most ? "" : say.range(least, most, mark);

function Markers(): JSX.Element {
  const width = useSignal<number | null>(36);
  const depth = useSignal<number | null>(36);
  const size = useSignal<number | null>(3);
  const faults = [outside(width.value, TABLE), outside(depth.value, TABLE), outside(size.value, MARKER)];
  const wish = new URLSearchParams({ width: `${width.value}`, depth: `${depth.value}`, size: `${size.value}`, paper: paper.value, unit: unit.value });
  return (
    <section>
      <h2>{say.markers}</h2>
      <p class="hint-line">{say.markersHint}</p>
      <div class="number-row">
        <LengthField label={say.width} value={width.value} step={6} {...TABLE} test="width" fault={faults[0] ?? ""} put={(next) => (width.value = next)} />
        <LengthField label={say.depth} value={depth.value} step={6} {...TABLE} test="depth" fault={faults[1] ?? ""} put={(next) => (depth.value = next)} />
        <LengthField label={say.size} value={size.value} step={0.5} {...MARKER} test="marker-size" fault={faults[2] ?? ""} put={(next) => (size.value = next)} />
      </div>
      <PrintLink path={`/prints/markers.pdf?${wish}`} label={say.getMarkers} test="get-markers" off={faults.some(Boolean)} />
    </section>
  );
}

function Tags(): JSX.Element {
  const family = useSignal<Family>("DICT_APRILTAG_25h9");
  const count = useSignal<number | null>(24);
  const first = useSignal<number | null>(0);
  const size = useSignal<number | null>(0.6);
  const all = FAMILIES[family.value];
  const firsts = { least: 0, most: all - 1 };
  const counts = { least: 1, most: Math.min(all - Math.min(first.value ?? 0, all - 1), MOST_AT_ONCE) };
  const whole = (value: number | null): number | null => (value !== null && Number.isInteger(value) ? value : null);
  const faults = [outside(whole(count.value), counts, ""), outside(whole(first.value), firsts, ""), outside(size.value, TAG)];
  const wish = new URLSearchParams({
    count: `${count.value}`, first: `${first.value}`, size: `${size.value}`, dictionary: family.value, paper: paper.value, unit: unit.value,
  });
  return (
    <section>
      <h2>{say.tags}</h2>
      <p class="hint-line">{say.tagsHint}</p>
      <div class="chips" role="group" aria-label={say.family}>
        {(Object.keys(FAMILIES) as Family[]).map((one) => (
          <button key={one} class="chip" aria-pressed={family.value === one} data-test={`family-${one.slice(-4)}`} onClick={() => (family.value = one)}>
            {say.families[one]}
          </button>
        ))}
      </div>
      <p class="hint-line">{say.familyHint[family.value]}</p>
      <div class="number-row">
        <NumberField label={say.count} value={count.value} step={1} {...counts} test="tag-count" fault={faults[0] ?? ""} put={(next) => (count.value = next)} />
        <NumberField label={say.first} value={first.value} step={1} {...firsts} test="tag-first" fault={faults[1] ?? ""} put={(next) => (first.value = next)} />
        <LengthField label={say.tagSize} value={size.value} step={0.1} {...TAG} test="tag-size" fault={faults[2] ?? ""} put={(next) => (size.value = next)} />
      </div>
      <PrintLink path={`/prints/tags.pdf?${wish}`} label={say.getTags} test="get-tags" off={faults.some(Boolean)} />
    </section>
  );
}
