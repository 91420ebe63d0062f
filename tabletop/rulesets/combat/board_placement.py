"""The board as squares on a table: what lies on them."""

from __future__ import annotations

from collections.abc import Callable

from geometry.squares import Square
from tabletop.rulesets.combat.board import OFF, Field
from tabletop.rulesets.combat.state import State
from tabletop.rulesets.combat.views import seen_mines, sees

_GROUND = {"built-up": "town", "defence": "defence line"}


def ground_kind(field: Field, n: int) -> str:
    """A square's ground as boards of squares are drawn."""
    return _GROUND.get(field.terrain[n], field.terrain[n])


def kinds(state: State) -> Callable[[Square], str]:
    """What lies on a square: its terrain."""
    field = state.field
    return lambda square: ground_kind(field, field.at(square))


def marks(state: State, viewer: str | None) -> Callable[[Square], tuple[str, ...]]:
    """What else is on a square: road, airstrip, headquarters, an objective, and mines that ``viewer`` may see."""
    field = state.field
    mines = {n for own in seen_mines(state, viewer) for n in own}
    goals = {field.number[name] for goal in state.setup.objectives for name in goal.squares}
    joined = state.step != "deploy"
    headquarters = {n for own, n in enumerate(state.headquarters) if n != OFF and (joined or sees(state, viewer, own))}

    def marks_of(square: Square) -> tuple[str, ...]:
        n = field.at(square)
        there = (
            ("road", field.road[n] and field.terrain[n] != "bridge"),
            ("airstrip", n in field.strip_of),
            ("hq", n in headquarters),
            ("objective", n in goals),
            ("mine", n in mines),
        )
        return tuple(mark for mark, is_there in there if is_there)

    return marks_of
