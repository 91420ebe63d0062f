"""Whose action something is: who is to throw or choose now, and who may say what."""

from __future__ import annotations

from tabletop.game.core import REFEREE
from tabletop.rulesets.combat_captain import actions
from tabletop.rulesets.combat_captain.firing import company_of
from tabletop.rulesets.combat_captain.state import State


def to_act(state: State) -> str | None:
    """Whoever is to throw or choose now, else the active side; ``None`` once the game is over."""
    if state.step == "over":
        return None
    if state.saves is not None:
        return state.saves.side
    if state.combat is not None and state.combat.stage != "saves":
        who = {"melee": state.combat.attacker, "retreat": state.combat.loser}
        return state.setup.side_of(who.get(state.combat.stage, state.combat.winner))
    if state.support is not None:
        if state.support.under:
            return state.setup.side_of(state.support.under)
        return state.support.side
    return state.side


def actor(state: State, action: actions.Action) -> str:
    """The side whose action it is, or the referee."""
    match action:
        case actions.Correct() | actions.Declare() | actions.Begin() | actions.Draw() | actions.Erase():
            return REFEREE
        case actions.Concede():
            return action.side
        case actions.Put():
            named = [row.unit for row in action.placements]
        case actions.Cover():
            named = list(action.subs)
        case actions.Withdraw() | actions.Chit() | actions.Spend():
            named = [action.company]
        case actions.Fire():
            company = company_of(state, action)
            named = [] if company is None else [company.id]
        case _:
            return to_act(state) or state.side
    known = [name for name in named if name in state.setup.by_id or name in state.setup.plans]
    return state.setup.side_of(known[0]) if known else state.side
