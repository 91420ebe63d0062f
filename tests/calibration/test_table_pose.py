"""The table's pose from frame markers: exact cases, refusals, and what is done about wrong markers."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration import Camera, CameraFileError, FrameLayout, FrameMarker, MarkersNotFound, PoseRejected, TableView
from calibration.lens_prior import focal_px_from_35mm
from calibration.table import solve_table
from tests.support.pose_simulation import (
    PHONE,
    SIZE,
    Detections,
    errors,
    laid,
    look,
    see,
    table_grid,
    table_layout,
)

LAYOUT = table_layout()
VIEW = look(PHONE)
SEEN = see(VIEW, LAYOUT)
GRID = table_grid()
_SIDES = {"left": (900.0, 0.0), "upper left": (1000.0, 800.0), "lower right": (-1000.0, -700.0)}


def worst(truth: TableView, solved: TableView, grid: np.ndarray = GRID) -> float:
    """The greatest error in inches over a grid."""
    return float(np.linalg.norm(errors(truth, solved, grid)[0], axis=1).max())


def detections_with_moved(row: int, **how: object) -> Detections:
    """The exact sights, but one marker laid otherwise."""
    corners = VIEW.pixel_from_table(laid(LAYOUT, LAYOUT.ids[row], **how))  # type: ignore[arg-type]
    return SEEN.with_corners(row, corners)


@pytest.mark.parametrize("elevation_deg", [25.0, 60.0])
def test_exact_corners_with_the_true_camera_give_the_true_table(elevation_deg: float) -> None:
    view = look(PHONE, elevation_deg=elevation_deg, distance_in=60.0)
    solved = solve_table(see(view, LAYOUT), LAYOUT, SIZE, camera=PHONE)
    assert worst(view, solved) < 1e-3
    np.testing.assert_allclose(solved.eye, view.eye, atol=0.05)
    assert solved.markers_seen == (0, 1, 2, 3)
    assert solved.camera.source == "stored"
    assert solved.warnings == ()


def test_without_a_calibration_focal_length_and_distortion_come_from_the_markers() -> None:
    for focal_35mm in (26.0, None):
        solved = solve_table(SEEN, LAYOUT, SIZE, focal_35mm=focal_35mm)
        assert worst(VIEW, solved) < 0.01
        assert abs(solved.camera.K[0, 0] / PHONE.K[0, 0] - 1) < 0.01
        assert abs(solved.camera.dist[0] - PHONE.dist[0]) < 3 * np.sqrt(solved.covariance[4, 4])
        np.testing.assert_array_equal(solved.covariance[:9, :9], solved.camera.covariance)


def test_three_of_four_markers_are_enough() -> None:
    for missing in LAYOUT.ids:
        rows = [i for i in LAYOUT.ids if i != missing]
        solved = solve_table(SEEN.take(rows), LAYOUT, SIZE, focal_35mm=26.0)
        assert solved.markers_seen == tuple(rows)
        assert worst(VIEW, solved) < 0.02


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([0, 3], r"2 of 4 frame markers seen \(ids 0, 3\)\. Retake the photo with 1 and 2 in view\."),
        ([2], r"1 of 4 frame markers seen \(ids 2\)\. Retake the photo with 0, 1 and 3 in view\."),
        ([], r"0 of 4 frame markers seen\. Retake the photo with 0, 1, 2 and 3 in view\."),
    ],
)
def test_fewer_markers_are_refused_with_the_missing_ones(rows: list[int], sentence: str) -> None:
    with pytest.raises(MarkersNotFound, match=sentence):
        solve_table(SEEN.take(rows), LAYOUT, SIZE, focal_35mm=26.0)


def test_two_sights_of_one_marker_are_one_marker() -> None:
    with pytest.raises(MarkersNotFound, match=r"2 of 4 frame markers seen \(ids 0, 1\)"):
        solve_table(SEEN.take([0, 1, 1]), LAYOUT, SIZE)


def test_a_table_file_with_two_markers_is_told_to_have_three() -> None:
    layout = FrameLayout("DICT_APRILTAG_36h11", 3.0, LAYOUT.markers[:2])
    with pytest.raises(MarkersNotFound, match="lay and list at least 3"):
        solve_table(SEEN, layout, SIZE)


def test_other_ids_of_the_same_dictionary_are_none_of_its_business() -> None:
    more = Detections(np.append(SEEN.ids, 17), np.append(SEEN.corners, SEEN.corners[:1] + 500, axis=0), np.full(5, 0.1))
    solved = solve_table(more, LAYOUT, SIZE, camera=PHONE)
    assert solved.markers_seen == (0, 1, 2, 3) and solved.warnings == ()


@pytest.mark.parametrize(
    ("row", "camera", "how", "fault"),
    [
        (0, None, {"shift": (-0.7, 0.7)}, "1.0 in off its stated place"),
        (2, PHONE, {"turn_deg": 90.0}, "turned by 90 degrees"),
        (0, PHONE, {"turn_deg": -10.0}, "turned by -10 degrees"),
        (2, None, {"size": 0.9}, "90% of the stated size"),
        (2, None, {"shift": (5.0, 0.0), "turn_deg": 45.0}, "5.0 in off its stated place and turned by 45 degrees"),
    ],
)
def test_a_marker_that_lies_otherwise_is_left_out_and_named(
    row: int, camera: Camera | None, how: dict[str, object], fault: str
) -> None:
    solved = solve_table(detections_with_moved(row, **how), LAYOUT, SIZE, camera=camera, focal_35mm=26.0)
    assert solved.markers_seen == tuple(i for i in LAYOUT.ids if i != row)
    assert solved.warnings == (f"Frame marker {row} was left out: it is {fault}. Check it against the table file.",)
    assert worst(VIEW, solved) < 0.03


def test_a_mirrored_marker_is_left_out() -> None:
    solved = solve_table(SEEN.with_corners(1, SEEN.corners[1][::-1]), LAYOUT, SIZE, focal_35mm=26.0)
    assert solved.markers_seen == (0, 2, 3)
    assert "marker 1 was left out: it is mirrored" in solved.warnings[0]


def test_broken_corners_are_left_out() -> None:
    for broken in (np.full((4, 2), np.nan), np.repeat(SEEN.corners[1][:1], 4, axis=0), SEEN.corners[1][[0, 2, 1, 3]]):
        solved = solve_table(SEEN.with_corners(1, broken), LAYOUT, SIZE, focal_35mm=26.0)
        assert solved.markers_seen == (0, 2, 3)


@pytest.mark.parametrize("first", [True, False])
def test_of_two_sights_of_one_id_the_fitting_one_is_used(first: bool) -> None:
    false = VIEW.pixel_from_table(laid(LAYOUT, 2, shift=(-15.0, -14.0)))
    at = 0 if first else 4
    both = Detections(np.insert(SEEN.ids, at, 2), np.insert(SEEN.corners, at, false, axis=0), np.full(5, 0.1))
    solved = solve_table(both, LAYOUT, SIZE, focal_35mm=26.0)
    assert solved.markers_seen == (0, 1, 2, 3)
    assert worst(VIEW, solved) < 0.01
    assert solved.warnings == ("Frame marker 2 is seen more than once: the one that fits its stated place is used.",)


def test_two_swapped_ids_among_six_are_left_out() -> None:
    layout = table_layout(72.0, 48.0, six=True)
    view = look(PHONE, distance_in=95.0, target=(36.0, 22.0))
    seen = see(view, layout)
    swapped = Detections(np.array([1, 0, 2, 3, 4, 5]), seen.corners, seen.sigma_px)
    assert solve_table(swapped, layout, SIZE, focal_35mm=26.0).markers_seen == (2, 3, 4, 5)


def test_two_swapped_ids_among_four_are_refused() -> None:
    swapped = Detections(np.array([1, 0, 2, 3]), SEEN.corners, SEEN.sigma_px)
    with pytest.raises(PoseRejected, match=r"ids 0, 1, 2, 3\) do not lie as the table file says"):
        solve_table(swapped, LAYOUT, SIZE, focal_35mm=26.0)


@pytest.mark.parametrize(
    ("dictionary", "says"),
    [
        ("DICT_APRILTAG_36h11", 'AprilTag project\'s own pictures. Write dictionary = "tag36h11"'),
        ("tag36h11", 'as OpenCV draws them. Write dictionary = "DICT_APRILTAG_36h11"'),
        ("DICT_4X4_100", "turn them, or write their rotation"),
    ],
)
def test_markers_upside_down_are_said_to_be(dictionary: str, says: str) -> None:
    turned = Detections(SEEN.ids, np.roll(SEEN.corners, 2, axis=1), SEEN.sigma_px)
    with pytest.raises(PoseRejected, match=says):
        solve_table(turned, replace(LAYOUT, dictionary=dictionary), SIZE, focal_35mm=26.0)


def test_of_three_markers_a_moved_one_cannot_be_told_and_is_refused() -> None:
    seen = detections_with_moved(1, shift=(1.0, 0.0)).take([0, 1, 2])
    with pytest.raises(PoseRejected, match="retake the photo with 3 in view"):
        solve_table(seen, LAYOUT, SIZE, focal_35mm=26.0)


def test_a_picture_seen_in_a_mirror_is_refused() -> None:
    mirrored = SEEN.corners * [-1, 1] + [SIZE[0] - 1, 0]
    with pytest.raises(MarkersNotFound, match="0 of 4"):
        solve_table(Detections(SEEN.ids, mirrored, SEEN.sigma_px), LAYOUT, SIZE, focal_35mm=26.0)
    # a detector that orders mirrored corners clockwise again must not help it
    with pytest.raises(PoseRejected):
        solve_table(Detections(SEEN.ids, mirrored[:, ::-1], SEEN.sigma_px), LAYOUT, SIZE, focal_35mm=26.0)


def test_blurred_corners_are_refused() -> None:
    rng = np.random.default_rng(8)
    shaken = Detections(SEEN.ids, SEEN.corners + 9 * rng.normal(size=SEEN.corners.shape), SEEN.sigma_px)
    with pytest.raises(PoseRejected, match=r"px|do not lie"):
        solve_table(shaken, LAYOUT, SIZE, focal_35mm=26.0)


@pytest.mark.parametrize(
    ("side", "elevation_deg"),
    [("upper left", 45.0), *(pytest.param(s, e, marks=pytest.mark.slow) for s in _SIDES for e in (45.0, 60.0, 75.0))],
)
def test_a_cropped_photo_is_solved_and_named(side: str, elevation_deg: float) -> None:
    """The markers fill a small part of a large picture, and all of a piece cut out of it."""
    view = look(PHONE, elevation_deg=elevation_deg, distance_in=110.0)
    shift = _SIDES[side]
    target = view.pixel_from_table([[18.0, 18.0, 0.0]])[0]
    view = replace(view, R=_turned_to(PHONE, target - shift) @ view.R, t=_turned_to(PHONE, target - shift) @ view.t)
    seen = see(view, LAYOUT, np.random.default_rng(1))
    low, high = seen.corners.min(axis=(0, 1)) - 60, seen.corners.max(axis=(0, 1)) + 60
    cut = Detections(seen.ids, seen.corners - low, seen.sigma_px)
    solved = solve_table(cut, LAYOUT, (int((high - low)[0]), int((high - low)[1])), focal_35mm=26.0)
    assert solved.markers_seen == (0, 1, 2, 3)
    assert [warning.split(":")[0] for warning in solved.warnings] == ["The photo seems to be cropped or straightened"]
    flat = GRID[GRID[:, 2] == 0]
    places, _ = solved.table_from_pixel(view.pixel_from_table(flat) - low, 0.0)
    assert np.linalg.norm(places - flat[:, :2], axis=1).max() < 0.05


def _turned_to(camera: Camera, pixel: np.ndarray) -> np.ndarray:
    """The turn (3, 3) of a camera that brings its middle's ray to a pixel."""
    ray = np.append(camera.undistort(pixel[None])[0], 1.0)
    ray /= np.linalg.norm(ray)
    axis = np.cross([0.0, 0.0, 1.0], ray)
    return np.asarray(cv2.Rodrigues(axis / np.linalg.norm(axis) * np.arccos(ray[2]))[0])


@pytest.mark.parametrize("stretch", [0.8, 0.5])
def test_a_stretched_picture_is_named(stretch: float) -> None:
    """No camera takes it: it is refused, or solved as a cropped one."""
    straight = see(replace(VIEW, camera=Camera.from_parameters([*PHONE.parameters[:4], 0, 0, 0, 0, 0], SIZE)), LAYOUT)
    wider = Detections(straight.ids, straight.corners * [stretch, 1.0], straight.sigma_px)
    try:
        (said,) = solve_table(wider, LAYOUT, (round(SIZE[0] * stretch), SIZE[1])).warnings
    except PoseRejected as error:
        said = str(error)
    assert "cropped" in said and "straightened" in said


def test_markers_in_one_line_leave_the_far_side_uncertain_and_say_so() -> None:
    layout = table_layout(72.0, 48.0, six=True)
    view = look(PHONE, distance_in=95.0, target=(36.0, 22.0))
    rng = np.random.default_rng(3)
    seen = see(view, layout, rng, carelessness=1.0, ids=(0, 1, 4))
    solved = solve_table(seen, layout, SIZE, focal_35mm=26.0)
    near, far = np.array([[36.0, 2.0, 0.0]]), np.array([[36.0, 46.0, 0.0]])
    error, covariance = errors(view, solved, far)
    assert np.trace(covariance[0]) > 9 * np.trace(errors(view, solved, near)[1][0])
    assert error[0] @ np.linalg.solve(covariance[0], error[0]) < 9.2  # 99 %
    assert any("uncertain" in w and "2, 3 and 5 in view" in w for w in solved.warnings)


def test_near_overhead_the_focal_length_stays_as_wide_as_its_prior() -> None:
    rng = np.random.default_rng(2)
    above = look(PHONE, elevation_deg=89.5, target=(18.0, 18.0))
    solved = solve_table(see(above, LAYOUT, rng, carelessness=0.3), LAYOUT, SIZE, focal_35mm=26.0)
    oblique = look(PHONE, elevation_deg=45.0, distance_in=60.0)
    told = solve_table(see(oblique, LAYOUT, rng, carelessness=0.3), LAYOUT, SIZE, focal_35mm=26.0)
    assert np.sqrt(solved.covariance[0, 0]) > 0.02 * PHONE.K[0, 0]
    assert np.sqrt(told.covariance[0, 0]) < 0.6 * np.sqrt(solved.covariance[0, 0])
    assert worst(above, solved, table_grid(heights=(0.0,))) < 0.05
    low, high = (np.sqrt(errors(above, solved, table_grid(n=3, heights=(z,)))[1][0, 0, 0]) for z in (0.0, 2.0))
    assert high > 1.5 * low


def test_a_stored_camera_is_turned_with_the_phone() -> None:
    for turns in range(4):
        camera = PHONE.rotate_quarters(turns)
        view = look(camera)
        solved = solve_table(see(view, LAYOUT), LAYOUT, camera.size, camera=PHONE)
        assert worst(view, solved) < 2e-3
        assert solved.camera.source == "stored"
        np.testing.assert_allclose(solved.camera.dist[:4], camera.dist[:4], atol=1e-4)


def test_a_stored_camera_is_scaled_to_the_picture() -> None:
    small = PHONE.scaled_to((2016, 1512))
    view = look(small)
    assert worst(view, solve_table(see(view, LAYOUT), LAYOUT, small.size, camera=PHONE)) < 2e-3


def test_a_stored_camera_of_another_shape_is_refused() -> None:
    with pytest.raises(CameraFileError, match="another shape"):
        solve_table(SEEN, LAYOUT, (4032, 2268), camera=PHONE)


def test_a_contradicted_camera_gives_way_and_is_named() -> None:
    tele = Camera.from_parameters([6060, 6060, 2026, 1504, 0, 0, 0, 0, 0], SIZE)
    view = look(tele, distance_in=110.0)
    solved = solve_table(see(view, LAYOUT), LAYOUT, SIZE, camera=PHONE, focal_35mm=52.0)
    assert solved.camera.source == "exif" and "stored camera does not fit" in solved.warnings[0]
    assert worst(view, solved) < 0.02
    solved = solve_table(see(view, LAYOUT), LAYOUT, SIZE, focal_35mm=26.0)
    assert solved.camera.source == "markers" and "(26 mm) does not fit" in solved.warnings[0]
    assert worst(view, solved) < 0.02


@pytest.mark.parametrize("k1", [-0.2, 0.1])
def test_wide_lenses_are_straightened(k1: float) -> None:
    f = focal_px_from_35mm(24.0, SIZE)
    view = look(Camera.from_parameters([f, f, 2020, 1507, k1, 0, 0, 0, 0], SIZE), distance_in=50.0)
    rng = np.random.default_rng(4)
    solved = solve_table(see(view, LAYOUT, rng, carelessness=0.1), LAYOUT, SIZE)
    assert worst(view, solved) < 0.06


def test_markers_laid_at_an_angle_as_the_table_file_says() -> None:
    turned = FrameLayout("DICT_4X4_50", 2.0, tuple(FrameMarker(m.id, m.center, 35.0 * m.id) for m in LAYOUT.markers))
    assert worst(VIEW, solve_table(see(VIEW, turned), turned, SIZE, camera=PHONE)) < 2e-3
