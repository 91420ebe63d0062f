// Naming the corners of the table, or of another rectangle of known size, in a photo that shows no markers.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Point } from "../../geometry";
import type { NamedWish } from "../../schema";
import { words } from "../../words";
import { naming as say } from "../../words/naming";
import { FingerPhoto } from "../FingerPhoto";
import { Icon } from "../icons";
import { LengthField } from "../start/NumberField";
import { guarded } from "../../shell";
import { aid, at, check, checking, close, corners, crossings, judging, moveCorner, open, OTHER, photo, sizeIn, sizeName, snapping, startFrom, TABLE, turnCorners, typed, unreadable, wish } from "./naming";
import "./naming.css";

const MOST_IN = 480;
const STEP_IN = 0.5;

interface NameCornersProps {
  file: File;
  send: (file: File, named: NamedWish) => void;
  leave: () => void;
}

export function NameCorners({ file, send, leave }: NameCornersProps): JSX.Element | null {
  const shown = photo.value;
  useEffect(() => {
    void guarded(() => open(file));
    const stop = judging();
    return () => {
      stop();
      close();
    };
  }, [file]);
  if (unreadable.value) {
    return (
      <div class="on-photo" role="dialog" aria-label={say.title} data-test="naming">
        <div class="on-photo-sheet">
          <p class="fault">{words.photo.cantShow}</p>
          <button class="go" onClick={leave}>
            {words.photo.back}
          </button>
        </div>
      </div>
    );
  }
  if (shown === null) return null;
  const outline = sizeIn.value === null ? [] : ((check.value?.outline ?? []) as Point[]);
  const lines = snapping.value ? (aid.value?.lines ?? []) : [];
  return (
    <div class="on-photo" role="dialog" aria-label={say.title} data-test="naming" onKeyDown={(event) => event.key === "Escape" && leave()}>
      <div class="on-photo-picture">
        <FingerPhoto
          url={shown.url}
          size={shown.size}
          name={say.photo}
          knobs={corners.value.map((place, n) => ({ at: place, name: say.corners[n] ?? "", label: say.corners[n] ?? "" }))}
          shapes={[
            ...lines.map((points) => ({ points, look: "found-line", guide: true })),
            ...(outline.length > 0 ? [{ points: outline, look: "named-table", closed: true }] : []),
            { points: corners.value, look: "named-outline", closed: true },
            { points: corners.value.slice(0, 2), look: "named-near" },
          ]}
          snaps={crossings.value}
          move={moveCorner}
        />
        <button class="round" aria-label={words.photo.close} data-test="close-naming" onClick={leave}>
          <Icon name="close" />
        </button>
      </div>
      <div class="on-photo-sheet">
        <p class="quiet-line">{say.hint}</p>
        <Rectangle />
        <div class="chips">
          <button class="chip" data-test="turn-corners" onClick={turnCorners}>
            {say.turn}
          </button>
          <button class="chip" aria-pressed={snapping.value} data-test="snap-corners" onClick={() => (snapping.value = !snapping.value)}>
            {say.snap}
          </button>
          {aid.value?.guess && (
            <button class="chip" data-test="guessed-corners" onClick={() => startFrom("guess")}>
              {say.guess}
            </button>
          )}
          {aid.value?.before && (
            <button class="chip" data-test="earlier-corners" onClick={() => startFrom("before")}>
              {say.before}
            </button>
          )}
        </div>
      </div>
      <div class="on-photo-foot">
        <Worth />
        <button
          class="go"
          disabled={wish.value === null}
          data-test="read-named"
          onClick={() => {
            const named = wish.value;
            if (named === null) return;
            send(shown.file, named);
            leave();
          }}
        >
          {say.read}
        </button>
      </div>
    </div>
  );
}

function Rectangle(): JSX.Element {
  const [width, depth] = typed.value;
  const [wide, deep] = aid.value?.table ?? [0, 0];
  return (
    <>
      <label class="naming-size">
        {say.size}
        <select value={sizeName.value} data-test="naming-size" onChange={(event) => (sizeName.value = event.currentTarget.value)}>
          <option value={TABLE}>{say.table(wide, deep)}</option>
          {aid.value?.sizes.map(({ name, size_in: [w, d] }) => (
            <option key={name} value={name}>
              {say.listed(name, w, d)}
            </option>
          ))}
          <option value={OTHER}>{say.other}</option>
        </select>
      </label>
      {sizeName.value === OTHER && (
        <>
          <div class="number-row">
            <LengthField label={say.width} value={width} step={STEP_IN} least={1} most={MOST_IN} test="naming-width" put={(value) => (typed.value = [value, depth])} />
            <LengthField label={say.depth} value={depth} step={STEP_IN} least={1} most={MOST_IN} test="naming-depth" put={(value) => (typed.value = [width, value])} />
          </div>
          <p class="quiet-line">{say.oneSide}</p>
        </>
      )}
      {sizeName.value !== TABLE && (
        <>
          <button class="chip" aria-pressed={at.value === null} data-test="in-the-middle" onClick={() => (at.value = at.value === null ? [0, 0] : null)}>
            {say.middle}
          </button>
          {at.value !== null && (
            <div class="number-row">
              {([0, 1] as const).map((axis) => (
                <LengthField
                  key={axis}
                  label={say.place[axis] ?? ""}
                  value={at.value?.[axis] ?? 0}
                  step={STEP_IN}
                  least={-MOST_IN}
                  most={MOST_IN}
                  test={`naming-at-${"xy"[axis]}`}
                  put={(value) => value !== null && at.value !== null && (at.value = axis === 0 ? [value, at.value[1]] : [at.value[0], value])}
                />
              ))}
            </div>
          )}
        </>
      )}
    </>
  );
}

// The accuracy of the table with these corners, or why they don't place it.
function Worth(): JSX.Element {
  const found = check.value;
  const told = found === null ? "" : found.refused !== "" ? found.refused : say.worth(found.middle_in, found.worst_in);
  return (
    <div class="naming-worth" role="status" data-test="naming-worth">
      {checking.value && (found === null || found.refused !== "") ? <p class="quiet-line">{say.checking}</p> : <p class={found?.refused ? "fault" : ""}>{told}</p>}
      {found?.says && <p class="quiet-line">{found.says}</p>}
    </div>
  );
}
