"""Markers are found with the right corners, order and pixel convention, and nothing else is taken for one."""

from typing import Any

import cv2
import numpy as np
import pytest
from pyapriltags import Detector

from calibration._decode import codebook
from calibration._edges import in_light
from calibration.dictionaries import apriltag_family, dictionary_names, marker_dictionary
from calibration.markers import Markers, find_markers, read_markers_at
from tests.support.marker_scenes import Scene, Square, camera_over, draw, true_corners

PLACES = ((4.5, 4.5), (31.5, 4.5), (31.5, 31.5), (4.5, 31.5))


def scene(
    dictionary: str = "DICT_APRILTAG_36h11",
    *,
    elevation_deg: float = 50.0,
    rotation_deg: float = 7.0,
    size: tuple[int, int] = (1600, 1200),
    quiet_in: float = 0.35,
    **more: object,
) -> Scene:
    view = camera_over(*size, target=(18, 18), distance_in=56, elevation_deg=elevation_deg, azimuth_deg=15, roll_deg=4)
    squares = tuple(
        Square(dictionary, i, 3.0, place, rotation_deg=rotation_deg, quiet_in=quiet_in)
        for i, place in enumerate(PLACES)
    )
    return Scene(view, squares, **more)  # type: ignore[arg-type]


def errors(drawn: Scene, found: Markers) -> np.ndarray:
    assert found.ids.tolist() == [square.id for square in drawn.squares]
    return np.array([found.corners[i] - true_corners(drawn, square) for i, square in enumerate(drawn.squares)])


@pytest.mark.parametrize(
    ("change", "most_px"),
    [
        ({"dictionary": "DICT_APRILTAG_36h11"}, 0.08),
        ({"dictionary": "DICT_4X4_50"}, 0.08),
        ({"elevation_deg": 25.0}, 0.13),
        ({"shadow": (1.0, 0.4, 7.0), "glare": (18.0, 18.0, 12.0, 0.2)}, 0.15),
        ({"rotation_deg": 45.0, "quiet_in": 0.2, "mat": "cloth"}, 0.1),
        *(
            pytest.param(change, most_px, marks=pytest.mark.slow)
            for change, most_px in (
                ({"dictionary": "DICT_APRILTAG_25h9"}, 0.08),
                ({"dictionary": "DICT_APRILTAG_16h5"}, 0.08),
                ({"dictionary": "DICT_7X7_1000"}, 0.08),
                ({"dictionary": "DICT_ARUCO_MIP_36h12"}, 0.08),
                ({"blur_px": 1.4}, 0.15),
                ({"noise": 0.025}, 0.15),
                ({"jpeg_quality": 60}, 0.15),
                ({"exposure": 0.25}, 0.15),
                ({"exposure": 1.3}, 0.15),
            )
        ),
    ],
)
def test_every_family_viewpoint_and_light_gives_exact_corners_in_opencv_order(
    change: dict[str, Any], most_px: float
) -> None:
    drawn = scene(seed=3, **change)
    found = find_markers(draw(drawn), change.get("dictionary", "DICT_APRILTAG_36h11"), range(4))
    error = errors(drawn, found)
    assert np.sqrt((error**2).mean()) < most_px
    assert np.abs(error).max() < 4 * most_px
    assert np.mean(np.abs(error) < 3 * found.sigma_px[:, None, None]) > 0.85


@pytest.mark.parametrize("gamma", [pytest.param(0.6, marks=pytest.mark.slow), 1.5])
def test_a_tone_curve_does_not_shrink_the_squares(gamma: float) -> None:
    """Whatever curve the phone puts over its light, white grows by what is measured and taken back."""
    drawn = scene(seed=4, blur_px=1.1, jpeg_quality=100)
    curved = np.rint(255 * (draw(drawn) / 255.0) ** gamma).astype(np.uint8)
    error = errors(drawn, find_markers(curved, "DICT_APRILTAG_36h11", range(4)))
    corners = np.array([true_corners(drawn, square) for square in drawn.squares])
    outward = corners - corners.mean(axis=1, keepdims=True)
    outward /= np.linalg.norm(outward, axis=2, keepdims=True)
    assert abs(float((error * outward).sum(axis=2).mean())) < 0.05


def test_mirrored_and_inverted_markers_are_not_read() -> None:
    for change in ({"mirrored": True}, {"inverted": True}):
        base = scene(seed=6)
        squares = tuple(
            Square("DICT_APRILTAG_36h11", s.id, 3.0, s.center, quiet_in=0.35, **change) for s in base.squares
        )
        drawn = Scene(base.view, squares, seed=6)
        assert len(find_markers(draw(drawn), "DICT_APRILTAG_36h11")) == 0


def test_only_expected_ids_and_both_of_a_pair_that_lies_twice() -> None:
    base = scene(seed=7)
    twin = Square("DICT_APRILTAG_36h11", 2, 3.0, (18.0, 18.0), quiet_in=0.35)
    gray = draw(Scene(base.view, (*base.squares, twin), seed=7))
    assert find_markers(gray, "DICT_APRILTAG_36h11", [2, 3]).ids.tolist() == [2, 2, 3]


@pytest.mark.slow
def test_texture_alone_holds_no_marker() -> None:
    for seed, mat in enumerate(("grass", "sand", "cloth")):
        gray = draw(Scene(scene().view, (), mat=mat, seed=seed, noise=0.03))
        for dictionary in ("DICT_APRILTAG_36h11", "DICT_4X4_1000"):
            assert len(find_markers(gray, dictionary)) == 0


def test_a_covered_corner_is_read_where_the_pose_says() -> None:
    base = scene(seed=9)
    covered = Square("DICT_APRILTAG_36h11", 1, 3.0, PLACES[1], quiet_in=0.35, figures=((-0.02, 1.02, 0.1),))
    drawn = Scene(base.view, (covered,), seed=9)
    truth = true_corners(drawn, covered)
    found = read_markers_at(draw(drawn), "DICT_APRILTAG_36h11", (truth + np.array([0.8, -0.6]))[None], [1])
    assert found.ids.tolist() == [1]
    assert np.abs(found.corners[0] - truth).max() < 0.4


def test_light_round_quads_that_leave_the_picture() -> None:
    gray = np.full((40, 50), 255, np.uint8)
    quads = np.array([[[-30.0, -30], [12, -30], [12, 12], [-30, 12]], [[90.0, 90], [99, 90], [99, 99], [90, 99]]])
    near = in_light(gray, quads, 6)
    assert (near[:12, :12] == 65535).all() and not near[-1, -1]


def test_the_codebook_knows_every_dictionary_and_its_distance() -> None:
    assert {"DICT_4X4_50", "DICT_APRILTAG_36h11", "DICT_ARUCO_MIP_36h12"} <= set(dictionary_names())
    assert codebook("DICT_APRILTAG_36h11").distance == 11
    assert codebook("DICT_4X4_50").distance == 4
    with pytest.raises(ValueError, match="Unknown marker dictionary 'DICT_9X9'"):
        codebook("DICT_9X9")


@pytest.mark.parametrize(("name", "turned"), [("DICT_APRILTAG_36h11", True), ("tag36h11", False)])
def test_corners_are_where_they_are_printed(name: str, turned: bool) -> None:
    """A marker that covers pixels 100 to 259 has its corners at 99.5 and 259.5; the AprilTag library itself says which
    pictures it takes for upright ones."""
    picture = np.full((400, 400), 230, np.uint8)
    picture[100:260, 100:260] = cv2.aruco.generateImageMarker(marker_dictionary(name), 5, 160)
    family = apriltag_family(name)
    assert family is not None
    [tag] = Detector(families=family).detect(picture, True, (400, 400, 200, 200), 1.0)
    assert np.asarray(tag.pose_R)[0, 0] == pytest.approx(-1 if turned else 1, abs=0.01)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.8)
    found = find_markers(picture, name, [5])
    assert np.abs(found.corners[0] - [[99.5, 99.5], [259.5, 99.5], [259.5, 259.5], [99.5, 259.5]]).max() < 0.05


def test_wrong_input_is_named() -> None:
    with pytest.raises(ValueError, match="grey uint8 picture"):
        find_markers(np.zeros((10, 10, 3), np.uint8), "DICT_4X4_50")
    with pytest.raises(ValueError, match=r"corners has shape \(1, 2\), expected \(1, 4, 2\)"):
        Markers(np.zeros(1, np.int64), np.zeros((1, 2)), np.zeros(1), np.zeros(1), np.zeros(1, np.int64))
