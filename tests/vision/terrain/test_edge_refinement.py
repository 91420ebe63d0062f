"""Outlines moved to the colour edge: towards the truth, never away from it, and not where nothing can be seen."""

from concurrent.futures import Future

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import Camera, TableView
from tests.support.ground_scenes import EARTH, FELT, FLOCK, PAVING, WATER, blob, box, painted, trees, way
from vision.imaging.rectify import MapScale
from vision.model.expected import ExpectedTerrain
from vision.terrain.edge_refinement import closed_path, colours_above, sharpen, sharpen_on, veil
from vision.terrain.tracing import iou, largest, on_table, outward

SCALE = MapScale(24, 24, px_per_inch=20)
TABLE = shapely.box(0, 0, 24, 24)
COLOURS = {"woods": FELT, "town": PAVING, "road": EARTH, "river": WATER, "field": (40, 140, 180)}


def nudged(shape: shapely.Polygon, by_in: float, seed: int) -> shapely.Polygon:
    """The shape with its outline moved smoothly to and fro by about ``by_in``."""
    points, out = outward(shape, 0.1)
    wave = 2 * np.pi * np.fft.fftfreq(len(points), 0.1)
    noise = np.random.default_rng(seed).normal(size=len(points))
    slow = np.fft.ifft(np.fft.fft(noise) * np.exp(-0.5 * (0.8 * wave) ** 2)).real
    moved = largest(shapely.make_valid(shapely.Polygon(points + by_in * (slow / slow.std())[:, None] * out)))
    assert moved is not None
    return moved


def piece(kind: str, shape: shapely.Polygon, sigma_in: float = 0.25) -> ExpectedTerrain:
    ring = on_table(shape, SCALE)
    assert ring is not None
    return ExpectedTerrain("t1", kind, ring, confidence=0.9, sigma_in=sigma_in)


SHAPES = {
    "woods": blob(12, 12, 4, 4),
    "town": blob(11, 13, 4, 6),
    "field": box(12, 11, 6, 4, 30),
    "road": way([(-1, 8), (8, 10), (15, 13), (16, 25)], 1.6),
    "river": way([(-1, 14), (8, 12), (15, 9), (25, 11)], 2.0),
}


@pytest.mark.parametrize("kind", list(SHAPES))
def test_a_rough_outline_comes_to_the_edge(kind: str) -> None:
    truth = SHAPES[kind].intersection(TABLE)
    ground = painted([(COLOURS[kind], 0.1, SHAPES[kind])], ppi=20, seed=1)
    rough = piece(kind, nudged(SHAPES[kind], 0.25, 1))
    (sharp,) = sharpen_on(ground, SCALE, [rough])
    before, after = (iou(shapely.Polygon(p.polygon), truth) for p in (rough, sharp))
    assert after > max(0.95, before + 0.02)
    assert 0.05 <= sharp.sigma_in < 0.15
    assert (sharp.id, sharp.kind, sharp.confidence) == (rough.id, rough.kind, rough.confidence)


def test_four_corners_stay_four() -> None:
    field = SHAPES["field"]
    ground = painted([(COLOURS["field"], 0.2, field)], ppi=20)
    (sharp,) = sharpen_on(ground, SCALE, [piece("field", box(12.2, 11.1, 6.3, 4.3, 28))])
    assert len(sharp.polygon) == 4
    assert iou(shapely.Polygon(sharp.polygon), field) > 0.96


def test_no_edge_no_move() -> None:
    outline = piece("woods", SHAPES["woods"])
    assert sharpen_on(painted([], ppi=20), SCALE, [outline]) == (outline,)
    alike = painted([(FLOCK, 0.16, SHAPES["woods"])], ppi=20)
    (kept,) = sharpen_on(alike, SCALE, [outline])
    assert kept.sigma_in > 0.2


def test_kinds_that_are_not_asked_for_come_back_as_they_are() -> None:
    hill = ExpectedTerrain("t1", "hill", ((2, 2), (9, 2), (9, 9), (2, 9)), sigma_in=0.3)
    ground = painted([(FELT, 0.1, box(6, 6, 6, 6, 0))], ppi=20)
    assert sharpen_on(ground, SCALE, [hill]) == (hill,)
    assert sharpen_on(ground, SCALE, []) == ()


def test_the_far_edge_of_a_wood_is_left_to_what_was_known() -> None:
    wood = SHAPES["woods"]
    leaning = shapely.affinity.translate(wood, 0, 0.6).union(wood)  # as trees lean away from a camera at the near side
    ground = painted([(FELT, 0.05, leaning), *trees(wood, 5, 1)], ppi=20)
    (fooled,) = sharpen_on(ground, SCALE, [piece("woods", wood)])
    (careful,) = sharpen_on(ground, SCALE, [piece("woods", wood)], eye=np.array([12.0, -14.0, 32.0]))
    assert iou(shapely.Polygon(careful.polygon), wood) > 0.96 > iou(shapely.Polygon(fooled.polygon), wood)
    assert careful.sigma_in > fooled.sigma_in


def test_what_bases_cover_says_nothing() -> None:
    wood = SHAPES["woods"]
    base = box(15.8, 12.6, 2.5, 2.4, 10)
    ground = painted([(FELT, 0.05, wood), (FLOCK, 0.1, base)], ppi=20)
    outline = piece("woods", wood)
    (fooled,) = sharpen_on(ground, SCALE, [outline])
    (careful,) = sharpen_on(ground, SCALE, [outline], covered=base.buffer(0.1))
    assert iou(shapely.Polygon(careful.polygon), wood) > max(0.97, iou(shapely.Polygon(fooled.polygon), wood))


def test_a_photo_is_rectified_first() -> None:
    field = SHAPES["field"]
    ground = painted([(COLOURS["field"], 0.1, field)], ppi=20)
    camera = Camera(np.array([[1200.0, 0, 239.5], [0, 1200.0, 239.5], [0, 0, 1]]), np.zeros(5), (480, 480))
    above = TableView(camera, np.diag([1.0, -1.0, -1.0]), np.array([-12.0, 12.0, 60.0]))
    (sharp,) = sharpen(ground, above, (24, 24), [piece("field", nudged(field, 0.2, 1))])
    assert iou(shapely.Polygon(sharp.polygon), field) > 0.95
    colours: Future = Future()
    colours.set_result(colours_above(ground, above, (24, 24)))
    none_left = np.zeros_like(ground)  # the colours made beforehand are looked at, not the picture
    assert sharpen(none_left, above, (24, 24), [piece("field", nudged(field, 0.2, 1))], colours=colours) == (sharp,)


def test_things_hide_what_lies_behind_them() -> None:
    with pytest.raises(ValueError, match="not above things of 2 inches"):
        veil([[(0, 0), (1, 0), (1, 1)]], 2.0, (0, 0, 1.5))
    assert veil([], 1.0, (0, 0, 30)).is_empty


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), stiffness=st.floats(0.0, 3.0))
def test_the_closed_path_is_no_dearer_than_any_level_one(seed: int, stiffness: float) -> None:
    cost = np.random.default_rng(seed).random((12, 5))
    path = closed_path(cost, stiffness)
    total = cost[np.arange(12), path].sum() + stiffness * float(((path - np.roll(path, 1)) ** 2).sum())
    assert total <= cost.sum(axis=0).min() + 1e-9
    assert path.min() >= 0 and path.max() <= 4
