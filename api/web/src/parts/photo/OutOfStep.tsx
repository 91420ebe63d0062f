import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isReferee } from "../../game";
import { words } from "../../words";
import { Icon } from "../icons";
import { answer, correctAll, correcting, dropPhoto, look, otherTable, taking, truth, watching, working } from "./turn";

const say = words.photo;

// Why the photo does not match the game, and the ways to fix it.
export function OutOfStep(): JSX.Element {
  const sync = look.value?.sync;
  const ways: Record<string, () => void> = {
    retake: () => (taking.value = true),
    accept: () => (correcting.value = true),
    keep: () => void dropPhoto(),
  };
  return (
    <section aria-label={say.outOfStep} data-test="out-of-step">
      <p class="step-head">
        <Icon name="warn" />
        <strong>{say.outOfStep}</strong>
      </p>
      <ul class="reasons">
        {sync?.reasons.map((why) => (
          <li key={why}>{why}</li>
        ))}
      </ul>
      <div class="choices ways">
        {sync?.ways_back.map(({ id, says }) => {
          const [title, hint] = say.ways[id] ?? [says, ""];
          const may = id === "accept" ? isReferee.value : id !== "keep" || !watching.value;
          return (
            <button key={id} class="choice" data-test={`way-${id}`} disabled={!may} onClick={ways[id]}>
              <Icon name={id === "retake" ? "camera" : id === "accept" ? "done" : "close"} />
              <span>
                <strong>{title}</strong>
                <small>{may ? hint : say.hostOnly}</small>
              </span>
            </button>
          );
        })}
      </div>
    </section>
  );
}

// A photo that seems to show a different table: it has no other questions or proposals.
export function OtherTable(): JSX.Element | null {
  const asked = otherTable.value;
  if (asked === null) return null;
  return (
    <section aria-label={say.otherTable} data-test="other-table">
      <p class="step-head">
        <Icon name="warn" />
        <strong>{asked.says}</strong>
      </p>
      {!watching.value && (
        <div class="row-buttons">
          <button class="quiet-button" data-test="use-anyway" disabled={working.value} onClick={() => void answer([asked], asked.answers[0]?.value ?? null)}>
            {say.useAnyway}
          </button>
          <DropPhoto look="go" />
        </div>
      )}
    </section>
  );
}

export const DropPhoto = ({ look: kind = "quiet-button" }: { look?: string }): JSX.Element => (
  <button class={kind} data-test="drop-photo" disabled={working.value} onClick={() => void dropPhoto()}>
    {say.drop}
  </button>
);

// The referee's corrections, chosen row by row.
export function Truth(): JSX.Element {
  const told = truth.value;
  const rows = told?.corrections ?? [];
  const [flipped, setFlipped] = useState<ReadonlySet<string>>(new Set());
  const isOn = (id: string, sure: boolean): boolean => sure !== flipped.has(id);
  const chosen = rows.filter((row) => row.action !== "" && isOn(row.id, row.certain));
  const flip = (id: string): void => {
    const next = new Set(flipped);
    if (!next.delete(id)) next.add(id);
    setFlipped(next);
  };
  return (
    <section aria-label={say.corrections} data-test="truth">
      <h3>{say.corrections}</h3>
      {told !== null && rows.length === 0 && <p class="quiet">{say.noCorrections}</p>}
      {told !== null && told.open > 0 && <p class="quiet-line">{say.openFirst(told.open)}</p>}
      <ul class="corrections">
        {rows.map((row) => (
          <li key={row.id}>
            {row.action === "" ? (
              <p class="quiet-line">{row.says}</p>
            ) : (
              <button role="checkbox" aria-checked={isOn(row.id, row.certain)} data-test={`correct-${row.unit}`} onClick={() => flip(row.id)}>
                <i aria-hidden="true">{isOn(row.id, row.certain) && <Icon name="done" />}</i>
                {row.says}
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="row-buttons truth-buttons">
        <button class="quiet-button" data-test="truth-back" onClick={() => (correcting.value = false)}>
          {say.back}
        </button>
        <button class="go" data-test="correct-all" disabled={chosen.length === 0 || working.value} onClick={() => void correctAll(chosen)}>
          {say.correctAll(chosen.length)}
        </button>
      </div>
    </section>
  );
}
