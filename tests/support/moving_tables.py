"""Small games for the tests of movement: units in line, their movement rolled where a total is given."""

import math
from dataclasses import replace
from typing import Any

from tabletop.game.violations import Violation
from tabletop.open_table.formations import places_at
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.actions import Place
from tabletop.rulesets.one_hour_ww2.moving import Walk, place_violations
from tabletop.rulesets.one_hour_ww2.setup import Setup, Standing, UnitSetup
from tabletop.rulesets.one_hour_ww2.state import Pending, State, apply, begin

WIDTH, DEPTH, PITCH = 1.2, 1.0, 1.6
RECT = Shape("rect", WIDTH, DEPTH)
ROUND = Shape("round", 1.0, 1.0)
SQUARE = Shape("rect", 1.0, 1.0)


def line(x: float, y: float, facing: float = 0.0, *, bases: int = 3, sigma: float = 0.0) -> tuple[Standing, ...]:
    """Places in line: the unique base at (x, y), the others to its right and left."""
    turn, spread = math.radians(facing), (sigma * sigma, 0.0, sigma * sigma)
    return tuple(
        Standing(x + math.cos(turn) * PITCH * n, y - math.sin(turn) * PITCH * n, facing, spread)
        for n in (0, 1, -1)[:bases]
    )


def column(x: float, y: float, facing: float = 0.0, *, pitch: float = 1.4) -> tuple[Standing, ...]:
    """Places in file: the unique base in front, the others behind it."""
    turn = math.radians(facing)
    return tuple(Standing(x - math.sin(turn) * pitch * n, y - math.cos(turn) * pitch * n, facing) for n in range(3))


def force(name: str, side: str, kind: str, at: tuple[Standing, ...], *, shape: Shape = RECT, **more: Any) -> UnitSetup:
    return UnitSetup(name, side, kind, (shape,) * len(at), at=at, **more)


def single(name: str, side: str, kind: str, x: float, y: float, facing: float = 0.0, **more: Any) -> UnitSetup:
    """A unit of one square base of an inch: a disc of half an inch on its way."""
    shape = more.pop("shape", SQUARE)
    return force(name, side, kind, (Standing(x, y, facing),), shape=shape, **more)


def at(x: float, y: float, facing: float = 0.0, sigma: float = 0.0) -> tuple[Standing, ...]:
    return (Standing(x, y, facing, (sigma**2, 0.0, sigma**2)),)


def area(name: str, kind: str, x0: float, y0: float, x1: float, y1: float, **more: Any) -> TerrainPiece:
    return TerrainPiece(name, kind, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), **more)


WOOD = area("w", "woods", 15, 12, 25, 16)
MARSH = area("m", "marsh", 15, 12, 25, 16)
TOWN = area("t", "town", 15, 12, 25, 16)
HILL = TerrainPiece(
    "h", "hill", ((29, 20), (38, 20), (38, 28), (29, 28)), hill_top=((31, 22), (36, 22), (36, 26), (31, 26))
)

TERRAIN = (
    area("w", "woods", 10, 14, 18, 19),
    TerrainPiece("m", "marsh", ((22, 12), (30, 14), (27, 20), (21, 18))),
    area("t", "town", 14, 4, 17, 9),
    area("s", "river", 0, 24, 48, 25.5),
    area("b", "bridge", 19, 23.5, 21, 26),
    area("r", "road", 19, 2, 21, 40),
)


def game(*units: UnitSetup, terrain: tuple[TerrainPiece, ...] = (), **more: Any) -> State:
    """A game in its first Actions step, on a table of 48 by 48 inches."""
    setup = Setup("Test", ("blue", "red"), 48.0, 48.0, units, terrain=terrain, **more)
    state = apply(begin(ev.Started(setup)), ev.Begun())
    return replace(state, step="actions")


def rolled(state: State, unit: str, total_in: int) -> State:
    """The game with a unit's movement rolled."""
    return replace(state, pending=Pending(unit, total_in))


def placed(
    state: State, name: str, at: tuple[Standing, ...], total_in: int, path: tuple[tuple[float, float], ...] = ()
) -> tuple[list[Violation], Walk]:
    """The verdict on putting a unit down there after a total."""
    return place_violations(rolled(state, name, total_in), Place(name, at, path))


def moved(
    state: State, name: str, x: float, y: float, total_in: int, facing: float | None = None
) -> tuple[list[Violation], Walk]:
    """The verdict on moving a unit in its formation, its unique base to (x, y)."""
    unit = state.unit(name)
    assert unit is not None
    turned = float(unit.bases.facing[unit.unique or 0]) if facing is None else facing
    return placed(state, name, places_at(unit, x, y, turned), total_in)


def codes(found: list[Violation]) -> list[tuple[str, str]]:
    return sorted({(v.code, v.answer) for v in found})
