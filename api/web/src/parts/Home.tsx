// The start page: for a stranger the ways to join, for a player the games and tables with a seat, for the host
// everything.

import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { API } from "../client";
import { changeGame, deleteGame, device, games, isHost, seated } from "../device";
import { go, screen, type Screen } from "../screens";
import type { GameBrief } from "../schema";
import { guarded, host, say as tell } from "../shell";
import { demo, lookAround, openTable, openTableFile, tables } from "../stored";
import { tableName, text } from "../words/shared";
import { words } from "../words";
import { Icon, type IconName } from "./icons";
import { CodeForm } from "./join/Join";
import { SureButton } from "./seats/SureButton";
import { ThemeButton } from "./ThemeButton";
import { TourEntry } from "./tour/TourEntry";

const say = words.home;

export function Home(): JSX.Element {
  const here = device.value;
  useEffect(() => void lookAround(), [screen.value]);
  return (
    <main class="home">
      <header class="home-head">
        <img src="/icon.svg" alt="" width="52" height="52" />
        <div>
          <h1>{text.name}</h1>
          <p data-test="who">{here !== null && seated.value ? (isHost.value ? say.asHost : say.asPlayer(here.label)) : say.tagline}</p>
        </div>
        <ThemeButton />
      </header>
      {here !== null && (isHost.value ? <HostHome /> : seated.value ? <PlayerHome /> : <StrangerHome />)}
    </main>
  );
}

function StrangerHome(): JSX.Element {
  return (
    <div data-test="stranger">
      <section class="way scan">
        <Icon name="qr" />
        <div>
          <h2>{words.join.scan}</h2>
          <p>{words.join.scanHint}</p>
        </div>
      </section>
      <section class="way">
        <h2>{words.join.orCode}</h2>
        <CodeForm />
      </section>
    </div>
  );
}

function PlayerHome(): JSX.Element {
  return (
    <>
      <Recent title={say.mine} nothing={say.nothingMine} />
      <Tools />
      <details class="way other-code">
        <summary data-test="other-code">{words.join.otherGame}</summary>
        <CodeForm />
      </details>
    </>
  );
}

function HostHome(): JSX.Element {
  return (
    <>
      <div class="choices">
        <Way icon="flag" title={say.start} hint={say.startHint} to={{ name: "start" }} strong />
        {games.value?.length === 0 && <TourEntry />}
        <label class="choice">
          <Icon name="file" />
          <span>
            <strong>{say.openTable}</strong>
            <small>{say.openTableHint}</small>
          </span>
          <input
            type="file"
            accept=".toml,application/toml,text/plain"
            class="unseen"
            data-test="table-file"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = "";
              if (file) void openTableFile(file);
            }}
          />
        </label>
        {host.value?.demo && (
          <button class="choice" onClick={() => void demo()} data-test="demo">
            <Icon name="play" />
            <span>
              <strong>{say.demo}</strong>
              <small>{say.demoHint}</small>
            </span>
          </button>
        )}
      </div>
      <Recent title={say.recent} nothing={say.nothing} />
      <Tools />
      <Reach />
    </>
  );
}

const Tools = (): JSX.Element => (
  <>
    <h2>{say.tools}</h2>
    <div class="choices pair">
      <Way icon="camera" title={say.camera} hint={say.cameraHint} to={{ name: "camera" }} />
      <Way icon="print" title={say.prints} hint={say.printsHint} to={{ name: "prints" }} />
      {isHost.value && <Way icon="look" title={say.learnt} hint={say.learntHint} to={{ name: "learnt" }} />}
    </div>
  </>
);

interface WayProps {
  icon: IconName;
  title: string;
  hint: string;
  to: Screen;
  strong?: boolean;
}

const Way = ({ icon, title, hint, to, strong = false }: WayProps): JSX.Element => (
  <button class={`choice ${strong ? "primary" : ""}`} onClick={() => go(to)} data-test={`to-${to.name}`}>
    <Icon name={icon} />
    <span>
      <strong>{title}</strong>
      <small>{hint}</small>
    </span>
  </button>
);

interface Row {
  id: string;
  title: string;
  line: string;
  used: string;
  game?: GameBrief;
  open: () => void;
}

// Games and tables together, the most recently used first.
function rows(): Row[] {
  const found: Row[] = [
    ...(games.value ?? []).map(
      (game): Row => ({
        id: game.id,
        title: game.title,
        line: say.game(game.rules_title, game.turn, game.to_act, game.over),
        used: game.used,
        game,
        open: () => go({ name: "game", id: game.id }),
      }),
    ),
    ...(tables.value ?? []).map(
      (one): Row => ({
        id: one.id,
        title: tableName(one.name),
        line: say.table(one.units, one.has_photo),
        used: one.used,
        open: () => void openTable(one.id),
      }),
    ),
  ];
  return found.sort((one, other) => Date.parse(other.used) - Date.parse(one.used));
}

function Recent({ title, nothing }: { title: string; nothing: string }): JSX.Element | null {
  if (games.value === null || tables.value === null) return null;
  const all = rows();
  const away = all.filter(({ game }) => game?.archived);
  const shown = all.filter((row) => !away.includes(row));
  return (
    <section>
      <h2>{title}</h2>
      {all.length === 0 && <p class="quiet">{nothing}</p>}
      <Rows all={shown} />
      {away.length > 0 && (
        <details class="way">
          <summary data-test="archived">{say.archived(away.length)}</summary>
          <Rows all={away} />
        </details>
      )}
    </section>
  );
}

function Rows({ all }: { all: Row[] }): JSX.Element {
  const roles = new Map(device.value?.seats.map((seat) => [seat.at, seat.titles.join(", ")]));
  return (
    <ul class="tables" hidden={all.length === 0}>
      {all.map((row) => (
        <li key={row.id}>
          <div class="row-line">
            <button onClick={row.open} data-test={`open-${row.id}`}>
              <span>
                <strong>{row.title}</strong>
                <small>
                  {roles.has(row.id) && <b class="role-tag">{roles.get(row.id)}</b>}
                  {row.line} · {say.used(row.used)}
                </small>
              </span>
              <Icon name="right" />
            </button>
            {isHost.value && row.game && (
              <button class="manage" aria-label={say.manage(row.title)} aria-expanded={managed.value === row.id} data-test={`manage-${row.id}`} onClick={() => (managed.value = managed.value === row.id ? null : row.id)}>
                <Icon name="more" />
              </button>
            )}
          </div>
          {managed.value === row.id && row.game && <Manage key={row.id} game={row.game} />}
        </li>
      ))}
    </ul>
  );
}

const managed = signal<string | null>(null); // the game that is renamed, archived or deleted

function Manage({ game: { id, title, archived } }: { game: GameBrief }): JSX.Element {
  const name = useSignal(title);
  const done = (job: () => Promise<void>): void => void guarded(job).then((is) => is && (managed.value = null));
  return (
    <form
      class="manage-game"
      data-test="manage-game"
      onSubmit={(event) => {
        event.preventDefault();
        done(() => changeGame(id, { title: name.value.trim() }));
      }}
    >
      <label class="field">
        <span>{say.title}</span>
        <input value={name.value} maxLength={80} autocomplete="off" data-test="new-title" onInput={(event) => (name.value = event.currentTarget.value)} />
      </label>
      <div class="row-buttons">
        <button class="quiet-button" data-test="rename" disabled={name.value.trim() === "" || name.value.trim() === title}>
          {say.rename}
        </button>
        <button class="quiet-button" type="button" data-test="archive" onClick={() => done(() => changeGame(id, { archived: !archived }))}>
          {archived ? say.unarchive : say.archive}
        </button>
        <SureButton
          words={say.remove}
          sure={say.removeSure}
          test="delete-game"
          act={() =>
            done(async () => {
              await deleteGame(id);
              tell({ kind: "info", title: say.removed(title), lines: [] });
            })
          }
        />
      </div>
    </form>
  );
}

function Reach(): JSX.Element | null {
  const [address, ...others] = device.value?.addresses ?? [];
  const wifi = device.value?.wifi;
  if (address === undefined) return null;
  return (
    <section data-test="reach">
      <h2>{say.reach}</h2>
      {wifi && (
        <div class="join">
          <img src={`data:image/svg+xml,${encodeURIComponent(wifi.qr)}`} alt={words.seats.wifiQr(wifi.name)} width="148" height="148" data-test="wifi-qr" />
          <div>
            <h3>{say.wifi}</h3>
            <p>{say.wifiHint(wifi.name)}</p>
          </div>
        </div>
      )}
      <div class="join">
        <img src={`${API}/host/qr.svg`} alt={say.qr(address)} width="148" height="148" />
        <div>
          <h3>{say.address}</h3>
          <p class="address">{address.replace("http://", "")}</p>
          <p>{say.addressHint}</p>
          {others.length > 0 && <p class="quiet-small">{`${say.others} ${others.map((one) => one.replace("http://", "")).join(" · ")}`}</p>}
        </div>
      </div>
    </section>
  );
}
