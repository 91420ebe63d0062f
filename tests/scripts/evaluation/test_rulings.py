"""Rulings on a table as seen against those on the table as it is: what position changes, and what it may not."""

from typing import Any

from evaluation.rulings import Rulings, compare_rulings
from evaluation.score import score_photo
from evaluation.truth import Truth
from tests.support.evaluated_tables import made, moved, seen_exactly, true_base

ROSTER, KINDS = {"r1": 1, "b1": 1}, {"r1": "infantry", "b1": "infantry"}


def duel(gap: float, **more: Any) -> Truth:
    """Two units face to face, ``gap`` inches between their fronts; infantry fires up to 12 inches."""
    near, deep = 1.0, 1.25
    far = near + deep + gap
    return made({"b1": [true_base(12, near, 0, unique=True)], "r1": [true_base(12, far, 180, unique=True)]}, **more)


def compared(seen: dict[str, Any], truth: Truth) -> Rulings:
    return compare_rulings(seen, truth, score_photo(seen, truth), rules="one-hour-ww2", roster=ROSTER, kinds=KINDS)


def test_a_right_observation_rules_as_the_truth_does() -> None:
    truth = duel(8.0)
    rulings = compared(seen_exactly(truth), truth)
    for told in (rulings.positions, rulings.whole):
        assert told.rulings == 8, "shot, sight, range and odds, each way"
        assert told.too_close == 0 and not told.differing and told.refused is None


def test_a_wrong_place_that_is_stated_as_sure_is_a_wrong_ruling() -> None:
    truth = duel(11.8)
    seen = moved(seen_exactly(truth, sigma=0.01), 1, 0.0, 0.4)
    told = compared(seen, truth).positions
    wrong = {(d.firer, d.target, d.ruling, d.seen, d.true) for d in told.differing}
    assert ("b1", "r1", "shot", "no", "yes") in wrong and ("r1", "b1", "shot", "no", "yes") in wrong
    assert compared(seen, truth).whole.differing == told.differing


def test_the_same_place_with_an_honest_spread_is_too_close_and_not_wrong() -> None:
    truth = duel(11.8)
    told = compared(moved(seen_exactly(truth, sigma=0.3), 1, 0.0, 0.4), truth).positions
    assert not told.differing and told.too_close >= 4


def test_an_observation_that_can_t_be_judged_is_told() -> None:
    truth = made({"b1": [true_base(12, 2, unique=True), true_base(12, 5)], "r1": [true_base(12, 12, unique=True)]})
    seen = moved(seen_exactly(truth), 1, 0.0, side="red")
    told = compared(seen, truth)
    assert told.whole.refused is not None and "bases of different sides" in told.whole.refused
    assert told.whole.rulings == 0
