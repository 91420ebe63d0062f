// A deed that is done by the second tap; the first one only asks, and after a while is forgotten.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";

const FORGET_MS = 5000;

export function SureButton({ words, sure, test, act }: { words: string; sure: string; test: string; act: () => void }): JSX.Element {
  const asked = useSignal(false);
  useEffect(() => {
    if (!asked.value) return;
    const timer = window.setTimeout(() => (asked.value = false), FORGET_MS);
    return () => window.clearTimeout(timer);
  }, [asked.value]);
  return (
    <button
      class={`quiet-button refuse ${asked.value ? "asked" : ""}`}
      type="button"
      data-test={test}
      aria-live="polite"
      onClick={() => {
        if (asked.value) act();
        asked.value = !asked.value;
      }}
    >
      {asked.value ? sure : words}
    </button>
  );
}
