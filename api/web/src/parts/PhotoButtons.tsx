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

// The formats of a photo from the device's gallery: an iPhone then sends its HEIC pictures as JPEG.
export const READ = "image/jpeg,image/png,image/webp";

// A button for a photo: a new one, where the device has a camera, or one from the gallery.
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
