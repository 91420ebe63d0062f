"""Which candidates are fitted, and that fitting many at once changes nothing."""

import numpy as np

from vision import BaseShape
from vision.bases.fitting import Wish, fit_candidates
from vision.bases.outline import OutlineFit
from vision.bases.search import Candidate
from vision.bases.selection import PickConfig

FOOT, GUN, ROUND = BaseShape(2.0, 1.25, 0.12), BaseShape(1.25, 1.6, 0.12), BaseShape(1.6, 1.6, 0.12, is_round=True)
SHAPES = {"red": (FOOT, GUN), "blue": (ROUND, FOOT)}
CONFIG = PickConfig()


def test_candidates_far_apart_are_fitted_at_once() -> None:
    row = [Candidate(3.0 * k, 1.0, 0.0, 0, 0.9) for k in range(6)]
    calls: list[int] = []

    def fit(wishes: list[Wish]) -> list[OutlineFit | None]:
        calls.append(len(wishes))
        return [None] * len(wishes)

    assert fit_candidates({"red": row}, SHAPES, fit, [], CONFIG) == []
    assert calls == [6]
    assert fit_candidates({"red": []}, SHAPES, fit, [], CONFIG) == []


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
