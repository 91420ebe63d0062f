"""One-Hour WWII keeps the contract of all rulesets."""

from __future__ import annotations

import random
from typing import Any

from tabletop.rulesets.one_hour_ww2 import events
from tabletop.rulesets.one_hour_ww2.play import RULES
from tests.support.one_hour_games import random_setup
from tests.support.ruleset_contract import RulesetContract


class TestOneHourWW2(RulesetContract):
    """Fewer games than other rulesets: exact geometry judges every shot and walk, which takes ten times as long as
    squares and hexes do. 120 games are 3,000 actions."""

    rules = RULES
    games = 120
    kinds_of_action = frozenset({"Begin", "Fire", "Move", "Place", "Leave", "Rally", "Ready", "DigIn", "End"})

    def small(self, rng: random.Random) -> object:
        return random_setup(rng)

    def result(self, before: Any, made: tuple[Any, ...]) -> int:
        match made[0]:
            case events.Fired(hits=hits):
                return hits
            case events.MoveRolled(total_in=total):
                return total
            case events.Rallied(unit=unit, removed=removed):
                return before.unit(unit).hits - removed
        raise AssertionError(f"{made[0]} has no number that odds are about.")
