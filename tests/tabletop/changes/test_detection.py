"""What happened between two moments of a table: identification, motion with its spread, doubts instead of guesses."""

import itertools
import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.changes.detection import Changes, changes_between
from tabletop.errors import SceneError
from tabletop.identity.matching import Limits, name_by
from tabletop.identity.table_snapshot import BaseSighting, Sighting, sighting_from_json
from tabletop.identity.unit_motion import match_pieces
from tabletop.reconcile.names_from_previous import name_from_previous
from tabletop.tables.scene import scene_from_json
from tests.paths import DATA
from tests.support.observed_rows import base_row, observation, photo_from_above

SEQ = DATA / "seq"
LIMITS = Limits({"infantry": 16.0, "tank": 21.0, "atg": 11.0}, {"infantry": 1.0, "tank": 2.0, "atg": 1.0})
SIZES = {"infantry": (2.0, 1.25), "tank": (1.75, 2.5), "atg": (1.6, 1.6)}


def sequence(n: int) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((SEQ / f"seq-{n}.json").read_text())
    return data


def between(first: int, second: int) -> Changes:
    before, after = (sighting_from_json(sequence(n), f"seq-{n}") for n in (first, second))
    return changes_between(before, after, LIMITS)


def rigid(middle: tuple[float, float], facing: float, kind: str, n: int = 3) -> list[tuple[float, float]]:
    """Centres of a unit in line, side by side, the unique base in the middle and first."""
    width = SIZES[kind][0] + 0.3
    right = math.cos(math.radians(facing)), -math.sin(math.radians(facing))
    return [(middle[0] + k * width * right[0], middle[1] + k * width * right[1]) for k in (0, -1, 1)[:n]]


def bases(
    unit: str | None,
    middle: tuple[float, float],
    facing: float | None = 0.0,
    *,
    kind: str = "infantry",
    side: str = "blue",
    sigma: float = 0.02,
    label: str = "",
    lie: float = 0.0,
) -> list[dict[str, Any]]:
    """A unit's bases as an observation has them; ``facing=None``: not known, the bases lying at ``lie``."""
    places = rigid(middle, lie if facing is None else facing, kind)
    width, depth = SIZES[kind]
    known = facing is not None
    more = {"unit": unit, "side": side, "kind": kind, "width": width, "depth": depth, "facing": facing, "sigma": sigma}
    return [
        base_row(
            f"{label or unit}.{k}", place, **more,
            facing_sigma=0.5 if known else None, unique=k == 0 if known and unit is not None else None,
        )
        for k, place in enumerate(places)
    ]  # fmt: skip


def observed(*units: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """An observation of these units' bases; markers were not looked for unless they are given."""
    made = observation(*(base for unit in units for base in unit), size=(72.0, 48.0), **more)
    return made if "markers" in more else {key: value for key, value in made.items() if key != "markers"}


def table(*units: list[dict[str, Any]], name: str = "a", **more: Any) -> Sighting:
    return sighting_from_json(observed(*units, **more), name)


@pytest.mark.parametrize("n", [2, 3])
def test_the_sequence_is_told_as_it_happened(n: int) -> None:
    """Every unit's change, its distance and its turn agree with the truth within the measured spread.

    The truth's ``distance`` and ``turned_deg`` are what the hand meant to do; every base was then put down up to 0.1″
    and 2 degrees off, which the second test takes from the centres themselves.
    """
    truth = json.loads((SEQ / "changes.json").read_text())[n - 1]
    told = between(n - 1, n)
    meant = {c["unit"]: c for c in truth["changes"]}
    for change in told.units:
        assert change.unit is not None and not change.doubts
        expected = meant.get(change.unit, {"change": "stayed"})
        assert change.change == expected["change"]
        if change.change in ("moved", "turned"):
            assert change.distance == pytest.approx(expected["distance"], abs=0.08)
            assert change.turned_deg == pytest.approx(expected["turned_deg"], abs=2.0)


def test_turns_of_the_sequence_lie_within_their_spread() -> None:
    """Two by eleven units; small turns, which bases put down askew make hard to tell, within little over a degree."""
    off = []
    for n in (2, 3):
        truth = json.loads((SEQ / "changes.json").read_text())[n - 1]
        meant = {c["unit"]: c.get("turned_deg", 0.0) for c in truth["changes"]}
        told = [change for change in between(n - 1, n).units if change.turned_deg is not None]
        for change in told:
            assert change.unit is not None and change.turned_sigma is not None
            away = abs((change.turned_deg or 0.0) - meant.get(change.unit, 0.0))
            assert away < 1.2
            off.append(away / change.turned_sigma)
    assert len(off) > 20 and np.mean(np.array(off) < 1.96) >= 0.9
    assert between(2, 3).unit("b7").turn_words == ""
    assert between(1, 2).unit("r6").turn_words == "turned 4° (± 3) left"


def test_a_turn_that_is_not_sure_is_not_told() -> None:
    before, after = table(bases("A", (20, 20))), table(bases("A", (20, 23), 0.8), name="b")
    change = changes_between(before, after).unit("A")
    assert change.turned_deg == pytest.approx(0.8, abs=1e-6) and change.turn_words == ""
    rows = bases("A", (20, 23), 0.0)
    for row, facing in zip(rows, (-2.0, 6.0, 1.0), strict=True):
        row["facing"] = facing
    change = changes_between(before, table(rows, name="b")).unit("A")
    assert not change.turned_surely and change.turn_words == ""
    assert changes_between(before, table(bases("A", (20, 23), 30.0), name="b")).unit("A").turn_words.endswith(" right")


@pytest.mark.parametrize("turn", [-89.0, -75.0, -60.5, 60.5, 88.0])
def test_a_nameless_unit_that_turned_far_about_its_middle_turned(turn: float) -> None:
    """Its bases then lie nearer to where others of it stood."""
    after = table(bases(None, (20, 20), None, label="x", lie=turn), name="b")
    change = changes_between(table(bases("A", (20, 20))), after).unit("A")
    assert change.change == "turned" and change.turned_deg == pytest.approx(turn, abs=1e-6)
    assert change.turned_sigma is not None and change.turned_sigma < 2


def test_the_axis_of_another_formation_is_no_turn() -> None:
    """From line to column, all bases facing as before; the column's bases in any order."""
    before = table(bases("A", (20, 20)))
    for order in itertools.permutations((0.0, 2.3, -2.3)):
        column = bases("A", (20, 25))
        for row, ahead in zip(column, order, strict=True):
            row["center"] = [20.0, 25.0 + ahead]
        change = changes_between(before, table(column, name="b")).unit("A")
        assert change.turned_deg == pytest.approx(0.0, abs=0.1)


@pytest.mark.parametrize("n", [2, 3])
def test_distances_of_the_sequence_lie_within_their_spread(n: int) -> None:
    pages = json.loads((SEQ / "changes.json").read_text())
    was, now = pages[n - 2]["units"], pages[n - 1]["units"]
    off, surely = [], 0
    for change in between(n - 1, n).units:
        if change.unit not in now:
            continue
        a, b = np.array(was[change.unit]["centres"]), np.array(now[change.unit]["centres"])
        true = float(np.linalg.norm(b.mean(axis=0) - a.mean(axis=0)))
        assert change.distance is not None and change.sigma is not None
        off.append(abs(change.distance - true))
        surely += off[-1] <= 1.96 * change.sigma + 1e-4
        true_farthest = float(np.linalg.norm(b - a, axis=1).max())
        if change.change == "moved":
            far = change.farthest
            assert far is not None and far.distance == pytest.approx(true_farthest, abs=0.06)
    assert max(off) < 0.06
    assert surely == len(off)


def test_nameless_bases_are_told_from_the_photo_before() -> None:
    """Two tags were not read in the second photo; their units stand where they stood."""
    named = name_from_previous(sequence(1), sequence(2), LIMITS)
    truth = json.loads((SEQ / "changes.json").read_text())[1]["units"]
    for base in named["bases"]:
        assert base["unit"] is not None
        places = np.array(truth[base["unit"]]["centres"])
        nearest = int(np.argmin(np.linalg.norm(places - np.array(base["center"]), axis=1)))
        assert np.linalg.norm(places[nearest] - np.array(base["center"])) < 0.2
        assert base["unique"] == (nearest == truth[base["unit"]]["unique"])
    assert not any("could not be given" in warning for warning in named["warnings"])
    assert {b["method"] for b in named["bases"] if b["unit"] in ("b5", "b11")} == {"previous"}
    assert scene_from_json(named).unit("b5").unique is not None


def test_a_unit_that_was_outside_the_picture_is_not_gone() -> None:
    def seen(width: int, *rows: dict[str, Any]) -> Sighting:
        told = {**observation(*rows, size=(24.0, 24.0)), "photos": [photo_from_above(width, 2400)]}
        return sighting_from_json(told)

    here, there = (
        base_row(name, at, unit=name, side="red", kind="tank") for name, at in (("R1", (3.0, 3.0)), ("R2", (20.0, 3.0)))
    )
    for width, change in ((2400, "removed"), (1700, "uncertain")):
        found = next(
            one for one in changes_between(seen(2400, here, there), seen(width, here)).units if one.unit == "R2"
        )
        assert found.change == change and bool(found.doubts) == (width == 1700), found
    assert found.doubts == ("R2 was at (20.0, 3.0), outside the picture: photograph the whole table.",)


def test_bases_are_matched_so_that_the_farthest_moved_least() -> None:
    """Against every way of matching."""
    rng = np.random.default_rng(7)
    for _ in range(50):
        first, second = rng.uniform(0, 10, (4, 2)), rng.uniform(0, 10, (4, 2))
        pieces = [[_piece(c) for c in centers] for centers in (first, second)]
        far = [float(np.linalg.norm(first[i] - second[j])) for i, j in match_pieces(*pieces)]
        best = min(
            max(float(np.linalg.norm(first[i] - second[j])) for i, j in enumerate(order))
            for order in itertools.permutations(range(4))
        )
        assert max(far) == pytest.approx(best, abs=1e-12)


def _piece(center: Any) -> BaseSighting:
    return BaseSighting("p", "A", "blue", "tank", None, False, 1.0, 1.0, np.asarray(center), np.zeros((2, 2)))


def test_two_alike_units_that_could_have_changed_places_are_left_open() -> None:
    before = bases("A", (10, 10)), bases("B", (20, 10))
    after = bases(None, (10, 15), None, label="x"), bases(None, (19, 15), None, label="y")
    told = changes_between(table(*before), table(*after, name="b"), LIMITS)
    assert [u.change for u in told.units] == ["uncertain"] * 4
    assert {u.candidates for u in told.units if u.unit is None} == {("A", "B"), ("B", "A")}
    assert "could be A or B" in " ".join(text for u in told.units for text in u.doubts)
    named = name_from_previous(observed(*before), observed(*after, warnings=[]), LIMITS)
    assert [base["unit"] for base in named["bases"]] == [None] * 6
    assert any("x.0, x.1, x.2 could be A or B" in warning for warning in named["warnings"])


def test_one_that_stayed_leaves_the_other() -> None:
    before = table(bases("A", (10, 10)), bases("B", (20, 10)))
    after = table(bases(None, (10, 10), None, label="x"), bases(None, (19, 15), None, label="y"), name="b")
    told = changes_between(before, after, LIMITS)
    assert (told.unit("A").change, told.unit("A").identified) == ("stayed", "place")
    assert (told.unit("B").change, told.unit("B").identified) == ("moved", "only")


def test_a_unit_of_two_makes_is_one_unit() -> None:
    """Its unique base is larger, and all of it moved without a name that was read."""

    def mixed(unit: str | None, middle: tuple[float, float], label: str = "") -> list[dict[str, Any]]:
        rows = bases(unit, middle, None if unit is None else 0.0, label=label)
        rows[0].update(width=2.6, depth=1.9)
        return rows

    before = table(mixed("A", (10, 10)), bases("B", (50, 10)))
    after = table(mixed(None, (14, 13), "x"), bases("B", (50, 10)), name="b")
    told = changes_between(before, after, LIMITS)
    assert (told.unit("A").change, told.unit("A").identified) == ("moved", "only")
    assert told.unit("A").distance == pytest.approx(5.0)


def test_a_unit_from_off_the_table_may_be_it() -> None:
    before = table(bases("A", (10, 10)))
    after = table(bases(None, (12, 15), None, label="x"), name="b")
    reserve = replace(before.pieces[0], unit="C")
    assert name_by(before, after, LIMITS).names == {0: "A", 1: "A", 2: "A"}
    open_ = name_by(before, after, LIMITS, elsewhere=[reserve])
    assert open_.names == {} and set(open_.doubts[0].candidates) == {"A", "C"}


def test_one_gone_and_one_nameless_is_two_candidates() -> None:
    before = table(bases("A", (10, 10)), bases("B", (16, 20)))
    after = table(bases(None, (13, 15), None, label="x"), name="b")
    told = changes_between(before, after, LIMITS)
    assert {u.change for u in told.units} == {"uncertain"}
    assert "A may be the nameless bases at (13.0, 15.0)" in " ".join(told.unit("A").doubts)


def test_another_side_or_make_is_never_it() -> None:
    before = table(bases("A", (10, 10)), bases("T", (30, 10), kind="tank"), bases("R", (50, 10), side="red"))
    after = table(bases(None, (12, 14), None, label="x"), bases(None, (52, 14), None, label="y", side="red"), name="b")
    told = changes_between(before, after, LIMITS)
    assert {u.unit: u.change for u in told.units} == {"A": "moved", "R": "moved", "T": "removed"}


def test_limits_tell_alike_units_apart_but_in_far_apart_photos() -> None:
    """Neither could have reached the other's new place, unless a read unit went 30 inches: more than a move."""
    still = bases("T", (60, 40), kind="tank"), bases("T", (30, 40), kind="tank")
    before = table(bases("A", (10, 10)), bases("B", (40, 10)), still[0])
    after = table(bases(None, (14, 12), None, label="x"), bases(None, (44, 12), None, label="y"), still[1], name="b")
    told = changes_between(before, after, LIMITS)
    assert {u.change for u in told.units if u.unit != "T"} == {"uncertain"}
    assert "moves at most 21" in told.warnings[0]
    near = changes_between(before, replace(after, pieces=(*after.pieces[:-3], *before.pieces[-3:])), LIMITS)
    assert [(near.unit(u).change, near.unit(u).identified) for u in "AB"] == [("moved", "only")] * 2


@pytest.mark.parametrize(
    ("away", "turn", "sigma", "says"),
    [
        (0.0, 0.0, 0.02, "stayed"),
        (0.02, 0.0, 0.02, "stayed"),
        (0.15, 0.0, 0.02, "nudged"),
        (0.0, 3.0, 0.02, "nudged"),
        (0.0, 20.0, 0.02, "turned"),
        (0.4, 20.0, 0.02, "moved"),
        (0.4, 0.0, 0.3, "unclear"),
        (0.2, 0.0, 0.5, "unclear"),
        (9.0, 0.0, 0.3, "moved"),
    ],
)
def test_what_a_unit_did(away: float, turn: float, sigma: float, says: str) -> None:
    before, after = table(bases("A", (20, 20), sigma=sigma)), table(bases("A", (20, 20 + away), turn, sigma=sigma))
    change = changes_between(before, after).unit("A")
    assert change.change == says
    assert bool(change.doubts) == (says == "unclear")
    assert change.sigma == pytest.approx(sigma * math.sqrt(2))


def test_a_new_formation_about_the_same_middle_is_told() -> None:
    before = table(bases("A", (20, 20)))
    column = bases("A", (20, 20))
    for k, row in enumerate(column):
        row["center"] = [20.0, 20.0 + (0, 2.3, -2.3)[k]]
    change = changes_between(before, table(column, name="b")).unit("A")
    assert change.change == "moved" and "formation" in change.doubts[0]


def test_a_unit_partly_seen_is_where_its_seen_bases_put_it() -> None:
    """Only one end base is left in view after a turn about the middle: no move is made of that."""
    before = table(bases("A", (20, 20)))
    turned = [row for row in bases("A", (20, 20), 60.0) if row["id"] == "A.2"]
    change = changes_between(before, table(turned, name="b")).unit("A")
    assert change.change in ("turned", "unclear") and change.not_seen == 2
    assert change.distance == pytest.approx(0.0, abs=0.01)
    states = [base.to_json()["state"] for base in change.bases]
    assert sorted(states) == ["not seen", "not seen", "seen"]
    back = changes_between(table(turned), table(bases("A", (20, 20)), name="b")).unit("A")
    assert back.distance == pytest.approx(0.0, abs=0.01)


def test_nameless_tables_are_told_base_by_base() -> None:
    before = table(bases(None, (10, 10), None, label="p"), bases(None, (40, 10), None, label="q"))
    same = changes_between(before, replace(before, name="b"))
    assert same.units == () and same.warnings == ("6 bases without a name stayed where they were.",)
    after = table(bases(None, (10, 10), None, label="p"), bases(None, (45, 12), None, label="q"), name="b")
    told = changes_between(before, after, LIMITS)
    assert {u.change for u in told.units} == {"uncertain"} and len(told.units) == 2


def test_markers_stand_with_their_units() -> None:
    markers = [
        {"unit": "A", "means": "dug-in", "center": [20, 22], "confidence": 0.9, "method": "tag"},
        {"unit": "A", "means": "hits", "value": 4, "center": [21, 22], "confidence": 0.9},
        {"unit": None, "means": "fired", "center": [5, 5]},
    ]
    before, after = table(bases("A", (20, 20))), table(bases("A", (20, 20)), name="b", markers=markers)
    told = changes_between(before, after)
    assert [m.means for m in told.unit("A").markers] == ["dug-in", "hits"]
    assert [m.means for m in told.markers] == ["fired"]
    shown = told.to_json()
    assert [m["means"] for m in shown["marked"]] == ["dug-in", "hits"] and shown["marked"][1]["value"] == 4
    assert shown["changes"] == [] and shown["stayed"] == ["A"]
    assert before.markers is None and after.markers is not None


def test_markers_that_came_and_went() -> None:
    """Of the sequence: cotton stays beside b1, and the die beside b3 shows something else."""
    told = between(1, 2)
    assert [m.means for m in told.unit("b1").markers] == ["fired"] and told.unit("b1").marked == ()
    assert [(m.means, m.value) for m in told.unit("b3").marked] == [("hits", 2)]
    lost = changes_between(
        table(bases("A", (20, 20)), markers=[{"unit": "A", "means": "ready", "center": [1, 1]}]),
        table(bases("A", (20, 20)), name="b", markers=[]),
    )
    assert lost.unit("A").unmarked == ("ready",)
    unlooked = table(bases("A", (20, 20)), name="c")
    assert changes_between(lost.before, unlooked).unit("A").unmarked == ()


@pytest.mark.parametrize(
    ("markers", "says"),
    [
        ({"unit": "A"}, "must be a list"),
        ([{"unit": "A", "center": [1, 1]}], "lacks 'means'"),
        ([{"unit": "A", "means": "tired", "center": [1, 1]}], "'tired'"),
        ([{"unit": "A", "means": "hits", "value": -1, "center": [1, 1]}], "whole number"),
    ],
)
def test_markers_that_mean_nothing_are_refused(markers: Any, says: str) -> None:
    with pytest.raises(SceneError, match=says):
        table(bases("A", (20, 20)), markers=markers)


@pytest.mark.parametrize("together", [True, False])
def test_the_stated_spread_holds(together: bool) -> None:
    """Of 400 moves measured with noise of the stated spread 95 % lie within 1.96 sigma: bases of one photo that err
    together just so many, bases that err one by one more."""
    rng = np.random.default_rng(11)
    within = 0
    for _ in range(400):
        was, now = bases("A", (20, 20), sigma=0.05), bases("A", (23, 24), 30.0, sigma=0.05)
        for rows in (was, now):
            noise = rng.normal(0, 0.05, (3, 2))
            for row, off in zip(rows, np.tile(noise[0], (3, 1)) if together else noise, strict=True):
                row["center"] = (np.array(row["center"]) + off).tolist()
        change = changes_between(table(was), table(now, name="b")).unit("A")
        assert change.distance is not None and change.sigma is not None
        within += abs(change.distance - 5.0) <= 1.96 * change.sigma
    assert 0.93 <= within / 400 <= 0.97 if together else within / 400 >= 0.97


def test_other_tables_and_games_are_refused() -> None:
    a = table(bases("A", (20, 20)))
    with pytest.raises(SceneError, match="72″ x 48″ and b one of 36″ x 48″"):
        changes_between(a, replace(a, name="b", width=36.0))
    with pytest.raises(SceneError, match="played by one-hour-ww2"):
        changes_between(replace(a, rules="one-hour-ww2"), replace(a, name="b", rules="combat"))
    with pytest.raises(SceneError, match="in common"):
        changes_between(a, table(bases("Z", (20, 20), side="green"), name="b"))


def certain_by_trial(before: Sighting, after: Sighting, units: list[str], groups: list[str]) -> dict[str, str]:
    """Groups whose unit is the same in every way to give out the most groups, by trying all of them."""
    reach = LIMITS.most("infantry") + 0.5 + 3 * 0.02 * math.sqrt(2)

    def may_be(unit: str, group: str) -> bool:
        old = np.array([p.center for p in before.pieces if p.unit == unit])
        new = np.array([p.center for p in after.pieces if p.id.startswith(f"{group}.")])
        away = np.linalg.norm(old[:, None] - new[None, :], axis=2)
        return bool(away.min(axis=0).max() <= reach)

    spare = [*units, *("" for _ in groups)]
    ways = {
        way
        for way in itertools.permutations(spare, len(groups))
        if all(unit == "" or may_be(unit, group) for unit, group in zip(way, groups, strict=True))
    }
    most = max(sum(unit != "" for unit in way) for way in ways)
    best = [way for way in ways if sum(unit != "" for unit in way) == most]
    return {g: way[0] for g, way in zip(groups, zip(*best, strict=True), strict=True) if set(way) == {way[0]} - {""}}


@settings(max_examples=25)
@given(st.data())
def test_names_by_elimination_are_those_of_all_trials(data: st.DataObject) -> None:
    """Up to four alike units, all moved and none read, against every way to name them."""
    n, m = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 3))
    x = st.floats(4.0, 68.0)
    units, groups = [f"U{k}" for k in range(n)], [f"g{k}" for k in range(m)]
    before = table(*(bases(unit, (data.draw(x), 4.0 + 4.5 * k)) for k, unit in enumerate(units)))
    after = table(
        *(bases(None, (data.draw(x), 24.0 + 4.5 * k), None, label=group) for k, group in enumerate(groups)), name="b"
    )
    naming = name_by(before, after, LIMITS)
    found = {after.pieces[row].id.split(".")[0]: unit for row, unit in naming.names.items()}
    assert found == certain_by_trial(before, after, units, groups)
