import type { JSX } from "preact";
import { Icon } from "../icons";
import { ThemeButton } from "../ThemeButton";

export const PageHead = ({ title, lead, back, act }: { title: string; lead: string; back: string; act: () => void }): JSX.Element => (
  <header class="plain-head">
    <button class="round" aria-label={back} onClick={act} data-test="back">
      <Icon name="back" />
    </button>
    <div>
      <h1>{title}</h1>
      <p>{lead}</p>
    </div>
    <ThemeButton />
  </header>
);
