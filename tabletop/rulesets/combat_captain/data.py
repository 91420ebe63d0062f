"""Tables of Combat Captain as data: kinds of sub-units, weapons with their ranges, modifiers, and the switches.

Where the text is silent or may be read in two ways, how it is read here is told beside the number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

from pydantic import model_validator

NAME = "combat-captain"
TITLE = "Combat Captain"

FACES = (1, 2, 3, 4, 5, 6)
STEP_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "deploy": "the set-up",
        "activations": "the activations",
        "combat": "the close combats",
        "event": "the random event",
        "over": "after the end of the game",
    }
)
YES, OPEN, NO = 1, 0, -1
"""Answers of :mod:`geometry.tolerance` as plain numbers: surely, too close to call, surely not."""
DICE_PER_TURN = 3
"""Dice of a unit in a turn; all of them spent on fire give each sub-unit one more [Fire Chart]."""
LOW_AMMUNITION = 2
"""Dice of a unit that may be fire in an activation phase with low ammunition [Random Events]."""

Kind = Literal["rifles", "bazooka", "machine-gun", "mortar", "gun", "vehicle", "half-track", "tank"]
Grade = Literal["inferior", "normal", "superior"]
Armour = Literal["thin", "normal", "superior"]
Arms = Literal["rifles", "enhanced"]
Band = Literal["short", "medium", "long", "out"]
TargetClass = Literal["infantry", "vehicle", "half-track", "thin", "normal", "superior"]

Help = Literal["artillery", "strafing", "bombing"]

HELPS: tuple[Help, ...] = get_args(Help)
"""What may come from off the table."""
KINDS: tuple[Kind, ...] = get_args(Kind)
GRADES: tuple[Grade, ...] = get_args(Grade)
ARMOURS: tuple[Armour, ...] = get_args(Armour)
ARMS: tuple[Arms, ...] = get_args(Arms)
BANDS: tuple[Band, ...] = ("short", "medium", "long")
SOLDIERS: tuple[Kind, ...] = ("rifles", "bazooka", "machine-gun", "mortar", "gun")
"""Kinds that are soldiers on a stand, a gun's crew among them: a hit takes one of them [Fire Chart]."""
HEAVY: tuple[Kind, ...] = ("machine-gun", "bazooka", "mortar")
"""Heavy weapons of an infantry company [Organization of Armies]."""

KIND_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "rifles": "rifle squad",
        "bazooka": "bazooka team",
        "machine-gun": "machine gun",
        "mortar": "mortar",
        "gun": "gun",
        "vehicle": "vehicle",
        "half-track": "half-track",
        "tank": "tank",
    }
)

HITS_TO_KILL: Mapping[str, int] = MappingProxyType({"vehicle": 2, "half-track": 3, "tank": 5})
"""Hits that kill what is no soldier. A tank's 5 count in close combat; fire kills it by its kill number."""
COMBAT_DICE: Mapping[str, int] = MappingProxyType({"vehicle": 0, "tank": 3})
"""Dice of a sub-unit in close combat; all others throw one [Combat resolution]."""

MOST_PLANES = 3
TAPE_IN = 36.0
COUNTER_ATTACK_IN = 6.0
WITHDRAWAL_DICE = 4
SHELL_WIDTH_IN, MOST_SHELL_IN = 1.0, 6.0
"""An ordinary cotton ball across; heavier guns get bigger ones [Off-Board Artillery Fire, Discussion]."""
COVER_ARC_DEG = 270.0
ALL_ROUND_COVER = 4
MOST_COVER = 5
AUTOMATIC = 100


@dataclass(frozen=True)
class Weapon:
    """A weapon: what modifiers it uses, and the far ends of its short, medium and long range in inches.

    ``medium_in`` and ``long_in`` are ``None`` where it has no such range.
    """

    name: str
    fires_as: str
    short_in: float
    medium_in: float | None
    long_in: float | None

    @property
    def reach_in(self) -> float:
        """The farthest range at which it fires at all."""
        return self.long_in or self.short_in

    def band(self, range_in: float) -> Band:
        """The range band that a distance lies in, its far end included.

        >>> WEAPONS["crewed-mg"].band(12.0), WEAPONS["bazooka"].band(8.5)
        ('short', 'out')
        """
        if range_in <= self.short_in:
            return "short"
        if self.medium_in is not None and range_in <= self.medium_in:
            return "medium"
        return "long" if self.long_in is not None and range_in <= self.long_in else "out"

    @property
    def limits(self) -> tuple[tuple[Band, float], ...]:
        """The bands with their far ends."""
        return tuple(
            (band, inches)
            for band, inches in zip(BANDS, (self.short_in, self.medium_in, self.long_in), strict=True)
            if inches is not None
        )


WEAPONS: Mapping[str, Weapon] = MappingProxyType(
    {
        weapon.name: weapon
        for weapon in (
            Weapon("rifles", "rifles", 8.0, 16.0, 24.0),
            Weapon("enhanced", "enhanced", 8.0, 16.0, 24.0),
            Weapon("bazooka", "inferior", 8.0, None, None),
            Weapon("crewed-mg", "machine-gun", 12.0, 24.0, 36.0),
            Weapon("mg", "machine-gun", 8.0, 16.0, 24.0),
            Weapon("mortar", "mortar", 12.0, 24.0, 36.0),
            Weapon("gun-inferior", "inferior", 16.0, 32.0, 48.0),
            Weapon("gun-normal", "normal", 16.0, 32.0, 48.0),
            Weapon("gun-superior", "superior", 16.0, 32.0, 48.0),
        )
    }
)
"""The range table [Fire Chart, Weapon Ranges]. ``mg`` is mounted on a vehicle: small arms range, else a machine gun."""

MODIFIERS: Mapping[tuple[str, TargetClass], int] = MappingProxyType(
    {
        ("rifles", "infantry"): 0,
        ("rifles", "vehicle"): 0,
        ("rifles", "half-track"): 0,
        ("enhanced", "infantry"): 1,
        ("enhanced", "vehicle"): 0,
        ("enhanced", "half-track"): 0,
        ("machine-gun", "infantry"): 6,
        ("machine-gun", "vehicle"): 6,
        ("machine-gun", "half-track"): 0,
        ("mortar", "infantry"): 0,
        ("mortar", "vehicle"): 0,
        ("mortar", "half-track"): 0,
        **{(grade, "infantry"): 2 for grade in GRADES},
        **{(grade, soft): 0 for grade in GRADES for soft in ("vehicle", "half-track")},
        ("inferior", "thin"): -1,
        ("inferior", "normal"): -2,
        ("inferior", "superior"): -4,
        ("normal", "thin"): 1,
        ("normal", "normal"): 0,
        ("normal", "superior"): -1,
        ("superior", "superior"): -1,
        ("superior", "normal"): 1,
        ("superior", "thin"): 2,
    }
)
"""Added to the fire points by each firing sub-unit [Fire Chart, Modifiers]; what is not here can't fire at that.

Not printed and taken as 0: a gun against armour of its own grade, and anything but a machine gun against vehicles and
half-tracks. Half-tracks are listed apart from non-armoured vehicles there, so that a machine gun's 6 is not for them.
Guns of every grade have the 2 against infantry, bazookas too, since they are considered inferior guns. Only guns fire
at armour: the chart gives nobody else a modifier against it, and mortars are said to do nothing.
"""

STATIONARY = 2
"""A gun that stood still, at a target that stood still, on the third turn of that [Fire Chart, Modifiers]."""
STATIONARY_TURNS = 3


@dataclass(frozen=True)
class HouseRules:
    """The switches, at this product's readings. Distances in inches.

    ``forest_edge_in``: how deep into a forest one sees from outside, and out of it (the text lets units on the edge be
    seen and gives no depth). ``forest_sight_in``: sight within a forest [Fire Chart, line of sight].
    ``company_blocks``: the firer's own company blocks its sight as all troops do. ``penalty_first``: morale markers
    lower a die before it is looked whether it is even or odd. They are meant as a penalty [Designers Notes], which at
    long range they would not be then, so that by default the face as it lies decides and what it counts is lowered.
    ``lowered_variable``: they lower the variable die too, as a penalty on every die does [Fire Chart, Other modifiers].
    ``contact_in``: how near stands are that touch, placed by hand. ``cotton_in``: how wide a ball of cotton is.
    ``withdrawals_judged``: a lost close combat is settled when the loser touches nobody who won and has gone as far as
    it threw; games that were stored before there was this switch are not judged by it.
    """

    forest_edge_in: float = 1.5
    forest_sight_in: float = 8.0
    company_blocks: bool = True
    penalty_first: bool = False
    lowered_variable: bool = True
    contact_in: float = 0.25
    cotton_in: float = SHELL_WIDTH_IN
    withdrawals_judged: bool = True

    @model_validator(mode="before")
    @classmethod
    def _as_stored(cls, data: Any) -> Any:
        return {"withdrawals_judged": False, **data} if isinstance(data, dict) else data
