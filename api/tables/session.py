"""The tables of one server: what may be done to them, and what they answer.

Every change is checked here, written as one event, and answered with the table as it then is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import Any

from api.engine import Engine, Progress, Reading
from api.errors import ConflictError, NotThereError, UnusableError
from api.settings import Settings
from api.tables import outlines as overlays
from api.tables import state as states
from api.tables.state import MARKS, BaseRow, TableState, TerrainRow
from api.tables.store import Store
from tabletop.game.parts import DEFAULT_RULES, part
from tabletop.referee.reports import judges_scenes
from tabletop.tables import drawn_terrain as hand
from tabletop.tables.model import Terrain, Unit
from tabletop.tables.scene import Scene, scene_from_json
from tabletop.tables.table_toml import table_toml

KEPT_REPORTS = 16


class Tables:
    """All tables of a data folder."""

    def __init__(self, store: Store, engine: Engine, settings: Settings) -> None:
        self.store = store
        self.engine = engine
        self.settings = settings
        self._reports: OrderedDict[tuple[str, int], dict[str, Any]] = OrderedDict()
        self._lock = Lock()

    # --- reading ---------------------------------------------------------------------------------------------------

    def all(self) -> list[TableState]:
        """Every table, the last used one first."""
        return [self.get(game) for game in self.store.games()]

    def get(self, game: str) -> TableState:
        """The table of that id; raises NotThereError."""
        events = self.store.events(game)
        if not events:
            raise _no_table(game)
        return states.fold(game, events)

    def seq(self, game: str) -> int:
        """The number of the table's last event; raises NotThereError."""
        last = self.store.last(game)
        if not last:
            raise _no_table(game)
        return last

    def scene(self, state: TableState) -> Scene:
        """The table with the units' markers, as the ruleset takes it."""
        roster = {unit.id: unit.bases for unit in state.table.units}
        scene = scene_from_json(state.observation(), roster=roster)
        units = tuple(replace(unit, **{**MARKS, **state.marks.get(unit.id, {})}) for unit in scene.units)
        return replace(scene, rules=state.table.rules or DEFAULT_RULES, units=units)

    def report(self, state: TableState) -> dict[str, Any]:
        """Every shot judged (contract, section 5), none where the rules judge no scenes; kept until it changes."""
        if not judges_scenes(state.table.rules or DEFAULT_RULES):
            return {"version": 1, "rules": state.table.rules, "shots": []}
        key = (state.game, state.seq)
        with self._lock:
            known = self._reports.get(key)
        if known is not None:
            return known
        report = self.engine.report(self.scene(state), state.dice)
        with self._lock:
            self._reports[key] = report
            while len(self._reports) > KEPT_REPORTS:
                self._reports.popitem(last=False)
        return report

    def source(self, game: str) -> str:
        """The table file's text, with the grid as it lies now; raises NotThereError."""
        state = self.get(game)
        given = str(self.store.events(game)[0].body["toml"])
        if state.table == states.read_table(given, state.name):
            return given
        notes = [line.removeprefix("#").strip() for line in given.splitlines() if line.startswith("#")]
        return table_toml(state.table, notes)

    # --- changing --------------------------------------------------------------------------------------------------

    def create(self, source: bytes | str, name: str, *, game: str = "") -> TableState:
        """A new table from a table file; raises TableFileError, RulesError.

        A table of a ``game`` by rules bears the id that is given, and stays as it is where there is one; the rules have
        looked at the game already.
        """
        read = states.read_table(source, name)
        if not game:
            self.engine.check_table(read)
        toml = source if isinstance(source, str) else source.decode("utf-8")
        table = game or self.store.new_game()
        self.store.append(table, 1, "table", {"name": name, "toml": toml})
        return self.get(table)

    def read_photo(self, state: TableState, data: bytes, name: str, progress: Progress) -> Reading:
        """Read a photo, knowing the terrain that hands have drawn: bases on a hill lie higher.

        What was drawn stays out of the reading's own terrain, since it may be taken back meanwhile.
        """
        known = tuple(
            Terrain(piece["id"], piece["kind"], _tuples(piece["polygon"]), piece["height"], _tuples(piece["hill_top"]))
            for piece in ({"hill_top": None, **row} for row in state.terrain)
        )
        table = replace(state.table, terrain=known)
        if state.camera is None:
            reading = self.engine.read_photo(data, name, table, progress)
        else:
            reading = self.engine.read_calibrated(data, name, table, progress, state.camera["calibration"])
        given = [piece for piece in reading.observation["terrain"] if piece["id"] not in state.drawn]
        return replace(reading, observation={**reading.observation, "terrain": given})

    def add_reading(self, game: str, reading: Reading, event: str, *, by: str = "", taken_in: str = "") -> TableState:
        """Lay a photo's bases on the table in place of those of the photo before; ``by`` is the seat that took it, and
        ``taken_in`` when the server got it.

        ``event`` is the id of what is written; where there is such an event, nothing is.
        """
        pictures = {
            "map": reading.map_jpeg,
            "annotated": reading.annotated_jpeg,
            "upright": reading.upright_jpeg,
        }
        for name, jpeg in pictures.items():
            self.store.pictures.put(f"{reading.sha256}/{name}-{game}.jpg", jpeg)
        body = {
            "sha256": reading.sha256,
            "width": reading.width,
            "height": reading.height,
            "map": {"size": reading.map_size, "bounds": reading.map_bounds},
            "annotated": {"size": reading.annotated_size, "part": reading.annotated_part},
            "upright": {"size": reading.upright_size},
            "observation": reading.observation,
            "by": by,
            "taken_in": taken_in,
        }
        while not self.store.has(event):  # someone may change a base meanwhile; the photo counts after that
            self.store.append(game, self.get(game).seq + 1, "photo", body, event)
        return self.get(game)

    def change_base(self, game: str, base_id: str, wish: dict[str, Any]) -> TableState:
        """Move, turn or relabel a base; ``wish`` holds only what changes (see BaseChange)."""
        state = self.get(game)
        base = self._base(state, base_id)
        changes = []
        if wish.keys() & {"center", "facing"}:
            changes.append(("move", self._place(state, wish)))
        if wish.keys() & {"unit", "side", "unique"}:
            changes.append(("label", self._label(state, base, wish)))
        for kind, body in changes:
            state = self._write(state, kind, {"base": base_id, **body})
        return state

    def answer(self, game: str, question: dict[str, Any], value: Any) -> TableState:
        """Write the answer to something that the photo leaves open; raises AnswerError for one that can't be."""
        state = self.get(game)
        states.answered(state, question, value)
        return self._write(state, "answer", {"question": question, "value": value})

    def share(self, game: str, id_: str, by: str, measurement: dict[str, Any]) -> dict[str, Any]:
        """Show a measurement to all at a table; said again with the same id, it is shown once."""
        while not self.store.has(id_):  # whatever else changes meanwhile, what was measured is shown after it
            self.store.append(
                game, self.get(game).seq + 1, states.MEASURED, {"by": by, "measurement": measurement}, id_
            )
        found = next((row for row in self.get(game).shared if row["id"] == id_), None)
        if found is None:
            raise ConflictError("Something else bears this id already: measure again.")
        return found

    def add_base(self, game: str, unit_id: str, center: Any, facing: float, unique: bool) -> TableState:
        """Lay a base of a unit on the table by hand."""
        state = self.get(game)
        unit = self._unit(state, unit_id)
        outline = unit.unique_base if unique else unit.base
        place = self._place(state, {"center": center, "facing": facing})
        variance = round(place["sigma_in"] ** 2, 8)
        base: BaseRow = {
            "id": _free_id(state),
            "unit": unit.id,
            "tag": None,
            "side": unit.side,
            "kind": unit.kind,
            "unique": unique,
            "shape": "round" if outline.is_round else "rect",
            "width": outline.width_in,
            "depth": outline.depth_in,
            "center": place["center"],
            "z": 0.0,
            "facing": place["facing"],
            "covariance": [[variance, 0.0], [0.0, variance]],
            "facing_sigma": place["sigma_deg"],
            "confidence": 1.0,
            "method": "hand",
        }
        return self._write(state, "add", {"base": base})

    def remove_base(self, game: str, base_id: str) -> TableState:
        """Take a base off the table: it was none."""
        state = self.get(game)
        self._base(state, base_id)
        return self._write(state, "remove", {"base": base_id})

    def draw_terrain(self, game: str, wish: dict[str, Any]) -> TableState:
        """Add terrain drawn by hand (see NewTerrain; what is None is left out)."""
        state = self.get(game)
        if len(state.terrain) >= hand.MOST_PIECES:
            raise UnusableError(f"The table has {len(state.terrain)} pieces of terrain, the most that are taken.")
        size = state.table.width_in, state.table.depth_in
        if len(wish.keys() & {"polygon", "rect", "line"}) != 1 or ("line" in wish) != ("width" in wish):
            raise UnusableError("Terrain is drawn as a polygon, as a rectangle, or as a line with a width.")
        drawn = hand.band(wish["line"], wish["width"], *size) if "line" in wish else _outline_of(wish)
        start: TerrainRow = {"id": _free_terrain_id(state, wish["kind"]), "kind": wish["kind"], "height": 0.0}
        rest: dict[str, Any] = {key: wish[key] for key in ("height", "hill_top", "sigma") if key in wish}
        return self._write(state, "draw", {"piece": self._terrain(state, start, {"polygon": drawn, **rest})})

    def change_terrain(self, game: str, piece_id: str, wish: dict[str, Any]) -> TableState:
        """Change a piece of terrain; ``wish`` holds only what changes (see TerrainChange).

        A piece that is named after its kind, as those drawn by hand are, takes the name of its new kind.
        """
        state = self.get(game)
        before = self._piece(state, piece_id)
        if "cut" in wish:
            return self._cut(state, before, wish)
        wish = _placed(before, wish)
        kind = str(wish.get("kind", before["kind"]))
        number = piece_id.removeprefix(f"{before['kind']}-")
        named = number != piece_id and number.isdecimal()
        after_id = _free_terrain_id(state, kind) if named and kind != before["kind"] else piece_id
        after = self._terrain(state, {**before, "id": after_id}, wish)
        return self._write(state, "redraw", {"terrain": piece_id, "piece": after})

    def _cut(self, state: TableState, before: TerrainRow, wish: dict[str, Any]) -> TableState:
        """Cut a piece along a line: the largest part keeps its name, the others get names of their own."""
        if wish.keys() != {"cut"}:
            raise UnusableError("A piece is cut, or changed otherwise, not both at once.")
        size = state.table.width_in, state.table.depth_in
        outlines = hand.parts(before["polygon"], wish["cut"], *size, before["id"])
        if len(state.terrain) + len(outlines) - 1 > hand.MOST_PIECES:
            raise UnusableError(f"The table would have more than {hand.MOST_PIECES} pieces of terrain, the most taken.")
        pieces: list[TerrainRow] = []
        for polygon in outlines:
            name = _free_terrain_id(state, before["kind"], [piece["id"] for piece in pieces])
            piece: TerrainRow = {
                **before,
                "id": name if pieces else before["id"],
                "polygon": polygon,
                "confidence": 1.0,
            }
            top = hand.top_on(piece.pop("hill_top"), polygon) if piece.get("hill_top") else None
            pieces.append({**piece, **({} if top is None else {"hill_top": top})})
        return self._write(state, "cut", {"terrain": before["id"], "pieces": pieces})

    def erase_terrain(self, game: str, piece_id: str) -> TableState:
        """Take a piece of terrain off the table."""
        state = self.get(game)
        self._piece(state, piece_id)
        return self._write(state, "erase", {"terrain": piece_id})

    def mark(self, game: str, unit_id: str, marks: dict[str, Any]) -> TableState:
        """Change a unit's markers."""
        state = self.get(game)
        self._unit(state, unit_id)
        after = {**MARKS, **state.marks.get(unit_id, {}), **marks}
        if after["permanent"] > after["hits"]:
            raise UnusableError(
                f"{unit_id} would have {after['permanent']} permanent hits of only {after['hits']} hits in all."
            )
        return self._write(state, "mark", {"unit": unit_id, "marks": marks})

    def set_dice(self, game: str, dice: str) -> TableState:
        """Choose the dice of the game."""
        return self._write(self.get(game), "dice", {"dice": dice})

    def lay_grid(self, game: str, overlay: dict[str, Any]) -> TableState:
        """Lay a board's grid on the table (see the event ``overlay``)."""
        return self._write(self.get(game), "overlay", overlay)

    def use_camera(self, game: str, camera: str | None, calibration: dict[str, Any] | None = None) -> TableState:
        """Read the table's photos with a calibrated camera from now on, or with none."""
        return self._write(self.get(game), "camera", {"camera": camera, "calibration": calibration})

    def undo(self, game: str) -> TableState:
        """Take back the last change."""
        state = self.get(game)
        if state.undo is None:
            raise ConflictError("There is nothing to undo on this table.")
        return self._write(state, "undo", {})

    def redo(self, game: str) -> TableState:
        """Do again what was taken back last."""
        state = self.get(game)
        if state.redo is None:
            raise ConflictError("There is nothing to redo on this table.")
        return self._write(state, "redo", {})

    def _write(self, state: TableState, kind: str, body: dict[str, Any]) -> TableState:
        """Append to the table as the caller saw it: what was checked against it still holds, or it is refused."""
        if not self.store.append(state.game, state.seq + 1, kind, body):
            raise ConflictError("Someone else changed this table at the same moment; look, and try again.")
        return self.get(state.game)

    def _base(self, state: TableState, base_id: str) -> BaseRow:
        if base_id not in state.bases:
            raise NotThereError(f'There is no base "{base_id}" on this table; it may just have been removed.')
        return state.bases[base_id]

    def _piece(self, state: TableState, piece_id: str) -> TerrainRow:
        for piece in state.terrain:
            if piece["id"] == piece_id:
                return piece
        raise NotThereError(f'There is no terrain "{piece_id}" on this table; it may just have been removed.')

    def _terrain(self, state: TableState, before: TerrainRow, wish: dict[str, Any]) -> TerrainRow:
        """A terrain row (contract, section 3) with a wish in it."""
        size = state.table.width_in, state.table.depth_in
        plain: TerrainRow = {key: wish[key] for key in ("kind", "height", "sigma") if key in wish}
        after: TerrainRow = {**before, **plain, "confidence": 1.0}
        if "polygon" in wish:
            after["polygon"] = hand.outline(wish["polygon"], *size, known=before.get("polygon", ()))
            after["sigma"] = wish.get("sigma", self.settings.hand_terrain_sigma_in)
        top = wish.get("hill_top", before.get("hill_top"))
        after.pop("hill_top", None)
        if after["kind"] == "hill" and top is not None:
            after["hill_top"] = hand.hill_top(top, after["polygon"], *size)
        elif wish.get("hill_top") is not None:
            raise UnusableError(f"This terrain is of kind {after['kind']}; only a hill has a top.")
        return after

    def _unit(self, state: TableState, unit_id: str) -> Unit:
        unit = state.unit(unit_id)
        if unit is None:
            known = ", ".join(u.id for u in state.table.units)
            raise NotThereError(f'The table file has no unit "{unit_id}"; its units are {known or "none"}.')
        return unit

    def _place(self, state: TableState, wish: dict[str, Any]) -> dict[str, Any]:
        width, depth = state.table.width_in, state.table.depth_in
        place: dict[str, Any] = {}
        if wish.get("center") is not None:
            x, y = wish["center"]
            if not (0 <= x <= width and 0 <= y <= depth):
                raise UnusableError(
                    f'A base at ({x:.1f}, {y:.1f}) would lie off the table, which is {width:g}" by {depth:g}".'
                )
            place["center"] = [round(x, 4), round(y, 4)]
        if wish.get("facing") is not None:
            place["facing"] = round(wish["facing"] % 360.0, 3)
        given, turn = wish.get("sigma"), wish.get("facing_sigma")
        place["sigma_in"] = self.settings.hand_sigma_in if given is None else given
        place["sigma_deg"] = self.settings.hand_sigma_deg if turn is None else turn
        return place

    def _label(self, state: TableState, base: BaseRow, wish: dict[str, Any]) -> dict[str, Any]:
        unit_id = wish.get("unit", base["unit"])
        if unit_id is None:
            side = wish.get("side", base["side"])
            known = sorted({u.side for u in state.table.units} | {s.id for s in state.table.sides})
            if side is not None and side not in known:
                raise UnusableError(f'The table file has no side "{side}"; its sides are {", ".join(known)}.')
            return {"unit": None, "side": side, "unique": None}
        unit = self._unit(state, unit_id)
        if wish.get("side", unit.side) != unit.side:
            raise UnusableError(f"{unit.id} fights for {unit.side}, not for {wish['side']}.")
        kept = base["unique"] if unit_id == base["unit"] else None
        return {"unit": unit.id, "side": unit.side, "unique": bool(wish.get("unique", kept))}

    # --- what is drawn ---------------------------------------------------------------------------------------------

    def view(self, state: TableState, unit_id: str) -> dict[str, Any]:
        """All that is drawn and said of one unit (see ViewOut, without the shots' shaping)."""
        unit = self._unit(state, unit_id)
        bases = state.unit_bases(unit_id)
        width, depth = state.table.width_in, state.table.depth_in
        unique = next((base for base in bases if base["unique"] is True), None)
        if unique is None and len(bases) == 1 and unit.bases == 1:
            unique = bases[0]
        report = self.report(state)

        def entry(key: str, field: str) -> list[str]:
            return [str(word) for row in report.get(key, []) if row["unit"] == unit_id for word in row.get(field, [])]

        rules = state.table.rules or DEFAULT_RULES
        scenes = part(rules if judges_scenes(rules) else DEFAULT_RULES, "scenes")
        return {
            "unit": unit,
            "measured_from": unique["id"] if unique else None,
            "rings": [
                (name, inches, overlays.within([unique], inches, width, depth))
                for name, inches in scenes.ranges(unit.kind)
                if unique
            ],
            "front": overlays.front(unique, width, depth) if unique and unique["facing"] is not None else [],
            "threat": overlays.within(bases, scenes.THREAT_IN, width, depth) if bases else [],
            "shots": [shot for shot in report["shots"] if shot["firer"] == unit_id],
            "incoming": [shot for shot in report["shots"] if shot["target"] == unit_id],
            "threatened_by": entry("threatened", "by"),
            "perhaps_threatened_by": entry("threatened_too_close", "by"),
            "removed": unit_id in report.get("removed", []),
            "faults": entry("formation", "faults"),
            "doubts": entry("formation", "doubts"),
            "notes": _notes(unit, bases, unique) + entry("formation", "notes"),
        }


def _no_table(game: str) -> NotThereError:
    return NotThereError(f'There is no table "{game}" on this server. Open the start page and pick one.')


def _notes(unit: Unit, bases: list[BaseRow], unique: BaseRow | None) -> list[str]:
    notes = []
    if not bases:
        notes.append(f"No base of {unit.id} was found. Correct: tap one and give it to {unit.id}, or add it.")
    elif unique is None:
        notes.append(
            f"The unique base of {unit.id} was not found, so its ranges are uncertain. Correct: tap the base that "
            "measures range and mark it as unique."
        )
    elif len(bases) < unit.bases:
        notes.append(f"{len(bases)} of {unit.bases} bases of {unit.id} were found.")
    return notes


def _free_id(state: TableState) -> str:
    number = 1
    while f"h{number}" in state.bases:
        number += 1
    return f"h{number}"


def _outline_of(wish: dict[str, Any]) -> Any:
    """The outline of a wish that says one or a rectangle."""
    rect = wish.get("rect")
    return wish["polygon"] if rect is None else hand.rectangle(rect["center"], rect["size"], rect.get("angle", 0.0))


def _placed(before: TerrainRow, wish: dict[str, Any]) -> dict[str, Any]:
    """A wish with the outlines that its rectangle, or its turn and shift, make."""
    said = [key for key in ("polygon", "rect") if key in wish] + (["turn"] if wish.keys() & {"turn", "shift"} else [])
    if len(said) > 1 or (said == ["turn"] and "hill_top" in wish):
        raise UnusableError("Say a piece's place once: as an outline, as a rectangle, or by a turn and a shift.")
    rest = {key: value for key, value in wish.items() if key not in ("rect", "turn", "shift")}
    if said == ["rect"]:
        return {**rest, "polygon": _outline_of(wish)}
    if said == ["turn"]:
        how = wish.get("turn", 0.0), hand.middle(before["polygon"]), wish.get("shift", (0.0, 0.0))
        top = {"hill_top": hand.turned(before["hill_top"], *how)} if before.get("hill_top") else {}
        return {**rest, "polygon": hand.turned(before["polygon"], *how), **top}
    return rest


def _free_terrain_id(state: TableState, kind: str, more: Sequence[str] = ()) -> str:
    """A name that no piece bears or has borne: ``woods-1``."""
    taken = {piece["id"] for piece in state.given} | state.drawn.keys() | {piece.id for piece in state.table.terrain}
    taken |= set(more)
    number = 1
    while f"{kind}-{number}" in taken:
        number += 1
    return f"{kind}-{number}"


def _tuples(points: Any) -> Any:
    return None if points is None else tuple((float(x), float(y)) for x, y in points)
