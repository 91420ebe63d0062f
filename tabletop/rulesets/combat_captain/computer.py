"""The computer players of Combat Captain: the simple player, and a strong one that shares its fire out and moves.

The strong player counts in soldiers. It fires where its points do most, its dice one by one where that does more, and
so that no target takes more than it needs; it goes where its fire of this turn and the next outweighs the enemy's, to
its goal, or into a close combat that it should win. It looks one turn ahead by means of the exact chances, plays by the
actions that people have, and says that a goal is met when it is for certain.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np

from tabletop.game.computers import SIMPLE, Choice, Ranked
from tabletop.rulesets.combat_captain import actions
from tabletop.rulesets.combat_captain.action_fields import Placement
from tabletop.rulesets.combat_captain.combat import contact
from tabletop.rulesets.combat_captain.control import overlaps
from tabletop.rulesets.combat_captain.data import DICE_PER_TURN, YES
from tabletop.rulesets.combat_captain.fire_plan import FirePlan
from tabletop.rulesets.combat_captain.goals import won_by
from tabletop.rulesets.combat_captain.manoeuvre import PACE_IN, Manoeuvre, Move
from tabletop.rulesets.combat_captain.play import RULES
from tabletop.rulesets.combat_captain.playing import bot_actions, withdrawal
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import State, with_place
from tabletop.rulesets.combat_captain.strikes import strikes
from tabletop.words import and_list

STRONG = "strong"
_STRIP = 0.25
"""How much of the table's depth is a side's own to start on."""
_STEP_IN = 0.5
"""How far places to start on are from one another."""


class CaptainComputer(Ranked):
    """The levels ``simple`` and ``strong``."""

    levels = (SIMPLE, STRONG)
    rules = RULES

    def wishes(self, state: State, side: str, level: str, rng: random.Random) -> Iterator[Choice]:
        """What the player of a level would do for a side now, best first."""
        if level == STRONG:
            return _strong(state, side, rng)
        return (Choice(action) for action in bot_actions(state, rng))

    def react(self, state: State, side: str, level: str, rng: random.Random) -> Choice | None:
        """What a side does out of turn: puts its beaten company back, starts its stands, says after the last turn that
        its goal is met."""
        found: Iterator[Choice] = iter(())
        if state.combat is not None and state.saves is None:
            found = _going_back(state, side)
        elif level == STRONG and state.step == "deploy":
            found = _starts(state, side)
        elif level == STRONG and _is_last(state) and side != state.side:
            found = _victory(state, side)
        return next((choice for choice in found if not RULES.check(state, choice.action)), None)


COMPUTER = CaptainComputer()


def _strong(state: State, side: str, rng: random.Random) -> Iterator[Choice]:
    """What the strong player would do, best first; where all that is not legal, what the simple one would."""
    if state.saves is not None:
        yield Choice(actions.Save(), "These hits may still be saved.")
    elif state.combat is not None:
        yield from _close_combat(state)
    elif state.support is not None:
        yield from strikes(state, side, rng)
    elif state.step == "deploy":
        yield from _starts(state, side)
        if all(stand.at is not None for stand in state.stands.values()):
            yield Choice(actions.Begin(), "All stand where they begin.")
    elif state.step == "activations":
        yield from _activations(state, side)
        yield Choice(actions.End(), "No fire and no move that is left is worth a die.")
    elif state.step == "combat":
        yield from _assaults(state)
        yield Choice(actions.End(), "No other unit touches an enemy.")
    elif state.step == "event":
        yield Choice(
            actions.TryEvent(),
            "Help comes on 10 or more, in one of six throws; on 3 or less it harms, in one of twelve.",
        )
        if side == state.setup.sides[1]:
            yield from _victory(state, side)
        yield Choice(actions.End(), "The turn is over.")
    for wish in bot_actions(state, rng):
        yield Choice(wish, "Nothing else may be done now.")


# --- goals -----------------------------------------------------------------------------------------------------------


def _is_last(state: State) -> bool:
    """Whether the last turn is about to end."""
    last = state.step == "event" and state.side == state.setup.sides[1] and state.turn == state.setup.turns
    return last and state.saves is None and state.support is None


def _victory(state: State, side: str) -> Iterator[Choice]:
    reason = won_by(state, side)
    if reason:
        yield Choice(actions.Declare(side, reason), f"{reason} That was its goal, at the end of a turn.")


# --- fire and moves --------------------------------------------------------------------------------------------------


def _activations(state: State, side: str) -> Iterator[Choice]:
    """What companies do, one company after the other: moves before fire, fire, moves with dice that are left."""
    companies = [c.id for c in state.setup.companies if c.side == side and state.members(c.id, on_table=True)]
    if state.turn > 1 and side == state.setup.sides[0] and not any(map(state.dice_used, companies)):
        yield from _victory(state, side)
    ways = Manoeuvre(state, side)
    for company in companies:
        spent, used = state.spent.get(company, 0), state.dice_used(company)
        may_move = not any(stand.since == state.turn for stand in state.members(company))
        if spent and may_move:
            yield from _goes(ways.best(company, (spent,), paid=True))
        if not used and may_move:
            yield from _pays(ways.best(company, tuple(range(1, DICE_PER_TURN + 1))))
        yield from _fires(state, side, company)
        if 0 < used < DICE_PER_TURN and may_move:
            yield from _pays(ways.best(company, tuple(range(1, DICE_PER_TURN - used + 1))))


def _pays(move: Move | None) -> Iterator[Choice]:
    """The dice for a move, before it."""
    if move is not None:
        yield Choice(actions.Spend(move.company, move.dice, "to move"), _why_go(move))


def _goes(move: Move | None) -> Iterator[Choice]:
    if move is not None:
        first, *others = move.places
        put = actions.Put(first.sub, first.at, tuple(Placement(place.sub, place.at) for place in others))
        yield Choice(put, f"{and_list([place.sub for place in move.places])}: {_why_go(move)}")


def _why_go(move: Move) -> str:
    how = f"{move.company} goes {move.toward}, up to {move.dice * PACE_IN:g}″ for {move.dice} of its dice"
    if move.toward.startswith("away"):
        return f"{how}: there it is hurt less."
    if move.charges or "charge" in move.toward:
        return f"{how}: the close combat is worth more than its fire."
    return f"{how}: that is worth more than to fire from where it stands."


def _fires(state: State, side: str, company: str) -> Iterator[Choice]:
    plan = FirePlan(state, side, company)
    for group in plan.best(company):
        fire = plan.action(group)
        odds = RULES.odds(state, fire) if fire is not None else None
        if fire is not None and odds is not None:
            kills = float(odds.also["destroyed"])
            if state.stands[group.target].plan.kind == "tank":
                why = f"{group.target} is destroyed with a chance of {kills:.0%}."
            else:
                hits = f"{float(odds.expected):.1f} hits on {group.target} on average before saves"
                why = f"{hits}; it is destroyed with a chance of {kills:.0%}."
            yield Choice(fire, why)


# --- close combat ----------------------------------------------------------------------------------------------------


def _assaults(state: State) -> Iterator[Choice]:
    """The close combats of companies that touch, those first that are won most often."""
    own, others = ([c.id for c in state.setup.companies if c.side == s] for s in (state.side, state.other))
    found = []
    for one in own:
        for other in others:
            assault = actions.Assault(one, other)
            if contact(state, one, other)[0] == YES and not RULES.check(state, assault):
                odds = RULES.odds(state, assault)
                wins = float(odds.also["attacker wins"]) if odds is not None else 0.0
                found.append(
                    (wins, Choice(assault, f"{one} and {other} touch; {one} wins with a chance of {wins:.0%}."))
                )
    yield from (choice for _, choice in sorted(found, key=lambda row: -row[0]))


def _close_combat(state: State) -> Iterator[Choice]:
    fight = state.combat
    assert fight is not None
    if fight.stage == "melee":
        yield Choice(actions.Melee(), "Those who are left fight it out.")
    elif fight.stage == "retreat":
        yield Choice(actions.Retreat(), f"{fight.loser} has lost and withdraws.")
    elif fight.stage == "follow":
        yield from _going_back(state, state.setup.side_of(fight.loser))
        yield Choice(actions.Settle(), f"{fight.winner} stays where it stands.")


def _going_back(state: State, side: str) -> Iterator[Choice]:
    """A beaten company of a side is put back as far as it threw."""
    fight = state.combat
    if fight is not None and fight.stage == "follow" and state.setup.side_of(fight.loser) == side:
        for wish in withdrawal(state):
            yield Choice(wish, f"{fight.loser} withdraws the {fight.inches}″ that it threw.")


# --- before the first turn -------------------------------------------------------------------------------------------


def _starts(state: State, side: str) -> Iterator[Choice]:
    """A place for the first stand of a side that has none: near its leader, on its side's own strip of the table."""
    setup = state.setup
    stand = next((s for s in state.stands.values() if s.at is None and setup.side_of(s.id) == side), None)
    if stand is None:
        return
    company = state.company(stand.id)
    first, low = setup.sides.index(side) == 0, max(stand.plan.base.width, stand.plan.base.depth)
    leader = state.stands.get(state.leaders[company.id])
    number = [c.id for c in setup.companies if c.side == side].index(company.id)
    count = sum(c.side == side for c in setup.companies)
    x, y = setup.width * (number + 1) / (count + 1), setup.depth * _STRIP
    if leader is not None and leader.at is not None:
        x, y = leader.at.x, leader.at.y if first else setup.depth - leader.at.y
    across = np.arange(low, setup.width - low + 1e-9, _STEP_IN)
    deep = np.arange(low, setup.depth * _STRIP + 1e-9, _STEP_IN)
    places = sorted(((float(a), float(d)) for a in across for d in deep), key=lambda at: math.dist(at, (x, y)))
    for a, d in places:
        at = Standing(a, d if first else setup.depth - d, 0.0 if first else 180.0)
        if not overlaps(with_place(state, stand.id, at), (stand.id,)):
            yield Choice(actions.Put(stand.id, at), f"{stand.id} starts near its company on its own side of the table.")
            return
