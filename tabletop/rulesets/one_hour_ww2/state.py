"""The state of a game: the fold of its events. Nothing here judges; what may happen is checked before."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tabletop.game.errors import EventError
from tabletop.game.protocol import Outcome
from tabletop.open_table.setup import bases_of
from tabletop.open_table.terrain import TerrainDrawn, TerrainErased, with_terrain
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.chances import permanent_hits
from tabletop.rulesets.one_hour_ww2.data import NAME
from tabletop.rulesets.one_hour_ww2.setup import Setup, unit_on_table
from tabletop.rulesets.one_hour_ww2.situation import Situation
from tabletop.tables.scene import Scene, Terrain, Unit

STEPS: tuple[ev.Step, ...] = ("mortar", "actions", "rally")


@dataclass(frozen=True)
class Pending:
    """A unit whose movement dice are rolled and which is yet to be put down.

    ``total_in`` is what it may move off roads; ``short_in`` how far its penalties went below 0; ``roll`` its dice.
    """

    unit: str
    total_in: int
    short_in: int = 0
    roll: tuple[int, ...] = ()

    @property
    def net_in(self) -> int:
        """The whole sum of dice, bonus and penalties, below 0 too: what a road adds comes on top of it."""
        return self.total_in - self.short_in


@dataclass(frozen=True, eq=False)
class State:
    """A game at one moment.

    ``units`` stand on the table, in the order of the forces; ``off`` has why and when others left it (``destroyed``,
    ``exited`` or ``removed``, and the turn). ``acted``: units that fired or moved in this phase; ``settled``: those
    that rallied, made ready or dug in in this step; ``reacting``: a phasing unit has acted in this Actions step, so
    that the other side's Ready units may fire. ``holders`` tells who holds each objective, ``doors`` by which exit each
    unit left that did.
    """

    setup: Setup
    units: tuple[Unit, ...] = ()
    turn: int = 0
    side: str = ""
    step: ev.Step = "deploy"
    acted: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()
    pending: Pending | None = None
    reacting: bool = False
    off: tuple[tuple[str, str, int], ...] = ()
    holders: tuple[tuple[str, str | None], ...] = ()
    doors: tuple[tuple[str, str], ...] = ()
    result: Outcome | None = None

    @property
    def other(self) -> str:
        """The side whose phase it is not."""
        return self.setup.other(self.side)

    def unit(self, unit_id: str) -> Unit | None:
        """The unit of that id that stands on the table, or ``None``."""
        return self._by_id.get(unit_id)

    def required_unit(self, unit_id: str) -> Unit:
        """The unit of that id, on the table; raises EventError where there is none."""
        if unit_id not in self._by_id:
            raise EventError(f'there is no unit "{unit_id}" on the table.')
        return self._by_id[unit_id]

    @cached_property
    def _by_id(self) -> dict[str, Unit]:
        return {unit.id: unit for unit in self.units}

    @cached_property
    def why_off(self) -> dict[str, str]:
        """Why each unit that left the table is off it."""
        return {unit: why for unit, why, _ in self.off}

    @cached_property
    def undeployed(self) -> tuple[str, ...]:
        """Units still to be put on the table."""
        return tuple(u.id for u in self.setup.units if u.id not in self._by_id and u.id not in self.why_off)

    @property
    def terrain(self) -> tuple[Terrain, ...]:
        """The table's terrain, as the scene has it."""
        return self.setup.features

    @cached_property
    def scene(self) -> Scene:
        """The table as the referee of single shots takes it."""
        return Scene(NAME, self.setup.width, self.setup.depth, self.units, self.terrain)

    @cached_property
    def situation(self) -> Situation:
        """The scene laid out for judging, under this game's house rules."""
        return Situation(self.scene, self.setup.rules)

    @cached_property
    def memo(self) -> dict[Hashable, object]:
        """What was worked out about this state and may be asked for again."""
        return {}

    def losses(self, side: str, why: str) -> int:
        """How many of a side's units left the table for a reason (``destroyed``, ``exited``, ``removed``)."""
        sides = {u.id: u.side for u in self.setup.units}
        return sum(1 for unit, reason, _ in self.off if reason == why and sides[unit] == side)

    def to_json(self) -> dict[str, Any]:
        """The state as JSON: the scene's units with their markers, whose step it is, who is off, who holds what."""
        doors = dict(self.doors)
        return {
            "rules": NAME,
            "title": self.setup.title,
            "turn": self.turn,
            "side": self.side,
            "step": self.step,
            "acted": sorted(self.acted),
            "settled": sorted(self.settled),
            "pending": None if self.pending is None else {"unit": self.pending.unit, "total_in": self.pending.total_in},
            "reacting": self.reacting,
            "units": [_unit_json(unit) for unit in self.units],
            "undeployed": list(self.undeployed),
            "off": [
                {"unit": unit, "why": why, "turn": turn, **({"exit": doors[unit]} if why == "exited" else {})}
                for unit, why, turn in self.off
            ],
            "objectives": [{"id": name, "side": side} for name, side in self.holders],
            "outcome": None if self.result is None else {"winner": self.result.winner, "reason": self.result.reason},
        }


def _unit_json(unit: Unit) -> dict[str, Any]:
    return {
        "id": unit.id,
        "side": unit.side,
        "kind": unit.kind,
        "hits": unit.hits,
        "permanent": unit.permanent,
        "dug_in": unit.dug_in,
        "ready": unit.ready,
        "moved": unit.moved,
        "fired": unit.fired,
        "bases": [
            {
                "shape": unit.bases.shape_name(i),
                "width": float(unit.bases.width[i]),
                "depth": float(unit.bases.depth[i]),
                "center": unit.bases.center[i].tolist(),
                "facing": float(unit.bases.facing[i]) if math.isfinite(float(unit.bases.facing_sigma[i])) else None,
                "unique": i == unit.unique,
                "covariance": unit.bases.covariance[i].tolist(),
            }
            for i in range(len(unit.bases))
        ],
    }


def begin(event: ev.Started) -> State:
    """The state that a game starts in: units with places stand there, all others are to be deployed."""
    setup = event.setup
    units = tuple(unit_on_table(unit, unit.at) for unit in setup.units if unit.at)
    holders: tuple[tuple[str, str | None], ...] = tuple((o.id, None) for o in setup.objectives)
    return State(setup, units, side=setup.sides[0], holders=holders)


def apply(state: State | None, event: ev.Event) -> State:
    """The state after an event."""
    if isinstance(event, ev.Started):
        return begin(event)
    if state is None:
        raise EventError("the first event of a game must lay it out (started).")
    match event:
        case ev.Deployed():
            plan = state.setup.required_unit(event.unit)
            unit = unit_on_table(replace(plan, dug_in=event.dug_in, ready=event.ready), event.at)
            return replace(state, units=_in_order(state, [*(u for u in state.units if u.id != unit.id), unit]))
        case ev.Begun():
            return replace(state, turn=1, side=state.setup.sides[0], step="mortar")
        case ev.Fired():
            state = _with_unit(state, event.unit, lambda u: replace(u, fired=True, ready=False))
            state = _with_unit(state, event.target, lambda u: _with_hits(u, event.hits))
            if event.reaction:
                return state
            return replace(state, acted=state.acted | {event.unit}, reacting=state.reacting or state.step == "actions")
        case ev.Destroyed():
            return _taken_off(state, event.unit, "destroyed")
        case ev.MoveRolled():
            state = _with_unit(state, event.unit, lambda u: replace(u, moved=True, ready=False, dug_in=False))
            pending = Pending(event.unit, event.total_in, event.short_in, event.roll)
            return replace(state, acted=state.acted | {event.unit}, pending=pending)
        case ev.Moved():
            bases = bases_of(state.setup.required_unit(event.unit).bases, event.at)
            state = _with_unit(state, event.unit, lambda u: replace(u, bases=bases))
            return replace(state, pending=None, reacting=True)
        case ev.Exited():
            state = _taken_off(state, event.unit, "exited")
            return replace(state, doors=(*state.doors, (event.unit, event.exit)), pending=None, reacting=True)
        case ev.Rallied():
            state = _with_unit(state, event.unit, lambda u: replace(u, hits=max(u.permanent, u.hits - event.removed)))
            return replace(state, settled=state.settled | {event.unit})
        case ev.MadeReady():
            state = _with_unit(state, event.unit, lambda u: replace(u, ready=True))
            return replace(state, settled=state.settled | {event.unit})
        case ev.DugIn():
            state = _with_unit(state, event.unit, lambda u: replace(u, dug_in=True))
            return replace(state, settled=state.settled | {event.unit})
        case ev.StepEnded():
            return _apply_step_ended(event, state)
        case ev.Held():
            holders = tuple((name, event.side if name == event.objective else side) for name, side in state.holders)
            return replace(state, holders=holders)
        case ev.Ended():
            return replace(state, step="over", pending=None, reacting=False, result=Outcome(event.winner, event.reason))
        case ev.Corrected():
            return _apply_corrected(event, state)
        case TerrainDrawn() | TerrainErased():
            return replace(state, setup=with_terrain(state.setup, event))
    raise EventError(f"{type(event).__name__} is no event of One-Hour WWII.")


def _apply_step_ended(event: ev.StepEnded, state: State) -> State:
    state = replace(
        state,
        turn=event.turn,
        side=event.side,
        step=event.step,
        settled=frozenset(),
        reacting=False,
        pending=None,
    )
    if event.step != "mortar":
        return state
    units = tuple(replace(u, moved=False, fired=False) if u.side == event.side else u for u in state.units)
    return replace(state, units=units, acted=frozenset())


def _apply_corrected(event: ev.Corrected, state: State) -> State:
    if event.off:
        return _taken_off(state, event.unit, "removed")
    if state.unit(event.unit) is None:
        back = unit_on_table(state.setup.required_unit(event.unit), event.at)
        off = tuple(entry for entry in state.off if entry[0] != event.unit)
        doors = tuple(entry for entry in state.doors if entry[0] != event.unit)
        state = replace(state, units=_in_order(state, [*state.units, back]), off=off, doors=doors)
    given = {
        name: getattr(event, name)
        for name in ("hits", "permanent", "dug_in", "ready", "moved", "fired")
        if getattr(event, name) is not None
    }
    if event.at:
        given["bases"] = bases_of(state.setup.required_unit(event.unit).bases, event.at)
    state = _with_unit(state, event.unit, lambda u: _in_bounds(replace(u, **given)))
    return _acted_or_not(state, event.unit) if "moved" in given or "fired" in given else state


def _acted_or_not(state: State, unit_id: str) -> State:
    """A unit of the phasing side that is marked moved or fired has acted, and one that is not, has not."""
    unit = state.unit(unit_id)
    if unit is None or unit.side != state.side or state.step not in STEPS:
        return state
    marked = unit.moved or unit.fired
    return replace(state, acted=state.acted | {unit_id} if marked else state.acted - {unit_id})


def _in_bounds(unit: Unit) -> Unit:
    return replace(unit, permanent=min(unit.permanent, unit.hits))


def _in_order(state: State, units: list[Unit]) -> tuple[Unit, ...]:
    order = {u.id: n for n, u in enumerate(state.setup.units)}
    return tuple(sorted(units, key=lambda u: order[u.id]))


def _with_unit(state: State, unit_id: str, change: Callable[[Unit], Unit]) -> State:
    changed = change(state.required_unit(unit_id))
    return replace(state, units=tuple(changed if u.id == unit_id else u for u in state.units))


def _with_hits(unit: Unit, hits: int) -> Unit:
    total = unit.hits + hits
    return replace(unit, hits=total, permanent=permanent_hits(total, unit.permanent))


def _taken_off(state: State, unit_id: str, why: str) -> State:
    gone = state.required_unit(unit_id)
    return replace(
        state,
        units=tuple(u for u in state.units if u is not gone),
        off=(*state.off, (unit_id, why, state.turn)),
        pending=None if state.pending and state.pending.unit == unit_id else state.pending,
    )


def same(a: State, b: State) -> bool:
    """Whether two states are one and the same, number by number."""
    return a.setup == b.setup and a.to_json() == b.to_json()
