"""What the searching players do: a turn is planned once, at its first move, and then followed.

A plan is remembered for the states that it leads through, so that its other moves cost nothing; where the game goes
another way, what is left of the turn is planned anew. Attacks and retreats are searched in every state.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from threading import Lock

from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.compact import Frame, Position, exits
from tabletop.rulesets.ww2_combined_arms.data import SIDES
from tabletop.rulesets.ww2_combined_arms.judging import WEIGHTS, Weights
from tabletop.rulesets.ww2_combined_arms.reducer import apply
from tabletop.rulesets.ww2_combined_arms.simple_turn import reinforcement
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.rulesets.ww2_combined_arms.turn_flow import attack_events, with_consequences
from tabletop.rulesets.ww2_combined_arms.turn_search import Effort, Search, Turn
from tabletop.rulesets.ww2_combined_arms.turn_text import TurnText

MEDIUM, STRONG = "medium", "strong"
EFFORTS: Mapping[str, Effort] = {
    MEDIUM: Effort(plans=0, rounds=1, replies=0, firsts=0),
    STRONG: Effort(plans=16, rounds=2, replies=12),
}
"""How much each level looks at."""
MOST_REMEMBERED = 4096


@dataclass(frozen=True)
class Plan:
    """What to do now and what is to follow; why the first is done; how many positions were looked at; ``waits`` is the
    enemy unit whose owner then chooses its retreat, on which it depends what comes after."""

    line: tuple[actions.Action, ...]
    why: str
    looked_at: int
    waits: str = ""


class Planner:
    """Plans turns for one level."""

    def __init__(self, effort: Effort, weights: Weights = WEIGHTS) -> None:
        self._effort, self._weights = effort, weights
        self._plans: OrderedDict[Hashable, Plan] = OrderedDict()
        self._lock = Lock()

    def plan(self, state: State, side: str) -> Plan:
        """What a side does in a turn that has begun, when the next choice is its own."""
        if state.pressed:
            return self._retreat(state)
        if state.step == "reinforce":
            action = reinforcement(state, side)
            return Plan((action,), f"Of the new units this one is of most use, and most of it on {action.to}.", 0)
        return self._moves(state, side) if state.step == "move" else self._attacks(state, side)

    def _search(self, state: State) -> tuple[Search, Position]:
        frame = Frame(state)
        return Search(frame, self._effort, self._weights), Position.of(state)

    # --- moves -------------------------------------------------------------------------------------------------------

    def _moves(self, state: State, side: str) -> Plan:
        key = _key(state)
        with self._lock:
            known = self._plans.get(key)
        if known is not None:
            return known
        search, position = self._search(state)
        turn = search.turn(position, SIDES.index(side))
        plans = dict(_plans_along(state, side, search, turn))
        with self._lock:
            self._plans.update(plans)
            while len(self._plans) > MOST_REMEMBERED:
                self._plans.popitem(last=False)
        return plans[key]

    # --- attacks and retreats ----------------------------------------------------------------------------------------

    def _attacks(self, state: State, side: str) -> Plan:
        search, position = self._search(state)
        turn = search.attacks(position, SIDES.index(side))
        names = search.frame.names
        line, waits = _until_a_choice(state, [actions.Attack(names[unit], names[at]) for unit, at in turn.attacks])
        return Plan(line, TurnText(state, search, turn, side).of_attack(), search.looked_at, waits)

    def _retreat(self, state: State) -> Plan:
        search, position = self._search(state)
        unit = search.frame.names.index(state.pressed)
        ways = exits(search.frame, position, unit)
        to = state.grid.names[search.way_out(position, unit, ways)]
        why = f"Of the squares that {state.pressed} may retreat to, the enemy can do least to it on {to}."
        return Plan((actions.Retreat(state.pressed, to),), why, ways.bit_count())


def _key(state: State) -> Hashable:
    return state.setup, state.turn, state.acting, state.cities, state.lifted, state.units


def _plans_along(state: State, side: str, search: Search, turn: Turn) -> list[tuple[Hashable, Plan]]:
    """What to do in all the states that a turn's moves lead through."""
    text, names, squares = TurnText(state, search, turn, side), search.frame.names, state.grid.names
    line: list[actions.Action] = [actions.Move(names[unit], squares[to]) for unit, to in turn.moves]
    line.append(actions.End())
    whys = [*(text.of_move(unit, to) for unit, to in turn.moves), text.of_last_move()]
    found = []
    for n, (action, why) in enumerate(zip(line, whys, strict=True)):
        found.append((_key(state), Plan(tuple(line[n:]), why, search.looked_at)))
        if isinstance(action, actions.Move):
            unit, to = turn.moves[n]
            state = state.but(units=state.units_with(names[unit], at=to, moved=True))
    return found


def _until_a_choice(state: State, attacks: list[actions.Attack]) -> tuple[tuple[actions.Action, ...], str]:
    """Attacks as far as they do not hang on the enemy's choice, and the unit whose retreat that is; to end the phase
    where there are none."""
    for n, attack in enumerate(attacks, 1):
        for event in with_consequences(
            state, attack_events(state, state.by_id[attack.unit], state.by_id[attack.target])
        ):
            state = apply(state, event)
        if state.pressed:
            return tuple(attacks[:n]), state.pressed
        if state.result is not None:
            return tuple(attacks[:n]), ""
    return tuple(attacks) or (actions.End(),), ""


PLANNERS: Mapping[str, Planner] = {level: Planner(effort) for level, effort in EFFORTS.items()}
"""The planner of each level."""
