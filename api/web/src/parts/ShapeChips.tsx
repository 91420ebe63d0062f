import type { JSX } from "preact";
import type { BaseWish } from "../schema";
import { words } from "../words";

type Shape = NonNullable<BaseWish["shape"]>;

// The outlines that a base may have, one of them chosen.
export const ShapeChips = (is: { now: Shape; put: (shape: Shape) => void; test: (shape: Shape) => string }): JSX.Element => (
  <div class="chips" role="group" aria-label={words.entries.shape}>
    {(["rect", "round", "oval"] as const).map((one) => (
      <button key={one} class="chip" aria-pressed={is.now === one} data-test={is.test(one)} onClick={() => is.put(one)}>
        {words.entries.shapes[one]}
      </button>
    ))}
  </div>
);
