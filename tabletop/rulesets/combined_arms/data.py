"""Combined Arms: names, terrain, platoons, and the numbers that the rules give.

Source: Phil Sabin, *Combined Arms*; places are cited as [Section, paragraph]. Where the text leaves a reading open, the
reading taken is in docs/combined-arms.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

NAME = "combined-arms"

ATTACKER, DEFENDER = "attacker", "defender"
SIDES = (ATTACKER, DEFENDER)

Kind = Literal["rifle", "mmg", "armour"]
Terrain = Literal["open", "poor going", "crest", "woods", "wooded crest", "farm"]
Atg = Literal["none", "potential", "real", "removed"]
Ammo = Literal["he", "smoke"]
Mode = Literal["solitaire", "co-operative", "enemy-player"]

ROW_WIDTHS = (7, 8, 9, 10, 11, 10, 9, 8, 7)
"""Hexes in every hexrow, the attacker's rear edge first [The playing board]."""

TERRAIN: tuple[Terrain, ...] = ("open", "poor going", "crest", "woods", "wooded crest", "farm")
DEFENSIVE: frozenset[str] = frozenset({"crest", "woods", "wooded crest", "farm"})
"""What blocks a line of fire, covers infantry and may hold defenders."""
CRESTS: frozenset[str] = frozenset({"crest", "wooded crest"})
WOODED: frozenset[str] = frozenset({"woods", "wooded crest"})
HULL_DOWN: frozenset[str] = CRESTS | {"farm"}
"""Where armour is harder to break by anti-tank guns [Enemy fire, 1st paragraph]."""
CLEAR: frozenset[str] = frozenset({"open", "poor going"})
"""What counts as open ground beside a potential anti-tank gun (road hexes too) [The units, 2nd paragraph]."""

TERRAIN_OF_DICE: Mapping[int, Terrain] = MappingProxyType(
    {8: "poor going", 9: "crest", 10: "woods", 11: "wooded crest", 12: "farm"}
)
"""Two dice for every hex beside the road; up to 7 it is open [The playing board]."""

COMPANIES = ("D", "E", "F")
RIFLES = ("D1", "D2", "D3", "E1", "E2", "E3", "F1", "F2", "F3")
MMGS = ("M1", "M2")
ARMOUR = ("A1", "A2", "A3")
PLATOONS = (*RIFLES, *MMGS, *ARMOUR)
KINDS: Mapping[str, Kind] = MappingProxyType(
    {**dict.fromkeys(RIFLES, "rifle"), **dict.fromkeys(MMGS, "mmg"), **dict.fromkeys(ARMOUR, "armour")}
)
KIND_TITLES: Mapping[str, str] = MappingProxyType(
    {"rifle": "rifle platoon", "mmg": "MMG platoon", "armour": "armour platoon"}
)

ROLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"armour": ARMOUR, "D": RIFLES[:3], "E": RIFLES[3:6], "F": RIFLES[6:], "command": MMGS}
)
"""Who commands what in the co-operative game; "command" has the mortars and the last word [Co-operative team play]."""
ROLES_OF_SIX: Mapping[str, tuple[str, ...]] = MappingProxyType({**ROLES, "support": MMGS, "command": ()})
"""The same with six players: the overall commander has no platoons, "support" the MMGs and the mortars."""


def roles(apart: bool) -> Mapping[str, tuple[str, ...]]:
    """Who commands what; ``apart``: the overall commander is a player apart."""
    return ROLES_OF_SIX if apart else ROLES


CORNER_WORDS = ("top", "upper right", "lower right", "bottom", "lower left", "upper left")
"""A hex's corners by their numbers: facings, and the faces of the scatter die less 1."""

TURNS = 20
FREE_TURNS = 18
"""Every turn after this one costs a point, but in the easier game [Victory]."""
POINTS_TO_WIN = 20
RANGE = 5
TRACK = 8
"""Losses and ammunition are circular tracks from 0 to 7."""
SMOKE_ROUNDS = 4

HIT, BREAK = 2, 4
"""Least modified scores that make spent, and that break an adjacent target."""
CLOSE_BREAK = 5
"""Least modified score of infantry without anti-tank guns against armour [Enemy fire, 1st paragraph]."""
REVEAL = 5
PAYOFF_TO_TEST = 6
CHANCES_TO_TEST = 2
"""What makes potential defenders show themselves [Enemy decisions, 2nd paragraph]."""


def company(platoon: str) -> str:
    """The rifle company of a platoon; empty for MMGs and armour.

    >>> company("E2"), company("M1")
    ('E', '')
    """
    return platoon[0] if KINDS[platoon] == "rifle" else ""


def role_of(platoon: str, apart: bool = False) -> str:
    """Who commands a platoon in the co-operative game.

    >>> role_of("A2"), role_of("M1")
    ('armour', 'command')
    """
    return next(role for role, platoons in roles(apart).items() if platoon in platoons)
