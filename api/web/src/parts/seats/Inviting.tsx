// An invitation: first its roles, then the QR code, the code and the address, with the Wi-Fi beside them.

import type { JSX } from "preact";
import { useSignal } from "@preact/signals";
import { device } from "../../device";
import type { InvitedOut, RoleOut } from "../../schema";
import { guarded } from "../../shell";
import { words } from "../../words";
import { Icon } from "../icons";
import { Chips } from "./Chips";
import { again, invite, invited, joined } from "./seating";

const say = words.seats;
const svg = (drawn: string): string => `data:image/svg+xml,${encodeURIComponent(drawn)}`;

function Choice({ id, roles }: { id: string; roles: RoleOut[] }): JSX.Element {
  const chosen = useSignal<string[]>([]);
  const lacks = useSignal(false);
  return (
    <section class="seat-card invite">
      <h2>{say.invite}</h2>
      <p class="seat-line">{say.inviteHint}</p>
      <Chips name={say.invite} roles={roles} chosen={chosen.value} test="invite" choose={(next) => (chosen.value = next)} />
      {lacks.value && chosen.value.length === 0 && <p role="alert">{say.nobody}</p>}
      <button
        class="go"
        type="button"
        data-test="make-invitation"
        onClick={() => {
          lacks.value = chosen.value.length === 0;
          if (!lacks.value) void guarded(() => invite(id, chosen.value));
        }}
      >
        {say.make}
      </button>
    </section>
  );
}

function Shown({ made, title }: { id: string; made: InvitedOut; title: (role: string) => string }): JSX.Element {
  const wifi = device.value?.wifi;
  const who = joined.value;
  return (
    <section class="seat-card invite" data-test="invited" aria-live="polite">
      <h2>{say.invitedFor(made.roles.map(title).join(", "))}</h2>
      {again.value !== "" && <p class="seat-line">{say.againHint(again.value)}</p>}
      {who === null ? (
        <>
          <div class={`codes ${wifi ? "two" : ""}`}>
            {wifi && (
              <figure>
                <img src={svg(wifi.qr)} alt={say.wifiQr(wifi.name)} data-test="wifi-qr" />
                <figcaption>{say.wifi(wifi.name)}</figcaption>
              </figure>
            )}
            <figure class="main-code">
              <img src={svg(made.qr)} alt={say.qr} data-test="invite-qr" />
              <figcaption>{say.scan}</figcaption>
            </figure>
          </div>
          <p class="code-line">
            <span>{say.orCode}</span>
            <strong data-test="invite-code">{made.code}</strong>
            <span data-test="invite-address">{made.address.split(/\/j[?#]/)[0]?.replace("http://", "")}</span>
          </p>
          <p class="quiet-small">{say.until(made.expires, made.code_expires)}</p>
        </>
      ) : (
        <p class="taken" data-test="invite-taken">
          <Icon name="done" /> {who === "nobody" ? say.notOpen : say.joined(who.label, who.roles.map(title).join(", "))}
        </p>
      )}
      <button class="go" type="button" data-test="invite-done" onClick={() => (invited.value = null)}>
        {who === null ? say.done : say.another}
      </button>
    </section>
  );
}

export const Inviting = { Choice, Shown };
