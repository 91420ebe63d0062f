"""A table's state: the fold of its events. Nothing here is checked; checks are made before an event is written.

Event kinds and their bodies:

- ``table``: ``name`` and ``toml``, the first event
- ``photo``: ``sha256``, ``width``, ``height``, ``map`` (bounds in inches), ``annotated`` and ``upright`` (sizes; old
  ones lack the last), ``observation`` (contract, section 3)
- ``move``: ``base``, and of ``center``, ``facing`` what changed, with ``sigma_in`` and ``sigma_deg``
- ``label``: ``base``, ``unit``, ``side``, ``unique``
- ``answer``: ``question``, the whole question as it was asked, and ``value``; ``by``: its source where no player
answered
- ``add``: ``base``, the whole base
- ``remove``: ``base``
- ``correct``: ``base``, and ``row``, the corrections of its row; ``also``, where they name the base's unit: the changes
  that follow for the rows of other bases beside it, by their ids
- ``draw``: ``piece``, the whole terrain piece, drawn by hand
- ``redraw``: ``terrain``, the id of a piece, and ``piece``, its replacement
- ``cut``: ``terrain``, the id of a piece, and ``pieces``, the parts
- ``erase``: ``terrain``
- ``mark``: ``unit`` and its changed markers (hits, dug_in, ready ...)
- ``dice``: ``dice``
- ``named``: ``sha256`` of a photo still unread, and the corners that a player named in it
  (:class:`api.engine.NamedRow`); it changes nothing on the table
- ``measured``: ``by`` and ``measurement``, shown to all; it changes nothing on the table, so it is never taken back
- ``overlay``: ``grid``, ``size``, ``origin``, ``rotation``; ``terrain``, where the table's is the board's own
- ``terrain``: ``terrain``, the game's rows, where its players have changed it; none where photos may
  show more than was drawn
- ``camera``: ``camera``, the id of a calibrated camera or nothing, and ``calibration``, the camera itself
- ``dropped``: ``sha256``, a photo that is removed, with the answers and corrections made to it
- ``undo`` and ``redo``: the last change, whatever it was

Of these the server writes ``table``, ``photo``, ``named``, ``answer``, ``correct``, ``remove``, ``measured``,
``overlay``, ``terrain``, ``draw``, ``erase``, ``camera``, ``dropped`` and ``undo`` of answers about a photo
(``answer``, ``correct``, ``remove``). The others were written for tables without a game, which stay readable
(:mod:`api.setup.table_games`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, cast

from api.engine import NamedRow
from api.errors import NotThereError
from api.tables.rows import CameraRow, OverlayRow, PhotoRow, ReadRows, SharedRow
from api.tables.store import DROPPED, OF_ONE_PHOTO, PHOTO, TABLE, Event
from tabletop.identity.observation_rows import BaseRow, Observation, QuestionRow, TerrainRow
from tabletop.reconcile import comparison
from tabletop.reconcile.ground_before import terrain_row
from tabletop.tables.model import Overlay, TableFile, Terrain, Unit
from tabletop.tables.tablefile import parse_table

MARKS: dict[str, int | bool] = {
    "hits": 0, "permanent": 0, "dug_in": False, "ready": False, "moved": False, "fired": False,
}  # fmt: skip

MEASURED = "measured"
NAMED = "named"
BESIDE = frozenset({MEASURED, NAMED})
"""Events that change nothing on the table, and are never taken back."""
SAID_OF_PHOTO = ("answer", "correct", "remove")
"""What players can say about a photo, and take back as long as nothing else has changed since."""
_TAKES_BACK = frozenset({"undo", "redo", DROPPED})


@dataclass(frozen=True)
class TableState:
    """A table after its events. ``bases`` are observation rows by base id; ``marks`` by unit id. It is never changed in
    place: later states share its rows.

    ``given`` is the terrain of the table file, as the photo's observation repeats it, or what the photo shows;
    ``drawn`` is what hands have changed of it, by id, ``None`` for a piece taken away. Hands know better than any
    photo, so ``drawn`` outlives them; ``shown`` is how much of a drawn piece, by id, the photo shows.
    ``read`` is what else the last photo says and leaves open, as answers have settled it: ``dice``, ``markers``,
    ``questions``, ``settled``, ``roster``, and the lists that players may open. ``shared`` are measurements that were
    shown to all, ``named`` the corners named in photos, by their SHA-256. ``laid_terrain`` is the terrain of the game
    as last updated; ``None`` where it never was.
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
    shown: dict[str, float] = field(default_factory=dict)
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
        """The terrain on the table: the given pieces with the players' changes, and the pieces that players drew."""
        given = {piece["id"]: piece for piece in self.given}
        rows = [piece for piece in {**given, **self.drawn}.values() if piece is not None]
        return [{**row, "shown": self.shown[row["id"]]} if row["id"] in self.shown else row for row in rows]

    def unit(self, unit_id: str) -> Unit | None:
        """The roster's unit of that id."""
        return next((unit for unit in self.table.units if unit.id == unit_id), None)

    def base_seen(self, base_id: str) -> BaseRow:
        """The base of that id that the photo shows; raises NotThereError."""
        if base_id not in self.bases:
            raise NotThereError(f'The photo no longer shows a base "{base_id}"; look at its present bases.')
        return self.bases[base_id]

    def unit_bases(self, unit_id: str) -> list[BaseRow]:
        """The bases given to a unit, its unique one first."""
        rows = [base for base in self.bases.values() if base["unit"] == unit_id]
        return sorted(rows, key=lambda base: base["unique"] is not True)

    def observation(self) -> Observation:
        """The observation with the players' corrections (contract, section 3)."""
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


def fold(game: str, events: Sequence[Event], before: TableState | None = None) -> TableState:
    """The state after all events, the first of which must be ``table``; ``before`` is the state after the first of them
    where that is known, so that only those after it are applied unless one takes something back."""
    new = events if before is None else events[before.seq :]
    if before is None or any(event.kind in _TAKES_BACK for event in new):
        name, new = events[0].body["name"], events
        table = read_table(events[0].body["toml"], name)
        before = TableState(game, name, events[0].at, table, given=terrain_rows(table))
    state = _with_beside(before, new)
    done = _standing([event for event in new if event.kind not in BESIDE and event.kind != TABLE])
    last = max((place for place, event in enumerate(done) if event.kind == PHOTO), default=0)
    for place, event in enumerate(done):
        if place >= last or event.kind not in OF_ONE_PHOTO:
            state = replace(state, undo=event, **_changed(state, event))
    return replace(state, seq=events[-1].seq)


def _with_beside(state: TableState, events: Sequence[Event]) -> TableState:
    """A state with the measurements and the named corners of later events."""
    shared: list[SharedRow] = [
        {"id": event.id, "at": event.at, "by": event.body["by"], "measurement": event.body["measurement"]}
        for event in events
        if event.kind == MEASURED
    ]
    named = {
        event.body["sha256"]: cast(NamedRow, {key: event.body[key] for key in NamedRow.__annotations__})
        for event in events
        if event.kind == NAMED
    }
    return replace(state, shared=state.shared + shared, named=state.named | named)


@lru_cache(maxsize=32)
def read_table(toml: bytes | str, name: str) -> TableFile:
    """The table file of that text (kept for the next call); raises TableFileError."""
    return parse_table(toml, name)


def _standing(events: Sequence[Event]) -> list[Event]:
    """The changes that were not taken back."""
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
    """The changes without those of a photo, for every time it was taken."""
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
    return [terrain_row(piece) for piece in terrain]


def _changed(state: TableState, event: Event) -> dict[str, Any]:
    """The fields of a table's state that an event changes, by their names."""
    body = event.body
    match event.kind:
        case "photo":
            seen = body["observation"]
            rows: list[TerrainRow] = seen["terrain"]
            return {
                "photo": dict(body),
                "bases": {base["id"]: base for base in seen["bases"]},
                "given": [row for row in rows if row["id"] not in state.drawn] or terrain_rows(state.table),
                "shown": {row["id"]: row["shown"] for row in rows if "shown" in row and row["id"] in state.drawn},
                "warnings": list(seen["warnings"]),
                "read": _read_rows(seen),
            }
        case "answer":
            return _answer(state, body["question"], body["value"], body.get("by", "player"))
        case "move":
            return {"bases": _with_rows(state.bases, {body["base"]: _moved(body)})}
        case "label":
            return {"bases": _labelled(state, body)}
        case "add":
            base = body["base"]
            return {"bases": _only_unique({**state.bases, base["id"]: base}, base["id"])}
        case "remove":
            bases = {name: row for name, row in state.bases.items() if name != body["base"]}
            return {"bases": bases, "read": _ask_no_more(state.read, [body["base"]])}
        case "correct":
            also = body.get("also", {}) if "unit" in body["row"] else {}
            bases = _with_rows(state.bases, {body["base"]: body["row"], **also})
            if "unit" not in body["row"]:
                return {"bases": bases}
            read = _ask_no_more(state.read, [*also, body["base"]], ("unit", "units"))
            return {"bases": _only_unique(bases, body["base"]), "read": read}
        case "draw":
            return {"drawn": {**state.drawn, body["piece"]["id"]: body["piece"]}}
        case "redraw":
            return {"drawn": {**state.drawn, body["terrain"]: None, body["piece"]["id"]: body["piece"]}}
        case "cut":
            pieces = {piece["id"]: piece for piece in body["pieces"]}
            return {"drawn": {**state.drawn, body["terrain"]: None, **pieces}}
        case "erase":
            return {"drawn": {**state.drawn, body["terrain"]: None}}
        case "mark":
            marks = {**MARKS, **state.marks.get(body["unit"], {}), **body["marks"]}
            return {"marks": {**state.marks, body["unit"]: marks}}
        case "dice":
            return {"dice": body["dice"]}
        case "overlay":
            return _laid_grid(state, cast(OverlayRow, body))
        case "terrain":
            laid = tuple(map(terrain_piece, body["terrain"]))
            table = replace(state.table, terrain=laid)
            return {"given": body["terrain"], "drawn": {}, "laid_terrain": laid, "table": table}
        case "camera":
            return {"camera": cast(CameraRow, body) if body["camera"] is not None else None}
        case _:
            raise ValueError(f"Event {event.seq} is of unknown kind {event.kind!r}.")


def _with_rows(bases: Mapping[str, BaseRow], rows: Mapping[str, Mapping[str, Any]]) -> dict[str, BaseRow]:
    """Bases with changes in some of their rows."""
    return {**bases, **{name: cast(BaseRow, {**bases[name], **row}) for name, row in rows.items()}}


def _read_rows(observation: Observation) -> ReadRows:
    return cast(ReadRows, {key: observation[key] for key in ReadRows.__annotations__ if key in observation})


def _answer(state: TableState, question: Mapping[str, Any], value: Any, by: str) -> dict[str, Any]:
    """The fields that an answer changes, with everything else that follows from it."""
    told = answered(state, question, value, by)
    left = {piece["id"]: piece for piece in told["terrain"]}
    confirmed = [piece for piece in state.read.get("possible_terrain", ()) if piece["id"] in left]
    before = [one for one in state.read.get("settled", []) if not (one.get("board") and one["id"] == question["id"])]
    photo = state.photo
    if photo is not None and "photos" in told:
        photo = {**photo, "observation": {**photo["observation"], "photos": told["photos"]}}
    return {
        "photo": photo,
        "bases": {base["id"]: base for base in told["bases"]},
        "given": [left[piece["id"]] for piece in (*state.given, *confirmed) if piece["id"] in left],
        "warnings": list(told["warnings"]),
        "read": {**_read_rows(told), "settled": [*before, *told.get("settled", [])]},
    }


def answered(state: TableState, question: Mapping[str, Any], value: Any, by: str = "player") -> Observation:
    """The observation with one more answer, to a question of the photo or the game; raises AnswerError for an
    impossible one."""
    seen = {key: value for key, value in state.observation().items() if key != "settled"}
    return comparison.keep_answer(seen, question, value, by=by)


def _ask_no_more(read: ReadRows, base_ids: Collection[str], asks: Sequence[str] = ()) -> ReadRows:
    """The rows of a photo without its questions about removed bases; questions about several bases keep the others.
    Only questions of these ``asks``, where there are any."""
    left: dict[str, Any] = dict(read)
    for key in ("questions", "further_questions"):
        kept: list[QuestionRow] = []
        rows: list[QuestionRow] = left.get(key, [])
        for question in rows:
            if asks and question["ask"] not in asks:
                kept.append(question)
                continue
            covers = [[base for base in group if base not in base_ids] for group in question["covers"]]
            if all(covers) and question["about"] not in base_ids:
                kept.append({**question, "covers": covers})
        if key in left:
            left[key] = kept
    return cast(ReadRows, left)


def _laid_grid(state: TableState, body: OverlayRow) -> dict[str, Any]:
    x, y = body["origin"]
    grid = Overlay(body["grid"], body["size"], (x, y), body["rotation"])
    given = body.get("terrain")
    terrain = state.table.terrain if given is None else tuple(map(terrain_piece, given))
    table = replace(state.table, overlay=grid, terrain=terrain)
    return {"table": table, "given": state.given if given is None else given}


def terrain_piece(row: TerrainRow) -> Terrain:
    """A piece of terrain from its row."""
    rings = (row["polygon"], row.get("hill_top") or ())
    outline, top = (tuple((float(x), float(y)) for x, y in ring) for ring in rings)
    return Terrain(row["id"], row["kind"], outline, row.get("height") or 0.0, top or None)


def _moved(body: Mapping[str, Any]) -> dict[str, Any]:
    """The changes of a base's row by a manual move."""
    row: dict[str, Any] = {"method": "hand", "confidence": 1.0}
    if body.get("center") is not None:
        variance = round(body["sigma_in"] ** 2, 8)
        row |= {"center": body["center"], "covariance": [[variance, 0.0], [0.0, variance]]}
    if body.get("facing") is not None:
        row |= {"facing": body["facing"], "facing_sigma": body["sigma_deg"]}
    return row


def _labelled(state: TableState, body: Mapping[str, Any]) -> dict[str, BaseRow]:
    """The bases after a player has assigned one to a unit, or to none."""
    row: dict[str, Any] = {key: body[key] for key in ("unit", "side", "unique")}
    unit = state.unit(body["unit"]) if body["unit"] else None
    row |= {"kind": unit.kind if unit else None, "method": "hand", "confidence": 1.0}
    if body["unit"] is None:
        row["tag"] = None
    if unit:
        outline = unit.unique_base if body["unique"] else unit.base
        row |= {"shape": outline.shape, "width": outline.width_in, "depth": outline.depth_in}
    return _only_unique(_with_rows(state.bases, {body["base"]: row}), body["base"])


def _only_unique(bases: dict[str, BaseRow], chosen: str) -> dict[str, BaseRow]:
    """A unit has one unique base: the one chosen last."""
    unit = bases[chosen]["unit"]
    if unit is None or bases[chosen]["unique"] is not True:
        return bases
    same = [name for name, row in bases.items() if name != chosen and row["unit"] == unit and row["unique"] is True]
    return _with_rows(bases, {name: {"unique": False} for name in same})
