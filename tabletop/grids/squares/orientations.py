"""The possible orientations of a board of squares on the same ground, by the corner of its first square, a1.

The ground is a field of squares as seen on the table, unturned or turned by less than 45 degrees. A board as wide as it
is deep fits it in four orientations, any other in two; an empty board does not show which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard

Corner = Literal["near-left", "far-left", "far-right", "near-right"]
CORNERS: tuple[Corner, ...] = ("near-left", "far-left", "far-right", "near-right")
"""The corners clockwise: a quarter turn clockwise moves a1 to the next."""


@dataclass(frozen=True)
class Orientation:
    """A board with its first square in a ``corner`` of its ground."""

    corner: Corner
    layout: SquareLayout


def orientations(ground: SquareLayout, board: SquareBoard, *, across: bool = False) -> tuple[Orientation, ...]:
    """All orientations of a board on a ``ground``, from the near left corner clockwise.

    ``across``: the ground is as wide as the board is deep, so that its columns run to the left and to the right.

    >>> from geometry.square_layout import SquareLayout
    >>> for way in orientations(SquareLayout(2.0, (3.0, 3.0)), SquareBoard(8, 8)):
    ...     print(way.corner, way.layout.origin, way.layout.rotation_deg)
    near-left (3.0, 3.0) 0.0
    far-left (3.0, 17.0) 90.0
    far-right (17.0, 17.0) 180.0
    near-right (17.0, 3.0) -90.0
    """
    wide, deep = (board.rows, board.columns) if across else (board.columns, board.rows)
    ends = (Square(0, 0), Square(0, deep - 1), Square(wide - 1, deep - 1), Square(wide - 1, 0))
    turns = range(4) if wide == deep else (1, 3) if across else (0, 2)
    places = ground.centres(ends).tolist()
    return tuple(
        Orientation(
            CORNERS[turn],
            SquareLayout(ground.size_in, (places[turn][0], places[turn][1]), _half(ground.rotation_deg + 90 * turn)),
        )
        for turn in turns
    )


def nearest(ways: tuple[Orientation, ...], rotation_deg: float) -> Orientation:
    """The orientation with the rotation nearest to ``rotation_deg``; the first of equals."""
    return min(ways, key=lambda way: abs(_half(way.layout.rotation_deg - rotation_deg)))


def _half(degrees: float) -> float:
    """An angle from above -180 to 180 degrees."""
    return 180.0 - (180.0 - degrees) % 360.0
