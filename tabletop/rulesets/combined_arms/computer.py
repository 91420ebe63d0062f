"""Computer players for the attackers: the simple one, and a strong one that has learnt what positions are worth.

What was chosen as a move phase began is kept while its moves are carried out.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Iterator

from tabletop.errors import UsageError
from tabletop.game.computers import SIMPLE, Choice, Ranked
from tabletop.game.hints import Advice
from tabletop.game.protocol import state_after
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.actions import ACTIONS
from tabletop.rulesets.combined_arms.adviser import Advised, advise, chance_words, plan_words
from tabletop.rulesets.combined_arms.board import NEAR, NUMBER
from tabletop.rulesets.combined_arms.data import ATTACKER, PLATOONS
from tabletop.rulesets.combined_arms.leading import Leader
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.rollout import Rollout
from tabletop.rulesets.combined_arms.state import State

STRONG = "strong"
ATTACKERS_ALONE = "The computer leads the attackers alone: a person commands the defenders here."
_MOST_KEPT = 64


class CombinedArmsComputer(Ranked):
    """The computer players: ``simple``, and ``strong`` for the attackers."""

    levels = (SIMPLE, STRONG)
    rules = RULES

    def __init__(self) -> None:
        self._kept: OrderedDict[State, Choice] = OrderedDict()

    def levels_for(self, state: State, side: str) -> tuple[str, ...]:
        """Both for the attackers; ``simple`` for the defenders where a player commands them, else the rules do."""
        if side == ATTACKER:
            return self.levels
        return () if state.solitaire_defence else (SIMPLE,)

    def wishes(self, state: State, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """What the player of a level would do now; raises UsageError for a strong defender against a person.

        The strong attackers' act comes first, then what else the same platoon could do, the shots that were to follow,
        and what the simple player would do.
        """
        if level == STRONG and side == ATTACKER:
            yield from self._acts(state)
        elif level == STRONG and not state.solitaire_defence:
            raise UsageError(ATTACKERS_ALONE)
        yield from (Choice(action) for action in RULES.bot_actions(state, rng))

    def act(self, state: State) -> Choice | None:
        """The strong attackers' act, where there is something to choose for it."""
        return next(self._acts(state), None)

    def _acts(self, state: State) -> Iterator[Choice]:
        """The strong attackers' acts, best first; none where there is nothing to choose for them."""
        if state.owed or state.pending is not None:
            return
        if state.step == "move":
            if state not in self._kept:
                self._plan(state)
            found = self._kept[state]
            yield found
            if isinstance(found.action, actions.Move | actions.Leave):
                yield from (other for other in _moves(state, found.action.unit) if other.action != found.action)
        elif state.step == "fire":
            yield from shots(state)

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


def _moves(state: State, unit: str) -> Iterator[Choice]:
    """The moves of a platoon, best first."""
    game = Rollout(state)
    leader, number = Leader(game), PLATOONS.index(unit)
    for way in leader.ways_by_worth(number):
        after = game.copy()
        after.trace = []
        leader.over(after).go(number, way)
        yield Choice(after.trace[0][0], f"The next best for {unit}.")


def shots(state: State) -> Iterator[Choice]:
    """The calls and fire that are left in a fire phase, the next one first, and its end; each with why."""
    if state.declared:
        yield Choice(actions.Resolve(), "All who were to join have declared their fire.")
        return
    game = Rollout(state)
    game.trace = []
    Leader(game).fire()
    for action, _ in game.trace:
        if state.setup.mode == "co-operative" and isinstance(action, actions.Fire):
            joined = actions.Declare(action.units[0], action.target)
            yield Choice(joined, f"{joined.unit} fires on {joined.target}, and others may join.")
        else:
            yield Choice(action, _why(state, action))
    yield Choice(actions.End(), "Nothing more is worth firing on.")


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
    raise AssertionError(action)


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
            after = state_after(RULES, after, step.action)
            step = COMPUTER.act(after)
    else:
        line = [ACTIONS.text(found.action)]
    return Advice(tuple(line), f"{found.why} Now: {', then '.join(line)}.", ACTIONS.to_json(found.action))


COMPUTER = CombinedArmsComputer()
