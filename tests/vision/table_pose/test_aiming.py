"""Frames of a viewfinder: which markers are seen, from how high, and what is said to the hand."""

import pytest

from calibration import FrameLayout, FrameMarker
from tests.support.marker_scenes import Scene, Square, camera_over, draw
from vision.table_pose.aiming import Aim, aim

DICTIONARY = "DICT_4X4_50"
PLACES = ((2.0, 2.0), (34.0, 2.0), (34.0, 34.0), (2.0, 34.0))
FRAME = FrameLayout(DICTIONARY, 3.0, tuple(FrameMarker(i, place) for i, place in enumerate(PLACES)))


def seen_from(
    elevation: float, *, target: tuple[float, float] = (18, 18), distance_in: float = 62.0, hidden: tuple[int, ...] = ()
) -> Aim:
    """A frame of a table with four frame markers, of which something lies on the hidden ones."""
    view = camera_over(800, 600, target=target, distance_in=distance_in, elevation_deg=elevation, azimuth_deg=12)
    figures = ((0.5, 0.5, 0.6),)
    squares = tuple(
        Square(DICTIONARY, i, 3.0, place, quiet_in=0.35, figures=figures if i in hidden else ())
        for i, place in enumerate(PLACES)
    )
    return aim(draw(Scene(view, squares, seed=3, jpeg_quality=70)), FRAME, (36.0, 36.0))


@pytest.mark.parametrize("elevation", [45.0, 70.0])
def test_all_markers_and_how_high(elevation: float) -> None:
    found = seen_from(elevation)
    assert found.seen == (0, 1, 2, 3) and found.missing == ()
    assert found.elevation_deg == pytest.approx(elevation, abs=2.0)
    assert found.good and found.advice == "Good: all 4 markers."


def test_too_low_and_too_far() -> None:
    low = seen_from(25.0)
    assert len(low.seen) == 2 and not low.good, "the far ones are too small to be read from there"
    assert low.elevation_deg == pytest.approx(25.0, abs=4.0)
    assert low.advice == f"Hold the phone higher: {low.elevation_deg:.0f}°, at least 35° reads best."
    far = seen_from(60.0, distance_in=110.0)
    assert not far.good and far.advice.startswith("Go nearer: the table fills ")


@pytest.mark.parametrize(
    ("target", "side"), [((42, 18), "on the left"), ((-6, 18), "on the right"), ((18, -16), "at the top")]
)
def test_markers_out_of_the_picture(target: tuple[float, float], side: str) -> None:
    found = seen_from(55.0, target=target, distance_in=55.0)
    assert 0 < len(found.seen) < 4 and not found.good
    assert found.advice.endswith(f"out of the picture, {side}."), found.advice


def test_a_marker_that_something_lies_on() -> None:
    found = seen_from(55.0, hidden=(2,))
    assert found.missing == (2,) and not found.good and found.elevation_deg is not None
    assert found.advice == "Marker 2 can't be read: is something in the way, or too far off?"
