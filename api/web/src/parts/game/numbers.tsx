// Numbers of places, sizes and turns, to be read and typed.

import type { JSX } from "preact";
import { Entry } from "../Entry";

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
