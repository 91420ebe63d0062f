import type { JSX } from "preact";
import { addBase, correct, correcting, listing, loose, setDice, showUnit, table } from "../store";
import { kindName, sideName, text } from "../text";
import { Icon } from "./icons";
import { board } from "./MapView";
import { Sheet } from "./Sheet";

// All units of the roster; while correcting, the same list adds a base that the photo missed.
export function UnitList(): JSX.Element | null {
  const now = table.value;
  if (!now) return null;
  const adding = correcting.value;
  const pick = (unit: string): void => {
    listing.value = false;
    if (adding) void addBase(unit, board()?.centre() ?? [now.table.width / 2, now.table.depth / 2]);
    else void showUnit(unit);
  };
  return (
    <Sheet label={adding ? text.addBase : text.units}>
      <header class="sheet-head">
        <div class="sheet-title">
          <h2>{adding ? text.addBase : text.units}</h2>
          {adding && <small>{text.addBaseOf}</small>}
        </div>
        <button class="round small" aria-label={text.close} data-test="close-sheet" onClick={() => (listing.value = false)}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-body">
        {!adding && now.warnings.length > 0 && (
          <details class="remarks">
            <summary>
              <Icon name="warn" />
              <span>{text.warnings(now.warnings.length)}</span>
              <Icon name="down" />
            </summary>
            <ul>
              {now.warnings.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        )}
        {!adding && loose.value.length > 0 && (
          <button
            class="chip wide"
            onClick={() => {
              correct(true, loose.value[0]?.id ?? null);
            }}
          >
            {text.unknownBases(loose.value.length)}
          </button>
        )}
        {now.sides.map((side, index) => (
          <section key={side.id} class="roster">
            <h3>
              <span class={`swatch side-${index % 4}`} />
              {sideName(side.id)}
            </h3>
            <div class="chips">
              {now.units
                .filter((unit) => unit.side === side.id)
                .map((unit) => (
                  <button
                    key={unit.id}
                    class={`chip roomy ${unit.bases_found === 0 ? "missing" : ""}`}
                    data-test={`unit-${unit.id}`}
                    onClick={() => pick(unit.id)}
                  >
                    <b>{unit.id}</b> {kindName(unit.kind)}{" "}
                    <small>
                      {unit.bases_found === 0 ? text.notSeen : text.found(unit.bases_found, unit.bases_expected)}
                    </small>
                  </button>
                ))}
            </div>
          </section>
        ))}
        {!adding && (
          <div class="control">
            <span>{text.dice}</span>
            <div class="buttons">
              {(["d5", "d6"] as const).map((dice) => (
                <button key={dice} class="key" aria-pressed={now.dice === dice} onClick={() => void setDice(dice)}>
                  {text.diceNames[dice]}
                </button>
              ))}
            </div>
          </div>
        )}
      </div>
    </Sheet>
  );
}
