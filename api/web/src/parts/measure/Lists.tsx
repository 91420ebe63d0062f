import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { asking, measure, sameThing } from "../../measure";
import { game } from "../../game";
import type { Board, Thing } from "../../schema";
import { words } from "../../words";
import { choices } from "./layer";

const say = words.measure;

// One end as it was chosen: the words of a thing, or a place in inches.
interface End {
  thing: string;
  x: string;
  y: string;
}

const POINT = "point";
const NOTHING: End = { thing: "", x: "", y: "" };
const ends = signal<[End, End]>([NOTHING, NOTHING]);

const told = (thing: Thing): string => JSON.stringify(thing);

function groupsOf(board: Board): { name: string; things: { value: string; label: string }[] }[] {
  const lone = board.pieces.filter(({ unit }) => unit !== null);
  const many = new Set(lone.filter((one) => lone.some((other) => other !== one && other.unit === one.unit)).map(({ id }) => id));
  return [
    { name: say.kinds.unit, things: board.units.filter((one) => one.on_table).map((one) => ({ value: told({ unit: one.id }), label: one.title })) },
    {
      name: say.kinds.piece,
      things: board.pieces.filter((one) => one.unit === null || many.has(one.id)).map((one) => ({ value: told({ piece: one.id }), label: one.says })),
    },
    { name: say.kinds.cell, things: board.cells.map((one) => ({ value: told({ cell: one.id }), label: one.says })) },
    { name: say.kinds.ground, things: board.ground.map((one) => ({ value: told({ ground: one.id }), label: `${one.id}: ${one.says}` })) },
  ].filter(({ things }) => things.length > 0);
}

const thingOf = ({ thing, x, y }: End): Thing | null => {
  if (thing === "") return null;
  if (thing !== POINT) return JSON.parse(thing) as Thing;
  const at = [x, y].map(Number);
  return x.trim() === "" || y.trim() === "" || at.some(Number.isNaN) ? null : { point: at as [number, number] };
};

export function Lists(): JSX.Element | null {
  const board = game.value?.board;
  if (board === undefined) return null;
  const groups = groupsOf(board);
  const [a, b] = ends.value.map(thingOf);
  const ready = a != null && b != null && !sameThing(a, b) && !asking.value;
  return (
    <details class="why-not m-lists">
      <summary data-test="lists">{say.lists}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!ready) return;
          choices.value = [[], []];
          void measure(a, b);
        }}
      >
        {([0, 1] as const).map((which) => (
          <EndField key={which} which={which} groups={groups} />
        ))}
        <button class="go wide" type="submit" data-test="measure-lists" disabled={!ready}>{say.doMeasure}</button>
      </form>
    </details>
  );
}

function EndField({ which, groups }: { which: 0 | 1; groups: ReturnType<typeof groupsOf> }): JSX.Element {
  const now = ends.value[which];
  const set = (change: Partial<End>): void => {
    const next = { ...now, ...change };
    ends.value = which === 0 ? [next, ends.value[1]] : [ends.value[0], next];
  };
  const name = which === 0 ? say.from : say.to;
  return (
    <>
      <label class="field">
        <span>{name}</span>
        <select value={now.thing} data-test={which === 0 ? "list-from" : "list-to"} onChange={(event) => set({ thing: event.currentTarget.value })}>
          <option value="">{say.choose}</option>
          {groups.map((group) => (
            <optgroup key={group.name} label={group.name}>
              {group.things.map((one) => (
                <option key={one.value} value={one.value}>{one.label}</option>
              ))}
            </optgroup>
          ))}
          <optgroup label={say.kinds.point}>
            <option value={POINT}>{say.aPoint}</option>
          </optgroup>
        </select>
      </label>
      {now.thing === POINT && (
        <div class="place-fields two">
          {(["x", "y"] as const).map((axis) => (
            <label key={axis} class="field">
              <span>{say.xy[axis]}</span>
              <input inputMode="decimal" aria-label={`${name}: ${say.xy[axis]}`} data-test={`list-${which}-${axis}`} value={now[axis]} onInput={(event) => set({ [axis]: event.currentTarget.value })} />
            </label>
          ))}
        </div>
      )}
    </>
  );
}
