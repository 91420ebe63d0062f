"""How a game begins: the table, companies with their sub-units, how far leaders reach. Written into the first event.

Lengths in inches, facings in degrees clockwise from +y. A *unit* of the rules is a company here; its *sub-units* are
the stands on the table, each with an id of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from tabletop.game.actions import Standing
from tabletop.open_table.setup import Point, Shape, TableSetup, TerrainPiece
from tabletop.rulesets.combat_captain.data import (
    HITS_TO_KILL,
    SOLDIERS,
    WEAPONS,
    Armour,
    Arms,
    Grade,
    HouseRules,
    Kind,
    TargetClass,
    Weapon,
)

Composition = Literal["infantry", "tanks", "battery", "own", "free"]


@dataclass(frozen=True)
class SubUnit:
    """A sub-unit: its stand, its soldiers (``men``; 0 for what has none), its weapons, its cover, where it stands.

    ``arms`` are a rifle squad's, ``grade`` a gun's or a tank's gun's, ``armour`` a tank's; ``armed`` vehicles,
    half-tracks and tanks have a machine gun. ``cover`` is its level from 0 to 5, which faces ``cover_facing`` at levels
    1 to 3 (``None``: as the stand does).
    """

    id: str
    kind: Kind
    base: Shape
    men: int = 0
    name: str = ""
    arms: Arms = "rifles"
    grade: Grade = "normal"
    armour: Armour = "normal"
    armed: bool = True
    cover: int = 0
    cover_facing: float | None = None
    at: Standing | None = None

    @property
    def soldiers(self) -> bool:
        """Whether it is soldiers on foot, a gun's crew among them."""
        return self.kind in SOLDIERS

    @property
    def struck_as(self) -> TargetClass:
        """What it is for the modifiers of those who fire at it."""
        if self.kind == "tank":
            return self.armour
        if self.kind == "vehicle" or self.kind == "half-track":
            return self.kind
        return "infantry"

    @property
    def toughness(self) -> int:
        """Hits that destroy it whole: its men, or what its kind takes."""
        return self.men if self.soldiers else HITS_TO_KILL[self.kind]

    @cached_property
    def weapons(self) -> tuple[Weapon, ...]:
        """Its weapons, the one that it fires unless told otherwise in front."""
        match self.kind:
            case "rifles":
                return (WEAPONS[self.arms],)
            case "bazooka" | "mortar":
                return (WEAPONS[self.kind],)
            case "machine-gun":
                return (WEAPONS["crewed-mg"],)
            case "gun":
                return (WEAPONS[f"gun-{self.grade}"],)
            case "tank":
                return (WEAPONS[f"gun-{self.grade}"], *((WEAPONS["mg"],) if self.armed else ()))
        return (WEAPONS["mg"],) if self.armed else ()


@dataclass(frozen=True)
class Company:
    """A unit: sub-units under one leader, who reaches ``radius_in`` inches (by the quality of the unit).

    ``composition`` is what it is checked against (``free``: against nothing; ``own``: against ``makeup``, kinds with
    the least and the most of each), ``leader`` the id of its first leader.
    """

    id: str
    side: str
    subs: tuple[SubUnit, ...]
    leader: str
    radius_in: float
    composition: Composition = "free"
    name: str = ""
    quality: str = ""
    chits: int = 0
    makeup: tuple[tuple[Kind, int, int], ...] = ()


@dataclass(frozen=True)
class Goal:
    """What lets a side win at the end of a turn, as far as it can be measured: no enemy who can fight within
    ``radius_in`` inches of the point ``clear``, or ``count`` stands of a ``kind`` on the terrain ``hold``."""

    side: str
    clear: Point | None = None
    radius_in: float = 0.0
    hold: str = ""
    kind: Kind = "rifles"
    count: int = 1


@dataclass(frozen=True)
class Setup(TableSetup):
    """A game's beginning: ``sides`` in the order of play; ``aims`` are the victory conditions in the players' words.

    ``goals`` are those that computer players go for. ``turns`` is the last full turn (0: no limit); ``otherwise`` wins
    when it ends undecided (empty: a draw).
    """

    title: str
    sides: tuple[str, str]
    width: float
    depth: float
    companies: tuple[Company, ...]
    scenario: str = ""
    terrain: tuple[TerrainPiece, ...] = ()
    aims: tuple[str, ...] = ()
    turns: int = 0
    otherwise: str = ""
    rules: HouseRules = field(default_factory=HouseRules)
    side_titles: tuple[str, str] = ("", "")
    goals: tuple[Goal, ...] = ()

    @property
    def dice(self) -> str:
        """Ordinary dice."""
        return "d6"

    @cached_property
    def plans(self) -> dict[str, SubUnit]:
        """The sub-units by their ids, company by company."""
        return {sub.id: sub for company in self.companies for sub in company.subs}

    @cached_property
    def company_of(self) -> dict[str, Company]:
        """The company of each sub-unit."""
        return {sub.id: company for company in self.companies for sub in company.subs}

    @cached_property
    def by_id(self) -> dict[str, Company]:
        """The companies by their ids."""
        return {company.id: company for company in self.companies}

    def side_of(self, name: str) -> str:
        """The side of a company or a sub-unit."""
        company = self.by_id.get(name) or self.company_of[name]
        return company.side


__all__ = ["Company", "Composition", "Goal", "Point", "Setup", "Shape", "Standing", "SubUnit", "TerrainPiece"]
