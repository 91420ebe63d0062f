"""Where the set-up of a game on squares lays its board: a square grid on the table, or nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol, TypeVar

from geometry.square_layout import SquareLayout


class OnSquares(Protocol):
    """A game's state that has its set-up, whose ``layout`` is a :class:`geometry.square_layout.SquareLayout`."""

    @property
    def setup(self) -> Any:
        """How the game began."""

    def but(self, **changes: Any) -> Any:
        """The state with some fields changed."""


S = TypeVar("S", bound=OnSquares)


def laid_at(state: S, size_in: float, origin: tuple[float, float], rotation_deg: float) -> S:
    """The same game on a board that lies there."""
    found: S = state.but(setup=replace(state.setup, layout=SquareLayout(size_in, origin, rotation_deg)))
    return found
