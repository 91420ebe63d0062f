"""How a side shares its fire out: which sub-units of a company fire together at whom, so that most is hit on average.

One target takes so many points as do most for each of them, and no more; what is too little together for the chart to
show anything is kept for another target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tabletop.rulesets.combat_captain.actions import Fire
from tabletop.rulesets.combat_captain.aiming import Aim, aim, is_mortar
from tabletop.rulesets.combat_captain.checks_fire import fire_violations
from tabletop.rulesets.combat_captain.covering import covers
from tabletop.rulesets.combat_captain.data import DICE_PER_TURN, FACES, NO, YES
from tabletop.rulesets.combat_captain.events import Firer
from tabletop.rulesets.combat_captain.firing import extra_dice, fire_dice_left, volley, with_still_guns
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.rulesets.combat_captain.throws import pips_counted
from tabletop.rulesets.combat_captain.worth import at_points, effects, prices, target_kind

_LEAST = 0.02
"""Soldiers for each fire point that would do most elsewhere: less is not worth firing for,
and in all not less than ``_LEAST_IN_ALL``."""
_LEAST_IN_ALL = 0.25


@dataclass(frozen=True)
class Mark:
    """What a sub-unit's weapon does to one target: points of each die on average, points besides, past its cover."""

    weapon: str | None
    each: float
    add: int
    behind: bool
    spotted: bool


@dataclass(frozen=True)
class Gun:
    """A sub-unit that may fire: dice of its company that it fired with, those that it has left, whom it may hit."""

    id: str
    fired: int
    left: int
    marks: Mapping[str, Mark]

    def points(self, target: str, dice: int) -> float:
        """The points that it adds on average with so many dice of its company."""
        mark = self.marks[target]
        return extra_dice(dice, self.fired) * mark.each + mark.add


@dataclass(frozen=True)
class Group:
    """Sub-units of a company that fire together at a target with so many dice, and what that is worth on average."""

    company: str
    target: str
    guns: tuple[str, ...]
    dice: int
    hits: float
    kills: float
    worth: float


class FirePlan:
    """The fire of a side, or of one company of it, as all stand now; ``fresh``: with the dice of a turn that begins."""

    def __init__(self, state: State, side: str, company: str | None = None, *, fresh: bool = False) -> None:
        self.state, self.side = state, side
        self.enemies = [s for s in state.stands.values() if s.at is not None and state.setup.side_of(s.id) != side]
        self.prices = {stand.id: prices(state, stand) for stand in self.enemies}
        self.guns: dict[str, list[Gun]] = {}
        for one in state.setup.companies:
            if one.side == side and company in (None, one.id):
                found = (self._gun(stand, fresh) for stand in state.members(one.id, on_table=True))
                guns = [gun for gun in found if gun.left > 0 and gun.marks]
                if guns:
                    self.guns[one.id] = guns

    def _gun(self, stand: Stand, fresh: bool) -> Gun:
        fired, left = (0, DICE_PER_TURN) if fresh else (stand.fired, fire_dice_left(self.state, stand))
        marks = {}
        for enemy in self.enemies if left > 0 else ():
            found = self._mark(stand, enemy)
            if found is not None:
                marks[enemy.id] = found
        return Gun(stand.id, fired, left, marks)

    def _mark(self, stand: Stand, enemy: Stand) -> Mark | None:
        """What a sub-unit does to an enemy with its better weapon, worked out once for all who stand as they do."""
        kept = self.state.field.memo
        chits = self.state.chits[self.state.company(stand.id).id]
        key = "mark", stand.id, enemy.id, enemy.cover, enemy.cover_facing, chits
        if key not in kept:
            marks = (mark for mark in self._marks(stand, enemy) if 4 * mark.each + mark.add > 0)
            kept[key] = max(marks, key=lambda mark: 4 * mark.each + mark.add, default=None)
        found: Mark | None = kept[key]
        return found

    def _marks(self, stand: Stand, enemy: Stand) -> Iterator[Mark]:
        state = self.state
        sees = state.field.sees(stand.id, enemy.id) == YES
        for row, weapon in enumerate(stand.plan.weapons):
            eye = "" if sees or not is_mortar(weapon) else self._eye(stand, enemy)
            if not sees and not eye:
                continue
            found = aim(state, stand, weapon, enemy, spotter=eye)
            if found.answer == YES:
                behind = bool(enemy.cover) and covers(state, enemy, stand.id) == NO
                yield Mark(weapon.name if row else None, self._each(found), found.add, behind, bool(eye))

    def _each(self, one: Aim) -> float:
        chits = self.state.chits[self.state.company(one.stand.id).id]
        first = self.state.setup.rules.penalty_first
        return sum(pips_counted(face, one.band, chits, penalty_first=first) for face in FACES) / len(FACES)

    def _eye(self, mortar: Stand, enemy: Stand, firers: tuple[str, ...] = ()) -> str:
        """A friend who surely sees an enemy and does not fire at it."""
        return next(
            (
                stand.id
                for stand in self.state.stands.values()
                if stand.at is not None
                and stand.id != mortar.id
                and stand.id not in firers
                and self.state.setup.side_of(stand.id) == self.side
                and self.state.field.sees(stand.id, enemy.id) == YES
            ),
            "",
        )

    # --- sharing out -------------------------------------------------------------------------------------------------

    def groups(self, company: str, dice: int, gone: Mapping[str, float]) -> list[Group]:
        """The fire of a company with so many dice at once, shared out; ``gone`` are hits that others made before."""
        guns = [gun for gun in self.guns.get(company, ()) if gun.left >= dice]
        targets = {name for gun in guns for name in gun.marks}
        rows = {}
        for target in sorted(targets):
            stand = self.state.stands[target]
            left = round(stand.toughness - gone.get(target, 0.0))
            if left >= 1:
                rows[target] = (stand, left)
        share = self._first_share(company, guns, dice, rows)
        self._improve(company, guns, dice, rows, share)
        found = []
        for target in rows:
            names = tuple(gun.id for gun in guns if share.get(gun.id) == target)
            if names:
                hits, kills, worth = self._worth(company, rows[target], [g for g in guns if g.id in names], dice)
                found.append(Group(company, target, names, dice, hits, kills, worth))
        return sorted(
            (group for group in found if group.worth >= _LEAST_IN_ALL), key=lambda group: (-group.worth, group.target)
        )

    def _first_share(
        self, company: str, guns: list[Gun], dice: int, rows: Mapping[str, tuple[Stand, int]]
    ) -> dict[str, str]:
        """Who fires at whom at first: again and again the target and the firers that do most for their points."""
        best = {gun.id: max((gun.points(t, dice) for t in gun.marks if t in rows), default=0.0) for gun in guns}
        free, share, open_ = [gun for gun in guns if best[gun.id] > 0], dict[str, str](), set(rows)
        while free and open_:
            top: tuple[float, str, list[Gun]] | None = None
            for target in sorted(open_):
                able = [gun for gun in free if target in gun.marks and gun.points(target, dice) > 0]
                able.sort(key=lambda gun: (-gun.points(target, dice) / best[gun.id], -gun.points(target, dice)))
                cost = 0.0
                for count, gun in enumerate(able, 1):
                    cost += best[gun.id]
                    does = self._worth(company, rows[target], able[:count], dice)[2] / cost
                    if top is None or does > top[0] + 1e-9:
                        top = does, target, able[:count]
            if top is None or top[0] < _LEAST:
                break
            share |= {gun.id: top[1] for gun in top[2]}
            open_.discard(top[1])
            free = [gun for gun in free if gun.id not in share]
        return share

    def _improve(
        self, company: str, guns: list[Gun], dice: int, rows: Mapping[str, tuple[Stand, int]], share: dict[str, str]
    ) -> None:
        """Let each in turn fire where it adds most to what the others do, as long as that gains."""
        of = {target: [gun for gun in guns if share.get(gun.id) == target] for target in rows}
        worth = {target: self._worth(company, rows[target], of[target], dice)[2] for target in rows}
        for _ in range(3):
            changed = False
            for gun in guns:
                was = share.get(gun.id)
                loses, rest = 0.0, list[Gun]()
                if was is not None:
                    rest = [other for other in of[was] if other is not gun]
                    loses = worth[was] - self._worth(company, rows[was], rest, dice)[2]
                best, to = loses + 1e-6, was
                for target in gun.marks:
                    if target in rows and target != was:
                        gains = self._worth(company, rows[target], [*of[target], gun], dice)[2] - worth[target]
                        if gains > best:
                            best, to = gains, target
                if to != was and to is not None:
                    changed = True
                    if was is not None:
                        of[was], worth[was] = rest, worth[was] - loses
                    of[to].append(gun)
                    worth[to] += best
                    share[gun.id] = to
            if not changed:
                return

    def _worth(self, company: str, target: tuple[Stand, int], guns: list[Gun], dice: int) -> tuple[float, float, float]:
        """Hits that stay, the chance to destroy and what both are worth, of those who fire together."""
        if not guns:
            return 0.0, 0.0, 0.0
        stand, left = target
        name = stand.id
        cover = 0 if any(gun.marks[name].behind for gun in guns) else stand.cover
        chits = self.state.chits[company] if self.state.setup.rules.lowered_variable else 0
        rows = effects(target_kind(stand), left, cover, chits)
        hits, kills = at_points(rows, sum(gun.points(name, dice) for gun in guns))
        each, all_ = self.prices[name]
        return hits, kills, each * hits + all_ * kills

    def turn(self, dice: Mapping[str, int], gone: Mapping[str, float] | None = None) -> tuple[float, dict[str, float]]:
        """What fire with so many dice of each company is worth on average, and the share of each target that it
        destroys (1: it is gone); each company fires die by die or with all at once, whatever does more."""
        hits, worth = dict(gone or {}), 0.0
        for company in self.guns:
            found = [self._in_turn(company, row, hits) for row in _rows(dice.get(company, 0))]
            if found:
                more, hits, _ = max(found, key=lambda one: one[0])
                worth += more
        return worth, {name: min(1.0, lost / self.state.stands[name].toughness) for name, lost in hits.items()}

    def best(self, company: str) -> list[Group]:
        """What a company fires first, the most worth first; it may have fired before with some of its sub-units."""
        left = max((gun.left for gun in self.guns.get(company, ())), default=0)
        found = [self._in_turn(company, row, {}) for row in _rows(left)]
        return max(found, key=lambda one: one[0])[2] if found else []

    def _in_turn(
        self, company: str, row: tuple[int, ...], gone: Mapping[str, float]
    ) -> tuple[float, dict[str, float], list[Group]]:
        """A company's fire with so many dice after one another: its worth, all hits, and the first groups."""
        hits, worth, first, guns = dict(gone), 0.0, list[Group](), self.guns[company]
        for dice in row:
            groups = self.groups(company, dice, hits)
            first = first or groups
            fired = {name for group in groups for name in group.guns}
            self.guns[company] = [
                replace(gun, fired=gun.fired + dice, left=gun.left - dice) if gun.id in fired else gun
                for gun in self.guns[company]
            ]
            for group in groups:
                worth += group.worth
                stand = self.state.stands[group.target]
                lost = group.hits if stand.plan.soldiers else group.kills * stand.toughness
                hits[group.target] = hits.get(group.target, 0.0) + lost
        self.guns[company] = guns
        return worth, hits, first

    # --- as actions --------------------------------------------------------------------------------------------------

    def action(self, group: Group) -> Fire | None:
        """The fire of a group as players say it; ``None`` where it is not legal after all."""
        guns = {gun.id: gun for gun in self.guns[group.company]}
        names, spotter = group.guns, ""
        blind = [name for name in names if guns[name].marks[group.target].spotted]
        if blind:
            enemy = self.state.stands[group.target]
            spotter = self._eye(self.state.stands[blind[0]], enemy, names)
            if not spotter:
                names = tuple(name for name in names if name not in blind)
        if not names:
            return None
        firers = tuple(Firer(name, guns[name].marks[group.target].weapon) for name in names)
        fire = with_still_guns(self.state, Fire(firers, group.target, group.dice, spotter=spotter))
        return None if any(fire_violations(self.state, volley(self.state, fire))) else fire


def _rows(dice: int) -> tuple[tuple[int, ...], ...]:
    """How so many dice are fired: all at once, or one by one."""
    if dice <= 0:
        return ()
    return ((1,),) if dice == 1 else ((dice,), (1,) * dice)
