// The seats of a game. The host invites, gives roles and revokes seats; others see their own seat.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { type Refusal } from "../../client";
import { enter, games, device } from "../../device";
import type { MeOut } from "../../schema";
import { go, leave as leaveScreen } from "../../screens";
import { PlayerChips } from "../PlayerChips";
import { guarded, say as tell, shownOut } from "../../shell";
import { words } from "../../words";
import { Icon } from "../icons";
import { ThemeButton } from "../ThemeButton";
import { Chips } from "./Chips";
import { Inviting } from "./Inviting";
import { Programs } from "./Programs";
import { invited, leave, letPlay, look, lookWhoPlays, openSeats, playAs, seatsOf, whoPlays, withdraw } from "./seating";
import { SeatRow } from "./SeatRow";
import { SureButton } from "./SureButton";
import "./seats.css";

const say = words.seats;
const LOOK_MS = 2500;

export function Seats({ id }: { id: string }): JSX.Element {
  const known = useSignal(false);
  const lacks = useSignal(""); // why there are no seats here at all
  const mine = device.value?.seats.find((seat) => seat.at === id);
  const hosts = device.value !== null && (device.value.host || (mine?.host ?? false));
  useEffect(() => {
    void guarded(async () => {
      if (device.value === null) await enter();
      known.value = true;
    });
  }, [id]);
  useEffect(() => {
    if (!known.value) return;
    openSeats(id);
    const again = (): void =>
      void look(id, hosts).catch((error: unknown) => {
        if (!shownOut(error) && (error as Refusal).status === 404) lacks.value = (error as Refusal).message;
      });
    again();
    const timer = window.setInterval(() => !document.hidden && again(), LOOK_MS);
    return () => window.clearInterval(timer);
  }, [id, hosts, known.value]);
  return (
    <main class="home seats-page">
      <header class="seats-head">
        <button class="round" aria-label={say.back} onClick={() => leaveScreen({ name: "game", id })} data-test="back">
          <Icon name="back" />
        </button>
        <div>
          <h1>{say.title}</h1>
          <p>{titleOf(id)}</p>
        </div>
        <ThemeButton />
      </header>
      {lacks.value !== "" && <p data-test="no-seats">{lacks.value}</p>}
      {known.value && lacks.value === "" && (hosts ? <Hosting mine={mine} id={id} /> : <Own mine={mine} id={id} />)}
      {known.value && lacks.value === "" && (hosts || mine) && <Programs id={id} />}
    </main>
  );
}

const titleOf = (id: string): string => games.value?.find((one) => one.id === id)?.title ?? "";

function Hosting({ id, mine }: { id: string; mine: MeOut | undefined }): JSX.Element | null {
  const shown = seatsOf.value;
  if (shown === null) return null;
  const title = (role: string): string => shown.roles.find((one) => one.role === role)?.title ?? say.role(role);
  const sitting = shown.seats.filter((seat) => !seat.revoked && seat.seat !== mine?.seat);
  const gone = shown.seats.filter((seat) => seat.revoked);
  const own = mine?.roles.filter((role) => role !== "host") ?? [];
  return (
    <>
      {invited.value === null ? <Inviting.Choice id={id} roles={shown.roles} /> : <Inviting.Shown id={id} made={invited.value} title={title} />}
      <h2>{say.sitting}</h2>
      {sitting.length === 0 && <p class="quiet">{say.none}</p>}
      <ul class="seat-list" data-test="seats">
        {sitting.map((seat) => (
          <SeatRow key={seat.seat} id={id} seat={seat} roles={shown.roles} title={title} />
        ))}
      </ul>
      <h2>{say.you}</h2>
      <div class="seat-card" data-test="own-roles">
        <p class="seat-line">{say.yourRoles}</p>
        <Chips
          name={say.yourRoles}
          roles={shown.roles.filter((one) => one.role !== "host" && one.role !== "spectator")}
          chosen={own}
          test="own"
          choose={(next) => void guarded(() => playAs(id, next))}
        />
      </div>
      <Computers id={id} />
      {shown.invitations.length > 0 && (
        <>
          <h2>{say.open}</h2>
          <ul class="seat-list" data-test="invitations">
            {shown.invitations.map((one) => (
              <li key={one.invitation} class="seat-card row" data-test={`invitation-${one.invitation}`}>
                <div>
                  <strong>{one.roles.map(title).join(", ")}</strong>
                  <small>{say.openUntil(one.expires)}</small>
                </div>
                <button
                  class="quiet-button"
                  data-test="withdraw"
                  aria-label={`${say.withdraw}: ${one.roles.map(title).join(", ")}`}
                  onClick={() =>
                    void guarded(async () => {
                      await withdraw(id, one.invitation);
                      tell({ kind: "info", title: say.withdrawn, lines: [] });
                    })
                  }
                >
                  {say.withdraw}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {gone.length > 0 && (
        <p class="quiet-small" data-test="gone">{`${say.gone}: ${gone.map((seat) => seat.label).join(", ")}`}</p>
      )}
    </>
  );
}

// The sides that computers play; the log reports changes. A table without a game has none.
function Computers({ id }: { id: string }): JSX.Element | null {
  useEffect(() => void lookWhoPlays(id).catch(() => undefined), [id]);
  const now = whoPlays.value;
  if (now === null || now.id !== id || now.outcome !== null || Object.keys(now.levels).length === 0) return null;
  const put = (side: string, level: string): void => {
    const { [side]: _, ...others } = now.computers;
    void guarded(() => letPlay(id, level === "" ? others : { ...others, [side]: level }));
  };
  return (
    <>
      <h2>{words.computer.title}</h2>
      <div class="seat-card computers" data-test="computers">
        <PlayerChips sides={now.board.sides} levels={now.levels} players={now.computers} put={put} />
        <p class="seat-line">{words.computer.hint}</p>
      </div>
    </>
  );
}

function Own({ id, mine }: { id: string; mine: MeOut | undefined }): JSX.Element {
  if (!mine) return <p class="quiet">{say.noSeat}</p>;
  return (
    <>
      <h2>{say.mine}</h2>
      <div class="seat-card" data-test="my-seat">
        <strong>{mine.label}</strong>
        <p class="seat-line">{mine.titles.join(", ")}</p>
        <p class="seat-line">{say.hosts}</p>
        <div class="seat-deeds">
          <SureButton
            words={say.leave}
            sure={say.leaveSure}
            test="leave"
            act={() =>
              void guarded(async () => {
                await leave(id);
                go({ name: "home" }, true);
                tell({ kind: "info", title: say.left, lines: [] });
              })
            }
          />
        </div>
      </div>
    </>
  );
}
