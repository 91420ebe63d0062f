"""What the strong player of One-Hour WWII weighs: shots by expected hits, places by the fire and danger there and by
what they are to its aims."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely

from tabletop.game.actions import standings
from tabletop.open_table.formations import places_at, places_in_formation
from tabletop.open_table.setup import bases_of
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.actions import Place
from tabletop.rulesets.one_hour_ww2.aims import WINS, Aims, mean_move
from tabletop.rulesets.one_hour_ww2.exchange import Fight
from tabletop.rulesets.one_hour_ww2.firing import judge_of
from tabletop.rulesets.one_hour_ww2.moving import place_violations, total_chances
from tabletop.rulesets.one_hour_ww2.options import stay
from tabletop.rulesets.one_hour_ww2.roaming import random_place
from tabletop.rulesets.one_hour_ww2.routes import Routes, fire_on, routes
from tabletop.rulesets.one_hour_ww2.setup import Point, UnitSetup
from tabletop.rulesets.one_hour_ww2.shot_worth import (
    WIDEST_IN,
    Shot,
    apart,
    facing_to,
    is_ahead,
    middle,
    place_of,
    shot_of,
    suffered,
)
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import Pending
from tabletop.tables.scene import Unit

_SOME, _LOOKED_AT, _IN_FIRE = 14, 4, 3
"""Places that are thought of, those of them whose fire is counted, and those besides that the enemy sees."""
_INCH = 0.35
"""What an inch nearer to its aim counts, in hits."""
_TOGETHER_IN = 12.0
"""How near to a unit friends are that may still come up beside it in this phase."""
_THERE = 4.0
"""What it counts to stand at its aim."""
_COVERS, _COVER = ("town", "woods"), 1.2
"""Ground that halves hits, and what it counts for infantry to stand in it whoever fires."""
_FIGHT = 0.5
"""What a hit of the fight that follows counts."""
_SHARES = (1.0, 0.8, 0.55)
"""Parts of its move after which a unit's way to its aim is looked at."""
_FEARED = 0.5
"""What a hit to be expected counts where places are looked at roughly."""


@dataclass(frozen=True, eq=False)
class Tactics(Aims):
    """A state as one side weighs it for its aims."""

    # --- fire -----------------------------------------------------------------------------------------------------

    def shots(self, firers: Iterable[Unit]) -> list[Shot]:
        """What units may fire at now by range and sight, the shot that is worth most first."""
        firers = list(firers)
        if not firers:
            return []
        judge = judge_of(self.state)
        found = [shot_of(self.state, unit, enemy, judge) for unit in firers for enemy in self.enemies]
        return sorted((s for s in found if s is not None), key=lambda s: (-s.worth, s.unit.id, s.target.id))

    @cached_property
    def _fire(self) -> dict[tuple[str, str], Shot]:
        """All shots between both sides as the units stand, whoever's turn it is."""
        judge = judge_of(self.state)
        pairs = [(a, b) for a in self.state.units for b in self.state.units if a.side != b.side]
        shots = (shot_of(self.state, a, b, judge) for a, b in pairs)
        return {(shot.unit.id, shot.target.id): shot for shot in shots if shot is not None}

    def danger(self, unit: Unit) -> float:
        """The hits to be expected by a unit where it stands."""
        return suffered([shot for (_, target), shot in self._fire.items() if target == unit.id])

    def prey(self, unit: Unit) -> float:
        """The worth of the best shot that a unit would have as things stand; of nearly none where an enemy may come
        into its reach."""
        best = max((shot.worth for (firer, _), shot in self._fire.items() if firer == unit.id), default=0.0)
        if best or kind_of(unit).fires_as == "mortar":
            return best
        near = any(
            apart(unit, enemy) <= kind_of(unit).reach_in + mean_move(self.state, enemy) for enemy in self.enemies
        )
        return 0.1 if near else 0.0

    # --- places ---------------------------------------------------------------------------------------------------

    def gain_of_moving(self, unit: Unit, rng: random.Random) -> tuple[float, str]:
        """What a unit gains by an average move beside what it has by staying, in hits, and why in a sentence."""
        if unit.id not in self._gains:
            self._gains[unit.id] = self._gain_of_moving(unit, rng)
        return self._gains[unit.id]

    @cached_property
    def _gains(self) -> dict[str, tuple[float, str]]:
        return {}

    def _gain_of_moving(self, unit: Unit, rng: random.Random) -> tuple[float, str]:
        if kind_of(unit).fires_as == "mortar" and not self.presses(unit):
            return -1.0, ""
        if kind_of(unit).struck_as == "atg" and unit.dug_in:
            return -1.0, ""
        total = int(sum(inches * chance for inches, chance in total_chances(self.state, unit).items()))
        if total <= 0:
            return -1.0, ""
        rolled = replace(unit, moved=True, ready=False, dug_in=False)
        units = tuple(rolled if one.id == unit.id else one for one in self.state.units)
        moving = Tactics(replace(self.state, units=units, pending=Pending(unit.id, total)), self.side)
        best = next(iter(moving._weighed(rolled, rng)), None)
        if best is None:
            return -1.0, ""
        rest = 0.8 + (1.0 if not unit.ready and self.prey(unit) > 0 else 0.0)
        more = best[0] - self._value(unit, unit, full=True)
        gain = more - rest
        if self.hurries(unit):
            gain = max(gain, 0.1) if more > 0 else gain
            return gain, f"Time runs short: {unit.id} goes for {self.goal_title(unit)}."
        if self.must_attack and self.presses(unit):
            return gain, f"{unit.id} goes for {self.goal_title(unit)}: its side loses where nothing changes."
        if self.presses(unit):
            return gain, f"{unit.id} goes for {self.goal_title(unit)}, since its side is stronger."
        return gain, f"{unit.id} finds a better place: more fire or less danger."

    def places(self, unit: Unit, rng: random.Random) -> Iterator[tuple[Place, str]]:
        """Places to put a unit down that has rolled its move, the best first, each with why."""
        here = Tactics(self.state, self.side)._value(unit, unit, full=True)
        for value, place, moved in self._weighed(unit, rng):
            if value <= here:
                return
            yield place, self._why_place(unit, moved)

    def _why_place(self, unit: Unit, moved: Unit) -> str:
        if self.at_goal(place_of(moved)) and not self.at_goal(place_of(unit)):
            return f"{unit.id} stands at {self.goal_title(unit)} there."
        fire, danger = self._fire_at(moved)
        nearer = self.way_in(unit) - self.way_in(moved)
        toward = f", {nearer:.0f}″ nearer to {self.goal_title(unit)}" if nearer >= 1 and self.goal(unit) else ""
        shot = f"could do {fire:.1f} hits from there" if fire else "has no target from there"
        return f"{unit.id} {shot} and would take {danger:.1f}{toward}."

    def _weighed(self, unit: Unit, rng: random.Random) -> list[tuple[float, Place, Unit]]:
        """Some places within a unit's move with their values, the best first."""
        plan = self.state.setup.unit(unit.id)
        assert plan is not None
        thought: dict[Place, Unit] = {}
        for place in self._thought_of(unit, rng):
            thought.setdefault(place, replace(unit, bases=bases_of(plan.bases, standings(place)), moved=True))
        rough = sorted(thought.items(), key=lambda row: -self._value(unit, row[1], full=False))
        in_fire = [row for row in rough[_LOOKED_AT:] if fire_on(self.state, unit, place_of(row[1])) > 0]
        looked_at = [*rough[:_LOOKED_AT], *in_fire[:_IN_FIRE]]
        found = [(self._value(unit, moved, full=True), place, moved) for place, moved in looked_at]
        return sorted(found, key=lambda row: -row[0])

    def _thought_of(self, unit: Unit, rng: random.Random) -> Iterator[Place]:
        own = stay(unit)
        goal = self.goal(unit)
        for _ in range(_SOME):
            place = random_place(self.state, unit, rng)
            if place == own:
                continue
            yield place
        yield from self._in_cover(unit)
        yield from self._on_its_way(unit)
        facing = facing_to(place_of(unit), self._looks_at(unit, goal))
        yield Place(unit.id, places_at(unit, *place_of(unit), facing))

    def _total(self, unit: Unit) -> float:
        pending = self.state.pending
        return pending.total_in if pending is not None and pending.unit == unit.id else 0.0

    def _in_cover(self, unit: Unit) -> Iterator[Place]:
        """Places in the middle of towns, woods and objectives within its move, as a unit stands or facing the enemy."""
        cover = [t.polygon for t in self.state.terrain if t.kind in _COVERS]
        if kind_of(unit).struck_as != "infantry":
            cover = []
        for polygon in [*cover, *(o.polygon for o in self.state.setup.objectives)]:
            x, y = np.asarray(polygon).mean(axis=0)
            if math.dist(place_of(unit), (x, y)) <= self._total(unit) + WIDEST_IN:
                yield from self._standing_at(unit, (float(x), float(y)))

    def _ways(self, unit: Unit, aim: tuple[Point, ...]) -> Routes:
        """A unit's ways to its aim, longer where the enemy's fire reaches unless time runs short."""
        fear = 0.0 if self.hurries(unit) else 1.0 / (_INCH * mean_move(self.state, unit))
        return routes(self.state, unit, aim, fear)

    def _on_its_way(self, unit: Unit) -> Iterator[Place]:
        """Places on a unit's way to its aim, the farthest first."""
        aim = self.aim(unit)
        if aim is None:
            return
        for share in _SHARES:
            yield from self._standing_at(
                unit, self._ways(unit, aim).onward(place_of(unit), share * self._total(unit)), first=True
            )

    def _standing_at(self, unit: Unit, at: Point, *, first: bool = False) -> Iterator[Place]:
        """A unit's places about a point within its move, facing the enemy or as it does; the ``first`` that may be."""
        bases, row = unit.bases, unit.unique or 0
        for facing in (facing_to(at, self._looks_at(unit, at)), float(bases.facing[row])):
            about = np.array([(s.x, s.y) for s in places_at(unit, 0.0, 0.0, facing)]).mean(axis=0)
            found = places_at(unit, round(float(at[0] - about[0]), 4), round(float(at[1] - about[1]), 4), facing)
            place = Place(unit.id, tuple(replace(s, x=round(s.x, 4), y=round(s.y, 4)) for s in found))
            far = np.linalg.norm(np.array([(s.x, s.y) for s in found]) - bases.center, axis=1).max()
            if far <= self._total(unit) and not place_violations(self.state, place)[0]:
                yield place
                if first:
                    return

    def _is_covered(self, unit: Unit) -> bool:
        """Whether all bases of a unit of infantry stand in one town or wood."""
        points = shapely.points(unit.bases.center)
        return kind_of(unit).struck_as == "infantry" and any(
            shapely.intersects(shapely.polygons(t.polygon), points).all()
            for t in self.state.terrain
            if t.kind in _COVERS
        )

    def _looks_at(self, unit: Unit, goal: Point | None) -> Point:
        near = min(self.enemies, key=lambda enemy: apart(unit, enemy), default=None)
        return place_of(near) if near is not None else goal or place_of(unit)

    def _value(self, unit: Unit, moved: Unit, *, full: bool) -> float:
        """What it is worth for a unit to stand so; ``full`` counts the fight that follows, else distances alone."""
        place, value = place_of(moved), 0.0
        aim = self.aim(unit)
        if aim is not None:
            pull = self.pull(unit)
            value -= pull * _INCH * self._ways(unit, aim).at(place)
            if not self.state.setup.exits and self.at_goal(place):
                value += pull * _THERE + (WINS if self.wins_at(place) else 0.0)
        value += self.guards(moved)
        if self._is_covered(moved):
            value += _COVER
        if full:
            return value + _FIGHT * self._fought(moved)
        reach = kind_of(unit).normal_in
        near = min((math.dist(place, place_of(enemy)) for enemy in self.enemies), default=reach)
        ahead = [is_ahead(moved, enemy) for enemy in self.enemies if math.dist(place, place_of(enemy)) < 2 * reach]
        value -= _FEARED * fire_on(self.state, unit, place)
        return value - 0.15 * abs(near - 0.9 * reach) + (sum(ahead) / len(ahead) if ahead else 0.0)

    def _shots_at(self, moved: Unit) -> dict[tuple[str, str], Shot]:
        """The shots that a unit would have standing so, and those at it."""
        known = self._looked_at.get(id(moved))
        if known is not None:
            return known[1]
        units = tuple(moved if u.id == moved.id else u for u in self.state.units)
        state = replace(self.state, units=units, pending=None)
        pairs = [(a, b) for enemy in self.enemies for a, b in ((moved.id, enemy.id), (enemy.id, moved.id))]
        judge = judge_of(state, pairs)
        both = [(moved, enemy) for enemy in self.enemies if kind_of(moved).fires_as != "mortar"]
        both += [(enemy, moved) for enemy in self.enemies]
        shots = (shot_of(state, firer, target, judge) for firer, target in both)
        found = {(shot.unit.id, shot.target.id): shot for shot in shots if shot is not None}
        self._looked_at[id(moved)] = moved, found
        return found

    @cached_property
    def _looked_at(self) -> dict[int, tuple[Unit, dict[tuple[str, str], Shot]]]:
        return {}

    def _fire_at(self, moved: Unit) -> tuple[float, float]:
        """The worth of the best shot that a unit would have standing so, and the hits to be expected there."""
        shots = self._shots_at(moved)
        best = max((shot.worth for (firer, _), shot in shots.items() if firer == moved.id), default=0.0)
        return best, suffered([shot for (_, target), shot in shots.items() if target == moved.id])

    def _fought(self, moved: Unit) -> float:
        """What the fight that follows is worth, in hits, if a unit stands so, beside one without it.

        Friends that go for the same aim, and are still to act near by, are taken to come up beside it.
        """
        shots = self._shots_at(moved)
        if not shots:
            return 0.0
        fire = {pair: shot.expected for pair, shot in self._fire.items() if moved.id not in pair}
        without = self._fight(fire, ()).balance()
        beside = [f"{moved.id} {n}" for n in range(self._coming(moved))]
        for name in (moved.id, *beside):
            for (firer, target), shot in shots.items():
                fire[name if firer == moved.id else firer, name if target == moved.id else target] = shot.expected
        hits = dict.fromkeys((moved.id, *beside), moved.hits)
        return (self._fight(fire, hits).balance() - without) / (1 + len(beside))

    def _coming(self, moved: Unit) -> int:
        """How many friends may come up beside a unit that goes for its aim in this phase."""
        if not self.presses(moved) or kind_of(moved).struck_as != "tank":
            return 0
        return sum(
            1
            for friend in self.own
            if friend.id != moved.id
            and friend.id not in self.state.acted
            and kind_of(friend).struck_as == "tank"
            and apart(moved, friend) <= _TOGETHER_IN
            and not any(firer == friend.id for firer, _ in self._fire)
        )

    def _fight(self, fire: Mapping[tuple[str, str], float], more: Mapping[str, int] | tuple[()]) -> Fight:
        """The fight of all units but one, and of ``more`` with their hits."""
        moved = {name.split(" ")[0] for name in more}
        units = [unit for unit in self.state.units if unit.id not in moved]
        hits = {unit.id: unit.hits for unit in units} | dict(more)
        own = [unit for unit in units if unit.side == self.side]
        waiting = [u.id for u in own if u.id not in self.state.acted and kind_of(u).fires_as != "mortar"]
        return Fight(
            own=[*(unit.id for unit in own), *more],
            enemies=[unit.id for unit in self.enemies],
            hits=hits,
            fire=fire,
            ready=[unit.id for unit in units if unit.ready],
            waiting=waiting if self.state.step in ("mortar", "actions") else (),
            destroyed_at=self.state.setup.rules.destroyed_at,
            fear=self.fear,
        )

    # --- deployment -------------------------------------------------------------------------------------------------

    def deployments(self, plan: UnitSetup, rng: random.Random) -> Iterator[actions.Deploy]:
        """Places for a unit in its zones: near its aim and apart from its friends, the best first."""
        setup = self.state.setup
        zones = [z.polygon for z in setup.zones if z.side == plan.side and (not z.units or plan.id in z.units)]
        table = ((0.0, 0.0), (setup.width, 0.0), (setup.width, setup.depth), (0.0, setup.depth))
        aims = [middle(o.polygon) for o in setup.objectives] or [(setup.width / 2, setup.depth / 2)]
        back = 6.0 if plan.kind == "mortar" else 0.0
        found = []
        for _ in range(60):
            corners = rng.choice(zones or [table])
            x, y = (rng.uniform(min(c[i] for c in corners), max(c[i] for c in corners)) for i in (0, 1))
            facing = 0.0 if y < setup.depth / 2 else 180.0
            at = places_in_formation(plan.bases, (round(x, 1), round(y, 1)), facing, "line", 0.5)
            at = tuple(replace(s, x=round(s.x, 4), y=round(s.y, 4)) for s in at)
            away = abs(min(math.dist((x, y), aim) for aim in aims) - back)
            crowd = sum(max(0.0, 5.0 - math.dist((x, y), place_of(friend))) for friend in self.own)
            found.append((away + crowd, actions.Deploy(plan.id, at, plan.dug_in, plan.ready)))
        yield from (wish for _, wish in sorted(found, key=lambda row: row[0]))
