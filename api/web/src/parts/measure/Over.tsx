import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { drawnOn, first, following, fresh, putAway, showShared } from "../../measure";
import { words } from "../../words";
import { gameBoard } from "../game/GameMap";
import { openPane } from "../game/panes";
import { Icon } from "../icons";
import { onMap, open } from "./layer";

const say = words.measure;

// Always on the game screen: the picked unit's overlays, and a strip for measurements that others show to all.
export function Over(): JSX.Element | null {
  useEffect(() => following(), []);
  useEffect(() => {
    const board = gameBoard();
    return board === null ? undefined : onMap(board);
  }, []);
  useEffect(() => effect(() => {
    if (open.value) return;
    drawnOn.value = "map";
    first.value = null;
  }), []);
  const one = fresh.value;
  if (one === null) return null;
  const told = say.showIt(one.by, one.measurement.says);
  return (
    <div class="news-line m-strip" data-test="shared-strip">
      <button
        class="m-strip-show"
        aria-label={told}
        data-test="show-shared"
        onClick={() => {
          if (!open.value) openPane("measure");
          showShared(one);
        }}
      >
        <Icon name="ruler" />
        <span>{told}</span>
      </button>
      <button class="round small" aria-label={say.dismiss} data-test="dismiss-shared" onClick={() => putAway(one.id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
