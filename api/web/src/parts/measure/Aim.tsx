import type { JSX } from "preact";
import { aim } from "./layer";

// The aim of a dragging finger: above it, so that it hides nothing, with the name of the thing under the aim.
export function Aim(): JSX.Element | null {
  const now = aim.value;
  if (now === null) return null;
  const [x, y] = now.at;
  return (
    <div class="m-aim" data-test="aim" style={`transform: translate(${x}px, ${y}px)`}>
      <i class={now.to === null ? "lost" : ""} />
      <span class={y < 90 ? "below" : ""}>
        {now.from} → {now.to ?? "…"}
      </span>
    </div>
  );
}
