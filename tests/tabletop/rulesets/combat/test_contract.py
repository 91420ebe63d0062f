"""Combat keeps the contract of every ruleset: with all profiles, periods and house rules, on small battlefields."""

import random
from typing import Any

from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.play import RULES
from tests.support.combat_games import small_setup
from tests.support.ruleset_contract import RulesetContract


class TestCombat(RulesetContract):
    rules = RULES
    kinds_of_action = frozenset(
        {"Army", "Place", "Unplace", "Establish", "Ready", "Toss", "First", "Move", "Fire", "Strike", "Fly", "Save"}
        | {"Lay", "Deploy", "Reinforce", "End", "Concede", "Correct"}
    )
    roles = frozenset({"red-left", "red-right", "blue-left", "blue-right"})

    def small(self, rng: random.Random) -> object:
        return small_setup(rng)

    def result(self, before: Any, events: tuple[Any, ...]) -> int:
        match events[0]:
            case ev.Fired() | ev.Struck():
                return int(events[0].card == "hit")
            case ev.Saved():
                return int(events[0].saved)
        return int(events[0].side == "blue")
