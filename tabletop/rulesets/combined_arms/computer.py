"""Computer players for the attackers: the simple one, and a strong one that has learnt what positions are worth.

What was chosen as a move phase began is kept while its moves are carried out.
"""

from __future__ import annotations

import random
from collections import OrderedDict

from tabletop.errors import UsageError
from tabletop.game.computers import SIMPLE, Choice, first_legal
from tabletop.game.hints import Advice
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.actions import ACTIONS
from tabletop.rulesets.combined_arms.adviser import Advised, advise, chance_words, plan_words
from tabletop.rulesets.combined_arms.board import NEAR, NUMBER
from tabletop.rulesets.combined_arms.data import ATTACKER
from tabletop.rulesets.combined_arms.leading import Leader
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.rollout import Rollout
from tabletop.rulesets.combined_arms.state import State

STRONG = "strong"
ATTACKERS_ALONE = "The computer leads the attackers alone: a person commands the defenders here."
_MOST_KEPT = 64


class CombinedArmsComputer:
    """The computer players: ``simple``, and ``strong`` for the attackers."""

    levels = (SIMPLE, STRONG)

    def __init__(self) -> None:
        self._kept: OrderedDict[State, Choice] = OrderedDict()

    def choose(self, state: State, side: str, level: str, rng: random.Random) -> Choice:
        """What the player of a level does now; raises UsageError for a strong defender against a person."""
        if level == STRONG and side == ATTACKER:
            found = self.act(state)
            if found is not None and not RULES.check(state, found.action):
                return found
        elif level == STRONG and not state.solitaire_defence:
            raise UsageError(ATTACKERS_ALONE)
        return Choice(first_legal(RULES, state, RULES.bot_actions(state, rng)))

    def act(self, state: State) -> Choice | None:
        """The strong attackers' act, where there is something to choose for it."""
        if state.owed or state.pending is not None or state.step not in ("move", "fire"):
            return None
        if state.step == "fire":
            return shot(state)
        kept = self._kept.get(state)
        if kept is None:
            self._plan(state)
            kept = self._kept[state]
        return kept

    def _plan(self, state: State) -> None:
        """Choose a turn's moves from a state, and keep each with the state that it is done in."""
        found = advise(state)
        why = turn_words(state, found)
        for action in found.moves:
            self._kept[state] = Choice(action, why, found.verdict.chance)
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
            for event in RULES.resolve(state, action, ()) if not isinstance(action, actions.Finish) else ():
                state = RULES.apply(state, event)


def turn_words(state: State, found: Advised) -> str:
    """What is advised for a turn, with its chance, in a sentence."""
    chance = chance_words(found.verdict)
    if found.ends:
        return f"End the game now: {chance}, more than going on promises."
    ending = "" if found.ending is None else f"; to end now, {chance_words(found.ending)}"
    return f"Plan: {plan_words(state, found.moves)}. {chance}{ending}."


def shot(state: State) -> Choice:
    """The next call, fire or end of a fire phase, with why."""
    game = Rollout(state)
    game.trace = []
    declared = [name for name, _ in state.declared]
    Leader(game).fire()
    found = game.trace[0][0] if game.trace else actions.End()
    if state.setup.mode == "co-operative":
        if declared:
            return Choice(actions.Resolve(), "All who were to join have declared their fire.")
        if isinstance(found, actions.Fire):
            found = actions.Declare(found.units[0], found.target)
            return Choice(found, f"{found.unit} fires on {found.target}, and others may join.")
    return Choice(found, _why(state, found))


def _why(state: State, action: actions.Action) -> str:
    match action:
        case actions.Call():
            return f"Mortars keep {action.hex} down while the platoons close in."
        case actions.Fire():
            at = NUMBER[action.target]
            close = all(NEAR[at] >> state.by_id[name].at & 1 for name in action.units)
            odds = RULES.odds(state, action)
            pinned = 0.0 if odds is None else float(odds.also["spent"])
            broken = 0.0 if odds is None else float(odds.also.get("broken", 0))
            if close and broken:
                return (
                    f"An assault on {action.target}: {100 * broken:.0f} % to break it, {100 * pinned:.0f} % to pin it."
                )
            return f"To pin {action.target} before it fires: {100 * pinned:.0f} %."
    return "Nothing more is worth firing on."


def advice(state: State) -> Advice | None:
    """The moves of this turn, or the next shot, with plan and chance; ``None`` where only dice are to be rolled.

    Raises UsageError where it is for the defenders' player to act.
    """
    if not state.solitaire_defence and state.step in ("enemy", "muster", "post"):
        raise UsageError(ATTACKERS_ALONE)
    if not state.turn:
        return None
    found = COMPUTER.act(state)
    if found is None:
        return None
    line, after = [], state
    if state.step == "move":
        step: Choice | None = found
        while step is not None:
            line.append(ACTIONS.text(step.action))
            if isinstance(step.action, actions.End | actions.Finish):
                break
            for event in RULES.resolve(after, step.action, ()):
                after = RULES.apply(after, event)
            step = COMPUTER.act(after)
    else:
        line = [ACTIONS.text(found.action)]
    return Advice(tuple(line), f"{found.why} Now: {', then '.join(line)}.", ACTIONS.to_json(found.action))


COMPUTER = CombinedArmsComputer()

__all__ = ["ATTACKERS_ALONE", "COMPUTER", "STRONG", "CombinedArmsComputer", "advice", "shot", "turn_words"]
