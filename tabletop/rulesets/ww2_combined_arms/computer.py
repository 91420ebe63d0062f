"""The computer players of WWII Combined Arms: the simple one, and two that search whole turns.

All of them set up alike. ``medium`` plans its own turn and judges what the enemy could do, ``strong`` plans the enemy's
reply as well.
"""

from __future__ import annotations

import random

from tabletop.game.computers import SIMPLE, Choice, first_legal
from tabletop.rulesets.ww2_combined_arms.planning import MEDIUM, PLANNERS, STRONG
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.player import bot_actions
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State
from tabletop.rulesets.ww2_combined_arms.turn_text import simple_why


class WW2Computer:
    """The levels of the game's computer players."""

    @property
    def levels(self) -> tuple[str, ...]:
        """Their names, the weakest first."""
        return SIMPLE, MEDIUM, STRONG

    def choose(self, state: State, side: str, level: str, rng: random.Random) -> Choice:
        """What the player of a level does for a side whose action the game waits for."""
        if level == SIMPLE or state.step in BEFORE or state.step == "over":
            action = first_legal(RULES, state, bot_actions(state, rng))
            return Choice(action, simple_why(state, action))
        plan = PLANNERS[level].plan(state, side)
        return Choice(plan.line[0], plan.why)


COMPUTER = WW2Computer()
