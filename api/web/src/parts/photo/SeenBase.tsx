import type { JSX } from "preact";
import type { Unit } from "../../schema";
import { words } from "../../words";
import { length, number } from "../game/numbers";
import { basesOf, fill, isChanged, keep, pick, picked, takeOff, unitsFor, wished } from "./bases";
import { ShapeChips } from "../ShapeChips";
import { Crop } from "./Crop";
import { look, working } from "./turn";

const [say, of] = [words.photo, words.game];

// The correction of one base of the photo: its place by a finger or in numbers, its unit, its outline.
export function SeenBase(): JSX.Element | null {
  const [base, now] = [picked.value, wished.value];
  if (base === null || now === null) return null;
  const [x, y] = now.center;
  const all = basesOf(base.unit);
  const [open, full] = unitsFor(now.unit);
  const choice = ({ id, title }: Unit): JSX.Element => (
    <option key={id} value={id}>
      {title}
    </option>
  );
  return (
    <section class="seen-base-fields" data-test="seen-base" aria-label={say.base(base.unit)}>
      <p class="doubt-says">
        {say.base(base.unit)} <small>{say.baseHint}</small>
      </p>
      {all.length > 1 && (
        <div class="chips" role="group" aria-label={say.basesName}>
          {all.map((one, i) => (
            <button key={one.id} class="chip" aria-pressed={one.id === base.id} data-test={`seen-base-${i + 1}`} onClick={() => pick(one)}>
              {of.base(i + 1)}
            </button>
          ))}
        </div>
      )}
      <div class="place-fields">
        {length(of.x, x, 0.25, (value) => fill({ center: [value, y] }), "seen-x")}
        {length(of.y, y, 0.25, (value) => fill({ center: [x, value] }), "seen-y")}
        {!(now.shape === "round" && now.facing === null) && number(of.facing, now.facing, 5, (facing) => fill({ facing }), "seen-facing")}
      </div>
      <label class="field">
        <span>{say.whose}</span>
        <select data-test="seen-unit" value={now.unit} onChange={(event) => fill({ unit: event.currentTarget.value })}>
          <option value="">{say.nobody}</option>
          {open.map(choice)}
          {full.length > 0 && <optgroup label={say.fullUnits}>{full.map(choice)}</optgroup>}
        </select>
      </label>
      {look.value?.sizable && (
        <>
          <div class="place-fields">
            {length(now.shape === "round" ? say.across : say.width, now.width, 0.25, (width) => fill({ width }), "seen-width")}
            {now.shape !== "round" && length(say.depth, now.depth, 0.25, (depth) => fill({ depth }), "seen-depth")}
          </div>
          <ShapeChips now={now.shape} put={(shape) => fill({ shape })} test={(shape) => `seen-${shape}`} />
        </>
      )}
      <button class="go wide" data-test="keep-base" disabled={!isChanged.value || working.value} onClick={() => void keep()}>
        {say.putRight}
      </button>
      <Crop marks={[{ letter: "", at: base.center, id: base.id }]} what={say.base(base.unit)} />
      <div class="row-buttons">
        <button class="quiet-button refuse" data-test="take-off-base" disabled={working.value} onClick={() => void takeOff()}>
          {say.noBase}
        </button>
        <button class="quiet-button" data-test="leave-base" onClick={() => pick(null)}>
          {say.back}
        </button>
      </div>
    </section>
  );
}
