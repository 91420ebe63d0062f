import type { JSX } from "preact";
import { sendPhoto } from "../store";
import { text } from "../text";
import { Icon, type IconName } from "./icons";

interface PickProps {
  icon: IconName;
  label: string;
  camera: boolean;
  look: string;
  test: string;
  take: (photo: File) => void;
}

// A button that gives a photo: taken now, where the device has a camera, or one that it keeps.
export const PickButton = ({ icon, label, camera, look, test, take }: PickProps): JSX.Element => (
  <label class={look}>
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
        if (file) take(file);
      }}
    />
  </label>
);

const toTable = (photo: File): void => void sendPhoto(photo);

export const TakePhoto = ({ look }: { look: string }): JSX.Element => (
  <PickButton icon="camera" label={text.takePhoto} test="take-photo" camera look={look} take={toTable} />
);
export const PickPhoto = ({ look }: { look: string }): JSX.Element => (
  <PickButton icon="gallery" label={text.pickPhoto} test="pick-photo" camera={false} look={look} take={toTable} />
);
