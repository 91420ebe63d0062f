"""Grounds of drawn tables: exact footprints, determinism, no trace outside, glare where it belongs."""

from collections.abc import Callable

import numpy as np
import pytest
import shapely

from synthetic import covers, mats
from synthetic.layers import KINDS, Array, Layers, Window
from synthetic.noise import blob, ribbon, smooth_way
from synthetic.ways import RIVERS, ROADS

AREAS: dict[str, tuple[Callable[..., str], tuple[str, ...]]] = {
    "woods": (covers.paint_woods, covers.WOODS),
    "town": (covers.paint_town, covers.TOWNS),
    "field": (covers.paint_field, covers.FIELDS),
    "marsh": (covers.paint_marsh, covers.MARSHES),
}
EVERY_AREA = [
    pytest.param(kind, what, marks=[pytest.mark.slow] if n else [])
    for kind, (_, names) in AREAS.items()
    for n, what in enumerate(names)
]
WAY = smooth_way(np.array([[-2.0, 3.0], [4.0, 5.0], [8.0, 4.0], [14.0, 9.0]]))


def ground(ppi: float = 8.0, size: float = 12.0) -> Layers:
    return Layers.empty(Window(0.0, 0.0, size, size, ppi))


def within(window: Window, outline: Array) -> tuple[np.ndarray, np.ndarray]:
    """Which pixel centres lie inside, by exact geometry, and which are too near the edge to tell."""
    x, y = (a.ravel().astype(float) for a in window.places())
    shape = shapely.Polygon(outline)
    inside = shapely.contains_xy(shape, x, y).reshape(window.shape)
    near = shapely.distance(shape.exterior, shapely.points(x, y)).reshape(window.shape) < 0.75 / window.ppi
    return inside, near


def sound(layers: Layers) -> bool:
    arrays = (layers.ground, layers.ground_z, layers.gloss)
    return (
        all(a.dtype == np.float32 and bool(np.isfinite(a).all()) for a in arrays)
        and layers.ground.min() >= 0
        and layers.ground.max() <= 1
        and layers.gloss.min() >= 0
        and layers.gloss.max() <= 1
    )


@pytest.mark.parametrize(("kind", "what"), EVERY_AREA)
def test_an_area_marks_exactly_its_outline(kind: str, what: str) -> None:
    rng = np.random.default_rng(7)
    mat, layers = mats.random_mat(rng), ground()
    mats.paint_mat(mat, layers, rng)
    before = layers.ground.copy()
    outline = blob(rng, (6.0, 7.0), (3.0, 4.5), 0.15)
    assert AREAS[kind][0](layers, outline, rng, mat, what) == what
    inside, near = within(layers.window, outline)
    plane = layers.kinds[KINDS.index(kind)]
    assert np.array_equal(plane[~near], inside[~near])
    assert not np.delete(layers.kinds, KINDS.index(kind), axis=0).any()
    assert sound(layers)
    changed = np.abs(layers.ground - before).max(axis=-1) > 0.01
    assert changed[inside].mean() > (0.02 if what == "border" else 0.6)
    x, y = layers.window.places()
    far = shapely.distance(shapely.Polygon(outline), shapely.points(x, y)) > 0.6
    assert not changed[far].any()


@pytest.mark.parametrize(
    ("paint", "kind", "what"),
    [(covers.paint_road, "road", w) for w in ROADS] + [(covers.paint_river, "river", w) for w in RIVERS],
)
def test_a_way_marks_the_band_along_it(paint: Callable[..., str], kind: str, what: str) -> None:
    rng = np.random.default_rng(11)
    mat, layers = mats.random_mat(rng, "grass"), ground()
    mats.paint_mat(mat, layers, rng)
    assert paint(layers, WAY, 2.0, rng, mat, what) == what
    inside, near = within(layers.window, ribbon(WAY, 2.0))
    plane = layers.kinds[KINDS.index(kind)]
    assert np.array_equal(plane[~near], inside[~near])
    assert sound(layers)
