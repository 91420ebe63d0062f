"""What is wrong with a set-up, all at once: sizes, numbers, ground, airstrips, objectives, armies nobody can have."""

from __future__ import annotations

from collections.abc import Iterator

from geometry.squares import LETTERS, reachable
from tabletop.errors import RulesError
from tabletop.rulesets.combat.armies import least_cost
from tabletop.rulesets.combat.data import (
    AHEAD,
    BLUE,
    COMPASS,
    MINES,
    MINES_OF_FOUR,
    PERIODS,
    RED,
    SIDE_TITLES,
    SIDES,
    TERRAIN,
)
from tabletop.rulesets.combat.ground import room_to_deploy, wide_rivers, without_headquarters
from tabletop.rulesets.combat.setup import MOST_CARDS, MOST_DAYS, MOST_MORE, MOST_ROWS, Objective, Setup

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
    if setup.players not in (2, 3, 4):
        yield ("players",), f"Two, three or four players command, and not {setup.players}."
    if setup.alone not in SIDES:
        yield ("alone",), f'The side with one player of three is red or blue, and not "{setup.alone}".'
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
    if setup.days and setup.nights:
        yield ("nights",), f"A battle of {setup.days} days ends with the last of them: choose days or nights, not both."
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
    yield from _hill_counters(setup)
    yield from _on_board(setup, ("roads",), setup.roads)
    wet = {name for name, kind in setup.ground if kind == "river"}
    for name in setup.roads:
        if name in wet:
            yield ("roads",), f"A road crosses the river in {name}: make that square a bridge."


def _hill_counters(setup: Setup) -> Iterator[Fault]:
    hills = {name for name, kind in setup.ground if kind in ("hill", "crest")}
    for name, way in setup.hill_counters:
        if name not in hills:
            yield ("hill_counters",), f"A hill counter lies in {name}, where no hill is."
        if way not in COMPASS:
            yield ("hill_counters",), f'A hill counter bars a direction, {", ".join(COMPASS)}, and not "{way}".'


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
        squares = {setup.squares.parse(name) for name in strip.squares}
        if squares and len(reachable(min(squares), len(squares), squares.__contains__)) < len(squares):
            yield path, f"The squares {', '.join(strip.squares)} of an airstrip do not touch one another."
        rows = [setup.rows_from_base(strip.side, square) for square in squares]
        if max(rows, default=0) >= setup.deployment:
            yield path, f"{strip.side.capitalize()}'s airstrip must lie behind its deployment line."
        if setup.house.strip_on_base and min(rows, default=0) > 0:
            yield path, f"{strip.side.capitalize()}'s airstrip must touch its base line by the house rule."
        for name in strip.squares:
            if name in wet:
                yield path, f"The airstrip's square {name} is a river."


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
            if setup.rows_from_base(goal.side, setup.squares.parse(name)) >= setup.half:
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
