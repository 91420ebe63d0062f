"""What is measured of a unit in a small game: its ranges and where it may go.

Such a game hides nothing, so that every viewer measures alike. Who sees whom is for rules to say that know of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tabletop.measuring.asking import no_such
from tabletop.measuring.data import Overlays, Reach, Ring
from tabletop.measuring.errors import MeasureError
from tabletop.small_games.words import rules_of


def unit_on_table(state: Any, name: str) -> Any:
    """The unit of that name; raises MeasureError for one that is not there."""
    if name not in state.units:
        raise no_such("unit", name, state.units)
    unit = state.units[name]
    if unit.at is None:
        raise MeasureError(f"{name} is not on the {rules_of(state).ground}.")
    return unit


def unit_overlays(unit: Any, rings: Iterable[Ring], reach: Iterable[Reach]) -> Overlays:
    """All of it with its sentences."""
    found, ways = tuple(rings), tuple(reach)
    says = " ".join([*(one.says for one in ways), *(ring.says for ring in found)])
    return Overlays(unit.id, unit.side, says or f"Nothing is measured of {unit.id}.", ranges=found, reach=ways)
