// The fields of an unfinished outline or line: what to tap next, a rectangle by its numbers, the corner that was
// tapped.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { game, kindTitle, options } from "../../game";
import { asRect, corner, mayLose, type Outlined, pointSaid, snapping } from "../../terrain/outlines";
import { addPoint, draft, dropLastPoint, dropPoint, outlined, placeCorner, setOutline, take } from "../../play";
import { cornersOf, type Rect, rectOf } from "../../terrain/rectangles";
import { words } from "../../words";
import { length, number } from "./numbers";

const say = words.game;

export function OutlineFields(): JSX.Element | null {
  const now = outlined.value;
  if (now === null) return null;
  const { points, closed, rect } = now;
  const hint = !closed ? say.lineHint : asRect.value ? say.rectHint : say.outlineHint;
  const mayBeRect = closed && (points.length < 2 || rectOf(points) !== null);
  return (
    <>
      <p class="next" aria-live="polite" data-test="outline-hint">
        {hint(points.length)}
      </p>
      <div class="chips">
        {mayBeRect && (
          <button class="chip" aria-pressed={asRect.value} data-test="as-rect" onClick={() => (asRect.value = !asRect.value)}>
            {say.rectangle}
          </button>
        )}
        <button class="chip" aria-pressed={snapping.value} title={say.snapHint} data-test="snap" onClick={() => (snapping.value = !snapping.value)}>
          {say.snap}
        </button>
        {points.length > 0 && now.lying === null && (
          <button class="chip" data-test="drop-point" onClick={dropLastPoint}>
            {say.dropPoint}
          </button>
        )}
        <OtherActions />
      </div>
      <Chosen now={now} />
      {rect !== null && <Numbers rect={rect} />}
      {rect === null && <Typed />}
      {points.length > 0 && (
        <details class="why-not">
          <summary data-test="corners">{say.corners(points.length)}</summary>
          {points.map((_, i) => (
            <PointNumbers key={i} index={i} now={now} test={`point-${i}`} />
          ))}
        </details>
      )}
    </>
  );
}

// Other actions on the piece that is being changed.
function OtherActions(): JSX.Element {
  const own = draft.value?.option;
  const others = own?.target == null ? [] : (options.value?.options ?? []).filter((one) => one !== own && one.unit === null && one.target === own.target && one.mine && one.legal);
  return (
    <>
      {others.map((one) => (
        <button key={one.text} class="chip" data-test={`other-${one.kind}`} onClick={() => take(one)}>
          {kindTitle(one.kind)}
        </button>
      ))}
    </>
  );
}

function PointNumbers({ now, index, test }: { now: Outlined; index: number; test: string }): JSX.Element | null {
  const at = now.points[index];
  if (at === undefined) return null;
  const count = now.points.length;
  return (
    <div class="place-fields pair">
      {length(say.pointX(index + 1, count), at[0], 0.25, (x) => placeCorner(index, [x, at[1]]), `${test}-x`)}
      {length(say.pointY(index + 1, count), at[1], 0.25, (y) => placeCorner(index, [at[0], y]), `${test}-y`)}
    </div>
  );
}

// The corner that was tapped, by its numbers.
function Chosen({ now }: { now: Outlined }): JSX.Element | null {
  const index = corner.value;
  if (index === null || now.points[index] === undefined) return null;
  return (
    <section aria-label={say.chosenCorner(index)} data-test="corner-numbers">
      <PointNumbers now={now} index={index} test="corner" />
      {mayLose(now) && (
        <button class="chip" data-test="remove-corner" onClick={() => dropPoint(index)}>
          {say.removeCorner}
        </button>
      )}
    </section>
  );
}

// A rectangle by its middle, size and angle.
function Numbers({ rect }: { rect: Rect }): JSX.Element {
  const now = { x: rect.center[0], y: rect.center[1], width: rect.size[0], depth: rect.size[1], angle: rect.angle };
  const put = (name: keyof typeof now, value: number): void => {
    const next = { ...now, [name]: value };
    setOutline(cornersOf({ center: [next.x, next.y], size: [next.width, next.depth], angle: next.angle }));
  };
  return (
    <section class="place-fields" aria-label={say.placeAndSize}>
      {(Object.keys(now) as (keyof typeof now)[]).map((name) =>
        name === "angle" ? number(say.rectNumbers[name], now[name], 5, (value) => put(name, value), `rect-${name}`) : length(say.rectNumbers[name], now[name], 0.25, (value) => put(name, value), `rect-${name}`),
      )}
    </section>
  );
}

function Typed(): JSX.Element {
  const wrong = useSignal(false);
  return (
    <input
      class="typed"
      placeholder={say.typedPoint}
      aria-label={say.typedPointName}
      aria-invalid={wrong.value}
      data-test="typed-point"
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        const board = game.value?.board;
        const at = board === undefined ? null : pointSaid(event.currentTarget.value, board);
        wrong.value = at === null;
        if (at === null) return;
        event.currentTarget.value = "";
        addPoint(at);
      }}
    />
  );
}
