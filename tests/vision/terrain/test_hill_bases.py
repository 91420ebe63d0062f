"""What the heights of bases say of the hills that were read, or overlooked."""

from dataclasses import replace

import pytest
import shapely

from calibration import FrameLayout
from tests.support.ground_scenes import blob, maps_of, painted
from tests.vision.terrain.test_ground import SIZE, VIEW, photo_of, standing
from vision.model.expected import Expected, ExpectedTerrain, TerrainEvidence
from vision.terrain.ground import Reading, finish_pieces
from vision.terrain.hill_bases import (
    HillConfig,
    is_contradicted,
    unexplained_high_bases,
    with_base_height,
    with_stated_height,
)
from vision.terrain.pieces import KINDS, terrain_from
from vision.terrain.taps import Tap

CONFIG = HillConfig()
HILL = ExpectedTerrain("t1", "hill", ((6, 6), (18, 6), (18, 18), (6, 18)), confidence=0.7, sigma_in=0.2)


def test_a_hill_is_denied_by_bases_that_surely_stand_low_on_it() -> None:
    assert is_contradicted(HILL, [standing(12, 12, 0.0, 0.05)], CONFIG)
    assert not is_contradicted(HILL, [standing(12, 12, 0.0, 0.1)], CONFIG)  # may be 0.25 inches up
    assert not is_contradicted(HILL, [standing(2, 2, 0.0, 0.01)], CONFIG)  # beside it
    assert not is_contradicted(HILL, [standing(12, 12, 0.0, 0.05), standing(9, 9, 0.6, 0.2)], CONFIG)
    assert not is_contradicted(replace(HILL, kind="woods"), [standing(12, 12, 0.0, 0.05)], CONFIG)
    stepped = replace(HILL, hill_top=((10, 10), (14, 10), (14, 14), (10, 14)))
    assert not is_contradicted(stepped, [standing(7, 7, 0.0, 0.02)], CONFIG)  # on its slope
    assert is_contradicted(stepped, [standing(12, 12, 0.0, 0.02)], CONFIG)


def test_overlooked_is_what_stands_high_where_nothing_raises_it() -> None:
    high, vague, low = standing(12, 12, 0.8), standing(3, 3, 0.8, 0.5), standing(20, 20, 0.1, 0.01)
    assert unexplained_high_bases([], [high, vague, low], CONFIG) == [pytest.approx((12.0, 12.0))]
    assert unexplained_high_bases([replace(HILL, kind="bridge")], [high], CONFIG) == []
    assert unexplained_high_bases([replace(HILL, kind="woods")], [high], CONFIG) == [pytest.approx((12.0, 12.0))]


def test_a_known_height_stays() -> None:
    assert with_base_height(replace(HILL, height=1.5), [standing(12, 12, 0.8)], CONFIG).height == 1.5
    assert with_base_height(HILL, [standing(12, 12, 0.8)], CONFIG).height == 0.8
    assert with_base_height(HILL, [standing(12, 12, 0.1)], CONFIG) == HILL
    guessed = replace(HILL, height=1.5, evidence=TerrainEvidence(1, 1.0, (("hill", 0.9),)))
    assert with_base_height(guessed, [standing(12, 12, 0.8)], CONFIG).height == 0.8
    assert with_base_height(guessed, [], CONFIG).height == 1.5


def test_a_stated_height_holds_for_hills_that_are_read() -> None:
    stated = with_stated_height(HILL, 0.75)
    assert (stated.height, stated.height_stated) == (0.75, True)
    assert with_base_height(stated, [standing(12, 12, 0.5)], CONFIG).height == 0.75
    assert with_stated_height(HILL, 0.0) == HILL
    assert with_stated_height(replace(HILL, kind="woods"), 0.75).height == 0.0
    drawn = replace(HILL, confidence=1.0, height=2.0)
    assert with_stated_height(drawn, 0.75) == drawn
    hill = blob(12, 12, 4.5, seed=1)
    maps = maps_of([("hill", hill)], SIZE)
    reading, expected = (
        Reading(maps, terrain_from(maps)),
        Expected(*SIZE, FrameLayout("", 0.0, ()), hill_height_in=0.75),
    )
    assert [p.height for p in reading.joined(expected)] == [0.75]  # before any base is looked for
    photo = photo_of(painted([], SIZE, 20.0))
    (piece,) = finish_pieces(reading, photo, VIEW, SIZE, [standing(12, 12, 0.5)], expected).pieces
    assert piece.height == 0.75


def test_bases_bring_up_the_hill_that_was_only_suspected_and_drop_the_one_that_is_none() -> None:
    hill, stain = blob(7, 12, 4.5, seed=1), blob(18, 12, 4, seed=2)
    maps = maps_of([("hill", hill), ("hill", stain)], SIZE)
    share = maps.share.copy()
    share[KINDS.index("hill"), :, : share.shape[2] // 2] *= 0.25
    maps = replace(maps, share=share)
    reading = Reading(maps, terrain_from(maps))
    (read,) = reading.pieces
    assert read.shape.contains(shapely.Point(18, 12))
    photo = photo_of(painted([], SIZE, 20.0))
    bases = [standing(7, 12, 0.9), standing(18, 12, 0.0, 0.04)]
    (piece,) = finish_pieces(reading, photo, VIEW, SIZE, bases).pieces
    assert piece.kind == "hill" and piece.height == pytest.approx(0.9)
    assert piece.shape.intersection(hill).area / piece.shape.union(hill).area > 0.75
    named = replace(reading, borne_out=(Tap("hill", (18.0, 12.0)),))
    assert len(finish_pieces(named, photo, VIEW, SIZE, bases).pieces) == 2  # whoever taps knows better
