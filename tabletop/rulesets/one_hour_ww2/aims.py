"""Where a side of One-Hour WWII wants to be in the end, how far that is, and whether it goes for it now."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from tabletop.rulesets.one_hour_ww2.chances import BONUS_IN, MOVE_DICE
from tabletop.rulesets.one_hour_ww2.data import DICE
from tabletop.rulesets.one_hour_ww2.ground import bars
from tabletop.rulesets.one_hour_ww2.routes import routes
from tabletop.rulesets.one_hour_ww2.setup import Objective, Point
from tabletop.rulesets.one_hour_ww2.shot_worth import apart, middle, place_of
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.rulesets.one_hour_ww2.turns import stands_at
from tabletop.tables.scene import Unit

_LOST, _DRAWN_GAME = 0.3, 0.5
"""What own losses count beside others at last, where the game is lost or drawn if nothing changes."""
_DRAWN = 0.4
"""How strongly a unit is drawn to an objective before its side is stronger, beside one that goes for it."""
_EARLY, _AT_LAST, _OPENING = 0.25, 0.2, 0.3
"""The part of a game's turns that a unit has in hand when it must go for its goal; the last part of a game, in which a
side that loses if nothing changes has less to lose; the first part, after which one that draws has."""
_ABOUT_IN, _GUARDED_IN = 7.0, 5.0
"""How near to a place enemies guard it, and how many inches farther each unhurt one makes it."""
WINS = 15.0
"""The worth of winning the game at once, in hits,
and ``_EACH_TURN`` the part of it that each turn leaves before that is decided, at most ``_LONG`` ones."""
_EACH_TURN, _LONG = 0.75, 8
_GOOD_THROW_IN = 2.0
"""How many inches farther than on average a good throw lets a unit go."""
_STRONGER = 1.35
"""How many times as strong as its enemy a side is that goes for its aim without need."""


@dataclass(frozen=True, eq=False)
class Aims:
    """What one side wants of a state, and how urgently."""

    state: State
    side: str

    @cached_property
    def own(self) -> tuple[Unit, ...]:
        """The side's units on the table."""
        return tuple(unit for unit in self.state.units if unit.side == self.side)

    @cached_property
    def enemies(self) -> tuple[Unit, ...]:
        """The other side's."""
        return tuple(unit for unit in self.state.units if unit.side != self.side)

    # --- aims -----------------------------------------------------------------------------------------------------

    def aim(self, unit: Unit) -> tuple[Point, ...] | None:
        """The outline, or the stretch of the table's edge, where a unit wants to be in the end; ``None`` where its side
        has no place to go to."""
        return self._aims.get(kind_of(unit).struck_as) if unit.side == self.side else None

    @cached_property
    def _aims(self) -> dict[str, tuple[Point, ...]]:
        """The aim of each type of unit: one for all of the side that may end there."""
        setup = self.state.setup
        kinds = {victory.kind for victory in setup.victories if victory.side == self.side}
        doors = [door for door in setup.exits if door.side == self.side]
        if "exit" in kinds and doors:
            return {kind_of(unit).struck_as: (doors[0].start, doors[0].end) for unit in self.own}
        if "hold" not in kinds:
            return {}
        holders = dict(self.state.holders)
        wanted = [o for o in setup.objectives if holders[o.id] != self.side] or list(setup.objectives)
        found = {}
        for unit in self.own:
            open_to = [o for o in wanted if self._may_end(unit, middle(o.polygon))] or wanted
            if open_to:
                found[kind_of(unit).struck_as] = min(open_to, key=self._trouble).polygon
        return found

    def _trouble(self, objective: Objective) -> float:
        """How many inches it is to an objective for the side, the enemies about it counted as more."""
        at = middle(objective.polygon)
        near = sorted(math.dist(place_of(unit), at) for unit in self.own)[:3]
        return sum(near) / max(1, len(near)) + self._held(at)

    def goal(self, unit: Unit) -> Point | None:
        """The middle of a unit's aim."""
        aim = self.aim(unit)
        return None if aim is None else middle(aim)

    def goal_title(self, unit: Unit) -> str:
        """What a unit's aim is called."""
        setup, goal = self.state.setup, self.goal(unit)
        doors = [door.title for door in setup.exits if door.side == self.side]
        near = [o.title for o in setup.objectives if goal == middle(o.polygon)]
        return (doors + near + ["the enemy"])[0]

    def _may_end(self, unit: Unit, place: Point) -> bool:
        """Whether the ground of a place lets a unit of its kind end a move there."""
        struck_as, point = kind_of(unit).struck_as, shapely.points(np.asarray(place))
        return not any(
            (bars(t.kind, struck_as) or (t.kind == "town" and struck_as != "infantry"))
            and shapely.intersects(shapely.polygons(t.polygon), point)
            for t in self.state.terrain
        )

    def _held(self, place: Point) -> float:
        """How many inches farther a place is for the enemies that stand about it."""
        near = [enemy for enemy in self.enemies if math.dist(place_of(enemy), place) <= _ABOUT_IN]
        return _GUARDED_IN * _life(near, self.state) / self.state.setup.rules.destroyed_at

    def at_goal(self, place: Point) -> bool:
        """Whether a place lies at one of the side's objectives."""
        point = shapely.points(np.asarray(place))
        return any(
            shapely.intersects(shapely.polygons(np.asarray(o.polygon)), point) for o in self.state.setup.objectives
        )

    def wins_at(self, place: Point) -> bool:
        """Whether the side has won at the end of the turn that a unit stands at a place in, unless enemies come."""
        setup, holders = self.state.setup, dict(self.state.holders)
        point = shapely.points(np.asarray(place))
        here = [o for o in setup.objectives if shapely.intersects(shapely.polygons(np.asarray(o.polygon)), point)]
        for objective in here:
            if not any(stands_at(enemy, objective) for enemy in self.enemies):
                holders[objective.id] = self.side
        last = bool(setup.turns) and self.state.turn >= setup.turns
        return any(
            sum(holders[name] == self.side for name in (v.objectives or tuple(holders))) >= (v.count or len(holders))
            for v in setup.victories
            if v.side == self.side and v.kind == "hold" and (v.at_once or last)
        )

    # --- what the enemy can win ---------------------------------------------------------------------------------------

    def guards(self, unit: Unit) -> float:
        """The worth, in hits, of where a unit of the side is at objectives that the enemy could take in its next phase:
        it shares each with the others there."""
        return sum(
            loss / len(names | {unit.id})
            for objective, (loss, names) in self._in_danger.items()
            if stands_at(unit, objective)
        )

    def guardable(self, unit: Unit) -> float:
        """The most that a unit of the side could save by coming to an objective that no other guards, in hits."""
        rows = self._in_danger.items()
        return max((loss for goal, (loss, names) in rows if not names and self._reaches(unit, goal)), default=0.0)

    @cached_property
    def _in_danger(self) -> dict[Objective, tuple[float, frozenset[str]]]:
        """The objectives that the enemy could take in its next phase, each with what that would cost, in hits, and the
        units of the side that are at it."""
        return {
            objective: (loss, frozenset(unit.id for unit in self.own if stands_at(unit, objective)))
            for objective in self.state.setup.objectives
            if (loss := self._loss(objective)) and any(self._reaches(enemy, objective) for enemy in self.enemies)
        }

    def _loss(self, objective: Objective) -> float:
        """The cost of losing an objective to the enemy: the game where that decides it now, else less and less for
        every turn until the last."""
        setup, holders = self.state.setup, dict(self.state.holders)
        costs = [0.0]
        for victory in setup.victories:
            names = victory.objectives or tuple(holders)
            if victory.kind != "hold" or objective.id not in names:
                continue
            enemy = victory.side != self.side
            held = sum(holders[name] == victory.side or (enemy and name == objective.id) for name in names)
            if held >= (victory.count or len(names)):
                left = 0 if victory.at_once else setup.turns - self.state.turn if setup.turns else _LONG
                costs.append(WINS * _EACH_TURN**left)
        return max(costs)

    def _reaches(self, unit: Unit, objective: Objective) -> bool:
        """Whether a unit could come to an objective by a good throw for its move, on open ground."""
        area, place = shapely.polygons(np.asarray(objective.polygon)), shapely.points(np.asarray(place_of(unit)))
        away = float(shapely.distance(area, place))
        return kind_of(unit).fires_as != "mortar" and away <= mean_move(self.state, unit) + _GOOD_THROW_IN

    # --- to go for them, or not ------------------------------------------------------------------------------------

    def way_in(self, unit: Unit) -> float:
        """Inches to a unit's aim, round what bars its way; to the nearest enemy where it has none."""
        aim = self.aim(unit)
        if aim is not None:
            return routes(self.state, unit, aim).at(place_of(unit))
        return min((apart(unit, enemy) for enemy in self.enemies), default=0.0)

    @cached_property
    def strength(self) -> float:
        """How many times as strong as its enemy the side is, by what its units can still take."""
        return _life(self.own, self.state) / max(1.0, _life(self.enemies, self.state))

    @cached_property
    def content(self) -> bool:
        """Whether the side wins where nothing changes."""
        setup, holders = self.state.setup, dict(self.state.holders)
        holds = [v for v in setup.victories if v.side == self.side and v.kind == "hold"]
        return setup.otherwise == self.side or any(
            sum(holders[name] == self.side for name in (v.objectives or tuple(holders))) >= (v.count or len(holders))
            for v in holds
        )

    @cached_property
    def must_attack(self) -> bool:
        """Whether the other side wins where nobody does anything."""
        setup = self.state.setup
        places = any(v.kind in ("hold", "exit") and v.side == self.side for v in setup.victories)
        return places and setup.otherwise not in ("", self.side)

    def hurries(self, unit: Unit) -> bool:
        """Whether a unit gets to its goal in time only where it goes now."""
        return self._is_late(unit, _EARLY)

    def _is_late(self, unit: Unit, in_hand: float) -> bool:
        """Whether a unit has less than some part of the game's turns in hand to get to its goal."""
        goal, setup = self.goal(unit), self.state.setup
        if goal is None or self.content or not setup.turns or kind_of(unit).fires_as == "mortar":
            return False
        if not setup.exits and (self.at_goal(place_of(unit)) or not self._may_end(unit, goal)):
            return False
        left = setup.turns - self.state.turn
        return self.way_in(unit) / max(1.0, mean_move(self.state, unit) - 1.5) >= left - in_hand * setup.turns

    def presses(self, unit: Unit) -> bool:
        """Whether a unit goes for its goal now."""
        if self.content or self.goal(unit) is None:
            return False
        if self.must_attack and kind_of(unit).struck_as in ("tank", "infantry"):
            return True
        return self.strength >= _STRONGER or self.hurries(unit)

    def pull(self, unit: Unit) -> float:
        """How strongly a unit is drawn to its goal: most where time runs short, little before it is stronger."""
        if self.hurries(unit):
            return 3.0
        if self.presses(unit):
            return 1.0
        return 0.0 if self.state.setup.exits or self.content else _DRAWN

    @cached_property
    def fear(self) -> float:
        """What the side's own losses count beside the enemy's."""
        setup = self.state.setup
        if not setup.turns or self.content or not any(v.side == self.side for v in setup.victories):
            return 1.0
        gone = self.state.turn / setup.turns
        if self.must_attack:
            return _LOST if gone > 1.0 - _AT_LAST else 1.0
        return _DRAWN_GAME if gone > _OPENING else 1.0


def _life(units: Iterable[Unit], state: State) -> float:
    return float(sum(state.setup.rules.destroyed_at - unit.hits for unit in units))


def mean_move(state: State, unit: Unit) -> float:
    """How many inches a unit's throw for its move lets it go on average."""
    faces = DICE[state.setup.dice]
    return MOVE_DICE[kind_of(unit).struck_as] * sum(faces) / len(faces) + BONUS_IN
