"""Stated chances against what is so: what counts as a statement, when it is right, and the sums by hand."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.reliability import (
    EDGES,
    PIPS,
    RIM,
    SIDE,
    UNIT,
    Statement,
    pooled,
    reliability,
)
from evaluation.score import score_photo
from tests.support.evaluated_tables import made, seen_exactly, square, tag, true_base

TRUTH = made(
    {"r1": [true_base(5, 5, tag_id=3, tag=tag(3, 5, 5)), true_base(5, 9)], "b1": [true_base(12, 9)]},
    dice=[{"centre": [20, 3], "value": 4}],
    terrain=[{"kind": "woods", "polygon": square(2, 12, 4), "height": 0.0}],
)


def observation(*questions: dict[str, Any], bases: dict[int, dict[str, Any]] | None = None) -> dict[str, Any]:
    """That table as it is, with some questions, and some bases' entries changed."""
    seen = seen_exactly(TRUTH)
    seen["dice"][0]["id"] = "die1"
    seen["bases"][0]["method"] = "tag"
    for row, entries in (bases or {}).items():
        seen["bases"][row].update(entries)
    return {**seen, "questions": list(questions)}


def question(
    ask: str, about: str, *answers: tuple[Any, float], covers: list[list[str]] | None = None
) -> dict[str, Any]:
    offered = [{"value": value, "chance": chance, "says": ""} for value, chance in answers]
    return {"id": "q1", "ask": ask, "about": about, "says": "?", "answers": offered, "covers": covers or [[about]]}


def stated(sort: str, seen: dict[str, Any]) -> list[tuple[float, bool, bool]]:
    """Chance, whether right and whether asked, of one sort's statements, the largest chance first."""
    some = [(s.stated, s.right, s.asked) for s in score_photo(seen, TRUTH).statements if s.sort == sort]
    return sorted(some, reverse=True)


def test_what_a_right_observation_states() -> None:
    seen = observation()
    assert stated(RIM, seen) == [(0.9, True, False)] * 2, "the base with a tag is none of them"
    assert stated(SIDE, seen) == stated(UNIT, seen) == [(1.0, True, False)] * 2, "told without a chance is certain"
    assert stated(PIPS, seen) == stated("terrain, woods", seen) == [(0.9, True, False)]
    assert score_photo(None, TRUTH).statements == ()


def test_sides_and_units_are_told_with_the_chance_that_they_have_or_asked_once_a_question() -> None:
    open_base = {"unit": None, "side": None}
    told = observation(bases={1: {"unit": "b1", "side": "blue", "side_confidence": 0.96, "unit_confidence": 0.95}})
    assert stated(SIDE, told) == [(1.0, True, False), (0.96, False, False)]
    assert stated(UNIT, told) == [(1.0, True, False), (0.95, False, False)]
    ask = question("unit", "base2", ("b1", 0.7), ("r1", 0.3), covers=[["base2", "base3"]])
    asked = observation(ask, bases={1: open_base, 2: open_base})
    assert stated(UNIT, asked) == [(0.7, False, True)] and stated(SIDE, asked) == []


def test_bins_error_and_score_by_hand() -> None:
    pairs = [
        (0.2, False),
        (0.25, True),
        (0.8, True),
        (0.8, True),
        (0.8, False),
        (0.95, True),
        (1.0, True),
        (1.0, False),
    ]
    told = reliability(Statement(SIDE, chance, right, False) for chance, right in pairs)
    assert [(b.right, b.n) for b in told.bins] == [(0, 1), (1, 1), (0, 0), (2, 3), (0, 0), (2, 3)]
    gaps = (0.2 - 0) + (1 - 0.25) + (2.4 - 2) + (2.95 - 2)
    assert told.ece == pytest.approx(gaps / 8) and (told.n, told.right, told.wrong) == (8, 5, 3)
    squares = 0.04 + 0.5625 + 0.04 + 0.04 + 0.64 + 0.0025 + 0 + 1
    assert told.brier == pytest.approx(squares / 8)
    none = reliability([])
    assert none.n == 0 and math.isnan(none.ece) and math.isnan(none.brier)


statements = st.lists(st.builds(Statement, st.just(UNIT), st.floats(0, 1), st.booleans(), st.booleans()), max_size=30)


@given(statements, statements)
def test_lots_pooled_are_one_lot(one: list[Statement], other: list[Statement]) -> None:
    both, together = pooled([reliability(one), reliability(other)]), reliability(one + other)
    assert (both.n, both.right) == (together.n, together.right) == (len(one + other), sum(s.right for s in one + other))
    assert [b.n for b in both.bins] == [b.n for b in together.bins] and len(both.bins) == len(EDGES) - 1
    if both.n:
        assert both.ece == pytest.approx(together.ece, abs=1e-9) and 0 <= both.ece <= 1
        assert both.brier == pytest.approx(together.brier, abs=1e-9)


@pytest.mark.parametrize(("turn_deg", "turned"), [(0, False), (30, False), (90, True), (180, True), (-90, True)])
def test_a_table_taken_to_lie_another_way_round(turn_deg: float, turned: bool) -> None:
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    seen = {**observation(), "photos": [{"R": (TRUTH.camera.R @ turn).tolist()}]}
    assert score_photo(seen, TRUTH).turned is turned
    assert not score_photo(observation(), TRUTH).turned, "an observation without a camera does not tell"
