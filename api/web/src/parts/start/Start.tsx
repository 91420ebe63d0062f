// Starting a game: one choice; everything after it is optional.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { enter, isHost } from "../../device";
import { go, holdBack, leave } from "../../screens";
import type { ScenarioOut } from "../../schema";
import { guarded } from "../../shell";
import { inUnit } from "../../units";
import { words } from "../../words";
import { start as say } from "../../words/start";
import { Icon, type IconName } from "../icons";
import { Form } from "./Form";
import { clearForm, kinds } from "./blank";
import { Chips, Count, Hinted, More, YesNo } from "./Choosing";
import { Fault, LengthField } from "./NumberField";
import { TourEntry } from "../tour/TourEntry";
import { PageHead } from "./PageHead";
import { ScenarioCard, ScenarioMap } from "./ScenarioCard";
import {
  armies, baseSize, begin, beginning, bring, brought, importAgain, importing, mapBrought, notes, squareIn, board, boardFrom, choose, chosen, clearFault, computers, dice, faultOf, faults, file, fitting, modes, offered, openStart, plan, planning, play, position,
  positionFault, readFile, readPosition, rules, rulesets, scenario, scenarios, setChoice, setSwitch, sides, switches, title, usedMode, mode, way,
} from "./starting";
import { PlayerChips } from "../PlayerChips";
import "./start.css";

const LONGEST_TITLE = 80;
const MOST_CHOSEN = 999_999;
const LONGEST_BASE = 40;

export function Start(): JSX.Element {
  useEffect(() => {
    choose(null);
    void guarded(async () => {
      await enter();
      if (!isHost.value) return go({ name: "home" }, true);
      await openStart();
      kinds.value = rulesets.value.find((one) => one.by_form)?.kinds ?? [];
    });
    const stops = [planning(), holdBack(closeChosen)];
    return () => stops.forEach((stop) => stop());
  }, []);
  const now = way.value;
  const heads = { scenario: scenario.value?.title, board: board.value?.title, file: (file.value ?? brought.value)?.name, form: say.form };
  return (
    <main class="home plain-page start-page" data-test="start">
      {now === null ? (
        <PageHead title={say.title} lead={say.lead} back={say.home} act={() => leave({ name: "home" })} />
      ) : (
        <PageHead title={heads[now] ?? say.title} lead={say.title} back={say.back} act={() => choose(null)} />
      )}
      {now === null ? <Ways /> : <Chosen />}
    </main>
  );
}

// Back to the first choice; returns whether another was made.
function closeChosen(): boolean {
  if (way.value === null) return false;
  choose(null);
  return true;
}

// --- the first choice ------------------------------------------------------------------------------------------------

interface CardProps {
  icon: IconName;
  name: string;
  hint: string;
  test: string;
  act: () => void;
}

const Card = ({ icon, name, hint, test, act }: CardProps): JSX.Element => (
  <button class="choice" onClick={act} data-test={test}>
    <Icon name={icon} />
    <span>
      <strong>{name}</strong>
      <small>{hint}</small>
    </span>
  </button>
);

const Ways = (): JSX.Element | null => rulesets.value.length === 0 ? null : (
  <>
    <div class="choices">
      <TourEntry />
    </div>
    <h2>{say.scenarios}</h2>
    <div class="choices">
      {rulesets.value.map((of) => {
        const own = scenarios.value.filter((one) => one.rules === of.id);
        return own.length === 0 ? null : (
          <section key={of.id} class="choices" aria-label={of.title}>
            <h3>{of.title}</h3>
            {own.map((one) => (
              <ScenarioCard key={one.id} of={one} act={() => choose("scenario", one)} />
            ))}
          </section>
        );
      })}
    </div>
    <h2>{say.boards}</h2>
    <div class="choices">
      {rulesets.value.filter((one) => one.by_name).map((one) => (
        <Card key={one.id} icon="map" name={one.title} hint={say.board} test={`rules-${one.id}`} act={() => choose("board", one)} />
      ))}
    </div>
    <h2>{say.own}</h2>
    <div class="choices">
      <TableFile label={say.file} hint={say.fileHint} test="bring-file" foreign take={bring} />
      <Card icon="hand" name={say.form} hint={say.formHint} test="from-nothing" act={() => choose("form")} />
      {armies.value.map(({ id, title: name, package: from, table_name, table_file }) => (
        <Card key={id} icon="file" name={name} hint={say.army(from)} test={`army-${id}`} act={() => choose("file", { name: table_name, text: table_file })} />
      ))}
    </div>
  </>
);

interface TableFileProps {
  label: string;
  hint: string;
  test: string;
  foreign?: boolean; // maps and rosters of other programs too
  take: (file: File) => Promise<void>;
}

const TOML = ".toml,application/toml,text/plain";
const FOREIGN = ".uvtt,.dd2vtt,.df2vtt,.ros,.rosz,.json,.txt,application/json";

const TableFile = ({ label, hint, test, foreign = false, take }: TableFileProps): JSX.Element => (
  <label class="choice">
    <Icon name="file" />
    <span>
      <strong>{label}</strong>
      {hint !== "" && <small>{hint}</small>}
    </span>
    <input
      type="file"
      accept={foreign ? `${TOML},${FOREIGN}` : TOML}
      class="unseen"
      data-test={test}
      onChange={(event) => {
        const picked = event.currentTarget.files?.[0];
        event.currentTarget.value = "";
        if (picked) void take(picked);
      }}
    />
  </label>
);

// --- after the first choice ------------------------------------------------------------------------------------------

function Chosen(): JSX.Element {
  return (
    <>
      {way.value === "scenario" && scenario.value && <ScenarioFacts one={scenario.value} />}
      {way.value === "board" && board.value && <BoardChoices />}
      {way.value === "file" && <FileFacts />}
      {way.value === "form" && <Form />}
      <Computers />
      <Who />
      <label class="field">
        <span>{say.name}</span>
        <input
          value={title.value}
          maxLength={LONGEST_TITLE}
          autocomplete="off"
          placeholder={plan.value?.title ?? ""}
          data-test="game-title"
          onInput={(event) => (title.value = event.currentTarget.value)}
        />
      </label>
      <Begin />
    </>
  );
}

function ScenarioFacts({ one }: { one: ScenarioOut }): JSX.Element {
  return (
    <>
      <ScenarioMap of={one} large />
      <p class="side-line">{one.sides.map((side) => side.title).join(say.against)}</p>
      <p class="fact-line">{`${say.facts(one.size.width, one.size.depth, one.units)} · ${say.turns(one.turns)}`}</p>
      <p class="scenario-notes" data-test="notes">{one.notes}</p>
      <small>{one.source}</small>
      <Choices one={one} />
      <More title={asksDice() ? say.basesAndDice : say.yourBases} test="own-more" open={faultOf("table_file") !== "" || file.value !== null}>
        {file.value === null ? (
          <TableFile
            label={say.yourTable}
            hint={say.yourTableHint}
            test="own-bases"
            take={async (picked) => {
              file.value = await readFile(picked);
            }}
          />
        ) : (
          <div class="side-card" data-test="own-file">
            <strong>{file.value.name}</strong>
            <button class="quiet-button" onClick={() => (file.value = null)} data-test="without-file">
              {say.noFile}
            </button>
          </div>
        )}
        <Fault text={faultOf("table_file")} id="table_file-fault" />
        <Dice standard={one.dice} />
      </More>
    </>
  );
}

// The scenario's options: yes or no as one chip, else one chip for each value, else a number.
function Choices({ one }: { one: ScenarioOut }): JSX.Element | null {
  const all = rules.value?.choices ?? [];
  if (all.length === 0) return null;
  const now = (id: string, usual: string): string => chosen.value[id] ?? one.choices[id] ?? usual;
  return (
    <More title={say.options} test="more" open={all.some(({ id }) => id in chosen.value) || faultOf("choices") !== ""}>
      {all.map((choice) => {
        const { id, title: name, says } = choice;
        const values = choice.values ?? [];
        const value = now(id, choice.default);
        const test = `choice-${id}`;
        if (values.join() === "no,yes") {
          return <YesNo key={id} title={name} says={says} on={value === "yes"} test={test} put={(on) => setChoice(id, on ? "yes" : "no")} />;
        }
        if (values.length === 0) {
          return <Count key={id} title={name} says={says} value={Number(value)} most={MOST_CHOSEN} test={test} fault="" put={(to) => setChoice(id, String(to))} />;
        }
        return (
          <Hinted key={id} says={says}>
            <Chips label={name} all={values.map((one, n) => ({ id: one, title: choice.titles[n] ?? one }))} chosen={value} test={test} pick={(to) => setChoice(id, to)} />
          </Hinted>
        );
      })}
      <Fault text={faultOf("choices")} id="choices-fault" />
    </More>
  );
}

const asksDice = (): boolean => (rules.value?.dice ?? []).length > 1;

function Dice({ standard }: { standard: string }): JSX.Element | null {
  const all = rules.value?.dice ?? [];
  if (!asksDice()) return null;
  return (
    <Chips
      label={say.dice}
      all={all.map((one) => ({ id: one, title: say.diceNames[one] ?? one }))}
      chosen={dice.value ?? standard}
      test="dice"
      pick={(id) => (dice.value = id === standard ? null : (id as "d5" | "d6"))}
    />
  );
}

function BoardChoices(): JSX.Element {
  return (
    <>
      <Modes />
      <section>
        <Chips
          label={say.boardFrom}
          all={(["dice", "position", "table"] as const).map((id) => ({ id, title: say.boardWays[id] }))}
          chosen={boardFrom.value}
          test="board-from"
          pick={(id) => (boardFrom.value = id as typeof boardFrom.value)}
        />
        <p class="hint-line">{say.boardHints[boardFrom.value]}</p>
        {boardFrom.value === "position" && (
          <>
            <label class="choice">
              <Icon name="file" />
              <span>
                <strong>{position.value?.name ?? say.pickPosition}</strong>
              </span>
              <input
                type="file"
                accept=".json,application/json"
                class="unseen"
                data-test="position"
                onChange={(event) => {
                  const picked = event.currentTarget.files?.[0];
                  event.currentTarget.value = "";
                  if (picked) void readPosition(picked);
                }}
              />
            </label>
            <Fault text={positionFault.value || faultOf("position")} id="position-fault" />
          </>
        )}
      </section>
    </>
  );
}

function Modes(): JSX.Element | null {
  if (modes.value.length === 0) return null;
  const says = modes.value.find((one) => one.id === usedMode.value)?.says ?? "";
  return (
    <>
      <Chips label={say.mode} all={modes.value} chosen={usedMode.value} test="mode" pick={(id) => (mode.value = id)} />
      <p class="hint-line">{says}</p>
      {offered.value.length > 0 && (
        <More title={say.more} test="more">
          {offered.value.map(({ id, title: name, says: hint, most }) =>
            most === null ? (
              <YesNo key={id} title={name} says={hint} on={switches.value[id] === true} test={`switch-${id}`} put={(on) => setSwitch(id, on)} />
            ) : (
              <Count
                key={id}
                title={name}
                says={hint}
                value={Number(switches.value[id] ?? 0)}
                most={most}
                test={`switch-${id}`}
                fault={faultOf(id)}
                put={(value) => setSwitch(id, value)}
              />
            ),
          )}
        </More>
      )}
    </>
  );
}

function FileFacts(): JSX.Element | null {
  const told = plan.value;
  const wrong = faults.value["table_file"] ?? [];
  const own = rulesets.value.find((one) => one.id === told?.rules)?.by_name ?? false;
  return (
    <>
      {wrong.length > 0 && (
        <div class="faults" data-test="file-faults">
          <strong>{say.filesFaults}</strong>
          {wrong.map((line) => (
            <Fault key={line} text={line} id={`file-fault-${line.length}`} />
          ))}
        </div>
      )}
      {told && (
        <>
          <p class="side-line">{told.sides.map((side) => side.title).join(say.against)}</p>
          <p class="fact-line" data-test="file-facts">{say.facts(told.size.width, told.size.depth, told.units)}</p>
          {told.notes !== "" && <p class="scenario-notes">{told.notes}</p>}
        </>
      )}
      {brought.value && <Brought />}
      <TableFile label={say.otherFile} hint="" test="other-file" foreign take={bring} />
      {own ? (
        <Modes />
      ) : (
        <Chips
          label={say.withScenario}
          all={[{ id: "", title: say.noScenario }, ...fitting.value]}
          chosen={scenario.value?.id ?? ""}
          test="with"
          pick={(id) => (scenario.value = scenarios.value.find((one) => one.id === id) ?? null)}
        />
      )}
    </>
  );
}

// The result of importing a map or a roster, and the values that it lacks.
function Brought(): JSX.Element {
  return (
    <>
      {importing.value && <p class="hint-line">{say.importing}</p>}
      {notes.value.map((line) => (
        <p key={line} class="hint-line" data-test="import-note">
          {inUnit(line)}
        </p>
      ))}
      {mapBrought.value ? (
        <LengthField
          label={say.square}
          value={squareIn.value ?? 1}
          step={1}
          least={0.25}
          most={48}
          test="square-size"
          fault=""
          put={(next) => {
            squareIn.value = next;
            void importAgain();
          }}
        />
      ) : (
        <label class="field">
          <span>{say.basesOf}</span>
          <input
            value={baseSize.value}
            placeholder={say.baseExample}
            maxLength={LONGEST_BASE}
            autocomplete="off"
            data-test="base-size"
            onChange={(event) => {
              baseSize.value = event.currentTarget.value;
              void importAgain();
            }}
          />
        </label>
      )}
    </>
  );
}

// Each side by a person or a computer.
function Computers(): JSX.Element | null {
  const told = plan.value;
  if (told === null || Object.keys(told.levels).length === 0) return null;
  const put = (side: string, level: string): void => {
    clearFault("computers");
    const { [side]: _, ...others } = computers.value;
    computers.value = level === "" ? others : { ...others, [side]: level };
  };
  return (
    <>
      <PlayerChips sides={told.sides} levels={told.levels} players={computers.value} put={put} />
      <p class="hint-line">{words.computer.hint}</p>
      <Fault text={faultOf("computers")} id="computers-fault" />
    </>
  );
}

// One device may not play both sides where one hides something from the other: then "everyone" is not offered.
function Who(): JSX.Element | null {
  const all = sides.value;
  if (all.length === 0) return null;
  const alone = way.value === "form" ? all.map(({ role }) => role) : (plan.value?.alone ?? []);
  const usual = alone.length === 1 ? (alone[0] ?? "") : "*";
  const roles = all.map(({ role, title: name }) => ({ id: role, title: name }));
  return (
    <>
      <Chips
        label={say.play}
        all={[...(usual === "*" ? [{ id: "*", title: say.everyone }] : []), ...roles, { id: "", title: say.nobody }]}
        chosen={play.value === "*" ? usual : play.value}
        test="play"
        pick={(id) => (play.value = id === usual ? "*" : id)}
      />
      <p class="hint-line">{say.playHint}</p>
    </>
  );
}

function Begin(): JSX.Element {
  const count = Object.values(faults.value).flat().length;
  const missing =
    (way.value === "board" && boardFrom.value === "position" && position.value === null) || (way.value === "file" && file.value === null);
  const loose = [...(faults.value[""] ?? []), ...(faults.value["play"] ?? []), ...(faults.value["rules"] ?? []), ...(faults.value["scenario"] ?? [])];
  const beginIt = async (): Promise<void> => {
    const form = way.value === "form";
    if (await begin()) return form ? clearForm() : undefined;
    window.setTimeout(() => document.querySelector<HTMLElement>('[aria-invalid="true"], .field-fault')?.scrollIntoView({ block: "center" }), 30);
  };
  return (
    <div class="start-bar">
      {loose.map((line) => (
        <Fault key={line} text={line} id="begin-fault" />
      ))}
      <output data-test="begin-says">{missing && count === 0 ? say.chooseFirst : count > loose.length ? say.wrong(count) : ""}</output>
      <button class="go" disabled={beginning.value || missing} onClick={() => void beginIt()} data-test="begin">
        {beginning.value ? say.beginning : say.begin}
      </button>
    </div>
  );
}
