"""The table's pose from frame markers: exact cases, refusals, and what is done about wrong markers."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibration import Camera, CameraFileError, FrameLayout, FrameMarker, MarkersNotFound, PoseRejected, TableView
from calibration.lens_prior import exif_prior, focal_px_from_35mm
from calibration.table import solve_table
from tests.support.pose_simulation import (
    PHONE,
    SIZE,
    Detections,
    drawn_camera,
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


def worst(truth: TableView, solved: TableView, grid: np.ndarray = GRID) -> float:
    """The greatest error in inches over a grid."""
    return float(np.linalg.norm(errors(truth, solved, grid)[0], axis=1).max())


def detections_with_moved(row: int, **how: object) -> Detections:
    """The exact sights, but one marker laid otherwise."""
    corners = VIEW.pixel_from_table(laid(LAYOUT, LAYOUT.ids[row], **how))  # type: ignore[arg-type]
    return SEEN.with_corners(row, corners)


@pytest.mark.parametrize("elevation_deg", [25.0, 40.0, 60.0, 80.0])
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


def test_the_covariance_is_one() -> None:
    covariance = solve_table(SEEN, LAYOUT, SIZE, focal_35mm=26.0).covariance
    np.testing.assert_array_equal(covariance, covariance.T)
    scale = np.sqrt(np.diag(covariance))
    assert np.linalg.eigvalsh(covariance / np.outer(scale, scale)).min() > -1e-9


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    elevation_deg=st.floats(30, 88),
    azimuth_deg=st.floats(-180, 180),
    roll_deg=st.floats(-20, 20),
    focal_35mm=st.floats(22, 32),
    megapixels=st.sampled_from([5, 12, 24]),
    seed=st.integers(0, 1000),
)
def test_any_phone_from_anywhere(
    elevation_deg: float, azimuth_deg: float, roll_deg: float, focal_35mm: float, megapixels: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    width = round(np.sqrt(megapixels * 4e6 / 3))
    size = (width, width * 3 // 4)
    camera = drawn_camera(exif_prior(size, focal_35mm), rng)
    view = look(
        camera,
        elevation_deg=elevation_deg,
        azimuth_deg=azimuth_deg,
        roll_deg=roll_deg,
        distance_in=2.6 * focal_35mm,
        target=(18.0, 18.0),
    )
    solved = solve_table(see(view, LAYOUT, rng, carelessness=0.1), LAYOUT, size, focal_35mm=focal_35mm)
    assert solved.markers_seen == (0, 1, 2, 3)
    assert worst(view, solved) < 0.12


def test_six_by_four_with_six_markers() -> None:
    layout = table_layout(72.0, 48.0, six=True)
    view = look(PHONE, distance_in=95.0, target=(36.0, 22.0), azimuth_deg=-170.0)
    rng = np.random.default_rng(3)
    solved = solve_table(see(view, layout, rng, carelessness=0.1), layout, SIZE, focal_35mm=26.0)
    assert solved.markers_seen == (0, 1, 2, 3, 4, 5)
    assert worst(view, solved, table_grid(72.0, 48.0)) < 0.05


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "fault"),
    [
        ({"shift": (0.0, 1.0)}, "1.0 in off its stated place"),
        ({"shift": (-0.7, 0.7)}, "1.0 in off its stated place"),
        ({"turn_deg": 90.0}, "turned by 90 degrees"),
        ({"turn_deg": -10.0}, "turned by -10 degrees"),
        ({"size": 0.9}, "90% of the stated size"),
        ({"size": 0.5}, "50% of the stated size"),
        ({"shift": (5.0, 0.0), "turn_deg": 45.0}, "5.0 in off its stated place and turned by 45 degrees"),
    ],
)
@pytest.mark.parametrize("row", [0, 2])
@pytest.mark.parametrize("camera", [None, PHONE])
def test_a_marker_that_lies_otherwise_is_left_out_and_named(
    row: int, how: dict[str, object], fault: str, camera: Camera | None
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


@pytest.mark.slow
def test_of_three_markers_a_moved_one_cannot_be_told_and_is_refused() -> None:
    for row in range(3):
        seen = detections_with_moved(row, shift=(1.0, 0.0)).take([0, 1, 2])
        with pytest.raises(PoseRejected, match="retake the photo with 3 in view"):
            solve_table(seen, LAYOUT, SIZE, focal_35mm=26.0)


def test_a_picture_seen_in_a_mirror_is_refused() -> None:
    mirrored = SEEN.corners * [-1, 1] + [SIZE[0] - 1, 0]
    with pytest.raises(MarkersNotFound, match="0 of 4"):
        solve_table(Detections(SEEN.ids, mirrored, SEEN.sigma_px), LAYOUT, SIZE, focal_35mm=26.0)
    # a detector that orders mirrored corners clockwise again must not help it
    with pytest.raises(PoseRejected):
        solve_table(Detections(SEEN.ids, mirrored[:, ::-1], SEEN.sigma_px), LAYOUT, SIZE, focal_35mm=26.0)


@pytest.mark.slow
def test_blurred_corners_are_refused() -> None:
    rng = np.random.default_rng(8)
    shaken = Detections(SEEN.ids, SEEN.corners + 9 * rng.normal(size=SEEN.corners.shape), SEEN.sigma_px)
    with pytest.raises(PoseRejected, match=r"px|do not lie"):
        solve_table(shaken, LAYOUT, SIZE, focal_35mm=26.0)


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


def test_a_careless_layout_is_seen_in_the_markers_turns_and_raises_the_spread() -> None:
    rng = np.random.default_rng(11)
    sigma = []
    for carelessness in (0.05, 1.0):
        solved = solve_table(see(VIEW, LAYOUT, rng, carelessness=carelessness), LAYOUT, SIZE, focal_35mm=26.0)
        sigma.append(np.sqrt(errors(VIEW, solved, GRID)[1][:, 0, 0].mean()))
    assert sigma[1] > 3 * sigma[0]


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


@pytest.mark.slow
def test_a_contradicted_camera_gives_way_and_is_named() -> None:
    tele = Camera.from_parameters([6060, 6060, 2026, 1504, 0, 0, 0, 0, 0], SIZE)
    view = look(tele, distance_in=110.0)
    solved = solve_table(see(view, LAYOUT), LAYOUT, SIZE, camera=PHONE, focal_35mm=52.0)
    assert solved.camera.source == "exif" and "stored camera does not fit" in solved.warnings[0]
    assert worst(view, solved) < 0.02
    solved = solve_table(see(view, LAYOUT), LAYOUT, SIZE, focal_35mm=26.0)
    assert solved.camera.source == "markers" and "(26 mm) does not fit" in solved.warnings[0]
    assert worst(view, solved) < 0.02


@pytest.mark.parametrize("k1", [-0.2, -0.1, 0.0, 0.1])
def test_wide_lenses_are_straightened(k1: float) -> None:
    f = focal_px_from_35mm(24.0, SIZE)
    view = look(Camera.from_parameters([f, f, 2020, 1507, k1, 0, 0, 0, 0], SIZE), distance_in=50.0)
    rng = np.random.default_rng(4)
    solved = solve_table(see(view, LAYOUT, rng, carelessness=0.1), LAYOUT, SIZE)
    assert worst(view, solved) < 0.06


def test_markers_laid_at_an_angle_as_the_table_file_says() -> None:
    turned = FrameLayout("DICT_4X4_50", 2.0, tuple(FrameMarker(m.id, m.center, 35.0 * m.id) for m in LAYOUT.markers))
    assert worst(VIEW, solve_table(see(VIEW, turned), turned, SIZE, camera=PHONE)) < 2e-3


def test_the_order_of_the_sights_does_not_matter() -> None:
    rng = np.random.default_rng(6)
    seen = see(VIEW, LAYOUT, rng, carelessness=0.5)
    one = solve_table(seen, LAYOUT, SIZE, focal_35mm=26.0)
    other = solve_table(seen.take([2, 0, 3, 1]), LAYOUT, SIZE, focal_35mm=26.0)
    np.testing.assert_allclose(errors(one, other, GRID)[0], 0, atol=2e-4)


def test_a_table_moved_in_its_frame_moves_with_its_markers() -> None:
    rng = np.random.default_rng(7)
    seen = see(VIEW, LAYOUT, rng, carelessness=0.5)
    shifted = FrameLayout(
        LAYOUT.dictionary, 3.0, tuple(FrameMarker(m.id, (m.center[0] + 10, m.center[1] - 7)) for m in LAYOUT.markers)
    )
    pixels = VIEW.pixel_from_table(GRID)
    here, c_here = solve_table(seen, LAYOUT, SIZE, focal_35mm=26.0).table_from_pixel(pixels, GRID[:, 2])
    there, c_there = solve_table(seen, shifted, SIZE, focal_35mm=26.0).table_from_pixel(pixels, GRID[:, 2])
    np.testing.assert_allclose(there - here, np.broadcast_to([10, -7], here.shape), atol=2e-4)
    np.testing.assert_allclose(c_there, c_here, rtol=0.02, atol=1e-7)


@pytest.mark.slow
def test_a_solve_takes_less_than_a_tenth_of_a_second() -> None:
    rng = np.random.default_rng(9)
    seen = see(VIEW, LAYOUT, rng, carelessness=0.3)
    times = []
    for _ in range(7):
        start = time.perf_counter()
        solve_table(seen, LAYOUT, SIZE, focal_35mm=26.0)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.1
