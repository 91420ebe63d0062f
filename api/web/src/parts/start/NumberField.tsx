// A number to type or to step; invalid text gives null, and stays as it was typed.

import type { JSX } from "preact";
import { useSignal } from "@preact/signals";
import { within } from "../../geometry";
import { fromInches, toInches, unit } from "../../units";
import { start as say } from "../../words/start";
import { Icon } from "../icons";


export interface NumberFieldProps {
  label: string;
  value: number | null;
  step: number;
  least: number;
  most: number;
  unit?: string;
  test: string;
  fault?: string;
  put: (value: number | null) => void;
}

const read = (text: string): number | null => {
  const plain = text.trim().replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
};
const fine = (value: number): number => Math.round(value * 1000) / 1000;

export function NumberField({ label, value, step, least, most, unit: named = "", test, fault = "", put }: NumberFieldProps): JSX.Element {
  const typed = useSignal("");
  const shown = read(typed.value) === value ? typed.value : value === null ? "" : String(fine(value));
  const by = (steps: number): void => put(within(fine((value ?? least) + steps * step), least, most));
  const key = (icon: "minus" | "plus", steps: number): JSX.Element => (
    <button
      class="step-key"
      type="button"
      aria-label={`${label}: ${steps > 0 ? say.oneMore : say.oneFewer}`}
      disabled={value !== null && (steps > 0 ? value >= most : value <= least)}
      data-test={`${test}-${icon}`}
      onClick={() => by(steps)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class={`number-field ${fault ? "faulty" : ""}`}>
      <div class="number-name">
        <label for={test}>
          {label}
          {named && <small> {named}</small>}
        </label>
        <span class="number-keys">
          {key("minus", -1)}
          <input
            id={test}
            type="text"
            inputMode="decimal"
            autocomplete="off"
            value={shown}
            aria-invalid={fault !== ""}
            aria-describedby={fault ? `${test}-fault` : undefined}
            data-test={test}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
              put(read(typed.value));
            }}
          />
          {key("plus", 1)}
        </span>
      </div>
      <Fault text={fault} id={`${test}-fault`} />
    </div>
  );
}

// A length in inches, read and typed in the player's unit.
export function LengthField({ value, step, least, most, put, ...rest }: Omit<NumberFieldProps, "unit">): JSX.Element {
  const stepped = unit.value === "cm" ? Math.max(Math.round(fromInches(step) * 2) / 2, 0.1) : step;
  return (
    <NumberField
      {...rest}
      unit={say.lengthUnit(unit.value)}
      value={value === null ? null : fromInches(value)}
      step={stepped}
      least={fromInches(least)}
      most={fromInches(most)}
      put={(next) => put(next === null ? null : toInches(next))}
    />
  );
}

// The error of a field, right under it.
export const Fault = ({ text, id }: { text: string; id: string }): JSX.Element | null =>
  text === "" ? null : (
    <p class="field-fault" id={id} role="alert" data-test={id}>
      {text}
    </p>
  );
