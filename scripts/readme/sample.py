#!/usr/bin/env python3
"""Trace the bundled photograph: the terrain of the bundled table file, its units as a battle that keeps its rules.

Run from the repository's root, where Blender's module is installed (docs/traced-tables.md):
PYTHONPATH=. python scripts/readme/sample.py [MEGAPIXELS]
"""

import sys
from pathlib import Path

import numpy as np

from synthetic.noise import rounded_rectangle
from synthetic.planned import Piece, PlannedBase, PlannedThing, PlannedUnit, TablePlan
from synthetic.traced.tables import trace
from synthetic.wishes import Wish, rims_for
from tabletop.tables.model import Terrain, Unit
from tabletop.tables.tablefile import load_table

DEMO = Path(__file__).resolve().parent.parent.parent / "tabletop" / "data" / "demo"
SEED, FAMILY = 27, "grass"
POSTS = {
    "b1": (11.0, 21.6, 30.0),
    "b3": (5.0, 21.2, 70.0),
    "b5": (11.5, 3.5, 25.0),
    "b7": (14.2, 25.8, 80.0),
    "b9": (23.5, 10.5, 10.0),
    "r0": (30.5, 24.5, 215.0),
    "r2": (21.5, 25.3, 185.0),
    "r4": (31.5, 14.8, 290.0),
    "r6": (13.5, 31.5, 190.0),
    "r8": (28.5, 31.5, 210.0),
}
"""The place and facing of each unit's line: x and y in inches, degrees clockwise."""
GAP_IN = 0.2
DICE = ((24.5, 21.9, 2), (26.3, 34.3, 3))
"""Dice beside units that were hit: x, y and value."""


def main() -> None:
    megapixels = float(sys.argv[1]) if len(sys.argv) > 1 else 12.0
    table = load_table(DEMO / "demo.table.toml")
    assert table.frame is not None and table.tags is not None
    plan = TablePlan(
        table.width_in, table.depth_in, SEED,
        tuple(planned_piece(piece, SEED + k) for k, piece in enumerate(table.terrain)),
        tuple(planned_unit(unit, SEED + k) for k, unit in enumerate(table.units)),
        (*(PlannedThing("die", x, y, 0.4 * k, SEED + k, value=value) for k, (x, y, value) in enumerate(DICE)),
         PlannedThing("ruler", 25.0, 3.4, 1.6, SEED)),
        (), table.tags.size_in, table.frame.marker_size_in, True,
    )  # fmt: skip
    blue, red = ("#" + bytes(side.rim or ()).hex() for side in table.sides)
    wish = Wish(
        rim_colors=(blue, red), elevation_deg=60, azimuth_deg=200, megapixels=megapixels, jpeg=88, orientation=1
    )
    photo = trace(SEED, FAMILY, wish, plan=rims_for(wish, plan), samples=12 if megapixels > 4 else 8, scale=0.85)
    photo.write(Path("build/sample"))
    print(f"build/sample/{photo.name}.jpg")


def planned_piece(piece: Terrain, seed: int) -> Piece:
    """A piece of the table file as it is modelled: roads and rivers along the middle of their outlines."""
    outline = np.asarray(piece.polygon, float)
    if piece.kind in ("road", "river"):
        left, right = outline[: len(outline) // 2], outline[: len(outline) // 2 - 1 : -1]
        width = float(np.linalg.norm(left - right, axis=1).mean())
        return Piece(piece.kind, outline, seed, way=(left + right) / 2, width=width)
    if piece.kind == "bridge":
        ahead, across = outline[3] - outline[0], outline[1] - outline[0]
        length, width = float(np.linalg.norm(ahead)), float(np.linalg.norm(across))
        turn = float(np.arctan2(ahead[1], ahead[0]))
        middle = outline.mean(axis=0)
        deck = rounded_rectangle((middle[0], middle[1]), (length, width), turn, 0.02)
        return Piece("bridge", deck, seed, width=width, height=piece.height_in, turn_rad=turn,
                     stands=np.array([[length]]))  # fmt: skip
    return Piece(piece.kind, outline, seed, height=piece.height_in)


def planned_unit(unit: Unit, seed: int) -> PlannedUnit:
    """A unit in line abreast at its post, its unique base in the middle."""
    x, y, facing = POSTS[unit.id]
    turn = np.radians(facing)
    right = np.array([np.cos(turn), -np.sin(turn)])
    bases = []
    for k in range(unit.bases):
        unique = k == unit.bases // 2
        base = unit.unique_base if unique else unit.base
        at = np.array([x, y]) + (k - unit.bases // 2) * (base.width_in + GAP_IN) * right
        tag = unit.tag if unique else None
        bases.append(
            PlannedBase(
                base.width_in, base.depth_in, base.height_in, base.is_round, *map(float, at), facing, unique, tag
            )
        )
    return PlannedUnit(unit.id, unit.side, unit.kind, tuple(bases), unit.tag_offset_in, seed)


if __name__ == "__main__":
    main()
