"""Combat Captain as a game to be kept: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.game.base import RulesetBase
from tabletop.rulesets.combat_captain import events
from tabletop.rulesets.combat_captain.actions import ACTIONS, Action
from tabletop.rulesets.combat_captain.actors import actor, to_act
from tabletop.rulesets.combat_captain.checks import check
from tabletop.rulesets.combat_captain.completion import complete
from tabletop.rulesets.combat_captain.data import NAME
from tabletop.rulesets.combat_captain.event_text import event_text
from tabletop.rulesets.combat_captain.events import is_free
from tabletop.rulesets.combat_captain.invariant_violations import invariant_violations
from tabletop.rulesets.combat_captain.odds import dice, dice_suffice, odds
from tabletop.rulesets.combat_captain.options import options
from tabletop.rulesets.combat_captain.organisation import setup_faults
from tabletop.rulesets.combat_captain.playing import bot_actions, random_actions
from tabletop.rulesets.combat_captain.reducer import apply
from tabletop.rulesets.combat_captain.resolving import resolve
from tabletop.rulesets.combat_captain.setup import Setup
from tabletop.rulesets.combat_captain.state import State


class CombatCaptain(RulesetBase[State, Action, events.Event]):
    """The surviving rules of Combat Captain as pure functions of a state."""

    name = NAME
    actions = ACTIONS
    codec = events.CODEC
    setup = Setup

    setup_faults = staticmethod(setup_faults)
    apply = staticmethod(apply)
    to_act = staticmethod(to_act)
    options = staticmethod(options)
    check = staticmethod(check)
    actor = staticmethod(actor)
    dice = staticmethod(dice)
    dice_suffice = staticmethod(dice_suffice)
    odds = staticmethod(odds)
    is_free = staticmethod(is_free)
    random_actions = staticmethod(random_actions)
    bot_actions = staticmethod(bot_actions)
    invariant_violations = staticmethod(invariant_violations)
    event_text = staticmethod(event_text)
    complete = staticmethod(complete)

    def resolve(
        self, state: State, action: Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The events of a checked action with its dice as rolled."""
        return resolve(state, action, dice, tuple(overruled))


RULES = CombatCaptain()
