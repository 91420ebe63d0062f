"""Night Raid, the smallest ruleset, keeps the contract of all rulesets by what the base gives it."""

import random
from dataclasses import replace
from typing import Any

from tabletop.game.actions import Standing
from tabletop.game.registry import ruleset
from tabletop.starting.scenarios import find
from tests.support.example_rulesets import NIGHT_RAID
from tests.support.ruleset_contract import RulesetContract


class TestNightRaid(RulesetContract):
    """Fewer games than others: it has three actions, and the options that the base derives for it take long."""

    games = 20
    few = 3
    kinds_of_action = frozenset({"Move", "Shoot", "End"})
    compared = 4

    @property
    def rules(self) -> Any:
        return ruleset(NIGHT_RAID.name)

    def small(self, rng: random.Random) -> object:
        """Units in reach of one another."""
        setup = find(NIGHT_RAID.scenario).setup
        units = tuple(
            replace(unit, at=Standing(rng.uniform(6, 18), rng.uniform(6, 18), float(rng.randrange(360))))
            for unit in setup.units
        )
        return replace(setup, units=units, turns=4)

    def result(self, before: Any, events: tuple[Any, ...]) -> int:
        return int(events[0].hits)
