// A field for the player's own words: closed until the player wants to write, open where it has text.

import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { report as say } from "../../words/report";
import { Icon } from "../icons";

interface Asked {
  name: string;
  value: string;
  most: number;
  test: string;
  write: (words: string) => void;
}

export function Own({ name, value, most, test, write }: Asked): JSX.Element {
  const open = useSignal(value !== "");
  const asked = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (asked.value) field.current?.focus();
  }, [asked.value]);
  if (!open.value) {
    return (
      <button class="report-write" aria-label={`${say.write}: ${name}`} onClick={() => (open.value = asked.value = true)} data-test={`write-${test}`}>
        <Icon name="hand" />
        {say.write}
      </button>
    );
  }
  return (
    <label class="report-words">
      <span>{say.yours}</span>
      <textarea
        aria-label={name}
        rows={3}
        maxLength={most}
        value={value}
        data-test={`words-${test}`}
        ref={field}
        onInput={(event) => write(event.currentTarget.value)}
      />
      <small>{say.marks}</small>
    </label>
  );
}
