"""What a game can be begun from besides a scenario: rules with their modes and switches, kinds of units with bases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tabletop.game.parts import PARTS
from tabletop.starting.new_game import COMBINED_ARMS, OPEN_TABLE
from tabletop.starting.scenario_options import Choice, choices


@dataclass(frozen=True)
class Mode:
    """One way of playing: its id, its title, and a sentence on it."""

    id: str
    title: str
    says: str


@dataclass(frozen=True)
class Switch:
    """Something to choose: yes or no, or a number from 0 to ``most``; only in one of ``modes`` (empty: in all), and
    never together with the switch ``excludes``."""

    id: str
    title: str
    says: str
    most: int | None = None
    modes: tuple[str, ...] = ()
    excludes: str = ""


@dataclass(frozen=True)
class Standard:
    """A kind of unit and what it usually has: so many rectangular bases of that width and depth."""

    kind: str
    title: str
    bases: int
    width_in: float
    depth_in: float


@dataclass(frozen=True)
class Offer:
    """Rules that a game can be begun by: ``by_name`` without a scenario or a roster, ``by_form`` from a form."""

    id: str
    title: str
    by_name: bool
    by_form: bool
    dice: tuple[str, ...]
    modes: tuple[Mode, ...] = ()
    switches: tuple[Switch, ...] = ()
    kinds: tuple[Standard, ...] = ()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What may be chosen of its scenarios."""
        return choices(self.id)


_MORE: Mapping[str, Offer] = MappingProxyType(
    {
        offer.id: offer
        for offer in (
            Offer(
                OPEN_TABLE,
                "One-Hour WWII",
                by_name=False,
                by_form=True,
                dice=("d5", "d6"),
                kinds=(
                    Standard("infantry", "Infantry", 3, 2.0, 1.25),
                    Standard("mortar", "Mortar", 3, 1.6, 1.6),
                    Standard("atg", "Anti-tank gun", 3, 1.6, 1.6),
                    Standard("tank", "Tank", 3, 1.75, 2.5),
                    Standard("mortar-tank", "Close-support tank", 3, 1.75, 2.5),
                ),
            ),
            Offer(
                COMBINED_ARMS,
                "Combined Arms",
                by_name=True,
                by_form=False,
                dice=("d6",),
                modes=(
                    Mode("solitaire", "Solitaire", "One player attacks; the rules play the defenders."),
                    Mode("co-operative", "Co-operative", "Up to five players share the attackers' commands."),
                    Mode(
                        "enemy-player", "Enemy player", "A player commands the defenders, who are laid out in secret."
                    ),
                ),
                switches=(
                    Switch("easier", "Easier game", "Turns after turn 18 cost no points."),
                    Switch(
                        "handicap",
                        "Handicap",
                        "Points that the attackers add to their score.",
                        most=50,
                        modes=("enemy-player",),
                        excludes="bid",
                    ),
                    Switch(
                        "bid",
                        "Bid for the defenders",
                        "Both players bid in secret for the defenders' command.",
                        modes=("enemy-player",),
                        excludes="handicap",
                    ),
                ),
            ),
        )
    }
)
"""Rules that are begun by more than scenarios; a test holds them against what the rulesets themselves say."""


def offers() -> dict[str, Offer]:
    """All rules, by their names."""
    return {name: _MORE.get(name) or Offer(name, parts.title, False, False, ()) for name, parts in PARTS.items()}


def standard(kind: str) -> Standard | None:
    """What a unit of a kind usually has; ``None`` for a kind that no form has.

    >>> standard("tank").depth_in
    2.5
    """
    return next((one for offer in offers().values() for one in offer.kinds if one.kind == kind), None)
