"""The computer players of Combat: the simple player, and a strong one.

The strong player weighs every shot and every place by what it gains and by what the enemy could fire at in its next
turn. It comes out to fire and draws back, attacks where more of its pieces reach than of the enemy's, stops who makes
for its base line, and makes for the enemy's. It takes more guns than anything else. It sees what its side sees.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tabletop.game.computers import SIMPLE, Choice, Ranked
from tabletop.rulesets.combat import actions, armies, commander
from tabletop.rulesets.combat.choice_text import strike_or_shot_why, why
from tabletop.rulesets.combat.data import SIDES
from tabletop.rulesets.combat.judging import Judge
from tabletop.rulesets.combat.plans import plans
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.state import State
from tabletop.rulesets.combat.views import seen_state

STRONG = "strong"
_MIXTURES = (
    {"gun": 6.0, "tank": 2.0, "plane": 0.1, "foot": 1.0, "motorised": 1.0, "cavalry": 1.0, "helicopter": 1.0},
    {"gun": 6.0, "tank": 3.0, "plane": 1.0, "foot": 1.0, "motorised": 1.0, "cavalry": 1.0, "helicopter": 1.0},
)
_SECRET = "It is decided in secret before the boards are joined."


class CombatComputer(Ranked):
    """The levels ``simple`` and ``strong``."""

    levels = (SIMPLE, STRONG)
    rules = RULES

    def wishes(self, state: State, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """What the player of a level would do for a side whose action the game waits for, best first."""
        own = SIDES.index(side)
        if level == STRONG:
            yield from _strong(seen_state(state, side), own, rng)
            return
        judge = Judge(state, own)
        yield from (Choice(action, strike_or_shot_why(judge, action)) for action in commander.bot_actions(state, rng))


COMPUTER = CombatComputer()


def _strong(state: State, own: int, rng: random.Random) -> Iterator[Choice]:
    """What the strong player would do, best first."""
    if state.pending:
        yield Choice(actions.Save(), f"{state.pending[0].unit} was hit, and its save decides.")
    elif state.step == "toss":
        yield Choice(actions.Toss(), "Chance says who moves first.")
    elif state.step == "deploy":
        if not state.armed[own]:
            yield Choice(armies.some_army(state.setup, SIDES[own], rng.choice(_MIXTURES)), _SECRET)
        yield from (Choice(action, _SECRET) for action in commander.deployment(state, rng))
    else:
        yield from (Choice(action, "A new piece is due, and comes on.") for action in commander.reinforcements(state))
        if state.night:
            yield Choice(actions.End(), "By night it stays where it is.")
        judge = Judge(state, own)
        yield from (Choice(plan.action(judge), why(judge, plan)) for plan in plans(judge))
        yield Choice(actions.End(), "No shot and no move is worth more than what it risks.")
