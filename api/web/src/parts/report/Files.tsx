// The files: one tap makes and downloads each.

import type { JSX } from "preact";
import type { ReportFileOut } from "../../schema";
import { guarded, say as tell } from "../../shell";
import { report as say } from "../../words/report";
import { Icon } from "../icons";
import { make, making } from "./draft";

type Name = keyof typeof say.file;

// The map for virtual tabletops is offered twice: with the pieces, and without.
const rows = (all: ReportFileOut[]): [Name, ReportFileOut][] =>
  all.flatMap((file): [Name, ReportFileOut][] => {
    const row: [Name, ReportFileOut] = [file.name, file];
    return file.name === "uvtt" ? [row, ["ground", { ...file, file: file.file.replace(".uvtt", "-ground.uvtt") }]] : [row];
  });

export const Files = ({ all }: { all: ReportFileOut[] }): JSX.Element => (
  <section aria-labelledby="report-files" class="report-files">
    <h2 id="report-files">{say.files}</h2>
    <p class="report-hint">{say.filesHint}</p>
    <ul class="report-list">
      {rows(all).map(([name, file]) => (
        <li key={name}>
          <button
            class="report-file"
            disabled={file.why !== ""}
            aria-disabled={making.value !== null}
            aria-busy={making.value === name}
            aria-describedby={`file-${name}`}
            onClick={() =>
              void guarded(async () => {
                const made = await make(name, file);
                if (made !== null) tell({ kind: "info", title: say.kept(made), lines: [] });
              })
            }
            data-test={`file-${name}`}
          >
            <Icon name="save" />
            <strong>{making.value === name ? say.making : say.file[name].name}</strong>
          </button>
          <small id={`file-${name}`}>{file.why || say.file[name].hint}</small>
        </li>
      ))}
    </ul>
  </section>
);
