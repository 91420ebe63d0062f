"""From a photo to verdicts: the table file as vision needs it, and which rules judge."""

from pathlib import Path

import pytest

from tabletop.errors import RulesError
from tabletop.referee import judging
from tabletop.tables.tablefile import load_table, parse_table
from tests.tabletop.tables.test_tablefile import GOOD


def test_vision_is_told_all_of_the_table_file() -> None:
    expected = judging.expected_from(parse_table(GOOD))
    assert (expected.width, expected.depth) == (36.0, 24.0)
    assert (expected.frame.dictionary, expected.frame.marker_size_in) == ("DICT_APRILTAG_36h11", 3.0)
    assert [(m.id, m.center, m.rotation_deg) for m in expected.frame.markers][2] == (2, (34.5, 22.5), 90.0)
    assert (expected.tag_dictionary, expected.tag_size_in) == ("DICT_4X4_100", 0.6)
    assert expected.rims == (("blue", (0x24, 0x56, 0xC8)),), "a side without a rim colour has no rim to look for"
    tank, foot = expected.units
    assert (tank.id, tank.side, tank.kind, tank.bases) == ("A1", "blue", "tank", 3)
    assert (tank.tag, tank.other_tags) == (11, (12, 13))
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


def test_cotton_and_dice_are_expected_where_the_rules_use_them() -> None:
    rules = ("one-hour-ww2", "measure", "combat")
    found = [judging.expected_from(parse_table(GOOD.replace(rules[0], name))).small_objects for name in rules]
    assert found == [{"cotton", "dice"}, set(), set()]
