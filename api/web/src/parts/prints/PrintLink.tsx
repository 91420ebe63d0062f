// A link to a sheet that the server draws. It is fetched first, so that a refusal is a sentence instead of a broken
// download.

import type { JSX } from "preact";
import { useSignal } from "@preact/signals";
import { API, answered, Refusal, save } from "../../client";
import { say as tell } from "../../shell";
import { prints as say } from "../../words/prints";
import { Icon } from "../icons";

interface PrintLinkProps {
  path: string; // below the addresses' root
  label: string;
  hint?: string;
  test: string;
  off?: boolean;
}

export function PrintLink({ path, label, hint = "", test, off = false }: PrintLinkProps): JSX.Element {
  const making = useSignal(false);
  const refused = useSignal("");
  const file = (path.split("?")[0] ?? "").split("/").at(-1) ?? "";
  const get = async (): Promise<void> => {
    if (making.value || off) return;
    [making.value, refused.value] = [true, ""];
    try {
      const answer = await answered("GET", path);
      const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? file;
      save(await answer.blob(), name);
      tell({ kind: "info", title: say.kept(name), lines: [] });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.value = error.message;
    } finally {
      making.value = false;
    }
  };
  return (
    <div class="print-link">
      <a
        class="choice"
        href={`${API}${path}`}
        download={file}
        aria-disabled={off}
        aria-busy={making.value}
        data-test={test}
        onClick={(event) => {
          event.preventDefault();
          void get();
        }}
      >
        <Icon name="save" />
        <span>
          <strong>{making.value ? say.making : label}</strong>
          {hint !== "" && <small>{hint}</small>}
        </span>
      </a>
      {refused.value !== "" && (
        <p class="field-fault" role="alert" data-test={`${test}-refused`}>
          {refused.value}
        </p>
      )}
    </div>
  );
}
