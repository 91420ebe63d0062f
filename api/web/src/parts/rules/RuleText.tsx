import type { JSX } from "preact";
import type { Rule } from "../../schema";
import { words } from "../../words";

// A rule in our own words, with its place in the rulebook.
export const RuleText = ({ rule }: { rule: Rule }): JSX.Element => (
  <article class="rule" data-test={`rule-${rule.id}`}>
    <h4>{rule.title}</h4>
    <p>{rule.says}</p>
    <cite>{words.rules.place(rule.place)}</cite>
  </article>
);
