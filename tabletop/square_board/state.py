"""A game on a board of squares at one moment: its units with their squares and markers, whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from geometry.squares import distance
from tabletop.small_games import state as small_games
from tabletop.square_board.setup import Setup, UnitSetup


@dataclass(frozen=True)
class Unit(small_games.Unit[UnitSetup, str]):
    """A unit: the name of its square (``None``: off the board), its markers, and why it is gone."""


@dataclass(frozen=True)
class State(small_games.State[Setup, Unit]):
    """A game at one moment; ``side`` is the one whose turn it is, ``result`` how the game ended, once it has."""

    @cached_property
    def by_square(self) -> Mapping[str, Unit]:
        """The units on the board by their squares."""
        return {unit.at: unit for unit in self.units.values() if unit.at is not None}

    @cached_property
    def ways(self) -> dict[str, Mapping[str, int]]:
        """Where units get to, those that the rules were asked for: by unit, the squares and in how many steps."""
        return {}

    def distance(self, a: str, b: str) -> int:
        """How many squares one is from another, by their names, as a king goes."""
        board = self.setup.squares
        return distance(board.parse(a), board.parse(b))

    def range_of(self, one: str, other: str) -> int:
        """The distance of two units on the board in squares; KeyError for one that the game has not."""
        a, b = self.units[one].at, self.units[other].at
        assert a is not None and b is not None, "both stand on the board"
        return self.distance(a, b)
