// The choices on the start screen, the server's answer to them, and the game that they start.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { ask, newId, Refusal } from "../../client";
import { enter } from "../../device";
import type { ArmyOut, BeginWish, BegunOut, ImportOut, PlanOut, RulesetOut, ScenarioOut } from "../../schema";
import { go } from "../../screens";
import { shownOut } from "../../shell";
import { start } from "../../words/start";
import { formFaults, formWish, names } from "./blank";
import { begun } from "./begun";

export type Way = "scenario" | "board" | "file" | "form";
export interface OwnFile {
  name: string;
  text: string;
}
type Faults = Record<string, string[]>;

export const scenarios = signal<ScenarioOut[]>([]);
export const rulesets = signal<RulesetOut[]>([]);
// The sizes of tables that a scenario offers, in inches: a form offers the same.
export const tableSizes = computed(() => {
  const offered = rulesets.value.flatMap(({ choices }) => choices).find(({ id }) => id === "size");
  return (offered?.values ?? []).map((size) => size.split("x").map(Number) as [number, number]);
});
export const armies = signal<ArmyOut[]>([]);

export const way = signal<Way | null>(null);
export const scenario = signal<ScenarioOut | null>(null);
export const board = signal<RulesetOut | null>(null); // rules that need no scenario
export const file = signal<OwnFile | null>(null);
export const mode = signal("");
export const switches = signal<Record<string, boolean | number>>({});
export const boardFrom = signal<"dice" | "position" | "table">("dice");
export const position = signal<{ name: string; data: Record<string, unknown> } | null>(null);
export const positionFault = signal("");
export const dice = signal<BeginWish["dice"]>(null);
export const chosen = signal<Record<string, string>>({}); // options of the scenario, where they differ from the default
export const play = signal("*"); // "*": everyone, "": no one, else a role
export const computers = signal<Record<string, string>>({}); // the sides that computers play, each with its level
export const title = signal("");

export const plan = signal<PlanOut | null>(null);
export const faults = signal<Faults>({});
export const beginning = signal(false);

export const faultOf = (where: string): string => faults.value[where]?.join(" ") ?? "";
export const clearFault = (...where: string[]): void => {
  if (!where.some((one) => one in faults.value)) return;
  faults.value = Object.fromEntries(Object.entries(faults.value).filter(([name]) => !where.includes(name)));
};

// The rules of the chosen game: those of a board, of the scenario, or those found in the file.
export const rules = computed<RulesetOut | null>(() => {
  const id = way.value === "board" ? board.value?.id : way.value === "scenario" ? scenario.value?.rules : plan.value?.rules;
  return rulesets.value.find((one) => one.id === id) ?? null;
});
export const onBoard = computed(() => way.value === "board" || (way.value === "file" && (rules.value?.by_name ?? false)));
export const modes = computed(() => (onBoard.value ? (rules.value?.modes ?? []) : []));
export const usedMode = computed(() => (mode.value === "" ? (modes.value[0]?.id ?? "") : mode.value));
export const offered = computed(() =>
  onBoard.value ? (rules.value?.switches ?? []).filter((one) => one.modes.length === 0 || one.modes.includes(usedMode.value)) : [],
);
export const sides = computed<{ role: string; title: string }[]>(() =>
  way.value === "form" ? names.value.map((name) => ({ role: `side ${name}`, title: name })) : (plan.value?.roles ?? []),
);

const RULES = /^\s*rules\s*=\s*"([\w-]+)"/m;

// The scenarios that can be played with the imported file: those of its game, on an open table those of its size.
export const fitting = computed<ScenarioOut[]>(() => {
  const of = plan.value?.rules ?? RULES.exec(file.value?.text ?? "")?.[1];
  const onCells = rulesets.value.some((one) => one.id === of && one.grid !== null);
  const size = plan.value?.size;
  const fits = (one: ScenarioOut): boolean => onCells || size === undefined || (one.size.width === size.width && one.size.depth === size.depth);
  return scenarios.value.filter((one) => one.id === scenario.value?.id || (one.rules === of && fits(one)));
});

export async function openStart(): Promise<void> {
  try {
    [scenarios.value, rulesets.value, armies.value] = await Promise.all([
      ask<ScenarioOut[]>("GET", "/scenarios"),
      ask<RulesetOut[]>("GET", "/rulesets"),
      ask<ArmyOut[]>("GET", "/armies"),
    ]);
  } catch (error) {
    if (!shownOut(error)) throw error;
  }
}

export function choose(next: Way | null, what: ScenarioOut | RulesetOut | OwnFile | null = null): void {
  batch(() => {
    way.value = next;
    scenario.value = next === "scenario" ? (what as ScenarioOut) : null;
    board.value = next === "board" ? (what as RulesetOut) : null;
    file.value = next === "file" ? (what as OwnFile) : null;
    plan.value = position.value = dice.value = brought.value = null;
    notes.value = [];
    chosen.value = {};
    [mode.value, positionFault.value, title.value, play.value] = ["", "", "", "*"];
    computers.value = {};
    boardFrom.value = "dice";
    [switches.value, faults.value] = [{}, {}];
  });
  window.scrollTo(0, 0);
}

export const readFile = async (picked: File): Promise<OwnFile> => ({ name: picked.name, text: await picked.text() });

// --- a map or a roster of another program -----------------------------------------------------------------------------

// The map or roster behind the table file: its name, and the part of it that the server reads.
export const brought = signal<{ name: string; content: string } | null>(null);
export const notes = signal<string[]>([]);
export const baseSize = signal("");
export const squareIn = signal<number | null>(null);
export const importing = signal(false);

const WALLS = /"(resolution|line_of_sight)"\s*:/; // whatever the file's name
const TABLE_FILE = /\.toml$/i;
const TABLE = /^\s*\[table\]/m; // a table file with the ending of a text file

export const mapBrought = signal(false); // the file is a map, not a roster

// A table file unchanged, or the server's conversion of a map or a roster.
export async function bring(picked: File): Promise<void> {
  const bytes = new Uint8Array(await picked.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const foreign = !TABLE_FILE.test(picked.name) && !TABLE.test(text);
  choose("file", foreign ? null : { name: picked.name, text });
  if (!foreign) return;
  const map = WALLS.test(text);
  batch(() => {
    brought.value = { name: picked.name, content: base64(map ? withoutPicture(text) : bytes) };
    mapBrought.value = map;
    [baseSize.value, squareIn.value] = ["", null];
  });
  await importAgain();
}

export async function importAgain(): Promise<void> {
  const picked = brought.value;
  if (picked === null) return;
  importing.value = true;
  try {
    const asked = { ...picked, base: baseSize.value, grid_in: squareIn.value };
    const made = await ask<ImportOut>("POST", "/imports", asked);
    if (brought.value !== picked) return;
    batch(() => {
      file.value = { name: made.table_name, text: made.table_file };
      notes.value = made.notes;
      faults.value = {};
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (brought.value !== picked || shownOut(error)) return;
    batch(() => {
      file.value = plan.value = null;
      notes.value = [];
      faults.value = { table_file: [error.message] };
    });
  } finally {
    importing.value = false;
  }
}

// A map's picture is many times larger than its walls, and a table does not use it: it is not sent.
function withoutPicture(map: string): Uint8Array {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  try {
    return encode(JSON.stringify({ ...(JSON.parse(map) as object), image: undefined }));
  } catch {
    return encode(map.slice(0, 1000)); // no JSON: the server reports that
  }
}

const PIECE = 0x8000;

function base64(bytes: Uint8Array): string {
  let letters = "";
  for (let at = 0; at < bytes.length; at += PIECE) letters += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(letters);
}

export async function readPosition(picked: File): Promise<void> {
  const data: unknown = await picked.text().then(JSON.parse).catch(() => null);
  const whole = typeof data === "object" && data !== null && !Array.isArray(data);
  batch(() => {
    position.value = whole ? { name: picked.name, data: data as Record<string, unknown> } : null;
    positionFault.value = whole ? "" : start.badPosition(picked.name);
  });
}

export function setChoice(id: string, value: string): void {
  const { [id]: _, ...rest } = chosen.value;
  chosen.value = scenario.value?.choices[id] === value ? rest : { ...rest, [id]: value };
}

export function setSwitch(id: string, value: boolean | number): void {
  const excluded = offered.value.find((one) => one.id === id)?.excludes ?? "";
  const rest = Object.fromEntries(Object.entries(switches.value).filter(([name]) => !(value && name === excluded)));
  switches.value = { ...rest, [id]: value };
}

// --- the wish ---------------------------------------------------------------------------------------------------------

export const wish = computed<Omit<BeginWish, "id">>(() => {
  const onIt = Object.fromEntries(offered.value.flatMap(({ id }) => (switches.value[id] ? [[id, switches.value[id]]] : [])));
  const known = sides.value.some(({ role }) => role === play.value);
  return {
    ...(scenario.value !== null && { scenario: scenario.value.id }),
    ...(board.value !== null && { rules: board.value.id }),
    ...(file.value !== null && { table_file: file.value.text, table_name: file.value.name.slice(0, 80) }),
    ...(way.value === "form" && { form: formWish.value }),
    ...(onBoard.value && mode.value !== "" && { mode: mode.value }),
    ...onIt,
    ...(onBoard.value && boardFrom.value === "position" && position.value !== null && { position: position.value.data }),
    ...(dice.value !== null && { dice: dice.value }),
    ...(scenario.value !== null && Object.keys(chosen.value).length > 0 && { choices: chosen.value }),
    ...(play.value === "" ? { play: [] } : play.value !== "*" && known ? { play: [play.value] } : {}),
    ...(Object.keys(computers.value).length > 0 && { computers: computers.value }),
    ...(title.value.trim() !== "" && { title: title.value.trim() }),
  } as Omit<BeginWish, "id">;
});

const wishText = computed(() => JSON.stringify(wish.value)); // changes only where the wish does

const told = (error: Refusal): Faults => {
  const found: Faults = {};
  for (const { where, what } of error.problem.faults ?? []) (found[where] ??= []).push(what);
  return found;
};

const SOON_MS = 250;

// Every choice is checked on the server at once; a form only when its game is to start.
export function planning(): () => void {
  let timer = 0;
  let asked = 0;
  const stop = effect(() => {
    const [text, chosen] = [wishText.value, way.value];
    window.clearTimeout(timer);
    asked += 1;
    if (chosen === null || chosen === "form" || (chosen === "file" && file.value === null)) return;
    const mine = asked;
    timer = window.setTimeout(() => look(text, () => mine === asked), untracked(() => (plan.value === null ? 0 : SOON_MS)));
  });
  return () => {
    window.clearTimeout(timer);
    asked = -1;
    stop();
  };
}

let lastLook = Promise.resolve();

// One wish at a time is checked; of the waiting ones only the newest.
function look(text: string, still: () => boolean): void {
  lastLook = lastLook.then(() => (still() ? lookAt(text, still) : undefined));
}

async function lookAt(text: string, still: () => boolean): Promise<void> {
  try {
    const found = await ask<PlanOut>("POST", "/plan", JSON.parse(text));
    if (!still()) return;
    batch(() => {
      plan.value = found;
      faults.value = {};
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!still() || shownOut(error)) return;
    batch(() => {
      faults.value = error.problem.faults ? told(error) : { "": [error.message] };
      if (file.value !== null && faults.value["table_file"]) plan.value = null;
    });
  }
}

// --- beginning --------------------------------------------------------------------------------------------------------

let said = { id: newId(), wish: "" };

// Start the game of the wish; repeated after a lost answer, it is the same one. Returns whether it has started.
export async function begin(): Promise<boolean> {
  if (beginning.value) return false;
  const own = way.value === "form" ? formFaults.value : {};
  if (Object.keys(own).length) {
    faults.value = own;
    return false;
  }
  const [now, text] = [wish.value, wishText.value];
  if (said.wish !== text) said = { id: newId(), wish: text };
  beginning.value = true;
  try {
    begun.value = await ask<BegunOut>("POST", "/games", { ...now, id: said.id });
    said = { id: newId(), wish: "" };
    await enter();
    go({ name: "game", id: begun.value.id }, true);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!shownOut(error)) faults.value = error.problem.faults ? told(error) : { "": [error.message] };
    return false;
  } finally {
    beginning.value = false;
  }
}
