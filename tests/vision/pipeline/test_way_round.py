"""Which edge of a table without frame markers is the near one: by what is known of the table, or left open."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration import CornersRejected, FrameLayout, TableView
from calibration.corners import NEAR_EDGE_GUESSED
from calibration.ways_round import turned_view
from tabletop.referee.judging import expected_from, open_photo
from tabletop.tables.tablefile import load_table
from tests.paths import ROOT
from vision.imaging.photo import Photo
from vision.model.earlier import Earlier, EarlierBase, SightLine
from vision.model.expected import Expected, ExpectedTerrain
from vision.pipeline.way_round import settle_way_round, way_round_question
from vision.table_pose.placement import PlacementConfig, view_of
from vision.tags.reading import find_tags

DEMO = ROOT / "tabletop" / "data" / "demo"
CROSS = ((15.0, 0.0), (21.0, 0.0), (21.0, 36.0), (15.0, 36.0))


@cache
def seen() -> tuple[Photo, Expected, TableView, TableView]:
    """The sample with its table file, the view by its frame markers and the one by its edges alone."""
    photo, expected = open_photo(DEMO / "demo.jpg"), expected_from(load_table(DEMO / "demo.table.toml"))
    bare = replace(expected, frame=FrameLayout("", 0.0, ()))
    views = [view_of(photo, one, None, PlacementConfig()) for one in (expected, bare)]
    return photo, bare, views[0], views[1]


def earlier(photo: Photo, expected: Expected, view: TableView) -> Earlier:
    """What a photo before has told of where tags are."""
    tags = find_tags(photo.gray, view, expected)
    places = view.point_from_pixel(tags.corners.mean(axis=1), 0.12)
    flat = np.zeros(2), np.eye(2)
    return Earlier(
        tuple(
            EarlierBase(SightLine(at, *flat), False, 2.0, 1.0, (), 0.0, None, None, tag)
            for at, tag in zip(places, tags.ids.tolist(), strict=True)
        )
    )


def test_an_edge_that_is_assumed_leaves_every_other_way_round_open() -> None:
    photo, expected, _, view = seen()
    assert view.turns == (1, 2, 3) and any(said.startswith(NEAR_EDGE_GUESSED) for said in view.warnings)
    left_open = settle_way_round(photo, replace(expected, terrain=()), view)
    assert left_open is view
    asked = way_round_question(view.turns, (36.0, 36.0), ["b1"])
    assert [answer.value for answer in asked.answers] == ["near", "left", "far", "right"]
    (half,) = way_round_question((2,), (72.0, 48.0), ["b1"]).answers[1:]
    assert (half.value, half.says) == ("far", "the far edge (y = 48″)")


@pytest.mark.parametrize("by", ["drawn terrain", "terrain of an earlier photo", "tags of an earlier photo"])
def test_what_is_known_of_the_table_turns_it(by: str) -> None:
    photo, expected, true, view = seen()
    bare = replace(expected, terrain=())
    known = {
        "drawn terrain": expected,
        "terrain of an earlier photo": replace(bare, ground=expected.terrain),
        "tags of an earlier photo": replace(bare, earlier=earlier(photo, expected, true)),
    }[by]
    found = settle_way_round(photo, known, view)
    assert np.abs(found.eye - true.eye).max() < 0.5 < np.abs(view.eye - true.eye).max()
    assert found.turns == () and "left edge is nearest" in found.warnings[-1]
    assert not any(said.startswith(NEAR_EDGE_GUESSED) for said in found.warnings)
    assert settle_way_round(photo, known, true) is true


def test_terrain_that_is_the_same_both_ways_or_elsewhere_tells_nothing() -> None:
    photo, expected, _, view = seen()
    for kind in ("road", "marsh"):
        assert settle_way_round(photo, replace(expected, terrain=(ExpectedTerrain("t", kind, CROSS),)), view) is view


def test_a_photo_that_does_not_tell_width_from_depth_is_refused() -> None:
    photo, expected, _, view = seen()
    with pytest.raises(CornersRejected, match="does not tell the table's width from its depth: name the corners as"):
        settle_way_round(photo, replace(expected, width=37.0), view)
    half = replace(turned_view(view, (36.0, 36.0), 0), turns=(2,))
    assert settle_way_round(photo, replace(expected, terrain=()), half).turns == (2,)
