"""How a small game begins, as far as the ground does not matter: its sides, its units."""

from __future__ import annotations

from typing import Protocol


class TwoSides:
    """What every set-up of two sides says of them: a base for frozen dataclasses with these fields."""

    sides: tuple[str, str]
    side_titles: tuple[str, str]

    def side_title(self, side: str) -> str:
        """How people call a side: its title, else its id with a capital."""
        return self.side_titles[self.sides.index(side)] or side.capitalize()

    def other(self, side: str) -> str:
        """The other side."""
        first, second = self.sides
        return second if side == first else first


class UnitPlan(Protocol):
    """A unit as a game begins with it; ``name`` is its name for people (empty: its id)."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def side(self) -> str:
        """Its side."""

    @property
    def kind(self) -> str:
        """Its kind."""

    @property
    def name(self) -> str:
        """Its name for people."""
