"""Advice by the strongest computer player: a search over whole turns that answers the enemy's reply.

What is told in the attack phase ends where the enemy chooses a retreat. The same state has the same advice.
"""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.game.hints import Advice
from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.actions import ACTIONS
from tabletop.rulesets.ww2_combined_arms.checks import side_to_act
from tabletop.rulesets.ww2_combined_arms.planning import PLANNERS, STRONG, Plan
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.words import capital, count

_DEPTH = {"move": "this turn and the enemy's reply", "attack": "this phase and the enemy's reply"}


@dataclass(frozen=True)
class Hint:
    """The best action found, the plan that it begins, and how deep was looked; no ``depth`` where nothing was looked
    ahead."""

    plan: Plan
    depth: str

    @property
    def action(self) -> actions.Action:
        """The action to do now."""
        return self.plan.line[0]

    @property
    def words(self) -> str:
        """The hint in sentences: what to do and why, what is to follow, how far was looked."""
        more = [ACTIONS.text(action) for action in self.plan.line[1:]]
        then = f" Then {', '.join(more)}." if more else ""
        waits = f" Where {self.plan.waits} then goes, its owner chooses." if self.plan.waits else ""
        best = f" Best of {count(self.plan.looked_at, 'position')}, looking ahead through {self.depth}."
        return f"{capital(ACTIONS.text(self.action))}. {self.plan.why}{then}{waits}{best if self.depth else ''}"


def advice(state: State) -> Advice | None:
    """The hint as every game gives it, with how far it looked ahead; ``None`` where there is nothing to choose."""
    found = hint(state)
    if found is None:
        return None
    return Advice(tuple(ACTIONS.text(action) for action in found.plan.line), found.words, ACTIONS.to_json(found.action))


def hint(state: State) -> Hint | None:
    """Advice to the side that has the next choice; ``None`` before the first turn and after the game."""
    side = side_to_act(state)
    if side is None or not state.turn:
        return None
    return Hint(PLANNERS[STRONG].plan(state, side), "" if state.pressed else _DEPTH.get(state.step, ""))
