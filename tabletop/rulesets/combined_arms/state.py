"""A game of Combined Arms as it stands, frozen: the fold of its events. Hexes are numbers, sets of them bits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from tabletop.game.lookups import WithLookups
from tabletop.game.protocol import Outcome
from tabletop.rulesets.combined_arms.board import ACTIVATION_RANK, NEAR, OFF, bits, road_steps
from tabletop.rulesets.combined_arms.data import (
    CRESTS,
    DEFENSIVE,
    HULL_DOWN,
    KINDS,
    PLATOONS,
    SMOKE_ROUNDS,
    WOODED,
    Ammo,
    Atg,
    Kind,
)
from tabletop.rulesets.combined_arms.setup import Setup

Fate = Literal["waiting", "board", "withdrawn", "out of ammunition", "exploited", "broken"]
Step = Literal["bids", "terrain", "defenders", "muster", "post", "move", "fire", "mortars", "enemy", "final", "over"]
Cause = Literal["enemy fire", "mortars", "enemy mortars"]


@dataclass(frozen=True, slots=True)
class Platoon:
    """One of the attackers' platoons: its hex (``OFF`` when not on the board), fresh or spent, armour's facing."""

    id: str
    at: int = OFF
    fate: Fate = "waiting"
    fresh: bool = True
    facing: int | None = None

    @property
    def kind(self) -> Kind:
        """Rifle, mmg or armour."""
        return KINDS[self.id]

    @property
    def is_infantry(self) -> bool:
        """Whether it is a rifle or MMG platoon."""
        return KINDS[self.id] != "armour"


@dataclass(frozen=True, slots=True)
class Counter:
    """A defenders' counter: potential until ``revealed``, with its anti-tank guns' own state."""

    at: int
    fresh: bool = True
    revealed: bool = False
    atg: Atg = "none"


@dataclass(frozen=True, slots=True)
class Call:
    """A mortar target: its hex, what is fired, and the turn of the call."""

    at: int
    ammo: Ammo
    turn: int


@dataclass(frozen=True, slots=True)
class Pending:
    """Hexes that are still to be rolled for, and who fires (``by``: the counter's hex; ``OFF``: mortars)."""

    cause: Cause
    hexes: tuple[int, ...]
    by: int = OFF


@dataclass(frozen=True, slots=True)
class Owed:
    """Losses passed round the track in a hex: so many of its infantry platoons break, which ones the player says."""

    at: int
    count: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """What dice decided for the counter that acts: the armour platoon, or the cluster, among equals."""

    armour: str = ""
    cluster: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Secret:
    """What the enemy's player alone knows: how many there are, and where the real ones stand."""

    platoons: int = 0
    atgs: int = 0
    platoon_hexes: frozenset[int] = frozenset()
    atg_hexes: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Tally:
    """What has become of the defenders' counters: placed (``guns_placed`` with guns), phantoms and false guns taken
    off, and real ones broken."""

    placed: int = 0
    guns_placed: int = 0
    phantoms: int = 0
    guns_false: int = 0
    platoons_broken: int = 0
    atgs_broken: int = 0


@dataclass(frozen=True)
class Ground:
    """The board's terrain by hex, and its road; ``known`` are the hexes whose terrain is known already."""

    terrain: tuple[str, ...]
    road: frozenset[int]
    known: int = 0

    @cached_property
    def cover(self) -> int:
        """Hexes with woods, a crest or a farm: they cover infantry and block lines of fire."""
        return bits(n for n, kind in enumerate(self.terrain) if kind in DEFENSIVE)

    @cached_property
    def crests(self) -> int:
        """Hexes with a crest, wooded or not."""
        return bits(n for n, kind in enumerate(self.terrain) if kind in CRESTS)

    @cached_property
    def hull_down(self) -> int:
        """Hexes with a crest or a farm, where armour is harder to break."""
        return bits(n for n, kind in enumerate(self.terrain) if kind in HULL_DOWN)

    @cached_property
    def no_armour(self) -> int:
        """Hexes that armour can't enter for their terrain."""
        return bits(n for n, kind in enumerate(self.terrain) if kind == "poor going" or kind in WOODED)

    @cached_property
    def road_steps(self) -> frozenset[tuple[int, int]]:
        """Neighbouring hexes joined by the road, both ways."""
        return road_steps(self.road)


@dataclass(frozen=True)
class State(WithLookups):
    """The whole game; ``activated`` counts the defenders' hexes that have acted this turn, as a set.

    ``fired_on`` are the hexes that were fired on in this phase; ``declared`` platoons (with facings) that committed
    themselves on ``declared_on``; ``mortar_stage`` where the enemy's mortars stand this turn.
    """

    LOOKUPS: ClassVar = {
        "platoons": ("by_id", "by_hex", "infantry", "platoon_hexes", "near_platoons", "rifles", "armour"),
        "enemy": ("counters", "enemy_hexes", "near_enemy"),
        "ground": ("blocking_hexes",),
        "smoke": ("blocking_hexes",),
    }

    setup: Setup
    ground: Ground
    step: Step
    turn: int = 0
    platoons: tuple[Platoon, ...] = tuple(Platoon(name) for name in PLATOONS)
    enemy: tuple[Counter, ...] = ()
    losses: int = 0
    ammo: int = 0
    smoke_rounds: int = SMOKE_ROUNDS
    smoke: tuple[int, ...] = ()
    call: Call | None = None
    enemy_call: Call | None = None
    fired_on: tuple[int, ...] = ()
    any_moved: bool = False
    any_fired: bool = False
    mortar_stage: Literal["", "to roll", "to aim", "called", "over"] = ""
    barrage: Literal["", "to scatter", "landed", "bombarded"] = ""
    activated: int = 0
    acted: tuple[str, ...] = ()
    chosen: Chosen = Chosen()
    pending: Pending | None = None
    owed: tuple[Owed, ...] = ()
    tally: Tally = Tally()
    secret: Secret | None = None
    bids: tuple[int | None, int | None] = (None, None)
    handicap: int = 0
    defending: int = 0
    claims: tuple[str, ...] = ()
    granted: str = ""
    sent: tuple[str, ...] = ()
    """Who sent the messages of this turn, one by one."""
    declared: tuple[tuple[str, int | None], ...] = ()
    declared_on: int = OFF
    result: Outcome | None = None
    score: tuple[tuple[str, int, int], ...] = ()
    turned: bool = False

    # --- lookups, worked out once a state

    @cached_property
    def by_id(self) -> dict[str, Platoon]:
        """Platoons by name."""
        return {p.id: p for p in self.platoons}

    @cached_property
    def by_hex(self) -> dict[int, tuple[Platoon, ...]]:
        """Platoons on the board by their hex."""
        found: dict[int, tuple[Platoon, ...]] = {}
        for p in self.platoons:
            if p.at != OFF:
                found[p.at] = (*found.get(p.at, ()), p)
        return found

    @cached_property
    def infantry(self) -> dict[int, tuple[Platoon, ...]]:
        """Infantry platoons on the board by their hex."""
        return {at: here for at, every in self.by_hex.items() if (here := tuple(p for p in every if p.is_infantry))}

    @cached_property
    def counters(self) -> dict[int, Counter]:
        """The defenders' counters by their hex."""
        return {c.at: c for c in self.enemy}

    @cached_property
    def enemy_hexes(self) -> int:
        """Hexes with a defenders' counter."""
        return bits(c.at for c in self.enemy)

    @cached_property
    def near_enemy(self) -> int:
        """Hexes next to a defenders' counter."""
        return around(c.at for c in self.enemy)

    @cached_property
    def platoon_hexes(self) -> int:
        """Hexes with any of the attackers' platoons."""
        return bits(self.by_hex)

    @cached_property
    def near_platoons(self) -> int:
        """Hexes next to any of the attackers' platoons."""
        return around(self.by_hex)

    @cached_property
    def rifles(self) -> int:
        """Hexes with a rifle platoon."""
        return bits(p.at for p in self.platoons if p.at != OFF and p.kind == "rifle")

    @cached_property
    def armour(self) -> tuple[Platoon, ...]:
        """Armour on the board."""
        return tuple(p for p in self.platoons if p.at != OFF and p.kind == "armour")

    @cached_property
    def blocking_hexes(self) -> int:
        """Hexes whose terrain or smoke blocks a line of fire."""
        cover = self.ground.cover
        return cover | bits(self.smoke) if self.smoke else cover

    @property
    def platoons_found(self) -> int:
        """Real defenders' platoons revealed so far, broken ones too."""
        return sum(c.revealed for c in self.enemy) + self.tally.platoons_broken

    @property
    def guns_found(self) -> int:
        """Real anti-tank guns revealed so far, broken ones too."""
        return sum(c.atg == "real" for c in self.enemy) + self.tally.atgs_broken

    @property
    def acting_counter(self) -> Counter | None:
        """The defenders' counter whose turn it is to act; ``None`` once all have."""
        return next((c for c in self.enemy if not self.activated >> c.at & 1), None)

    @property
    def deciding_counter(self) -> Counter | None:
        """The counter that the defenders' player decides about now; ``None``: about none."""
        waits = self.solitaire_defence or self.step != "enemy" or self.mortar_stage in ("to roll", "to aim")
        return None if waits else self.acting_counter

    @property
    def solitaire_defence(self) -> bool:
        """Whether the rules play the defenders."""
        return self.setup.mode != "enemy-player"


def around(hexes: Iterable[int]) -> int:
    """The hexes next to any of these, as a set."""
    found = 0
    for n in hexes:
        found |= NEAR[n]
    return found


def in_order(counters: Iterable[Counter]) -> tuple[Counter, ...]:
    """Counters in the order in which they act."""
    return tuple(sorted(counters, key=lambda c: ACTIVATION_RANK[c.at]))
