import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

interface Props {
  value: string | number;
  put: (text: string) => void;
  test: string;
  type?: "text" | "number";
  inputMode?: "decimal" | "numeric" | "text";
  step?: number;
  min?: number;
  label?: string; // where it has no visible label
  placeholder?: string;
  list?: string | undefined;
}

// A field that keeps its text while it is edited, whatever another phone does meanwhile, and passes it on when it loses
// focus.
export function Entry({ value, put, test, label, ...rest }: Props): JSX.Element {
  const typed = useSignal<string | null>(null);
  return (
    <input
      {...rest}
      {...(label === undefined ? {} : { "aria-label": label })}
      data-test={test}
      autocomplete="off"
      value={typed.value ?? value}
      onInput={(event) => {
        typed.value = event.currentTarget.value;
      }}
      onChange={(event) => {
        typed.value = null;
        put(event.currentTarget.value);
      }}
      onBlur={() => {
        typed.value = null;
      }}
    />
  );
}
