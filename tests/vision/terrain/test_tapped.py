"""What players' taps change in what the net has read. The net is made up."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from tests.support.ground_scenes import blob, maps_of
from vision.terrain.pieces import KINDS, GroundMaps, TerrainConfig, terrain_from
from vision.terrain.tapped import TapConfig, believe_tap, confirm_tapped, tapped_piece
from vision.terrain.taps import Tap

SIZE = (24.0, 24.0)
TERRAIN = TerrainConfig()
RAISES = TapConfig().raises


def suspected(maps: GroundMaps, kind: str, times: float) -> GroundMaps:
    share = maps.share.copy()
    share[KINDS.index(kind)] *= np.float32(times)
    return replace(maps, share=share)


def overlap(a: shapely.Geometry, b: shapely.Geometry) -> float:
    return float(a.intersection(b).area / a.union(b).area)


def test_a_suspected_hill_comes_up_whole_when_it_is_named_and_nothing_else_does() -> None:
    hill, other = blob(8, 12, 4, seed=1), blob(19, 12, 2.5, seed=2)
    maps = suspected(maps_of([("hill", hill), ("hill", other)], SIZE), "hill", 0.2)
    assert not terrain_from(maps)
    tap = Tap("hill", (8.0, 12.0))
    assert believe_tap(maps, tap, TERRAIN) is None
    believed = believe_tap(maps, tap, TERRAIN, raises=RAISES)
    assert believed is not None
    (piece,) = terrain_from(believed)
    assert piece.kind == "hill" and overlap(piece.shape, hill) > 0.85
    assert np.array_equal(believed.plane("hill")[:, 120:], maps.plane("hill")[:, 120:])


def test_a_named_wood_is_no_marsh_any_more() -> None:
    wood = blob(12, 12, 4, seed=3)
    both = suspected(maps_of([("woods", wood), ("marsh", wood)], SIZE), "woods", 0.75)
    assert [p.kind for p in terrain_from(both)] == ["marsh"]
    believed = believe_tap(both, Tap("woods", (12.0, 12.0)), TERRAIN)
    assert believed is not None
    (piece,) = terrain_from(believed)
    assert piece.kind == "woods" and overlap(piece.shape, wood) > 0.9


def test_what_the_net_has_no_inkling_of_is_not_believed() -> None:
    maps = maps_of([("woods", blob(12, 12, 4))], SIZE)
    assert believe_tap(maps, Tap("woods", (20.0, 20.0)), TERRAIN, raises=(0.0, *RAISES)) is None
    assert believe_tap(maps, Tap("town", (12.0, 12.0)), TERRAIN, raises=(0.0, *RAISES)) is None


def test_a_suspicion_all_over_the_mat_is_no_piece() -> None:
    maps = maps_of([], SIZE)
    share = maps.share.copy()
    share[KINDS.index("hill")] = 0.15
    assert believe_tap(replace(maps, share=share), Tap("hill", (12.0, 12.0)), TERRAIN, raises=RAISES) is None


def test_a_player_makes_the_piece_at_the_tap_sure_and_no_other() -> None:
    first, second = terrain_from(maps_of([("woods", blob(7, 12, 3)), ("woods", blob(18, 12, 3))], SIZE))
    unsure = [replace(first, confidence=0.5), replace(second, confidence=0.5)]
    tap = Tap("woods", (7.0, 12.0))
    told = {p.id: p.confidence for p in confirm_tapped(unsure, [tap])}
    chosen = tapped_piece(unsure, tap)
    assert chosen is not None
    assert told == {p.id: 0.95 if p.id == chosen.id else 0.5 for p in unsure}
    assert [p.confidence for p in confirm_tapped([replace(first, confidence=0.99)], [tap])] == [0.99]
    assert tapped_piece(unsure, Tap("town", (7.0, 12.0))) is None


@pytest.mark.parametrize("at", [(12.5, 12.0), (12.9, 12.0)])
def test_a_tap_just_beside_a_piece_means_it(at: tuple[float, float]) -> None:
    square = terrain_from(maps_of([("field", shapely.box(8, 8, 12.3, 16))], SIZE))
    assert (tapped_piece(square, Tap("field", at)) is not None) == (at[0] < 12.6)
