import type { JSX } from "preact";
import { Icon, type IconName } from "./icons";

interface PickProps {
  icon: IconName;
  label: string;
  camera: boolean;
  look: string;
  test: string;
  take: (photo: File) => void;
}

// What a photo that the device keeps may be: an iPhone sends its HEIC pictures as JPEG then.
export const READ = "image/jpeg,image/png,image/webp";

// A button that gives a photo: taken now, where the device has a camera, or one that it keeps.
export const PickButton = ({ icon, label, camera, look, test, take }: PickProps): JSX.Element => (
  <label class={look}>
    <Icon name={icon} />
    <span>{label}</span>
    <input
      type="file"
      accept={camera ? "image/*" : READ}
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
