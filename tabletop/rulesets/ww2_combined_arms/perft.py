"""How many sequences of legal actions there are: the count that any change of the rules changes.

One ply is one action: a move, an attack, a retreat, a reinforcement, or the end of a phase. Giving up and what only a
referee does are not counted.
"""

from __future__ import annotations

from tabletop.game.protocol import state_after
from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.options import legal
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.state import State


def after(state: State, action: actions.Action) -> State:
    """The state after a legal action and all that follows of itself."""
    return state_after(RULES, state, action)


def perft(state: State, depth: int) -> int:
    """The number of sequences of ``depth`` actions from a state; 1 for depth 0, 0 where the game ended before."""
    if depth == 0:
        return 1
    found = tuple(legal(state))
    return len(found) if depth == 1 else sum(perft(after(state, action), depth - 1) for action in found)
