"""Actions with all that follows from the state: a company becomes its sub-units, a place gets the facing it keeps."""

from __future__ import annotations

from dataclasses import replace

from tabletop.game.actions import Standing
from tabletop.game.errors import ActionError
from tabletop.open_table.terrain import complete_draw
from tabletop.rulesets.combat_captain.action_fields import Placement
from tabletop.rulesets.combat_captain.actions import Action, Assault, Correct, Draw, Fire, Put, Shell, Strafe
from tabletop.rulesets.combat_captain.data import DICE_PER_TURN
from tabletop.rulesets.combat_captain.events import Firer
from tabletop.rulesets.combat_captain.firing import best, dice_spent
from tabletop.rulesets.combat_captain.formation import places, standing_at
from tabletop.rulesets.combat_captain.state import State
from tabletop.rulesets.combat_captain.support import tape, tape_end


def complete(state: State, action: Action) -> Action:
    """An action as the log keeps it; raises ActionError where it says too little, or two things at once.

    ``fire COMPANY at TARGET`` is the best combination of its sub-units; ``put COMPANY at X,Y`` moves all of it, its
    leader to that place, in the formation that it has.
    """
    match action:
        case Draw():
            return complete_draw(state, action)
        case Put():
            return _put(state, action)
        case Fire():
            return _fire(state, action)
        case Assault():
            return _assault(action)
        case Shell(at=None) if action != Shell(None):
            raise ActionError("Nothing more is to be said of a shell that fell off the table.", 'Usage: "shell off".')
        case Strafe():
            return _strafe(action)
        case Correct(at=at) if at is not None:
            return replace(action, at=standing_at(state, action.sub, at))
    return action


def _put(state: State, action: Put) -> Put:
    if all(isinstance(row.at, Standing) and row.unit in state.setup.plans for row in action.placements):
        return action
    rows = [Placement(place.sub, place.at) for place in places(state, action.placements)]
    return Put(rows[0].unit, rows[0].at, tuple(rows[1:])) if rows else action


def _fire(state: State, action: Fire) -> Fire:
    action = replace(action, dice=dice_spent(state, action))
    companies = [firer.sub for firer in action.firers if firer.sub in state.setup.by_id]
    if not companies:
        return action
    if len(action.firers) > 1:
        raise ActionError("Name one company, or sub-units of it.")
    found = company_fire(state, companies[0], action.target, dice_spent(state, action), action.spotter)
    stationary = action.stationary or found.stationary
    return replace(found, stationary=stationary, calls=action.calls, spotter=action.spotter)


def company_fire(state: State, company: str, target: str, dice: int, spotter: str = "") -> Fire:
    """The fire of a whole company: its best combination where it can be judged, else all who have a weapon."""
    enemy = state.stands.get(target)
    own = state.setup.by_id[company].side
    if enemy is not None and enemy.at is not None and state.setup.side_of(target) != own and 1 <= dice <= DICE_PER_TURN:
        eye = state.stands.get(spotter)
        sees = eye is not None and eye.at is not None and state.setup.side_of(spotter) == own
        return best(state, company, target, dice, spotter if sees else "")
    firers = tuple(Firer(s.id) for s in state.members(company, on_table=True) if s.plan.weapons)
    return Fire(firers or (Firer(company),), target, dice)


def _assault(action: Assault) -> Assault:
    names = [call.partition("=")[0] for call in action.calls]
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise ActionError(f"{', '.join(twice)}: called more than once; a stand is covered or it is not.")
    return action


def _strafe(action: Strafe) -> Strafe:
    if action.end is None and action.heading is None:
        raise ActionError("Where does the tape end?", '"to X,Y" or "facing DEGREES" is missing.')
    if action.end is not None and action.heading is not None:
        raise ActionError(
            "Either a point says where the tape ends or a direction, not both.", 'Usage: "to X,Y" or "facing DEGREES".'
        )
    if action.end is None:
        return replace(action, end=tape(action), heading=None)
    x, y = tape_end(action.start, action.end)
    return replace(action, end=(round(x, 4), round(y, 4)))
