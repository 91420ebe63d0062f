"""A table's state: the fold of its events. Nothing here judges; what may happen is checked before an event is written.

Event kinds and their bodies:

- ``table``: ``name`` and ``toml``, the first event
- ``photo``: ``sha256``, ``width``, ``height``, ``map`` (bounds in inches), ``annotated`` and ``upright`` (sizes; old
  ones lack the last), ``observation`` (contract, section 3)
- ``move``: ``base``, and of ``center``, ``facing`` what changed, with ``sigma_in`` and ``sigma_deg``
- ``label``: ``base``, ``unit``, ``side``, ``unique``
- ``answer``: ``question``, the whole of it as it was asked, and ``value``; ``by``: what answered where no player did
- ``add``: ``base``, the whole base
- ``remove``: ``base``
- ``correct``: ``base``, and ``row``, what a hand has put right of its row; ``also``, where it has named the base: what
  that says of the rows of others that stand with it, by their ids
- ``draw``: ``piece``, the whole terrain piece, drawn by hand
- ``redraw``: ``terrain``, the id of a piece, and ``piece``, what takes its place
- ``cut``: ``terrain``, the id of a piece, and ``pieces``, what it was cut into
- ``erase``: ``terrain``
- ``mark``: ``unit`` and its changed markers (hits, dug_in, ready ...)
- ``dice``: ``dice``
- ``named``: ``sha256`` of a photo still unread, and the corners that a player named in it
  (:class:`api.engine.NamedRow`); nothing on the table changes by it
- ``measured``: ``by`` and ``measurement``, shown to all; nothing on the table changes by it, so it is never taken back
- ``overlay``: ``grid``, ``size``, ``origin``, ``rotation``; ``terrain``, where the table's is the board's own
- ``terrain``: ``terrain``, rows of all that the game has, where its players have changed it
- ``camera``: ``camera``, the id of a calibrated camera or nothing, and ``calibration``, the camera itself
- ``dropped``: ``sha256``, a photo that is removed, with the answers and corrections made to it
- ``undo`` and ``redo``: the last change, whatever it was

Of these the server writes ``table``, ``photo``, ``named``, ``answer``, ``correct``, ``remove``, ``measured``,
``overlay``, ``terrain``, ``camera``, ``dropped`` and ``undo`` of answers about a photo (``answer``, ``correct``,
``remove``). The others were written for tables without a game, which stay readable (:mod:`api.setup.table_games`).
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, cast

from api.engine import NamedRow
from api.errors import NotThereError
from api.tables.rows import CameraRow, OverlayRow, PhotoRow, ReadRows, SharedRow
from api.tables.store import DROPPED, OF_ONE_PHOTO, PHOTO, Event
from tabletop.identity.observation_rows import BaseRow, Observation, QuestionRow, TerrainRow
from tabletop.reconcile import comparison
from tabletop.tables.model import Overlay, TableFile, Terrain, Unit
from tabletop.tables.tablefile import parse_table

MARKS: dict[str, int | bool] = {
    "hits": 0, "permanent": 0, "dug_in": False, "ready": False, "moved": False, "fired": False,
}  # fmt: skip

MEASURED = "measured"
NAMED = "named"
BESIDE = frozenset({MEASURED, NAMED})
"""What changes nothing on the table, and is never taken back."""
SAID_OF_PHOTO = ("answer", "correct", "remove")
"""What players say of a photo, and may take back while nothing else was changed since."""


@dataclass
class TableState:
    """A table as its events have made it. ``bases`` are observation rows by base id; ``marks`` by unit id.

    ``given`` is the terrain of the table file, as the photo's observation repeats it; ``drawn`` is what hands have
    changed of it, by id, ``None`` for a piece taken away. Hands know better than any photo, so ``drawn`` outlives them.
    ``read`` is what else the last photo says and leaves open, as answers have settled it: ``dice``, ``markers``,
    ``questions``, ``settled``, ``roster``. ``shared`` are measurements that were shown to all, ``named`` the corners
    named in photos, by their SHA-256. ``laid_terrain`` is what the game's players had made of the terrain when it was
    laid last; ``None`` where it never was.
    """

    game: str
    name: str
    created: str
    table: TableFile
    seq: int = 0
    photo: PhotoRow | None = None
    bases: dict[str, BaseRow] = field(default_factory=dict)
    given: list[TerrainRow] = field(default_factory=list)
    drawn: dict[str, TerrainRow | None] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    read: ReadRows = field(default_factory=ReadRows)
    marks: dict[str, dict[str, int | bool]] = field(default_factory=dict)
    dice: str = "d5"
    camera: CameraRow | None = None
    shared: list[SharedRow] = field(default_factory=list)
    named: dict[str, NamedRow] = field(default_factory=dict)
    laid_terrain: tuple[Terrain, ...] | None = None
    undo: Event | None = None

    @property
    def terrain(self) -> list[TerrainRow]:
        """The terrain on the table: what was given, as hands have changed it, and what they drew."""
        given = {piece["id"]: piece for piece in self.given}
        return [piece for piece in {**given, **self.drawn}.values() if piece is not None]

    def unit(self, unit_id: str) -> Unit | None:
        """The roster's unit of that id."""
        return next((unit for unit in self.table.units if unit.id == unit_id), None)

    def base_seen(self, base_id: str) -> BaseRow:
        """The base of that id that the photo shows; raises NotThereError."""
        if base_id not in self.bases:
            raise NotThereError(f'The photo shows no base "{base_id}" any more; look at what it shows now.')
        return self.bases[base_id]

    def unit_bases(self, unit_id: str) -> list[BaseRow]:
        """The bases given to a unit, its unique one first."""
        rows = [base for base in self.bases.values() if base["unit"] == unit_id]
        return sorted(rows, key=lambda base: base["unique"] is not True)

    def observation(self) -> Observation:
        """The observation with the players' corrections in it (contract, section 3)."""
        seen = dict(self.photo["observation"]) if self.photo else {}
        return {
            "version": 1,
            "units": "inches",
            "table": {"width": self.table.width_in, "depth": self.table.depth_in},
            "photos": seen.get("photos", []),
            "bases": list(self.bases.values()),
            "terrain": self.terrain,
            "dice": [],
            "warnings": self.warnings,
            **self.read,
        }


def fold(game: str, events: Sequence[Event]) -> TableState:
    """The state after all events, the first of which must be ``table``."""
    first = events[0]
    table = read_table(first.body["toml"], first.body["name"])
    state = TableState(game, first.body["name"], first.at, table, given=terrain_rows(table))
    state.shared = [
        {"id": event.id, "at": event.at, "by": event.body["by"], "measurement": event.body["measurement"]}
        for event in events
        if event.kind == MEASURED
    ]
    state.named = {
        event.body["sha256"]: cast(NamedRow, {key: event.body[key] for key in NamedRow.__annotations__})
        for event in events
        if event.kind == NAMED
    }
    done = _standing([event for event in events[1:] if event.kind not in BESIDE])
    last = max((place for place, event in enumerate(done) if event.kind == PHOTO), default=0)
    for place, event in enumerate(done):
        if place >= last or event.kind not in OF_ONE_PHOTO:
            _apply(state, event)
    state.seq = events[-1].seq
    state.undo = done[-1] if done else None
    return state


@lru_cache(maxsize=32)
def read_table(toml: bytes | str, name: str) -> TableFile:
    """The table file of that text (kept for the next call); raises TableFileError."""
    return parse_table(toml, name)


def _standing(events: Sequence[Event]) -> list[Event]:
    """The changes that stand."""
    done: list[Event] = []
    undone: list[Event] = []
    for event in events:
        if event.kind == "undo":
            undone.append(done.pop())
        elif event.kind == "redo":
            done.append(undone.pop())
        elif event.kind == DROPPED:
            done = _without_photo(done, event.body["sha256"])
            undone.clear()
        else:
            done.append(event)
            undone.clear()
    return done


def _without_photo(done: Sequence[Event], sha256: str) -> list[Event]:
    """The changes without those of a photo, as often as it was taken."""
    kept: list[Event] = []
    is_of_it = False
    for event in done:
        if event.kind == PHOTO:
            is_of_it = event.body["sha256"] == sha256
        if not (is_of_it and event.kind in OF_ONE_PHOTO):
            kept.append(event)
    return kept


def terrain_rows(table: TableFile) -> list[TerrainRow]:
    """A table file's terrain as an observation repeats it (contract, section 3)."""
    return rows_of(table.terrain)


def rows_of(terrain: Sequence[Terrain]) -> list[TerrainRow]:
    """Pieces of terrain as an observation repeats them (contract, section 3)."""
    return [_terrain_row(piece) for piece in terrain]


def _terrain_row(piece: Terrain) -> TerrainRow:
    row: TerrainRow = {
        "id": piece.id,
        "kind": piece.kind,
        "polygon": [list(point) for point in piece.polygon],
        "height": piece.height_in,
        "confidence": 1.0,
        "sigma": 0.0,
    }
    if piece.hill_top:
        row["hill_top"] = [list(point) for point in piece.hill_top]
    return row


def _apply(state: TableState, event: Event) -> None:
    body = event.body
    match event.kind:
        case "photo":
            state.photo = cast(PhotoRow, dict(body))
            state.bases = {base["id"]: base for base in _copy(body["observation"]["bases"])}
            state.given = body["observation"]["terrain"] or terrain_rows(state.table)
            state.warnings = list(body["observation"]["warnings"])
            state.read = _copy(_read_rows(body["observation"]))
        case "answer":
            _answer(state, body["question"], body["value"], body.get("by", "player"))
        case "move":
            _move(state.bases[body["base"]], body)
        case "label":
            _label(state, body)
        case "add":
            base = _copy(body["base"])
            state.bases[base["id"]] = base
            _only_unique(state, base)
        case "remove":
            del state.bases[body["base"]]
            _ask_no_more(state, body["base"])
        case "correct":
            base = state.bases[body["base"]]
            base.update(body["row"])
            if "unit" in body["row"]:
                for other, row in body.get("also", {}).items():
                    state.bases[other].update(row)
                    _ask_no_more(state, other, ("unit", "units"))
                _ask_no_more(state, body["base"], ("unit", "units"))
                _only_unique(state, base)
        case "draw":
            state.drawn[body["piece"]["id"]] = body["piece"]
        case "redraw":
            state.drawn[body["terrain"]] = None
            state.drawn[body["piece"]["id"]] = body["piece"]
        case "cut":
            state.drawn[body["terrain"]] = None
            state.drawn.update({piece["id"]: piece for piece in body["pieces"]})
        case "erase":
            state.drawn[body["terrain"]] = None
        case "mark":
            state.marks[body["unit"]] = {**MARKS, **state.marks.get(body["unit"], {}), **body["marks"]}
        case "dice":
            state.dice = body["dice"]
        case "overlay":
            _lay_grid(state, cast(OverlayRow, body))
        case "terrain":
            state.given, state.drawn = _copy(body["terrain"]), {}
            state.laid_terrain = tuple(map(terrain_piece, state.given))
            state.table = replace(state.table, terrain=state.laid_terrain)
        case "camera":
            state.camera = cast(CameraRow, body) if body["camera"] is not None else None
        case _:
            raise ValueError(f"Event {event.seq} is of unknown kind {event.kind!r}.")


def _copy(rows: Any) -> Any:
    """A copy of JSON as deep as it is; three times as fast as :mod:`copy`."""
    return pickle.loads(pickle.dumps(rows))


def _read_rows(observation: Observation) -> ReadRows:
    return cast(ReadRows, {key: observation[key] for key in ReadRows.__annotations__ if key in observation})


def _answer(state: TableState, question: Mapping[str, Any], value: Any, by: str) -> None:
    """Write an answer into what the photo says, with all that it settles besides."""
    told = answered(state, question, value, by)
    state.bases = {base["id"]: base for base in told["bases"]}
    left = {piece["id"]: piece for piece in told["terrain"]}
    state.given = [left[piece["id"]] for piece in state.given if piece["id"] in left]
    state.warnings = list(told["warnings"])
    if state.photo is not None and "photos" in told:
        state.photo = {**state.photo, "observation": {**state.photo["observation"], "photos": told["photos"]}}
    before = [one for one in state.read.get("settled", []) if not (one.get("board") and one["id"] == question["id"])]
    state.read = _read_rows(told)
    state.read["settled"] = [*before, *told.get("settled", [])]


def answered(state: TableState, question: Mapping[str, Any], value: Any, by: str = "player") -> Observation:
    """The observation with one more answer in it, whether the photo asks or the game; raises AnswerError for one that
    can't be."""
    seen = {key: value for key, value in state.observation().items() if key != "settled"}
    return comparison.keep_answer(seen, question, value, by=by)


def _ask_no_more(state: TableState, base_id: str, asks: Sequence[str] = ()) -> None:
    """Leave out questions about a base that a hand has taken away, and it from those about several; of some ``asks``
    alone, where there are any."""
    kept: list[QuestionRow] = []
    for question in state.read.get("questions", []):
        if asks and question["ask"] not in asks:
            kept.append(question)
            continue
        covers = [[base for base in group if base != base_id] for group in question["covers"]]
        if all(covers) and question["about"] != base_id:
            kept.append({**question, "covers": covers})
    if "questions" in state.read:
        state.read["questions"] = kept


def _lay_grid(state: TableState, body: OverlayRow) -> None:
    x, y = body["origin"]
    grid = Overlay(body["grid"], body["size"], (x, y), body["rotation"])
    terrain = state.table.terrain
    if "terrain" in body:
        state.given = _copy(body["terrain"])
        terrain = tuple(map(terrain_piece, state.given))
    state.table = replace(state.table, overlay=grid, terrain=terrain)


def terrain_piece(row: TerrainRow) -> Terrain:
    """A piece of terrain of its row."""
    rings = (row["polygon"], row.get("hill_top") or ())
    outline, top = (tuple((float(x), float(y)) for x, y in ring) for ring in rings)
    return Terrain(row["id"], row["kind"], outline, row.get("height") or 0.0, top or None)


def _move(base: BaseRow, body: Mapping[str, Any]) -> None:
    if body.get("center") is not None:
        variance = round(body["sigma_in"] ** 2, 8)
        base["center"], base["covariance"] = body["center"], [[variance, 0.0], [0.0, variance]]
    if body.get("facing") is not None:
        base["facing"], base["facing_sigma"] = body["facing"], body["sigma_deg"]
    base["method"], base["confidence"] = "hand", 1.0


def _label(state: TableState, body: Mapping[str, Any]) -> None:
    base = state.bases[body["base"]]
    unit = state.unit(body["unit"]) if body["unit"] else None
    base["unit"], base["side"], base["unique"] = body["unit"], body["side"], body["unique"]
    base["kind"] = unit.kind if unit else None
    if body["unit"] is None and base["tag"] is not None:
        base["tag"] = None
    if unit:
        outline = unit.unique_base if body["unique"] else unit.base
        base["shape"] = outline.shape
        base["width"], base["depth"] = outline.width_in, outline.depth_in
    base["method"], base["confidence"] = "hand", 1.0
    _only_unique(state, base)


def _only_unique(state: TableState, chosen: BaseRow) -> None:
    """A unit has one unique base: the one chosen last."""
    if chosen["unit"] is None or chosen["unique"] is not True:
        return
    for base in state.unit_bases(chosen["unit"]):
        if base is not chosen and base["unique"] is True:
            base["unique"] = False
