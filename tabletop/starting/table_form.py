"""A new table from a form: its fields, the faults at each field, and the resulting table file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from geometry.bases import SHAPE_NAMES, ShapeName
from geometry.drawing.letters import is_one_line
from tabletop.errors import Fault, TableFileError, TabletopError, UsageError
from tabletop.game.parts import DEFAULT_RULES, PARTS, part, with_part
from tabletop.grids.board_reader import BoardReader
from tabletop.grids.placement import from_overlay
from tabletop.reading.toml_source import did_you_mean
from tabletop.referee.reports import judges_scenes, kinds
from tabletop.starting.new_game import FROM_TABLE
from tabletop.starting.scenarios import ScenarioError
from tabletop.tables.marker_dictionaries import DICTIONARIES, canonical
from tabletop.tables.model import SHAPES_SAID, Base, Overlay, Side, TableFile, Unit
from tabletop.tables.table_for_game import BASE_HEIGHT_IN
from tabletop.tables.table_toml import FrameWish, TagWish, standard_frame, table_toml, with_tags
from tabletop.tables.tablefile import MAX_BASE_IN, MAX_TABLE_IN, parse_table

MOST_BASES = 60
HEX_BOARDS = with_part("overlay")
"""Rulesets that are played on a board of hexes."""
_LONGEST_NAME = 40
_SECTIONS = {"[overlay]": "hexes", "[frame]": "frame", "frame marker": "frame"}


@dataclass(frozen=True)
class BlankSide:
    """A side of the form: its name and, if its bases have painted rims, their colour as "#2456c8"."""

    id: str
    rim: str | None = None


@dataclass(frozen=True)
class BlankUnit:
    """A unit of the form; lengths in inches. A round base has its diameter as ``width_in``; ``unique`` is the outline
    (width, depth) of the unique base if it differs, of the same shape."""

    id: str
    side: str
    kind: str
    bases: int = 1
    shape: ShapeName = "rect"
    width_in: float = 2.0
    depth_in: float = 1.25
    height_in: float = BASE_HEIGHT_IN
    unique: tuple[float, float] | None = None


@dataclass(frozen=True)
class Blank:
    """The contents of a form. Without a ``frame`` photos are placed by the table's own corners, without ``tags`` bases
    are identified by their rims and outlines; ``hexes`` are the size, origin and rotation of a board's grid."""

    width_in: float
    depth_in: float
    rules: str = DEFAULT_RULES
    sides: tuple[BlankSide, ...] = ()
    units: tuple[BlankUnit, ...] = ()
    frame: FrameWish | None = field(default_factory=FrameWish)
    tags: TagWish | None = field(default_factory=TagWish)
    hexes: tuple[float, tuple[float, float], float] | None = None


@dataclass(frozen=True)
class FieldFault:
    """A fault of one field of a form: the field as a path ("units.2.width_in") and a sentence."""

    field: str
    says: str


class BlankError(TabletopError):
    """A form can't be turned into a table; ``faults`` are all of its faults, field by field."""

    def __init__(self, faults: tuple[FieldFault, ...]) -> None:
        super().__init__(" ".join(fault.says for fault in faults))
        self.faults = faults


def faults_of(blank: Blank) -> tuple[FieldFault, ...]:
    """All faults of a form, in the order of its fields; empty if it is valid.

    >>> [fault.field for fault in faults_of(Blank(0.0, 36.0, sides=(BlankSide("blue"), BlankSide("blue"))))]
    ['width_in', 'sides.1.id', 'units']
    """
    own = tuple(_of_fields(blank))
    return own or tuple(_together(blank))


def table_of(blank: Blank) -> str:
    """The table file's text from a form; raises BlankError with every fault.

    >>> sides = BlankSide("blue", "#2456c8"), BlankSide("red")
    >>> units = BlankUnit("A", "blue", "infantry", 3), BlankUnit("B", "red", "tank")
    >>> parse_table(table_of(Blank(48, 36, sides=sides, units=units))).units[1].tag
    1
    """
    found = faults_of(blank)
    if found:
        raise BlankError(found)
    return table_toml(_table(blank))


def _table(blank: Blank) -> TableFile:
    frame = None if blank.frame is None else standard_frame(blank.width_in, blank.depth_in, blank.frame)
    units = tuple(_unit(unit) for unit in blank.units)
    tags = None
    if blank.tags is not None and units:
        tags, units = with_tags(units, blank.tags, frame)
    sides = tuple(Side(side.id, _rgb(side.rim)) for side in blank.sides)
    grid = None if blank.hexes is None else Overlay("hex", *blank.hexes)
    return TableFile(blank.width_in, blank.depth_in, frame, blank.rules, tags, sides, units, overlay=grid)


def _unit(unit: BlankUnit) -> Unit:
    is_round = unit.shape == "round"
    makes = [(unit.width_in, unit.depth_in), unit.unique or (unit.width_in, unit.depth_in)]
    base, unique = (
        Base(width, width if is_round else depth, unit.height_in, is_round, unit.shape == "oval")
        for width, depth in makes
    )
    return Unit(unit.id, unit.side, unit.kind, unit.bases, base, unique)


def _rgb(colour: str | None) -> tuple[int, int, int] | None:
    return None if colour is None else (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))


# --- field by field --------------------------------------------------------------------------------------------------


def _of_fields(blank: Blank) -> Iterator[FieldFault]:
    for name, what, value in (("width_in", "width", blank.width_in), ("depth_in", "depth", blank.depth_in)):
        yield from _length(name, f"The table's {what}", value, MAX_TABLE_IN)
    if blank.rules not in PARTS:
        yield FieldFault("rules", f'There are no rules "{blank.rules}"; {did_you_mean(blank.rules, tuple(PARTS))}')
    names = [side.id for side in blank.sides]
    if len(names) != 2:
        yield FieldFault("sides", f"A game has two sides, and the form has {len(names)}: name two.")
    for n, side in enumerate(blank.sides):
        yield from _name(f"sides.{n}.id", "side", side.id, names[:n])
        if side.rim is not None and not re.fullmatch(r"#[0-9a-fA-F]{6}", side.rim):
            yield FieldFault(
                f"sides.{n}.rim", f'"{side.rim}" is not a colour: write it like "#2456c8" (red, green, blue).'
            )
    if not blank.units:
        yield FieldFault("units", "There are no units: add one at least for each side.")
    for n, unit in enumerate(blank.units):
        yield from _name(f"units.{n}.id", "unit", unit.id, [other.id for other in blank.units[:n]])
        yield from _of_unit(n, unit, names, blank.rules)
    yield from _of_markers(blank)


def _of_unit(n: int, unit: BlankUnit, sides: list[str], rules: str) -> Iterator[FieldFault]:
    who = f'Unit "{unit.id}"'
    if unit.side not in sides:
        known = did_you_mean(unit.side, sides) if sides else "name the sides first."
        yield FieldFault(f"units.{n}.side", f'{who} fights for "{unit.side}", which is not a side; {known}')
    known_kinds = _kinds(rules)
    if unit.kind not in known_kinds:
        yield FieldFault(f"units.{n}.kind", f'{who} is of kind "{unit.kind}"; {did_you_mean(unit.kind, known_kinds)}')
    if not 1 <= unit.bases <= MOST_BASES:
        yield FieldFault(f"units.{n}.bases", f"{who} has {unit.bases} bases; 1 to {MOST_BASES} are allowed.")
    if unit.shape not in SHAPE_NAMES:
        yield FieldFault(f"units.{n}.shape", f'{who} has "{unit.shape}" bases; they are {SHAPES_SAID}.')
    yield from _length(f"units.{n}.width_in", f"The base of {unit.id}", unit.width_in, MAX_BASE_IN)
    if unit.shape != "round":
        yield from _length(f"units.{n}.depth_in", f"The base of {unit.id}, front to rear,", unit.depth_in, MAX_BASE_IN)
    if not 0 <= unit.height_in <= MAX_BASE_IN:
        text = f"The base of {unit.id} is {unit.height_in:g}″ thick; 0 to {MAX_BASE_IN:g}″ are allowed."
        yield FieldFault(f"units.{n}.height_in", text)
    for size in unit.unique or ():
        yield from _length(f"units.{n}.unique", f"The unique base of {unit.id}", size, MAX_BASE_IN)


def _kinds(rules: str) -> tuple[str, ...]:
    """The kinds that units may be of; the default rules' kinds for rules that do not judge scenes."""
    return _hex_board(rules).kinds if rules in HEX_BOARDS else kinds(rules if judges_scenes(rules) else DEFAULT_RULES)


def _hex_board(rules: str) -> BoardReader:
    """The board of hexes of some rules, or of the first that have one."""
    found: BoardReader = part(rules if rules in HEX_BOARDS else next(iter(HEX_BOARDS)), "overlay")
    return found


def _of_markers(blank: Blank) -> Iterator[FieldFault]:
    if blank.frame is not None:
        yield from _length("frame.marker_size_in", "A frame marker", blank.frame.marker_size_in, MAX_BASE_IN)
        if blank.frame.inset_in is not None:
            yield from _length("frame.inset_in", "The markers' distance from the edges", blank.frame.inset_in, 24.0)
        yield from _dictionary("frame.dictionary", blank.frame.dictionary)
    if blank.tags is not None:
        yield from _length("tags.size_in", "A tag", blank.tags.size_in, MAX_BASE_IN)
        if blank.tags.first < 0:
            yield FieldFault("tags.first", f"Tags are numbered from 0 on, not from {blank.tags.first}.")
        if blank.tags.dictionary is not None:
            yield from _dictionary("tags.dictionary", blank.tags.dictionary)


def _dictionary(field: str, name: str) -> Iterator[FieldFault]:
    if canonical(name) is None:
        yield FieldFault(field, f'There is no dictionary "{name}"; {did_you_mean(name, list(DICTIONARIES))}')


def _length(field: str, what: str, value: float, most: float) -> Iterator[FieldFault]:
    if not math.isfinite(value) or not 0 < value <= most:
        yield FieldFault(field, f"{what} measures {value:g}″; it must be more than 0 and at most {most:g}″.")


def _name(field: str, what: str, name: str, before: list[str]) -> Iterator[FieldFault]:
    if not name.strip() or len(name) > _LONGEST_NAME or not is_one_line(name):
        yield FieldFault(field, f"A {what} needs a name of 1 to {_LONGEST_NAME} letters.")
    elif name in before:
        yield FieldFault(field, f'There is another {what} "{name}": rename one of the two.')


# --- constraints between fields --------------------------------------------------------------------------------------


def _together(blank: Blank) -> Iterator[FieldFault]:
    idle = [side.id for side in blank.sides if not any(unit.side == side.id for unit in blank.units)]
    for side in idle:
        yield FieldFault("units", f'No unit fights for "{side}": add one at least.')
    frame = None
    try:
        frame = None if blank.frame is None else standard_frame(blank.width_in, blank.depth_in, blank.frame)
    except UsageError as error:
        yield FieldFault("frame", str(error))
    if blank.tags is not None:
        yield from _of_tags(blank, blank.tags)
        try:
            with_tags([_unit(unit) for unit in blank.units], blank.tags, frame)
        except UsageError as error:
            yield FieldFault("tags", str(error))
            return
    yield from () if idle else _of_table(blank)


def _of_tags(blank: Blank, tags: TagWish) -> Iterator[FieldFault]:
    for n, unit in enumerate(blank.units):
        made = _unit(unit)
        room = min(base.largest_tag_in for base in (made.unique_base, *([made.base] if tags.every_base else [])))
        if room < tags.size_in - 1e-9:
            text = f"A tag of {tags.size_in:g}″ is too large for the base of {unit.id}: {room:.2f}″ is the most there."
            yield FieldFault(f"units.{n}.width_in", text)


def _of_table(blank: Blank) -> Iterator[FieldFault]:
    """Faults found by the table file itself and the game's rules."""
    try:
        table = parse_table(table_toml(_table(blank)))
    except TableFileError as error:
        for fault in error.faults:
            about = next((name for word, name in _SECTIONS.items() if word in fault.text), "units")
            yield FieldFault(about, fault.text)
        return
    except UsageError:
        return
    if table.overlay is not None:
        try:
            from_overlay(table.overlay, _hex_board(blank.rules).cells).check_fits((table.width_in, table.depth_in))
        except UsageError as error:
            yield FieldFault("hexes", str(error))
    if blank.rules in FROM_TABLE:
        try:
            part(blank.rules, "from_table")(table)
        except ScenarioError as error:
            yield from (FieldFault("units", fault.text) for fault in error.faults or (Fault(None, str(error)),))
