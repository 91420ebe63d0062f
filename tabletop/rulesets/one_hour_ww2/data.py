"""Tables of One-Hour Wargames: WWII, version 8, as data. Places are headings of the rules text.

A *ruling* is how a passage that is damaged, silent or contradictory is read here; where players do differ it is a
switch of :class:`HouseRules`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

NAME = "one-hour-ww2"

DICE: Mapping[str, tuple[int, ...]] = MappingProxyType({"d5": (2, 3, 3, 4, 4, 5), "d6": (1, 2, 3, 4, 5, 6)})
"""Faces of the two dice (Game conventions, Dice): average dice, called D5, and ordinary ones."""


@dataclass(frozen=True)
class Kind:
    """A unit type: which row and column of the fire table it uses, its reach in inches and what it may do.

    ``normal_in`` is its ordinary range, ``long_in`` its long range (``None``: none), ``has_close`` whether close range
    doubles its hits (Firing actions, Ranges). ``gap_in`` is how far its bases may stand apart (Units).
    """

    name: str
    fires_as: str
    struck_as: str
    normal_in: float
    long_in: float | None
    has_close: bool
    gap_in: float = 1.0

    @property
    def reach_in(self) -> float:
        """The farthest range at which it fires at all."""
        return self.long_in if self.long_in is not None else self.normal_in


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            Kind("infantry", "infantry", "infantry", 12.0, None, True),
            Kind("mortar", "mortar", "mortar", 48.0, None, False),
            Kind("atg", "atg", "atg", 12.0, 24.0, True),
            Kind("tank", "tank", "tank", 12.0, 24.0, True, gap_in=2.0),
            # Scenario 6 of the play reports: close-support tanks fire as mortars, and move and are shot at as tanks.
            Kind("mortar-tank", "mortar", "tank", 48.0, None, False, gap_in=2.0),
        )
    }
)

KIND_WORDS: Mapping[str, str] = MappingProxyType(
    {"infantry": "infantry", "mortar": "mortar", "atg": "ATG", "tank": "tank", "mortar-tank": "close-support tank"}
)
"""How people call a kind of unit, in a sentence."""

AGAINST: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "infantry": {"infantry": 0, "mortar": -2, "atg": 0, "tank": -2},
        "mortar": {"infantry": 2, "mortar": 0, "atg": 2, "tank": -2},
        "atg": {"infantry": -2, "mortar": -2, "atg": -2, "tank": 2},
        "tank": {"infantry": 0, "mortar": 0, "atg": 0, "tank": 2},
    }
)
"""Added to the die, by firer and target (Firing actions, table)."""

ON_REAR, TO_REAR = 2, -2
"""Added when the target is fired on from behind its front line; when the firer fires behind its own (same table)."""

HALF, QUARTER, DOUBLE = Fraction(1, 2), Fraction(1, 4), Fraction(2)


@dataclass(frozen=True)
class HouseRules:
    """The switches, at this product's rulings. Distances in inches.

    ``destroyed_at``: a unit is removed at that many hits (ruling 1; the text has "15+" and "more than 15").
    ``close_in`` and ``long_range``: version 8's 4 inches and halving, or the change list's 2 and "minus two"
    (ruling 2). ``close_mortars_fire``: a mortar fires, undoubled, at targets within close range; without it, it does
    not (ruling 16; Ranges, "no Close Range", as both play reports with mortars close by play it).
    ``concealed_in``: how near one must be to see a unit that is concealed and Ready (Line of Sight).
    ``area_sight_in``: longest sight that touches area terrain (ruling 3). ``threat_in``: Movement, Threatened units.
    ``facing_deg`` and ``level_in``: bases whose facings differ by no more still face one way, and one whose front
    stands no more ahead of the unique base's is still level with it; bases are placed by hand.
    ``wood_edge_in``: how far inside a wood the nearest part of an ATG's base may stand and still be at its edge
    (Terrain, Woods; ruling 18). ``wood_edge_front``: instead of that, the front edge of an ATG's base is on the wood's
    outline or outside it. ``ties_any_units``: a scenario's tie to an objective binds as many units of that side as it
    names, whichever they are, rather than those that it names (play report of scenario 14, first paragraphs).
    """

    destroyed_at: int = 15
    close_in: float = 4.0
    long_range: Literal["half", "minus two"] = "half"
    close_mortars_fire: bool = False
    concealed_in: float = 12.0
    area_sight_in: float = 4.0
    threat_in: float = 2.0
    facing_deg: float = 15.0
    level_in: float = 0.25
    wood_edge_in: float = 1.0
    wood_edge_front: bool = False
    ties_any_units: bool = False


_AS_RULED = HouseRules()
THREAT_IN = _AS_RULED.threat_in
"""How near an enemy threatens a unit (Movement, Threatened units)."""
AREA_KINDS = ("woods", "town", "field")
BLOCKS_SIGHT = (*AREA_KINDS, "hill")
"""Terrain whose outline stands in a sight (Line of Sight; docs/one-hour-ww2.md)."""


def ranges(kind: str, rules: HouseRules = _AS_RULED) -> tuple[tuple[str, float], ...]:
    """The ranges of a kind of unit by name and inches, the nearest first; none of a kind that is not known.

    >>> ranges("tank")
    (('close', 4.0), ('normal', 12.0), ('long', 24.0))
    """
    if kind not in KINDS:
        return ()
    found = KINDS[kind]
    close = (("close", rules.close_in),) if found.has_close else ()
    far = (("long", found.long_in),) if found.long_in is not None else ()
    return (*close, ("normal", found.normal_in), *far)
