import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isReferee, sideName, unitOf } from "../../game";
import type { JudgedOut, ProposalOut } from "../../schema";
import { words } from "../../words";
import { VerdictIcon } from "../icons";
import { RuledReasons } from "../rules/RuledReasons";
import { basesOf, correctable, pick } from "./bases";
import { Crop } from "./Crop";
import { Dice } from "./Dice";
import {
  accept, acceptCertain, certain, correctAll, correctionOf, diceOf, leave, left, open, place, proposals, working,
} from "./turn";

const say = words.photo;

// The events that the photo shows, each with its ruling: all certain ones by one tap, the rest one by one.
export function Moves(): JSX.Element {
  const sure = certain.value.length;
  return (
    <>
      {sure > 0 && (
        <button class="go wide" data-test="accept-certain" disabled={working.value} onClick={() => void acceptCertain()}>
          {say.certain(sure)}
        </button>
      )}
      {proposals.value.length === 0 && left.value.size === 0 && <p class="quiet">{say.noMoves}</p>}
      <ul class="shots">
        {proposals.value.map((one) => (
          <Move key={one.id} one={one} />
        ))}
      </ul>
      {left.value.size > 0 && (
        <div class="row-buttons">
          <p class="quiet">{say.left(left.value.size)}</p>
          <button class="quiet-button" data-test="show-left" onClick={() => (left.value = new Set())}>
            {say.showLeft}
          </button>
        </div>
      )}
    </>
  );
}

const titleOf = ({ unit }: ProposalOut): string => unitOf(unit)?.title ?? unit ?? say.table;
const whatOf = ({ what }: ProposalOut): string => say.whats[what] ?? what;
const measuredOf = ({ seen, what }: ProposalOut): string[] => [
  ...(seen?.distance && what !== "turned" ? [say.distance(seen.distance, seen.sigma)] : []),
  ...(seen?.turned_deg && Math.abs(seen.turned_deg) >= 3 ? [say.turned(seen.turned_deg, seen.turned_sigma)] : []),
];

function Move({ one }: { one: ProposalOut }): JSX.Element {
  const shown = open.value === one.id;
  const title = titleOf(one);
  const what = whatOf(one);
  const measured = measuredOf(one);
  const asks = one.action === "";
  return (
    <li class={`shot-row ${asks ? "asks" : one.verdict} ${shown ? "open" : ""}`} data-test={`move-${one.unit ?? "table"}-${one.what}`}>
      <button class="shot-head" aria-expanded={shown} onClick={() => (open.value = shown ? null : one.id)}>
        {!asks && <span class="unseen">{say.verdict[one.verdict]}</span>}
        {asks ? <b class="ask-mark" aria-hidden="true">?</b> : <VerdictIcon verdict={one.verdict} />}
        <span class="shot-who">
          <strong>
            {title} <span class="kind">{what}</span>
          </strong>
          <small>{one.told || one.question}</small>
          {!shown && !asks && one.violations[0] && <small class="why">{one.violations[0].text}</small>}
        </span>
        {["moved", "turned", "nudged"].includes(one.what) && (
          <span class="shot-numbers">
            {measured.map((line) => (
              <strong key={line}>{line}</strong>
            ))}
          </span>
        )}
      </button>
      {shown && <More one={one} asks={asks} />}
    </li>
  );
}

function More({ one, asks }: { one: ProposalOut; asks: boolean }): JSX.Element {
  const correction = correctionOf(one);
  const first = basesOf(one.unit)[0];
  return (
    <div class="move-more">
      {one.question && <p>{one.question}</p>}
      {place.value && <Crop marks={[{ letter: "", at: place.value, id: one.id }]} what={one.told || one.question} />}
      {!asks && <p class="verdict-words">{say.verdict[one.verdict]}</p>}
      {one.violations.length > 0 && <RuledReasons all={one.violations} />}
      {one.settled.length > 0 && (
        <>
          <p class="quiet-line">{say.settledByPhoto}</p>
          <RuledReasons all={one.settled} />
        </>
      )}
      {asks ? <Asked one={one} /> : one.mine ? <Deeds one={one} /> : <p class="quiet-line">{say.forWhom(sideName(one.side))}</p>}
      <div class="row-buttons">
        {correctable.value && first !== undefined && (
          <button class="quiet-button" data-test="put-right" onClick={() => pick(first)}>
            {say.putRightFirst}
          </button>
        )}
        {correction && (
          <button class="quiet-button" data-test="correct-place" disabled={working.value} onClick={() => void correctAll([correction])}>
            {say.correct}
          </button>
        )}
        <button class="quiet-button" data-test="leave" onClick={() => leave(one.id)}>
          {say.leave}
        </button>
      </div>
    </div>
  );
}

// The ways to carry out a proposal: at once, after measuring, or as the host's override.
function Deeds({ one }: { one: ProposalOut }): JSX.Element | null {
  const [over, setOver] = useState(false);
  const measured = one.verdict === "too-close";
  const firm = one.violations.some((row) => row.firm);
  const wish = over ? { overrule: true } : measured ? { measured: true } : {};
  const off = working.value;
  const overrule = one.verdict !== "yes" && !firm && isReferee.value && !over && (
    <button class="quiet-button refuse" data-test="overrule" onClick={() => setOver(true)}>
      {say.overrule}
    </button>
  );
  if (one.verdict === "no" && !over) return overrule || null;
  if (one.needs.count > 0) {
    const roll = one.verdict === "yes" ? { roll: () => void accept({ chosen: [one.id], roll: true }) } : {};
    return (
      <>
        <Dice
          count={one.needs.count}
          faces={one.needs.faces}
          off={off}
          done={(dice) => void accept({ chosen: [one.id], dice: { [one.id]: dice }, ...wish })}
          {...roll}
        />
        {overrule}
      </>
    );
  }
  return (
    <>
      <button class="go wide" data-test="carry-out" disabled={off} onClick={() => void accept({ chosen: [one.id], ...wish })}>
        {over ? say.overrule : measured ? say.measured : one.question ? say.yes : say.carryOut}
        <small>{say.change(titleOf(one), whatOf(one), measuredOf(one))}</small>
      </button>
      {overrule}
    </>
  );
}

interface Deed {
  action: Record<string, unknown>;
  words: string;
  says: string;
}

// A question that an action answers, with its dice.
function Asked({ one }: { one: ProposalOut }): JSX.Element {
  const [chosen, setChosen] = useState<{ of: Deed; needs: JudgedOut["dice"] } | null>(null);
  const deeds = one.answers.flatMap(({ action, words, says }) => (action ? [{ action, words: words ?? "", says }] : []));
  const choose = async (of: Deed): Promise<void> => {
    const needs = await diceOf(of.action).catch(() => null);
    if (needs === null || needs.count === 0) await accept({ chosen: [], answers: { [one.id]: of.action } });
    else setChosen({ of, needs });
  };
  if (deeds.length === 0) return <p class="quiet-line">{say.onlyAsk}</p>;
  return (
    <>
      <div class="chips">
        {deeds.map((row) => (
          <button
            key={row.words}
            class="chip"
            aria-pressed={chosen?.of.words === row.words}
            data-test={`do-${row.words.replace(/\W+/g, "-")}`}
            disabled={working.value}
            onClick={() => void choose(row)}
          >
            {row.says}
          </button>
        ))}
      </div>
      {chosen && (
        <Dice
          key={chosen.of.words}
          count={chosen.needs.count}
          faces={chosen.needs.faces}
          off={working.value}
          done={(dice) => void accept({ chosen: [], answers: { [one.id]: chosen.of.action }, dice: { [one.id]: dice } })}
          roll={() => void accept({ chosen: [], answers: { [one.id]: chosen.of.action }, roll: true })}
        />
      )}
    </>
  );
}
