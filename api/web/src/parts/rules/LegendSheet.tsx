import type { ComponentChildren, JSX } from "preact";
import { sideClass } from "../../boardview";
import { able, game, options } from "../../game";
import { guide } from "../../guide";
import type { BadgeMeaning, Board, BoardPiece, Meaning } from "../../schema";
import { SIGNS } from "../../squares";
import { words } from "../../words";
import { VerdictIcon } from "../icons";
import { LineSample } from "../measure/Sights";
import { HelpSheet } from "./HelpSheet";

const say = words.legend;
const ANSWERS = ["yes", "too-close", "no"] as const;

interface RowProps {
  sample: JSX.Element;
  title: string;
  says?: string;
}

const Row = ({ sample, title, says = "" }: RowProps): JSX.Element => (
  <li>
    <span class="legend-sample" aria-hidden="true">{sample}</span>
    <span>
      <strong>{title}</strong>
      {says && <small>{says}</small>}
    </span>
  </li>
);

const Part = ({ title, children }: { title: string; children: ComponentChildren[] }): JSX.Element | null =>
  children.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <ul class="legend">{children}</ul>
    </section>
  );

// The things on the board of this game, each drawn as there, with their meaning in its rules.
export function LegendSheet(): JSX.Element | null {
  const board = game.value?.board;
  if (board === undefined) return null;
  const found = guide.value?.legend;
  return (
    <HelpSheet title={say.entry} lead={say.lead} close={say.close} name="legend">
      <Part title={say.badges}>{badges(board, found?.badges ?? [])}</Part>
      <Part title={say.units}>{[...sides(board), ...kinds(board, found?.units ?? [])]}</Part>
      <Part title={say.pieces}>{looks(board)}</Part>
      <Part title={say.ground}>{grounds(board, found?.ground ?? [])}</Part>
      <Part title={say.marks}>{marks(board, found?.marks ?? [])}</Part>
      <Part title={say.zones}>{zones(board)}</Part>
      <Part title={say.lines}>{lines(found?.lines ?? [])}</Part>
      <Part title={say.answers}>{ANSWERS.map((one) => <Row key={one} sample={<b class={`legend-answer ${one}`}><VerdictIcon verdict={one} /></b>} title={say.verdicts[one]} />)}</Part>
    </HelpSheet>
  );
}

const once = <T, >(all: T[]): T[] => [...new Set(all)];
const meaningOf = (all: Meaning[], kind: string): Meaning => all.find((one) => one.kind === kind) ?? { kind, title: kind.replace(/-/g, " "), says: "" };

// The badges that the rules define, and all others that a unit has now.
function badges(board: Board, all: BadgeMeaning[]): JSX.Element[] {
  const there = [...board.units, ...board.pieces].flatMap((one) => one.badges);
  const known = all.filter((one) => !one.only_if_there || there.some(({ id }) => id === one.id));
  const own = there.filter((badge, i) => !known.some(({ id }) => id === badge.id) && there.findIndex(({ id }) => id === badge.id) === i);
  return [...known, ...own].map(({ id, text, says }) => <Row key={id} sample={<b class="legend-badge">{text}</b>} title={says} />);
}

const sides = (board: Board): JSX.Element[] =>
  board.sides.map(({ id, title }) => <Row key={id} sample={<i class={`legend-side ${sideClass(board, id)}`} />} title={title} />);

function kinds(board: Board, known: Meaning[]): JSX.Element[] {
  return once(board.units.map(({ kind }) => kind)).map((kind) => {
    const { title, says } = meaningOf(known, kind);
    const unit = board.units.find((one) => one.kind === kind);
    const label = board.pieces.find((piece) => piece.unit === unit?.id)?.label ?? unit?.id ?? "";
    return <Row key={kind} sample={<span class={`legend-label ${sideClass(board, unit?.side ?? board.sides[0]?.id ?? null)}`}>{label}</span>} title={title} says={says} />;
  });
}

// --- pieces ---------------------------------------------------------------------------------------------------------

function looks(board: Board): JSX.Element[] {
  const { pieces } = board;
  const some = (of: (piece: BoardPiece) => boolean): boolean => pieces.some(of);
  const acts = (options.value?.options ?? []).some((one) => one.mine && one.unit !== null);
  const shown: [keyof typeof say.looks, boolean][] = [
    ["able", able.value.size > 0 || acts],
    ["own", pieces.length > 0],
    ["unique", some(({ unique }) => unique) && some(({ unique }) => !unique)],
    ["front", some(({ facing }) => facing !== null)],
    ["hidden", some(({ hidden }) => hidden)],
    ["spent", some(({ state }) => state === "spent")],
  ];
  const shape = pieces[0]?.shape === "counter" ? "counter-piece" : "base";
  return shown.flatMap(([name, is]) => (is ? [<Row key={name} sample={<Piece shape={shape} look={name} />} title={say.looks[name]} />] : []));
}

const CLASSES = { able: "able", own: "own", unique: "unique", front: "", hidden: "hidden-piece", spent: "is-spent" } as const;

const Piece = ({ shape, look }: { shape: string; look: keyof typeof CLASSES }): JSX.Element => (
  <svg viewBox="0 0 44 32" class="legend-ground side-0">
    <rect class={`${shape} ${CLASSES[look]} halo`} x="10" y="7" width="24" height="18" />
    <rect class={`${shape} ${CLASSES[look]} body`} x="10" y="7" width="24" height="18" />
    {look === "front" && <path class={`${shape} nose`} d="M16 7l6-5 6 5" />}
    {look === "unique" && <circle class={`${shape} dot`} cx="22" cy="16" r="3" />}
  </svg>
);

// --- ground ---------------------------------------------------------------------------------------------------------

const fillOf = (kind: string): string => `url(#terrain-${kind.replace(/\W+/g, "-")})`;

function grounds(board: Board, known: Meaning[]): JSX.Element[] {
  const open = board.ground.map(({ kind }) => kind);
  const cells = board.cells.map(({ kind }) => kind);
  return once([...open, ...cells]).map((kind) => {
    const { title, says } = meaningOf(known, kind);
    const plain = kind === "open";
    return <Row key={kind} sample={<Swatch look={cells.length ? `cell ${plain ? "plain" : ""}` : `terrain ${kind}`} fill={plain ? undefined : fillOf(kind)} />} title={title} says={says} />;
  });
}

const Swatch = ({ look, fill }: { look: string; fill: string | undefined }): JSX.Element => (
  <svg viewBox="0 0 44 32" class="legend-ground">
    <rect class={look} x="1" y="1" width="42" height="30" {...(fill === undefined ? {} : { fill })} />
  </svg>
);

// Signs and lines on cells, and terrain on the table.
function marks(board: Board, known: Meaning[]): JSX.Element[] {
  const there = once([...board.cells.flatMap((cell) => cell.marks), ...board.ways.map(({ kind }) => kind), ...board.marks.map(({ kind }) => kind)]);
  return there.flatMap((kind) => {
    const sample = markSample(board, kind);
    const { title, says } = meaningOf(known, kind);
    return sample === null ? [] : [<Row key={kind} sample={sample} title={title} says={says} />];
  });
}

function markSample(board: Board, kind: string): JSX.Element | null {
  const sign = board.grid === "square" ? SIGNS[kind] : undefined;
  if (sign !== undefined) {
    const points = sign.map(([x, y]) => `${22 + 40 * x},${16 - 40 * y}`).join(" ");
    return (
      <svg viewBox="0 0 44 32" class="legend-ground">
        <polygon class={`cell-sign ${kind}`} points={points} />
      </svg>
    );
  }
  if (kind === "road" || kind === "river") {
    return (
      <svg viewBox="0 0 44 32" class="legend-ground">
        <rect class={`cell-way ${kind}`} x="2" y="11" width="40" height="10" />
      </svg>
    );
  }
  return board.marks.some((mark) => mark.kind === kind) ? <span class={`mark ${kind}`} /> : null;
}

const zones = (board: Board): JSX.Element[] =>
  once(board.zones.map(({ kind }) => kind)).map((kind) => {
    const zone = board.zones.find((one) => one.kind === kind);
    const side = sideClass(board, zone?.holder ?? null);
    return (
      <Row
        key={kind}
        sample={
          <svg viewBox="0 0 44 32" class="legend-ground">
            <rect class={`zone ${kind} ${side}`} x="4" y="5" width="36" height="22" />
          </svg>
        }
        title={say.zoneKinds[kind]}
        says={zone?.says ?? ""}
      />
    );
  });

const LINES = ["clear", "partial", "too-close", "blocked"] as const;

const lines = (known: Meaning[]): JSX.Element[] =>
  known.map(({ kind, title, says }) => (
    <Row key={kind} sample={<LineSample verdict={LINES.find((one) => one === kind) ?? "clear"} observed={kind === "observed"} />} title={title} says={says} />
  ));
