// Finding a board of squares by its lines: the button, the result, and the choice of the first square's corner.

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { FoundOverlayOut } from "../../schema";
import { overlay as say } from "../../words/start";
import { Icon, VerdictIcon } from "../icons";
import { asFound, choose, find, looking, notFound } from "./finding";
import { cells, corner, found, way } from "./grid";
import { Fault } from "./NumberField";


export function Find(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [board, refused] = [found.value, notFound.value];
  const told = board !== null && !looking.value;
  useEffect(() => {
    if (board === null && refused === "") return;
    place.current?.scrollIntoView({ block: "start" });
    // the button that was pressed is gone
    if (document.activeElement === document.body) place.current?.querySelector<HTMLElement>("[aria-pressed=true]")?.focus({ preventScroll: true });
  }, [board, refused]);
  return (
    <div class="find" ref={place}>
      <div class="find-says" role="status">
        {told && asFound.value && board.doubt !== "" && (
          <p class="find-doubt" data-test="find-doubt">
            <VerdictIcon verdict="too-close" />
            {board.doubt}
          </p>
        )}
      </div>
      <Fault text={refused} id="find-refused" />
      {refused !== "" && (
        <button class="chip wide" data-test="to-taps" onClick={() => (way.value = "taps")}>
          {say.toTaps}
        </button>
      )}
      {board === null ? (
        <button class="choice find-lines" aria-disabled={looking.value} data-test="find-lines" onClick={() => void find()}>
          <Icon name="look" />
          <span>
            <strong>{looking.value ? say.finding : refused === "" ? say.find : say.findAgain}</strong>
            <small>{looking.value ? say.findingHint : say.findHint}</small>
          </span>
        </button>
      ) : (
        <Corners board={board} />
      )}
      <div class="find-says" role="status" data-test="find-says">
        {looking.value && <p class={board === null ? "unseen" : ""}>{say.finding}</p>}
        {told && <p>{asFound.value ? board.says : say.movedSince}</p>}
      </div>
      {board !== null && (
        <button class="chip wide" aria-disabled={looking.value} data-test="find-again" onClick={() => void find()}>
          {say.findAgain}
        </button>
      )}
    </div>
  );
}

// The corners are arranged as on the table, seen from its near side.
function Corners({ board }: { board: FoundOverlayOut }): JSX.Element {
  const first = cells.value[0] ?? "";
  return (
    <div role="group" aria-label={say.whichCorner(first)}>
      <p class="corner-name" aria-hidden="true">
        {say.whichCorner(first)}
      </p>
      <div class="corner-keys">
        {board.ways.map((one, n) => (
          <button key={one.corner} class={`chip ${one.corner}`} aria-pressed={corner.value === n} data-test={`corner-${one.corner}`} onClick={() => choose(n)}>
            {say.corners[one.corner]}
          </button>
        ))}
      </div>
    </div>
  );
}
