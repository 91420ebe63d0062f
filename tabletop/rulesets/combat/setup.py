"""How a game of Combat begins: the battlefield, the profile, the period, house rules, what was agreed of the armies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from geometry.square_layout import SquareLayout
from geometry.squares import LETTERS, Square, SquareBoard, distance
from tabletop.errors import RulesError
from tabletop.rulesets.combat.armies import least_cost
from tabletop.rulesets.combat.data import (
    AHEAD,
    BASIC,
    BLUE,
    MINES,
    MINES_OF_FOUR,
    MOST_AGREED,
    MOST_PIECES,
    NEW,
    PERIODS,
    RED,
    SIDE_TITLES,
    SIDES,
    STRIP,
    TERRAIN,
    TITLE,
    HouseRules,
    Profile,
    Terrain,
)
from tabletop.rulesets.combat.ground import room_to_deploy, rows_from_base, wide_rivers, without_headquarters

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
class Setup:
    """A game's beginning. Squares stand by name; ``ground`` is what is not open, a square each.

    ``deployment`` rows lie behind each deployment line. ``pieces`` is the agreed number of an army, ``points`` the
    most that it may cost (0: not agreed); ``mines`` each side's. ``hits`` and ``misses`` are the salvo deck.
    ``headquarters``: each side establishes one. ``days`` is the battle's time limit (0: none), with ``turns_a_day`` and
    ``regroup`` turns of night; with ``nights`` days and nights follow one another without a limit. ``more_speed`` and
    ``more_range`` are added to guns' and tanks'.
    """

    title: str = TITLE
    scenario: str = ""
    columns: int = 20
    rows: int = 24
    deployment: int = 6
    profile: Profile = "original"
    period: str = ""
    house: HouseRules = NO_HOUSE_RULES
    players: Literal[2, 4] = 2
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
    layout: SquareLayout | None = None

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
    def timed(self) -> bool:
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

    @property
    def squares(self) -> SquareBoard:
        """The board's squares and their names."""
        return SquareBoard(self.columns, self.rows)


def laid_out(setup: Setup, square: str, terrain: str) -> Setup:
    """A set-up with one square laid: a road besides its terrain, other terrain in the place of its own, or open ground
    without either. A square of an airstrip is added to the one that it touches; else it begins another, in the place of
    the side's own where the rules allow one."""
    if terrain == STRIP:
        return _with_strip(setup, square)
    if terrain == "road":
        return setup if square in setup.roads else replace(setup, roads=(*setup.roads, square))
    ground: list[tuple[str, Any]] = [(name, kind) for name, kind in setup.ground if name != square]
    if terrain != "open":
        ground.append((square, terrain))
    dry = terrain not in ("open", "river", "bridge")
    roads = tuple(name for name in setup.roads if name != square or dry)
    return replace(setup, ground=tuple(ground), roads=roads)


def _with_strip(setup: Setup, name: str) -> Setup:
    square = setup.squares.parse(name)
    side = next(side for side in SIDES if rows_from_base(setup, side, square) < setup.half)
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


Fault = tuple[tuple[str | int, ...], str]
"""What is wrong with a set-up: the field (with the place in its list), and a sentence."""


def check_setup(setup: Setup) -> None:
    """Refuse what can't be played; raises RulesError with everything that is wrong."""
    faults = [text for _, text in faults_of(setup)]
    if faults:
        raise RulesError(" ".join(faults))


def faults_of(setup: Setup) -> Iterator[Fault]:
    """Everything that is wrong with a set-up."""
    yield from _sizes(setup)
    if not (2 <= setup.columns <= len(LETTERS) and 4 <= setup.rows <= MOST_ROWS and setup.rows % 2 == 0):
        return
    yield from _numbers(setup)
    yield from _ground(setup)
    yield from _strips(setup)
    yield from _objectives(setup)
    yield from _armies(setup)


def _sizes(setup: Setup) -> Iterator[Fault]:
    if not 2 <= setup.columns <= len(LETTERS):
        yield ("columns",), f"A battlefield has 2 to {len(LETTERS)} columns, and this one {setup.columns}."
    if not 4 <= setup.rows <= MOST_ROWS or setup.rows % 2:
        yield ("rows",), f"A battlefield has two halves of rows, 4 to {MOST_ROWS} in all, and this one {setup.rows}."
    elif not 1 <= setup.deployment <= setup.half:
        yield (
            ("deployment",),
            f"The deployment line lies 1 to {setup.half} rows from the base line, and here {setup.deployment}.",
        )


def _numbers(setup: Setup) -> Iterator[Fault]:
    most = MINES_OF_FOUR if setup.players == 4 else MINES
    if setup.players not in (2, 4):
        yield ("players",), f"Two or four players command, and not {setup.players}."
    if not 0 <= setup.mines <= most:
        yield ("mines",), f"A side has at most {most} mines with {setup.players} players, and not {setup.mines}."
    if not 0 <= setup.pieces <= setup.most_pieces:
        yield ("pieces",), f"An army has at most {setup.most_pieces} pieces here, and not {setup.pieces}."
    if not setup.pieces and not setup.points:
        yield ("pieces",), "Agree on the number of pieces of an army, or on its points."
    if not 0 <= setup.points <= 999:
        yield ("points",), f"An army costs at most 999 points, and not {setup.points}."
    if min(setup.hits, setup.misses) < 1 or setup.hits + setup.misses > MOST_CARDS:
        yield (
            ("hits",),
            f"The salvo deck has at least one hit and one miss and at most {MOST_CARDS} cards, and not {setup.hits} "
            f"and {setup.misses}.",
        )
    if not 0 <= setup.days <= MOST_DAYS:
        yield ("days",), f"A battle lasts at most {MOST_DAYS} days, and not {setup.days}."
    if not 1 <= setup.turns_a_day <= 24 or not 1 <= setup.regroup <= 12:
        yield ("turns_a_day",), "A day has 1 to 24 turns and a night 1 to 12 of regrouping."
    if not (0 <= setup.more_speed <= MOST_MORE and 0 <= setup.more_range <= MOST_MORE):
        yield ("more_range",), f"Speed and range of guns and tanks are raised by at most {MOST_MORE} squares."
    if setup.period and setup.period not in PERIODS:
        yield ("period",), f'There is no period "{setup.period}": {", ".join(PERIODS)}.'


def _on_board(setup: Setup, path: tuple[str | int, ...], names: tuple[str, ...]) -> Iterator[Fault]:
    board, seen = setup.squares, set()
    for name in names:
        try:
            square = board.parse(name)
        except ValueError as error:
            yield path, str(error)
            continue
        if square in seen:
            yield path, f"The square {name} stands twice."
        seen.add(square)


def _ground(setup: Setup) -> Iterator[Fault]:
    yield from _on_board(setup, ("ground",), tuple(name for name, _ in setup.ground))
    for name, kind in setup.ground:
        if kind not in TERRAIN:
            yield ("ground",), f'{name} is "{kind}", which is no terrain: {", ".join(TERRAIN)}.'
    for name in wide_rivers(setup):
        yield ("ground",), f"The river round {name} is more than two squares wide [House rules, 4]."
    yield from _on_board(setup, ("roads",), setup.roads)
    wet = {name for name, kind in setup.ground if kind == "river"}
    for name in setup.roads:
        if name in wet:
            yield ("roads",), f"A road crosses the river in {name}: make that square a bridge."


def _strips(setup: Setup) -> Iterator[Fault]:
    one = setup.one_airstrip
    for side in SIDES:
        own = [n for n, strip in enumerate(setup.airstrips) if strip.side == side]
        if one and len(own) > 1:
            why = "the original rules" if setup.profile == "original" else "the house rule"
            yield ("airstrips", own[1]), f"{side.capitalize()} has {len(own)} airstrips, and {why} allow one a side."
    wet = {name for name, kind in setup.ground if kind == "river"}
    taken: set[str] = set()
    for n, strip in enumerate(setup.airstrips):
        path = ("airstrips", n)
        if strip.side not in SIDES:
            yield path, f'An airstrip belongs to red or blue, and this one to "{strip.side}".'
            continue
        before = len(taken)
        taken |= set(strip.squares)
        if not strip.squares or len(taken) != before + len(set(strip.squares)):
            yield path, "An airstrip has squares of its own, one at least."
        faults = list(_on_board(setup, path, strip.squares))
        yield from faults
        if faults:
            continue
        squares = [setup.squares.parse(name) for name in strip.squares]
        if not _joined(squares):
            yield path, f"The squares {', '.join(strip.squares)} of an airstrip do not touch one another."
        rows = [rows_from_base(setup, strip.side, square) for square in squares]
        if max(rows, default=0) >= setup.deployment:
            yield path, f"{strip.side.capitalize()}'s airstrip must lie behind its deployment line."
        if setup.house.strip_on_base and min(rows, default=0) > 0:
            yield path, f"{strip.side.capitalize()}'s airstrip must touch its base line by the house rule."
        for name in strip.squares:
            if name in wet:
                yield path, f"The airstrip's square {name} is a river."


def _joined(squares: list[Square]) -> bool:
    """Whether squares touch one another, corners counted."""
    left, edge = set(squares[1:]), squares[:1]
    while edge:
        near = {one for one in left if any(distance(one, other) == 1 for other in edge)}
        left -= near
        edge = list(near)
    return not left


def _objectives(setup: Setup) -> Iterator[Fault]:
    ids: set[str] = set()
    for n, goal in enumerate(setup.objectives):
        path = ("objectives", n)
        if goal.id in ids:
            yield path, f'Two objectives are called "{goal.id}".'
        ids.add(goal.id)
        if goal.side not in (RED, BLUE):
            yield path, f'An objective is defended by red or blue, and "{goal.id}" by "{goal.side}".'
        if not goal.squares or not 1 <= goal.pieces <= max(1, len(goal.squares)):
            yield path, f'The objective "{goal.id}" needs as many squares as pieces that take it, and one at least.'
        yield from _on_board(setup, path, goal.squares)
        yield from (
            (path, f'{SIDE_TITLES[goal.side]} defends "{goal.id}", and {name} lies on the enemy\'s half.')
            for name in _elsewhere(setup, goal)
        )
    for text in without_headquarters(setup):
        yield ("headquarters",), text


def _elsewhere(setup: Setup, goal: Objective) -> Iterator[str]:
    """Squares of an objective where the side that is to take it deploys."""
    if goal.side in SIDES and not any(_on_board(setup, (), goal.squares)):
        for name in goal.squares:
            if rows_from_base(setup, goal.side, setup.squares.parse(name)) >= setup.half:
                yield name


def _armies(setup: Setup) -> Iterator[Fault]:
    """What keeps every army that was agreed on from being chosen or deployed."""
    if setup.period and setup.period not in PERIODS:
        return
    for side in SIDES:
        title, pieces = SIDE_TITLES[side], setup.pieces or 1
        cost = least_cost(setup, side, {})
        if cost is None:
            yield ("pieces",), f"The box, the period and the airstrips have no army of {pieces} pieces for {title}."
        elif setup.points and cost > setup.points:
            yield (
                ("points",),
                f"An army of {pieces} pieces of {title} costs at least {cost} points, and {setup.points} are agreed.",
            )
        room = room_to_deploy(setup, side, pieces, pieces // AHEAD)
        if room < pieces:
            yield ("pieces",), f"{title}'s half has room for {room} pieces, and armies of {pieces} were agreed on."
