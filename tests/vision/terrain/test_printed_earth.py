"""Earth printed on the mat is told from fields that lie on it."""

import cv2
import numpy as np
import pytest
import shapely

from tests.support.ground_scenes import EARTH, FELT, blob, box, painted
from tests.support.picture_scenes import view_over
from vision.imaging.rectify import MapScale
from vision.model.expected import ExpectedTerrain
from vision.terrain.printed_earth import without_prints

SCALE = MapScale(24, 24, px_per_inch=10)
VIEW = view_over((11.0, -12.0, 30.0), (12.0, 11.0, 0.0))
CORN = (40, 140, 180)
FIELD = box(16, 15, 5, 3.4, 25)
WOOD = blob(8, 16, 3.0, 4)


def photo(patches: list) -> np.ndarray:
    """A photo of a painted table 24 inches square."""
    ground = painted(patches)
    w, h = VIEW.camera.size
    columns, rows = np.meshgrid(np.arange(w), np.arange(h))
    points = VIEW.point_from_pixel(np.stack([columns.ravel(), rows.ravel()], axis=1), 0.0)
    at = np.nan_to_num(SCALE.pixel_from_table(points[:, :2]), nan=-1e4).astype(np.float32).reshape(h, w, 2)
    return np.asarray(cv2.remap(ground, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderValue=(60, 60, 60)))


def piece(name: str, kind: str, shape: shapely.Polygon) -> ExpectedTerrain:
    ring = tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1])
    return ExpectedTerrain(id=name, kind=kind, polygon=ring, confidence=0.9, sigma_in=0.1)


def kept(patches: list, pieces: list[ExpectedTerrain], covered: shapely.Geometry | None = None) -> list[str]:
    return [p.id for p in without_prints(photo(patches), VIEW, (24, 24), pieces, covered=covered)]


@pytest.mark.parametrize("color", [CORN, EARTH, (30, 90, 90)])
def test_a_field_that_shows_nowhere_else_is_kept(color: tuple[int, int, int]) -> None:
    pieces = [piece("t1", "woods", WOOD), piece("t2", "field", FIELD)]
    assert kept([(FELT, 0.05, WOOD), (color, 0.3, FIELD)], pieces) == ["t1", "t2"]


@pytest.mark.parametrize("count", [3, 8])
def test_earth_that_the_mat_shows_elsewhere_is_no_field(count: int) -> None:
    places = [(3, 4), (9, 5), (15, 4), (20, 7), (4, 9), (12, 9), (20, 20), (12, 20)][:count]
    stains = [(EARTH, 0.02, blob(x, y, 1.4, k)) for k, (x, y) in enumerate(places)]
    pieces = [piece("t1", "field", blob(16, 15, 2.2, 3)), piece("t2", "field", box(6, 18, 4, 3, 10))]
    patches = [*stains, (EARTH, 0.02, blob(16, 15, 2.2, 3)), (CORN, 0.3, box(6, 18, 4, 3, 10))]
    assert kept(patches, pieces) == ["t2"]


def test_what_bases_and_other_pieces_show_is_not_the_mat() -> None:
    road, base = box(12, 6, 26, 1.6, 3), box(6, 20, 3, 3, 0)
    pieces = [piece("t1", "field", FIELD), piece("t2", "road", road.intersection(shapely.box(0, 0, 24, 24)))]
    patches = [(CORN, 0.3, FIELD), (CORN, 0.05, road), (CORN, 0.05, base)]
    assert kept(patches, pieces, covered=base) == ["t1", "t2"]
    assert kept(patches, pieces[:1], covered=base) == []


def test_other_kinds_are_left_alone() -> None:
    pieces = [piece("t1", "hill", FIELD), piece("t2", "marsh", WOOD)]
    assert kept([(CORN, 0.1, shapely.box(-1, -1, 25, 25))], pieces) == ["t1", "t2"]
    assert without_prints(photo([]), VIEW, (24, 24), ()) == ()
