"""The groups of a photo, the light in it, and whether stated uncertainty is honest."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from tabletop.evaluate.groups import elevation_deg, elevation_group, groups_of
from tabletop.evaluate.light import measure_light
from tabletop.evaluate.truth import Truth
from tabletop.evaluate.uncertainty import ellipse_coverage, interval_coverage
from tests.support.evaluated_tables import DEPTH, WIDTH, made, raw_truth, square, true_base
from tests.support.picture_scenes import view_over

# --- viewpoint -----------------------------------------------------------------------------------------------------


def seen_from(x: float, y: float, z: float) -> Truth:
    """The made-up table from an eye that far from its middle."""
    view = view_over((WIDTH / 2 + x, DEPTH / 2 + y, z), (WIDTH / 2, DEPTH / 2, 0.0))
    camera = {"K": view.camera.K.tolist(), "distortion": [0.0] * 5, "R": view.R.tolist(), "t": view.t.tolist()}
    return made(camera=camera, image={"width": 4000, "height": 3000})


@pytest.mark.parametrize(
    ("eye", "side", "elevation", "distance"),
    [
        ((0.0, -30.0, 30.0), "near", "40 to 55 degrees", "40″ to 60″"),
        ((0.0, 50.0, 30.0), "far", "25 to 40 degrees", "40″ to 60″"),
        ((-20.0, 5.0, 40.0), "left", "55 to 70 degrees", "40″ to 60″"),
        ((5.0, 0.0, 30.0), "right", "70 to 90 degrees", "less than 40″"),
        ((90.0, 0.0, 30.0), "right", "below 25 degrees", "80″ and more"),
    ],
)
def test_viewpoints(eye: tuple[float, float, float], side: str, elevation: str, distance: str) -> None:
    truth = seen_from(*eye)
    groups = groups_of(truth, None)
    assert (groups["seen from"], groups["camera's elevation"], groups["camera's distance"]) == (
        side,
        elevation,
        distance,
    )
    assert elevation_deg(truth) == pytest.approx(math.degrees(math.atan2(eye[2], math.hypot(*eye[:2]))), abs=1e-6)
    assert groups["picture"] == "10 to 14 megapixels"


def test_a_camera_straight_above() -> None:
    assert elevation_deg(made()) == pytest.approx(90.0) and elevation_group(90.0) == "70 to 90 degrees"


def test_tables_rims_and_tags() -> None:
    plain = groups_of(made({"r1": [true_base(5, 5)]}), None)
    assert (plain["table"], plain["rims"], plain["tags"]) == ("24″ x 18″", "painted", "none")
    other = made(
        {"r1": [true_base(5, 5, tag_id=1), true_base(9, 5)]},
        rims=None, table={"width": WIDTH, "depth": DEPTH, "mat": "desert"},
    )  # fmt: skip
    groups = groups_of(other, None)
    assert (groups["table"], groups["rims"], groups["tags"]) == ("24″ x 18″ desert", "none", "on some bases")
    stated = made({"r1": [true_base(5, 5, tag_id=1)]}, parameters={"config": {"rims": False}})
    assert groups_of(stated, None)["rims"] == "none" and groups_of(stated, None)["tags"] == "on every base"
    assert groups_of(made(rims={}), None)["rims"] == "none"


# --- light -----------------------------------------------------------------------------------------------------------


def picture(grey: float) -> npt.NDArray[np.uint8]:
    return np.full((800, 1000, 3), grey, np.uint8)


def test_even_light_of_a_known_level() -> None:
    light = measure_light(picture(100), made())
    assert light is not None and light.level == pytest.approx(100.0) and light.contrast == pytest.approx(1.0)
    assert light.cast is None
    assert light.words == {"level": "ordinary", "evenness": "even", "cast": "not measured (no white paper)"}


def test_half_the_table_in_shadow() -> None:
    image = picture(200)
    image[:, :500] = 100
    light = measure_light(image, made())
    assert light is not None and light.contrast == pytest.approx(2**2.2) and light.words["evenness"] == "hard shadows"
    assert light.level == pytest.approx(150.0)


def test_what_lies_on_the_mat_is_no_part_of_its_light() -> None:
    truth = made(terrain=[{"kind": "woods", "polygon": square(4, 4, 5), "height": 0.0}])
    image = picture(120)
    pixels = truth.camera.project([[4, 9, 0], [9, 4, 0]]).astype(int)
    image[pixels[0, 1] : pixels[1, 1], pixels[0, 0] : pixels[1, 0]] = 10
    light = measure_light(image, truth)
    assert light is not None and light.level == pytest.approx(120.0) and light.contrast == pytest.approx(1.0)


@pytest.mark.parametrize(("red", "blue", "words"), [(230, 180, "warm"), (200, 200, "neutral"), (180, 230, "cool")])
def test_the_cast_is_that_of_white_paper_and_not_of_the_mat(red: int, blue: int, words: str) -> None:
    truth = made(frame_markers=[{"corners": [[2, 4], [4, 4], [4, 2], [2, 2]]}])
    image = np.full((800, 1000, 3), (20, 160, 20), np.uint8)
    x, y = truth.camera.project([[3, 3, 0]])[0].astype(int)
    image[y - 25 : y + 25, x - 25 : x + 25] = (10, 10, 10)
    image[y - 25 : y, x - 25 : x + 25] = (blue, 200, red)
    light = measure_light(image, truth)
    assert light is not None and light.cast == pytest.approx((red / blue) ** 2.2) and light.words["cast"] == words


def test_a_table_out_of_the_picture_has_no_light() -> None:
    raw = raw_truth()
    raw["camera"]["K"][0][2] = -9000.0
    assert measure_light(picture(100), made(camera=raw["camera"])) is None


# --- uncertainty -----------------------------------------------------------------------------------------------------


def test_coverage_is_counted_at_the_right_limits() -> None:
    squares = [1.38, 1.39, 3.21, 3.22, 5.98, 6.0, 9.2, 9.22]  # chi-square, 2 degrees: 1.386, 3.219, 5.991, 9.210
    assert [c.inside for c in ellipse_coverage(squares)] == [1, 3, 5, 7]
    errors = [0.67, 0.68, 1.28, 1.29, 1.95, 1.97, 2.57, 2.58]  # the normal distribution: 0.674, 1.282, 1.960, 2.576
    assert [c.inside for c in interval_coverage([2 * e for e in errors], [2.0] * 8)] == [1, 3, 5, 7]


def test_a_sigma_of_nothing_covers_only_what_is_exact() -> None:
    assert [c.inside for c in interval_coverage([0.0, 0.1], [0.0, 0.0])] == [1, 1, 1, 1]
    assert [c.n for c in interval_coverage([], [])] == [0, 0, 0, 0] and math.isnan(interval_coverage([], [])[0].share)
