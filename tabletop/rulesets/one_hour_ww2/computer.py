"""The computer players of One-Hour WWII: the simple player, and a strong one that weighs fire against danger.

The strong player counts in expected hits. It fires where its shots are worth most, kills before anything else; it goes
where it would hurt more than be hurt, and towards its aim once it is stronger than its enemy or time runs short; it
waits Ready and dug in otherwise. It looks one action ahead and plays by the actions that people have.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tabletop.game.computers import SIMPLE, Choice, Ranked
from tabletop.game.errors import GameError
from tabletop.rulesets.one_hour_ww2 import actions, player
from tabletop.rulesets.one_hour_ww2.actions import Action, Fire
from tabletop.rulesets.one_hour_ww2.options import stay
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.shot_worth import Shot
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.rulesets.one_hour_ww2.tactics import Tactics
from tabletop.tables.scene import Unit

STRONG = "strong"
_FIRES = 0.7
"""Worth of a shot, in hits, from which on it is fired by the side whose phase it is, and
``_REACTS`` by the other side while units are still to act that may come nearer."""
_REACTS = 1.6
_WEAK = 3.0
"""Worth of a shot below which a move may be better."""
_RALLIES = 2.0


class OneHourComputer(Ranked):
    """The levels ``simple`` and ``strong``."""

    levels = (SIMPLE, STRONG)
    rules = RULES

    def choose(self, state: State, side: str, level: str, rng: random.Random) -> Choice:
        """What the player of a level does for a side now; raises GameError where only the other side may act."""
        for choice in self.choices(state, side, level, rng):
            return choice
        raise GameError("The other side is to act first.")

    def wishes(self, state: State, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """What it would do, best first."""
        if level == STRONG:
            return _strong(state, side, rng)
        return (Choice(wish) for wish in _own(state, side, player.bot_actions(state, rng)))

    def react(self, state: State, side: str, level: str, rng: random.Random) -> Choice | None:
        """What a side does out of turn: deploys beside the other side, fires with its Ready units in its phase."""
        if state.step == "deploy":
            wishes: Iterator[Choice] = (
                _deployments(state, side, rng)
                if level == STRONG
                else (Choice(wish) for wish in _own(state, side, player.bot_actions(state, rng)))
            )
            return next((c for c in wishes if isinstance(c.action, actions.Deploy) and not _against(state, c)), None)
        if not state.reacting or side == state.side:
            return None
        if level == SIMPLE:
            shots = (w for w in _own(state, side, player.bot_actions(state, rng)) if isinstance(w, Fire))
            return next((Choice(shot) for shot in shots if not RULES.check(state, shot)), None)
        return next((choice for choice in _reactions(state, side) if not _against(state, choice)), None)


COMPUTER = OneHourComputer()


def _against(state: State, choice: Choice) -> tuple[Any, ...]:
    return RULES.check(state, choice.action)


def _own(state: State, side: str, wishes: Iterator[Action]) -> Iterator[Action]:
    """Those wishes that are a side's own to do, or the referee's for all; nobody gives up."""
    return (
        wish
        for wish in wishes
        if not isinstance(wish, actions.Concede) and RULES.actor(state, wish) in (side, "referee")
    )


def _strong(state: State, side: str, rng: random.Random) -> Iterator[Choice]:
    """What the strong player would do, best first."""
    if state.step == "deploy":
        yield from _deployments(state, side, rng)
        yield Choice(actions.Begin(), "All units stand: the first turn begins.")
        return
    if state.pending is not None:
        unit = state.unit(state.pending.unit)
        if unit is not None:
            yield from _ends_of_move(state, unit, rng)
        return
    tactics = Tactics(state, side)
    if state.step in ("mortar", "actions"):
        yield from _shots(state, tactics, rng)
    if state.step == "actions":
        yield from _moves(state, tactics, rng)
    if state.step == "rally":
        yield from _rest(state, tactics)
    yield Choice(actions.End(), "Nothing better is left to do in this step.")


# --- fire ----------------------------------------------------------------------------------------------------------


def _does_better(state: State, tactics: Tactics, shot: Shot, rng: random.Random) -> bool:
    """Whether a unit gains more by a move than by its shot: by one towards its aim where the shot is poor, by any where
    it could come between the enemy and an objective."""
    poor = shot.worth < _WEAK and tactics.presses(shot.unit)
    if state.step != "actions" or not (poor or tactics.guardable(shot.unit) > shot.worth):
        return False
    return (poor and tactics.hurries(shot.unit)) or tactics.gain_of_moving(shot.unit, rng)[0] > shot.worth


def _shots(state: State, tactics: Tactics, rng: random.Random) -> Iterator[Choice]:
    """Shots that are worth more than what their units could do else, the best first."""
    firers = [
        unit
        for unit in tactics.own
        if unit.id not in state.acted and (kind_of(unit).fires_as == "mortar") == (state.step == "mortar")
    ]
    for shot in tactics.shots(firers):
        if shot.worth >= _FIRES and not _does_better(state, tactics, shot, rng):
            yield Choice(Fire(shot.unit.id, shot.target.id), _why_fire(state, shot))


def _reactions(state: State, side: str) -> Iterator[Choice]:
    tactics = Tactics(state, side)
    left = any(unit.id not in state.acted for unit in state.units if unit.side == state.side)
    ready = [unit for unit in tactics.own if unit.ready and kind_of(unit).fires_as != "mortar"]
    for shot in tactics.shots(ready):
        if shot.worth >= (_REACTS if left else _FIRES):
            yield Choice(Fire(shot.unit.id, shot.target.id), _why_fire(state, shot))


def _why_fire(state: State, shot: Shot) -> str:
    """A shot in a sentence."""
    hits = f"{shot.expected:.1f} hits on average"
    if shot.kills >= 0.995:
        return f"{shot.unit.id} destroys {shot.target.id} for certain."
    if shot.kills > 0:
        return f"{shot.unit.id} destroys {shot.target.id} with a chance of {shot.kills:.0%}: {hits}."
    hurt = f", which has {shot.target.hits} already" if shot.target.hits else ""
    return f"No shot is worth more: {shot.unit.id} does {shot.target.id}{hurt}, {hits}."


# --- moves ---------------------------------------------------------------------------------------------------------


def _moves(state: State, tactics: Tactics, rng: random.Random) -> Iterator[Choice]:
    """Moves of units that gain by them, those nearest to their goals first."""
    waiting = [unit for unit in tactics.own if unit.id not in state.acted]
    for unit in sorted(waiting, key=tactics.way_in):
        gain, why = tactics.gain_of_moving(unit, rng)
        if gain > 0:
            yield Choice(actions.Move(unit.id), why)


def _ends_of_move(state: State, unit: Unit, rng: random.Random) -> Iterator[Choice]:
    tactics = Tactics(state, unit.side)
    for door in state.setup.exits:
        if door.side == unit.side:
            yield Choice(actions.Leave(unit.id, door.id), f"{unit.id} gets to {door.title}: it leaves the table.")
    for place, why in tactics.places(unit, rng):
        yield Choice(place, why)
    yield Choice(stay(unit), f"No other place is better for {unit.id}.")


# --- the last step ---------------------------------------------------------------------------------------------------


def _rest(state: State, tactics: Tactics) -> Iterator[Choice]:
    for unit in tactics.own:
        if unit.id in state.acted or unit.id in state.settled:
            continue
        loses = unit.hits - unit.permanent
        rally = Choice(actions.Rally(unit.id), f"{unit.id} has {unit.hits} hits and rallies while it has time.")
        dig = Choice(actions.DigIn(unit.id), f"{unit.id} stays here for now, and digs in against fire.")
        ready = Choice(actions.Ready(unit.id), f"{unit.id} waits for enemies that come into its fire.")
        danger, chance = tactics.danger(unit), tactics.prey(unit)
        if loses >= _RALLIES and (unit.hits >= 9 or loses >= 4) and not (chance >= 3 and unit.hits < 9):
            yield rally
        if chance > 0 and not unit.ready:
            yield ready
        if danger > 0 and not unit.dug_in and not tactics.presses(unit):
            yield dig
        if loses > 0:
            yield rally
        yield ready
        if not tactics.presses(unit):
            yield dig


# --- before the first turn --------------------------------------------------------------------------------------------


def _deployments(state: State, side: str, rng: random.Random) -> Iterator[Choice]:
    """Places for the first unit of a side that is still to be deployed, the best of some tries first."""
    plan: UnitSetup | None = next((u for u in state.setup.units if u.id in state.undeployed and u.side == side), None)
    if plan is None:
        return
    for wish in Tactics(state, side).deployments(plan, rng):
        yield Choice(wish, f"{plan.id} starts near where it is wanted.")
