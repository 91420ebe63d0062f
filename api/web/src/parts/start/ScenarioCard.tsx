import type { JSX } from "preact";
import { API } from "../../client";
import type { ScenarioOut } from "../../schema";
import { start as say } from "../../words/start";


// A scenario's table seen from above, as the server draws it.
export const ScenarioMap = ({ of, large = false }: { of: ScenarioOut; large?: boolean }): JSX.Element => (
  <img
    class={large ? "scenario-map large" : "scenario-map"}
    src={`${API}/rulesets/${encodeURIComponent(of.rules)}/scenarios/${encodeURIComponent(of.id)}/map.svg`}
    alt={say.mapOf(of.title)}
    width={of.size.width}
    height={of.size.depth}
    loading="lazy"
    data-test={`map-${of.id}`}
  />
);

interface CardProps {
  of: ScenarioOut;
  act: () => void;
}

// A scenario to choose: its map, its sides, and its size and length.
export const ScenarioCard = ({ of, act }: CardProps): JSX.Element => (
  <button class="choice scenario-card" onClick={act} data-test={`scenario-${of.id}`}>
    <ScenarioMap of={of} />
    <span>
      <strong>{of.title}</strong>
      <small>{of.sides.map((side) => side.title).join(say.against)}</small>
      <small>{[say.facts(of.size.width, of.size.depth, of.units), ...(of.turns > 0 ? [say.turns(of.turns)] : [])].join(" · ")}</small>
    </span>
  </button>
);
