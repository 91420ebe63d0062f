"""Terrain told by likeness to settled tables, with figures made up."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from vision.imaging.rectify import MapScale
from vision.model.expected import ExpectedTerrain
from vision.pipeline.questions import QuestionConfig
from vision.terrain.ground import merge_maps
from vision.terrain.ground_sight import GroundSight
from vision.terrain.likeness import SettledGround, cells_of, chances_of_both, familiarity, maps_by_likeness
from vision.terrain.odds import with_chances
from vision.terrain.pieces import KINDS, GroundMaps

SIZE = (24.0, 16.0)
WOOD = shapely.box(2, 2, 8, 8)


def sight_of(wood: shapely.Geometry, *, hue: float = 0.0, seed: int = 1) -> GroundSight:
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid((np.arange(96) + 0.5) / 4, 16 - (np.arange(64) + 0.5) / 4)
    look = shapely.contains_xy(wood, x, y) * 3.0 + rng.normal(0, 0.3, x.shape)
    figures = np.stack([look, rng.normal(size=x.shape)]).astype(np.float32)
    mat = np.concatenate([[hue, 0.0], np.ones(18)]).astype(np.float32)
    shares = np.full((9, 128, 192), 0.02, np.float32)
    return GroundSight(figures, (figures,) * 4, shares, np.ones((128, 192), bool), mat)


def maps(**shares: float) -> GroundMaps:
    share = np.full((9, 128, 192), 0.02, np.float32)
    for kind, value in shares.items():
        share[KINDS.index(kind)] = value
    return GroundMaps(share, MapScale(*SIZE, px_per_inch=8.0), np.zeros((128, 192), bool))


def test_a_settled_wood_is_known_again_elsewhere() -> None:
    cells = cells_of(sight_of(WOOD), SIZE, SettledGround((("woods", WOOD),)))
    assert cells is not None
    seen = sight_of(shapely.box(12, 2, 18, 8), seed=2)
    share = maps_by_likeness(maps(woods=0.3), seen, [cells]).plane("woods")
    assert share[88, 120] > 2 * share[88, 40]


def test_a_strange_mat_leaves_the_maps_as_they_are() -> None:
    cells = cells_of(sight_of(WOOD), SIZE, SettledGround((("woods", WOOD),)))
    assert cells is not None
    strange, before = sight_of(WOOD, hue=2.0), maps(town=0.8)
    assert familiarity(strange, cells) == 0.0
    assert maps_by_likeness(before, strange, [cells]) is before


def test_nothing_is_learnt_of_what_is_doubtful_or_covered() -> None:
    assert cells_of(sight_of(WOOD), SIZE, SettledGround(())) is None
    assert cells_of(sight_of(WOOD), SIZE, SettledGround((("woods", WOOD),), covered=(WOOD,))) is None
    bare = cells_of(sight_of(WOOD), SIZE, SettledGround((("woods", shapely.box(14, 2, 20, 8)),), doubtful=(WOOD,)))
    assert bare is not None and set(bare.cover.tolist()) == {0, 2}


def test_a_hill_alone_says_nothing_of_other_kinds() -> None:
    cells = cells_of(sight_of(WOOD), SIZE, SettledGround((("hill", WOOD),)))
    assert cells is not None
    before, seen = maps(woods=0.8), sight_of(WOOD, seed=2)
    joined = maps_by_likeness(before, replace(seen, shares=before.share), [cells])
    assert np.array_equal(joined.plane("woods"), before.plane("woods"))
    assert joined.plane("hill")[88, 40] > joined.plane("hill")[20, 160]


def two_readers(net: float, likeness: float) -> tuple[ExpectedTerrain, GroundMaps]:
    """A wood on a plain picture, of which the net and likeness each say so much, traced from what both say together."""
    box = np.zeros((9, 128, 192), np.float32)
    box[KINDS.index("woods"), 64:112, 16:64] = 1.0
    by_net, alike = (np.where(box > 0, np.float32(share), np.float32(0.02)) for share in (net, likeness))
    maps = GroundMaps(
        np.where(box > 0, np.float32(0.9), np.float32(0.02)), MapScale(*SIZE, px_per_inch=8.0),
        np.zeros((128, 192), bool), picture=np.full((128, 192, 3), 90, np.uint8), net=by_net, likeness=alike,
    )  # fmt: skip
    return ExpectedTerrain("t1", "woods", ((2, 2), (8, 2), (8, 8), (2, 8)), confidence=0.9), maps


@pytest.mark.parametrize(("net", "likeness"), [(0.3, 0.99), (0.6, 0.9), (0.95, 0.9)])
def test_likeness_makes_no_piece_surer_than_the_net(net: float, likeness: float) -> None:
    piece, maps = two_readers(net, likeness)
    (told,) = chances_of_both([piece], maps)
    (alone,) = with_chances([piece], replace(maps, share=maps.net, net=None, likeness=None))
    assert told == alone and (net > 0.5 or told.confidence < QuestionConfig().sure_terrain)


def test_a_piece_that_likeness_does_not_find_is_asked_about() -> None:
    piece, maps = two_readers(0.97, 0.05)
    (told,) = chances_of_both([piece], maps)
    assert told.confidence <= 0.051 < QuestionConfig().sure_terrain
    assert told.evidence is not None and sum(chance for _, chance in told.evidence.chances) == pytest.approx(
        1, abs=0.03
    )


def test_several_photos_keep_what_each_reader_says() -> None:
    _, known = two_readers(0.4, 0.8)
    strange = replace(known, share=np.full_like(known.share, 0.6), net=None, likeness=None)
    both = merge_maps([known, strange])
    assert both.net is not None and both.likeness is not None
    row = KINDS.index("woods")
    assert both.net[row, 80, 40] == pytest.approx(0.5) and both.likeness[row, 80, 40] == pytest.approx(0.7)
