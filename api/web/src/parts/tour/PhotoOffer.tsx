import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { game, options } from "../../game";
import { words } from "../../words";
import { extras } from "../game/extras";
import { openPane } from "../game/panes";
import { Icon } from "../icons";

const say = words.tour;

// Whether units wait to be placed on an open table, so that one photo can place them all.
const awaited = computed(() => {
  const board = game.value?.board;
  const off = new Set((board?.units ?? []).filter((unit) => !unit.on_table).map(({ id }) => id));
  const placing = (options.value?.options ?? []).some((one) => one.mine && one.legal && one.unit !== null && off.has(one.unit) && "at" in one.fields);
  return board?.grid === null && placing && extras.some((extra) => extra.id === "photo" && extra.shown());
});

export const PhotoOffer = (): JSX.Element | null =>
  !awaited.value ? null : (
    <button class="soft-go wide photo-offer" data-test="photo-offer" onClick={() => openPane("photo")}>
      <Icon name="camera" />
      <span>
        {say.placed} <strong>{say.takePhoto}</strong>
      </span>
    </button>
  );
