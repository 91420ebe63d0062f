"""What stands on drawn tables: trees, houses, figures and clutter keep their promises at every scale."""

from collections.abc import Callable
from typing import get_args

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthetic import clutter, dice, figures, houses, trees
from synthetic.layers import Layers, Thing, Window
from synthetic.look import plan_view

MAKERS: dict[str, Callable[[np.random.Generator, float], Thing]] = {
    "broadleaf": trees.broadleaf,
    "conifer": trees.conifer,
    "palm": trees.palm,
    "bare tree": trees.bare_tree,
    "bush": trees.bush,
    "hedge": trees.hedge,
    "rock": trees.rock,
    "stump": trees.stump,
    "any tree": trees.random_tree,
    "any scatter": trees.random_scatter,
    "any house": houses.random_house,
    "wall": houses.wall_line,
    "bridge": houses.bridge,
    "cotton": clutter.cotton,
    "ruler": clutter.ruler,
    "paper": clutter.paper,
    "card": clutter.card,
    "marker": clutter.frame_marker,
    "pencil": clutter.pencil,
    "cup": clutter.cup,
    "phone": clutter.phone,
    "spectacles": clutter.spectacles,
    "token": clutter.token,
    "hand": clutter.hand,
    "anything": clutter.random_clutter,
    "dice in print": dice.printed,
    "marbled die": lambda rng, ppi: dice.die(rng, ppi, make=dice.marbled(rng, 6)),
}
DICTIONARY = cv2.aruco.DICT_APRILTAG_36h11


def check(thing: Thing) -> None:
    rows, columns = thing.high.shape
    assert thing.top.shape == thing.side.shape == (rows, columns, 3) and thing.low.shape == (rows, columns)
    for part in (thing.top, thing.side, thing.low, thing.high):
        assert part.dtype == np.float32 and np.isfinite(part).all() and part.min() >= 0
    assert thing.top.max() <= 1 and thing.side.max() <= 1
    there = thing.high > 0
    assert there.any()
    assert (thing.low <= thing.high).all() and not thing.low[~there].any() and not thing.top[~there].any()
    assert thing.top[there].max() > 0


@pytest.mark.parametrize("name", MAKERS)
def test_every_maker_draws_something_whole_and_the_same_again(name: str) -> None:
    check(MAKERS[name](np.random.default_rng(1), 6.0))
    first, again = (MAKERS[name](np.random.default_rng(5), 16.0) for _ in range(2))
    check(first)
    for part in ("top", "side", "low", "high"):
        np.testing.assert_array_equal(getattr(first, part), getattr(again, part))


@given(
    st.sampled_from(["rect", "round"]),
    st.floats(0.8, 2.4),
    st.floats(0.8, 2.0),
    st.floats(-4, 4),
    st.sampled_from([10.0, 16.0, 40.0]),
    st.integers(0, 1000),
)
@settings(max_examples=25, deadline=None)
def test_a_base_covers_just_its_own_outline(
    shape: str, width: float, depth: float, turn: float, ppi: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    made = figures.base(rng, ppi, shape, width, depth, 0.1, turn, "none", bevel=0.0)  # type: ignore[arg-type]
    check(made.thing)
    area = float(made.share.sum()) / ppi**2
    full = np.pi * width**2 / 4 if shape == "round" else width * depth
    assert abs(area - full) < 0.03 * full + 0.25 * 2 * (width + depth) / ppi
    rows, columns = np.nonzero(made.surface)
    middle = np.array([columns.mean(), rows.mean()]) - (np.array(made.surface.shape[::-1]) - 1) / 2
    assert np.abs(middle).max() < 0.6
    if shape == "rect":
        (_, size, angle) = cv2.minAreaRect(np.column_stack([columns, rows]).astype(np.float32))
        assert sorted(size) == pytest.approx(sorted((width * ppi, depth * ppi)), abs=2.6)
        if abs(width - depth) > 0.4 and ppi > 12:
            along = angle if size[0] == pytest.approx(width * ppi, abs=2.6) else angle + 90
            off = (along + np.degrees(turn) + 90) % 180 - 90
            assert abs(off) < 2 + np.degrees(1.5 / (max(width, depth) * ppi))  # a pixel and a half along its length


@pytest.mark.parametrize("kind", get_args(figures.Kind))
@pytest.mark.parametrize("turn", [0.0, 2.0])
def test_figures_leave_the_tag_to_be_read(kind: figures.Kind, turn: float) -> None:
    found = 0
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    for seed in range(4):
        rng = np.random.default_rng(seed)
        made = figures.base(rng, 60.0, "rect", 1.8, 2.4, 0.1, turn, kind, (0.5, 0.1, 0.05), 30 + seed, 0.8, (0, -0.5))
        assert not (made.surface & made.figures).any()
        if kind != "none":
            assert made.figures.any()
        picture = (np.clip(made.thing.top, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
        _, numbers, _ = detector.detectMarkers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        found += numbers is not None and 30 + seed in numbers
    assert found >= 3


def test_a_base_stands_on_the_ground_with_its_number() -> None:
    layers = Layers.empty(Window(0, 0, 6, 6, 20.0))
    layers.ground_z += np.float32(0.5)
    made = figures.base(np.random.default_rng(1), 20.0, "rect", 2.0, 1.5, 0.1, 0.4, "tank")
    made.stand(layers, 3.0, 3.0, 7)
    slab = layers.base == 7
    assert slab.sum() / 400 == pytest.approx(3.0, rel=0.06)
    np.testing.assert_allclose(layers.ground_z[slab], 0.6, atol=1e-5)
    np.testing.assert_allclose(layers.ground_z[~slab], 0.5, atol=1e-5)
    assert layers.high.max() > 0.7
    made.stand(layers, -20.0, 3.0, 8)
    assert not (layers.base == 8).any()


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_its_value(value: int) -> None:
    dark, light = np.full(3, 0.02, np.float32), np.full(3, 0.9, np.float32)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        thing = dice.die(rng, 60.0, 0.6, value, rng.uniform(0, 6), dark, light)
        count, _, stats, _ = cv2.connectedComponentsWithStats((thing.top[..., 0] > 0.45).astype(np.uint8))
        assert (stats[1:, cv2.CC_STAT_AREA] > 4).sum() == value and count == value + 1


@pytest.mark.parametrize("value", (1, 4))
def test_the_pips_of_a_side_are_seen_from_that_side(value: int) -> None:
    layers = Layers.empty(Window(0.0, 0.0, 4.0, 4.0, 60.0))
    dark, light = np.full(3, 0.02, np.float32), np.full(3, 0.9, np.float32)
    layers.put(dice.die(np.random.default_rng(5), 60.0, 0.6, value, 0.0, dark, light), 2.0, 2.0)
    (spots,) = layers.spots
    seen = {}
    for k in range(4):
        angle = k * np.pi / 2
        eye = np.array([2.0 + 30 * np.cos(angle), 2.0 + 30 * np.sin(angle), 12.0])
        picture = plan_view(layers, (layers.ground * 0, 0 * layers.top + dark, layers.side), tuple(eye.tolist()), 0.02)
        stats = cv2.connectedComponentsWithStats((picture[..., 0] > 0.3).astype(np.uint8))[2]
        seen[k] = int((stats[1:, cv2.CC_STAT_AREA] > 12).sum())
    facing = np.round(np.arctan2(spots.facing[:, 1], spots.facing[:, 0]) / (np.pi / 2)).astype(int) % 4
    assert seen == {k: int((facing == k).sum()) for k in range(4)}
    assert sorted(seen.values()) == sorted(dice.sides_of(value))


def test_a_frame_marker_reads_as_its_number() -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    thing = clutter.frame_marker(np.random.default_rng(0), 40.0, 17, 4.0, 0.7)
    picture = cv2.copyMakeBorder(thing.top[..., 1], 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=0.1)
    _, numbers, _ = detector.detectMarkers((picture ** (1 / 2.2) * 255).astype(np.uint8))
    assert numbers is not None and numbers.ravel().tolist() == [17]
