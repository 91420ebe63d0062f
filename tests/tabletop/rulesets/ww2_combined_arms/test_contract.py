"""WWII Combined Arms keeps the contract of all rulesets."""

import random
from typing import Any

from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tests.support.ruleset_contract import RulesetContract
from tests.support.ww2_combined_arms_games import small_setup


class TestWW2CombinedArms(RulesetContract):
    rules = RULES
    few = 10
    kinds_of_action = frozenset(
        {"Draw", "City", "Army", "First", "Elite", "Place", "Deploy", "Move", "Attack", "Retreat", "Reinforce", "Hold"}
        | {"End", "Concede", "Correct"}
    )

    def small(self, rng: random.Random) -> object:
        return small_setup(rng)

    def result(self, before: Any, events: tuple[Any, ...]) -> int:
        return next(event.lot for event in events if isinstance(event, ev.CityLaid))
