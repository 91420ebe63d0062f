"""What a piece can do by its kind, the period and what was agreed: squares a turn, ranges."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tabletop.rulesets.combat.data import KINDS, NEW, PERIODS, SIDES
from tabletop.rulesets.combat.setup import Setup

_RAISED = ("tank", "gun")
_AGREED = "Variations of play"


@lru_cache(maxsize=512)
def allowance(period: str, more: int, kind: str) -> tuple[int, int]:
    """Squares a turn in the open and wholly on road; ``more`` was agreed on for guns and tanks.

    >>> allowance("", 0, "tank"), allowance("late-wwi", 0, "tank"), allowance("", 0, "helicopter")
    ((3, 5), (2, 3), (4, 6))
    """
    as_guns = kind == "tank" and period != "" and PERIODS[period].tanks_as_guns
    data = KINDS["gun" if as_guns else kind]
    raised = more if kind in _RAISED else 0
    return data.moves + raised, data.road + raised


@lru_cache(maxsize=512)
def reach_of(period: str, more: int, kind: str) -> tuple[int, int]:
    """The range and that on a crest; a helicopter's follows a tank's [House rules, 9].

    >>> reach_of("", 0, "gun"), reach_of("late-cold-war", 0, "helicopter"), reach_of("mid-cold-war", 0, "foot")
    ((4, 5), (5, 6), (2, 2))
    """
    data = KINDS[kind]
    ranges = PERIODS[period].ranges if period else {}
    far = data.range + ranges.get("tank" if kind == "helicopter" else kind, 0) + (more if kind in _RAISED else 0)
    return far, far + data.crest


def box(setup: Setup) -> Iterator[tuple[str, str]]:
    """The names and kinds of all pieces that either side could ever choose, whatever it did choose."""
    for side in SIDES:
        for kind in setup.kinds:
            data = KINDS[kind]
            for n in range(1, min(data.pool, setup.pieces or setup.most_pieces) + 1):
                yield f"{side[0].upper()}{data.letter}{n}", kind


def moves_of(setup: Setup, kind: str) -> tuple[int, int]:
    """Squares a turn of a kind in the open and wholly on road."""
    return allowance(setup.period, setup.more_speed, kind)


def range_of(setup: Setup, kind: str, *, crest: bool) -> int:
    """The range of a kind, on a hill's crest or not."""
    return reach_of(setup.period, setup.more_range, kind)[crest]


def move_place(setup: Setup, kind: str) -> str:
    """Where the rules have how far a kind moves.

    >>> move_place(Setup(), "tank"), move_place(Setup(period="late-wwi"), "tank"), move_place(Setup(), "foot")
    ('Movement, Tanks', 'House rules, 11', 'House rules, 6')
    """
    if kind == "tank" and setup.period and PERIODS[setup.period].tanks_as_guns:
        return PERIODS[setup.period].place
    return _AGREED if setup.more_speed and kind in _RAISED else KINDS[kind].place


def range_place(setup: Setup, kind: str) -> str:
    """Where the rules have how far a kind fires.

    >>> range_place(Setup(), "gun"), range_place(Setup(period="late-wwii"), "tank"), range_place(Setup(), "foot")
    ('Firing', 'House rules, 13', 'House rules, 6')
    """
    if setup.period and ("tank" if kind == "helicopter" else kind) in PERIODS[setup.period].ranges:
        return PERIODS[setup.period].place
    if setup.more_range and kind in _RAISED:
        return _AGREED
    return KINDS[kind].place if kind in NEW else "Firing"
