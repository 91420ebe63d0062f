"""The course of a turn: what follows of itself after an action, and what the defenders need dice for next.

Everything that the rules leave neither to dice nor to a player happens at once, as events of the action before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tabletop.game.protocol import D6
from tabletop.rulesets.combined_arms import defender, enemy_player, mortars
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER
from tabletop.rulesets.combined_arms.data import REVEAL
from tabletop.rulesets.combined_arms.reducer import apply
from tabletop.rulesets.combined_arms.scoring import finish_event
from tabletop.rulesets.combined_arms.sights import enemy_line
from tabletop.rulesets.combined_arms.state import Counter, State

What = Literal["mortars", "aim", "platoon", "guns", "armour tie", "armour", "cluster tie", "scatter"]


@dataclass(frozen=True)
class Need:
    """A roll that the defenders need next: what for, by the counter of which hex, among which equal choices.

    ``because`` says why a test is made, ``unit`` which armour is fired on.
    """

    what: What
    at: int = -1
    among: tuple[str, ...] = ()
    because: str = ""
    unit: str = ""

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces of its die: six, or one for every equal choice."""
        return tuple(range(1, len(self.among) + 1)) if self.among else D6


@dataclass(frozen=True)
class Onward:
    """What follows of itself, the state after it, and the roll that the defenders need then."""

    events: tuple[ev.Event, ...]
    state: State
    need: Need | None = None


def onward(state: State) -> Onward:
    """All that follows of itself from a state, up to the next roll or choice."""
    events: list[ev.Event] = []

    def happen(event: ev.Event) -> None:
        nonlocal state
        events.append(event)
        state = apply(state, event)

    while True:
        if state.pending is not None or state.owed:
            return Onward(tuple(events), state)
        if state.step == "mortars":
            if state.barrage == "to scatter" or (state.barrage == "landed" and bombardment(state)):
                return Onward(tuple(events), state)
            happen(ev.PhaseBegan("enemy", state.turn))
        elif state.step == "enemy":
            if not state.solitaire_defence:
                if enemy_player.waits(state):
                    return Onward(tuple(events), state)
                happen(enemy_player.forced_event(state))
                continue
            found = _next(state, happen)
            if found is not None:
                return Onward(tuple(events), state, found)
        elif state.step == "final":
            found = next_uncovering_test(state)
            if found is None:
                happen(finish_event(state))
            elif state.solitaire_defence:
                return Onward(tuple(events), state, found)
            else:
                happen(enemy_player.reveal_event(state, state.counters[found.at], guns=True, forced=True))
        else:
            return Onward(tuple(events), state)


def bombardment(state: State) -> tuple[int, ...]:
    """The counters that the preliminary bombardment is rolled for: unrevealed and in sight of a platoon, in turn 1."""
    if state.turn != 1:
        return ()
    return tuple(
        c.at
        for c in state.enemy
        if not c.revealed and any(enemy_line(state, at, c.at) != "blocked" for at in state.by_hex)
    )


def _next(state: State, happen: Callable[[ev.Event], None]) -> Need | None:
    """The defenders' next step: an event that follows of itself, or the roll that is needed."""
    if state.mortar_stage == "to roll":
        idle = mortars.idle(state)
        if idle is None:
            return Need("mortars")
        happen(idle)
        return None
    if state.mortar_stage == "to aim":
        best = mortars.best_targets(state)
        if len(best) > 1:
            return Need("aim", among=tuple(NAMES[n] for n in best))
        happen(mortars.aim_event(state, best[0]))
        return None
    counter = state.acting_counter
    if counter is not None:
        return _counter(state, counter, happen)
    if state.mortar_stage == "called":
        return Need("scatter")
    happen(defender.turn_over(state))
    return None


def _counter(state: State, counter: Counter, happen: Callable[[ev.Event], None]) -> Need | None:
    """What the counter whose turn it is does [Enemy decisions]."""
    at = counter.at
    why = defender.platoon_test(state, counter)
    if why:
        return Need("platoon", at, because=why)
    why = defender.guns_test(state, counter)
    if why:
        return Need("guns", at, because=why)
    if not counter.fresh:
        happen(ev.Rallied(NAMES[at]))
        return None
    if not counter.revealed:
        happen(_lurk_event(state))
        return None
    guns = counter.atg == "real"
    if "armour" not in state.acted:
        found = defender.armour_targets(state, at, guns=guns)
        if found.chances:
            if len(found.best) > 1 and not state.chosen.armour:
                return Need("armour tie", at, found.best)
            return Need("armour", at, unit=state.chosen.armour or found.best[0])
    best = defender.clusters(state, at)
    if not best.any:
        happen(ev.Passed(NAMES[at], because="no infantry that it could hit" if state.acted else "nothing in sight"))
        return None
    if len(best.best) > 1 and not state.chosen.cluster:
        return Need("cluster tie", at, tuple(defender.cluster_words(c) for c in best.best))
    happen(defender.fire_event(state, at, state.chosen.cluster or best.best[0], best))
    return None


def _lurk_event(state: State) -> ev.Lurked:
    """The counters from this one on, up to the next that does something, that stay hidden."""
    rows: list[tuple[str, int, int]] = []
    for c in state.enemy:
        if state.activated >> c.at & 1:
            continue
        if c.revealed or not c.fresh or defender.platoon_test(state, c) or defender.guns_test(state, c):
            break
        chances = defender.armour_targets(state, c.at, guns=True).chances if c.atg == "potential" else 0
        rows.append((NAMES[c.at], defender.clusters(state, c.at).payoff, chances))
    return ev.Lurked(tuple(rows))


# --- what dice make of it --------------------------------------------------------------------------------------------


def roll_events(state: State, need: Need, die: int) -> tuple[ev.Event, ...]:
    """The events of the defenders' next roll."""
    match need.what:
        case "mortars":
            least = mortars.enemy_mortars_need(state)
            return (ev.MortarsTried(die, least, die >= least),)
        case "aim":
            picked = NUMBER[need.among[die - 1]]
            return ev.Drawn("mortar target", need.among, die), mortars.aim_event(state, picked, "drawn among equals")
        case "platoon" | "guns":
            return (test_event(state, state.counters[need.at], need, die),)
        case "armour tie":
            return (ev.Drawn("armour", need.among, die, NAMES[need.at]),)
        case "cluster tie":
            return (ev.Drawn("cluster", need.among, die, NAMES[need.at]),)
        case "scatter":
            return (mortars.scatter_event(state, "enemy mortars", die),)
    return (defender.armour_shot(state, need.at, need.unit, die, state.chosen.armour and "drawn among equals"),)


def test_event(state: State, counter: Counter, need: Need, die: int) -> ev.Tested:
    """The event of a test whether a platoon or guns are real."""
    guns = need.what == "guns"
    add = defender.test_modifiers(state, counter, guns=guns)
    score = die + sum(value for _, value in add)
    return ev.Tested(NAMES[counter.at], "guns" if guns else "platoon", die, add, score, score >= REVEAL, need.because)


# --- the end ---------------------------------------------------------------------------------------------------------


def next_uncovering_test(state: State) -> Need | None:
    """The next test after the last turn: every unrevealed platoon, then its guns [Victory]."""
    for c in state.enemy:
        if not c.revealed:
            return Need("platoon", c.at, because="the game is over")
        if c.atg == "potential":
            return Need("guns", c.at, because="the game is over")
    return None
