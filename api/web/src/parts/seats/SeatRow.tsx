// Another player's seat, as the host sees it.

import type { JSX } from "preact";
import { useSignal } from "@preact/signals";
import type { RoleOut, SeatOut } from "../../schema";
import { guarded, say as tell } from "../../shell";
import { words } from "../../words";
import { Icon } from "../icons";
import { Chips } from "./Chips";
import { assign, inviteAgain, revoke } from "./seating";
import { SureButton } from "./SureButton";

const say = words.seats;

interface SeatRowProps {
  id: string;
  seat: SeatOut;
  roles: RoleOut[];
  title: (role: string) => string;
}

export function SeatRow({ id, seat, roles, title }: SeatRowProps): JSX.Element {
  const open = useSignal(false);
  const change = (next: string[]): void => {
    if (next.length === 0) tell({ kind: "info", title: say.lastRole, lines: [] });
    else void guarded(() => assign(id, seat.seat, next));
  };
  return (
    <li class="seat-card" data-test={`seat-${seat.seat}`}>
      <button class="seat-who" aria-expanded={open.value} data-test="seat-open" onClick={() => (open.value = !open.value)}>
        <span>
          <strong>{seat.label}</strong>
          <small>
            <b class="role-tag">{seat.roles.map(title).join(", ")}</b>
            {say.seen(seat.seen_s, seat.seen)}
          </small>
        </span>
        <Icon name="down" />
      </button>
      {open.value && (
        <>
          <Chips name={say.rolesOf(seat.label)} roles={roles} chosen={seat.roles} test="role" choose={change} />
          <div class="seat-deeds">
            <button class="quiet-button" type="button" data-test="invite-again" onClick={() => void guarded(() => inviteAgain(id, seat))}>
              {say.again}
            </button>
            <SureButton
              words={say.revoke}
              sure={say.revokeSure}
              test="revoke"
              act={() =>
                void guarded(async () => {
                  await revoke(id, seat.seat);
                  tell({ kind: "info", title: say.revoked(seat.label), lines: [] });
                })
              }
            />
          </div>
        </>
      )}
    </li>
  );
}
