"""What acts of One-Hour WWII changed of the chance to win: the quick player plays on with each of them and without.

Without a shot, a rally or digging in is the same table with that unit's act spent and nothing done; without a move, or
leaving the table, is the table before it with the unit still free to do as the quick player likes: to stand still is
no yardstick for somebody whose time runs short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tabletop.game.playing_out import Act, Compared, Effort
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.playing_out import winners_of
from tabletop.rulesets.one_hour_ww2.state import State


class OneHourPlayingOut:
    """The quick player of One-Hour WWII."""

    effort = Effort()

    def compare(self, acts: Sequence[Act], games: int, seed: int) -> Sequence[Compared | None]:
        """Games played out with and without each act; ``None`` for what no unit did."""
        if not all(_has_units(act.before, side) for act in acts[:1] for side in act.before.setup.sides):
            return [None] * len(acts)
        told = [(n, without) for n, act in enumerate(acts) if (without := _without(act)) is not None]
        states = [state for n, without in told for state in (without, acts[n].after)]
        won = winners_of(states, games, seed)
        found: list[Compared | None] = [None] * len(acts)
        for row, (n, _) in enumerate(told):
            side = _side(acts[n])
            number = acts[n].before.setup.sides.index(side)
            without, played = ((won[2 * row + part] == number).astype(np.float64) for part in (0, 1))
            found[n] = Compared(side, without, played)
        return found


PLAYING_OUT = OneHourPlayingOut()


def _has_units(state: State, side: str) -> bool:
    return any(plan.side == side for plan in state.setup.units)


def _side(act: Act) -> str:
    plan = act.before.setup.unit(act.events[0].unit)
    return str(plan.side)


def _without(act: Act) -> State | None:
    """The state that an act is held against; ``None`` where no unit acted, or before the first turn."""
    state: State = act.before
    event: Any = act.events[0]
    if state.turn < 1 or state.step in ("deploy", "over"):
        return None
    match event:
        case ev.Fired(reaction=True):
            units = tuple(replace(unit, ready=False) if unit.id == event.unit else unit for unit in state.units)
            return replace(state, units=units)
        case ev.Fired():
            return replace(state, acted=state.acted | {event.unit}, reacting=state.reacting or state.step == "actions")
        case ev.Rallied() | ev.MadeReady() | ev.DugIn():
            return replace(state, settled=state.settled | {event.unit})
        case ev.MoveRolled():
            return state
    return None
