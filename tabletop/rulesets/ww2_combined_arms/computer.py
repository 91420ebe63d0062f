"""The computer players of WWII Combined Arms: the simple one, and two that search whole turns.

All of them set up alike. ``medium`` plans its own turn and judges what the enemy could do, ``strong`` plans the enemy's
reply as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tabletop.game.computers import SIMPLE, Choice, Ranked
from tabletop.rulesets.ww2_combined_arms.planning import MEDIUM, PLANNERS, STRONG
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.player import bot_actions
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State
from tabletop.rulesets.ww2_combined_arms.turn_text import simple_why


class WW2Computer(Ranked):
    """The levels of the game's computer players."""

    levels = (SIMPLE, MEDIUM, STRONG)
    rules = RULES

    def wishes(self, state: State, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """What the player of a level would do for a side whose action the game waits for: the plan of its level, then
        those of the levels below."""
        if state.step not in BEFORE and state.step != "over":
            for name in reversed(self.levels[1 : self.levels.index(level) + 1]):
                plan = PLANNERS[name].plan(state, side)
                yield Choice(plan.line[0], plan.why)
        yield from (Choice(action, simple_why(state, action)) for action in bot_actions(state, rng))


COMPUTER = WW2Computer()
