import type { JSX } from "preact";
import { game, isReferee, options, ofUnit, sideName, unit } from "../../game";
import { pick } from "../../play";
import { words } from "../../words";
import { Icon } from "../icons";
import { Sheet } from "../Sheet";
import { ComputerFoot } from "./Computer";
import { OptionList } from "./Options";
import { GoOn } from "./GoOn";
import { Result } from "./Result";

const say = words.game;

export function UnitPanel(): JSX.Element | null {
  const now = unit.value;
  const board = game.value?.board;
  if (now === null || board === undefined) return null;
  const sides = board.sides.map((side) => side.id);
  const others = board.units.filter((one) => one.id !== now.id && one.place !== null && one.place === now.place);
  const toIt = (options.value?.options ?? []).filter((option) => {
    const meant = option.target === now.id || (now.place !== null && option.target === now.place);
    return meant && option.unit !== now.id && (option.mine || isReferee.value) && (option.legal || option.open);
  });
  return (
    <Sheet label={now.title} unit={now.id}>
      <header class="sheet-head">
        <span class={`swatch side-${sides.indexOf(now.side) % 4}`} />
        <div class="sheet-title">
          <h2>{now.title}</h2>
          <small>
            {[sideName(now.side), ...(now.on_table ? [] : [say.notOnTable]), ...(now.acted ? [say.acted] : [])].join(" · ")}
          </small>
        </div>
        <button class="round small" aria-label={say.close} data-test="close-unit" onClick={() => pick(null)}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-body">
        <Result />
        <GoOn />
        {now.badges.length > 0 && (
          <ul class="badges">
            {now.badges.map((badge) => (
              <li key={badge.id}>
                <b>{badge.text}</b> {badge.says}
              </li>
            ))}
          </ul>
        )}
        {others.length > 0 && (
          <div class="chips">
            {others.map((one) => (
              <button key={one.id} class="chip" onClick={() => pick(one.id)}>
                {one.id}
              </button>
            ))}
          </div>
        )}
        <OptionList options={ofUnit.value} />
        {toIt.length > 0 && (
          <details class="why-not">
            <summary data-test="to-it">{say.toIt}</summary>
            <OptionList options={toIt} whole />
          </details>
        )}
      </div>
      <ComputerFoot alone />
    </Sheet>
  );
}
