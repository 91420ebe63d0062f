"""What is news between two observations of a watched table."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.reconcile.table_news import DieChange, WatchingConfig, news_between
from tests.paths import DATA

SEQ = DATA / "seq"
FIRST, SECOND = (json.loads((SEQ / f"seq-{n}.json").read_text()) for n in (1, 2))
EVERYWHERE = [np.array([[0.0, 0.0], [36.0, 0.0], [36.0, 36.0], [0.0, 36.0]])]

Observation = dict[str, Any]


def square(x: float, y: float, half: float = 1.0) -> np.ndarray:
    """The outline of a place that looks different."""
    return np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])


def changed(do: Callable[[Observation], None], observed: Observation = FIRST) -> Observation:
    """A copy in which something was done."""
    copy = deepcopy(observed)
    do(copy)
    return copy


def bases_of(observed: Observation, unit: str) -> list[dict[str, Any]]:
    return [base for base in observed["bases"] if base["unit"] == unit]


def pushed(unit: str, x: float, y: float) -> Callable[[Observation], None]:
    def do(observed: Observation) -> None:
        for base in bases_of(observed, unit):
            base["center"] = [base["center"][0] + x, base["center"][1] + y]

    return do


def without(unit: str, keep: int = 0) -> Callable[[Observation], None]:
    """The unit gone but for some of its bases."""

    def do(observed: Observation) -> None:
        gone = bases_of(observed, unit)[keep:]
        observed["bases"] = [base for base in observed["bases"] if base not in gone]

    return do


def middle(unit: str) -> tuple[float, float]:
    x, y = np.mean([base["center"] for base in bases_of(FIRST, unit)], axis=0)
    return float(x), float(y)


def test_the_same_table_is_no_news() -> None:
    for places in (None, [], EVERYWHERE):
        news = news_between(FIRST, FIRST, places)
        assert not news and news.doubt == "" and news.changes.units == ()


@settings(max_examples=6)
@given(st.integers(0, 2**32 - 1))
def test_what_measuring_leaves_open_is_no_news(seed: int) -> None:
    """Every base drawn anew from its own ellipse, and turned within its spread."""
    rng = np.random.default_rng(seed)
    again = deepcopy(FIRST)
    for base in again["bases"]:
        base["center"] = rng.multivariate_normal(base["center"], base["covariance"]).tolist()
        if base["facing"] is not None:
            base["facing"] = float(base["facing"] + rng.normal(0, min(1.0, base["facing_sigma"])))
    assert not news_between(FIRST, again, EVERYWHERE)


def test_a_nudge_is_no_news_and_a_move_is() -> None:
    assert not news_between(FIRST, changed(pushed("b3", 0.15, 0.1)), EVERYWHERE)
    news = news_between(FIRST, changed(pushed("b3", 2.0, 1.0)), EVERYWHERE)
    assert [(u.unit, u.change) for u in news.changes.units] == [("b3", "moved")]
    assert news.changes.units[0].distance == pytest.approx(5**0.5)
    assert news.to_json()["changes"][0]["unit"] == "b3" and news.to_json()["dice"] == []


def test_nudges_add_up_to_a_move_since_the_observation_that_was_told() -> None:
    told = FIRST
    for k in (1, 2, 3):
        news = news_between(told, changed(pushed("b3", 0.12 * k, 0.0)), EVERYWHERE)
        assert bool(news) == (k == 3)


def test_a_change_counts_only_where_the_picture_changed() -> None:
    moved = changed(pushed("b3", 3.0, 0.0))
    x, y = middle("b3")
    assert news_between(FIRST, moved, [square(x, y)])
    assert news_between(FIRST, moved, [square(x + 3.0, y)])
    far = [square(x - 12.0 if x > 18 else x + 12.0, y)]
    assert not news_between(FIRST, moved, far)
    assert not news_between(FIRST, moved, [])


def test_a_base_that_is_missed_is_no_news_where_nothing_changed() -> None:
    """Nor where the camera was carried: it may be hidden. Where the picture changed at its place, it went."""
    seen = changed(without("b3", keep=2))
    x, y = bases_of(FIRST, "b3")[2]["center"]
    assert not news_between(FIRST, seen, [])
    assert not news_between(FIRST, seen, None)
    news = news_between(FIRST, seen, [square(x, y, 0.3)])
    assert [u.unit for u in news.changes.units] == ["b3"] and news.changes.units[0].not_seen == 1


def test_a_unit_that_is_gone_and_one_that_is_new() -> None:
    gone = changed(without("b3"))
    assert [(u.unit, u.change) for u in news_between(FIRST, gone, EVERYWHERE).changes.units] == [("b3", "removed")]
    assert [(u.unit, u.change) for u in news_between(gone, FIRST, EVERYWHERE).changes.units] == [("b3", "new")]
    assert news_between(FIRST, gone, None)


def test_many_bases_gone_at_once_are_in_doubt() -> None:
    units = sorted({base["unit"] for base in FIRST["bases"]})

    def cleared(observed: Observation) -> None:
        for unit in units[:5]:
            without(unit)(observed)

    news = news_between(FIRST, changed(cleared), EVERYWHERE)
    assert news.doubt == "15 of 36 bases can't be seen any more; looking again in case something covers them."
    assert news_between(FIRST, changed(without(units[0])), EVERYWHERE).doubt == ""
    config = WatchingConfig(doubt_bases=2, doubt_share=0.05)
    assert news_between(FIRST, changed(without(units[0])), EVERYWHERE, config=config).doubt.startswith("3 of 36")


def test_a_marker_that_comes_or_goes_is_news() -> None:
    def marked(observed: Observation) -> None:
        x, y = middle("b5")
        marker = {"unit": "b5", "means": "fired", "center": [x, y + 1.5], "confidence": 0.9, "method": "cotton"}
        observed["markers"] = [*observed.get("markers", []), marker]

    def plain(observed: Observation) -> None:
        observed["markers"] = [m for m in observed.get("markers", []) if m["unit"] != "b5"]

    bare = changed(plain)
    shown = changed(marked, bare)
    assert [m.means for u in news_between(bare, shown, EVERYWHERE).changes.units for m in u.marked] == ["fired"]
    assert [u.unmarked for u in news_between(shown, bare, EVERYWHERE).changes.units] == [("fired",)]
    assert not news_between(bare, shown, [])


def with_dice(*dice: tuple[float, float, int | None]) -> Observation:
    def do(observed: Observation) -> None:
        observed["markers"] = []
        observed["dice"] = [{"center": [x, y], "value": value, "confidence": 0.9} for x, y, value in dice]

    return changed(do)


def test_dice_that_come_go_and_turn() -> None:
    before = with_dice((3.0, 3.0, 5), (8.0, 30.0, 2), (20.0, 33.0, None))
    after = with_dice((3.1, 3.0, 6), (8.0, 30.1, None), (30.0, 33.0, 1))
    news = news_between(before, after, EVERYWHERE)
    assert news.dice == (
        DieChange((3.1, 3.0), 5, 6),
        DieChange((30.0, 33.0), None, 1, came=True),
        DieChange((20.0, 33.0), None, None, went=True),
    )
    assert [str(die) for die in news.dice] == [
        "The die at (3.1, 3.0) shows 6 (before: 5).",
        "A die lies at (30.0, 33.0): 1.",
        "The die at (20.0, 33.0) is gone.",
    ]
    assert not news_between(before, before, EVERYWHERE)
    assert [die.center for die in news_between(before, after, [square(3.0, 3.0)]).dice] == [(3.1, 3.0)]
