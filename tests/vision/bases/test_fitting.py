"""Which candidates are fitted, and that fitting many at once changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from vision import BaseShape
from vision.bases.fitting import Wish, fit_candidates
from vision.bases.outline import OutlineFit
from vision.bases.search import Candidate
from vision.bases.selection import Found, PickConfig, footprint, shows_base

FOOT, GUN, ROUND = BaseShape(2.0, 1.25, 0.12), BaseShape(1.25, 1.6, 0.12), BaseShape(1.6, 1.6, 0.12, is_round=True)
SHAPES = {"red": (FOOT, GUN), "blue": (ROUND, FOOT)}
CONFIG = PickConfig()


def a_fit(wish: Wish) -> OutlineFit | None:
    """A made-up fit that depends on its candidate alone: moved a little, well or badly supported, or none."""
    c = wish.candidate
    rng = np.random.default_rng([int(c.x * 1000), int(c.y * 1000), int(c.facing * 10), c.shape])
    if rng.random() < 0.2:
        return None
    x, y = np.array([c.x, c.y]) + rng.uniform(-0.1, 0.1, 2)
    cover = float(rng.uniform(0.3, 1.0))
    side = float(rng.uniform(0.3, 1.0))
    return OutlineFit(float(x), float(y), c.facing, 0.0, np.eye(3), (side,) * 4, cover, 0.3, 0.0, 40)


def one_by_one(
    candidates: dict[str, list[Candidate]], settled: list[shapely.Polygon], config: PickConfig
) -> list[Found]:
    """The same, each candidate waiting for all better ones."""
    out = []
    for side, those in candidates.items():
        taken = list(settled)
        tried: list[Wish] = []
        for c in those:
            wish = Wish(side, c, SHAPES[side][c.shape])
            area = footprint(wish.shape, c.x, c.y, c.facing)
            if len(tried) >= config.most_fits:
                break
            if any(area.intersection(t).area > config.settled_overlap * area.area for t in taken):
                continue
            if any(wish.is_like(other, config) for other in tried):
                continue
            tried.append(wish)
            fit = a_fit(wish)
            if fit is None or not shows_base(fit, config):
                continue
            out.append(Found(fit, wish.shape, side))
            if fit.coverage >= config.settled_coverage and min(fit.support) >= config.settled_side:
                taken.append(out[-1].footprint)
    return out


def places(found: list[Found]) -> list[tuple[str, float, float]]:
    return [(f.side, f.fit.x, f.fit.y) for f in found]


candidate = st.builds(
    Candidate, st.floats(0, 7), st.floats(0, 7), st.floats(0, 180), st.integers(0, 1), st.floats(0.3, 1.0)
)


@pytest.mark.slow
@given(st.lists(candidate, max_size=30), st.lists(candidate, max_size=10), st.integers(1, 12))
def test_many_at_once_come_out_as_one_by_one(red: list[Candidate], blue: list[Candidate], most: int) -> None:
    config = replace(CONFIG, most_fits=most)
    candidates = {"red": red, "blue": blue}
    settled = [footprint(FOOT, 2.0, 2.0, 30.0)]
    asked: list[Wish] = []

    def fit(wishes: list[Wish]) -> list[OutlineFit | None]:
        asked.extend(wishes)
        return [a_fit(wish) for wish in wishes]

    assert places(fit_candidates(candidates, SHAPES, fit, settled, config)) == places(
        one_by_one(candidates, settled, config)
    )
    assert len(set(map(id, (w.candidate for w in asked)))) == len(asked)


def test_candidates_far_apart_are_fitted_at_once() -> None:
    row = [Candidate(3.0 * k, 1.0, 0.0, 0, 0.9) for k in range(6)]
    calls: list[int] = []

    def fit(wishes: list[Wish]) -> list[OutlineFit | None]:
        calls.append(len(wishes))
        return [None] * len(wishes)

    assert fit_candidates({"red": row}, SHAPES, fit, [], CONFIG) == []
    assert calls == [6]
    assert fit_candidates({"red": []}, SHAPES, fit, [], CONFIG) == []


@pytest.mark.slow
def test_what_lies_under_a_settled_outline_is_not_fitted() -> None:
    best, same, under = (
        Candidate(5.0 + dx, 5.0, turn, 0, s) for dx, turn, s in ((0, 0, 0.9), (0.05, 2, 0.8), (0.4, 40, 0.7))
    )
    asked: list[Candidate] = []

    def fit(wishes: list[Wish]) -> list[OutlineFit | None]:
        asked.extend(w.candidate for w in wishes)
        c = wishes[0].candidate
        return [OutlineFit(c.x, c.y, c.facing, 0.0, np.eye(3), (1.0,) * 4, 1.0, 0.1, 0.0, 40)]

    found = fit_candidates({"red": [best, same, under]}, SHAPES, fit, [], CONFIG)
    assert asked == [best]
    assert len(found) == 1
