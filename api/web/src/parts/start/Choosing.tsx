// Choices by touch: one of several, yes or no, a number; with a line that explains them.

import type { ComponentChildren, JSX } from "preact";
import { NumberField } from "./NumberField";

interface ChipsProps {
  label: string;
  all: { id: string; title: string }[];
  chosen: string;
  test: string;
  pick: (id: string) => void;
}

export const Chips = ({ label, all, chosen, test, pick }: ChipsProps): JSX.Element => (
  <section>
    <h2>{label}</h2>
    <div class="chips" role="group" aria-label={label}>
      {all.map((one) => (
        <button key={one.id} class="chip" aria-pressed={one.id === chosen} data-test={`${test}-${one.id.replace(/\W/g, "-") || "none"}`} onClick={() => pick(one.id)}>
          {one.title}
        </button>
      ))}
    </div>
  </section>
);

export const Hinted = ({ says, children }: { says: string; children: ComponentChildren }): JSX.Element => (
  <div>
    {children}
    <p class="hint-line">{says}</p>
  </div>
);

interface YesNoProps {
  title: string;
  says: string;
  on: boolean;
  test: string;
  put: (on: boolean) => void;
}

export const YesNo = ({ title, says, on, test, put }: YesNoProps): JSX.Element => (
  <Hinted says={says}>
    <button class="chip" aria-pressed={on} data-test={test} onClick={() => put(!on)}>
      {title}
    </button>
  </Hinted>
);

interface CountProps {
  title: string;
  says: string;
  value: number;
  most: number;
  test: string;
  fault: string;
  put: (value: number) => void;
}

// A whole number from none to the most.
export const Count = ({ title, says, value, most, test, fault, put }: CountProps): JSX.Element => (
  <Hinted says={says}>
    <NumberField label={title} value={value} step={1} least={0} most={most} test={test} fault={fault} put={(to) => put(Math.min(Math.max(Math.round(to ?? 0), 0), most))} />
  </Hinted>
);

interface MoreProps {
  title: string;
  test: string;
  children: ComponentChildren;
  open?: boolean;
}

export const More = ({ title, test, children, open = false }: MoreProps): JSX.Element => (
  <details class="more-choices" open={open}>
    <summary data-test={test}>{title}</summary>
    <div>{children}</div>
  </details>
);
