import type { JSX } from "preact";
import { sendPhoto } from "../store";
import { text } from "../text";
import { Icon, type IconName } from "./icons";

interface PickProps {
  icon: IconName;
  label: string;
  camera: boolean;
  look: string;
}

function Pick({ icon, label, camera, look }: PickProps): JSX.Element {
  return (
    <label class={look}>
      <Icon name={icon} />
      <span>{label}</span>
      <input
        type="file"
        accept="image/*"
        class="unseen"
        data-test={camera ? "take-photo" : "pick-photo"}
        {...(camera ? { capture: "environment" as const } : {})}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) void sendPhoto(file);
        }}
      />
    </label>
  );
}

export const TakePhoto = ({ look }: { look: string }): JSX.Element => (
  <Pick icon="camera" label={text.takePhoto} camera look={look} />
);
export const PickPhoto = ({ look }: { look: string }): JSX.Element => (
  <Pick icon="gallery" label={text.pickPhoto} camera={false} look={look} />
);
