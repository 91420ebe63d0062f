"""What a battlefield's ground has to have, asked of a set-up: rivers that are narrow enough, room to deploy, places for
headquarters."""

from __future__ import annotations

from collections.abc import Iterator

from geometry.squares import neighbours
from tabletop.rulesets.combat.data import SIDE_TITLES, SIDES
from tabletop.rulesets.combat.setup import Setup

_HEADQUARTERS = {"hill": "hill", "crest": "hill", "woods": "woods"}
_BUILT = {"built-up": "woods", "defence": "woods"}


def wide_rivers(setup: Setup) -> Iterator[str]:
    """Squares of river in the middle of three by three others [House rules, 4]."""
    known = {square: setup.squares.name(square) for square in setup.squares.squares}
    wet = _wet(setup)
    for square, name in known.items():
        if name in wet and sum(known.get(one) in wet for one in neighbours(square)) == 8:
            yield name


def _wet(setup: Setup) -> set[str]:
    return {name for name, kind in setup.ground if kind == "river"}


def room_to_deploy(setup: Setup, side: str, pieces: int, ahead: int) -> int:
    """How many of so many pieces a side's half has room for, ``ahead`` at most ahead of the deployment line."""
    wet = _wet(setup) if setup.house.rivers else set()
    dry = [square for square in setup.squares.squares if setup.squares.name(square) not in wet]
    rows = [setup.rows_from_base(side, square) for square in dry]
    behind = sum(row < setup.deployment for row in rows)
    return min(pieces, behind + min(ahead, sum(setup.deployment <= row < setup.half for row in rows)))


def without_headquarters(setup: Setup) -> Iterator[str]:
    """A sentence for each side on whose half no headquarters can be: on a hill or in a wood of two squares or more."""
    if not setup.headquarters:
        return
    board = setup.squares
    known = _HEADQUARTERS | (_BUILT if setup.house.built_up else {})
    there = {board.parse(name): known[kind] for name, kind in setup.ground if kind in known}
    may = [(board.parse(name), _HEADQUARTERS[kind]) for name, kind in setup.ground if kind in _HEADQUARTERS]
    for side in SIDES:
        own = {square: kind for square, kind in there.items() if setup.rows_from_base(side, square) < setup.half}
        if not any(square in own and kind in map(own.get, neighbours(square)) for square, kind in may):
            title = SIDE_TITLES[side]
            yield f"{title}'s half has no hill or wood of two squares for its headquarters, which fall to two pieces."
