"""How a game of WWII Combined Arms begins: the board, the limits of armies, the optional rules, what stands already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from geometry.square_layout import SquareLayout
from tabletop.errors import RulesError
from tabletop.game.violations import Violation
from tabletop.rulesets.ww2_combined_arms.board import Grid, grid
from tabletop.rulesets.ww2_combined_arms.data import (
    BACK,
    CITY,
    HOME_ROWS,
    HQ,
    KINDS,
    LETTER,
    SIDES,
    TANKS,
    TERRAIN,
)
from tabletop.square_board.setup import SquareSetup

LEAST, MOST = 4, 26
"""Columns and rows of a board."""

MOST_UNITS = 200

CityVictory = Literal["no", "at-once", "held"]
"""Whether all cities win: not at all, as soon as one side stands on all of them, or where it still does when its next
turn begins."""


@dataclass(frozen=True)
class Limits:
    """What an army may be made of: ``units`` in all, at most ``tanks``, at least ``types`` beside the HQ, at most
    ``alike`` of one type [Army Creation]."""

    units: int = 16
    tanks: int = 5
    types: int = 7
    alike: int = 4


@dataclass(frozen=True)
class UnitAt:
    """A unit that a game begins with; ``at`` names its square, empty: it is still to be placed."""

    id: str
    side: str
    kind: str
    at: str = ""
    elite: bool = False


@dataclass(frozen=True)
class Setup(SquareSetup):
    """A game to be begun.

    ``cities`` is how many are drawn by lot in the middle rows, ``city_squares`` names them instead, ``city_victory``
    says when all of them win; ``terrain`` are
    difficult squares with their kind, which count where ``difficult``. ``elites`` a side names so many units,
    ``experience`` is the number of destroyed units that makes one elite, ``every`` the turns between reinforcements;
    0 leaves a rule out. ``first`` goes first (empty: the players agree), ``turns`` is the last turn (0: none), after
    which the game is drawn. ``units`` are armies that are given.
    """

    title: str = "WWII Combined Arms"
    scenario: str = ""
    columns: int = 8
    rows: int = 8
    home: int = HOME_ROWS
    limits: Limits = field(default_factory=Limits)
    cities: int = 0
    city_squares: tuple[str, ...] = ()
    city_victory: CityVictory = "at-once"
    terrain: tuple[tuple[str, str], ...] = ()
    difficult: bool = False
    elites: int = 0
    experience: int = 0
    every: int = 0
    first: str = ""
    turns: int = 0
    units: tuple[UnitAt, ...] = ()
    side_titles: tuple[str, str] = ("Red", "Blue")
    table: tuple[float, float] | None = None
    layout: SquareLayout | None = None

    @property
    def grid(self) -> Grid:
        """The board."""
        return grid(self.columns, self.rows)

    @property
    def sides(self) -> tuple[str, str]:
        """Red, then blue."""
        return SIDES

    @property
    def cities_win(self) -> bool:
        """Whether a side can win by its cities."""
        return self.city_victory != "no" and bool(self.cities or self.city_squares)

    def side_title(self, side: str) -> str:
        """How people call a side.

        >>> Setup().side_title("blue")
        'Blue'
        """
        names: Mapping[str, str] = dict(zip(SIDES, self.side_titles, strict=True))
        return names.get(side, side)

    def home_squares(self, side: str) -> tuple[int, ...]:
        """The squares on which a side sets up."""
        return self.grid.home(BACK[side], self.home)

    @property
    def between(self) -> tuple[int, ...]:
        """The squares of the middle rows on which neither side sets up: where cities are drawn [City Spaces]."""
        homes = {n for side in SIDES for n in self.home_squares(side)}
        return tuple(n for n in self.grid.middle if n not in homes)

    def back_row(self, side: str) -> tuple[int, ...]:
        """The squares of a side's back row."""
        return self.grid.home(BACK[side], 1)


def army_faults(counts: Counter[str], limits: Limits) -> Iterator[Violation]:
    """All that is wrong with an army of so many units of each kind [Army Creation]."""
    place, total, hqs = "Army Creation", sum(counts.values()), counts[HQ]
    tanks = sum(counts[kind] for kind in TANKS)
    types = sum(1 for kind, count in counts.items() if count and kind != HQ)
    if total != limits.units:
        text = f"An army has {limits.units} units, and this one has {total}."
        yield Violation("army-size", text, place, {"units": total, "wanted": limits.units})
    if hqs != 1:
        yield Violation("army-hq", f"An army has exactly 1 headquarters, and this one has {hqs}.", place, {"hqs": hqs})
    if tanks > limits.tanks:
        text = f"At most {limits.tanks} units of an army are tanks, and this one has {tanks}."
        yield Violation("army-tanks", text, place, {"tanks": tanks, "most": limits.tanks})
    if types < limits.types:
        text = f"An army has at least {limits.types} types of units beside the headquarters, and this one has {types}."
        yield Violation("army-types", text, place, {"types": types, "least": limits.types})
    for kind in KINDS:
        if kind != HQ and counts[kind] > limits.alike:
            text = f"At most {limits.alike} units of an army are of one type, and this one has {counts[kind]} of"
            numbers = {"units": counts[kind], "most": limits.alike}
            yield Violation("army-alike", f"{text} {KINDS[kind].title}.", place, numbers)


def name_units(side: str, counts: Counter[str]) -> tuple[tuple[str, str], ...]:
    """The units of an army, each with its id and kind, numbered in the order of the unit list.

    >>> name_units("red", Counter({"general": 1, "hq": 1}))
    (('R1', 'general'), ('R2', 'hq'))
    """
    kinds = [kind for kind in KINDS for _ in range(counts[kind])]
    return tuple((f"{LETTER[side]}{n}", kind) for n, kind in enumerate(kinds, 1))


def check_setup(setup: Setup) -> None:
    """Refuse a set-up that can't be played, with a sentence; raises RulesError."""
    fault = next(faults_of(setup), None)
    if fault is not None:
        raise RulesError(fault[1])


def faults_of(setup: Setup) -> Iterator[tuple[str, str]]:
    """What is wrong with a set-up: which part of it (a field's name, for a unit or square with its number) and a
    sentence."""
    if not (LEAST <= setup.columns <= MOST and LEAST <= setup.rows <= MOST):
        yield (
            "board",
            f"A board has {LEAST} to {MOST} columns and rows, and this one has {setup.columns} by {setup.rows}.",
        )
        return
    if not 1 <= setup.home <= (setup.rows - 1) // 2:
        yield (
            "home",
            f"Each side sets up on 1 to {(setup.rows - 1) // 2} rows of a board of {setup.rows}, not on {setup.home}.",
        )
        return
    yield from _ground_faults(setup)
    yield from _unit_faults(setup)
    if not all(any(unit.side == side for unit in setup.units) for side in SIDES):
        yield from _limit_faults(setup)
    if setup.first and setup.first not in SIDES:
        yield "first", f'"{setup.first}" can\'t go first: the sides are {" and ".join(SIDES)}.'


def _limit_faults(setup: Setup) -> Iterator[tuple[str, str]]:
    room = setup.columns * setup.home
    if not 2 <= setup.limits.units <= room:
        yield (
            "limits",
            f"An army of {setup.limits.units} can't be: it has 2 to {room} units on {setup.home} rows of"
            f" {setup.columns}.",
        )
    limits = setup.limits
    others = len(KINDS) - 1 - len(TANKS)
    types = others + min(limits.tanks, len(TANKS)) if limits.alike else 0
    if limits.types > min(limits.units - 1, types):
        yield (
            "limits",
            f"No army of {limits.units} units has {limits.types} types beside its headquarters:"
            f" {min(limits.units - 1, types)} types are the most under these limits.",
        )
    most = min(limits.tanks, len(TANKS) * limits.alike) + others * limits.alike + 1
    if limits.units > most:
        yield "limits", f"No army has {limits.units} units under these limits: {most} are the most."


def _ground_faults(setup: Setup) -> Iterator[tuple[str, str]]:
    number, seen = setup.grid.number, set()
    for what, names in (("cities", setup.city_squares), ("terrain", tuple(name for name, _ in setup.terrain))):
        for name in names:
            if name not in number:
                yield what, f'There is no square "{name}" for {what} on a board of {setup.columns} by {setup.rows}.'
            elif name in seen:
                yield what, f"Square {name} stands twice among cities and terrain; keep one of the two."
            seen.add(name)
    for name, kind in setup.terrain:
        if kind not in TERRAIN and kind != CITY:
            yield "terrain", f'Square {name} holds "{kind}", which is no terrain: {", ".join(TERRAIN)}.'
    if setup.city_squares and setup.cities not in (0, len(setup.city_squares)):
        yield "cities", f"{len(setup.city_squares)} cities are named, and {setup.cities} are to be drawn: say one only."
    free = len(set(setup.between) - {number[name] for name, _ in setup.terrain if name in number})
    if setup.cities > free and not setup.city_squares:
        yield "cities", f"{setup.cities} cities find no room on the {free} free squares of the middle rows."


def _unit_faults(setup: Setup) -> Iterator[tuple[str, str]]:
    ids: set[str] = set()
    squares: dict[str, str] = {}
    for n, unit in enumerate(setup.units):
        where = f"units {n}"
        if unit.side not in SIDES or unit.kind not in KINDS:
            yield where, f"{unit.id} is {unit.kind} of {unit.side}, which can't be."
            continue
        if unit.id in ids:
            yield where, f"Two units are called {unit.id}; a unit's name is used once."
        ids.add(unit.id)
        if not unit.at:
            continue
        if unit.at not in setup.grid.number:
            yield where, f'{unit.id} stands on "{unit.at}", which is no square of this board.'
        elif unit.at in squares:
            yield where, f"{unit.id} and {squares[unit.at]} both stand on {unit.at}; one unit stands on a square."
        squares[unit.at] = unit.id
    for side in SIDES:
        own = [unit for unit in setup.units if unit.side == side]
        hqs = sum(unit.kind == HQ for unit in own)
        if own and hqs != 1:
            yield "units", f"The {side} army has {hqs} headquarters; it has exactly 1."
        home = {setup.grid.names[n] for n in setup.home_squares(side)}
        if sum(not unit.at for unit in own) > len(home - squares.keys()):
            yield "units", f"The {side} army has more units to place than there are squares for them."
    if len(setup.units) > MOST_UNITS:
        yield "units", f"{len(setup.units)} units are too many: {MOST_UNITS} are the most."
