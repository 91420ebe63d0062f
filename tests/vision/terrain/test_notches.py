"""Bays in outlines of areas are closed; what lies beside is left where it is."""

import pytest
import shapely

from vision.imaging.rectify import MapScale
from vision.model.expected import ExpectedTerrain
from vision.terrain.notches import without_bays

SCALE = MapScale(24, 24, px_per_inch=8)


def piece(kind: str, shape: shapely.Polygon) -> ExpectedTerrain:
    return ExpectedTerrain("t1", kind, tuple(map(tuple, shapely.get_coordinates(shape.exterior)[:-1])), sigma_in=0.2)


def round_piece(x: float, y: float, radius: float) -> shapely.Polygon:
    return shapely.Point(x, y).buffer(radius, quad_segs=8)


@pytest.mark.parametrize("kind", ["woods", "town", "hill", "marsh"])
def test_what_a_ball_of_cotton_bites_off_comes_back(kind: str) -> None:
    whole = round_piece(12, 12, 4)
    bitten = whole - round_piece(16, 12, 0.8)
    (mended,) = without_bays([piece(kind, bitten)], SCALE)
    assert mended.shape.area > 0.99 * whole.area
    assert mended.shape.symmetric_difference(whole).area < 0.02 * whole.area


@pytest.mark.parametrize("kind", ["field", "road", "river", "bridge"])
def test_what_has_straight_sides_or_winds_is_left_alone(kind: str) -> None:
    bitten = piece(kind, round_piece(12, 12, 4) - round_piece(16, 12, 0.8))
    assert without_bays([bitten], SCALE) == (bitten,)


def test_a_wide_bay_stays() -> None:
    crescent = round_piece(12, 12, 7) - round_piece(18, 12, 5)
    (kept,) = without_bays([piece("hill", crescent)], SCALE)
    assert kept.shape.area < 1.1 * crescent.area


def test_a_neighbour_in_a_bay_keeps_its_place() -> None:
    pond = round_piece(16, 12, 1.5)
    marsh, wood = piece("marsh", pond), piece("town", round_piece(12, 12, 4) - pond.buffer(0.05))
    mended = without_bays([wood, marsh], SCALE)
    assert mended[0].shape.intersection(mended[1].shape).area < 0.1
    hill = without_bays([piece("hill", round_piece(12, 12, 4) - pond), marsh], SCALE)[0]
    assert hill.shape.intersection(pond).area > 1.0
