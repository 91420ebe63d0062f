"""The turn: whose step it is, what ends it, who holds what, and who has won."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from tabletop.game.protocol import Outcome
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.setup import Objective, Victory
from tabletop.rulesets.one_hour_ww2.state import STEPS, State, apply
from tabletop.tables.scene import Unit
from tabletop.words import capital, the


def next_step(state: State) -> tuple[int, str, ev.Step]:
    """Turn, side and step that follow: three steps of the attacker, three of the defender, then the next turn."""
    first, second = state.setup.sides
    place = STEPS.index(state.step) + 1
    if place < len(STEPS):
        return state.turn, state.side, STEPS[place]
    if state.side == first:
        return state.turn, second, STEPS[0]
    return state.turn + 1, first, STEPS[0]


def ended_step(state: State) -> Iterator[ev.Event]:
    """The events of ending a step: objectives that changed hands with a phase, the end of the game with a full turn."""
    if state.step == "rally":
        for objective in state.setup.objectives:
            now = holder(state, objective)
            if now != dict(state.holders)[objective.id]:
                held = ev.Held(objective.id, now)
                state = apply(state, held)
                yield held
        if state.side == state.setup.sides[1]:
            outcome = outcome_at_turn_end(state)
            if outcome is not None:
                yield ev.Ended(outcome.winner, outcome.reason)
                return
    yield ev.StepEnded(*next_step(state))


def holder(state: State, objective: Objective) -> str | None:
    """The side that holds an objective: its alone are unique bases whose centres stand in it (the edge counts).

    Where nobody stands in it, whoever held it last still does; where both sides stand in it, nobody does.
    """
    here = {unit.side for unit in state.units if stands_at(unit, objective)}
    if not here:
        return dict(state.holders)[objective.id]
    return here.pop() if len(here) == 1 else None


def stands_at(unit: Unit, objective: Objective) -> bool:
    """Whether a unit's unique base stands at an objective."""
    row = unit.unique if unit.unique is not None else 0
    place = shapely.points(np.asarray(unit.bases.center[row]))
    return bool(shapely.intersects(shapely.polygons(np.asarray(objective.polygon)), place))


def outcome_at_turn_end(state: State) -> Outcome | None:
    """How the game stands at the end of a full turn; ``None`` where it goes on."""
    setup = state.setup
    last = bool(setup.turns) and state.turn >= setup.turns
    won = {side: reason for side, reason in ((v.side, _why_won(state, v, last)) for v in setup.victories) if reason}
    if len(won) == 1:
        side, reason = next(iter(won.items()))
        return Outcome(side, reason)
    if len(won) > 1:
        return Outcome(None, f"Both sides reached their aims in turn {state.turn}: a draw.")
    alive = {unit.side for unit in state.units}
    if len(alive) == 1:
        side = alive.pop()
        other = next(s for s in setup.sides if s != side)
        return Outcome(side, f"No unit of {the(setup.side_title(other))} is left on the table in turn {state.turn}.")
    if not alive:
        return Outcome(setup.otherwise or None, f"No unit is left on the table in turn {state.turn}.")
    if last:
        if setup.otherwise:
            return Outcome(setup.otherwise, f"Turn {setup.turns} ended, and the other side had not reached its aim.")
        return Outcome(None, f"Turn {setup.turns} ended undecided.")
    return None


def _why_won(state: State, victory: Victory, last: bool) -> str:
    """Why a victory condition holds; empty where it does not (yet)."""
    setup = state.setup
    title = capital(the(setup.side_title(victory.side)))
    if victory.kind == "exit":
        sides = {u.id: u.side for u in setup.units}
        gone = sum(1 for unit, door in state.doors if sides[unit] == victory.side and victory.exit in ("", door))
        in_time = not victory.by_turn or state.turn <= victory.by_turn
        done = in_time and gone >= victory.units
        return f"{title} brought {gone} units off the table by turn {state.turn}." if done else ""
    if victory.kind == "destroy":
        enemy = next(side for side in setup.sides if side != victory.side)
        lost = state.losses(enemy, "destroyed")
        return f"{title} destroyed {lost} units by turn {state.turn}." if lost >= victory.units else ""
    if not (last or victory.at_once):
        return ""
    names = victory.objectives or tuple(o.id for o in setup.objectives)
    held = [o.title for o in setup.objectives if o.id in names and dict(state.holders)[o.id] == victory.side]
    need = victory.count or len(names)
    return f"{title} held {' and '.join(held)} at the end of turn {state.turn}." if len(held) >= need else ""


def begun_game(state: State) -> Iterator[ev.Event]:
    """The events of the first turn's beginning: objectives on which one side already stands are held."""
    yield ev.Begun()
    for objective in state.setup.objectives:
        side = holder(state, objective)
        if side is not None:
            yield ev.Held(objective.id, side)


def concede_event(state: State, side: str) -> ev.Ended:
    """The end of a game that a side gives up."""
    winner = next(s for s in state.setup.sides if s != side)
    return ev.Ended(winner, f"{capital(the(state.setup.side_title(side)))} conceded in turn {state.turn}.")
