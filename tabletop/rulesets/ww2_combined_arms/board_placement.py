"""The board as squares on a table: what lies on them."""

from __future__ import annotations

from collections.abc import Callable

from geometry.squares import Square
from tabletop.rulesets.ww2_combined_arms.data import CITY
from tabletop.rulesets.ww2_combined_arms.state import State


def square_of(state: State, n: int) -> Square:
    """A square by its number."""
    return state.grid.board.squares[n]


def number_of(state: State, square: Square) -> int:
    """The number of a square."""
    return square.row * state.setup.columns + square.col


def kinds(state: State) -> Callable[[Square], str]:
    """What lies on a square: "open", "city", or a kind of difficult terrain."""
    terrain = {state.grid.number[name]: kind for name, kind in state.setup.terrain}
    terrain |= dict.fromkeys(state.cities, CITY)
    return lambda square: terrain.get(number_of(state, square), "open")


def marks(state: State) -> Callable[[Square], tuple[str, ...]]:
    """What else is marked on a square: cities that win the game are objectives."""
    goals = frozenset(state.cities) if state.setup.cities_win else frozenset()

    def marks_of(square: Square) -> tuple[str, ...]:
        n = number_of(state, square)
        city = ("city",) if n in state.cities else ()
        return (*city, "objective") if n in goals else city

    return marks_of
