import type { JSX } from "preact";
import { game, isReferee, sideName } from "../../game";
import { pane, typeWords } from "../../play";
import { go } from "../../screens";
import { setTheme, theme } from "../../shell";
import { setSound, sound } from "../../turn-alert";
import { setUnit, unit } from "../../units";
import { words } from "../../words";
import { Icon, type IconName } from "../icons";
import { Sheet } from "../Sheet";
import { extras } from "./extras";
import { openPane } from "./panes";

const say = words.game;

export function MenuSheet(): JSX.Element | null {
  const now = game.value;
  if (now === null) return null;
  const dark = theme.value === "dark";
  const entry = (icon: IconName, label: string, test: string, act: () => void): JSX.Element => (
    <li>
      <button data-test={test} onClick={act}>
        <span>
          <strong>{label}</strong>
        </span>
        <Icon name={icon} />
      </button>
    </li>
  );
  return (
    <Sheet label={say.menu} look="menu">
      <header class="sheet-head">
        <div class="sheet-title">
          <h2>{now.title}</h2>
          <small>{[now.me.label, ...now.me.roles.map((role) => (role.startsWith("side ") ? sideName(role.slice(5)) : words.seats.role(role)))].join(" · ")}</small>
        </div>
        <button class="round small" aria-label={say.close} data-test="close-menu" onClick={() => (pane.value = "turn")}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-body">
        <ul class="tables">
          {isReferee.value && entry("list", say.seats, "menu-seats", () => go({ name: "seats", id: now.id }))}
          {entry("play", words.replay.title, "menu-replay", () => go({ name: "replay", id: now.id }))}
          {entry("file", say.report, "menu-report", () => go({ name: "report", id: now.id }))}
          {extras.filter((one) => one.inMenu?.()).map((one) => entry(one.icon, one.label, `menu-${one.id}`, () => openPane(one.id)))}
          {entry("hand", say.inWords, "in-words", () => {
            openPane("turn");
            typeWords();
          })}
          {entry(sound.value ? "bell" : "mute", say.sound(sound.value), "menu-sound", () => setSound(!sound.value))}
          {entry(dark ? "sun" : "moon", dark ? say.light : say.dark, "menu-theme", () => setTheme(dark ? "light" : "dark"))}
          {entry("ruler", say.lengths(unit.value), "menu-unit", () => setUnit(unit.value === "in" ? "cm" : "in"))}
          {entry("back", say.leave, "menu-leave", () => go({ name: "home" }))}
        </ul>
      </div>
    </Sheet>
  );
}
