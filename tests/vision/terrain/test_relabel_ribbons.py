"""Ways that lead nowhere, and those that go on somewhere."""

import numpy as np
import pytest

from tests.support.ground_scenes import way
from vision.imaging.rectify import MapScale
from vision.terrain.relabel_ribbons import drop_stray_ways
from vision.terrain.ribbons import Ribbon
from vision.terrain.tracing import Sheet

TABLE = (24.0, 24.0)
SCALE = MapScale(*TABLE, px_per_inch=8.0)
OPEN = Sheet(np.zeros((192, 192), np.float32), SCALE)


def ribbon(*points: tuple[float, float], width: float = 1.0) -> Ribbon:
    line = np.array(points, np.float64)
    return Ribbon(line, np.full(len(line), width), way(list(points), width))


@pytest.mark.parametrize(
    ("short", "stays"),
    [
        (ribbon((10, 10), (13, 10)), False),
        (ribbon((10, 10), (17, 10)), True),  # long enough to be one
        (ribbon((10, 23), (10, 20)), False),
        (ribbon((10, 23.8), (10, 20)), True),  # off the table
        (ribbon((10, 10), (12.6, 6)), True),  # to the other way
        (ribbon((10, 10), (12.6, 7)), False),
    ],
)
def test_a_short_way_leads_somewhere(short: Ribbon, stays: bool) -> None:
    long = ribbon((0, 5), (24, 5))
    kept = drop_stray_ways({"road": [short], "river": [long]}, TABLE, OPEN)
    assert kept == {"road": [short] if stays else [], "river": [long]}


@pytest.mark.slow
def test_a_short_way_may_go_on_under_what_hides_it() -> None:
    short = ribbon((10, 10), (13, 10))
    hiding = np.zeros((192, 192), np.float32)
    hiding[:, int(13.3 * 8) : (15 * 8)] = 1.0
    assert drop_stray_ways({"road": [short]}, TABLE, OPEN.like(hiding)) == {"road": [short]}
