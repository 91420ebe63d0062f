import type { JSX } from "preact";
import { words } from "../../words";
import { Icon } from "../icons";
import { PickButton } from "../PhotoButtons";
import { failed, filming, look, mayName, mayNameEarly, mayResend, nameCorners, own, resend, send, showNothing, taking, underway, watching } from "./turn";

const say = words.photo;
const hasCamera = window.isSecureContext && navigator.mediaDevices?.getUserMedia !== undefined;

const toGame = (photo: File): void => void send(photo);

export function Taking(): JSX.Element {
  if (watching.value) return <p class="quiet">{say.watching}</p>;
  return (
    <div class="choices">
      {failed.value !== null && (
        <div class="photo-failed" role="alert" data-test="photo-failed">
          <strong>{say.failed}</strong>
          <p>{failed.value}</p>
          {mayName.value && (
            <button class="choice primary" data-test="name-corners" onClick={nameCorners}>
              <Icon name="look" />
              <span>
                <strong>{say.nameCorners}</strong>
                <small>{say.nameHint}</small>
              </span>
            </button>
          )}
          {mayResend.value && (
            <button class="quiet-button" data-test="resend" onClick={resend}>
              {say.sendAgain}
            </button>
          )}
        </div>
      )}
      <PickButton icon="camera" label={say.take} test="game-take-photo" camera look="choice primary" take={toGame} />
      <PickButton icon="gallery" label={say.pick} test="game-pick-photo" camera={false} look="choice" take={toGame} />
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
    <div class="on-its-way" data-test="on-its-way">
      <div class={own.value && "own-photo"}>
        {own.value && <img src={own.value} alt={say.own} data-test="own-photo" onError={showNothing} />}
        <div class="way-told" role="status">
          <strong>{now.stage}…</strong>
          <progress max={100} value={Math.round(100 * now.fraction)} aria-label={now.stage} />
        </div>
      </div>
      <p class="quiet-line">{now.id === null ? "" : say.meanwhile}</p>
      {mayNameEarly.value && (
        <button class="quiet-button" data-test="name-early" onClick={nameCorners}>
          {say.nameEarly}
        </button>
      )}
    </div>
  );
}
