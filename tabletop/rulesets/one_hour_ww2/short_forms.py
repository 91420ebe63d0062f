"""What short forms of actions stand for in a state: ``stay``, a place of the unique base alone, the only exit."""

from __future__ import annotations

from dataclasses import replace

from tabletop.game.actions import Spot, Standing
from tabletop.game.actions.reader import normal_facing
from tabletop.game.errors import ActionError
from tabletop.open_table.formations import places_at, places_in_formation
from tabletop.open_table.setup import standings_of
from tabletop.open_table.terrain import complete_draw
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.actions import ACTIONS
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.state import State

GAP_IN = 0.5
"""Between the bases of a unit that is put on the table by its unique base alone."""


def complete(state: State, action: actions.Action | actions.Stay) -> actions.Action:
    """The action with what a player left out; raises ActionError where that is open.

    A spot keeps a unit's formation about its unique base and, unless told otherwise, its facing; a unit that is not on
    the table yet forms a line abreast that faces 0 degrees.
    """
    match action:
        case actions.Stay():
            return _stay(state, action)
        case actions.Draw():
            return complete_draw(state, action)
        case actions.Leave(exit=""):
            return replace(action, exit=_only_exit(state, action))
        case actions.Deploy() | actions.Place() | actions.Correct() if isinstance(action.at, Spot):
            return replace(action, at=_places_about(state, action, action.at))
    return action


def abreast(unit: UnitSetup, x_in: float, y_in: float, facing_deg: float) -> tuple[Standing, ...]:
    """Places for a unit's bases, row by row: a line abreast, fronts level, about its unique base centred at (x, y).

    The others stand to its right and left in turn, ``GAP_IN`` apart, which every kind may [Game Conventions, Units].
    """
    order = [unit.unique, *(row for row in range(len(unit.bases)) if row != unit.unique)]
    places = places_in_formation([unit.bases[row] for row in order], (x_in, y_in), facing_deg, "line", GAP_IN)
    return tuple(place for _, place in sorted(zip(order, places, strict=True), key=lambda pair: pair[0]))


def _stay(state: State, action: actions.Stay) -> actions.Place:
    """Where it stands to the last digit, so that a unit with 0 inches may stay."""
    unit = state.unit(action.unit)
    if unit is None:
        raise ActionError(f"{action.unit} is not on the table, so it can't stay where it is.")
    exact = zip(standings_of(unit.bases), unit.bases.center.tolist(), unit.bases.facing.tolist(), strict=True)
    return actions.Place(
        unit.id, tuple(replace(at, x=x, y=y, facing=None if at.facing is None else turn) for at, (x, y), turn in exact)
    )


def _only_exit(state: State, action: actions.Leave) -> str:
    plan = state.setup.unit(action.unit)
    own = [way.id for way in state.setup.exits if plan is not None and way.side == plan.side]
    if len(own) != 1:
        raise ActionError("Which exit?", f"Usage: {ACTIONS.usage('leave')}.")
    return own[0]


def _places_about(
    state: State, action: actions.Deploy | actions.Place | actions.Correct, spot: Spot
) -> tuple[Standing, ...]:
    """Places of a unit's bases about its unique base."""
    unit, plan = state.unit(action.unit), state.setup.unit(action.unit)
    x, y, facing = spot.x, spot.y, spot.facing
    if x is None or y is None:
        if unit is None or unit.unique is None or facing is None:
            usage = ACTIONS.usage(ACTIONS.verb(action))
            raise ActionError(f"Where is {action.unit} put?", f'"at" is missing. Usage: {usage}.')
        x, y = (float(value) for value in unit.bases.center[unit.unique])
    if unit is not None and unit.unique is not None:
        way = float(unit.bases.facing[unit.unique]) if facing is None else facing
        return tuple(_round_place(place) for place in places_at(unit, x, y, way))
    return () if plan is None else abreast(plan, x, y, facing or 0.0)


def _round_place(place: Standing) -> Standing:
    """A place without the last digits of a sum, by less than any rule looks at."""
    facing = None if place.facing is None else normal_facing(round(place.facing, 6))
    return replace(place, x=round(place.x, 6), y=round(place.y, 6), facing=facing)
