"""From a photo to verdicts: the table file as vision needs it, whole photographs, and folders all or none."""

import json
from pathlib import Path

import numpy as np
import pytest

from tabletop.errors import RulesError
from tabletop.referee import judging
from tabletop.tables.tablefile import load_table, parse_table
from tests.paths import DATA
from tests.tabletop.tables.test_tablefile import GOOD

LEAST_TAGS_READ = {"desert": 5, "turned": 0, "tagged": 26}  # what is in sight, less one or two


def test_vision_is_told_all_of_the_table_file() -> None:
    expected = judging.expected_from(parse_table(GOOD))
    assert (expected.width, expected.depth) == (36.0, 24.0)
    assert (expected.frame.dictionary, expected.frame.marker_size_in) == ("DICT_APRILTAG_36h11", 3.0)
    assert [(m.id, m.center, m.rotation_deg) for m in expected.frame.markers][2] == (2, (34.5, 22.5), 90.0)
    assert (expected.tag_dictionary, expected.tag_size_in) == ("DICT_4X4_100", 0.6)
    assert expected.rims == (("blue", (0x24, 0x56, 0xC8)),), "a side without a rim colour has no rim to look for"
    tank, foot = expected.units
    assert (tank.id, tank.side, tank.kind, tank.bases, tank.tag, tank.other_tags) == (
        "A1",
        "blue",
        "tank",
        3,
        11,
        (12, 13),
    )
    assert (tank.shape.width, tank.shape.depth, tank.shape.height, tank.shape.is_round) == (2.5, 1.75, 0.12, False)
    assert (tank.unique_shape.width, tank.unique_shape.depth) == (1.25, 1.0)
    assert tank.tag_offset == (0.0, -0.2)
    assert foot.shape.is_round and foot.shape.width == foot.shape.depth == 0.984 and foot.tag is None
    assert [piece.id for piece in expected.terrain] == ["t1", "h"]
    assert expected.terrain[1].height == 1.0 and expected.terrain[1].hill_top is not None


def test_without_tags_and_sides_vision_expects_none() -> None:
    expected = judging.expected_from(parse_table(GOOD[: GOOD.index("[tags]")]))
    assert (expected.tag_dictionary, expected.tag_size_in, expected.rims, expected.units) == (None, 0.0, (), ())


def test_rules_are_checked_where_they_are_wanted(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(GOOD.replace('kind = "tank"', 'kind = "elephant"'))
    with pytest.raises(RulesError, match=r'club\.toml, line \d+: unit "A1" is of kind "elephant"'):
        judging.load_for_photo(path)
    for rules in ("combat", "measure"):
        path.write_text(GOOD.replace('kind = "tank"', 'kind = "elephant"').replace("one-hour-ww2", rules))
        assert judging.load_for_photo(path).units[0].kind == "elephant", "an observation needs no rulings"
        with pytest.raises(RulesError, match=f'rules "{rules}" judge a game, .*`tabletop new --table TABLE.toml`'):
            judging.check_rules(load_table(path))


def test_a_table_without_rules_is_judged_by_one_hour() -> None:
    assert judging.rules_of(parse_table(GOOD.replace('rules = "one-hour-ww2"\n', ""))) == "one-hour-ww2"


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAST_TAGS_READ)
def test_a_photograph_is_read_and_judged_as_the_truth_has_it(name: str) -> None:
    steps: list[str] = []
    table, truth = load_table(DATA / f"{name}.table.toml"), json.loads((DATA / f"{name}.truth.json").read_text())
    verdicts = judging.judge(judging.open_photo(DATA / f"{name}.jpg"), table, progress=steps.append)
    assert len(steps) >= 5 and steps[-1] == "judging every shot"
    view = verdicts.observation.photos[0]
    upright = (3024, 4032) if name == "turned" else (4032, 3024)
    assert (view.width, view.height) == verdicts.photo.size == view.view.camera.size == upright

    places = {unit["id"]: np.array([base["center"] for base in unit["bases"]]) for unit in truth["units"]}
    tagged = {base["tag"]: base["center"] for unit in truth["units"] for base in unit["bases"]}
    seen = verdicts.observation
    for label, center in zip(seen.labels, seen.bases.center, strict=True):
        if label.unit is not None:
            assert np.linalg.norm(places[label.unit] - center, axis=1).min() < 0.3, label
        if label.tag is not None:
            assert np.linalg.norm(np.array(tagged[label.tag]) - center) < 0.12, label
    read = [label.tag for label in seen.labels if label.tag is not None]
    assert len(read) == len(set(read)) and len(read) >= LEAST_TAGS_READ[name]

    sides = {unit.id: unit.side for unit in table.units}
    present = {label.unit for label in seen.labels if label.unit}
    pairs = [(shot["firer"], shot["target"]) for shot in verdicts.report["shots"]]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) >= {(a, b) for a in present for b in present if sides[a] != sides[b]}
    assert all(shot["reasons"] for shot in verdicts.report["shots"])
