// Preparations before the first turn: invite the others, print sheets, place the grid.

import type { JSX } from "preact";
import { game, isReferee } from "../../game";
import { pane } from "../../play";
import { go } from "../../screens";
import { words } from "../../words";
import { start } from "../../words/start";
import { prints as sheets } from "../../words/prints";
import { openPane } from "../game/panes";
import { Icon, type IconName } from "../icons";
import { paper, printsOf } from "../prints/paper";
import { PrintLink } from "../prints/PrintLink";
import { Sheet } from "../Sheet";
import { begun } from "./begun";

const say = start.prepare;

function Entry({ icon, label, hint, test, act }: { icon: IconName; label: string; hint: string; test: string; act: () => void }): JSX.Element {
  return (
    <button class="choice" onClick={act} data-test={test}>
      <Icon name={icon} />
      <span>
        <strong>{label}</strong>
        <small>{hint}</small>
      </span>
    </button>
  );
}

export function PrepareSheet(): JSX.Element | null {
  const now = game.value;
  if (now === null) return null;
  const notes = begun.value?.id === now.id ? begun.value.notes : "";
  const prints = `/games/${encodeURIComponent(now.id)}/prints`;
  return (
    <Sheet label={words.entries.prepare} look="prepare-sheet">
      <header class="sheet-head">
        <div class="sheet-title">
          <h2>{say.ready}</h2>
          <small>{now.title}</small>
        </div>
        <button class="round small" aria-label={say.close} data-test="close-prepare" onClick={() => (pane.value = "turn")}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-body choices">
        {isReferee.value && (
          <Entry icon="people" label={say.invite} hint={say.inviteHint} test="prepare-invite" act={() => go({ name: "seats", id: now.id })} />
        )}
        {isReferee.value && now.board.cells.length > 0 && (
          <Entry icon="map" label={words.entries.overlay} hint={say.gridHint} test="prepare-grid" act={() => openPane("overlay")} />
        )}
        <PrintLink path={`${prints}/markers.pdf?paper=${paper.value}`} label={say.markers} hint={say.sheets} test="prepare-markers" />
        <PrintLink path={`${prints}/tags.pdf?paper=${paper.value}`} label={say.tags} hint={say.sheets} test="prepare-tags" />
        <Entry
          icon="print"
          label={say.more}
          hint={sheets.paper}
          test="prepare-prints"
          act={() => {
            printsOf.value = now.id;
            go({ name: "prints" });
          }}
        />
        <Entry icon="camera" label={say.camera} hint={say.cameraHint} test="prepare-camera" act={() => go({ name: "camera" })} />
        <PrintLink path={`/games/${encodeURIComponent(now.id)}/table.toml`} label={say.file} hint={say.fileHint} test="prepare-file" />
        {notes !== "" && <p class="scenario-notes">{notes}</p>}
      </div>
      <footer class="sheet-foot step-foot">
        <button class="go wide" onClick={() => (pane.value = "turn")} data-test="to-the-game">
          {say.close}
        </button>
      </footer>
    </Sheet>
  );
}
