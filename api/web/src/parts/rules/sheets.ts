// The text of the rules, loaded together: parts of the page that share code make its first load larger.

export { LegendSheet } from "./LegendSheet";
export { RulesSheet } from "./RulesSheet";
