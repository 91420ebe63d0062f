"""Combat's facts: kinds of pieces, terrain, historical periods, house rules, each with the rules' place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, get_args

NAME = "combat"
TITLE = "Combat"
RED, BLUE = "red", "blue"
SIDES = (RED, BLUE)
"""Red's base line is row 1, Blue's the last row."""
SIDE_TITLES: Mapping[str, str] = MappingProxyType({RED: "Red", BLUE: "Blue"})

Profile = Literal["original", "codified"]
Terrain = Literal["open", "hill", "crest", "woods", "river", "bridge", "built-up", "defence"]
TERRAIN: tuple[Terrain, ...] = get_args(Terrain)
ROAD = "road"
"""What may be laid besides: a road over open ground, or through hills and woods."""
STRIP = "airstrip"
"""What a side may lay behind its deployment line: a square of its airstrip."""
TERRAIN_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "open": "open ground", "hill": "a hill", "crest": "a hill's crest", "woods": "woods", "river": "a river",
        "bridge": "a bridge", "built-up": "a built-up area", "defence": "a defence line",
    }
)  # fmt: skip

MAJORITY = 3
"""So many pieces to one win [The game for two players; Objective]."""
AHEAD = 5
"""One piece in so many may stand ahead of the deployment line [Deployment]."""
MINES, MINES_OF_FOUR = 16, 20
"""The most mines of a side, with two players and with four [Armies; Rules for four players]."""
MOST_PIECES, MOST_AGREED = 40, 30
"""As many pieces as a side's box has, and the most by the house rule [Variations of play; Set up, 3]."""
NEW_PIECES = 3
"""For a piece lost on the enemy's base line [Reinforcements]."""
CONFER = 3
"""Corps commanders confer after every so many turns [Rules for four players]."""
SAVED_ON = 5
"""The least throw that saves a piece without modifiers [Salvo cards; Firing]."""
PLANE_SAVED_ON = 4
"""The least throw that saves a plane that attacked [Airstrikes and airstrips]."""
LEAST_SAVE, MOST_SAVE = 2, 6
"""However many modifiers there are, a save is needed on 2 to 6."""
DEPTH, SHORT_DEPTH = 2, 1
"""How deep a shot reaches into a hill or woods, and into woods by the house rule [Firing; House rules, 3]."""


@dataclass(frozen=True)
class Kind:
    """A kind of piece: a letter for names, squares a turn (wholly on road: ``road``), range, ``crest`` what a crest
    adds to it, how many a side's box has (``pool``), and points. ``infantry`` and ``vehicle`` are what modifiers ask;
    ``ground`` is whether it sets off mines and can hold places."""

    id: str
    letter: str
    title: str
    plural: str
    moves: int
    road: int
    range: int
    crest: int
    pool: int
    points: int
    place: str
    infantry: bool = False
    vehicle: bool = False
    ground: bool = True


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        kind.id: kind
        for kind in (
            Kind("plane", "P", "plane", "planes", 0, 0, 0, 0, 8, 5, "Airstrikes and airstrips", ground=False),
            Kind("tank", "T", "tank", "tanks", 3, 5, 2, 1, 16, 3, "Movement, Tanks", vehicle=True),
            Kind("gun", "G", "gun", "guns", 2, 3, 4, 1, 16, 3, "Movement, Guns"),
            Kind("foot", "F", "foot infantry", "foot infantry", 2, 3, 1, 0, 20, 1, "House rules, 6", infantry=True),
            Kind("motorised", "M", "motorised infantry", "motorised infantry", 3, 5, 1, 0, 10, 3, "House rules, 7",
                 infantry=True),
            Kind("cavalry", "C", "cavalry", "cavalry", 3, 5, 1, 0, 10, 2, "House rules, 8"),
            Kind("helicopter", "H", "attack helicopter", "attack helicopters", 4, 6, 3, 1, 5, 6, "House rules, 9",
                 vehicle=True, ground=False),
        )
    }
)  # fmt: skip
"""All kinds of pieces by their names."""
BASIC = ("plane", "tank", "gun")
NEW = ("foot", "motorised", "cavalry", "helicopter")
BY_LETTER: Mapping[str, Kind] = MappingProxyType({kind.letter: kind for kind in KINDS.values()})
COUNT_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "plane": "planes", "tank": "tanks", "gun": "guns", "foot": "foot", "motorised": "motorised",
        "cavalry": "cavalry", "helicopter": "helicopters",
    }
)  # fmt: skip
"""The word that counts the pieces of each kind in an army."""
MINE = "mine"
"""What a mine is called where pieces go by their names."""
MOST_NUMBERS = 999_999_999
"""The highest number of a deployment that is made by number: so many that trying all until the pieces stand as they do,
to learn where the mines are, takes too long."""
MOST_STEPS = 12
"""No piece moves further in a turn, whatever was agreed."""


@dataclass(frozen=True)
class Ratio:
    """At the start at most ``share`` as many of ``kind`` as of another."""

    kind: str
    share: Fraction
    of: str


@dataclass(frozen=True)
class Period:
    """A historical period: the pieces that it has, whether mines are allowed, ratios at the start, the most of a kind
    at one time, squares added to ranges, and what it does to saves against planes and helicopters.

    ``air`` is added to planes' attacks, so that saves against them are so much easier; ``against_air`` is added to
    saves against planes and attack helicopters.
    """

    id: str
    title: str
    years: str
    kinds: tuple[str, ...]
    place: str
    mines: bool = True
    ratios: tuple[Ratio, ...] = ()
    at_once: Mapping[str, int] = field(default_factory=dict)
    ranges: Mapping[str, int] = field(default_factory=dict)
    tanks_as_guns: bool = False
    air: int = 0
    against_air: int = 0


_INFANTRY = ("foot", "motorised")
_MODERN = ("foot", "motorised", "tank", "gun", "helicopter", "plane")


def _further(squares: int, *kinds: str) -> Mapping[str, int]:
    return dict.fromkeys(kinds, squares)


PERIODS: Mapping[str, Period] = MappingProxyType(
    {
        period.id: period
        for period in (
            Period("early-wwi", "Early WWI", "c. 1900-1916", ("foot", "cavalry", "gun"), "House rules, 10",
                   mines=False, ratios=(Ratio("gun", Fraction(1, 4), "foot"),)),
            Period("late-wwi", "Late WWI", "1917-c. 1936", ("foot", "cavalry", "tank", "gun", "plane"),
                   "House rules, 11", mines=False, at_once={"plane": 2, "tank": 2}, tanks_as_guns=True, air=-1),
            Period("early-wwii", "Early WWII", "c. 1936-1942",
                   ("foot", "motorised", "cavalry", "tank", "gun", "plane"), "House rules, 12",
                   ratios=(Ratio("motorised", Fraction(1, 4), "tank"),)),
            Period("late-wwii", "Late WWII and early Cold War", "c. 1942-c. 1955",
                   ("foot", "motorised", "tank", "gun", "plane"), "House rules, 13", ranges=_further(1, "tank")),
            Period("mid-cold-war", "Mid Cold War", "c. 1955-c. 1975", _MODERN, "House rules, 14",
                   ratios=(Ratio("helicopter", Fraction(1, 8), "tank"),), ranges=_further(1, "tank", *_INFANTRY)),
            Period("late-cold-war", "Late Cold War", "c. 1975-c. 1990", _MODERN, "House rules, 15",
                   ratios=(Ratio("helicopter", Fraction(1, 2), "tank"),), ranges=_further(2, "tank", *_INFANTRY)),
            Period("post-cold-war", "Post Cold War", "c. 1990 onwards", _MODERN, "House rules, 16",
                   ranges=_further(2, "tank", *_INFANTRY), against_air=-1),
        )
    }
)  # fmt: skip
"""The historical periods by their names."""


@dataclass(frozen=True)
class HouseRules:
    """The house rules, each a switch. New pieces are switched on here, or come with a period."""

    planes_alternate: bool = False
    strip_on_base: bool = False
    woods_one_deep: bool = False
    rivers: bool = False
    built_up: bool = False
    planes_attack_planes: bool = False
    planes_fly: bool = False
    apart_at_night: bool = False
    most_30: bool = False
    foot: bool = False
    motorised: bool = False
    cavalry: bool = False
    helicopters: bool = False


HOUSE_TITLES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "planes_alternate": (
            "Planes on alternate turns", "A plane attacks on every second turn only.", "House rules, 1",
        ),
        "strip_on_base": (
            "Airstrip on the base line", "Each side has one airstrip, and it touches its base line.", "House rules, 2",
        ),
        "woods_one_deep": (
            "One square into woods", "A shot reaches one square deep into woods instead of two.", "House rules, 3",
        ),
        "rivers": ("Rivers and bridges", "Rivers are crossed at bridges only.", "House rules, 4"),
        "built_up": (
            "Built-up areas and defence lines", "They slow and hide as woods do; vehicles in them save worse.",
            "House rules, 5",
        ),
        "planes_attack_planes": ("Planes attack planes", "Planes may attack planes on the ground.", "Firing"),
        "planes_fly": (
            "Planes change airstrips", "A plane may fly to another of its side's airstrips instead of attacking.",
            "Movement, Planes",
        ),
        "apart_at_night": (
            "Boards apart at night", "While armies regroup the boards are apart: what moves on its own half is secret.",
            "Variations of play, Battle in time",
        ),
        "most_30": ("At most 30 pieces", "An army has at most 30 pieces.", "Set up, 3"),
        "foot": ("Foot infantry", "Foot infantry may be chosen.", "House rules, 6"),
        "motorised": ("Motorised infantry", "Motorised infantry may be chosen.", "House rules, 7"),
        "cavalry": ("Cavalry", "Cavalry may be chosen.", "House rules, 8"),
        "helicopters": ("Attack helicopters", "Attack helicopters may be chosen.", "House rules, 9"),
    }
)  # fmt: skip
"""Every house rule: its title, what it says, and its place."""


COUNTER = "counter-"
"""What a hill counter is laid as, before its direction."""
COMPASS: Mapping[str, str] = MappingProxyType(
    {
        "n": "north", "ne": "north-east", "e": "east", "se": "south-east", "s": "south", "sw": "south-west",
        "w": "west", "nw": "north-west",
    }
)  # fmt: skip
"""The eight directions of a straight line, clockwise from Blue's base line, which lies in the north."""


def opponent(side: str) -> str:
    """The other side.

    >>> opponent("red")
    'blue'
    """
    return BLUE if side == RED else RED


def count_of(number: int, kind: str) -> str:
    """So many pieces of a kind.

    >>> count_of(1, "tank"), count_of(2, "foot")
    ('1 tank', '2 foot infantry')
    """
    return f"{number} {KINDS[kind].title if number == 1 else KINDS[kind].plural}"
