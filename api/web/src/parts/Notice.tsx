import type { JSX } from "preact";
import { busy, notice, say } from "../shell";
import { text } from "../words/shared";
import { Icon } from "./icons";

export function NoticeView(): JSX.Element | null {
  const shown = notice.value;
  if (!shown) return null;
  const lines = shown.lines.map((line) => line.trim()).filter(Boolean);
  return (
    <div class={`notice ${shown.kind}`} role={shown.kind === "error" ? "alert" : "status"} data-test="notice">
      {shown.kind === "error" && <Icon name="warn" />}
      <div class="notice-words">
        <strong>{shown.title}</strong>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <button class="round small" aria-label={text.close} onClick={() => say(null)}>
        <Icon name="close" />
      </button>
    </div>
  );
}

export function BusyView(): JSX.Element | null {
  const shown = busy.value;
  if (!shown) return null;
  const percent = Math.round(100 * shown.fraction);
  return (
    <div class="busy" role="status" data-test="busy">
      <div class="busy-card">
        <strong>{shown.stage}…</strong>
        <progress max={100} value={percent} aria-label={shown.stage} />
      </div>
    </div>
  );
}
