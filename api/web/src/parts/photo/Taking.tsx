import type { JSX } from "preact";
import { words } from "../../words";
import { Icon, type IconName } from "../icons";
import { failed, filming, look, mayResend, resend, send, taking, underway, watching } from "./turn";

const say = words.photo;
const hasCamera = window.isSecureContext && navigator.mediaDevices?.getUserMedia !== undefined;

function Pick({ icon, label, test, camera, look: style }: { icon: IconName; label: string; test: string; camera: boolean; look: string }): JSX.Element {
  return (
    <label class={style}>
      <Icon name={icon} />
      <span>{label}</span>
      <input
        type="file"
        accept="image/*"
        class="unseen"
        data-test={test}
        {...(camera ? { capture: "environment" as const } : {})}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) void send(file);
        }}
      />
    </label>
  );
}

export function Taking(): JSX.Element {
  if (watching.value) return <p class="quiet">{say.watching}</p>;
  return (
    <div class="choices">
      {failed.value !== null && (
        <div class="photo-failed" role="alert" data-test="photo-failed">
          <strong>{say.failed}</strong>
          <p>{failed.value}</p>
          {mayResend.value && (
            <button class="quiet-button" data-test="resend" onClick={resend}>
              {say.sendAgain}
            </button>
          )}
        </div>
      )}
      <Pick icon="camera" label={say.take} test="game-take-photo" camera look="choice primary" />
      <Pick icon="gallery" label={say.pick} test="game-pick-photo" camera={false} look="choice" />
      {hasCamera && (
        <button class="choice" data-test="live-camera" onClick={() => (filming.value = true)}>
          <Icon name="look" />
          <span>{say.live}</span>
        </button>
      )}
      <ol class="advice">
        {say.advice.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      {look.value === null ? (
        <p class="quiet">{say.goOn}</p>
      ) : (
        <button class="quiet-button" data-test="not-again" onClick={() => (taking.value = false)}>
          {say.back}
        </button>
      )}
    </div>
  );
}

export function OnItsWay(): JSX.Element | null {
  const now = underway.value;
  return now === null ? null : (
    <div class="on-its-way" role="status" data-test="on-its-way">
      <strong>{now.stage}…</strong>
      <progress max={100} value={Math.round(100 * now.fraction)} aria-label={now.stage} />
      <p class="quiet-line">{now.id === null ? "" : say.meanwhile}</p>
    </div>
  );
}
