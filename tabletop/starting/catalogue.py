"""The ways to begin a game without a scenario: rules with their modes and switches, kinds of units with bases."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.errors import RulesError
from tabletop.game.parts import PARTS, package_of, part
from tabletop.starting.new_game import BY_NAME
from tabletop.starting.scenario_options import ScenarioChoice, choices


@dataclass(frozen=True)
class Mode:
    """One way of playing: its id, its title, and a sentence on it."""

    id: str
    title: str
    says: str


@dataclass(frozen=True)
class Switch:
    """Something to choose: yes or no, or a number from 0 to ``most``; only in one of ``modes`` (empty: in any), and
    never together with the switch ``excludes``."""

    id: str
    title: str
    says: str
    most: int | None = None
    modes: tuple[str, ...] = ()
    excludes: str = ""


@dataclass(frozen=True)
class Standard:
    """A kind of unit and its usual number of rectangular bases with their width and depth."""

    kind: str
    title: str
    bases: int
    width_in: float
    depth_in: float


@dataclass(frozen=True)
class Offer:
    """The options that rules offer besides scenarios: their dice, modes and switches, and the kinds of units of a
    form."""

    id: str
    dice: tuple[str, ...] = ()
    modes: tuple[Mode, ...] = ()
    switches: tuple[Switch, ...] = ()
    kinds: tuple[Standard, ...] = ()

    @property
    def title(self) -> str:
        """The title of the rules."""
        return PARTS[self.id].title

    @property
    def by_name(self) -> bool:
        """Whether a game begins without a scenario or a roster."""
        return self.id in BY_NAME

    @property
    def grid(self) -> str | None:
        """The cells of its board; ``None`` on an open table, with a size given by its scenarios."""
        return PARTS[self.id].grid

    @property
    def by_form(self) -> bool:
        """Whether a game begins from a form."""
        return bool(self.kinds)

    @property
    def choices(self) -> tuple[ScenarioChoice, ...]:
        """The choices of its scenarios."""
        return choices(self.id)


def offers() -> dict[str, Offer]:
    """All rules, by their names; rules of other packages that can't be loaded are left out."""
    return {name: offer for name in PARTS if (offer := _offer(name)) is not None}


def _offer(rules: str) -> Offer | None:
    try:
        offer: Offer = part(rules, "offer") if PARTS[rules].offer else Offer(rules)
        choices(rules)
    except RulesError:
        if package_of(rules):
            return None
        raise
    return offer


def standard(kind: str) -> Standard | None:
    """The usual bases of a kind of unit; ``None`` for a kind that is not in forms.

    >>> standard("tank").depth_in
    2.5
    """
    return next((one for offer in offers().values() for one in offer.kinds if one.kind == kind), None)
