"""Actions that bring units from where the game has them to where a photo shows them, in an order that is legal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tabletop.game.protocol import state_after
from tabletop.game.violations import Violation
from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.capabilities import destinations, reach, retreats
from tabletop.rulesets.ww2_combined_arms.checks import side_to_place, violations
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.state import State, Unit

_MOST_TRIED = 400
"""States looked at for an order of moves that mind one another."""


@dataclass(frozen=True)
class PlannedAction:
    """An action that brings a unit to a square, and all that speaks against it once those before it are done."""

    unit: str
    at: int
    action: actions.Place | actions.Move | actions.Retreat
    violations: tuple[Violation, ...] = ()


def could_be(state: State, unit: Unit, at: int) -> bool:
    """Whether one legal action may bring a unit to a square, whoever of the others makes room before."""
    if at == OFF:
        return False
    if state.step == "place":
        return unit.fate == "waiting" and at in state.setup.home_squares(unit.side)
    if unit.at == OFF:
        return False
    if state.step == "attack":
        return unit.side != state.acting and at in retreats(state, unit)
    if unit.side != state.acting or unit.moved or not unit.type.move:
        return False
    alone = state.but(units=tuple(u for u in state.units if u.side != unit.side or u.id == unit.id))
    return at in reach(alone, alone.by_id[unit.id])


def wish(state: State, unit: Unit, at: int) -> actions.Place | actions.Move | actions.Retreat | None:
    """The action of its own that brings a unit to a square now; ``None`` where there is none of its kind."""
    to = state.grid.names[at]
    if state.pressed:
        return actions.Retreat(unit.id, to) if state.pressed == unit.id else None
    if state.step == "place":
        return actions.Place(unit.id, to) if unit.fate == "waiting" else None
    if unit.at == OFF or unit.side != state.acting or state.step == "reinforce":
        return None
    return actions.Move(unit.id, to)


def plan_moves(state: State, targets: Mapping[str, int]) -> tuple[PlannedAction, ...]:
    """What brings all units to their squares by actions of their own: first what is legal in an order in which it is,
    then what is not, with what speaks against it after all that is legal."""
    left = {name: at for name, at in targets.items() if state.by_id[name].at != at}
    order, after = _Search().longest(state, left)
    found = [PlannedAction(name, left[name], action) for name, action in order]
    done = {name for name, _ in order}
    for name, at in left.items():
        action = wish(after, after.by_id[name], at) if name not in done else None
        if action is not None and not (state.step == "place" and after.step != "place"):
            found.append(PlannedAction(name, at, action, violations(after, action)))
    return tuple(found)


_Order = list[tuple[str, actions.Place | actions.Move | actions.Retreat]]


class _Search:
    """A search for as many actions as can follow one another legally."""

    def __init__(self) -> None:
        self.tried = 0

    def longest(self, state: State, left: Mapping[str, int]) -> tuple[_Order, State]:
        """The longest order found and the state after it; units to their squares in turn, the first that is legal
        first, another where that leaves some out."""
        best: tuple[_Order, State] = ([], state)
        for name, at in left.items():
            action = wish(state, state.by_id[name], at)
            if action is None or not _is_legal(state, action, at):
                continue
            self.tried += 1
            rest = {other: n for other, n in left.items() if other != name}
            more, last = self.longest(state_after(RULES, state, action), rest)
            if len(more) + 1 > len(best[0]):
                best = [(name, action), *more], last
            if len(best[0]) == len(left) or self.tried > _MOST_TRIED:
                break
        return best


def _is_legal(state: State, action: actions.Place | actions.Move | actions.Retreat, at: int) -> bool:
    """Whether an action is legal, asked the short way where many are."""
    unit = state.by_id[action.unit]
    if isinstance(action, actions.Move):
        return state.step == "move" and at in destinations(state, unit)
    if isinstance(action, actions.Place):
        free = at not in state.there and at in state.setup.home_squares(unit.side)
        return free and unit.side == side_to_place(state)
    return at in retreats(state, unit)
