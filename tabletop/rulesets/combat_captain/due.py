"""What has to be thrown or done before anything else: saves, a close combat, help from off the table."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.game.violations import Violation
from tabletop.rulesets.combat_captain import actions
from tabletop.rulesets.combat_captain.data import (
    COUNTER_ATTACK_IN,
)
from tabletop.rulesets.combat_captain.refusals import firm
from tabletop.rulesets.combat_captain.state import State, Support
from tabletop.rulesets.combat_captain.withdrawing import withdrawal_violations


def due_words(state: State) -> str:
    """What has to be thrown or done before anything else, in a sentence; empty where the side is free to choose."""
    return _due(state)[0]


def due_forms(state: State) -> tuple[str, ...]:
    """How that is typed."""
    return _due(state)[1:]


def _due(state: State) -> tuple[str, ...]:
    """What is due in a sentence, and its forms."""
    setup = state.setup
    if state.saves is not None:
        hits = "1 hit" if state.saves.hits == 1 else f"{state.saves.hits} hits"
        return f"{setup.side_title(state.saves.side)}: {hits} to be saved.", "save"
    fight, help_ = state.combat, state.support
    if fight is not None:
        match fight.stage:
            case "retreat":
                return f"{fight.loser} lost the close combat and is to withdraw.", "retreat"
            case "follow":
                held = fight.winner == fight.defender
                far = f" up to {COUNTER_ATTACK_IN:g}″ forward" if held else " into the ground that was left"
                back = _withdrawal_words(state)
                return f"{back}{fight.winner} won and may be put{far}; then the close combat is settled.", "settle"
        return f"{fight.attacker} and {fight.defender} are to throw who wins.", "melee"
    if help_ is None:
        return ("",)
    who = setup.side_title(help_.side)
    if help_.what is None:
        return f"{who} to choose artillery, strafing or bombing.", *(f"choose {what}" for what in _HELP)
    if help_.left is None:
        return f"{who} to throw how many come.", "arrive"
    if help_.under:
        return f"The plane of {who} is shot at from {help_.under}.", "return"
    if help_.tape is not None and not help_.crossed:
        return f"No one is left under the tape of {who}: it breaks off.", "break-off"
    if help_.tape is not None:
        return f"The plane of {who} comes to {help_.crossed[0]}: it attacks, or breaks off.", "attack", "break-off"
    many = f"{help_.left} left"
    match help_.what:
        case "artillery":
            return f"{who}: shells, {many}, to be laid one by one.", "shell at X,Y"
        case "strafing":
            return f"{who}: planes to strafe, {many}, or to break off.", "strafe from X,Y to X,Y", "break-off"
    return f"{who}: planes with bombs, {many}, or to break off.", "bomb TARGET", "break-off"


def _withdrawal_words(state: State) -> str:
    """What a loser still has to do before its close combat is settled."""
    fight = state.combat
    if fight is None or all(v.answer != "no" for v in withdrawal_violations(state)):
        return ""
    return f"{fight.loser} is put {fight.inches}″ back, out of contact. "


def what_is_due(state: State, action: actions.Action) -> Violation | None:
    """What keeps an action waiting: dice that are due, a combat or help from off the table that is not finished."""
    text = due_words(state)
    fits: tuple[type[object], ...] = ()
    help_, fight = state.support, state.combat
    if state.saves is not None:
        fits = (actions.Save,)
    elif fight is not None:
        stages = {"retreat": (actions.Retreat,), "follow": (actions.Put, actions.Cover, actions.Settle)}
        fits = stages.get(fight.stage, (actions.Melee,))
    elif help_ is not None:
        fits = _of_help(help_)
    if text and not isinstance(action, fits):
        return firm("due", text)
    return None


def _of_help(help_: Support) -> tuple[type[object], ...]:
    if help_.what is None:
        return (actions.Choose,)
    if help_.left is None:
        return (actions.Arrive,)
    if help_.under:
        return (actions.Return,)
    if help_.tape is not None:
        return (actions.Attack, actions.BreakOff)
    return (_HELP[help_.what], actions.BreakOff)


_HELP: Mapping[str, type[object]] = {"artillery": actions.Shell, "strafing": actions.Strafe, "bombing": actions.Bomb}
