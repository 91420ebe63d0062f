import type { JSX } from "preact";
import { guide, headings } from "../../guide";
import { words } from "../../words";
import { HelpSheet } from "./HelpSheet";
import { RuleText } from "./RuleText";

const say = words.rules;
const anchorOf = (heading: string): string => `rules-${heading.toLowerCase().replace(/\W+/g, "-")}`;
const show = (heading: string): void => document.getElementById(anchorOf(heading))?.scrollIntoView({ block: "start" });

// The whole short rulebook of the game, heading by heading.
export function RulesSheet(): JSX.Element {
  const all = guide.value?.rules ?? [];
  return (
    <HelpSheet title={say.entry} lead={guide.value?.source ? say.from(guide.value.source) : ""} close={say.close} name="rules">
      {all.length === 0 && <p class="quiet">{guide.value === null ? say.loading : say.none}</p>}
      {headings.value.length > 1 && (
        <nav class="chips headings" aria-label={say.headings}>
          {headings.value.map((heading) => (
            <button key={heading} class="chip" onClick={() => show(heading)}>
              {heading}
            </button>
          ))}
        </nav>
      )}
      {headings.value.map((heading) => (
        <section key={heading} id={anchorOf(heading)}>
          <h3>{heading}</h3>
          {all.filter((one) => one.heading === heading).map((one) => (
            <RuleText key={one.id} rule={one} />
          ))}
        </section>
      ))}
    </HelpSheet>
  );
}
