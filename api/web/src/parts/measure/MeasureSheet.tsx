import type { JSX } from "preact";
import { drawnOn, fresh, shared, tab, type Tab } from "../../measure";
import { words } from "../../words";
import { openPane } from "../game/panes";
import { Icon } from "../icons";
import { Sheet } from "../Sheet";
import { Aim } from "./Aim";
import { PhotoGround } from "./PhotoGround";
import { SharedTab } from "./SharedTab";
import { ToolTab } from "./ToolTab";
import { UnitTab } from "./UnitTab";

const say = words.measure;
const TABS: Tab[] = ["tool", "unit", "shared"];
const BODIES: Record<Tab, () => JSX.Element | null> = { tool: ToolTab, unit: UnitTab, shared: SharedTab };

export function MeasureSheet(): JSX.Element {
  const Body = BODIES[tab.value];
  return (
    <>
      {drawnOn.value === "photo" && <PhotoGround />}
      <Aim />
      <Sheet label={say.title} look="measuring">
        <header class="sheet-head">
          <div class="sheet-title">
            <h2>{say.title}</h2>
          </div>
          <div class="switch" role="group" aria-label={say.ground}>
            {(["map", "photo"] as const).map((one) => (
              <button key={one} aria-pressed={drawnOn.value === one} data-test={`measure-${one}`} onClick={() => (drawnOn.value = one)}>
                {say.grounds[one]}
              </button>
            ))}
          </div>
          <button class="round small" aria-label={say.close} data-test="close-measure" onClick={() => openPane("measure")}>
            <Icon name="close" />
          </button>
        </header>
        <div class="tabs" role="tablist">
          {TABS.map((one) => (
            <button key={one} role="tab" aria-selected={tab.value === one} data-test={`measure-tab-${one}`} onClick={() => (tab.value = one)}>
              {say.tabs[one]}
              {one === "shared" && shared.value.length > 0 && <b>{shared.value.length}{fresh.value ? " •" : ""}</b>}
            </button>
          ))}
        </div>
        <div class="sheet-body" role="tabpanel">
          {drawnOn.value === "photo" && <p class="quiet-line">{say.photoHint}</p>}
          <Body />
        </div>
      </Sheet>
    </>
  );
}
