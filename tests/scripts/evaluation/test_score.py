"""Scoring a photo: every figure by hand on small tables, and beside the scorer that comes with the test photographs."""

import itertools
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.figures import Part, base_figures, tally
from evaluation.score import match_points, score_photo
from evaluation.truth import read_truth
from evaluation.uncertainty import ellipse_coverage, interval_coverage
from tabletop.errors import UsageError
from tests.support.evaluated_tables import made, moved, seen_exactly, square, tag, true_base


def test_a_right_observation_has_no_fault() -> None:
    truth = made(
        {"r1": [true_base(5, 5, 30, tag_id=3, tag=tag(3, 5, 5), unique=True)], "b1": [true_base(12, 9)]},
        terrain=[{"kind": "cornfield", "polygon": square(2, 10, 4), "height": 0.0}],
        dice=[{"centre": [20, 3], "value": 4}],
        clutter=[{"kind": "cotton", "at": [6, 6], "unit": "r1"}, {"kind": "ruler", "at": [1, 1]}],
    )
    score = score_photo(seen_exactly(truth), truth)
    figures = score.figures()
    assert figures["bases"] == figures["found"] == figures["named"] == figures["ellipse_inside"] == 2
    assert figures["readable"] == figures["readable_right"] == figures["tagged_right"] == 1
    assert figures["terrain_iou"] == {"field": 1.0}
    assert figures["dice"] == figures["dice_right"] == 1
    assert [thing.verdict for thing in (*score.dice, *score.cotton)] == ["right", "right"]
    assert not score.false and figures["misread"] == figures["wrong_unit"] == figures["wrong_side"] == 0


def test_errors_and_ellipses_by_hand() -> None:
    truth = made({"r1": [true_base(5, 5, tag_id=1), true_base(9, 5, tag_id=2)], "b1": [true_base(15, 5, 350)]})
    seen = moved(seen_exactly(truth, sigma=0.1), 0, 0.3, unit="b1", side="blue", tag=7)  # 3 sigma: outside
    seen = moved(seen, 1, 0.0, 0.1)  # 1 sigma
    seen = moved(seen, 2, 0.18, 0.16, facing=10.0)  # sqrt(1.8^2 + 1.6^2) = 2.41 sigma: just inside
    score = score_photo(seen, truth)
    rows, figures = score.bases, score.figures()
    assert [row.error_in for row in rows] == pytest.approx([0.3, 0.1, math.hypot(0.18, 0.16)])
    assert [row.normalized_sq for row in rows] == pytest.approx([9.0, 1.0, 5.8])
    assert [row.inside for row in rows] == [False, True, True]
    assert figures["tagged_error_median"] == pytest.approx(0.2) and figures["tagged_error_p95"] == pytest.approx(0.29)
    assert rows[2].facing_error_deg == pytest.approx(20.0) and rows[2].facing_sigma_deg == 0.5
    assert (figures["wrong_unit"], figures["wrong_side"], figures["misread"], figures["tagged_right"]) == (1, 1, 1, 1)
    assert [row.px_per_in for row in rows] == pytest.approx([1000 / 39.9] * 3), "at the base's top, 0.1 in up"


def test_what_is_missed_false_and_too_far() -> None:
    truth = made({"r1": [true_base(5, 5), true_base(9, 5)]})
    seen = moved(seen_exactly(truth), 0, 0.76)
    score = score_photo(seen, truth)
    assert [row.found for row in score.bases] == [False, True]
    assert [base.id for base in score.false] == ["base1"]
    assert score_photo(moved(seen_exactly(truth), 0, 0.75), truth).bases[0].found


def test_a_photo_without_observation_misses_everything() -> None:
    truth = made(
        {"r1": [true_base(5, 5, tag_id=3, tag=tag(3, 5, 5))]},
        terrain=[{"kind": "woods", "polygon": square(2, 10, 4), "height": 0.0}],
        dice=[{"centre": [20, 3], "value": 4}],
    )
    score = score_photo(None, truth)
    figures = score.figures()
    assert (figures["found"], figures["readable"], figures["readable_right"], figures["dice_right"]) == (0, 1, 0, 0)
    assert figures["terrain_iou"] == {"woods": 0.0}
    assert tally(score.dice) == {"true": 1, "found": 0, "right": 0, "wrong": 0, "open": 0, "false": 0, "false_told": 0}


def test_tags_need_be_read_from_20_pixels_and_in_full_sight() -> None:
    def readable(half: float, visible: float) -> bool:
        return made({"r1": [true_base(5, 5, tag_id=3, tag=tag(3, 5, 5, half, visible))]}).bases[0].readable

    assert readable(0.401, 1.0) and not readable(0.399, 1.0), "25 pixels an inch: 20 pixels are 0.8 in"
    assert readable(0.5, 0.97) and not readable(0.5, 0.96)


def test_dice_right_wrong_open_missed_and_false() -> None:
    truth = made(dice=[{"centre": [x, 3], "value": 4} for x in (2, 5, 8, 11)])
    seen = seen_exactly(truth)
    seen["dice"][1]["value"], seen["dice"][2]["value"] = 5, None
    seen["dice"][3]["center"], seen["dice"][0]["center"] = [11, 3.51], [2.3, 3.4]
    count = tally(score_photo(seen, truth).dice)
    assert count == {"true": 4, "found": 3, "right": 1, "wrong": 1, "open": 1, "false": 1, "false_told": 1}


def test_figures_of_bases_count_a_missed_one_where_asked() -> None:
    truth = made({"r1": [true_base(5, 5, 0), true_base(9, 5, 0)]})
    seen = moved(seen_exactly(truth), 0, 0.1, facing=179.0)
    del seen["bases"][1]
    rows = score_photo(seen, truth).bases
    found, with_missed = base_figures(rows), base_figures(rows, missed_in=1.0)
    assert found.found == Part(1, 2) and found.reversed == 1
    assert found.median_in == pytest.approx(0.1) and with_missed.median_in == pytest.approx(0.55)


points = st.lists(st.tuples(st.floats(0, 2), st.floats(0, 2)), max_size=4)


@given(points, points)
def test_matching_pairs_the_most_at_the_least_total_distance(
    true: list[tuple[float, float]], seen: list[tuple[float, float]]
) -> None:
    def every() -> list[list[tuple[int, int]]]:
        rows = range(len(true))
        return [
            list(zip(some, others, strict=True))
            for n in range(min(len(true), len(seen)) + 1)
            for some in itertools.combinations(rows, n)
            for others in itertools.permutations(range(len(seen)), n)
        ]

    def gap(pair: tuple[int, int]) -> float:
        return math.dist(true[pair[0]], seen[pair[1]])

    allowed = [pairs for pairs in every() if all(gap(pair) <= 0.75 for pair in pairs)]
    best = min(allowed, key=lambda pairs: (-len(pairs), sum(map(gap, pairs))))
    got = match_points(true, seen, 0.75)
    assert len(got) == len(best)
    assert sum(map(gap, got)) == pytest.approx(sum(map(gap, best)), abs=1e-9)


def test_terrain_overlap_by_hand() -> None:
    truth = made(terrain=[{"kind": "woods", "polygon": square(4, 4, 4), "height": 0.0},
                          {"kind": "town", "polygon": square(14, 4, 4), "height": 0.0}])  # fmt: skip
    seen = seen_exactly(truth)
    seen["terrain"][0]["polygon"] = square(5, 4, 4)  # 12 of 16 shared, 20 in all
    seen["terrain"][1]["kind"] = "field"
    seen["terrain"].append({"id": "x", "kind": "marsh", "polygon": square(10, 12, 2), "sigma": 0.1})
    terrain = score_photo(seen, truth).terrain
    assert {kind: o.iou for kind, o in terrain.kinds.items()} == pytest.approx(
        {"woods": 0.6, "town": 0.0, "field": 0.0, "marsh": 0.0}
    )
    woods, field, marsh = terrain.seen
    assert (woods.mistaken_for, field.mistaken_for, marsh.mistaken_for) == (None, "town", None)
    assert woods.on_kind == pytest.approx(0.75) and marsh.on_kind == 0.0
    assert [row.covered for row in terrain.true] == pytest.approx([0.75, 0.0])


def test_a_file_that_is_no_truth_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for content, words in (
        ("{", "not the truth of a photographed table"),
        ("[]", "not the truth of a photographed table"),
        (json.dumps({"camera": {}}), "it lacks 'image'"),
    ):
        path.write_text(content)
        with pytest.raises(UsageError, match=words) as refusal:
            read_truth(path)
        assert str(refusal.value).startswith("a.json is not the truth") and str(refusal.value).endswith(".")


def test_coverage_is_counted_at_the_right_limits() -> None:
    squares = [1.38, 1.39, 3.21, 3.22, 5.98, 6.0, 9.2, 9.22]  # chi-square, 2 degrees: 1.386, 3.219, 5.991, 9.210
    assert [c.inside for c in ellipse_coverage(squares)] == [1, 3, 5, 7]
    errors = [0.67, 0.68, 1.28, 1.29, 1.95, 1.97, 2.57, 2.58]  # the normal distribution: 0.674, 1.282, 1.960, 2.576
    assert [c.inside for c in interval_coverage([2 * e for e in errors], [2.0] * 8)] == [1, 3, 5, 7]
