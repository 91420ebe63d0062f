// A screen that is loaded when it is first shown: code that players don't need at the start stays out of the first
// load.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { say } from "../shell";
import { text } from "../words/shared";

type Part<P> = (props: P) => JSX.Element | null;

export function later<P extends object>(load: () => Promise<Part<P>>): Part<P> {
  let found: Part<P> | null = null;
  return function Later(props: P): JSX.Element | null {
    const here = useSignal(found !== null);
    useEffect(() => {
      if (found !== null) return;
      load().then(
        (part) => {
          found = part;
          here.value = true;
        },
        () => say({ kind: "error", title: text.failed, lines: [text.offline] }),
      );
    }, []);
    const Shown = found;
    return here.value && Shown !== null ? <Shown {...props} /> : null;
  };
}
