"""What a photo says has happened in a small game on squares: units that stand elsewhere, came or went.

A unit that moved is moved by the ruleset's action of a unit and a square, which its rules judge; where they have none,
or the unit came or went, the referee's ``correct`` is offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tabletop.grids.placement import BoardPlacement
from tabletop.grids.squares import seeing as square_boards
from tabletop.grids.squares.unit_proposals import Post, SquareGame, SquareSight
from tabletop.small_games.actions import move_of
from tabletop.small_games.words import rules_of
from tabletop.square_board.actions import Correct
from tabletop.square_board.rules import SquareBoardRules
from tabletop.square_board.state import State
from tabletop.tables.model import Overlay


def game_of(state: State) -> SquareGame:
    """What a photo is compared with."""
    rules: SquareBoardRules = rules_of(state)  # type: ignore[assignment]
    speeds = [rules.speed(state, unit) for unit in state.on_table()]

    def move(state: State, unit: str, to: str) -> Any:
        return move_of(rules, "cell", unit, to) or correct(state, unit, to, "seen on the board")

    return SquareGame(
        rules,
        posts,
        lambda state, unit: rules.reach(state, state.units[unit]),
        move,
        correct,
        farthest=lambda state: None if None in speeds else max((n for n in speeds if n is not None), default=None),
    )


def posts(state: State) -> Iterator[Post]:
    """Every unit where the game has it; those that are still to come may come."""
    for unit in state.units.values():
        yield Post(unit.id, unit.side, unit.kind, unit.at, unit.at is None and not unit.gone)


def correct(state: State, unit: str, to: str | None, reason: str) -> Correct:
    """The referee's action that puts a unit into a square, or off the board."""
    return Correct(unit, to, off=to is None, reason=reason)


def read_sight(
    state: State, data: object, name: str, board: BoardPlacement | Overlay | None, answers: Mapping[str, Any]
) -> tuple[Mapping[str, Any] | None, SquareSight]:
    """An observation with the answers written in (``None`` for a typed scene), and the sight that it gives; raises as
    :func:`tabletop.grids.squares.seeing.read_sight`."""
    return square_boards.read_sight(game_of(state), state, data, name, board, answers)
