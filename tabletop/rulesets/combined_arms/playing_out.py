"""What acts of Combined Arms changed of the chance to win: the turn is played on from before the act and from after it.

The strong attackers lead what is left of their phases, the game itself what is left of the defenders'; what the next
turn then begins with is told by their net. A shot's own dice are thrown anew when it is played on from before it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tabletop.game.computers import first_legal
from tabletop.game.playing_out import Act, Compared, Effort
from tabletop.game.protocol import state_after
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER
from tabletop.rulesets.combined_arms.leading import Leader
from tabletop.rulesets.combined_arms.planning import next_turn
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.rollout import Rollout
from tabletop.rulesets.combined_arms.state import State

_DEFENDERS_STEPS = ("enemy", "final")


class CombinedArmsPlayingOut:
    """Who plays turns of Combined Arms on."""

    effort = Effort(games=16, most=24, again=64, first=1500)

    def compare(self, acts: Sequence[Act], games: int, seed: int) -> Sequence[Compared | None]:
        """The chance to win of the side that acted, from before each act and from after all that it brought about;
        ``None`` before turn 1, for the clock, and for what an act that was told before brought about."""
        known: dict[State, NDArray[np.float64]] = {}
        return [self._compared(act, games, seed, known) if _counts(act) else None for act in acts]

    def _compared(self, act: Act, games: int, seed: int, known: dict[State, NDArray[np.float64]]) -> Compared:
        before, after = (_chances(state, games, seed, known) for state in act.whole)
        if act.before.step in _DEFENDERS_STEPS:
            return Compared(DEFENDER, 1 - before, 1 - after)
        return Compared(ATTACKER, before, after)


PLAYING_OUT = CombinedArmsPlayingOut()


def _counts(act: Act) -> bool:
    told = any(not isinstance(event, ev.PhaseBegan) for event in act.events)
    return bool(act.before.turn) and told and act.before == act.whole[0]


def _chances(state: State, games: int, seed: int, known: dict[State, NDArray[np.float64]]) -> NDArray[np.float64]:
    """The attackers' chance to win at the beginning of the next turn, as so many throws of the dice make it."""
    if state not in known:
        rows = [random.Random(seed + n) for n in range(games)]
        led = _attackers_choose(state)
        known[state] = np.array(_led(state, rows) if led else [_played(state, rng) for rng in rows])
    return known[state]


def _attackers_choose(state: State) -> bool:
    """Whether the attackers have something to choose but whom to break."""
    free = not state.owed and state.pending is None and not state.declared
    return state.result is None and free and state.step in ("move", "fire")


def _led(state: State, rows: Sequence[random.Random]) -> list[float]:
    """The chances after the attackers' phases and what follows them."""
    start = Rollout(state)
    leader = Leader(start)
    if state.step == "move":
        leader.move()
        start.begin_fire()
    aims = leader.aims()
    return [next_turn(leader.over(start.copy(rng.random)), aims).chance for rng in rows]


def _played(state: State, rng: random.Random) -> float:
    """The chance after what is left of a phase in which the attackers choose little, by the game itself."""
    while state.result is None and not _attackers_choose(state):
        action = first_legal(RULES, state, RULES.bot_actions(state, rng))
        state = state_after(RULES, state, action, RULES.dice(state, action).roll(rng))
    if state.result is not None:
        return float(state.result.winner == ATTACKER)
    return _led(state, [rng])[0] if state.step == "fire" else Leader(Rollout(state)).worth().chance
