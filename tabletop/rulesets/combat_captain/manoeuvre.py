"""Where a company of the strong computer player goes: it looks at some ways, and at the fire and the close combats that
follow from there, its own and the enemy's.

Movement is not in the rules that survive. A computer goes no farther than :data:`PACE_IN` for each die of its company
that it spends, a little less than a die shows on average.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from geometry.ranges import ranges_between
from tabletop.rulesets.combat_captain import combat
from tabletop.rulesets.combat_captain.control import overlaps
from tabletop.rulesets.combat_captain.data import DICE_PER_TURN, FACES, NO, Band
from tabletop.rulesets.combat_captain.events import Place
from tabletop.rulesets.combat_captain.fire_plan import FirePlan
from tabletop.rulesets.combat_captain.goals import area, chance_met, counted, goals_of, inches_off
from tabletop.rulesets.combat_captain.setup import Goal, Standing
from tabletop.rulesets.combat_captain.state import Stand, State, with_fields, with_place
from tabletop.rulesets.combat_captain.worth import stand_worth

PACE_IN = 3.0
_CLOSE_IN = 0.1
"""How near a stand is put to one that it charges."""
_INSIDE_IN = 1.0
"""How far into its goal's ground a stand goes."""
_STAY = ("machine-gun", "mortar", "gun")
"""Kinds that stay where they are as long as they have somebody to fire at."""
_KEEPERS = 2
"""Stands of each company that are to stay on ground of which the enemy wants them gone."""

_AHEAD = 2.0
"""How many turns of fire from there a place is worth, at most."""
_FEAR, _FEAR_OF_HOLDERS, _FEAR_OF_HASTE = 1.0, 1.2, 0.7
"""How much the enemy's fire weighs against its own: as a rule, for a side that wins when time runs out, for one that
loses then."""
_MARKER = 0.25
"""How much of its worth a company loses with each morale marker."""
_GOAL = 1.0
"""What an inch nearer to its goal's ground is worth of each stand that is wanted there, and ``_NEARER`` what one nearer
to enemies out of its sight is worth of each stand where there is no goal."""
_NEARER = 0.08
_GAME = 40.0
"""The worth of a goal that is met as the turn ends."""


@dataclass(frozen=True)
class Move:
    """A company's move for so many dice: where its stands go, what for, whom it touches then, what that is worth; none
    where it stays."""

    company: str
    dice: int
    places: tuple[Place, ...] = ()
    toward: str = ""
    charges: tuple[str, ...] = ()
    worth: float = 0.0


@dataclass(frozen=True)
class _Step:
    """A way on the table in inches, and what for: of a company, or of one stand ``alone``."""

    x: float
    y: float
    toward: str
    alone: Stand | None = None


class Manoeuvre:
    """The moves of a side as all stand now."""

    def __init__(self, state: State, side: str) -> None:
        self.state, self.side, self.enemy = state, side, state.setup.other(side)
        setup = state.setup
        self.holds = bool(setup.turns) and setup.otherwise == side
        self.hurries = bool(setup.turns) and setup.otherwise not in ("", side)
        self.ahead = min(_AHEAD, float(setup.turns - state.turn)) if setup.turns else _AHEAD
        self.fear = _FEAR_OF_HOLDERS if self.holds else _FEAR_OF_HASTE if self.hurries else _FEAR

    def best(self, company: str, dice: tuple[int, ...], *, paid: bool = False) -> Move | None:
        """The best move of a company for one of those numbers of dice; ``None`` where it had better stay. ``paid``: the
        dice are spent already."""
        state = self.state
        stands = tuple((s.id, s.men, s.cover, s.fired) for s in state.stands.values())
        key = "move", company, dice, paid, state.turn, stands, tuple(state.chits.items()), tuple(state.spent.items())
        if key not in state.field.memo:
            state.field.memo[key] = self._best(company, dice, paid)
        found: Move | None = state.field.memo[key]
        return found

    def _best(self, company: str, dice: tuple[int, ...], paid: bool) -> Move | None:
        if not self._enemies or not self.state.members(company, on_table=True):
            return None
        found = [self._judged(Move(company, 0), 0)]
        for each in dice:
            found += [self._judged(move, 0 if paid else each) for move in self._ways(company, each)]
        top = max(found, key=lambda move: move.worth, default=None)
        return top if top is not None and top.places else None

    @cached_property
    def _enemies(self) -> list[Stand]:
        return [s for s in self.state.stands.values() if s.at and self.state.setup.side_of(s.id) == self.enemy]

    @cached_property
    def _by_company(self) -> dict[str, list[Stand]]:
        found: dict[str, list[Stand]] = {}
        for stand in self._enemies:
            found.setdefault(self.state.company(stand.id).id, []).append(stand)
        return found

    @cached_property
    def _goals(self) -> tuple[Goal, ...]:
        """Ground that the side wants stands on: what it is to hold, and what the enemy wants it gone from."""
        return tuple(goal for goal in self.state.setup.goals if bool(goal.hold) == (goal.side == self.side))

    # --- ways --------------------------------------------------------------------------------------------------------

    def _ways(self, company: str, dice: int) -> Iterator[Move]:
        seen = set[tuple[Place, ...]]()
        for step in self._steps(company, dice * PACE_IN):
            places = self._shifted(self._movers(company) if step.alone is None else [step.alone], step)
            if places and places not in seen:
                seen.add(places)
                yield Move(company, dice, places, step.toward)

    def _steps(self, company: str, reach: float) -> Iterator[_Step]:
        """Ways for a company: to whom it can charge, to its goals, and for who does not just hold: towards and away
        from enemies."""
        members = self.state.members(company, on_table=True)
        yield from self._charges(members, reach)
        for goal in self._goals:
            yield from self._to_goal(goal, members, reach)
        if self.holds:
            return
        here = _middle(members)
        near = min(self._enemies, key=lambda stand: math.dist(_at(stand), here))
        goals = {name: _middle(stands) for name, stands in self._by_company.items()}
        goals = {f"towards {near.id}": _at(near)} | {f"towards {name}": at for name, at in goals.items()}
        for toward, (x, y) in goals.items():
            heading = math.atan2(x - here[0], y - here[1])
            yield _Step(reach * math.sin(heading), reach * math.cos(heading), toward)
        away = math.atan2(here[0] - _at(near)[0], here[1] - _at(near)[1])
        yield _Step(reach * math.sin(away), reach * math.cos(away), f"away from {near.id}")

    def _charges(self, members: tuple[Stand, ...], reach: float) -> Iterator[_Step]:
        """Steps that bring a stand of a company to one of each enemy company in reach."""
        field = self.state.field
        for company, stands in self._by_company.items():
            i = np.repeat([field.index[s.id] for s in members], len(stands))
            j = np.tile([field.index[s.id] for s in stands], len(members))
            found = ranges_between(field.bases[i], field.bases[j])
            row = int(np.argmin(found.value))
            gap = float(found.value[row])
            if _CLOSE_IN < gap <= reach:
                dx, dy = (found.end[row] - found.start[row]).tolist()
                share = (gap - _CLOSE_IN) / gap
                yield _Step(dx * share, dy * share, f"to charge {company}")

    def _to_goal(self, goal: Goal, members: tuple[Stand, ...], reach: float) -> Iterator[_Step]:
        """Steps of a company, and of its nearest stand alone, towards a goal's ground, where those of it who are wanted
        there are not on it."""
        wanted = self._wanted(self.state, goal, members)
        far_off = max((inches_off(self.state, goal, stand) for stand in wanted), default=0.0)
        place = f"the {goal.hold}" if goal.hold else f"{goal.clear[0]:g}, {goal.clear[1]:g}" if goal.clear else ""
        for stands, alone in ((wanted, None), (wanted[:1], next(iter(wanted), None))):
            off = far_off if alone is None else inches_off(self.state, goal, alone)
            if not off:
                continue
            start, end = shapely.shortest_line(shapely.Point(_middle(stands)), area(self.state, goal)).coords
            far = math.dist(start, end)
            if far > 0:
                share = min(reach, off + _INSIDE_IN) / far
                yield _Step((end[0] - start[0]) * share, (end[1] - start[1]) * share, f"towards {place}", alone)

    def _wanted(self, state: State, goal: Goal, members: tuple[Stand, ...]) -> list[Stand]:
        """The stands of a company that are to be on a goal's ground: as many as it takes, those nearest to it."""
        names = {member.id for member in members}
        ours = [stand for stand in counted(state, goal) if stand.id in names]
        ours.sort(key=lambda stand: inches_off(state, goal, stand))
        return ours[: goal.count if goal.hold else _KEEPERS]

    def _shifted(self, movers: Iterable[Stand], step: _Step) -> tuple[Place, ...]:
        """Some stands moved by a step, except any that would overlap another or leave the table."""
        setup, going = self.state.setup, dict[str, Place]()
        for stand in movers:
            assert stand.at is not None
            half = math.hypot(stand.plan.base.width, stand.plan.base.depth) / 2
            x, y = round(stand.at.x + step.x, 2), round(stand.at.y + step.y, 2)
            if half <= x <= setup.width - half and half <= y <= setup.depth - half:
                going[stand.id] = Place(stand.id, Standing(x, y, stand.at.facing))
        while going:
            over = overlaps(_put(self.state, going.values()), tuple(going))
            if not over:
                break
            for name in over:
                del going[name]
        return tuple(going.values())

    def _movers(self, company: str) -> list[Stand]:
        fires = {gun.id for gun in FirePlan(self.state, self.side, company, fresh=True).guns.get(company, ())}
        members = self.state.members(company, on_table=True)
        return [stand for stand in members if stand.plan.kind not in _STAY or stand.id not in fires]

    # --- worth -------------------------------------------------------------------------------------------------------

    def _judged(self, move: Move, dice: int) -> Move:
        """A move with its worth where it takes so many more dice: the fire and the close combats of this turn, and of
        some turns its own fire less the enemy's."""
        company, state = move.company, _put(self.state, move.places)
        left = DICE_PER_TURN - self.state.dice_used(company) - dice
        spent = with_fields(state, spent={**state.spent, company: state.spent.get(company, 0) + dice})
        now, gone = FirePlan(spent, self.side, company).turn({company: left})
        charges = tuple(name for name in self._by_company if combat.contact(state, company, name)[0] > NO)
        worth = now + sum(self._combat(state, company, name, gone) for name in charges)
        theirs = FirePlan(state, self.enemy, fresh=True)
        danger, lost = theirs.turn(dict.fromkeys(theirs.guns, DICE_PER_TURN))
        danger *= 1.0 - self._share_gone(gone, self._enemies)
        ours = FirePlan(state, self.side, company, fresh=True)
        hits = {name: share * state.stands[name].toughness for name, share in gone.items()}
        later = ours.turn({company: DICE_PER_TURN}, hits)[0]
        later *= 1.0 - self._share_gone(lost, state.members(company, on_table=True))
        worth += self.ahead * (later - self.fear * danger) + self._place_worth(state, company, ours, later)
        worth += _GAME * self._wins(state, gone, lost)
        return Move(company, move.dice, move.places, move.toward, charges, worth)

    def _wins(self, state: State, gone: Mapping[str, float], lost: Mapping[str, float]) -> float:
        """How likely a goal of the side is met as the turn ends, less how likely one of the enemy's is: where it plays
        first, after the enemy's fire."""
        fallen = {**gone, **(lost if self.side == state.setup.sides[0] else {})}
        return sum(
            chance_met(state, goal, fallen) * (1 if goal.side == self.side else -1) for goal in state.setup.goals
        )

    def _place_worth(self, state: State, company: str, ours: FirePlan, later: float) -> float:
        """What it is worth to be nearer to goals, or where there are none to enemies out of sight."""
        members = state.members(company, on_table=True)
        off = [inches_off(state, goal, stand) for goal in self._goals for stand in self._wanted(state, goal, members)]
        worth = -_GOAL * sum(off)
        if self.holds or goals_of(state, self.side) or (later and not self.hurries):
            return worth
        seen = {name for gun in ours.guns.get(company, ()) for name in gun.marks}
        here = _middle(members)
        far = min((math.dist(_at(stand), here) for stand in self._enemies if stand.id not in seen), default=0.0)
        return worth - _NEARER * far * len(members)

    def _share_gone(self, gone: Mapping[str, float], stands: Iterable[Stand]) -> float:
        """How much of the worth of some stands is gone."""
        rows = [(stand_worth(self.state, stand), gone.get(stand.id, 0.0)) for stand in stands]
        whole = sum(worth for worth, _ in rows)
        return sum(worth * share for worth, share in rows) / whole if whole else 0.0

    def _combat(self, state: State, company: str, enemy: str, gone: Mapping[str, float]) -> float:
        """What a close combat is worth on average after the fire of this turn, by means of its dice."""
        own = [(stand, 1.0) for stand in state.members(company, on_table=True)]
        foes = [(stand, 1.0 - gone.get(stand.id, 0.0)) for stand in state.members(enemy, on_table=True)]
        chits = state.chits[company], state.chits[enemy]
        dice = [sum(combat.dice_of(stand) * share for stand, share in stands) for stands in (own, foes)]
        foe_loss, foes = _after_hits(state, foes, dice[0] * _pips(combat.ATTACK, chits[0]), covered=True)
        own_loss, own = _after_hits(state, own, dice[1] * _pips(combat.DEFEND, chits[1]), covered=False)
        mine = sum(combat.dice_of(stand) * share for stand, share in own) * _pips(combat.DEFEND, chits[0])
        even = _pips(combat.ATTACK, chits[1])
        theirs = sum((combat.dice_of(stand) * even + stand.cover) * share for stand, share in foes)
        spread = 2.0 * math.sqrt(max(1.0, sum(dice)))
        ahead = 0.5 * (1 + math.erf((mine - theirs) / (spread * math.sqrt(2)))) if foes else 1.0
        left = [sum(stand_worth(state, stand) * share for stand, share in stands) for stands in (own, foes)]
        return foe_loss - own_loss + 2 * _MARKER * (ahead * left[1] - (1 - ahead) * left[0])


def _pips(band: Band, chits: int) -> float:
    """What a die counts on average in close combat."""
    return float(sum(value * chance for value, chance in combat.hit_chances(1, band, chits, False).items()))


def _after_hits(
    state: State, stands: list[tuple[Stand, float]], hits: float, *, covered: bool
) -> tuple[float, list[tuple[Stand, float]]]:
    """The worth that hits take from stands in their order, and what is left of each."""
    loss, left = 0.0, []
    for stand, share in sorted(stands, key=lambda row: (not row[0].losses, not row[0].plan.soldiers)):
        if share <= 0:
            continue
        needed = stand.toughness * share / (1 - stand.cover / len(FACES) if covered else 1.0)
        part = min(1.0, hits / needed)
        hits -= part * needed
        loss += part * share * stand_worth(state, stand)
        if part < 1.0:
            left.append((stand, share * (1 - part)))
    return loss, left


def _put(state: State, places: Iterable[Place]) -> State:
    for place in places:
        state = with_place(state, place.sub, place.at)
    return state


def _at(stand: Stand) -> tuple[float, float]:
    assert stand.at is not None
    return stand.at.x, stand.at.y


def _middle(stands: Iterable[Stand]) -> tuple[float, float]:
    rows = [_at(stand) for stand in stands]
    return sum(x for x, _ in rows) / len(rows), sum(y for _, y in rows) / len(rows)
