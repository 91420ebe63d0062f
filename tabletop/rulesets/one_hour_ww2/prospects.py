"""What a unit may hope for from a move: totals, enemies in range and in sight, cover, places, and the regions to draw.

Anybody may measure anything at any time, so any unit on the table may be asked about, in whatever step. Chances count
all throws, and are all or nothing once the dice lie. Places and ranges are about the unique base's centre, as in
:mod:`~tabletop.rulesets.one_hour_ww2.reaching`: the most that they may be for the whole unit. Sight and cover are of
places where the whole unit may stand, found among many: the least that they may be.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import numpy as np
import shapely

from geometry.shapes import half_diagonal
from tabletop.errors import RulesError
from tabletop.game.violations import Violation
from tabletop.open_table.formations import places_at
from tabletop.open_table.setup import bases_of
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.chances import ROAD_IN
from tabletop.rulesets.one_hour_ww2.checks import no_unit, violations
from tabletop.rulesets.one_hour_ww2.covering import by_road_alone, cover, covers
from tabletop.rulesets.one_hour_ww2.ending import ending_violations
from tabletop.rulesets.one_hour_ww2.firing import Judge, judge_of, volley
from tabletop.rulesets.one_hour_ww2.ground import (
    Mode,
    ground,
    in_the_way,
    moving_radius,
    polygons_of,
)
from tabletop.rulesets.one_hour_ww2.moving import move_dice, move_total
from tabletop.rulesets.one_hour_ww2.prospects_data import (
    CoverHope,
    EnemyHope,
    Hope,
    PlaceHope,
    Prospects,
    Region,
    Total,
)
from tabletop.rulesets.one_hour_ww2.reaching import (
    chance_of_range,
    chance_to_reach,
    chances_of_sight,
    reach_region,
)
from tabletop.rulesets.one_hour_ww2.setup import Point
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import Pending, State
from tabletop.rulesets.one_hour_ww2.totals import CHANGES, all_modes, chance_of
from tabletop.tables.scene import Terrain, Unit

MOST_IN = 60
"""The largest total that may be asked about; three ordinary dice, their bonus and a road make 24."""

Band = Literal["close", "normal", "long"]

_SLACK_IN = 0.01


def prospects(state: State, unit_id: str, places: Sequence[Point] = (), total_in: int | None = None) -> Prospects:
    """What a unit on the table may hope for: before the dice, or with the total that is rolled or given.

    Raises RulesError for a unit that is not on the table, a place that is not finite, and a total out of 0 to 60.
    """
    unit = state.unit(unit_id)
    if unit is None or unit_id not in state.situation.index:
        there = ", ".join(u.id for u in state.situation.units)
        raise RulesError(f"{no_unit(state, unit_id).text} Ask about a unit on the table: {there or 'none is yet'}.")
    if not np.isfinite(np.array(places, dtype=np.float64)).all():
        raise RulesError("A place is two finite numbers of inches, as 12,20; one of these is not.")
    against = violations(state, actions.Move(unit_id))
    if total_in is not None:
        if not 0 <= total_in <= MOST_IN:
            raise RulesError(f"A total of {total_in}″ can't be: give the inches that were rolled, 0 to {MOST_IN}.")
        state = replace(state, pending=Pending(unit_id, total_in))
    rolled = state.pending is not None and state.pending.unit == unit_id
    totals, because = _totals(state, unit)
    asked = _Asked(state, unit, totals, rolled)
    dice, plan = move_dice(state, unit), state.setup.unit(unit_id)
    center = unit.bases.center[unit.unique or 0]
    return Prospects(
        unit=unit_id,
        side=unit.side,
        kind=unit.kind,
        name=plan.name if plan is not None else "",
        at=(float(center[0]), float(center[1])),
        rolled=rolled,
        dice=(dice.count, dice.faces),
        because=because,
        totals=totals,
        by_road="road" in asked.modes,
        limits=asked.limits,
        enemies=tuple(asked.enemies()),
        cover=tuple(asked.cover()),
        places=tuple(asked.place((float(x), float(y))) for x, y in places),
        regions=tuple(_regions(state, unit, totals)),
        against=tuple(v for v in against if not (rolled and v.code in ("pending", "acted"))),
    )


def _totals(state: State, unit: Unit) -> tuple[tuple[Total, ...], tuple[str, ...]]:
    """Every total with its chance, in rising order, and what changed them, in words."""
    if state.pending is not None and state.pending.unit == unit.id:
        return (Total(state.pending.net_in, Fraction(1)),), ()
    dice = move_dice(state, unit)
    sums = Counter(map(sum, itertools.product(dice.faces, repeat=dice.count)))
    found: Counter[int] = Counter()
    because: tuple[str, ...] = ()
    for summed, times in sums.items():
        net, because = move_total(state, unit, (summed,))
        found[net] += times
    return tuple(Total(net, Fraction(found[net], sums.total())) for net in sorted(found)), because


def _regions(state: State, unit: Unit, totals: tuple[Total, ...]) -> Iterator[Region]:
    """The regions of the least, the mean and the most total, or of the only one."""
    least, most = totals[0], totals[-1]
    if least.net_in == most.net_in:
        yield Region("total", float(least.total_in), reach_region(state, unit, least.net_in))
        return
    mean = float(sum(t.chance * t.total_in for t in totals))
    yield Region("least", float(least.total_in), reach_region(state, unit, least.net_in))
    yield Region("mean", mean, reach_region(state, unit, mean))
    yield Region("most", float(most.total_in), reach_region(state, unit, most.net_in))


@dataclass(frozen=True, eq=False)
class _Asked:
    """A unit that is asked about."""

    state: State
    unit: Unit
    totals: tuple[Total, ...]
    rolled: bool

    @property
    def row(self) -> int:
        return self.unit.unique or 0

    @property
    def radius_in(self) -> float:
        return float(moving_radius(self.unit.bases)[self.row])

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The ways in which the unit may go."""
        return tuple(all_modes(self.state, self.unit))

    @property
    def most_in(self) -> float:
        """No way is longer than this."""
        return max(0.0, float(self.totals[-1].net_in + (ROAD_IN if "road" in self.modes else 0)))

    @property
    def limits(self) -> tuple[tuple[Band, float], ...]:
        """The ranges that the unit has, the farthest last."""
        kind, close_in = kind_of(self.unit), self.state.setup.rules.close_in
        limits = (("close", close_in if kind.has_close else None), ("normal", kind.normal_in), ("long", kind.long_in))
        return tuple((band, limit) for band, limit in limits if limit is not None)  # type: ignore[misc]

    def hope(self, chance: Fraction, *, now: bool = False) -> Hope:
        """A chance with the least total that makes it up: chances only ever grow with the total."""
        if now:
            return Hope(Fraction(1), True)
        if not chance:
            return Hope(chance)
        above = itertools.accumulate(t.chance for t in reversed(self.totals))
        least = next(t for t, so_far in zip(reversed(self.totals), above, strict=True) if so_far >= chance)
        return Hope(chance, least_in=None if self.rolled else least.total_in)

    # --- enemies ---

    def enemies(self) -> Iterator[EnemyHope]:
        """The enemies on the table, the nearest first."""
        situation = self.state.situation
        index, own = situation.index, situation.index[self.unit.id]
        others = [u for u in situation.units if u.side != self.unit.side]
        far = {u.id: float(situation.ranges.value[own * len(situation.units) + index[u.id]]) for u in others}
        near = sorted(others, key=lambda u: far[u.id])
        judge = judge_of(self.state, [(self.unit.id, u.id) for u in others])
        for enemy, sight in zip(near, self._sights(near, judge), strict=True):
            yield EnemyHope(enemy.id, enemy.kind, far[enemy.id], tuple(self._ranges(enemy, far[enemy.id])), sight)

    def _ranges(self, enemy: Unit, range_in: float) -> list[tuple[str, Hope]]:
        """The chances range by range; a nearer one can't be likelier than a farther one."""
        body = polygons_of(enemy.bases[enemy.unique or 0])[0]
        off = float(shapely.distance(body, shapely.points(self.unit.bases.center[self.row])))
        reach = self.most_in + float(half_diagonal(self.unit.bases)[self.row]) + _SLACK_IN
        found: list[tuple[str, Hope]] = []
        beyond = False
        for band, limit in reversed(self.limits):
            now = range_in <= limit
            beyond = beyond or (not now and off > limit + reach)
            chance = Fraction(0) if beyond else chance_of_range(self.state, self.unit, enemy, band)
            beyond = not chance
            found.append((band, self.hope(chance, now=now)))
        return found[::-1]

    def _sights(self, enemies: Sequence[Unit], judge: Judge) -> list[Hope]:
        shots = [volley(self.state, actions.Fire(self.unit.id, enemy.id), judge).shot for enemy in enemies]
        seen = [shot.sight.found.own["verdict"] == "clear" for shot in shots]
        hidden = [enemy for enemy, now in zip(enemies, seen, strict=True) if not now]
        chances = iter(chances_of_sight(self.state, self.unit, hidden) if hidden else ())
        return [Hope(Fraction(1), True) if now else self.hope(next(chances)) for now in seen]

    # --- cover ---

    def cover(self) -> list[CoverHope]:
        """Features that would cover the unit, the likeliest first; by road alone only those that it gets into."""
        every = [(t, self._cover(t)) for t in covers(self.state, self.unit)]
        found = [c for t, c in every if c.hope.chance or not by_road_alone(self.state, self.unit, t)]
        return sorted(found, key=lambda c: (-c.hope.chance, c.hope.least_in or 0))

    def _cover(self, feature: Terrain) -> CoverHope:
        found = cover(self.state, self.unit, feature)
        if found.now:
            return CoverHope(feature.id, feature.kind, Hope(Fraction(1), True))
        chance = chance_of(self.state, self.unit, dict(found.lengths_in))
        more = chance_of(self.state, self.unit, dict(found.least_in)) > chance
        return CoverHope(feature.id, feature.kind, self.hope(chance), more, found.why, found.at if chance else ())

    # --- places ---

    def place(self, at: Point) -> PlaceHope:
        """A place by its shortest legal way, or why there is none."""
        start = self.unit.bases.center[self.row]
        width, depth = self.state.setup.width, self.state.setup.depth
        if not (0 <= at[0] <= width and 0 <= at[1] <= depth):
            return PlaceHope(at, Hope(Fraction(0)), why=f"it is off the table of {width:g}″ by {depth:g}″")
        lengths = {mode: ground(self.state, self.unit, self.radius_in, mode).length(start, at) for mode in self.modes}
        if "road" in lengths and self._assaults(at):
            lengths["road"] = math.inf
        mode = min(lengths, key=lambda m: lengths[m] - CHANGES[m] if lengths[m] > 0 else -math.inf)
        length = lengths[mode]
        if not math.isfinite(length):
            return PlaceHope(at, Hope(Fraction(0)), why=self._no_way(at))
        needed = length - CHANGES[mode] if length > 0 else 0.0
        ample = replace(self.state, pending=Pending(self.unit.id, math.ceil(abs(needed)) + 1))
        if not chance_to_reach(ample, self.unit, at):
            return PlaceHope(at, Hope(Fraction(0)), why=self._why_closed(at))
        hope = self.hope(chance_to_reach(self.state, self.unit, at), now=length == 0)
        path = ground(self.state, self.unit, self.radius_in, mode).path(start, at)
        way = () if path is None else tuple((float(x), float(y)) for x, y in path.points)
        return PlaceHope(at, hope, length, needed, mode, way, standing=self._violations_at(at))

    def _assaults(self, at: Point) -> bool:
        """Whether a base at a place is surely within the threat range of the enemy, so that a road adds nothing."""
        near = self.state.setup.rules.threat_in + self.radius_in
        enemies = [shape for u in self.state.units if u.side != self.unit.side for shape in polygons_of(u.bases)]
        return bool(enemies) and float(np.min(shapely.distance(enemies, shapely.points(at)))) < near

    def _no_way(self, at: Point) -> str:
        edge = min(at[0], at[1], self.state.setup.width - at[0], self.state.setup.depth - at[1])
        if edge < self.radius_in:
            return f"its base would stand over the table's edge: {self.radius_in:g}″ from it is the nearest"
        there = in_the_way(self.state, self.unit, self.radius_in, [at])
        if there:
            return f"closed by {' and '.join(there)}"
        start = self.unit.bases.center[self.row]
        between = in_the_way(self.state, self.unit, self.radius_in, np.stack([start, np.asarray(at)]))
        return f"no way round {' and '.join(between)}" if between else "no way leads there"

    def _why_closed(self, at: Point) -> str:
        place = shapely.points(at)
        towns = [
            f'the town "{t.id}"'
            for t in self.state.terrain
            if t.kind == "town" and shapely.distance(shapely.polygons(t.polygon), place) < self.radius_in
        ]
        return f"only infantry may end in {' and '.join(towns)}" if towns else "no way leads there"

    def _violations_at(self, at: Point) -> tuple[Violation, ...]:
        plan = self.state.setup.unit(self.unit.id)
        if plan is None:
            return ()
        facing = float(self.unit.bases.facing[self.row])
        after = replace(self.unit, bases=bases_of(plan.bases, places_at(self.unit, *at, facing)))
        return tuple(ending_violations(self.state, self.unit, after))
