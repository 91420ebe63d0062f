"""`measure` keeps the contract of all rulesets."""

import random
from typing import Any

from tabletop.rulesets.measure.play import RULES
from tabletop.rulesets.measure.seats import PLAYERS
from tests.support.measure_games import random_setup
from tests.support.ruleset_contract import RulesetContract


class TestMeasure(RulesetContract):
    """Fewer games than other rulesets: it judges next to nothing, and half the time goes into drawing what it shows."""

    rules = RULES
    games = 20
    roles = frozenset({PLAYERS})
    kinds_of_action = frozenset(
        {"Add", "Place", "Move", "Remove", "Name", "Mark", "Correct", "Draw", "Reshape", "Cut", "Erase", "Measure"}
        | {"Sight", "Arc", "Roll", "Turn", "End"}
    )

    def small(self, rng: random.Random) -> object:
        return random_setup(rng)

    def result(self, before: Any, events: tuple[Any, ...]) -> int:
        return sum(events[0].dice)
