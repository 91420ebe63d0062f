"""Many photos together: refusals, bars, worst cases, and what is written of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from evaluation.bars import bars
from evaluation.cases import Case, find_cases
from evaluation.figures import Part, figures
from evaluation.markdown import document
from evaluation.results import PhotoResult, Run, evaluate
from evaluation.worst import worst_errors
from tabletop.errors import UsageError
from tests.support import evaluated_tables
from tests.support.evaluated_tables import case_in, made, moved, raw_truth, seen_exactly, square, tag, true_base

UNITS = {
    "r1": [true_base(5, 5, 10, tag_id=3, tag=tag(3, 5, 5), unique=True)],
    "b1": [true_base(12, 9, 180, unique=True)],
    "b2": [true_base(18, 9, 180, visible_fraction=0.5)],
}
GROUND = [
    {"kind": "woods", "polygon": square(2, 11, 5), "height": 0.0},
    {"kind": "hill", "polygon": square(15, 2, 4), "height": 0.5},
]
DICE = [{"centre": [21, 14], "value": 4}]


def written(folder: Path, name: str, raw: dict[str, Any]) -> Case:
    """A case on disk: a grey picture, the table file, the truth."""
    case = case_in(folder, name)
    case.table.write_text(evaluated_tables.TABLE_FILE + evaluated_tables.roster("r1", "b1", "b2"))
    case.truth.write_text(json.dumps(raw))
    noise = np.random.default_rng(1).integers(0, 255, (800, 1000, 3), dtype=np.uint8)
    case.photo.write_bytes(cv2.imencode(".jpg", noise)[1].tobytes())
    return case


@pytest.fixture
def result(tmp_path: Path) -> Callable[..., PhotoResult]:
    def make(seen: dict[str, Any] | None, name: str = "a", refused: str | None = None, **more: Any) -> PhotoResult:
        case = written(tmp_path, name, raw_truth(UNITS, terrain=GROUND, dice=DICE, **more))
        costs = {"wall_s": 1.5, "cpu_s": 1.0, "peak_mb": 500.0, "pixels": 12_000_000}
        run = Run(None, refused) if seen is None else Run(seen, stages_s={"opening": 0.5}, **costs)
        return evaluate([case], lambda _: run)[0]

    return make


def exact(**more: Any) -> dict[str, Any]:
    """What is right of that table; its spread is honest to no one, since nothing is off."""
    return seen_exactly(made(UNITS, terrain=GROUND, dice=DICE, **more))


def met(results: list[PhotoResult]) -> dict[str, bool | None]:
    return {bar.demand.split(":")[0]: bar.met for bar in bars(figures(results), results)}


def test_a_right_photo_meets_the_bars(result: Callable[..., PhotoResult]) -> None:
    told = met([result(exact())])
    assert told.pop("true positions inside the stated 95 % ellipse") is False, "all of them are too many"
    assert told.pop("told, not asked, base by its shape") is None, "its bases were found by tags and rims"
    chances = {name: told.pop(name) for name in list(told) if name.startswith("stated chances")}
    assert len(chances) == 6 and set(chances.values()) == {None}, "too few statements tell nothing of chances"
    untold = ["neither rims nor tag", "town", "field", "river", "marsh", "road", "14 to 26 megapixels"]
    assert [name for name, value in told.items() if value is None] == untold
    assert all(value for name, value in told.items() if name not in untold)


def test_a_refusal_counts_as_all_missed_and_is_told(result: Callable[..., PhotoResult]) -> None:
    both = [result(exact()), result(None, "b", "Two frame markers were seen.")]
    found = figures(both)
    assert found.refused == 1 and found.readable_read == Part(1, 2) and found.bases.found == Part(3, 6)
    assert found.readable.p95_in == pytest.approx(0.95), "a missed base with a readable tag counts as an inch off"
    assert found.terrain["woods"].mean == pytest.approx(0.5) and found.dice["found"] == 1
    told = met(both)
    for bar in ("readable tags", "centre error with a readable tag", "painted rims, no tag", "woods", "hill"):
        assert told[bar] is False, bar
    assert told["dice"] is False
    text = document([("All", "", both)], worst_errors(both), [])
    assert "- b: Two frame markers were seen." in text and "2 photos, 1 refused" in text
    assert not [error for error in worst_errors(both) if error.result.name == "b"], "told as refused, not base by base"


def test_the_stated_spread_is_told_by_sorts_of_bases(tmp_path: Path) -> None:
    units = {
        "r1": [true_base(5, 5, tag_id=3), true_base(9, 5, visible_fraction=0.7)],
        "b1": [true_base(12, 9, z=0.5), true_base(18, 9)],
    }
    seen = seen_exactly(made(units), sigma=0.1)
    for row in range(4):
        seen = moved(seen, row, 0.1 * (row + 1))  # 1, 2, 3 and 4 sigma
    case = written(tmp_path, "a", raw_truth(units))
    found = figures(evaluate([case], lambda _: Run(seen)))
    inside = {sort: [c.inside for c in told.ellipses] for sort, told in found.ellipses_of.items()}
    assert inside == {
        "tag read": [1, 1, 1, 1],
        "no tag read": [0, 0, 1, 2],
        "raised ground": [0, 0, 0, 1],
        "less than 80 % in sight": [0, 0, 1, 1],
    }
    assert [c.inside for c in found.ellipses] == [1, 1, 2, 3] and found.ellipse_median == pytest.approx(2.5)
    assert found.ellipses_of["raised ground"].median == pytest.approx(3.0)


def test_photos_stay_in_order_however_many_are_observed_at_a_time(tmp_path: Path) -> None:
    cases = [written(tmp_path, f"p{n}", raw_truth(UNITS)) for n in range(11)]
    steps: list[str] = []
    results = evaluate(cases, lambda case: Run(None, case.name), jobs=2, progress=steps.append)
    assert [r.name for r in results] == [r.refused for r in results] == [case.name for case in cases]
    assert steps[-1] == "11 of 11 photos: p10"


def test_a_truth_that_is_none_is_refused_before_anything_is_observed(tmp_path: Path) -> None:
    cases = [written(tmp_path, "a", raw_truth(UNITS)), written(tmp_path, "b", {})]
    with pytest.raises(UsageError, match=r"b\.json is not the truth"):
        evaluate(cases, lambda case: pytest.fail("nothing may be observed"))


def test_a_folder_gives_its_whole_triples_by_name(tmp_path: Path) -> None:
    for name in ("b", "a"):
        written(tmp_path, name, raw_truth())
    written(tmp_path, "c", raw_truth()).truth.unlink()
    written(tmp_path, "d", raw_truth()).photo.rename(tmp_path / "d.png")
    assert [case.name for case in find_cases([tmp_path])] == ["a", "b", "d"]
    assert find_cases([tmp_path / "b.jpg"])[0] == case_in(tmp_path, "b")


def test_what_can_t_be_evaluated_is_told_with_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no photo with its truth"):
        find_cases([tmp_path])
    case = written(tmp_path, "a", raw_truth())
    case.truth.unlink()
    with pytest.raises(UsageError, match=r"there is no a\.json beside it"):
        find_cases([case.photo])
    with pytest.raises(UsageError, match=r"no z\.jpg and no z\.table\.toml and no z\.json"):
        find_cases([tmp_path / "z.jpg"])
