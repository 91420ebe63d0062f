"""Terrain grown from taps on drawn tables: felt, flock, trees, shadows, roads, refusals."""

import numpy as np
import pytest
import shapely

from calibration import Camera, TableView
from tests.support.ground_scenes import EARTH, FELT, blob, box, painted, trees, way
from vision.imaging.rectify import MapScale
from vision.model.expected import ExpectedTerrain
from vision.terrain.growing import grow, grow_on
from vision.terrain.pieces import TerrainError
from vision.terrain.tracing import iou

SCALE = MapScale(24, 24, px_per_inch=10)
TABLE = shapely.box(0, 0, 24, 24)
WOOD = blob(8, 16, 3.2, 4)
ROAD = way([(-1, 6), (8, 8), (15, 13), (16, 25)], 1.6)
BASES = [((90, 90, 90), 0.5, box(11.5, 15, 2, 1.25, 30)), ((90, 90, 90), 0.5, box(8, 17, 2, 1.25, 80))]


def shape(piece: ExpectedTerrain) -> shapely.Polygon:
    return shapely.Polygon(piece.polygon)


@pytest.mark.parametrize("tap", [(8.0, 15.0), pytest.param((6.6, 16.8), marks=pytest.mark.slow)])
def test_a_wood_is_grown_from_felt_or_tree(tap: tuple[float, float]) -> None:
    ground = painted([(FELT, 0.05, WOOD), *trees(WOOD, 7, 1), *BASES, (EARTH, 0.1, ROAD)])
    piece = grow_on(ground, SCALE, "woods", tap)
    assert piece.kind == "woods" and 8 <= len(piece.polygon) <= 40
    assert iou(shape(piece), WOOD) > 0.93
    assert 0.5 < piece.confidence < 1


def test_a_straight_field_has_four_corners() -> None:
    field = box(16, 7, 5, 3.4, 25)
    piece = grow_on(painted([((40, 140, 180), 0.3, field)]), SCALE, "field", (16, 7))
    assert len(piece.polygon) == 4
    assert iou(shape(piece), field) > 0.95


@pytest.mark.parametrize(
    ("kind", "tap", "says"),
    [
        ("woods", (3, 3), r"Nothing at \(3, 3\) differs from the mat: .* draw it by hand"),
        ("woods", (30, 3), "lies off the table, which is 24 x 24 inches"),
        ("wood", (8, 16), 'no terrain of kind "wood"'),
        ("river", (3, 3), "differs from the mat"),
        ("hill", (20, 20), "No edge of the hill"),
    ],
)
def test_what_cannot_be_grown_is_refused_in_one_sentence(kind: str, tap: tuple[float, float], says: str) -> None:
    ground = painted([(FELT, 0.05, WOOD)])
    with pytest.raises(TerrainError, match=says):
        grow_on(ground, SCALE, kind, tap)


def test_what_the_photo_does_not_show_is_refused() -> None:
    hidden = np.zeros((240, 240), bool)
    hidden[:, :120] = True
    with pytest.raises(TerrainError, match=r"The photo does not show \(8, 16\)"):
        grow_on(painted([(FELT, 0.05, WOOD)]), SCALE, "woods", (8, 16), hidden=hidden)


def test_a_photo_is_grown_on_like_its_map() -> None:
    ground = painted([(FELT, 0.05, WOOD), *trees(WOOD, 5, 3)])
    camera = Camera(np.array([[600.0, 0, 119.5], [0, 600.0, 119.5], [0, 0, 1]]), np.zeros(5), (240, 240))
    above = TableView(camera, np.diag([1.0, -1.0, -1.0]), np.array([-12.0, 12.0, 60.0]))
    piece = grow(ground, above, (24, 24), "woods", (8, 15))
    assert iou(shape(piece), WOOD) > 0.93
