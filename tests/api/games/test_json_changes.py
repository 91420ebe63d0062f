"""What changed between two JSON values: made of the first one, it gives the second, whatever they are."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from api.games.json_changes import changes
from tests.support.json_patch import patched

KEYS = st.sampled_from(["id", "text", "a", "b/c", "~d", "0"])
SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-2, 2) | st.sampled_from(["", "A", "B", "C"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)
ROWS = st.lists(st.fixed_dictionaries({"id": st.sampled_from("ABCDE")}, optional={"hits": SCALARS}), max_size=6)


def same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(VALUES, VALUES)
def test_the_changes_of_a_value_make_the_other(before: Any, after: Any) -> None:
    found = changes(before, after)
    assert same(patched(before, found), after)
    assert (found == []) is same(before, after)


@given(ROWS, ROWS)
def test_rows_that_come_go_and_change_places(before: Any, after: Any) -> None:
    whole = {"rows": before, "seq": 1}
    found = changes(whole, {"rows": after, "seq": 1}, "/game")
    assert same(patched({"game": whole}, found), {"game": {"rows": after, "seq": 1}})


def test_one_field_of_one_row_is_one_short_change_and_another_value_altogether_is_sent_whole() -> None:
    before = [{"id": f"U{n}", "hits": 0, "says": "a long sentence about it"} for n in range(50)]
    after = [dict(row) for row in before]
    after[7]["hits"] = 2
    del after[40]
    assert changes(before, after) == [
        {"op": "remove", "path": "/40"},
        {"op": "replace", "path": "/7/hits", "value": 2},
    ]
    values = {"a": 1, "b": 2, "c": 3, "d": 4}, {"e": 1}
    assert changes({"x": values[0]}, {"x": values[1]}) == [{"op": "replace", "path": "/x", "value": values[1]}]
