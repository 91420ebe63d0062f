import type { ComponentChildren, JSX } from "preact";
import { Icon } from "../icons";
import { openPane } from "../game/panes";
import { Sheet } from "../Sheet";

interface HelpProps {
  title: string;
  lead: string;
  close: string;
  name: string;
  children: ComponentChildren;
}

// A sheet of text.
export const HelpSheet = ({ title, lead, close, name, children }: HelpProps): JSX.Element => (
  <Sheet label={title} look={`help-sheet ${name}-sheet`}>
    <header class="sheet-head">
      <div class="sheet-title">
        <h2>{title}</h2>
        {lead && <small>{lead}</small>}
      </div>
      <button class="round small" aria-label={close} data-test={`close-${name}`} onClick={() => openPane("turn")}>
        <Icon name="close" />
      </button>
    </header>
    <div class="sheet-body" tabIndex={0} data-test={name}>{children}</div>
  </Sheet>
);
