import type { JSX } from "preact";
import { Icon, type IconName } from "./icons";

// Named kinds have Safari turn the phone's HEIC photos into JPEG. Where the camera is asked for, Android wants "image/*".
export const accepts = (camera: boolean): string => (camera ? "image/*" : "image/jpeg,image/png,image/webp");

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
      accept={accepts(camera)}
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
