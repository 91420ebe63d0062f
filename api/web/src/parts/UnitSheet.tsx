import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { UnitOut } from "../schema";
import { mark, showUnit, table, unitId, view } from "../store";
import { kindName, sideName, text } from "../text";
import { Icon } from "./icons";
import { Sheet } from "./Sheet";
import { Counts, ShotList } from "./ShotList";

type Tab = "out" | "in" | "state";
const tab = signal<Tab>("out");
const allRemarks = signal(false);

export function UnitSheet(): JSX.Element | null {
  const unit = table.value?.units.find((one) => one.id === unitId.value);
  if (!unit) return null;
  const shown = view.value;
  const sides = table.value?.sides.map((side) => side.id) ?? [];
  const tabs: [Tab, string, number | null][] = [
    ["out", text.outgoing, shown?.shots.filter((shot) => shot.verdict !== "no").length ?? null],
    ["in", text.incoming, shown?.incoming.filter((shot) => shot.verdict !== "no").length ?? null],
    ["state", text.state, null],
  ];
  return (
    <Sheet label={unit.id} unit={unit.id}>
      <header class="sheet-head">
        <span class={`swatch side-${sides.indexOf(unit.side) % 4}`} />
        <div class="sheet-title">
          <h2>
            {unit.id} <span class="kind">{kindName(unit.kind)}</span>
          </h2>
          <small>
            {sideName(unit.side)} · {text.found(unit.bases_found, unit.bases_expected)}
          </small>
        </div>
        {shown && <Counts shots={shown.shots} />}
        <button class="round small" aria-label={text.close} data-test="close-sheet" onClick={() => void showUnit(null)}>
          <Icon name="close" />
        </button>
      </header>
      <div class="tabs" role="tablist">
        {tabs.map(([id, name, count]) => (
          <button key={id} role="tab" aria-selected={tab.value === id} data-test={`tab-${id}`} onClick={() => (tab.value = id)}>
            {name}
            {count !== null && count > 0 && <b>{count}</b>}
          </button>
        ))}
      </div>
      <div class="sheet-body">
        {shown && <Remarks />}
        {!shown && <p class="quiet">{text.loading}</p>}
        {shown && tab.value === "out" && <ShotList shots={shown.shots} incoming={false} />}
        {shown && tab.value === "in" && <ShotList shots={shown.incoming} incoming />}
        {tab.value === "state" && <Marks unit={unit} />}
      </div>
    </Sheet>
  );
}

function Remarks(): JSX.Element | null {
  const shown = view.value;
  if (!shown) return null;
  const plain = (line: string): string => line.replace(/\s*\[[^[\]]+\]\s*$/, "");
  const warnings = [
    ...(shown.removed ? [text.removed] : []),
    ...(shown.threatened_by.length ? [text.threatened(shown.threatened_by)] : []),
    ...(shown.perhaps_threatened_by.length ? [text.perhaps(shown.perhaps_threatened_by)] : []),
    ...shown.faults,
  ];
  const quiet = [...shown.doubts, ...shown.notes];
  const all = [...warnings, ...quiet];
  if (!all.length) return null;
  return (
    <details class="remarks" open={allRemarks.value} onToggle={(event) => (allRemarks.value = event.currentTarget.open)}>
      <summary data-test="remarks">
        <Icon name="warn" />
        <span>{plain(all[0] as string)}</span>
        {all.length > 1 && <b>+{all.length - 1}</b>}
      </summary>
      <ul>
        {all.slice(1).map((line) => (
          <li key={line} class={warnings.includes(line) ? "" : "mild"}>
            {line}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Marks({ unit }: { unit: UnitOut }): JSX.Element {
  const flags = Object.keys(text.marks) as (keyof typeof text.marks)[];
  const counter = (name: "hits" | "permanent", label: string): JSX.Element => (
    <div class="counter">
      <span>{label}</span>
      <button
        class="round"
        aria-label={`${label}: ${text.fewer}`}
        disabled={unit.marks[name] === 0}
        onClick={() => void mark(unit.id, { [name]: unit.marks[name] - 1 })}
      >
        −
      </button>
      <output>{unit.marks[name]}</output>
      <button
        class="round"
        aria-label={`${label}: ${text.more}`}
        disabled={unit.marks[name] >= 99}
        onClick={() => void mark(unit.id, { [name]: unit.marks[name] + 1 })}
      >
        +
      </button>
    </div>
  );
  return (
    <div class="marks">
      <div class="chips">
        {flags.map((flag) => (
          <button
            key={flag}
            class="chip"
            aria-pressed={unit.marks[flag]}
            data-test={`mark-${flag}`}
            onClick={() => void mark(unit.id, { [flag]: !unit.marks[flag] })}
          >
            {text.marks[flag]}
          </button>
        ))}
      </div>
      {counter("hits", text.hits)}
      {counter("permanent", text.permanent)}
    </div>
  );
}
