import type { JSX } from "preact";
import { ruleOf } from "../../guide";
import { words } from "../../words";
import { Icon } from "../icons";
import { RuleText } from "./RuleText";

const say = words.rules;

interface Told {
  code?: string;
  text: string;
  place: string;
}

// Reasons with their places in the rulebook, each once; one with a rule can show it below.
export const RuledReasons = ({ all, label }: { all: Told[]; label?: string }): JSX.Element => (
  <ul class="reasons" aria-label={label}>
    {all.filter(({ text }, i) => all.findIndex((one) => one.text === text) === i).map((one) => (
      <Reason key={`${one.code ?? ""}${one.text}`} {...one} />
    ))}
  </ul>
);

function Reason({ code, text, place }: Told): JSX.Element {
  const rule = ruleOf(code, place);
  if (rule === null) {
    return (
      <li>
        {text} {place && <cite>{place}</cite>}
      </li>
    );
  }
  return (
    <li class="ruled">
      <details>
        <summary data-test={`reason-${rule.id}`} title={say.place(rule.place)}>
          <Icon name="book" /> <span>{text} {place && <cite>{place}</cite>}</span>
        </summary>
        <RuleText rule={rule} />
      </details>
    </li>
  );
}
