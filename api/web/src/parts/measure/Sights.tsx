import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Reason, SightLine } from "../../schema";
import { words } from "../../words";
import { RuledReasons } from "../rules/RuledReasons";

const say = words.measure;

// A sample of how a line of that kind is drawn: on the map, on the photo, in the legend and beside its words.
export const LineSample = ({ verdict, observed = false, quiet = false }: { verdict: SightLine["verdict"]; observed?: boolean; quiet?: boolean }): JSX.Element => (
  <svg class="m-sample" viewBox="0 0 44 16" role="img" aria-label={say.verdicts[verdict]} aria-hidden={quiet}>
    <path class={`m-case m-sight ${verdict}`} d="M3 8h38" />
    <path class={`m-sight ${verdict} ${observed ? "observed" : ""}`} d="M3 8h38" />
    {verdict === "blocked" && <path class="m-sample-cross" d="M17 3l10 10m0-10L17 13" />}
  </svg>
);

export const Reasons = ({ reasons }: { reasons: Reason[] }): JSX.Element => <RuledReasons all={reasons} label={say.reasons} />;

export const rangeOf = ({ range }: SightLine): string =>
  [say.length(range.value, range.unit, 1.96 * range.sigma), range.band === null ? "" : say.band(range.band)].filter(Boolean).join(", ");

// Scroll a sheet until something in it is at its top.
export function bringUp(element: HTMLElement | null): void {
  const body = element?.closest(".sheet-body");
  if (element && body) body.scrollTop += element.getBoundingClientRect().top - body.getBoundingClientRect().top - 6;
}

interface CardProps {
  sight: SightLine;
  title: string;
  shown?: boolean; // brought into view
}

export function SightCard({ sight, title, shown = false }: CardProps): JSX.Element {
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    if (shown) bringUp(top.current);
  }, [shown, sight.from, sight.to]);
  return (
    <section class={`m-card ${sight.verdict}`} data-test="sight" data-verdict={sight.verdict} ref={top}>
      <h3>
        <LineSample verdict={sight.observed ?? sight.verdict} observed={sight.observed !== null} /> {title}
      </h3>
      <p class="m-verdict">{sight.observed === "clear" ? say.observed(sight.observer) : sight.verdict === "too-close" ? say.tooClose : say.verdicts[sight.verdict]}</p>
      <p>{sight.says}</p>
      <Reasons reasons={sight.reasons} />
    </section>
  );
}
