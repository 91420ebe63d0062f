"""The nearest legal place to one that is not, and why a unit can't go nearer."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from geometry.nearest import nearest_allowed
from tabletop.game.actions import Spot
from tabletop.game.doubts import InDoubt, check_in_doubt
from tabletop.game.protocol import Ruleset
from tabletop.game.violations import Violation

_NEARER_IN = 0.05


@dataclass(frozen=True)
class NearestPlace:
    """The nearest legal place (inches; ``None``: no place within reach), and the violations of going nearer."""

    at: tuple[float, float] | None
    against: tuple[Violation, ...]


def nearest_place(rules: Ruleset[Any, Any, Any], state: Any, action: Any, doubt: InDoubt | None = None) -> NearestPlace:
    """The nearest place to an action's own at which it is legal, everything else in it unchanged.

    The place that is found is ruled on again. A path given by the player is left out. ``doubt``: the alternative state
    that the game may be in (:attr:`tabletop.game.core.Game.in_doubt`); the place is legal in both. A unit that can't
    move at all has none.
    """
    spot = _spot(action)
    against = check_in_doubt(rules, state, rules.complete(state, action), doubt)
    if spot is None or not against:
        return NearestPlace(None if spot is None else (spot[1].x, spot[1].y), against)
    name, wanted = spot
    own = {"path": ()} if getattr(action, "path", ()) else {}

    def put(x: float, y: float) -> Any:
        return replace(action, **own, **{name: replace(wanted, x=x, y=y)})

    def violations(x: float, y: float) -> tuple[Violation, ...]:
        return check_in_doubt(rules, state, rules.complete(state, put(x, y)), doubt)

    placings = [rules.placing(one, put) for one in (state, *([] if doubt is None else [doubt.state]))]

    def allowed(places: Any) -> Any:
        return np.all([placing.allowed(places) for placing in placings], axis=0)

    placing = placings[0]
    if placing.low == placing.high:
        return NearestPlace(None, against)
    places = nearest_allowed(allowed, (wanted.x, wanted.y), placing.low, placing.high, placing.most)
    at = next((place for place in places if not violations(*place)), None)
    if at is None:
        return NearestPlace(None, against)
    if at == (wanted.x, wanted.y):
        return NearestPlace(at, against)  # it was the way there that can't be
    share = min(1.0, _NEARER_IN / math.dist(at, (wanted.x, wanted.y)))
    nearer = (at[0] + share * (wanted.x - at[0]), at[1] + share * (wanted.y - at[1]))
    return NearestPlace(at, violations(*nearer) or against)


def _spot(action: Any) -> tuple[str, Any] | None:
    """The field of an action with the place that a player said, and that place; ``None`` without one."""
    for field in dataclasses.fields(action):
        value = getattr(action, field.name)
        if isinstance(value, Spot) and value.x is not None and value.y is not None:
            return field.name, value
    return None
