// A preview of the report, in a sandboxed frame without scripts.

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { report as say } from "../../words/report";
import { Icon } from "../icons";
import { preview } from "./draft";

export function Preview({ address }: { address: string }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    button.current?.focus();
  }, []);
  return (
    <dialog
      class="report-preview"
      aria-label={say.previewName}
      ref={dialog}
      onClose={() => (preview.value = null)}
      data-test="preview-page"
    >
      <iframe src={address} title={say.previewName} sandbox="" />
      <button class="report-key strong" ref={button} onClick={() => dialog.current?.close()} data-test="close-preview">
        <Icon name="close" />
        {say.close}
      </button>
    </dialog>
  );
}
