"""Combat Captain keeps the contract of all rulesets."""

import random
from typing import Any

from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.play import RULES
from tests.support.combat_captain_games import random_setup
from tests.support.ruleset_contract import RulesetContract


class TestCombatCaptain(RulesetContract):
    rules = RULES
    kinds_of_action = frozenset(
        (
            *("Put", "Cover", "Begin", "Fire", "Save", "Assault", "Withdraw", "Melee", "Retreat", "Settle", "TryEvent"),
            *("Choose", "Arrive", "Shell", "Strafe", "Attack", "BreakOff", "Bomb", "Chit", "End"),
        )
    )

    def small(self, rng: random.Random) -> object:
        return random_setup(rng)

    def result(self, before: Any, made: tuple[Any, ...]) -> int:
        match made[0]:
            case ev.Fired(hits=hits):
                return hits
            case ev.Saved(kept=kept) | ev.ShellFell(kept=kept):
                return sum(kept)
            case ev.Assaulted(on_defender=hits):
                return hits
            case ev.Fought(attack_total=mine, defend_total=theirs):
                return mine - theirs
            case ev.Withdrew(inches=inches):
                return inches
            case ev.EventRolled(roll=roll):
                return sum(roll)
            case ev.Arrived(count=count):
                return count
            case ev.Bombed(hit=hit):
                return int(hit)
            case ev.Strafed(casualties=made_) | ev.ShotBack(casualties=made_):
                return made_
        raise AssertionError(f"{made[0]} has no number that odds are about.")
