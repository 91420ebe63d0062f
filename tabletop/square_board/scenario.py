"""A scenario on a board of squares, read from its TOML file with every fault named by its line.

``[scenario]`` has its ``id``, ``title``, ``rules`` and perhaps ``turns``; ``[board]`` its ``map``, a letter a square
and the far edge on top, and perhaps where it lies on a table: ``size`` of a square, ``origin`` (the centre of a1) and
``rotation``; ``[[sides]]`` the two sides in the order of play; ``[[units]]`` an ``id``, ``side``, ``kind`` and perhaps
``at = "d4"`` and a ``name``. :func:`read_map`, :func:`read_layout` and :func:`read_square_names` read the same for any
ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from geometry.square_layout import SquareLayout
from geometry.squares import LETTERS, SquareBoard
from tabletop.game.registry import ruleset
from tabletop.grids.squares.kinds import KINDS, OPEN
from tabletop.reading.toml_sections import Faults, Section
from tabletop.reading.toml_source import KeyPath
from tabletop.small_games.scenario import SCENARIO_KEYS, read_sides, read_units
from tabletop.square_board.rules import SquareBoardRules
from tabletop.square_board.setup import Setup, UnitSetup
from tabletop.starting.scenario_head import ScenarioHead
from tabletop.starting.scenarios import Scenario, ScenarioError
from tabletop.tables.tablefile import MAX_TABLE_IN

LAYOUT_KEYS = ("size", "origin", "rotation")
_KEYS = {
    "file": ("scenario", "board", "sides", "units"),
    "board": ("map", *LAYOUT_KEYS),
    "unit": ("id", "side", "kind", "name", "at"),
}
_LETTERS = {kind.letter: name for name, kind in KINDS.items() if name != "unknown"}
_MOST_ROWS = 60


# --- for any ruleset on squares --------------------------------------------------------------------------------------


def read_map(part: Section, letters: Mapping[str, str], far_edge: str = "the far edge") -> list[str] | None:
    """The lines of ``map`` in a section, the far edge's first; ``None`` where there is none or something is wrong with
    it, which is noted. ``letters`` are those that it may have, with their words; ``far_edge``: what its edge is."""
    written = part.text("map", f"the squares' letters, a line for each row, {far_edge} first")
    if written is None:
        return None
    rows = [line.strip() for line in written.strip().splitlines()]
    for text in _faults_of_map(rows, letters):
        part.fault("map", text)
    return rows if part.sound else None


def _faults_of_map(rows: Sequence[str], letters: Mapping[str, str]) -> Iterator[str]:
    width = len(rows[0]) if rows else 0
    if not (1 <= width <= len(LETTERS) and len(rows) <= _MOST_ROWS):
        yield f"a map has 1 to {len(LETTERS)} columns and 1 to {_MOST_ROWS} rows, and not {width} by {len(rows)}."
    for n, line in enumerate(rows):
        row = len(rows) - n
        if len(line) != width:
            yield f"row {row} of the map has {len(line)} squares, and the first line {width}."
        strange = sorted(set(line) - set(letters))
        if strange:
            told = ", ".join(f"{letter} {kind}" for letter, kind in letters.items())
            yield f'row {row} of the map has "{strange[0]}"; {told} are known.'


def letters_of(rows: Sequence[str]) -> dict[str, str]:
    """The letter of every square of a sound map, by its name, row by row from the near edge.

    >>> letters_of(["aw", ".."])
    {'a1': '.', 'b1': '.', 'a2': 'a', 'b2': 'w'}
    """
    board = SquareBoard(len(rows[0]), len(rows))
    return {board.name(square): rows[len(rows) - 1 - square.row][square.col] for square in board.squares}


def read_layout(part: Section) -> SquareLayout | None:
    """Where a board lies by ``size``, ``origin`` and ``rotation`` of a section; ``None`` where they are not there or
    something is wrong with them, which is noted."""
    size = part.number("size", "inches of a square's side", required=False, above=0.0, most=MAX_TABLE_IN)
    origin = part.point("origin", "the centre of a1 in inches", required=False)
    rotation = part.number("rotation", "degrees clockwise", required=False, least=-360.0, most=360.0)
    if size is None or origin is None:
        if part.has("size") != part.has("origin") or (part.has("rotation") and not part.has("size")):
            part.fault(None, f"{part.name} says where the board lies by size and origin together.")
        return None
    return SquareLayout(size, origin, rotation or 0.0)


def read_square_names(part: Section, key: str, wanted: str) -> tuple[str, ...]:
    """A list of squares by their names."""
    return tuple(name.strip().casefold() for name in part.texts(key, wanted, "squares", least=0))


# --- a small game ----------------------------------------------------------------------------------------------------


def read_scenario(data: dict[str, Any], lines: Mapping[KeyPath, int], name: str) -> Scenario:
    """The scenario in a TOML file's values; ``lines`` are the lines of its keys, ``name`` what messages call it.

    Raises ScenarioError with every fault: keys that are missing, unknown or wrong, and parts that do not go together.
    """
    faults = Faults(dict(lines))
    file = Section(data, (), "the file", faults, _KEYS["file"])
    head = ScenarioHead.read(file, SCENARIO_KEYS, "crossroads")
    rules_name, turns = str(head.section.data["rules"]), head.turns()
    part = file.section("board", "[board]", _KEYS["board"], "the board, [board]")
    rows = None if part is None else read_map(part, _LETTERS)
    layout = None if part is None else read_layout(part)
    sides = read_sides(file)
    rules: SquareBoardRules = ruleset(rules_name)  # type: ignore[assignment]
    squares = letters_of(rows) if rows else {}
    units = tuple(_read_units(file, sides, [kind.id for kind in rules.kinds], squares))
    if faults.found or rows is None:
        raise ScenarioError.of(name, faults.found)
    first, second = sides
    setup = Setup(
        rules=rules_name,
        title=head.title,
        sides=(first, second),
        columns=len(rows[0]),
        rows=len(rows),
        units=units,
        scenario=head.id,
        ground=tuple((square, kind) for square, letter in squares.items() if (kind := _LETTERS[letter]) != OPEN),
        turns=turns,
        side_titles=(sides[first], sides[second]),
        layout=layout,
    )
    return head.scenario(rules_name, setup)


def _read_units(
    file: Section, sides: Mapping[str, str], kinds: Sequence[str], squares: Mapping[str, str]
) -> Iterator[UnitSetup]:
    taken: dict[str, str] = {}
    for part, name, side, kind in read_units(file, _KEYS["unit"], sides, kinds):
        title = part.text("name", "what players call it", required=False)
        at = part.text("at", "the square that it stands in", required=False)
        at = None if at is None else at.strip().casefold()
        if at is not None and squares and at not in squares:
            part.fault("at", f'{part.name} stands in "{at}", which is no square of this board.')
        elif at is not None and at in taken:
            part.fault("at", f"{part.name} stands in {at}, where {taken[at]} stands; there is room for one.")
        taken[at or ""] = name or part.name
        if name is not None and side is not None and kind is not None and part.sound:
            yield UnitSetup(name, side, kind, at, title or "")
