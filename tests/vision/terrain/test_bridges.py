"""One river runs under a bridge, whatever glare makes of it on one side."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from tests.support.ground_scenes import box, filled, maps_of, way
from vision.terrain.pieces import GroundMaps, terrain_from

SIZE = (36.0, 36.0)
DECK = box(14, 18, 2.4, 4.0, 0)
ROAD = way([(14, 0), (14, 12), (14, 24), (14, 36)], 2.0)
WEST = way([(0, 18), (6, 18.3), (12.8, 18)], 2.4)
EAST = way([(15.2, 18), (24, 17.6), (36, 18)], 2.4)  # longer than the west


def ground(east: str, west: str = "river", *, road: bool = True, glare: float = 0.0) -> GroundMaps:
    shapes = [(west, WEST), (east, EAST), ("bridge", DECK)]
    maps = maps_of([*shapes, ("road", ROAD.difference(DECK))] if road else shapes, SIZE)
    shine = glare * filled(EAST.buffer(2), maps.scale)
    return replace(maps, glare=shine.astype(np.float32))


def kinds_at(maps: GroundMaps, *places: tuple[float, float]) -> list[set[str]]:
    pieces = terrain_from(maps)
    return [
        {p.kind for p in pieces if p.kind in ("road", "river") and p.shape.covers(shapely.Point(at))} for at in places
    ]


@pytest.mark.parametrize("glare", [0.0, 0.9])
def test_what_a_road_crosses_on_a_bridge_is_a_river_on_both_sides(glare: float) -> None:
    """The longer stretch looks like a road, and still is the river: another road runs over the deck."""
    assert kinds_at(ground("road", glare=glare), (5, 18.2), (28, 17.7), (14, 6), (14, 30)) == [
        {"river"},
        {"river"},
        {"road"},
        {"road"},
    ]


def test_without_the_road_in_sight_what_is_plainly_seen_decides() -> None:
    assert kinds_at(ground("road", road=False, glare=0.9), (5, 18.2), (28, 17.7)) == [{"river"}, {"river"}]
    assert kinds_at(ground("road", road=False), (5, 18.2), (28, 17.7)) == [{"road"}, {"road"}]


def test_a_crossing_where_all_agree_is_left_as_it_is() -> None:
    assert kinds_at(ground("river"), (5, 18.2), (28, 17.7), (14, 6)) == [{"river"}, {"river"}, {"road"}]
    assert kinds_at(ground("road", "road"), (5, 18.2), (28, 17.7), (14, 6)) == [{"road"}, {"road"}, {"road"}]


def test_a_river_that_ends_far_from_a_bridge_says_nothing_of_it() -> None:
    far = shapely.affinity.translate(WEST, 0, 12)
    maps = maps_of([("river", far), ("road", EAST), ("bridge", DECK)], SIZE)
    assert kinds_at(maps, (5, 30.2), (28, 17.7)) == [{"river"}, {"road"}]
