"""How far outlines may be off: by the map's blur, by edges that were found, by what covers them; one sigma for all."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import erf

from vision.imaging.rectify import MapScale
from vision.model.expected import ExpectedTerrain
from vision.terrain.edge_refinement import sharpen_on
from vision.terrain.pieces import KINDS, GroundMaps
from vision.terrain.spreads import SpreadConfig, blur_along, pooled_sigma, spread_along
from vision.terrain.tracing import Sheet

CONFIG = SpreadConfig()
spreads = st.lists(st.floats(0.05, 2.0), min_size=1, max_size=30).map(np.array)


@given(spreads)
def test_the_pooled_sigma_holds_95_percent(spread: np.ndarray) -> None:
    one = pooled_sigma(spread)
    inside = np.mean(erf(1.96 * one / (spread * np.sqrt(2))))
    assert inside == pytest.approx(0.95, abs=1e-3)
    assert spread.min() - 1e-9 <= one <= spread.max() + 1e-9


@pytest.mark.parametrize("blur_in", [0.15, 0.3, 0.5])
def test_the_blur_of_an_edge_is_read(blur_in: float) -> None:
    scale = MapScale(12, 12, px_per_inch=8)
    rows, columns = np.mgrid[: scale.size[1], : scale.size[0]]
    x = scale.table_from_pixel(np.stack([columns.ravel(), rows.ravel()], axis=1))[:, 0].reshape(rows.shape)
    sheet = Sheet(np.float32(0.5 * (1 + erf((6 - x) / (blur_in * np.sqrt(2))))), scale)
    points = np.array([[6.0, 3.0], [6.0, 6.0], [6.0, 9.0]])
    read = blur_along(sheet, points, np.tile([1.0, 0.0], (3, 1)))
    assert read == pytest.approx(np.full(3, blur_in), abs=0.05)


def test_a_found_edge_is_surer_and_a_covered_place_less_sure() -> None:
    blur = np.full(4, 0.2)
    found, covered = np.array([1.0, 0.5, 0.0, 1.0]), np.array([False, False, False, True])
    sure, half, unseen, hidden = spread_along(blur, found, covered, 0.1, is_ribbon=False, config=CONFIG)
    assert CONFIG.edge_in < sure < half < unseen < hidden
    ribbon = spread_along(blur, found, covered, 0.1, is_ribbon=True, config=CONFIG)
    assert ribbon[3] < hidden and ribbon[0] == sure


def stated(blur_in: tuple[float, float], covered: shapely.Geometry | None = None) -> float:
    """The sigma of a hill whose map is blurred by the one on its left half and by the other on its right half."""
    scale = MapScale(20, 20, px_per_inch=8)
    rows, columns = np.mgrid[: scale.size[1], : scale.size[0]]
    place = scale.table_from_pixel(np.stack([columns.ravel(), rows.ravel()], axis=1)).reshape(*rows.shape, 2)
    blur = np.where(place[..., 0] < 10, *blur_in)
    share = np.zeros((len(KINDS) + 1, *rows.shape), np.float32)
    inward = 5 - np.hypot(*(place - 10).transpose(2, 0, 1))
    share[KINDS.index("hill")] = 0.5 * (1 + erf(inward / (blur * np.sqrt(2))))
    ring = shapely.get_coordinates(shapely.Point(10, 10).buffer(5).exterior)[:-1]
    hill = ExpectedTerrain("t1", "hill", tuple((float(x), float(y)) for x, y in ring), sigma_in=0.1)
    maps = GroundMaps(share, scale, np.zeros(rows.shape, bool))
    grey = np.full((400, 400, 3), 120, np.uint8)
    (after,) = sharpen_on(grey, MapScale(20, 20, px_per_inch=20), [hill], covered=covered, maps=maps)
    assert after.polygon == hill.polygon
    return after.sigma_in


def test_an_outline_is_as_sure_as_its_map_is_steep_and_open() -> None:
    sharp, mixed, soft = (stated(blur) for blur in ((0.15, 0.15), (0.15, 0.5), (0.5, 0.5)))
    assert sharp < 0.5 * mixed and mixed < soft
    times = CONFIG.by_kind["hill"]
    assert soft == pytest.approx(times * CONFIG.by_map * 0.5, rel=0.1)
    assert sharp < stated((0.15, 0.15), shapely.box(0, 0, 9, 20)) <= times * CONFIG.covered_in[0]
