"""A drawn table whose photo is settled: a wood and a field on the mat, bases of two sides without tags."""

import hashlib
from dataclasses import replace
from functools import lru_cache

import shapely

from tests.paths import DATA
from tests.support.table_scenes import BLUE, FRAME, RED, DrawnBase, Sheet, expected_for, looking_at
from vision import BaseShape, Expected, ExpectedUnit
from vision.imaging.photo import Photo
from vision.pipeline.learning import SettledBase, SettledPiece, SettledTable

FOOT = BaseShape(2.0, 1.25, 0.12)
VIEW = looking_at(800, 640, focal=640.0, distance_in=29.0, elevation_deg=65.0)
WOOD = shapely.box(3.5, 10.5, 8.5, 15.0)
FIELD = shapely.box(10.5, 10.5, 14.5, 14.5)
BASES = (DrawnBase(6.0, 6.0, 10.0, FOOT, RED), DrawnBase(12.0, 6.0, 10.0, FOOT, BLUE))
SIDES = ("red", "blue")
TABLE_TOML = (DATA / "settled.table.toml").read_text(encoding="utf-8")
"""A table file of this table that tells of no rims: only looks can say whose a base is."""


def expected() -> Expected:
    """What vision is told of this table: two units of infantry."""
    return expected_for(tuple(ExpectedUnit(side, side, "infantry", 1, FOOT, FOOT) for side in SIDES))


@lru_cache(maxsize=1)
def photo() -> Photo:
    sheet = Sheet(VIEW, seed=5)
    for marker in FRAME.markers:
        sheet.marker(FRAME.dictionary, marker.id, FRAME.corners(marker.id))
    for shape, paint in ((WOOD, (28, 60, 26)), (FIELD, (196, 168, 70))):
        sheet.polygon([[x, y, 0.0] for x, y in shapely.get_coordinates(shape)[:-1]], paint)
    for base in BASES:
        sheet.base(base)
    image = sheet.picture()
    return Photo(image, "settled.jpg", hashlib.sha256(image.tobytes()).hexdigest())


def settled() -> SettledTable:
    pieces = (SettledPiece("woods", WOOD), SettledPiece("field", FIELD))
    bases = tuple(
        SettledBase((base.x, base.y), 0.0, base.facing, FOOT, side, "infantry")
        for base, side in zip(BASES, SIDES, strict=True)
    )
    return SettledTable(VIEW, pieces, bases)


def doubtful(table: SettledTable, *, terrain: bool = False, bases: bool = False) -> SettledTable:
    """The same with the first piece and base, or with all ``terrain`` and all ``bases``, in doubt."""
    return replace(
        table,
        terrain=tuple(replace(p, certain=k > 0 and not terrain) for k, p in enumerate(table.terrain)),
        bases=tuple(replace(b, certain=k > 0 and not bases) for k, b in enumerate(table.bases)),
    )
