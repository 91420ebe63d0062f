// The report of a game from the phone: its length, its moments, the player's own words, a preview, and its files.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { leave } from "../../screens";
import { guarded, shownOut } from "../../shell";
import { report as say } from "../../words/report";
import { Icon } from "../icons";
import { Share } from "../replay/Share";
import { ThemeButton } from "../ThemeButton";
import { change, closeReport, draft, look, making, openReport, preview, report } from "./draft";
import { Files } from "./Files";
import { Moments } from "./Moments";
import { Preview } from "./Preview";
import { Turns } from "./Turns";
import "./report.css";

export function Report({ id }: { id: string }): JSX.Element {
  useEffect(() => {
    const again = (): void => {
      if (!document.hidden) void guarded(() => openReport(id).catch(unlessShownOut));
    };
    again();
    document.addEventListener("visibilitychange", again);
    return () => {
      document.removeEventListener("visibilitychange", again);
      closeReport();
    };
  }, [id]);
  const shown = report.value;
  return (
    <main class="home report-page">
      <header class="report-head">
        <button class="round" aria-label={say.back} onClick={() => leave({ name: "game", id })} data-test="back">
          <Icon name="back" />
        </button>
        <div>
          <h1>{shown !== null && !shown.over ? say.soFar : say.title}</h1>
          <p>{shown?.title ?? say.loading}</p>
        </div>
        <ThemeButton />
      </header>
      {shown !== null && (
        <>
          <p class="report-result" data-test="result">
            {shown.result}
          </p>
          {shown.own && (
            <p class="report-own" data-test="own">
              <Icon name="warn" />
              {say.own}
            </p>
          )}
          <Share id={id} />
          <Lengths />
          <label class="report-field">
            <span>{say.named}</span>
            <input
              type="text"
              maxLength={120}
              value={draft.value.title}
              placeholder={shown.title}
              data-test="report-title"
              onInput={(event) => change({ title: event.currentTarget.value })}
            />
          </label>
          <Moments all={shown.moments} most={shown.most_caption} />
          <Turns all={shown.turns} most={shown.most_caption} />
          <Files all={shown.files} />
          <div class="report-bar">
            <button class="report-key" onClick={() => document.getElementById("report-files")?.scrollIntoView()} data-test="to-files">
              <Icon name="file" />
              {say.toFiles}
            </button>
            <button
              class="report-key strong"
              aria-disabled={making.value !== null}
              aria-busy={making.value === "preview"}
              onClick={() => void guarded(look)}
              data-test="preview"
            >
              <Icon name="look" />
              {making.value === "preview" ? say.previewing : say.preview}
            </button>
          </div>
        </>
      )}
      {preview.value !== null && <Preview address={preview.value} />}
    </main>
  );
}

function unlessShownOut(error: unknown): void {
  if (!shownOut(error)) throw error;
}

function Lengths(): JSX.Element {
  const chosen = draft.value.length;
  return (
    <section aria-labelledby="report-length">
      <h2 id="report-length">{say.length}</h2>
      <div class="report-lengths">
        {(report.value?.lengths ?? []).map((one) => (
          <button class="chip" key={one} aria-pressed={one === chosen} onClick={() => change({ length: one })} data-test={`length-${one}`}>
            {say.lengths[one]}
          </button>
        ))}
      </div>
      <p class="report-hint" aria-live="polite">
        {say.lengthHints[chosen]}
      </p>
    </section>
  );
}
