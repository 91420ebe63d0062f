// Calibrating a phone's camera step by step, the stored cameras, and the one that reads a game's photos.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { enter, games, isHost, keptName, seated } from "../../device";
import type { CameraOut, ChosenOut } from "../../schema";
import { go, holdBack, leave } from "../../screens";
import { guarded, say as tell, shownOut } from "../../shell";
import { camera as say } from "../../words/camera";
import { Icon } from "../icons";
import { paper, PaperChips } from "../prints/paper";
import { PrintLink } from "../prints/PrintLink";
import { SureButton } from "../seats/SureButton";
import { PageHead } from "../start/PageHead";
import { Solved, Taking } from "./Camera";
import { adding, begin, cameras, chooseFor, chosenFor, current, forget, openCameras, remove, show } from "./calibrating";
import "../start/start.css";
import "../seats/seats.css";
import "../prints/prints.css";
import "./camera.css";

// Back to the list; returns whether anything else was shown.
function closeShown(): boolean {
  if (current.value === null && !adding.value) return false;
  show(null);
  return true;
}

export function Cameras(): JSX.Element {
  useEffect(() => {
    void guarded(async () => {
      await enter();
      if (!seated.value) return go({ name: "home" }, true);
      await openCameras().catch((error: unknown) => {
        if (!shownOut(error)) throw error;
      });
    });
    const letGo = holdBack(closeShown);
    return () => {
      letGo();
      forget();
    };
  }, []);
  const all = cameras.value;
  const now = current.value;
  return (
    <main class="home plain-page camera-page" data-test="cameras">
      <PageHead title={now?.name ?? say.title} lead={now === null ? say.lead : say.title} back={say.back} act={() => closeShown() || leave({ name: "home" })} />
      {all !== null && (now !== null ? <Calibrating key={now.id} camera={now} /> : all.length === 0 || adding.value ? <New /> : <Kept all={all} />)}
    </main>
  );
}

// --- beginning -------------------------------------------------------------------------------------------------------

function New(): JSX.Element {
  const name = useSignal(say.nameLike(keptName()));
  const board = useSignal("");
  const refused = useSignal("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    refused.value = "";
    await begin(name.value.trim() || say.nameLike(""), board.value.trim() || paper.value).catch((error: Error) => (refused.value = error.message));
  };
  return (
    <form class="camera-new" onSubmit={(event) => void submit(event)} noValidate>
      <section>
        <h2>{say.step(1, say.steps.print)}</h2>
        <PaperChips label={say.paper} names={say.papers} />
        <PrintLink path={`/prints/board.pdf?paper=${paper.value}`} label={say.getBoard} test="get-board" />
        <p class="hint-line">{say.printHint}</p>
        <details class="more-choices">
          <summary data-test="other-board">{say.otherBoard}</summary>
          <div>
            <label class="field">
              <span>{say.board}</span>
              <input value={board.value} autocomplete="off" autocapitalize="off" spellcheck={false} data-test="board" onInput={(event) => (board.value = event.currentTarget.value)} />
              <small>{say.boardHint}</small>
            </label>
          </div>
        </details>
      </section>
      <section>
        <h2>{say.step(2, say.steps.name)}</h2>
        <label class="field">
          <span>{say.name}</span>
          <input value={name.value} maxLength={80} autocomplete="off" data-test="camera-name" onInput={(event) => (name.value = event.currentTarget.value)} />
        </label>
        {refused.value !== "" && (
          <p class="field-fault" role="alert" data-test="begin-refused">
            {refused.value}
          </p>
        )}
        <button class="go" type="submit" data-test="begin-camera">
          {say.begin}
        </button>
      </section>
    </form>
  );
}

// --- continuing ------------------------------------------------------------------------------------------------------

const Calibrating = ({ camera }: { camera: CameraOut }): JSX.Element => (
  <>
    <Taking camera={camera} />
    {camera.solved !== null && <Solved solved={camera.solved} />}
    {camera.solved !== null && <ForGame cameras={[camera]} preferred={camera.id} />}
  </>
);

function Kept({ all }: { all: CameraOut[] }): JSX.Element {
  return (
    <>
      <h2>{say.cameras}</h2>
      <ul class="seat-list" data-test="camera-list">
        {all.map((one) => (
          <li key={one.id} class="seat-card" data-test={`camera-${one.id}`}>
            <strong>{one.name}</strong>
            <p class="seat-line">{`${one.solved ? say.solved(one.created) : say.unsolved(one.so_far.pictures)}${one.mine ? "" : ` · ${say.others}`}`}</p>
            {one.solved !== null && <p class="hint-line">{one.solved.says}</p>}
            <div class="seat-deeds">
              {one.mine && (
                <button class="quiet-button" data-test="go-on" onClick={() => show(one)}>
                  {say.goOn}
                </button>
              )}
              {(one.mine || isHost.value) && (
                <SureButton
                  words={say.remove}
                  sure={say.removeSure}
                  test="remove-camera"
                  act={() =>
                    void guarded(async () => {
                      await remove(one);
                      tell({ kind: "info", title: say.removed(one.name), lines: [] });
                    })
                  }
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      <button class="go" onClick={() => (adding.value = true)} data-test="another-camera">
        {say.another}
      </button>
      <ForGame cameras={all} preferred="" />
    </>
  );
}

// --- for a game ------------------------------------------------------------------------------------------------------

function ForGame({ cameras: all, preferred }: { cameras: CameraOut[]; preferred: string }): JSX.Element | null {
  const game = useSignal(games.value?.[0]?.id ?? "");
  const chosen = useSignal<ChosenOut | null>(null);
  useEffect(() => {
    chosen.value = null;
    if (game.value === "") return;
    void guarded(async () => {
      chosen.value = await chosenFor(game.value);
    });
  }, [game.value]);
  const solved = all.filter((one) => one.solved !== null);
  if (solved.length === 0) return null;
  const title = games.value?.find(({ id }) => id === game.value)?.title ?? "";
  const use = (camera: string | null): void =>
    void guarded(async () => {
      chosen.value = await chooseFor(game.value, camera);
    });
  return (
    <section data-test="for-game">
      <h2>
        <Icon name="camera" /> {say.use}
      </h2>
      {title === "" ? (
        <p class="hint-line">{say.noGames}</p>
      ) : (
        <>
          <label class="field">
            <span>{say.game}</span>
            <select value={game.value} data-test="camera-game" onChange={(event) => (game.value = event.currentTarget.value)}>
              {games.value?.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.title}
                </option>
              ))}
            </select>
          </label>
          <div class="chips" role="group" aria-label={say.useFor(title)}>
            {[...solved.map(({ id, name }) => ({ id: id as string | null, name })), { id: null, name: say.noCamera }].map(({ id, name }) => (
              <button key={id ?? ""} class="chip" aria-pressed={chosen.value !== null && chosen.value.camera === id} data-test={id === null ? "use-none" : id === preferred ? "use-this" : `use-${id}`} onClick={() => use(id)}>
                {name}
              </button>
            ))}
          </div>
          <p class="hint-line" aria-live="polite" data-test="camera-chosen">
            {chosen.value === null ? "" : say.chosen(chosen.value.name, title)}
          </p>
        </>
      )}
    </section>
  );
}
