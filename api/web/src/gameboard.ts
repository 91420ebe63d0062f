// The map of a game, for any rules: it draws the server's board in table inches and reports touches. Other parts draw
// over it with `overlay`.

import L from "leaflet";
import { type CellOut, type Heard, type Names, type Photo, type Shape, type Shown, sideClass } from "./boardview";
import { between, type Box, boxOf, distanceToOutline, ellipseAt, middleOf, within, type Point } from "./geometry";
import { Ghosts, gripPlaces, noseOf, STEPS } from "./ghosts";
import { groundCut, unitCuts, zoneCuts } from "./label-cuts";
import { type Label, placeLabels, type Standing } from "./labels";
import { anchor, glyph, newMap, type Verdict, wantsStill } from "./map";
import { escape, latlng, ring } from "./mapping";
import { inUnit } from "./units";
import { drawHexNames } from "./hexes";
import { cellAt, meantPiece } from "./meant";
import type { Board, BoardPiece } from "./schema";
import { OutlineHandles } from "./terrain/outline-handles";
import type { Outlined } from "./terrain/outlines";
import { drawSquares, isSigned, shade } from "./squares";

const LOOK_MS = 60; // between two checks of where sheets are
const STILL_LOOKS = 3; // without a change, until they count as still
const LEAST_LABEL_PX = 7;
const RIM_PX = 4; // of the map, that labels keep clear of
const BESIDE_IN = 0.4; // of margin when the whole table is shown
const REVEAL_PX = 14; // of margin around revealed places in the free part of the map
const NAMES_PX = 8; // and at least
const NAMES = 0.5; // of a cell, for the names of rows beside a grid
const BEYOND_PX = 30; // that a label may reach beyond the table
const OVER = 500; // a unit's label is above those of ranges and below handles
const GRIP_PX = 24; // from a handle's middle, that labels keep clear of
const PANES = [["cells", 410], ["ways", 415], ["zones", 418], ["areas", 420], ["pieces", 440], ["lines", 450], ["ghost", 460]] as const;

export class GameBoard {
  readonly map: L.Map;
  private readonly ground = L.layerGroup();
  private readonly pieces = L.layerGroup();
  private readonly labels = L.layerGroup();
  private readonly ghosts: Ghosts;
  private readonly outlines: OutlineHandles;
  private readonly overlays = new Map<string, L.LayerGroup>();
  private shown: Shown | null = null;
  private drawnGround: unknown[] = [];
  private ways: { line: L.Polyline; width: number; more: number }[] = [];
  private fitted = "";
  private waiting = 0; // for bars and sheets to reach their height
  private unfitted = false; // the board has changed: fit it once they have done so
  private moved = false; // by hand, since it was fitted
  private zooming = false;

  constructor(
    element: HTMLElement,
    private readonly heard: Heard,
    names: Names,
  ) {
    this.map = newMap(element);
    for (const [name, z] of PANES) this.map.createPane(name).style.zIndex = String(z);
    for (const name of ["ways", "zones", "areas", "lines"]) this.map.getPane(name)?.classList.add("untouchable");
    for (const layer of [this.ground, this.pieces, this.labels]) layer.addTo(this.map);
    this.ghosts = new Ghosts(this.map, heard, names);
    this.outlines = new OutlineHandles(this.map, heard, names);
    this.map.on("click", ({ latlng: at }) => {
      if (!this.ghosts.justDropped) this.tapAt([at.lng, at.lat]);
    });
    this.map.on("dragstart", () => this.movedByHand());
    const byHand = (event: Event): void => {
      if (!("touches" in event) || (event as TouchEvent).touches.length > 1) this.movedByHand();
    };
    element.addEventListener("touchstart", byHand, { passive: true });
    element.addEventListener("wheel", byHand, { passive: true });
    element.addEventListener("dblclick", byHand);
    element.addEventListener("keydown", (event) => {
      if (/^(Arrow.*|[+=-])$/.test(event.key)) this.movedByHand();
    });
    this.map.on("zoomstart", () => {
      this.zooming = true;
    });
    this.map.on("moveend", () => this.drawLabels());
    this.map.on("zoomend", () => {
      this.zooming = false;
      this.ghosts.draw(this.shown);
      this.widenWays();
    });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  destroy(): void {
    this.waitNoMore();
    this.map.remove();
  }

  // Move the map once bars and sheets have reached their height and no zoom runs, which would undo the move. Of several
  // waiting moves only the last counts, and none if the user moves the map first.
  whenStill(move: () => void): void {
    this.waitNoMore();
    let [before, looks] = ["", 0];
    this.waiting = window.setInterval(() => {
      const now = this.free().join();
      looks = now === before && !this.zooming ? looks + 1 : 0;
      before = now;
      if (looks < STILL_LOOKS) return;
      this.waitNoMore();
      if (this.unfitted) this.fit(false);
      this.unfitted = false;
      move();
    }, LOOK_MS);
  }

  private movedByHand(): void {
    this.waitNoMore();
    this.unfitted = false;
    this.moved = true;
  }

  private waitNoMore(): void {
    window.clearInterval(this.waiting);
  }

  resize(): void {
    this.map.invalidateSize({ animate: false });
    this.limit();
  }

  // Let any place of the table be moved to any part of the screen, however small the table is drawn: a sheet may leave
  // only a strip of it free.
  private limit(): void {
    if (!this.shown) return;
    const { width, depth } = this.shown.board;
    const { x, y } = this.map.getSize();
    const beyond = Math.max(x, y) / this.map.getZoomScale(this.map.getMinZoom(), 0);
    this.map.setMaxBounds([[-beyond, -beyond], [depth + beyond, width + beyond]]);
  }

  perInch(): number {
    return this.map.getZoomScale(this.map.getZoom(), 0);
  }

  // The part of the map that is not covered by bars or sheets, in pixels: left, top, right, bottom.
  private free(): [number, number, number, number] {
    const element = this.map.getContainer();
    const box = element.getBoundingClientRect();
    const page = element.parentElement;
    const above = (page?.querySelector(".tour-card") ?? page?.querySelector(".top-bar"))?.getBoundingClientRect();
    const below = page?.querySelector(".bar")?.getBoundingClientRect();
    const sheet = page?.querySelector(".sheet")?.getBoundingClientRect();
    const beside = sheet !== undefined && sheet.width < 0.7 * box.width;
    const right = beside ? sheet.left - box.left : box.width;
    const top = above === undefined ? 0 : above.bottom - box.top;
    const bottom = sheet !== undefined && !beside ? sheet.top : (below?.top ?? box.bottom);
    return [0, top, right, Math.max(bottom - box.top, top + 80)];
  }

  fit(animate = true): void {
    if (!this.shown) return;
    this.moved = false;
    this.fitTo(this.whole(this.shown), this.shown.board.grid === null ? 2 : NAMES_PX, 2, animate);
  }

  // Fill the free part with a part of the table: `near_px` from its left and lower edges, `far_px` from the others.
  private fitTo([west, south, east, north]: Box, near_px: number, far_px: number, animate: boolean): void {
    const [left, top, right, bottom] = this.free();
    const size = this.map.getSize();
    this.map.fitBounds([[south, west], [north, east]], {
      paddingTopLeft: [left + near_px, top + far_px],
      paddingBottomRight: [size.x - right + far_px, size.y - bottom + near_px],
      animate,
    });
  }

  // The whole scene: the table, or of a grid its cells with their names, and any pieces beside them.
  private whole({ board: { width, depth, grid, cells, pieces }, photo }: Shown): Box {
    if (grid === null || photo !== null || cells.length === 0) return [-BESIDE_IN, -BESIDE_IN, width + BESIDE_IN, depth + BESIDE_IN];
    const [left, , right] = boxOf(cells[0]?.outline ?? []);
    const beside = Math.max(BESIDE_IN, NAMES * (right - left));
    const all = boxOf([...cells, ...pieces].flatMap(({ outline }) => outline));
    return [all[0] - beside, all[1] - beside, all[2] + BESIDE_IN, all[3] + BESIDE_IN];
  }

  // Show the whole table where it would fit, so that it can be tapped anywhere; not when the user has zoomed in.
  fitUnlessClose(): void {
    const [left, , right] = this.free();
    if ((this.shown?.board.width ?? 0) * this.perInch() <= right - left) this.fit();
  }

  // Show the whole table again if only sheets and handles have moved the map.
  fitAgain(): void {
    if (!this.moved) this.fit(!wantsStill());
  }

  // Show the handles of the corners of an outline that is being drawn or changed; null removes them.
  outline(shown: Outlined | null, chosen: number | null): void {
    if (shown === null) this.map.doubleClickZoom.enable();
    else this.map.doubleClickZoom.disable(); // two quick taps are two corners
    this.outlines.draw(shown, chosen);
  }

  // The middle of the part of the table that can be seen.
  centre(): Point {
    const [left, top, right, bottom] = this.free();
    const at = this.map.containerPointToLatLng([(left + right) / 2, (top + bottom) / 2]);
    const { width, depth } = this.shown?.board ?? { width: 0, depth: 0 };
    return [within(at.lng, 0, width), within(at.lat, 0, depth)];
  }

  // Move places well inside the free part of the map if they are not; zoom out where they are far apart.
  reveal(places: Point[], around_px = REVEAL_PX): void {
    if (this.ghosts.held || this.outlines.holding || places.length === 0) return;
    const [left, top, right, bottom] = this.free();
    const [west, north, east, south] = this.boxOnScreen(places);
    const off = (least: number, most: number, from: number, to: number): number => Math.min(least - from - around_px, 0) || Math.max(most - to + around_px, 0);
    const by: Point = [off(west, east, left, right), off(north, south, top, bottom)];
    const room = Math.min(right - left - (east - west), bottom - top - (south - north)) - 2 * around_px;
    if (room < 0) this.fitTo(boxOf(places), around_px, around_px, !wantsStill());
    else if (by[0] !== 0 || by[1] !== 0) this.map.panBy(by, { animate: !wantsStill(), duration: 0.3 });
  }

  // Whether places are in the free part of the map.
  shows(places: Point[]): boolean {
    const [left, top, right, bottom] = this.free();
    const [west, north, east, south] = this.boxOnScreen(places);
    return left <= west && top <= north && east <= right && south <= bottom;
  }

  private boxOnScreen(places: Point[]): Box {
    return boxOf(places.map((place): Point => {
      const { x, y } = this.map.latLngToContainerPoint(latlng(place));
      return [x, y];
    }));
  }

  // Draw shapes over the board under a name, replacing earlier ones; an empty list removes them.
  overlay(name: string, shapes: Shape[]): void {
    const layer = this.overlays.get(name) ?? L.layerGroup().addTo(this.map);
    this.overlays.set(name, layer);
    layer.clearLayers();
    for (const shape of shapes) for (const made of this.madeOf(shape)) made.addTo(layer);
  }

  private *madeOf(shape: Shape): Generator<L.Layer> {
    const quiet = { interactive: false, smoothFactor: 0, className: shape.class };
    if (shape.outline) yield L.polygon([ring(shape.outline), ...(shape.holes ?? []).map(ring)], { ...quiet, pane: "areas" });
    if (shape.line) yield L.polyline(ring(shape.line), { ...quiet, pane: "lines" });
    const at = shape.at ?? (shape.label === undefined ? undefined : middleOf(shape.line ?? shape.outline ?? []));
    if (at === undefined) return;
    const html = `<span class="${shape.label === undefined ? escape(shape.class) : `ring-label ${escape(shape.class)}`}">${escape(shape.label ?? "")}</span>`;
    yield L.marker(latlng(at), { icon: anchor(html), interactive: false, keyboard: false, alt: shape.says ?? shape.label ?? "" });
  }

  draw(shown: Shown): void {
    this.shown = shown;
    const { board, photo } = shown;
    const places = [board.width, board.depth, ...(board.cells.length ? boxOf(board.cells.flatMap(({ outline }) => outline)) : [])];
    const size = places.map((inches) => inches.toFixed(1)).join(" ");
    if (this.fitted !== size) {
      this.fitted = size; // another table, or a grid placed elsewhere on it
      this.limit();
      this.fit(false);
      this.unfitted = true;
      this.whenStill(() => undefined);
    }
    this.drawGround(board, photo);
    this.drawPieces(shown);
    this.ghosts.draw(this.shown);
  }

  // --- the static parts -------------------------------------------------------------------------------------------

  private drawGround(board: Board, photo: Photo | null): void {
    const kept = [board.ground, board.cells, board.ways, board.zones, board.marks, board.width, board.depth, photo?.url];
    if (kept.every((one, i) => one === this.drawnGround[i]) && this.drawnGround.length) return;
    this.drawnGround = kept;
    this.ground.clearLayers();
    const quiet = { interactive: false, smoothFactor: 0 } as const;
    if (photo) L.imageOverlay(photo.url, photo.bounds.map(latlng), { className: "tabletop-photo" }).addTo(this.ground);
    else if (board.grid === null) L.rectangle([[0, 0], [board.depth, board.width]], { ...quiet, className: "table-edge bare" }).addTo(this.ground);
    const tint = (kind: string): { fillColor: string } => ({ fillColor: `url(#terrain-${kind.replace(/\W+/g, "-")})` });
    for (const piece of board.ground) {
      const look = photo ? { fill: false } : tint(piece.kind);
      const foot = L.polygon([ring(piece.outline), ...piece.holes.map(ring)], { ...quiet, ...look, pane: "cells", className: `terrain ${piece.kind}` });
      foot.addTo(this.ground);
      picture(foot.getElement(), piece.says);
      if (piece.hill_top) L.polygon(ring(piece.hill_top), { ...quiet, fill: false, pane: "cells", className: "terrain top" }).addTo(this.ground);
    }
    if (!photo && board.cells.length) {
      L.polygon(board.cells.map(({ outline }) => [ring(outline)]), { ...quiet, pane: "cells", className: "cells-ground" }).addTo(this.ground);
    }
    board.cells.forEach((cell, i) => {
      const look = photo || cell.kind === "open" ? {} : tint(cell.kind);
      const marks = [shade(board, cell.id), ...cell.marks.map((mark) => `on-${mark.replace(/\W+/g, "-")}`)].join(" ");
      const drawn = L.polygon(ring(cell.outline), { ...look, smoothFactor: 0, pane: "cells", className: `cell ${photo ? "over-photo" : cell.kind === "open" ? "plain" : ""} ${marks}` });
      drawn.addTo(this.ground);
      this.nameIt(drawn.getElement(), cell.says, i === 0 ? 0 : -1, () => this.heard.tap({ piece: null, cell, at: cell.center, pxPerInch: this.perInch() }));
      drawn.getElement()?.setAttribute("data-cell", cell.id);
      drawn.getElement()?.addEventListener("keydown", (event) => this.walk(event as KeyboardEvent, cell));
    });
    this.ways = board.ways.flatMap((way) => [
      { line: L.polyline(ring(way.points), { ...quiet, pane: "ways", className: "way-case" }).addTo(this.ground), width: way.width, more: 3 },
      { line: L.polyline(ring(way.points), { ...quiet, pane: "ways", className: `way ${way.kind}` }).addTo(this.ground), width: way.width, more: 0 },
    ]);
    this.widenWays();
    drawSquares(board, this.ground);
    for (const zone of board.zones) this.drawZone(board, zone);
    for (const mark of board.marks) {
      if (isSigned(board, mark)) continue; // its square shows it
      const html = `<span class="mark ${escape(mark.kind)}" role="img" aria-label="${escape(mark.says)}"></span>`;
      L.marker(latlng(mark.center), { icon: anchor(html), interactive: false, keyboard: false }).addTo(this.ground);
    }
    if (photo || board.grid === null) L.rectangle([[0, 0], [board.depth, board.width]], { ...quiet, className: "table-edge" }).addTo(this.ground);
  }

  private widenWays(): void {
    for (const { line, width, more } of this.ways) line.setStyle({ weight: Math.max(2, width * this.perInch()) + more });
  }

  private drawZone(board: Board, zone: Board["zones"][number]): void {
    const side = sideClass(board, zone.holder);
    const look = { interactive: false, smoothFactor: 0, pane: "zones", className: `zone ${zone.kind} ${side}` };
    const drawn = zone.outline.length > 2 ? L.polygon(ring(zone.outline), look) : L.polyline(ring(zone.outline), look);
    drawn.addTo(this.ground);
    if (zone.says) picture(drawn.getElement(), zone.says);
  }

  // With the arrow keys from cell to cell.
  private walk(event: KeyboardEvent, from: CellOut): void {
    const way = STEPS[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const far = ({ center: [x, y] }: CellOut): number => {
      const [dx, dy] = [x - from.center[0], y - from.center[1]];
      const along = dx * way[0] + dy * way[1];
      return along <= 0.1 ? Infinity : along + Math.abs(dx * way[1] - dy * way[0]);
    };
    const next = this.shown?.board.cells.reduce((best, one) => (far(one) < far(best) ? one : best), from);
    if (next) this.map.getContainer().querySelector<SVGElement>(`[data-cell="${next.id}"]`)?.focus();
  }

  private nameIt(element: Element | undefined, says: string, tab: number, act: () => void): void {
    element?.setAttribute("role", "button");
    element?.setAttribute("tabindex", String(tab));
    element?.setAttribute("aria-label", inUnit(says));
    element?.addEventListener("keydown", (event) => {
      const { key } = event as KeyboardEvent;
      if (key !== "Enter" && key !== " ") return;
      event.preventDefault();
      act();
    });
  }

  // --- pieces -----------------------------------------------------------------------------------------------------

  private classesOf(piece: BoardPiece, shown: Shown): string {
    const verdict = piece.unit === null ? undefined : shown.marked.get(piece.unit);
    return [
      piece.shape === "counter" ? "counter-piece" : "base",
      sideClass(shown.board, piece.side),
      verdict ?? "",
      piece.unit !== null && piece.unit === shown.unit ? "own" : "",
      piece.unit !== null && shown.able.has(piece.unit) ? "able" : "",
      piece.id === shown.base ? "chosen" : "",
      piece.unique ? "unique" : "",
      piece.hidden ? "hidden-piece" : "",
      piece.state === "fresh" ? "" : `is-${piece.state.replace(/\W+/g, "-")}`,
    ].filter(Boolean).join(" ");
  }

  private drawPieces(shown: Shown): void {
    this.pieces.clearLayers();
    const leads = leadsOf(shown.board.pieces);
    for (const cell of shown.board.cells) {
      const verdict = shown.marked.get(cell.id);
      if (verdict) L.polygon(ring(cell.outline), { interactive: false, pane: "zones", className: `may ${verdict}` }).addTo(this.pieces);
    }
    for (const piece of shown.board.pieces) {
      const quiet = { pane: "pieces", interactive: false, smoothFactor: 0 } as const;
      const classes = this.classesOf(piece, shown);
      L.polygon(ring(piece.outline), { ...quiet, className: `${classes} halo` }).addTo(this.pieces);
      const body = L.polygon(ring(piece.outline), { pane: "pieces", smoothFactor: 0, className: `${classes} body` }).addTo(this.pieces);
      const element = body.getElement();
      element?.setAttribute("data-piece", piece.id);
      element?.setAttribute("data-of", piece.unit ?? piece.id);
      if (leads.has(piece)) {
        element?.setAttribute("data-lead", piece.unit ?? piece.id);
        const cell = cellAt(shown.board, piece.center);
        this.nameIt(element, piece.says, 0, () => this.heard.tap({ piece, cell, at: piece.center, pxPerInch: this.perInch() }));
      }
      if (piece.ellipse && piece.unit === shown.unit) {
        L.polygon(ring(ellipseAt(piece.center, piece.ellipse)), { ...quiet, className: "ellipse" }).addTo(this.pieces);
      }
      if (piece.facing !== null) L.polyline(noseOf(piece), { ...quiet, className: `${classes} nose` }).addTo(this.pieces);
      if (piece.unique) {
        L.circle(latlng(piece.center), { ...quiet, radius: 0.14 * Math.min(piece.width, piece.depth), className: `${classes} dot` }).addTo(this.pieces);
      }
    }
    this.drawLabels();
  }

  private drawLabels(): void {
    const shown = this.shown;
    if (!shown) return;
    this.labels.clearLayers();
    const perInch = this.perInch();
    drawHexNames(shown.board, perInch, this.labels);
    const mark = (piece: BoardPiece): Verdict | null => (piece.unit === null ? undefined : shown.marked.get(piece.unit)) ?? null;
    const leads = [...leadsOf(shown.board.pieces)];
    for (const piece of leads) if (piece.shape === "counter") this.labelCounter(piece, shown, mark(piece), perInch);
    const own = (piece: BoardPiece): boolean => piece.unit !== null && piece.unit === shown.unit;
    const rank = (piece: BoardPiece): number => (own(piece) ? 0 : mark(piece) !== null ? 1 : 2);
    const named = leads.filter((piece) => piece.shape !== "counter");
    named.sort((a, b) => rank(a) - rank(b) || tellingOf(b).length - tellingOf(a).length);
    const { board } = shown;
    const units = named.map((piece): Label => {
      const mates = piece.unit === null ? [piece] : board.pieces.filter((one) => one.unit === piece.unit);
      const cuts = unitCuts(piece.label, this.besideName(piece, shown), mark(piece) !== null, own(piece));
      return { cuts, own: mates.map(({ outline }) => outline), on: false, must: own(piece) };
    });
    const zones = board.zones.filter(({ kind }) => kind !== "edge");
    const grounds = [
      ...zones.map(({ label, outline }): Label => ({ cuts: zoneCuts(label), own: [outline], on: outline.length > 2, must: false })),
      ...board.ground.map(({ id, outline }): Label => ({ cuts: [groundCut(id)], own: [outline], on: true, must: false })),
    ];
    const beyond = BEYOND_PX / perInch;
    const { x, y } = this.map.getSize();
    const frames = [this.boxOn(this.free()), this.boxOn([0, 0, x, y]), [-beyond, -beyond, board.width + beyond, board.depth + beyond] as Box];
    const solid = [...board.pieces, ...(shown.ghost?.pieces ?? [])].map(({ outline }) => outline);
    const edge: Box = board.grid === null ? [0, 0, board.width, board.depth] : (frames.at(-1) as Box);
    const reach = GRIP_PX / perInch;
    const held = gripPlaces(shown, perInch).map(([x, y]): Box => [x - reach, y - reach, x + reach, y + reach]);
    const all = placeLabels([...units, ...grounds], solid, perInch, frames, edge, held);
    const put = (at: Point, html: string): HTMLElement | undefined =>
      L.marker(latlng(at), { icon: anchor(html, "name"), interactive: false, keyboard: false }).addTo(this.labels).getElement();
    named.forEach((piece, i) => this.labelUnit(piece, all[i] ?? null, mark(piece), shown));
    zones.forEach((zone, i) => {
      const standing = all[named.length + i];
      const side = sideClass(board, zone.holder);
      if (standing === null || standing === undefined) return;
      const label = put(standing.at, `<span class="zone-label ${side}" aria-hidden="true">${escape(zone.label)}</span>`);
      label?.querySelector<HTMLElement>(".zone-label")?.style.setProperty("width", `${standing.cut.wide}px`);
    });
    board.ground.forEach(({ id }, i) => {
      const standing = all[named.length + zones.length + i];
      if (standing) put(standing.at, `<span class="ground-name" data-ground="${escape(id)}" aria-hidden="true">${escape(id)}</span>`);
    });
  }

  // Texts beside a unit's name: its badges, or the expected result where it is a target.
  private besideName(piece: BoardPiece, shown: Shown): string[] {
    const unit = piece.unit ?? "";
    if (unit === shown.unit || !shown.marked.has(unit)) return tellingOf(piece).map(({ text }) => text);
    const odds = shown.odds.get(unit);
    return odds === undefined ? [] : [odds];
  }

  private labelUnit(piece: BoardPiece, standing: Standing | null, verdict: Verdict | null, shown: Shown): void {
    if (standing === null) return;
    const { at, cut, leader } = standing;
    if (leader) L.polyline(ring(leader), { interactive: false, pane: "lines", className: "leader" }).addTo(this.labels);
    const badges = cut.size === "full" ? this.besideName(piece, shown).map((text) => `<i>${escape(text)}</i>`).join("") : "";
    const said = cut.size === "lone" ? "" : escape(piece.label);
    const html = `<span class="pill ${cut.size} ${this.classesOf(piece, shown)}" data-labels="${escape(piece.unit ?? piece.id)}">${verdict ? glyph(verdict) : ""}${said}${badges && `<em>${badges}</em>`}</span>`;
    L.marker(latlng(at), { icon: anchor(html, "name"), interactive: false, keyboard: false, zIndexOffset: OVER }).addTo(this.labels);
  }

  // A part of the map (left, top, right, bottom, in pixels) as a box on the table, in inches, with a margin.
  private boxOn([left, top, right, bottom]: [number, number, number, number]): Box {
    const [a, b] = [this.map.containerPointToLatLng([left + RIM_PX, bottom - RIM_PX]), this.map.containerPointToLatLng([right - RIM_PX, top + RIM_PX])];
    return [a.lng, a.lat, b.lng, b.lat];
  }

  private labelCounter(piece: BoardPiece, shown: Shown, verdict: Verdict | null, perInch: number): void {
    const size = Math.min(0.56 * piece.width * perInch, (1.5 * piece.width * perInch) / Math.max(piece.label.length, 1));
    if (size < LEAST_LABEL_PX && verdict === null) return;
    const html = `<span class="piece-label ${this.classesOf(piece, shown)}" data-labels="${escape(piece.unit ?? piece.id)}">${verdict ? glyph(verdict) : ""}${escape(piece.label)}<em>${badgesHtml(piece)}</em></span>`;
    const label = L.marker(latlng(piece.center), { icon: anchor(html), interactive: false, keyboard: false }).addTo(this.labels);
    label.getElement()?.style.setProperty("font-size", `${size.toFixed(1)}px`);
  }

  // --- touching ---------------------------------------------------------------------------------------------------

  private tapAt(at: Point): void {
    const board = this.shown?.board;
    if (!board) return;
    const perInch = this.perInch();
    const cell = cellAt(board, at);
    const piece = meantPiece(board, cell, ({ outline }) => distanceToOutline(outline, at) * perInch, ({ center }) => between(center, at));
    this.heard.tap({ piece, cell, at, pxPerInch: perInch });
  }
}

// Gives a drawn element a description for screen readers.
function picture(element: Element | undefined, says: string): void {
  element?.setAttribute("role", "img");
  element?.setAttribute("aria-label", inUnit(says));
}

// A piece's badges, except one that repeats its name.
const tellingOf = (piece: BoardPiece): BoardPiece["badges"] => piece.badges.filter((badge) => badge.text !== piece.label);
const badgesHtml = (piece: BoardPiece): string => tellingOf(piece).map((badge) => `<i>${escape(badge.text)}</i>`).join("");

// The piece that represents its unit: the unique one, or the first.
function leadsOf(pieces: BoardPiece[]): Set<BoardPiece> {
  const leads = new Map<string, BoardPiece>();
  for (const piece of pieces) {
    const key = piece.shape === "counter" ? piece.id : (piece.unit ?? piece.id);
    const known = leads.get(key);
    if (known === undefined || (piece.unique && !known.unique)) leads.set(key, piece);
  }
  return new Set(leads.values());
}
