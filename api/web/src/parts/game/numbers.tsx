// Numbers of places, sizes and turns, to be read and typed.

import type { JSX } from "preact";
import { fromInches, toInches, unit } from "../../units";
import { Entry } from "../Entry";

const STEP_CM = 0.5;

export const number = (label: string, value: number | null, step: number, put: (value: number) => void, test: string): JSX.Element => (
  <label key={test} class="field">
    <span>{label}</span>
    <Entry
      type="number"
      inputMode="decimal"
      step={step}
      test={test}
      value={value === null ? "" : Math.round(value * 100) / 100}
      put={(text) => text !== "" && put(Number(text))}
    />
  </label>
);

// A length in inches, read and typed in the player's unit.
export const length = (label: string, inches: number | null, step: number, put: (inches: number) => void, test: string): JSX.Element =>
  number(label, inches === null ? null : fromInches(inches), unit.value === "cm" ? STEP_CM : step, (value) => put(toInches(value)), test);
