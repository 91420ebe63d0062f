"""The dice that an action needs, and the exact odds of what they lead to."""

from __future__ import annotations

from fractions import Fraction

from tabletop.game.protocol import D6, NO_DICE, Dice, Odds
from tabletop.rulesets.combat import actions, checks, firing
from tabletop.rulesets.combat.state import State


def dice(state: State, action: actions.Action) -> Dice:
    """The dice that the action needs now: a card as a die with a face for each card left, a save or a toss."""
    match action:
        case actions.Fire() | actions.Strike():
            return firing.dice(state, action)
        case actions.Toss():
            return Dice(1, D6)
        case actions.Save() if state.pending:
            return Dice(1, D6)
    return NO_DICE


def odds(state: State, action: actions.Action) -> Odds | None:
    """Exact odds of an action that needs dice; ``None`` for one that needs none or can't be done."""
    if not dice(state, action).count or any(v.firm for v in checks.violations(state, action)):
        return None
    match action:
        case actions.Fire() | actions.Strike():
            return firing.odds(state, action)
        case actions.Save():
            return firing.save_odds(state)
    return Odds("Blue first", {0: Fraction(1, 2), 1: Fraction(1, 2)})
