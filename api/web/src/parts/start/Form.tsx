// A table from nothing: its size, two sides with their rims' colours, and units, most of them by one tap.

import type { JSX } from "preact";
import { start as say } from "../../words/start";
import { Icon } from "../icons";
import { ShapeChips } from "../ShapeChips";
import {
  addUnit, change, changeSide, changeUnit, copyUnit, form, kinds, kindOf, names, openUnit, removeUnit, usual, type FormUnit,
} from "./blank";
import { Fault, LengthField, NumberField } from "./NumberField";
import { clearFault, faultOf, faults, tableSizes } from "./starting";

const TABLE = { least: 12, most: 480, step: 6 };
const BASES = { least: 1, most: 60, step: 1 };
const BASE = { least: 0.25, most: 24, step: 0.25 };
const LONGEST = 40;

export function Form(): JSX.Element {
  const now = form.value;
  const size = (width: number | null, depth: number | null): void => {
    clearFault("form.width_in", "form.depth_in", "form.frame");
    change({ width, depth });
  };
  return (
    <>
      <section>
        <h2>{say.size}</h2>
        <div class="chips" role="group" aria-label={say.size}>
          {tableSizes.value.map(([width, depth]) => (
            <button key={`${width}x${depth}`} class="chip" aria-pressed={now.width === width && now.depth === depth} data-test={`size-${width}x${depth}`} onClick={() => size(width, depth)}>
              {say.sizes(width, depth)}
            </button>
          ))}
        </div>
        <div class="number-row">
          <LengthField label={say.width} value={now.width} {...TABLE} test="form-width" fault={faultOf("form.width_in")} put={(width) => size(width, now.depth)} />
          <LengthField label={say.depth} value={now.depth} {...TABLE} test="form-depth" fault={faultOf("form.depth_in")} put={(depth) => size(now.width, depth)} />
        </div>
      </section>
      <section>
        <h2>{say.sides}</h2>
        {[0, 1].map((n) => (
          <SideCard key={n} n={n} />
        ))}
        <Fault text={faultOf("form.sides")} id="form-sides-fault" />
        <Fault text={faultOf("form.units")} id="form-units-fault" />
        <p class="fact-line" aria-live="polite" data-test="form-count">{counted()}</p>
      </section>
      <section>
        <h2>{say.marks}</h2>
        {(["markers", "tags"] as const).map((what) => (
          <div key={what}>
            <button
              class="chip"
              aria-pressed={now[what]}
              data-test={`with-${what}`}
              onClick={() => {
                clearFault("form.frame", "form.tags");
                change({ [what]: !now[what] });
              }}
            >
              {say[what]}
            </button>
            <p class="hint-line">{say[`${what}Hint`]}</p>
          </div>
        ))}
        <Fault text={[faultOf("form.frame"), faultOf("form.tags"), faultOf("form")].filter(Boolean).join(" ")} id="form-marks-fault" />
      </section>
    </>
  );
}

function counted(): string {
  const { units } = form.value;
  const bases = units.reduce((sum, unit) => sum + (usual(unit).bases ?? 0), 0);
  return say.count(units.length, bases, names.value.map((name, n) => say.sideCount(name, units.filter(({ side }) => side === n).length)));
}

function SideCard({ n }: { n: number }): JSX.Element {
  const side = form.value.sides[n];
  if (side === undefined) return <></>;
  const fault = faultOf(`form.sides.${n}.id`);
  return (
    <div class="side-card" data-test={`side-${n}`}>
      <label class={`field ${fault ? "faulty" : ""}`}>
        <span>{say.side(n + 1)}</span>
        <input
          value={side.id}
          maxLength={LONGEST}
          autocomplete="off"
          aria-invalid={fault !== ""}
          aria-describedby={fault ? `side-${n}-fault` : undefined}
          data-test={`side-name-${n}`}
          onInput={(event) => {
            clearFault(`form.sides.${n}.id`, "form.sides", "form.units");
            changeSide(n, { id: event.currentTarget.value });
          }}
        />
      </label>
      <Fault text={fault} id={`side-${n}-fault`} />
      <div class="rim-row">
        <button class="chip" aria-pressed={side.painted} data-test={`painted-${n}`} onClick={() => changeSide(n, { painted: !side.painted })}>
          {say.painted}
        </button>
        {side.painted && (
          <input type="color" value={side.rim} aria-label={say.rim(side.id)} data-test={`rim-${n}`} onInput={(event) => changeSide(n, { rim: event.currentTarget.value })} />
        )}
      </div>
      <Fault text={faultOf(`form.sides.${n}.rim`)} id={`rim-${n}-fault`} />
      <ul class="unit-list" aria-label={say.unitsOf(side.id)}>
        {form.value.units.map((unit, at) => unit.side === n && <UnitCard key={unit.key} unit={unit} at={at} />)}
      </ul>
      {!form.value.units.some((unit) => unit.side === n) && <p class="hint-line">{say.none}</p>}
      <div class="add-kinds" role="group" aria-label={say.unitsOf(side.id)}>
        {kinds.value.map((one) => (
          <button
            key={one.kind}
            class="chip"
            aria-label={say.add(one.title, side.id)}
            data-test={`add-${n}-${one.kind}`}
            onClick={() => {
              clearFault("form.units");
              addUnit(n, one.kind);
            }}
          >
            <Icon name="plus" />
            {one.title}
          </button>
        ))}
      </div>
    </div>
  );
}

function UnitCard({ unit, at }: { unit: FormUnit; at: number }): JSX.Element {
  const mine = `form.units.${at}`;
  const wrong = Object.keys(faults.value).some((where) => where.startsWith(`${mine}.`));
  const open = openUnit.value === unit.key || wrong;
  const { bases } = usual(unit);
  return (
    <li class={`unit-card ${wrong ? "faulty" : ""}`} data-test={`unit-${at}`}>
      <div class="unit-row">
        <button class="unit-open" aria-expanded={open} title={say.change(unit.id)} data-test={`open-${at}`} onClick={() => (openUnit.value = openUnit.value === unit.key ? null : unit.key)}>
          <strong>{unit.id || "–"}</strong>
          <small>{say.unitLine(kindOf(unit.kind)?.title ?? unit.kind, say.bases(bases))}</small>
        </button>
        <button class="round small" aria-label={say.copy(unit.id)} data-test={`copy-${at}`} onClick={() => later(() => copyUnit(unit))}>
          <Icon name="plus" />
        </button>
        <button class="round small" aria-label={say.remove(unit.id)} data-test={`remove-${at}`} onClick={() => later(() => removeUnit(unit.key))}>
          <Icon name="trash" />
        </button>
      </div>
      {open && <UnitFields unit={unit} mine={mine} at={at} />}
    </li>
  );
}

// Errors refer to a unit's place in the list: when places change, they are requested again.
function later(act: () => void): void {
  clearFault(...Object.keys(faults.value).filter((where) => where.startsWith("form.units")));
  act();
}

function UnitFields({ unit, mine, at }: { unit: FormUnit; mine: string; at: number }): JSX.Element {
  const shown = usual(unit);
  const put = (part: Partial<FormUnit>, ...cleared: string[]): void => {
    clearFault(...cleared.map((one) => `${mine}.${one}`), "form.units", "form.tags");
    changeUnit(unit.key, part);
  };
  const nameFault = faultOf(`${mine}.id`);
  const sizeFault = [faultOf(`${mine}.width_in`), faultOf(`${mine}.unique`)].filter(Boolean).join(" ");
  return (
    <div class="unit-more">
      <label class={`field ${nameFault ? "faulty" : ""}`}>
        <span>{say.unitName}</span>
        <input
          value={unit.id}
          maxLength={LONGEST}
          autocomplete="off"
          aria-invalid={nameFault !== ""}
          aria-describedby={nameFault ? `unit-${at}-fault` : undefined}
          data-test={`unit-name-${at}`}
          onInput={(event) => put({ id: event.currentTarget.value }, "id")}
        />
      </label>
      <Fault text={nameFault} id={`unit-${at}-fault`} />
      <div class="two">
        <label class="field">
          <span>{say.kind}</span>
          <select value={unit.kind} data-test={`unit-kind-${at}`} onChange={(event) => put({ kind: event.currentTarget.value, bases: undefined, width: undefined, depth: undefined }, "kind", "bases", "width_in", "depth_in")}>
            {kinds.value.map((one) => (
              <option key={one.kind} value={one.kind}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{say.fights}</span>
          <select value={String(unit.side)} data-test={`unit-side-${at}`} onChange={(event) => put({ side: Number(event.currentTarget.value) }, "side")}>
            {names.value.map((name, n) => (
              <option key={n} value={String(n)}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Fault text={[faultOf(`${mine}.kind`), faultOf(`${mine}.side`)].filter(Boolean).join(" ")} id={`unit-kind-${at}-fault`} />
      <ShapeChips now={unit.shape} put={(shape) => put({ shape }, "shape", "width_in", "depth_in")} test={(shape) => `unit-${shape}-${at}`} />
      <div class="number-row">
        <NumberField label={say.basesWord} value={shown.bases} {...BASES} test={`unit-bases-${at}`} fault={faultOf(`${mine}.bases`)} put={(bases) => put({ bases }, "bases")} />
        <LengthField label={unit.shape === "round" ? say.diameter : say.baseWidth} value={shown.width} {...BASE} test={`unit-width-${at}`} fault={sizeFault} put={(width) => put({ width }, "width_in", "unique")} />
        {unit.shape !== "round" && (
          <LengthField label={say.baseDepth} value={shown.depth} {...BASE} test={`unit-depth-${at}`} fault={faultOf(`${mine}.depth_in`)} put={(depth) => put({ depth }, "depth_in")} />
        )}
      </div>
    </div>
  );
}
