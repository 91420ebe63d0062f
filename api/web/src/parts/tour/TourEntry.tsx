import type { JSX } from "preact";
import { words } from "../../words";
import { Icon } from "../icons";
import { beginning, beginTour } from "./tour";

const say = words.tour;

export const TourEntry = (): JSX.Element => (
  <button class="choice" disabled={beginning.value} data-test="begin-tour" onClick={() => void beginTour()}>
    <Icon name="play" />
    <span>
      <strong>{say.entry}</strong>
      <small>{beginning.value ? say.beginning : say.hint}</small>
    </span>
  </button>
);
