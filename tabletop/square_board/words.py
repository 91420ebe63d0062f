"""A small game on squares at one moment, as text for a terminal of 80 columns."""

from __future__ import annotations

from tabletop.grids.squares.diagram import diagram, key
from tabletop.small_games.words import (
    forces_words,
    gone_words,
    headline,
    next_words,
    of_unit_at,
    remarks,
    title,
    units,
)
from tabletop.square_board.state import State


def in_words(state: State) -> str:
    """The whole state: whose turn it is, the board in letters, every unit side by side, who is off the board."""
    board, kinds = state.setup.squares, state.setup.ground_by_square
    ground = {board.parse(name): kind for name, kind in kinds.items()}
    contents = {board.parse(name): unit.id for name, unit in state.by_square.items()}
    letters = f"{diagram(board, contents, ground)}\n{key(['open', *sorted(set(kinds.values()))])}"
    forces = forces_words(state, ("square",), lambda unit: (unit.at or "not on the board",))
    return "\n\n".join([headline(state), letters, *forces, *gone_words(state)])


def of_unit(state: State, unit_id: str) -> str:
    """One unit in a line."""
    return of_unit_at(state, unit_id, lambda unit: f"in {unit.at}")


def brief(state: State, words: str) -> str:
    """An action as everybody may hear it: its own words, since nothing is hidden."""
    return words


__all__ = ["brief", "headline", "in_words", "next_words", "of_unit", "remarks", "title", "units"]
