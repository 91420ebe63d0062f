"""Where the bases of a unit of several stand: put up in a formation, or moved together.

Lengths in inches, facings in degrees clockwise from +y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from tabletop.game.actions import Standing
from tabletop.open_table.setup import Point, Shape
from tabletop.tables.scene import Unit

Formation = Literal["line", "column", "wedge"]
FORMATIONS: tuple[Formation, ...] = ("line", "column", "wedge")


def places_in_formation(
    shapes: Sequence[Shape], at: Point, facing_deg: float, formation: Formation, gap_in: float
) -> tuple[Standing, ...]:
    """Places of a unit's bases whose first, the unique one, has its centre ``at`` and faces ``facing_deg``.

    ``line``: the second stands right and the third left of it, fronts level. ``column``: one behind the other.
    ``wedge``: the others behind it, side by side. ``gap_in`` is between neighbours' edges (Game conventions, Units).

    >>> column = places_in_formation([Shape("rect", 2.0, 1.0)] * 3, (10, 10), 90, "column", 0.5)
    >>> [(s.x, s.y) for s in column]
    [(10.0, 10.0), (8.5, 10.0), (7.0, 10.0)]
    """
    first = shapes[0]
    places = [(0.0, 0.0)]
    for n, shape in enumerate(shapes[1:]):
        sign = 1.0 if n % 2 == 0 else -1.0
        beside = n - 1 if n > 1 else 0  # the place of its neighbour in a line
        if formation == "column":
            places.append((0.0, places[n][1] - _behind(shapes[n], shape, 0.0, gap_in)))
        elif formation == "line":
            level = (first.depth - shape.depth) / 2
            across, forward = places[beside]
            away = _behind(_turned(shapes[beside]), _turned(shape), level - forward, gap_in)
            places.append((across + sign * away, level))
        else:
            across = (gap_in + shape.width) / 2
            away = max(_behind(first, shape, across, gap_in), (shape.depth - first.depth) / 2)  # not ahead of its front
            places.append((sign * across, -away))
    turn = math.radians(facing_deg)
    right, ahead = (math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn))
    return tuple(
        Standing(
            round(at[0] + across * right[0] + forward * ahead[0], 8),
            round(at[1] + across * right[1] + forward * ahead[1], 8),
            facing_deg % 360.0,
        )
        for across, forward in places
    )


def _behind(front: Shape, rear: Shape, across: float, gap_in: float) -> float:
    """How far the centre of ``rear`` is behind that of ``front`` where it is so far ``across`` and their edges are the
    gap apart: a round base is a point with its radius about it, an oval is taken as its rectangle."""
    wide, deep, apart = 0.0, 0.0, gap_in
    for shape in (front, rear):
        if shape.shape == "round":
            apart += shape.width / 2
        else:
            wide, deep = wide + shape.width / 2, deep + shape.depth / 2
    return deep + math.sqrt(apart**2 - max(abs(across) - wide, 0.0) ** 2)


def _turned(shape: Shape) -> Shape:
    """A shape seen from its side."""
    return replace(shape, width=shape.depth, depth=shape.width)


def places_at(unit: Unit, x: float, y: float, facing: float) -> tuple[Standing, ...]:
    """Places of a unit's bases with its unique base's centre at (x, y), facing so many degrees, formation kept.

    They are exactly there: no spread. A base whose facing is not known keeps it unknown. Where the unique base is not
    known, the first one stands for it.
    """
    own, bases = unit.unique or 0, unit.bases
    if abs(x - bases.center[own, 0]) + abs(y - bases.center[own, 1]) == 0 and facing == bases.facing[own]:
        turn, moved = 0.0, bases.center
    else:
        turn = float(facing - bases.facing[own])
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        offset = bases.center - bases.center[own]
        moved = np.array([x, y]) + offset @ np.array([[c, -s], [s, c]])
    known = np.isfinite(bases.facing_sigma)
    return tuple(
        Standing(
            float(moved[i, 0]), float(moved[i, 1]), float(bases.facing[i] + turn) % 360.0 % 360.0 if known[i] else None
        )
        for i in range(len(bases))
    )
