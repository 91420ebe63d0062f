"""Bridge Guard, the smallest ruleset on squares, keeps the contract of all rulesets by what the base gives it."""

import random
from dataclasses import replace
from typing import Any

from tabletop.game.registry import ruleset
from tabletop.starting.scenarios import find
from tests.support.example_rulesets import BRIDGE_GUARD
from tests.support.ruleset_contract import RulesetContract


class TestBridgeGuard(RulesetContract):
    games = 50
    kinds_of_action = frozenset({"Move", "Shoot", "End"})
    compared = 4

    @property
    def rules(self) -> Any:
        return ruleset(BRIDGE_GUARD.name)

    def small(self, rng: random.Random) -> object:
        """Units in reach of one another, on either bank."""
        setup = find(BRIDGE_GUARD.scenario).setup
        squares = rng.sample([f"{column}{row}" for column in "bcdef" for row in (2, 3, 5, 6)], len(setup.units))
        units = tuple(replace(unit, at=square) for unit, square in zip(setup.units, squares, strict=True))
        return replace(setup, units=units, turns=4)

    def result(self, before: Any, events: tuple[Any, ...]) -> int:
        return int(events[0].hits)
