"""Measured games for tests: small random tables, and plain ones to set a case on."""

import random
from collections.abc import Iterable

from tabletop.game import Game
from tabletop.game.actions import Standing
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.rulesets.measure.play import RULES
from tabletop.rulesets.measure.setup import Setup, UnitSetup

BASE = Shape("rect", 2.0, 1.0)
WOODS = TerrainPiece("woods-1", "woods", ((10.0, 10.0), (16.0, 10.0), (16.0, 14.0), (10.0, 14.0)))


def a_unit(unit_id: str, side: str, *at: Standing, **more: object) -> UnitSetup:
    """A unit of as many bases of 2 by 1 inches as it has places; of one base where it has none."""
    models = max(1, len(at))
    own = {"kind": "foot", "models": models, "base": BASE, "unique_base": BASE, "at": at, **more}
    return UnitSetup(unit_id, side, **own)  # type: ignore[arg-type]


def a_table(units: Iterable[UnitSetup] = (), terrain: Iterable[TerrainPiece] = (), **more: object) -> Game:
    """A game on 36 by 36 inches."""
    setup = {"title": "A case", "width": 36.0, "depth": 36.0, "units": tuple(units), "terrain": tuple(terrain), **more}
    return Game.new(RULES, Setup(**setup))  # type: ignore[arg-type]


def random_setup(rng: random.Random) -> Setup:
    """A small table: a few units of two or three sides, some of them placed, and a piece of terrain or none."""
    sides = ("blue", "red") if rng.random() < 0.7 else ("blue", "red", "green")
    units = []
    for number in range(rng.randint(1, 5)):
        shape = Shape("round", 1.25, 1.25) if rng.random() < 0.3 else BASE
        models = rng.randint(1, 3)
        row = tuple(
            Standing(round(3 + 2.5 * model, 2), round(3 + 4 * number + rng.random(), 2), 90.0 * (number % 4))
            for model in range(models)
        )
        at = row if rng.random() < 0.7 else ()
        units.append(UnitSetup(f"U{number}", rng.choice(sides), "foot", models, shape, shape, at=at))
    terrain = (WOODS,) if rng.random() < 0.6 else ()
    return Setup("A random table", 24.0, 24.0, sides, tuple(units), terrain)
