import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { isLost, Refusal } from "../../client";
import { sideColours } from "../../colours";
import { closeGame, game, isReferee, live, openGame, sending, unit } from "../../game";
import "../../kept";
import { askBack, doAgain, draft, drop, pane, photo, takeBack } from "../../play";
import "../../turn-alert";
import { go, holdBack } from "../../screens";
import { say, theme } from "../../shell";
import { words } from "../../words";
import { Icon, type IconName } from "../icons";
import { closeLast } from "./back";
import { Composer } from "./Composer";
import { Ended } from "./Ended";
import { extras } from "./extras";
import { dragText, gameBoard, GameMap, onPhoto } from "./GameMap";
import { LogSheet } from "./LogSheet";
import { MenuSheet } from "./MenuSheet";
import { News, Told } from "./News";
import { openPane } from "./panes";
import { TurnPanel } from "./TurnPanel";
import { UnitPanel } from "./UnitPanel";
import "./game.css";

const text = words.game;
const AGAIN_MS = 2000;

export function GamePage({ id }: { id: string }): JSX.Element {
  const away = useSignal(false); // the server is unavailable: wait for it
  useEffect(() => {
    pane.value = "turn";
    let waiting = 0;
    const enter = async (): Promise<void> => {
      try {
        await openGame(id);
        away.value = false;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        away.value = isLost(error);
        if (away.value) waiting = window.setTimeout(() => void enter(), AGAIN_MS);
        else {
          say({ kind: "error", title: error.title, lines: error.message.split("\n") });
          go({ name: "home" }, true);
        }
      }
    };
    void enter();
    const letGo = holdBack(closeLast);
    return () => {
      letGo();
      window.clearTimeout(waiting);
      closeGame();
      drop();
    };
  }, [id]);
  const now = game.value;
  if (now === null) return <main class="table-page loading"><p class="quiet" data-test="loading" role="status">{away.value ? text.away : text.loading}</p></main>;
  const colours = sideColours(now.board.sides.map((side) => ({ ...side, rim: side.rim ?? side.colour })), theme.value);
  const style = Object.fromEntries(colours.map((colour, i) => [`--side-${i}`, colour]));
  return (
    <main class="table-page game-page" style={style} data-test="game" data-seq={now.seq}>
      <TopBar />
      <GameMap />
      {dragText.value !== null && <div class="drag-text" data-test="drag-text">{dragText.value}</div>}
      <News />
      <Ended />
      <Below />
      <Bar />
    </main>
  );
}

function TopBar(): JSX.Element {
  return (
    <header class="top-bar">
      <button class="round" aria-label={text.leave} onClick={() => go({ name: "home" })} data-test="home">
        <Icon name="back" />
      </button>
      <div class="title" aria-live="polite">
        <Told />
        <h1>
          <i class={`live ${live.value}`} role="img" aria-label={text.live[live.value]} /> {game.value?.title}
        </h1>
      </div>
      {photo.value && (
        <div class="switch" role="group">
          {([false, true] as const).map((on) => (
            <button key={String(on)} aria-pressed={onPhoto.value === on} data-test={on ? "on-photo" : "on-map"} onClick={() => (onPhoto.value = on)}>
              {on ? text.photo : text.map}
            </button>
          ))}
        </div>
      )}
      <button class="round" aria-label={text.fit} data-test="fit" onClick={() => gameBoard()?.fit()}>
        <Icon name="fit" />
      </button>
    </header>
  );
}

function Below(): JSX.Element | null {
  const extra = extras.find((one) => one.id === pane.value);
  if (extra) return <extra.Sheet />;
  if (pane.value === "log") return <LogSheet />;
  if (pane.value === "menu") return <MenuSheet />;
  if (draft.value !== null) return <Composer />;
  return unit.value !== null ? <UnitPanel /> : <TurnPanel />;
}

function Bar(): JSX.Element {
  const undo = game.value?.undo ?? null;
  const redo = game.value?.redo ?? null;
  const button = (name: string, icon: IconName, label: string, act: () => void, off = false, title = label): JSX.Element => (
    <button class="bar-button" data-test={name} aria-label={title === label ? label : `${label}: ${title}`} aria-pressed={pane.value === name} disabled={off} onClick={act}>
      <Icon name={icon} />
      {label}
    </button>
  );
  const asks = undo !== null && !undo.may && undo.ask != null && game.value?.ask_back == null;
  const told = undo === null ? text.nothingToUndo : asks ? text.mayWe(undo.words) : undo.may ? (undo.referee && isReferee.value ? text.undoReferee(undo.words) : text.undoWhat(undo.words)) : undo.why;
  return (
    <nav class={`bar ${sending.value ? "saving" : ""}`}>
      {button("undo", "undo", asks ? text.undoAsk : text.undoShort, () => void (asks ? askBack() : takeBack()), !(undo?.may || asks) || sending.value, told)}
      {redo?.may && button("redo", "redo", text.redoShort, () => void doAgain(), sending.value, (redo.referee ? text.redoReferee : text.redoWhat)(redo.words))}
      {button("log", "list", text.log, () => openPane("log"))}
      {extras.filter((extra) => extra.shown()).map((extra) => button(extra.id, extra.icon, extra.label, () => openPane(extra.id)))}
      {button("menu", "down", text.menu, () => openPane("menu"))}
    </nav>
  );
}
