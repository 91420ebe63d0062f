"""The nearest legal place to one that is not, and what keeps a unit from going nearer."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, replace
from typing import Any

from geometry.nearest import nearest_allowed
from tabletop.game.actions import Spot
from tabletop.game.protocol import Ruleset
from tabletop.game.violations import Violation

_NEARER_IN = 0.05


@dataclass(frozen=True)
class NearestPlace:
    """The nearest legal place (inches; ``None``: no place within reach), and what speaks against going nearer."""

    at: tuple[float, float] | None
    against: tuple[Violation, ...]


def nearest_place(rules: Ruleset[Any, Any, Any], state: Any, action: Any) -> NearestPlace:
    """The nearest place to an action's own at which it is legal, everything else of it unchanged.

    The ruling is asked again about the place that is found. A way that the player gave is left out.
    """
    spot = _spot(action)
    against = rules.check(state, rules.complete(state, action))
    if spot is None or not against:
        return NearestPlace(None if spot is None else (spot[1].x, spot[1].y), against)
    name, wanted = spot
    own = {"path": ()} if getattr(action, "path", ()) else {}

    def put(x: float, y: float) -> Any:
        return replace(action, **own, **{name: replace(wanted, x=x, y=y)})

    def violations(x: float, y: float) -> tuple[Violation, ...]:
        return rules.check(state, rules.complete(state, put(x, y)))

    placing = rules.placing(state, put)
    places = nearest_allowed(placing.allowed, (wanted.x, wanted.y), placing.low, placing.high, placing.most)
    at = next((place for place in places if not violations(*place)), None)
    if at is None:
        return NearestPlace(None, against)
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
