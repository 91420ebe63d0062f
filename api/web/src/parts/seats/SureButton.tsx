// A button for something final: the first tap asks for confirmation, which expires after a while; the second does it.

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
