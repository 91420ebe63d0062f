"""Tokens in the table file and in the photo, and whose a small thing is."""

import json
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from geometry import Bases
from tabletop.errors import TableFileError
from tabletop.referee.judging import expected_from
from tabletop.tables.model import Token
from tabletop.tables.scene import scene_from_json
from tabletop.tables.tablefile import parse_table
from tests.support.small_scenes import (
    DrawnCotton,
    DrawnDie,
    close_view,
    draw_cotton,
    draw_die,
    draw_tag,
    photo_of,
    table_sheet,
)
from tests.support.table_scenes import DrawnBase, expected_for, tag_corners
from tests.tabletop.tables.test_tablefile import GOOD
from vision import BaseShape, Expected, ExpectedUnit
from vision.model.expected import ExpectedTerrain, ExpectedToken
from vision.model.observation import SeenDie
from vision.pipeline.one_photo import observe
from vision.small_objects.beside_units import gaps, nearest_unit, only_unit
from vision.small_objects.cotton import Cotton
from vision.small_objects.markers import find_markers_beside, on_read_hills
from vision.small_objects.tokens import Tokens, place_tokens, split, with_tokens
from vision.tags.reading import Tags, find_tags

TOKENS = '\n[[tokens]]\nmeans = "dug-in"\ntags = [40, 41]\n[[tokens]]\nmeans = "ready"\ntag = 42\n'
FOOT = BaseShape(2.0, 1.25, 0.12)
READY, DUG = ExpectedToken("ready", (20,)), ExpectedToken("dug-in", (21, 22))


def line_of(text: str, words: str) -> int:
    return text[: text.rindex(words)].count("\n") + 1


def test_a_table_file_without_tokens_has_none_and_with_them_has_them() -> None:
    plain, told = parse_table(GOOD), parse_table(GOOD + TOKENS)
    assert plain.tokens == ()
    assert told.tokens == (Token("dug-in", (40, 41)), Token("ready", (42,)))
    assert replace(told, tokens=(), lines={}) == replace(plain, lines={})
    assert expected_from(told).tokens == (ExpectedToken("dug-in", (40, 41)), ExpectedToken("ready", (42,)))


@pytest.mark.parametrize(
    ("more", "at", "words"),
    [
        (
            'means = "resting"\ntag = 40\n',
            "resting",
            r'unknown means "resting" .*"dug-in", "ready", "moved" or "fired"',
        ),
        ('means = "ready"\n', "[[tokens]]", r'lacks "tag": the tag on the token, or "tags"'),
        ("tag = 40\n", "[[tokens]]", r'lacks "means"'),
        ('means = "ready"\ntag = 40\ntags = [41]\n', "tags =", r'has both "tag" and "tags"'),
        ('means = "ready"\ntags = []\n', "tags =", r'"tags" in .* is empty'),
        ('means = "ready"\ntag = 11\n', "tag = 11", r'duplicate tag 11: unit "A1" has it on line \d+ already'),
        ('means = "ready"\ntags = [40, 13]\n', "tags =", r'duplicate tag 13: unit "A1" has it on line \d+'),
        ('means = "ready"\ntags = [40, 40]\n', "tags =", r'duplicate tag 40: a "ready" token has it on line \d+'),
        ('means = "ready"\ntag = 100\n', "tag = 100", r"does not exist in DICT_4X4_100, which has ids 0 to 99"),
        ('means = "ready"\ntag = 40\ncolour = "red"\n', "colour", r'unknown key "colour" in \[\[tokens\]\]'),
    ],
)
def test_a_slip_in_tokens_is_told_with_its_line(more: str, at: str, words: str) -> None:
    text = f"{GOOD}\n[[tokens]]\n{more}"
    with pytest.raises(TableFileError, match=words) as caught:
        parse_table(text, "mine.toml")
    assert caught.value.faults[0].line == line_of(text, at)


def test_a_token_may_not_be_a_frame_marker_of_its_dictionary() -> None:
    text = GOOD.replace("DICT_4X4_100", "DICT_APRILTAG_36h11") + '\n[[tokens]]\nmeans = "moved"\ntag = 3\n'
    with pytest.raises(TableFileError, match='tag 3 of the "moved" token is also a frame marker'):
        parse_table(text)


def test_tokens_need_the_tags_section() -> None:
    text = GOOD[: GOOD.index("[tags]")] + '[[tokens]]\nmeans = "moved"\ntag = 3\n'
    with pytest.raises(TableFileError, match=r"\[\[tokens\]\] need a \[tags\] section"):
        parse_table(text)


def table(*tokens: ExpectedToken, terrain: tuple[ExpectedTerrain, ...] = ()) -> Expected:
    units = tuple(ExpectedUnit(name, "red", "infantry", 1, FOOT, FOOT, tag) for name, tag in (("A1", 3), ("A2", 4)))
    return replace(expected_for(units, tags="DICT_4X4_50"), tokens=tokens, terrain=terrain)


def read(expected: Expected, laid: list[tuple[int, float, float, float]]) -> tuple[Tags, Tokens]:
    """Tags lying at (id, x, y, z) as the units' tags and as tokens, the camera known."""
    view = close_view()
    sheet = table_sheet(view)
    for tag, x, y, z in laid:
        draw_tag(sheet, "DICT_4X4_50", tag, x, y, 25.0 * tag, z, 0.7)
    units, others = split(find_tags(photo_of(sheet).gray, view, with_tokens(expected)), expected)
    return units, place_tokens(others, view, expected)


def test_tokens_are_read_beside_the_units_tags() -> None:
    units, tokens = read(table(READY, DUG), [(3, 5, 5, 0.13), (20, 9, 8, 0.03), (22, 13, 11, 0.03), (30, 8, 13, 0.03)])
    assert units.ids.tolist() == [3]
    assert dict(zip(tokens.ids, tokens.means, strict=True)) == {20: "ready", 22: "dug-in"}
    for tag, x, y in ((20, 9, 8), (22, 13, 11)):
        row = tokens.ids.index(tag)
        assert tokens.center[row] == pytest.approx([x, y], abs=0.05)
        assert np.linalg.eigvalsh(tokens.covariance[row]).min() > 0
        assert 0.5 < tokens.confidence[row] <= 1


@pytest.mark.slow
def test_a_token_on_a_hill_lies_on_the_hill() -> None:
    hill = ExpectedTerrain("t1", "hill", ((6.0, 6.0), (12.0, 6.0), (12.0, 12.0), (6.0, 12.0)), 1.5)
    _, raised = read(table(READY, terrain=(hill,)), [(20, 9, 9, 1.53)])
    _, flat = read(table(READY), [(20, 9, 9, 1.53)])
    assert raised.center[0] == pytest.approx([9, 9], abs=0.06)
    assert np.hypot(*(flat.center[0] - 9)) > 0.5


UNITS = (DrawnBase(5.0, 9.0, 0.0, FOOT, tag=3), DrawnBase(13.0, 9.0, 0.0, FOOT, tag=4))


@lru_cache(maxsize=1)
def whole_table() -> dict[str, Any]:
    """Two units with cotton, tokens and dice round them, observed from the picture alone."""
    view = close_view()
    sheet = table_sheet(view)
    draw_tag(sheet, "DICT_4X4_50", 20, 5.0, 11.0, 40.0, 0.03, 0.7)  # ready, beside A1
    draw_tag(sheet, "DICT_4X4_50", 21, 9.0, 9.2, 0.0, 0.03, 0.7)  # dug in, between both
    draw_cotton(sheet, DrawnCotton(13.6, 11.2))
    for base in UNITS:
        sheet.base(base)
        corners = tag_corners(base, 0.7)
        sheet.marker("DICT_4X4_50", base.tag or 0, np.column_stack([corners, np.full(4, 0.13)]), 0.13)
    for die in (DrawnDie(12.6, 7.4, 5), DrawnDie(13.6, 7.3, 2, 50.0), DrawnDie(9.0, 3.5, 4)):
        draw_die(sheet, die)
    return observe(photo_of(sheet), table(READY, DUG)).to_json()


def test_markers_are_proposed_for_the_unit_that_they_lie_beside() -> None:
    markers = {(m["means"], m["unit"]): m for m in whole_table()["markers"]}
    assert set(markers) == {("ready", "A1"), ("dug-in", None), ("fired", "A2"), ("hits", "A2")}
    assert markers["hits", "A2"]["value"] == 7 and markers["hits", "A2"]["method"] == "dice"
    assert "value" not in markers["fired", "A2"] and markers["fired", "A2"]["method"] == "cotton"
    assert markers["ready", "A1"]["method"] == "tag"
    assert markers["ready", "A1"]["center"] == pytest.approx([5.0, 11.0], abs=0.06)
    assert markers["fired", "A2"]["center"] == pytest.approx([13.6, 11.2], abs=0.2)
    assert all(0 < m["confidence"] <= 1 for m in markers.values())


def test_what_the_rules_do_not_use_is_not_looked_for_nor_cotton_far_from_all_bases(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    no_plan: Any = None
    bases, tags = Bases.of([[5.0, 9.0]], 0.0, 1.0, is_round=True), Tags.empty()

    def found(*wanted: str) -> tuple[Any, Any]:
        expected = replace(table(), small_objects=frozenset(wanted))
        return find_markers_beside(no_plan, close_view(), expected, bases, ("A1",), tags)

    assert found() == ((), ())
    balls = Cotton([[5.0, 11.0], [12.0, 3.0]], [0.8, 0.8], [0.9, 0.9])
    monkeypatch.setattr("vision.small_objects.markers.find_cotton", lambda *_: balls)
    assert [(marker.center, marker.unit) for marker in found("cotton")[1]] == [((5.0, 11.0), "A1")]


def test_dice_are_told_whosever_they_are() -> None:
    dice = sorted(whole_table()["dice"], key=lambda d: d["center"])
    assert [die["value"] for die in dice] == [4, 5, 2]
    assert dice[0]["center"] == pytest.approx([9.0, 3.5], abs=0.1)


def test_markers_do_not_change_the_scene() -> None:
    observation = whole_table()
    plain = {key: value for key, value in observation.items() if key != "markers"}
    json.dumps(observation, allow_nan=False)
    assert [u.id for u in scene_from_json(observation).units] == [u.id for u in scene_from_json(plain).units]
    assert not any(u.fired or u.ready or u.hits for u in scene_from_json(observation).units)


@pytest.mark.parametrize(
    ("places", "owners", "nearest", "only"),
    [
        ([(5.0, 5.0), (10.0, 5.0)], ("A", "B"), "A", "A"),
        ([(5.0, 5.0), (9.5, 5.0)], ("A", "B"), None, None),  # about as near
        ([(5.0, 5.0), (9.5, 5.0)], ("A", "A"), "A", "A"),
        ([(5.0, 5.0), (10.0, 5.0)], (None, "B"), None, None),
        ([(4.0, 5.0)], ("A",), "A", None),
        ([(2.9, 5.0)], ("A",), None, None),  # too far off
    ],
)
def test_a_thing_is_its_nearest_units_or_nobodys(
    places: list[tuple[float, float]], owners: tuple[str | None, ...], nearest: str | None, only: str | None
) -> None:
    """A thing of half an inch at (7, 5), beside bases of 2 by 1.2 inches."""
    away = gaps([(7.0, 5.0)], 0.5, Bases.of(places, 0.0, 2.0, 1.2))
    assert nearest_unit(away, owners) == (nearest,)
    assert only_unit(away, owners, 1.5) == (only,)
    assert gaps([(7.0, 5.0)], 0.5, Bases.of([(5.0, 5.0)], 0.0, 2.0, is_round=True))[0] == pytest.approx([0.75])


def test_hits_are_unknown_where_one_of_their_dice_is_unread() -> None:
    """They are counted anew once a hill is known: here under a third die."""
    hill = ExpectedTerrain("h", "hill", ((0.0, 10.0), (5.0, 10.0), (5.0, 16.0), (0.0, 16.0)), 1.0, confidence=0.9)
    for second, total in ((2, 7), (None, None)):
        dice = (SeenDie((12.6, 7.6), 5, 0.9), SeenDie((13.6, 7.6), second, 0.9), SeenDie((3.0, 13.0), 4, 0.9))
        beside = Bases.of([(13.0, 9.0)], 0.0, 2.0, 1.25), ("A2",)
        moved, (hits,) = on_read_hills((dice, ()), close_view(), (hill,), *beside)
        assert moved != dice and (hits.unit, hits.value, hits.dice) == ("A2", total, (0, 1))
