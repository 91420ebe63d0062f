"""What the dice of an action may do: hits of a shot, inches of a move, hits left after a rally."""

from __future__ import annotations

from fractions import Fraction

from tabletop.errors import RulesError
from tabletop.game.protocol import NO_DICE, Dice, Odds
from tabletop.rulesets.one_hour_ww2 import actions, checks
from tabletop.rulesets.one_hour_ww2.chances import hits_after_rally
from tabletop.rulesets.one_hour_ww2.data import DICE
from tabletop.rulesets.one_hour_ww2.firing import shot_odds, volley
from tabletop.rulesets.one_hour_ww2.moving import move_dice, move_total, total_chances
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Unit


def dice(state: State, action: actions.Action) -> Dice:
    """The dice that an action needs now: one to fire or rally, the unit's movement dice to move."""
    match action:
        case actions.Fire() | actions.Rally():
            return Dice(1, DICE[state.setup.dice])
        case actions.Move():
            unit = state.unit(action.unit)
            return NO_DICE if unit is None else move_dice(state, unit)
    return NO_DICE


def odds(state: State, action: actions.Action) -> Odds | None:
    """Exact odds of an action; ``None`` for one that needs no dice or can't be carried out at all."""
    if any(v.firm for v in checks.violations(state, action)):
        return None
    match action:
        case actions.Fire():
            return shot_odds(state, volley(state, action))
        case actions.Move():
            unit = required_unit(state, action.unit)
            return Odds("inches", total_chances(state, unit), words=move_total(state, unit, ())[1])
        case actions.Rally():
            return rally_odds(state, required_unit(state, action.unit))
    return None


def rally_odds(state: State, unit: Unit) -> Odds:
    """The odds of every number of hits that a rally leaves."""
    faces = DICE[state.setup.dice]
    chances: dict[int, Fraction] = {}
    for face in faces:
        left = hits_left(state, unit, face)
        chances[left] = chances.get(left, Fraction(0)) + Fraction(1, len(faces))
    words = ("concealed or a tank: the whole die",) if _whole_die(state, unit) else ("in the open: the die less 2",)
    return Odds("hits left", dict(sorted(chances.items())), words=words)


def hits_left(state: State, unit: Unit, face: int) -> int:
    """Hits left after a rally whose die shows ``face``."""
    return hits_after_rally(kind_of(unit), unit.hits, unit.permanent, face, concealed=_whole_die(state, unit))


def required_unit(state: State, unit_id: str) -> Unit:
    """A unit that stands on the table; raises RulesError for one that does not."""
    unit = state.unit(unit_id)
    if unit is None:
        raise RulesError(f'There is no unit "{unit_id}" on the table.')
    return unit


def _whole_die(state: State, unit: Unit) -> bool:
    """Whether a rally takes the whole die off: surely concealed, or a tank (Rally & Ready Step, Rally)."""
    concealed = bool(state.situation.concealment[state.situation.index[unit.id]] > 0)
    return kind_of(unit).struck_as == "tank" or concealed
