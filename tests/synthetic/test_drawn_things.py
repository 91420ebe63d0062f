"""What stands on drawn tables: trees, houses, figures and clutter keep their promises at every scale."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from synthetic import clutter, dice, houses, trees
from synthetic.layers import Thing

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


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_its_value(value: int) -> None:
    dark, light = np.full(3, 0.02, np.float32), np.full(3, 0.9, np.float32)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        thing = dice.die(rng, 60.0, 0.6, value, rng.uniform(0, 6), dark, light)
        count, _, stats, _ = cv2.connectedComponentsWithStats((thing.top[..., 0] > 0.45).astype(np.uint8))
        assert (stats[1:, cv2.CC_STAT_AREA] > 4).sum() == value and count == value + 1
