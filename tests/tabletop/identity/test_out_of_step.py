"""Looks that follow each other or do not, and what the look before leaves open as questions."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.changes.detection import changes_between
from tabletop.identity.matching import Limits
from tabletop.identity.other_table import seems_other_table
from tabletop.identity.out_of_step import WAYS_BACK, SyncConfig, sync_of
from tabletop.identity.table_snapshot import sighting_from_json
from tabletop.questions.settling import settle
from tabletop.reconcile.names_from_previous import name_from_previous
from tests.paths import DATA
from tests.tabletop.changes.test_detection import LIMITS, bases, table
from tests.tabletop.changes.test_detection import observed as data

SEQ = DATA / "seq"
WOODS = {"id": "t1", "kind": "woods", "polygon": [[5, 5], [15, 5], [15, 15], [5, 15]], "height": 0.0}
HOME = {
    "A": (10.0, 10.0),
    "B": (30.0, 10.0),
    "C": (50.0, 10.0),
    "X": (10.0, 40.0),
    "Y": (30.0, 40.0),
    "Z": (50.0, 40.0),
}


def side(unit: str) -> str:
    return "blue" if unit in "ABC" else "red"


def army(
    moved: dict[str, tuple[float, float]] | None = None, without: str = "", nameless: str = ""
) -> list[list[dict[str, Any]]]:
    """Six units at home, some moved, some gone, some without their names."""
    out = []
    for unit, (x, y) in HOME.items():
        if unit in without:
            continue
        dx, dy = (moved or {}).get(unit, (0.0, 0.0))
        rows = bases(unit, (x + dx, y + dy), side=side(unit), label=unit.lower())
        if unit in nameless:
            rows = [{**row, "unit": None, "unique": None} for row in rows]
        out.append(rows)
    return out


def codes(
    before: list[list[dict[str, Any]]], after: list[list[dict[str, Any]]], limits: Limits | None = LIMITS
) -> list[str]:
    return [reason.code for reason in sync_of(table(*before), table(*after, name="b"), limits).reasons]


def test_the_sequence_is_in_step_and_its_first_and_last_photo_too() -> None:
    seen = [sighting_from_json(json.loads((SEQ / f"seq-{n}.json").read_text()), f"seq-{n}") for n in (1, 2, 3)]
    for first, second in ((0, 1), (1, 2)):
        sync = sync_of(seen[first], seen[second], LIMITS)
        assert sync.in_step and sync.state == "in step" and sync.says == "" and sync.to_json()["ways_back"] == []


@settings(max_examples=25)
@given(
    st.fixed_dictionaries({unit: st.tuples(st.floats(-10, 10), st.floats(-10, 10)) for unit in "ABC"}),
    st.sampled_from(["", "X", "XY"]),
    st.sampled_from(["", "Z", "YZ"]),
)
def test_legal_moves_of_one_side_losses_and_unread_tags_stay_in_step(
    moved: dict[str, tuple[float, float]], without: str, nameless: str
) -> None:
    assert codes(army(), army(moved, without=without, nameless=nameless)) == []


def test_one_unit_too_far_is_a_slip_and_two_are_out_of_step() -> None:
    assert codes(army(), army({"A": (0, 20)})) == []
    far = army({"A": (0, 20), "Y": (5, -19)})
    assert codes(army(), far) == ["too-far"]
    assert codes(army(), far, None) == []
    (reason,) = sync_of(table(*army()), table(*far), LIMITS).reasons
    assert reason.units == ("A", "Y") and reason.numbers["farthest_in"] == pytest.approx(20.0)


def test_units_where_others_stood_are_out_of_step() -> None:
    (ax, ay), (bx, by) = HOME["A"], HOME["B"]
    swap = {"A": (bx - ax, by - ay), "B": (ax - bx, ay - by)}
    assert codes(army(), army(swap), None) == ["names"]
    assert codes(army(), army({"A": (bx - ax, by - ay), "B": (0, 9)}), None) == []


def test_a_table_shifted_as_a_whole_is_out_of_step_and_an_advance_is_not() -> None:
    everyone = dict.fromkeys(HOME, (1.5, 0.7))
    assert codes(army(), army(everyone)) == ["shifted"]
    (reason,) = sync_of(table(*army()), table(*army(everyone)), LIMITS).reasons
    assert (reason.numbers["x_in"], reason.numbers["y_in"]) == (pytest.approx(1.5), pytest.approx(0.7))
    assert codes(army(), army(dict.fromkeys("ABC", (0, 6)))) == []
    assert codes(army(), army(dict.fromkeys(HOME, (0.1, 0.05)))) == []


def test_another_army_is_out_of_step() -> None:
    tanks = [bases(unit, HOME[unit], side=side(unit), kind="tank") for unit in HOME]
    assert codes(army(), tanks) == ["make"]
    assert codes(army(), army(without="ABXY")) == ["gone"]
    assert codes(army(), army(nameless="ABXYZ")) == []


def test_other_terrain_is_out_of_step_and_the_same_read_anew_is_not() -> None:
    def seen(*pieces: dict[str, Any]) -> Any:
        return table(*army(), terrain=list(pieces))

    a_little_off = {**WOODS, "polygon": [[5.3, 5.2], [15.2, 5], [15, 15.4], [5, 15]]}
    elsewhere = {**WOODS, "polygon": [[40, 20], [50, 20], [50, 30], [40, 30]]}
    assert sync_of(seen(WOODS), seen(a_little_off)).in_step
    assert [r.code for r in sync_of(seen(WOODS), seen(elsewhere)).reasons] == ["terrain"]
    assert [r.code for r in sync_of(seen(WOODS), seen({**WOODS, "kind": "marsh"})).reasons] == ["terrain"]
    assert sync_of(seen(WOODS), seen()).in_step
    assert sync_of(seen(WOODS), seen(elsewhere), config=SyncConfig(same_terrain=0.0)).in_step


@pytest.mark.parametrize("nameless", ["", "ABCXYZ"])
@pytest.mark.parametrize(
    ("moved", "shown", "is_another"),
    [
        (16.0, 0.04, True),
        (16.0, 0.8, False),  # much has moved, and the terrain is there
        (16.0, None, False),  # one cue alone
        (0.0, 0.04, False),  # terrain that the photo can't show
        (0.0, 0.8, False),
    ],
)
def test_another_table_is_told_by_more_than_one_cue(
    moved: float, shown: float | None, is_another: bool, nameless: str
) -> None:
    pieces = [{**WOODS, "id": name} for name in ("t1", "t2")]
    known = table(*army(), terrain=pieces)
    ways = {unit: (moved * np.cos(k), moved * np.sin(k)) for k, unit in enumerate(HOME)}
    seen = table(*army(ways, nameless=nameless), terrain=[{**piece, "shown": shown} for piece in pieces])
    says = seems_other_table(known, seen)
    assert bool(says) == is_another and (not says or "near its place and 2 of 2 pieces of terrain are missing" in says)


@pytest.mark.parametrize(
    ("moved", "turns", "is_another"), [(14.0, 0, True), (14.0, 1, False), (20.0, 1, True), (20.0, 2, False)]
)
def test_units_that_all_moved_within_reach_are_of_no_other_table(moved: float, turns: int, is_another: bool) -> None:
    """Where rules limit moves, and although the photo shows no terrain."""
    known = table(*army(), terrain=[{**WOODS, "id": "t1"}, {**WOODS, "id": "t2"}])
    ways = {unit: (moved * np.cos(k), moved * np.sin(k)) for k, unit in enumerate(HOME)}
    seen = table(*army(ways), terrain=[{**WOODS, "id": name, "shown": 0.0} for name in ("t1", "t2")])
    assert (
        bool(seems_other_table(known, seen, reach_in=(lambda base: turns * LIMITS.most(base.kind)) if turns else None))
        == is_another
    )


def test_out_of_step_names_nothing_and_says_the_ways_back() -> None:
    before = data(*army())
    after = data(*army({"A": (0, 20), "Y": (5, -19)}, nameless="Z"), warnings=["A remark."])
    told = name_from_previous(before, after, LIMITS)
    assert told["bases"] == after["bases"]
    assert told["sync"]["state"] == "out of step" and [w["id"] for w in told["sync"]["ways_back"]] == [
        w.id for w in WAYS_BACK
    ]
    assert told["warnings"][0] == "A remark." and "out of step" in told["warnings"][1]
    sighting_from_json(told)
    back = name_from_previous(before, data(*army(nameless="Z")), LIMITS)
    assert back["sync"]["state"] == "in step" and all(base["unit"] for base in back["bases"])


def test_a_unit_that_comes_onto_the_table_brings_its_side() -> None:
    after = data(*army(nameless="Z"))
    for base in after["bases"]:
        base["side"] = None if base["unit"] is None else base["side"]
    in_reserve = [piece for piece in table(*army()).pieces if piece.unit == "Z"]
    told = name_from_previous(data(*army(without="Z")), after, LIMITS, elsewhere=in_reserve)
    came = [base for base in told["bases"] if base["unit"] == "Z"]
    assert came and all(base["side"] == "red" for base in came)
    sighting_from_json(told)


def test_alike_units_that_may_have_changed_places_are_one_question_with_both_ways() -> None:
    after = data(*army({"A": (6, 8), "B": (-6, 3)}, nameless="AB"))
    told = name_from_previous(data(*army()), after, LIMITS)
    assert [base["unit"] for base in told["bases"][:6]] == [None] * 6
    (question,) = [q for q in told["questions"] if q["ask"] == "units"]
    assert [entry["value"] for entry in question["answers"]] == [["A", "B"], ["B", "A"]]
    assert question["covers"] == [["a.0", "a.1", "a.2"], ["b.0", "b.1", "b.2"]]
    assert sum(entry["chance"] for entry in question["answers"]) == pytest.approx(1.0, abs=0.002)
    assert "A and B are alike and may have changed places" in question["says"]
    answered = settle(told, {question["id"]: ["B", "A"]})
    assert [base["unit"] for base in answered["bases"][:6]] == ["B"] * 3 + ["A"] * 3


def hits(unit: str, value: int, means: str = "hits") -> dict[str, Any]:
    x, y = HOME[unit]
    more = {"value": value} if means == "hits" else {}
    return {"id": f"m{unit}", "unit": None, "means": means, "center": [x, y + 1.5], "confidence": 0.9, **more}


def test_doubles_whose_hits_have_changed_places_are_flagged_and_not_named() -> None:
    before = data(*army(), markers=[hits("A", 4), hits("B", 1)])
    swapped = data(*army(nameless="ABC"), markers=[hits("A", 1), hits("B", 4)])
    told = name_from_previous(before, swapped, LIMITS)
    assert [base["unit"] for base in told["bases"][:9]] == [None] * 6 + ["C"] * 3
    (question,) = [q for q in told["questions"] if q["ask"] == "units"]
    assert [entry["chance"] for entry in question["answers"]] == [0.5, 0.5]
    assert any("whose markers have changed places" in warning for warning in told["warnings"])
    changes = changes_between(sighting_from_json(before), sighting_from_json(swapped), LIMITS)
    assert {u.unit for u in changes.units if u.change == "uncertain"} >= {None}
    assert [q["ask"] for q in changes.questions] == ["units"]


def question(name: str, ask: str, covers: list[str], values: list[Any], after: str | None = None) -> dict[str, Any]:
    answers = [{"value": value, "chance": round(1 / len(values), 3), "says": str(value)} for value in values]
    about = {"id": name, "about": covers[0], "ask": ask, "says": "Which?", "answers": answers}
    return {**about, "covers": [covers], "others": [], "after": after}


def test_what_the_photo_asked_and_the_one_before_answers_is_asked_no_more() -> None:
    a, b = ["a.0", "a.1", "a.2"], ["b.0", "b.1", "b.2"]
    asked = [
        question("q1", "unit", a, ["A", "B"]),
        question("q2", "unique", a, a, "q1"),
        question("q3", "unit", b, ["A", "B"]),
    ]
    roster = [
        {"id": u, "side": side(u), "kind": "infantry", "bases": 3, "tag": 1,
         "base": {"shape": "rect", "width": 2.0, "depth": 1.25},
         "unique_base": {"shape": "rect", "width": 2.0, "depth": 1.25}} for u in HOME
    ]  # fmt: skip
    after = data(*army(nameless="AB"), questions=asked, roster=roster)
    told = name_from_previous(data(*army()), after, LIMITS)
    assert all(base["unit"] for base in told["bases"]) and told["questions"] == []
    moved = name_from_previous(
        data(*army()), data(*army({"A": (6, 8), "B": (-6, 3)}, nameless="AB"), questions=asked, roster=roster), LIMITS
    )
    assert [(q["id"], q["ask"]) for q in moved["questions"]] == [("q1", "units")]
    assert [(q["id"], q["after"]) for q in moved["further_questions"]] == [("q2", "q1")]


def test_a_base_that_was_not_moved_faces_as_before_first() -> None:
    rows = army(nameless="A")
    for row in rows[0]:
        row |= {"facing": None, "facing_sigma": None, "facings": [0.4, 180.4], "facings_sigma": 0.5}
    facing = question("q1", "facing", ["a.0", "a.1", "a.2"], [180.4, 0.4])
    told = name_from_previous(data(*army()), data(*rows, questions=[facing]), LIMITS)
    (asked,) = told["questions"]
    assert [entry["value"] for entry in asked["answers"]] == [0.4, 180.4]
    assert asked["answers"][0]["chance"] == 0.9
    moved = [[{**row, "center": [row["center"][0] + 5, row["center"][1]]} for row in rows[0]], *rows[1:]]
    assert facing["answers"][0]["value"] == 180.4
    kept = name_from_previous(data(*army()), data(*moved, questions=[facing]), LIMITS)
    assert [entry["value"] for entry in kept["questions"][0]["answers"]] == [180.4, 0.4]


@settings(max_examples=10)
@given(st.floats(-9, 9), st.floats(-9, 9), st.floats(-9, 9), st.floats(-9, 9))
def test_questions_offer_only_what_the_moves_allow(ax: float, ay: float, bx: float, by: float) -> None:
    """Whatever is named stands where only that unit can; whatever is asked offers every unit once."""
    after = data(*army({"A": (ax, ay), "B": (bx, by)}, nameless="AB"))
    told = name_from_previous(data(*army()), after, LIMITS)
    for entry in told["questions"]:
        if entry["ask"] not in ("unit", "units"):
            continue
        values = [answer["value"] for answer in entry["answers"] if answer["value"] is not None]
        assert len(values) == len({str(value) for value in values})
        for value in values:
            for ids, unit in zip(entry["covers"], value if isinstance(value, list) else [value], strict=True):
                centers = np.array([base["center"] for base in told["bases"] if base["id"] in ids])
                away = np.linalg.norm(centers.mean(axis=0) - HOME[unit])
                assert away <= 16 + 2.6
