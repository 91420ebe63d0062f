"""Terrain told by likeness to settled tables, with figures made up."""

from __future__ import annotations

import numpy as np
import shapely

from vision.imaging.rectify import MapScale
from vision.terrain.ground_sight import GroundSight
from vision.terrain.likeness import SettledGround, cells_of, familiarity, maps_by_likeness
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
