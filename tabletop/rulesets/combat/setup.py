"""How a game of Combat begins: the battlefield, the profile, the period, house rules, what was agreed of the armies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from geometry.square_layout import SquareLayout
from geometry.squares import Square, distance
from tabletop.rulesets.combat.data import (
    BASIC,
    COUNTER,
    MINES,
    MOST_AGREED,
    MOST_PIECES,
    NEW,
    PERIODS,
    RED,
    SIDE_TITLES,
    SIDES,
    STRIP,
    TITLE,
    HouseRules,
    Profile,
    Terrain,
)
from tabletop.square_board.setup import SquareSetup

MOST_ROWS = 60
MOST_CARDS = 200
MOST_DAYS = 30
MOST_MORE = 3
NO_HOUSE_RULES = HouseRules()


@dataclass(frozen=True)
class Airstrip:
    """A side's airstrip: its squares by name."""

    side: Literal["red", "blue"]
    squares: tuple[str, ...]


@dataclass(frozen=True)
class Objective:
    """A given objective that ``side`` defends: the game is won by the enemy's entering one of ``squares`` with so many
    ``pieces`` at once. Of an airstrip or a road they are its squares."""

    id: str
    kind: Literal["airstrip", "road", "bridge", "place"]
    side: Literal["red", "blue"]
    squares: tuple[str, ...]
    pieces: int = 1
    title: str = ""


@dataclass(frozen=True)
class Setup(SquareSetup):
    """A game's beginning. Squares stand by name; ``ground`` is what is not open, a square each.

    ``deployment`` rows lie behind each deployment line. ``pieces`` is the agreed number of an army, ``points`` the
    most that it may cost (0: not agreed); ``mines`` each side's. ``hits`` and ``misses`` are the salvo deck.
    ``headquarters``: each side establishes one. ``days`` is the battle's time limit (0: none), with ``turns_a_day`` and
    ``regroup`` turns of night; with ``nights`` days and nights follow one another without a limit. ``more_speed`` and
    ``more_range`` are added to guns' and tanks'. ``hill_counters`` are squares of hills with a direction of the compass
    each, along which no shot passes [Firing, the note on hill counters]. With three players ``alone`` is the side whose
    one player commands both corps.
    """

    title: str = TITLE
    scenario: str = ""
    columns: int = 20
    rows: int = 24
    deployment: int = 6
    profile: Profile = "original"
    period: str = ""
    house: HouseRules = NO_HOUSE_RULES
    players: Literal[2, 3, 4] = 2
    alone: str = RED
    pieces: int = 15
    points: int = 0
    mines: int = MINES
    hits: int = 24
    misses: int = 12
    ground: tuple[tuple[str, Terrain], ...] = ()
    roads: tuple[str, ...] = ()
    airstrips: tuple[Airstrip, ...] = ()
    objectives: tuple[Objective, ...] = ()
    headquarters: bool = False
    days: int = 0
    nights: bool = False
    turns_a_day: int = 12
    regroup: int = 3
    more_speed: int = 0
    more_range: int = 0
    hill_counters: tuple[tuple[str, str], ...] = ()
    layout: SquareLayout | None = None

    @property
    def sides(self) -> tuple[str, str]:
        """Red and Blue."""
        return SIDES

    def side_title(self, side: str) -> str:
        """What people call a side.

        >>> Setup().side_title("blue")
        'Blue'
        """
        return SIDE_TITLES[side]

    @property
    def half(self) -> int:
        """The rows of each half."""
        return self.rows // 2

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of pieces that may be chosen: the period's, else planes, tanks, guns and those switched on."""
        if self.period:
            return PERIODS[self.period].kinds
        house = self.house
        on = dict(zip(NEW, (house.foot, house.motorised, house.cavalry, house.helicopters), strict=True))
        return (*BASIC, *(kind for kind in NEW if on[kind]))

    @property
    def mines_each(self) -> int:
        """The mines of each side; none in a period that has none."""
        return 0 if self.period and not PERIODS[self.period].mines else self.mines

    @property
    def is_timed(self) -> bool:
        """Whether turns are hours, and nights fall [Variations of play, Battle in time]."""
        return bool(self.days) or self.nights

    @property
    def one_airstrip(self) -> bool:
        """Whether each side has one airstrip only."""
        return self.house.strip_on_base or self.profile == "original"

    @property
    def most_pieces(self) -> int:
        """The most pieces of an army, before any number is agreed."""
        return MOST_AGREED if self.house.most_30 else MOST_PIECES

    def rows_from_base(self, side: str, square: Square) -> int:
        """How many rows a square is away from a side's base line; 0 on it."""
        return square.row if side == RED else self.rows - 1 - square.row


def laid_out(setup: Setup, square: str, terrain: str) -> Setup:
    """A set-up with one square laid: a road besides its terrain, other terrain in the place of its own, or open ground
    without either. A square of an airstrip is added to the one that it touches; else it begins another, in the place of
    the side's own where the rules allow one. A hill counter is laid besides, and taken away where it lies already."""
    if terrain == STRIP:
        return _with_strip(setup, square)
    if terrain.startswith(COUNTER):
        counter = square, terrain.removeprefix(COUNTER)
        others = tuple(one for one in setup.hill_counters if one != counter)
        return replace(setup, hill_counters=others if counter in setup.hill_counters else (*others, counter))
    if terrain == "road":
        return setup if square in setup.roads else replace(setup, roads=(*setup.roads, square))
    ground: list[tuple[str, Any]] = [(name, kind) for name, kind in setup.ground if name != square]
    if terrain != "open":
        ground.append((square, terrain))
    dry = terrain not in ("open", "river", "bridge")
    roads = tuple(name for name in setup.roads if name != square or dry)
    counters = tuple(one for one in setup.hill_counters if one[0] != square or terrain in ("hill", "crest"))
    return replace(setup, ground=tuple(ground), roads=roads, hill_counters=counters)


def _with_strip(setup: Setup, name: str) -> Setup:
    square = setup.squares.parse(name)
    side = next(side for side in SIDES if setup.rows_from_base(side, square) < setup.half)
    own = [strip for strip in setup.airstrips if strip.side == side]
    near = [strip for strip in own if any(distance(square, setup.squares.parse(n)) <= 1 for n in strip.squares)]
    gone = near if near or not setup.one_airstrip else own
    squares = {name, *(n for strip in near for n in strip.squares)}
    new = Airstrip(side, tuple(sorted(squares, key=lambda n: setup.squares.parse(n))))  # type: ignore[arg-type]
    moved = {strip.squares for strip in gone}
    return replace(
        setup,
        airstrips=tuple(
            sorted([*(s for s in setup.airstrips if s not in gone), new], key=lambda s: SIDES.index(s.side))
        ),
        objectives=tuple(
            replace(goal, squares=new.squares) if goal.kind == STRIP and goal.squares in moved else goal
            for goal in setup.objectives
        ),
    )
