"""The units and figures of WWII Combined Arms [Unit Attributes, Unit Master List, Army Creation]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

NAME = "ww2-combined-arms"
TITLE = "WWII Combined Arms"

SideId = Literal["red", "blue"]
RED: SideId = "red"
BLUE: SideId = "blue"
SIDES: tuple[SideId, SideId] = (RED, BLUE)
"""Red's rear is the near edge, row 1; blue's the far one."""

OTHER: Mapping[str, SideId] = MappingProxyType({RED: BLUE, BLUE: RED})
BACK: Mapping[str, int] = MappingProxyType({RED: -1, BLUE: 1})
"""The step between rows that leads back towards a side's own edge."""

UnitClass = Literal["infantry", "armour", "artillery", "air", "base"]


@dataclass(frozen=True)
class Kind:
    """A type of unit: its title, the two letters of its counter, its class, move, range and defence."""

    id: str
    title: str
    letters: str
    unit_class: UnitClass
    move: int
    range: int
    defence: int


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        kind.id: kind
        for kind in (
            Kind("general", "general infantry", "GI", "infantry", 1, 1, 5),
            Kind("paratroopers", "paratroopers", "PA", "infantry", 1, 1, 4),
            Kind("engineers", "engineers", "EN", "infantry", 1, 1, 4),
            Kind("mechanized", "mechanized infantry", "MI", "infantry", 2, 1, 4),
            Kind("light-tanks", "light tanks", "LT", "armour", 3, 2, 3),
            Kind("medium-tanks", "medium tanks", "MT", "armour", 2, 2, 4),
            Kind("heavy-tanks", "heavy tanks", "HT", "armour", 1, 2, 5),
            Kind("howitzers", "howitzers", "HO", "artillery", 1, 3, 3),
            Kind("at-guns", "anti-tank guns", "AT", "artillery", 1, 2, 3),
            Kind("aa-guns", "anti-aircraft guns", "AA", "artillery", 1, 2, 3),
            Kind("airfield", "airfield", "AF", "air", 2, 4, 2),
            Kind("fortification", "fortification", "FO", "base", 0, 3, 6),
            Kind("hq", "headquarters", "HQ", "base", 0, 1, 6),
        )
    }
)
"""The thirteen types, in the list's order."""

VALUES: Mapping[str, float] = MappingProxyType(
    {
        "general": 4.0, "paratroopers": 4.0, "engineers": 4.0, "mechanized": 4.5, "light-tanks": 5.0,
        "medium-tanks": 5.5, "heavy-tanks": 5.5, "howitzers": 5.5, "at-guns": 4.5, "aa-guns": 4.0, "airfield": 5.0,
        "fortification": 5.0, "hq": 200.0,
    }
)  # fmt: skip
"""What a unit of each type is worth."""

HQ = "hq"
AIRFIELD = "airfield"
AA_GUNS = "aa-guns"
PARATROOPERS = "paratroopers"
TANKS = frozenset(kind.id for kind in KINDS.values() if kind.unit_class == "armour")
BASES = frozenset(kind.id for kind in KINDS.values() if kind.unit_class == "base")
STOPPED = TANKS | {"mechanized"}
"""Whom difficult terrain stops [Optional Rules, Difficult Terrain]."""

DROP_MOVE = 4
"""The move of paratroopers that start the turn next to a friendly airfield [Unit Special Abilities]."""

DOUBLED: Mapping[str, frozenset[str]] = MappingProxyType({"engineers": BASES, "at-guns": TANKS})
"""Who does 2 damage instead of 1, and to whom [Unit Special Abilities]."""

CITIES = 4
ELITES = 2
EXPERIENCE = 5
REINFORCED_EVERY = 3
HOME_ROWS = 3
"""[City Spaces, Elite Units, Experienced Units, Reinforcements, Setup]."""

CITY = "city"
TERRAIN = ("mountain", "bocage", "woods", "marsh", "rough", "hill")
"""Kinds of difficult terrain beside cities; all of them count alike."""

LETTER: Mapping[str, str] = MappingProxyType({RED: "R", BLUE: "B"})
"""The first letter of a side's units."""
