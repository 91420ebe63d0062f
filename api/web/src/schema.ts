// Written by `python -m api.page_types` from the server's schemas. Do not edit.

export interface ArcOut {
  firing_to_rear: boolean;
  firing_on_rear: boolean;
}

export interface BaseChange {
  center?: [number, number] | null;
  facing?: number | null;
  unit?: string | null;
  side?: string | null;
  unique?: boolean | null;
  sigma?: number | null;
  facing_sigma?: number | null;
}

export interface BaseOut {
  id: string;
  unit: string | null;
  side: string | null;
  kind: string | null;
  unique: boolean | null;
  tag: number | null;
  shape: "rect" | "round";
  width: number;
  depth: number;
  center: [number, number];
  z: number;
  facing: number | null;
  facing_sigma: number | null;
  sigma: number;
  confidence: number;
  method: string;
  outline: [number, number][];
  ellipse: [number, number][];
}

export interface ChangeOut {
  kind: string;
  about: string | null;
}

export interface CorridorOut {
  outline: [number, number][];
  verdict: "clear" | "blocked" | "too-close";
}

export interface DiceChange {
  dice: "d5" | "d6";
}

export interface HostOut {
  addresses: string[];
  demo: boolean;
  max_photo_bytes: number;
  max_table_bytes: number;
}

export interface JobOut {
  id: string;
  table: string;
  state: "waiting" | "working" | "done" | "failed";
  stage: string;
  fraction: number;
  detail: string;
}

export interface MarksChange {
  hits?: number | null;
  permanent?: number | null;
  dug_in?: boolean | null;
  ready?: boolean | null;
  moved?: boolean | null;
  fired?: boolean | null;
}

export interface MarksOut {
  hits: number;
  permanent: number;
  dug_in: boolean;
  ready: boolean;
  moved: boolean;
  fired: boolean;
}

export interface ModifierOut {
  name: string;
  add: number | null;
  multiply: number | null;
}

export interface NewBase {
  unit: string;
  center: [number, number];
  facing?: number;
  unique?: boolean;
}

export interface NewTerrain {
  kind: "woods" | "town" | "hill" | "road" | "river" | "bridge" | "field" | "marsh";
  polygon?: [number, number][] | null;
  line?: [number, number][] | null;
  width?: number | null;
  height?: number | null;
  hill_top?: [number, number][] | null;
  sigma?: number | null;
}

export interface PhotoOut {
  sha256: string;
  map: PictureOut;
  annotated: PictureOut;
  upright: PictureOut | null;
}

export interface PictureOut {
  url: string;
  width: number;
  height: number;
  bounds: [[number, number], [number, number]] | null;
}

export interface PriorityOut {
  rank: number;
  of: number;
  why: string;
}

export interface Problem {
  title: string;
  type: string;
  status: number;
  detail?: string | null;
}

export interface RangeOut {
  value: number;
  sigma: number;
  band: string;
  possible: string[];
}

export interface RingOut {
  name: string;
  inches: number;
  outlines: [number, number][][];
}

export interface SeqOut {
  seq: number;
}

export interface ShotOut {
  firer: string;
  target: string;
  verdict: "yes" | "no" | "too-close";
  range: RangeOut;
  sight: SightOut;
  arc: ArcOut;
  modifiers: ModifierOut[];
  hits: Record<string, number>;
  expected_hits: number;
  reasons: string[];
  priority: PriorityOut | null;
  range_line: [number, number][];
  corridors: CorridorOut[];
  blocked_at: [number, number][];
}

export interface SideOut {
  id: string;
  rim: string | null;
}

export interface SightOut {
  verdict: "clear" | "blocked" | "too-close";
  blocked_by: string[];
}

export interface SizeOut {
  width: number;
  depth: number;
}

export interface TableBrief {
  id: string;
  name: string;
  created: string;
  units: number;
  has_photo: boolean;
}

export interface TableOut {
  id: string;
  name: string;
  created: string;
  seq: number;
  table: SizeOut;
  rules: string;
  dice: "d5" | "d6";
  sides: SideOut[];
  units: UnitOut[];
  terrain: TerrainOut[];
  photo: PhotoOut | null;
  bases: BaseOut[];
  warnings: string[];
  undo: ChangeOut | null;
  redo: ChangeOut | null;
}

export interface TerrainChange {
  kind?: "woods" | "town" | "hill" | "road" | "river" | "bridge" | "field" | "marsh" | null;
  polygon?: [number, number][] | null;
  height?: number | null;
  hill_top?: [number, number][] | null;
  sigma?: number | null;
}

export interface TerrainOut {
  id: string;
  kind: "woods" | "town" | "hill" | "road" | "river" | "bridge" | "field" | "marsh";
  polygon: [number, number][];
  height: number;
  hill_top: [number, number][] | null;
  sigma: number;
  method: "given" | "hand";
}

export interface UnitOut {
  id: string;
  side: string;
  kind: string;
  bases_expected: number;
  bases_found: number;
  has_unique: boolean;
  marks: MarksOut;
}

export interface ViewOut {
  unit: string;
  seq: number;
  measured_from: string | null;
  rings: RingOut[];
  front: [number, number][][];
  threat: [number, number][][];
  shots: ShotOut[];
  incoming: ShotOut[];
  threatened_by: string[];
  perhaps_threatened_by: string[];
  removed: boolean;
  faults: string[];
  doubts: string[];
  notes: string[];
}
