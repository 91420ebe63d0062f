// Every turn with the game's notes, and room for the player's own words.

import type { JSX } from "preact";
import type { ReportTurnOut } from "../../schema";
import { report as say } from "../../words/report";
import { draft, sayOf } from "./draft";
import { Own } from "./Own";

export const Turns = ({ all, most }: { all: ReportTurnOut[]; most: number }): JSX.Element => (
  <section aria-labelledby="report-turns">
    <h2 id="report-turns">{say.turns}</h2>
    <p class="report-hint">{say.turnsHint}</p>
    <ul class="report-list">
      {all.map((one) => (
        <li key={one.turn} class="report-card" data-test={`turn-${one.turn}`}>
          <strong>{one.title}</strong>
          {one.says !== "" && <p class="report-says">{one.says}</p>}
          {one.notes.map((note) => (
            <blockquote key={note.seq} title={say.noteHint}>
              <p>{note.text}</p>
              <footer>{note.who}</footer>
            </blockquote>
          ))}
          <Own
            name={say.turnWords(one.title)}
            value={draft.value.turns[one.turn] ?? ""}
            most={most}
            test={`turn-${one.turn}`}
            write={(text) => sayOf("turns", one.turn, text)}
          />
        </li>
      ))}
    </ul>
  </section>
);
