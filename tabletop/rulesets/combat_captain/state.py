"""The state of a game: the fold of its events. Nothing here judges; what may happen is checked before."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from tabletop.game.protocol import Outcome
from tabletop.open_table.setup import bases_of
from tabletop.rulesets.combat_captain.damage import Slot
from tabletop.rulesets.combat_captain.data import MOST_PLANES, NAME, Help
from tabletop.rulesets.combat_captain.events import SavesDue, Step
from tabletop.rulesets.combat_captain.field import Field
from tabletop.rulesets.combat_captain.setup import Company, Point, Setup, Standing, SubUnit
from tabletop.tables.scene import Scene, Unit


@dataclass(frozen=True)
class Stand:
    """A sub-unit that fights on: its soldiers left, its cover, where it stands (``None``: not on the table).

    ``since`` is the turn in which it was last put elsewhere, ``fired`` how many of its company's dice it has spent on
    fire in this turn.
    """

    plan: SubUnit
    men: int
    at: Standing | None = None
    cover: int = 0
    cover_facing: float | None = None
    since: int = 0
    fired: int = 0

    @property
    def id(self) -> str:
        """Its id."""
        return self.plan.id

    @property
    def toughness(self) -> int:
        """Hits that destroy it as it is."""
        return self.men if self.plan.soldiers else self.plan.toughness

    @property
    def losses(self) -> int:
        """Soldiers that it has lost."""
        return self.plan.men - self.men

    def slot(self, cover: int, toughness: int | None = None) -> Slot:
        """It as a target of hits, at that cover level."""
        return Slot(self.id, self.toughness if toughness is None else toughness, cover, not self.plan.soldiers)


@dataclass(frozen=True)
class Combat:
    """A close combat that is being resolved: ``stage`` is what is to be thrown or done next. ``stood`` is where its
    winner's stands stood when it was won, ``fled`` where its loser's stood, who withdraws ``inches``."""

    attacker: str
    defender: str
    stage: Literal["saves", "melee", "retreat", "follow"] = "saves"
    winner: str = ""
    loser: str = ""
    stood: tuple[tuple[str, Standing], ...] = ()
    fled: tuple[tuple[str, Standing], ...] = ()
    inches: int = 0


@dataclass(frozen=True)
class Support:
    """Help from off the table that ``side`` gets: ``what`` (``None``: it is still to be chosen), how many shells or
    planes are left (``None``: still to be thrown), and the tape of the run that is flown now.

    ``crossed`` are the stands still to be attacked under the tape; ``under`` the one whose dice lie, with their faces
    in ``roll``.
    """

    side: str
    what: Help | None
    left: int | None = None
    tape: tuple[Point, Point] | None = None
    crossed: tuple[str, ...] = ()
    under: str = ""
    roll: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class State:
    """A game at one moment. ``stands`` are the sub-units that fight on, company by company.

    ``gone`` has why (``destroyed``, ``removed``) and in which turn others left. ``low`` are the sides whose next
    activation phase has low ammunition, ``short`` whether this one has. ``touching`` are the companies that touched as
    the close combats began, ``fought`` those of them that have fought in this phase, ``ran`` companies that withdrew
    before one, ``tried`` whether the random event was thrown for. ``spent`` are the dice of this turn that companies
    spent on anything but fire, as their players say.
    """

    setup: Setup
    stands: Mapping[str, Stand]
    leaders: Mapping[str, str]
    chits: Mapping[str, int]
    turn: int = 0
    side: str = ""
    step: Step = "deploy"
    gone: tuple[tuple[str, str, int], ...] = ()
    graves: Mapping[str, Standing] = field(default_factory=dict)
    saves: SavesDue | None = None
    combat: Combat | None = None
    support: Support | None = None
    touching: tuple[tuple[str, str], ...] = ()
    fought: frozenset[tuple[str, str]] = frozenset()
    ran: frozenset[str] = frozenset()
    spent: Mapping[str, int] = field(default_factory=dict)
    tried: bool = False
    low: frozenset[str] = frozenset()
    short: bool = False
    planes_lost: Mapping[str, int] = field(default_factory=dict)
    result: Outcome | None = None
    known: Field | None = None
    """The field of the state before, as long as nobody has moved or left since."""

    @property
    def other(self) -> str:
        """The side whose turn it is not."""
        return self.setup.other(self.side)

    @cached_property
    def field(self) -> Field:
        """Where everybody stands, with ranges and sights."""
        return self.known or Field.of(self.setup, {s.id: s.at for s in self.stands.values() if s.at is not None})

    def company(self, name: str) -> Company:
        """A company, by its own id or that of one of its sub-units."""
        return self.setup.by_id.get(name) or self.setup.company_of[name]

    def members(self, company: str, *, on_table: bool = False) -> tuple[Stand, ...]:
        """The sub-units of a company that fight on, in its order."""
        plan = self.setup.by_id[company]
        found = (self.stands[sub.id] for sub in plan.subs if sub.id in self.stands)
        return tuple(stand for stand in found if stand.at is not None or not on_table)

    def dice_used(self, company: str) -> int:
        """How many of its dice a company has used in this turn: the most that a sub-unit fired with, and what was spent
        otherwise. A die that is spent on fire lets each of its sub-units fire once."""
        return max((stand.fired for stand in self.members(company)), default=0) + self.spent.get(company, 0)

    def alive(self, side: str) -> bool:
        """Whether a side has anybody left."""
        return any(self.setup.side_of(name) == side for name in self.stands)

    def planes(self, side: str) -> int:
        """How many planes a side can still get at once."""
        return MOST_PLANES - self.planes_lost.get(side, 0)

    @cached_property
    def memo(self) -> dict[Hashable, Any]:
        """What was worked out about this state and may be asked for again."""
        return {}

    @cached_property
    def scene(self) -> Scene:
        """The table as a scene, each sub-unit a unit of one base."""
        units = tuple(
            Unit(s.id, self.setup.side_of(s.id), s.plan.kind, bases_of((s.plan.base,), (s.at,)), 0, expected_bases=1)
            for s in self.stands.values()
            if s.at is not None
        )
        return Scene(NAME, self.setup.width, self.setup.depth, units, self.setup.features)

    def to_json(self) -> dict[str, Any]:
        """The state as JSON: sub-units with their markers, companies with leaders and chits, what is to be thrown."""
        support, saves = self.support, self.saves
        return {
            "rules": NAME,
            "title": self.setup.title,
            "turn": self.turn,
            "side": self.side,
            "step": self.step,
            "units": [self._stand_json(stand) for stand in self.stands.values()],
            "companies": [
                {
                    "id": company.id,
                    "side": company.side,
                    "leader": self.leaders.get(company.id),
                    "chits": self.chits[company.id],
                    "radius_in": company.radius_in,
                    "dice_used": self.dice_used(company.id),
                }
                for company in self.setup.companies
            ],
            "off": [{"unit": unit, "why": why, "turn": turn} for unit, why, turn in self.gone],
            "saves": None
            if saves is None
            else {"side": saves.side, "hits": saves.hits, "cause": saves.cause, "units": [s.sub for s in saves.slots]},
            "combat": None
            if self.combat is None
            else {name: getattr(self.combat, name) for name in ("attacker", "defender", "stage", "winner", "loser")},
            "support": None
            if support is None
            else {
                **{name: getattr(support, name) for name in ("side", "what", "left", "under")},
                "tape": None if support.tape is None else [list(point) for point in support.tape],
                "crossed": list(support.crossed),
                "roll": list(support.roll),
            },
            "touching": [list(pair) for pair in self.touching],
            "fought": sorted([list(pair) for pair in self.fought]),
            "ran": sorted(self.ran),
            "tried": self.tried,
            "low_ammunition": sorted(self.low),
            "short": self.short,
            "planes_lost": dict(sorted(self.planes_lost.items())),
            "outcome": None if self.result is None else {"winner": self.result.winner, "reason": self.result.reason},
        }

    def _stand_json(self, stand: Stand) -> dict[str, Any]:
        at = stand.at
        return {
            "id": stand.id,
            "company": self.setup.company_of[stand.id].id,
            "side": self.setup.side_of(stand.id),
            "kind": stand.plan.kind,
            "men": stand.men,
            "cover": stand.cover,
            "cover_facing": stand.cover_facing,
            "since": stand.since,
            "fired": stand.fired,
            "at": None
            if at is None
            else {
                "center": [at.x, at.y],
                "facing": at.facing,
                "covariance": list(at.covariance),
                "facing_sigma": at.facing_sigma,
            },
        }


def with_place(state: State, name: str, at: Standing) -> State:
    """The state with a sub-unit put there; more than a nudge ends its cover and its standing still."""
    stand = state.stands[name]
    was = stand.at
    moved = was is not None and math.hypot(at.x - was.x, at.y - was.y) > NUDGE_IN
    stand = replace(stand, at=at)
    if moved and state.step != "deploy":
        stand = replace(stand, since=state.turn, cover=0, cover_facing=None)
    elif was is None:
        stand = replace(stand, since=state.turn)
    return with_stand(state, stand, moved=True)


def with_stand(state: State, stand: Stand, *, moved: bool = False) -> State:
    """The state with a sub-unit changed; ``moved``: it stands elsewhere."""
    stands = {**state.stands, stand.id: stand}
    return replace(state, stands=stands, known=None) if moved else with_fields(state, stands=stands)


def with_fields(state: State, **fields: Any) -> State:
    """The state with some fields changed that move nobody, so that ranges and sights stay known."""
    return replace(state, known=state.__dict__.get("field") or state.known, **fields)


def without(state: State, name: str, why: str) -> State:
    """The state with a sub-unit off the table."""
    stand = state.stands[name]
    graves = state.graves if stand.at is None else {**state.graves, name: stand.at}
    stands = {key: value for key, value in state.stands.items() if key != name}
    support = state.support
    if support is not None and name in support.crossed:
        support = replace(support, crossed=tuple(other for other in support.crossed if other != name))
    gone = (*state.gone, (name, why, state.turn))
    return replace(state, stands=stands, gone=gone, graves=graves, support=support, known=None)


NUDGE_IN = 0.25
"""A stand that is put no farther off than this has not moved."""
