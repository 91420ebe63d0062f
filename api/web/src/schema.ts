// Written by `python -m api.app.page_types` from the server's schemas. Do not edit.

export interface AcceptWish {
  id: string;
  after: number;
  chosen?: string[] | null;
  answers?: Record<string, string | Record<string, unknown>>;
  measured?: boolean;
  overrule?: boolean;
  roll?: boolean;
  dice?: Record<string, number[]>;
  reason?: string;
}

export interface ActionAnswer {
  says: string;
  action: Record<string, unknown> | null;
  words: string;
}

export interface ActionWish {
  action?: Record<string, unknown> | null;
  words?: string;
}

export interface AimOut {
  expected: number[];
  seen: number[];
  outlines: [number, number][][];
  elevation_deg: number | null;
  advice: string;
  good: boolean;
}

export interface Answer {
  value: string | number | string[] | null;
  chance: number;
  says: string;
}

export interface AnswerWish {
  question: string;
  value: string | number | string[] | null;
}

export interface AnsweredOut {
  question: string;
  says: string;
}

export interface Area {
  outlines: [number, number][][];
  says: string;
  cells: string[];
}

export interface ArmyOut {
  id: string;
  title: string;
  package: string;
  table_name: string;
  table_file: string;
}

export interface AskBackOut {
  seq: number;
  by: string;
  text: string;
  words: string;
  may: boolean;
  mine: boolean;
}

export interface Badge {
  id: string;
  text: string;
  says: string;
}

export interface BadgeMeaning {
  id: string;
  text: string;
  says: string;
  only_if_there: boolean;
}

export interface BaseWish {
  center?: [number, number] | null;
  facing?: number | null;
  unit?: string | null;
  width?: number | null;
  depth?: number | null;
  round?: boolean | null;
  shape?: "rect" | "round" | "oval" | null;
}

export interface BeginWish {
  id: string;
  scenario?: string | null;
  table_file?: string | null;
  table_name?: string;
  form?: FormWish | null;
  rules?: string | null;
  mode?: string | null;
  easier?: boolean;
  handicap?: number | null;
  bid?: boolean;
  commander_apart?: boolean;
  messages?: number | null;
  position?: Record<string, unknown> | null;
  dice?: "d5" | "d6" | null;
  choices?: Record<string, string>;
  computers?: Record<string, string>;
  title?: string;
  play?: string[] | null;
  label?: string | null;
}

export interface BegunOut {
  id: string;
  table: string;
  title: string;
  notes: string;
  again: boolean;
  me: MeOut;
}

export interface Board {
  width: number;
  depth: number;
  grid: "hex" | "square" | null;
  cell_size: number | null;
  sides: BoardSide[];
  units: Unit[];
  pieces: BoardPiece[];
  ground: Ground[];
  cells: Cell[];
  ways: Way[];
  zones: Zone[];
  facts: Fact[];
  marks: Mark[];
}

export interface BoardPiece {
  id: string;
  unit: string | null;
  side: string | null;
  kind: string;
  label: string;
  shape: "rect" | "round" | "oval" | "counter";
  width: number;
  depth: number;
  center: [number, number];
  facing: number | null;
  outline: [number, number][];
  says: string;
  unique: boolean;
  badges: Badge[];
  hidden: boolean;
  state: string;
  ellipse: Ellipse | null;
}

export interface BoardSeenOut {
  found: boolean;
  says: string;
  corners: [number, number][];
  width: number;
  height: number;
  camera: CameraOut;
}

export interface BoardSide {
  id: string;
  title: string;
  to_act: boolean;
  rim: string | null;
  colour: string;
}

export interface CameraChoice {
  camera: string | null;
}

export interface CameraOut {
  id: string;
  name: string;
  board: string;
  created: string;
  mine: boolean;
  most_pictures: number;
  so_far: SoFar;
  solved: SolvedOut | null;
}

export interface CameraWish {
  id: string;
  name: string;
  board?: string;
}

export interface CaptionsWish {
  turns?: Record<string, string>;
  moments?: Record<string, string>;
}

export interface Cell {
  id: string;
  center: [number, number];
  outline: [number, number][];
  kind: string;
  marks: string[];
  says: string;
}

export interface CellReach {
  id: string;
  moves: number;
  says: string;
  facings: number[];
  leaves: string | null;
}

export interface ChapterOut {
  title: string;
  says: string;
  picture: string;
  alt: string;
  photo: string | null;
}

export interface CheckOut {
  refused: string;
  middle_in: number;
  worst_in: number;
  outline: number[][];
  says: string;
}

export interface CheckWish {
  corners: [[number, number], [number, number], [number, number], [number, number]];
  size_in?: [number | null, number | null] | null;
  at?: [number, number] | null;
  width: number;
  height: number;
  focal_35mm?: number | null;
}

export interface Choice {
  value: string | number | boolean;
  title: string;
  field: string;
}

export interface ChosenOut {
  camera: string | null;
  name: string | null;
}

export interface CodeWish {
  code: string;
  label: string;
}

export interface CollectionOut {
  on: boolean;
  waiting: number;
  trouble: string;
  most_photos: number;
  terrain: CountOut[];
  sides: SideOut[];
  photos: LearntPhotoOut[];
}

export interface CommandWish {
  id: string;
  after: number;
  screen?: string;
  action?: Record<string, unknown> | null;
  words?: string;
  dice?: number[] | null;
  roll?: boolean;
  measured?: boolean;
  overrule?: boolean;
  reason?: string;
  undo?: boolean;
  redo?: boolean;
  referee?: boolean;
  agreed?: boolean;
}

export interface ComputerWish {
  id: string;
  after: number;
  screen?: string;
  says: "do" | "impossible" | "go-on";
  dice?: number[] | null;
  roll?: boolean;
}

export interface CorrectionOut {
  id: string;
  unit: string | null;
  what: string;
  says: string;
  action: string;
  certain: boolean;
  violations: Violation[];
}

export interface CountOut {
  what: string;
  count: number;
}

export interface DeviceOut {
  host: boolean;
  label: string;
  seats: MeOut[];
  addresses: string[];
  wifi: WifiOut | null;
  max_photo_bytes: number;
  max_table_bytes: number;
}

export interface Dice {
  count: number;
  faces: number[];
}

export interface Domain {
  type: "unit" | "unit-or-base" | "cell" | "side" | "choice" | "number" | "inches" | "flag" | "yes-no" | "text" | "point" | "place" | "facing" | "degrees" | "corner" | "rows" | "ring" | "top" | "ground" | "thing";
  choices: Choice[];
  least: number | null;
  most: number | null;
  many: boolean;
  region: [number, number][][];
  parts: Record<string, Domain> | null;
  optional: boolean;
  keyed: boolean;
}

export interface DoneOut {
  seq: number;
  again: boolean;
  events: EventView[];
  screen: ScreenChangeOut | null;
}

export interface Ellipse {
  long: number;
  short: number;
  bearing: number;
}

export interface End {
  id: string;
  outlines: [number, number][][];
  says: string;
}

export interface EventView {
  seq: number;
  group: number;
  at: string;
  actor: string;
  kind: string;
  action: string;
  body: Record<string, unknown>;
  text: string;
  news: string;
}

export interface Fact {
  label: string;
  value: string;
}

export interface FieldOut {
  type: "unit" | "unit-or-base" | "cell" | "side" | "choice" | "number" | "inches" | "flag" | "yes-no" | "text" | "point" | "place" | "facing" | "degrees" | "corner" | "rows" | "ring" | "top" | "ground" | "thing";
  choices: Choice[];
  least: number | null;
  most: number | null;
  many: boolean;
  region: [number, number][][];
  parts: Record<string, Domain> | null;
  optional: boolean;
  keyed: boolean;
  name: string;
  title: string;
}

export interface FixWish {
  at: [number, number];
  inside: boolean;
}

export interface FormOut {
  usage: string;
  says: string;
  fields: FieldOut[];
  needs_one_of: string[];
}

export interface FormWish {
  width_in: number;
  depth_in: number;
  sides: SideWish[];
  units: UnitWish[];
  markers?: boolean;
  tags?: boolean;
  tag_in?: number | null;
  every_base?: boolean;
}

export interface FoundOverlayOut {
  grid: "hex" | "square";
  size_in: number;
  origin: [number, number];
  rotation_deg: number;
  fit_in: number | null;
  largest_in: number;
  cells: GridCellOut[];
  says: string;
  kind: "chessboard" | "lines";
  ways: GridWayOut[];
  way: number;
  sigma_in: number;
  seen: number;
  doubt: string;
}

export interface GameBrief {
  id: string;
  rules: string;
  rules_title: string;
  title: string;
  created: string;
  used: string;
  events: number;
  turn: number | null;
  to_act: string | null;
  over: boolean;
  archived: boolean;
}

export interface GameOut {
  id: string;
  table: string;
  table_seq: number;
  rules: string;
  title: string;
  seq: number;
  me: MeOut;
  turn: TurnOut;
  outcome: Outcome | null;
  undo: UndoOut | null;
  redo: UndoOut | null;
  ask_back: AskBackOut | null;
  hints: boolean;
  computers: Record<string, string>;
  levels: Record<string, string[]>;
  board: Board;
}

export interface GameWish {
  title?: string | null;
  archived?: boolean | null;
}

export interface GridCellOut {
  id: string;
  center: [number, number];
  outline: [number, number][];
}

export interface GridWayOut {
  corner: "near-left" | "far-left" | "far-right" | "near-right";
  origin: [number, number];
  rotation_deg: number;
}

export interface Ground {
  id: string;
  kind: string;
  outline: [number, number][];
  says: string;
  holes: [number, number][][];
  height: number;
  hill_top: [number, number][] | null;
}

export interface GuideOut {
  source: string;
  rules: Rule[];
  legend: Legend;
}

export interface HintOut {
  line: string[];
  says: string;
  action: Record<string, unknown> | null;
  seq: number;
}

export interface HostOut {
  addresses: string[];
  demo: boolean;
  max_photo_bytes: number;
  max_table_bytes: number;
}

export interface ImportOut {
  table_name: string;
  table_file: string;
  notes: string[];
}

export interface ImportWish {
  name: string;
  content: string;
  base?: string;
  grid_in?: number | null;
}

export interface InvitationOut {
  invitation: string;
  roles: string[];
  expires: string;
  code_expires: string;
}

export interface InvitedOut {
  invitation: string;
  roles: string[];
  expires: string;
  code_expires: string;
  code: string;
  address: string;
  qr: string;
}

export interface JobOut {
  id: string;
  table: string;
  state: "waiting" | "working" | "done" | "failed";
  stage: string;
  fraction: number;
  detail: string;
  unplaced: boolean;
  ahead: number;
  ask_ms: number;
}

export interface JudgedOut {
  seq: number;
  action: Record<string, unknown>;
  words: string;
  actor: string;
  mine: boolean;
  legal: boolean;
  open: boolean;
  violations: Violation[];
  dice: Dice;
  odds: OddsOut | null;
  pieces: BoardPiece[];
  dangers: string[];
}

export interface LabelledRolesWish {
  roles: string[];
  label: string;
}

export interface LearningWish {
  on: boolean;
}

export interface LearntPhotoOut {
  id: string;
  learnt: string;
  width: number;
  depth: number;
  terrain: CountOut[];
  sides: SideOut[];
  pictures: number;
  stale: boolean;
}

export interface Legend {
  badges: BadgeMeaning[];
  ground: Meaning[];
  marks: Meaning[];
  units: Meaning[];
  lines: Meaning[];
}

export interface Length {
  value: number;
  sigma: number;
  unit: "in" | "hexes" | "squares";
  line: [[number, number], [number, number]];
  says: string;
  band: string | null;
}

export interface LensOut {
  width: number;
  height: number;
  K: number[][];
  dist: number[];
  R: number[][];
  t: number[];
}

export interface LineWish {
  kind: string;
  points: [number, number][];
  wide?: number | null;
  high?: number;
  box?: boolean;
  visible?: boolean;
  fixes?: FixWish[];
  redrawn?: [number, number][][];
}

export interface ListedSizeOut {
  name: string;
  size_in: [number, number];
  sheet: boolean;
}

export interface LogOut {
  seq: number;
  events: EventView[];
}

export interface LookOut {
  seq: number;
  table_seq: number;
  photo: string;
  annotated: PictureOut;
  upright: PictureOut | null;
  bases: number;
  units: number;
  outlines: SeenBaseOut[];
  answered: AnsweredOut | null;
  overrule: boolean;
  correctable: boolean;
  sizable: boolean;
  drawable: boolean;
  sync: SyncOut;
  proposals: ProposalOut[];
  questions: QuestionOut[];
  further: QuestionOut[];
  dice: PhotoDie[];
  warnings: string[];
}

export interface Mark {
  kind: string;
  center: [number, number];
  cell: string | null;
  says: string;
}

export interface MeOut {
  seat: string;
  at: string;
  label: string;
  roles: string[];
  titles: string[];
  host: boolean;
  acts_as: string[];
  sees: string;
}

export interface Meaning {
  kind: string;
  title: string;
  says: string;
}

export interface MeasureWish {
  a: Thing;
  b: Thing;
}

export interface Measurement {
  a: End;
  b: End;
  plain: Length;
  rule: Length | null;
  sights: SightLine[];
  reasons: Reason[];
  says: string;
}

export interface Mode {
  id: string;
  title: string;
  says: string;
}

export interface NamedOut {
  corners: [number, number][];
  size_in: [number | null, number | null] | null;
  at: [number, number] | null;
}

export interface NamedWish {
  corners: [[number, number], [number, number], [number, number], [number, number]];
  size_in?: [number | null, number | null] | null;
  at?: [number, number] | null;
}

export interface NamingOut {
  lines: [[number, number], [number, number]][];
  guess: [number, number][] | null;
  before: NamedOut | null;
  table: [number, number];
  sizes: ListedSizeOut[];
}

export interface NearestOut {
  seq: number;
  at: [number, number] | null;
  violations: Violation[];
}

export interface NoteWish {
  id: string;
  text: string;
  disputes?: number | null;
  settles?: number | null;
  asks_back?: number | null;
  keeps?: number | null;
}

export interface OddsCaseOut {
  when: string;
  what: string;
  chances: Record<string, number>;
  expected: number;
  also: Record<string, number>;
  words: string[];
}

export interface OddsOut {
  what: string;
  chances: Record<string, number>;
  expected: number;
  also: Record<string, number>;
  words: string[];
  cases: OddsCaseOut[];
}

export interface OptionOut {
  kind: string;
  side: string;
  actor: string;
  unit: string | null;
  target: string | null;
  text: string;
  label: string;
  rest: string;
  action: Record<string, unknown>;
  fields: Record<string, Domain>;
  legal: boolean;
  open: boolean;
  mine: boolean;
  dice: number;
  limits: Record<string, number>;
  violations: Violation[];
  advice: string;
  odds: OddsOut | null;
}

export interface OptionsOut {
  seq: number;
  options: OptionOut[];
}

export interface Outcome {
  winner: string | null;
  reason: string;
}

export interface OutlineOut {
  refused: string;
  on_photo: [number, number][];
  outline: [number, number][];
  sigma_in: number;
}

export interface OverlayOut {
  grid: "hex" | "square";
  size_in: number;
  origin: [number, number];
  rotation_deg: number;
  fit_in: number | null;
  largest_in: number;
  cells: GridCellOut[];
  says: string;
}

export interface OverlayWish {
  size_in?: number | null;
  origin?: [number, number] | null;
  rotation_deg?: number;
  taps?: TappedWish[] | null;
  preview?: boolean;
}

export interface Part {
  outline: [number, number][];
  holes: [number, number][][];
}

export interface PatchOut {
  op: "add" | "remove" | "replace";
  path: string;
  value: unknown;
}

export interface PhotoDie {
  id: string;
  value: number | null;
  confidence: number;
  center: [number, number];
  question: string | null;
  hits: string | null;
}

export interface PhotoGroundOut {
  url: string | null;
  width: number;
  height: number;
  lens: LensOut | null;
  map_url: string | null;
  map_bounds: [[number, number], [number, number]] | null;
}

export interface PictureOut {
  url: string;
  width: number;
  height: number;
  part: [number, number, number, number] | null;
}

export interface PictureStoryOut {
  seq: number;
  title: string;
  own: boolean;
  chapters: ChapterOut[];
}

export interface PlanOut {
  title: string;
  rules: string;
  notes: string;
  size: SizeOut;
  sides: SideTitleOut[];
  units: number;
  roles: RoleOut[];
  alone: string[];
  levels: Record<string, string[]>;
}

export interface PlanWish {
  id?: string;
  scenario?: string | null;
  table_file?: string | null;
  table_name?: string;
  form?: FormWish | null;
  rules?: string | null;
  mode?: string | null;
  easier?: boolean;
  handicap?: number | null;
  bid?: boolean;
  commander_apart?: boolean;
  messages?: number | null;
  position?: Record<string, unknown> | null;
  dice?: "d5" | "d6" | null;
  choices?: Record<string, string>;
  computers?: Record<string, string>;
  title?: string;
  play?: string[] | null;
  label?: string | null;
}

export interface PlayersWish {
  id: string;
  computers: Record<string, string>;
}

export interface PreviewOut {
  address: string;
  seconds: number;
}

export interface PreviewWish {
  length?: "short" | "full";
  title?: string | null;
  moments?: number[] | null;
  captions?: CaptionsWish;
  unit?: "in" | "cm";
  chances?: boolean;
  seq?: number | null;
  scheme?: "light" | "dark" | null;
}

export interface ProgramMadeOut {
  id: string;
  label: string;
  may: "read" | "act";
  whose: string;
  mine: boolean;
  created: string;
  expires: string;
  used: string | null;
  token: string;
}

export interface ProgramOut {
  id: string;
  label: string;
  may: "read" | "act";
  whose: string;
  mine: boolean;
  created: string;
  expires: string;
  used: string | null;
}

export interface ProgramWish {
  label: string;
  may?: "read" | "act";
  days?: number;
}

export interface ProposalOut {
  id: string;
  unit: string | null;
  what: string;
  told: string;
  action: string;
  certain: boolean;
  acceptable: boolean;
  mine: boolean;
  verdict: "yes" | "no" | "too-close";
  question: string;
  side: string;
  needs: Dice;
  numbers: Record<string, number>;
  violations: Violation[];
  settled: Violation[];
  answers: ActionAnswer[];
  seen: SeenChange | null;
}

export interface QuestionOut {
  id: string;
  about: string;
  ask: string;
  says: string;
  answers: Answer[];
  others: string[];
  covers: string[][];
  center: [number, number] | null;
}

export interface Range {
  value: number;
  sigma: number;
  unit: "in" | "hexes" | "squares";
  band: string | null;
}

export interface Reach {
  name: "best" | "surely" | "rolled";
  value: number;
  unit: "in" | "hexes" | "squares";
  chance: number;
  says: string;
  areas: Part[];
  cells: CellReach[];
}

export interface Reason {
  text: string;
  place: string;
}

export interface ReplayOut {
  id: string;
  title: string;
  seq: number;
  count: number;
  at: number;
  turns: TurnStepOut[];
  board: Board;
  steps: StepOut[];
}

export interface ReportFileOut {
  name: "html" | "pdf" | "zip" | "markdown" | "geojson" | "uvtt" | "log" | "csv" | "picture" | "observation";
  file: string;
  why: string;
}

export interface ReportMomentOut {
  number: number;
  seq: number;
  turn: number;
  when: string;
  says: string;
  weight: number;
  why: string;
  short: boolean;
  full: boolean;
}

export interface ReportOut {
  seq: number;
  title: string;
  over: boolean;
  own: boolean;
  chances: "none" | "possible" | "counted";
  result: string;
  lengths: ("short" | "full")[];
  most_caption: number;
  turns: ReportTurnOut[];
  moments: ReportMomentOut[];
  files: ReportFileOut[];
}

export interface ReportTurnOut {
  turn: number;
  title: string;
  says: string;
  notes: SaidOut[];
}

export interface ReportWish {
  length?: "short" | "full";
  title?: string | null;
  moments?: number[] | null;
  captions?: CaptionsWish;
  unit?: "in" | "cm";
  chances?: boolean;
  seq?: number | null;
  format?: "html" | "pdf" | "zip" | "markdown";
}

export interface Ring {
  name: string;
  value: number;
  unit: "in" | "hexes" | "squares";
  outlines: [number, number][][];
  says: string;
  cells: string[];
}

export interface RoleOut {
  role: string;
  title: string;
}

export interface RolesWish {
  roles: string[];
}

export interface Rule {
  id: string;
  heading: string;
  title: string;
  place: string;
  says: string;
  codes: string[];
}

export interface RulesetOut {
  id: string;
  title: string;
  by_name: boolean;
  by_form: boolean;
  grid: "hex" | "square" | null;
  dice: string[];
  modes: Mode[];
  switches: Switch[];
  kinds: Standard[];
  choices: ScenarioChoice[];
}

export interface SaidOut {
  seq: number;
  who: string;
  text: string;
}

export interface ScenarioChoice {
  id: string;
  title: string;
  says: string;
  values: string[] | null;
  default: string;
  titles: string[];
}

export interface ScenarioOut {
  id: string;
  number: number | null;
  title: string;
  rules: string;
  notes: string;
  source: string;
  size: SizeOut;
  sides: SideTitleOut[];
  units: number;
  turns: number;
  dice: string;
  choices: Record<string, string>;
}

export interface ScreenChangeOut {
  since: string;
  version: string;
  changes: PatchOut[];
}

export interface ScreenOut {
  version: string;
  game: GameOut;
  options: OptionsOut;
}

export interface SeatOut {
  seat: string;
  label: string;
  roles: string[];
  seen: string;
  seen_s: number;
  revoked: boolean;
}

export interface SeatsOut {
  seats: SeatOut[];
  invitations: InvitationOut[];
  roles: RoleOut[];
}

export interface SeenBaseOut {
  id: string;
  unit: string | null;
  outline: [number, number][];
  center: [number, number];
  facing: number | null;
  width: number;
  depth: number;
  round: boolean;
  shape: "rect" | "round" | "oval";
  by_hand: boolean;
}

export interface SeenChange {
  distance: number | null;
  sigma: number | null;
  turned_deg: number | null;
  turned_sigma: number | null;
  before: [number, number][];
  after: [number, number][];
}

export interface ShareWish {
  a: Thing;
  b: Thing;
  id: string;
}

export interface SharedOut {
  id: string;
  by: string;
  at: string;
  measurement: Measurement;
}

export interface SheetOut {
  id: string;
  title: string;
  says: string;
}

export interface SideOut {
  side: string;
  count: number;
  kinds: CountOut[];
}

export interface SideTitleOut {
  id: string;
  title: string;
}

export interface SideWish {
  id: string;
  rim?: string | null;
}

export interface SightLine {
  from: string;
  to: string;
  verdict: "clear" | "partial" | "too-close" | "blocked";
  points: [[number, number], [number, number]];
  range: Range;
  says: string;
  reasons: Reason[];
  outlines: [number, number][][];
  blocked_by: string[];
  blocked_at: [number, number][];
  observer: string;
  observed: "clear" | "partial" | "too-close" | "blocked" | null;
}

export interface SizeOut {
  width: number;
  depth: number;
}

export interface SoFar {
  pictures: number;
  cells: number[][];
  share: number;
  tilts: Tilt[];
  ready: boolean;
  missing: string[];
  advice: string[];
}

export interface SolvedOut {
  width: number;
  height: number;
  pictures: number;
  focal_px: number;
  focal_sigma_px: number;
  rms_px: number;
  spread_middle_px: number;
  spread_worst_px: number;
  advice: string[];
  says: string;
}

export interface Standard {
  kind: string;
  title: string;
  bases: number;
  width_in: number;
  depth_in: number;
}

export interface StepOut {
  number: number;
  seq: number;
  turn: number;
  side: string;
  phase: string;
  says: string[];
  changes: PatchOut[];
  traces: TraceOut[];
  photo: string | null;
}

export interface Switch {
  id: string;
  title: string;
  says: string;
  most: number | null;
  modes: string[];
  excludes: string;
}

export interface SyncOut {
  state: "in step" | "out of step" | "another table";
  reasons: string[];
  ways_back: WayBack[];
}

export interface TableBrief {
  id: string;
  name: string;
  created: string;
  used: string;
  units: number;
  has_photo: boolean;
}

export interface TappedWish {
  cell: string;
  at: [number, number];
}

export interface TerrainWish {
  kind: string;
  points: [number, number][];
  wide?: number | null;
  high?: number;
  box?: boolean;
  visible?: boolean;
  fixes?: FixWish[];
  redrawn?: [number, number][][];
  id: string;
  after: number;
  replaces?: string;
}

export interface Thing {
  unit?: string | null;
  piece?: string | null;
  point?: [number, number] | null;
  cell?: string | null;
  ground?: string | null;
}

export interface Tilt {
  side: string;
  done: boolean;
}

export interface TokenWish {
  token: string;
  label: string;
}

export interface TraceOut {
  shape: "line" | "outline" | "text";
  look: string;
  points: [number, number][];
  arrow: boolean;
  text: string;
}

export interface TruthOut {
  seq: number;
  corrections: CorrectionOut[];
  open: number;
}

export interface TruthWish {
  id: string;
  after: number;
  chosen?: string[] | null;
  reason?: string;
}

export interface TurnOut {
  number: number | null;
  to_act: string | null;
  headline: string;
  next: string;
  hidden: string;
}

export interface TurnStepOut {
  turn: number;
  step: number;
}

export interface UndoOut {
  words: string;
  may: boolean;
  referee: boolean;
  why: string;
  ask: number | null;
}

export interface Unit {
  id: string;
  side: string;
  kind: string;
  title: string;
  on_table: boolean;
  place: string | null;
  badges: Badge[];
  acted: boolean;
  says: string;
}

export interface UnitOverlays {
  unit: string;
  side: string;
  says: string;
  ranges: Ring[];
  front: Area | null;
  rear: Area | null;
  threat: Area | null;
  reach: Reach[];
  against: Reason[];
  sights: SightLine[];
  threatened_by: string[];
  perhaps_threatened_by: string[];
  seq: number;
}

export interface UnitWish {
  id: string;
  side: string;
  kind: string;
  bases?: number | null;
  shape?: "rect" | "round" | "oval";
  width_in?: number | null;
  depth_in?: number | null;
  height_in?: number | null;
  unique?: [number, number] | null;
}

export interface Violation {
  code: string;
  text: string;
  place: string;
  numbers: Record<string, number>;
  answer: "no" | "too-close";
  firm: boolean;
  field: string;
  choices: Choice[];
}

export interface WantedOut {
  seq: number;
  side: string;
  title: string;
  label: string;
  why: string;
  secret: boolean;
  by_itself: boolean;
  action: Record<string, unknown> | null;
  unit: string | null;
  dice: Dice;
  pieces: BoardPiece[];
  mine: boolean;
}

export interface Way {
  id: string;
  kind: string;
  points: [number, number][];
  width: number;
}

export interface WayBack {
  id: string;
  says: string;
}

export interface WifiOut {
  name: string;
  qr: string;
}

export interface Zone {
  id: string;
  kind: "objective" | "deployment" | "exit" | "edge";
  label: string;
  outline: [number, number][];
  holder: string | null;
  says: string;
}
