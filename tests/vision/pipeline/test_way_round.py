"""Which edge of a table without frame markers is the near one: by what is known of the table, or left open."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from calibration import CornersRejected, FrameLayout, TableView
from calibration.corners import NEAR_EDGE_GUESSED
from tabletop.referee.judging import expected_from, open_photo
from tabletop.tables.model import Marker, Point, TableFile
from tabletop.tables.tablefile import load_table
from tests.paths import ROOT
from vision.model.earlier import Earlier, EarlierBase, SightLine
from vision.model.expected import ExpectedTerrain
from vision.pipeline.way_round import settle_way_round, way_round_question
from vision.table_pose.placement import PlacementConfig, view_of
from vision.tags.reading import find_tags
from vision.terrain.drawn_pieces import with_shown_shares

DEMO = ROOT / "tabletop" / "data" / "demo"
CROSS = ((15.0, 0.0), (21.0, 0.0), (21.0, 36.0), (15.0, 36.0))


def photographed_from_its_left() -> TableFile:
    """The bundled table with its near edge as the left one."""
    table = load_table(DEMO / "demo.table.toml")

    def turned(points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple((y, table.width_in - x) for x, y in points)

    assert table.frame is not None
    markers = tuple(Marker(one.id, turned([one.center])[0], one.rotation_deg + 90.0) for one in table.frame.markers)
    terrain = tuple(
        replace(one, polygon=turned(one.polygon), hill_top=one.hill_top and turned(one.hill_top))
        for one in table.terrain
    )
    return replace(table, frame=replace(table.frame, markers=markers), terrain=terrain)


def test_what_is_known_of_a_table_turns_it_and_else_it_is_asked() -> None:
    photo, framed = open_photo(DEMO / "demo.jpg"), expected_from(photographed_from_its_left())
    expected = replace(framed, frame=FrameLayout("", 0.0, ()))
    true, view = (view_of(photo, one, None, PlacementConfig()) for one in (framed, expected))
    assert view.turns == (1, 2, 3) and any(said.startswith(NEAR_EDGE_GUESSED) for said in view.warnings)

    def shown(seen: TableView, *turns: int) -> float:
        pieces = with_shown_shares(photo.image, seen, (36.0, 36.0), framed.terrain, turns)
        return float(np.mean([piece.shown for piece in pieces if piece.shown is not None]))

    assert shown(view, *view.turns) == pytest.approx(shown(true), abs=0.05) and shown(true) > 0.5
    assert shown(view) < 0.2, "of another table, or of this one turned"
    tags = find_tags(photo.gray, true, framed)
    spots = zip(true.point_from_pixel(tags.corners.mean(axis=1), 0.12), tags.ids.tolist(), strict=True)
    lines = [(SightLine(at, np.zeros(2), np.eye(2)), tag) for at, tag in spots]
    before = Earlier(tuple(EarlierBase(line, False, 2.0, 1.0, (), 0.0, None, None, tag) for line, tag in lines))
    bare = replace(expected, terrain=())
    for known in (expected, replace(bare, ground=expected.terrain), replace(bare, earlier=before)):
        found = settle_way_round(photo, known, view)
        assert np.abs(found.eye - true.eye).max() < 0.5 < np.abs(view.eye - true.eye).max()
        assert found.turns == () and "left edge is nearest" in found.warnings[-1]
        assert not any(said.startswith(NEAR_EDGE_GUESSED) for said in found.warnings)
    assert settle_way_round(photo, framed, true) is true
    for terrain in ((), (ExpectedTerrain("t", "road", CROSS),), (ExpectedTerrain("t", "marsh", CROSS),)):
        assert settle_way_round(photo, replace(expected, terrain=terrain), view) is view, "which tells nothing"
    with pytest.raises(CornersRejected, match="does not show which side is the table's width: name the corners as"):
        settle_way_round(photo, replace(expected, width=37.0), view)


def test_the_question_names_the_edges_that_it_may_be() -> None:
    asked = way_round_question((1, 2, 3), (36.0, 36.0), ["b1"])
    assert [answer.value for answer in asked.answers] == ["near", "left", "far", "right"]
    (half,) = way_round_question((2,), (72.0, 48.0), ["b1"]).answers[1:]
    assert (half.value, half.says) == ("far", "the far edge (y = 48″)")
