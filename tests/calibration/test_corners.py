"""The table's pose from its corners: exact without noise, honest with it, refused in one sentence."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import CornersRejected, FrameLayout, FrameMarker, PoseRejected, TableView
from calibration.camera import Camera
from calibration.corner_fit import CornerFitConfig
from calibration.corners import TableCorners, solve_corners, table_sigma_in
from calibration.lens_prior import exif_prior, unknown_lens_priors
from calibration.markers import Markers
from calibration.named_corners import corners_by_hand
from tests.support.picture_scenes import view_over

Array = npt.NDArray[np.float64]

SIZE = (4032, 3024)
OUTWARD = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
FIT = CornerFitConfig()
SQUARE, LONG = (36.0, 36.0), (72.0, 48.0)


def outline(table_in: tuple[float, float]) -> Array:
    w, d = table_in
    return np.array([[0.0, 0.0], [w, 0.0], [w, d], [0.0, d]])


def flat(points: Array) -> Array:
    return np.column_stack([points, np.zeros(len(points))])


def random_view(rng: np.random.Generator, table_in: tuple[float, float], *, known: bool) -> TableView:
    """A camera over the table with all corners in view and a lens as phones have them."""
    w, d = table_in
    priors = (exif_prior(SIZE, 26.0),) if known else unknown_lens_priors(SIZE)
    chances = np.exp([p.log_chance for p in priors])
    while True:
        prior = priors[rng.choice(len(priors), p=chances / chances.sum())]
        camera = Camera.from_parameters(prior.mean + prior.root @ rng.normal(size=9), SIZE)
        if camera.K[0, 0] < 1200:
            continue
        elevation, azimuth = np.radians(rng.uniform(40, 85)), np.radians(rng.uniform(-150, -30))
        target = np.array([*(np.array(table_in) / 2 + rng.normal(0, 2, 2)), 0.0])
        ahead = -np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
        eye = target - ahead * np.hypot(w, d) * camera.K[0, 0] / SIZE[0] * rng.uniform(1.2, 1.8)
        right = np.cross(ahead, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        R = np.stack([right, np.cross(ahead, right), ahead])
        view = TableView(camera, R, -R @ eye)
        pixels = view.pixel_from_table(flat(outline(table_in)))
        edge = np.linspace(0.0, 1.6 * np.abs(camera.undistort(pixels)).max(), 60)
        k1, k2, _, _, k3 = camera.dist
        monotone = np.all(np.diff(edge * (1 + k1 * edge**2 + k2 * edge**4 + k3 * edge**6)) > 0)
        if monotone and np.all(pixels > 0) and np.all(pixels < np.array(SIZE) - 1):
            return view


def cut(rng: np.random.Generator, table_in: tuple[float, float]) -> Array:
    """A mat's true corners."""
    return outline(table_in) + rng.normal(0, FIT.corner_sigma_in, (4, 2))


def seen_edges(
    rng: np.random.Generator, view: TableView, corners: Array, sigma_px: float, per_side: int = 14
) -> TableCorners:
    """What an edge finder makes of a mat with these true corners, its sides bowed a little."""
    pixels, side = [], []
    for k in range(4):
        s = rng.uniform(0.05, 0.95, per_side)[:, None]
        bow = rng.normal() * FIT.bow_sigma_in * 4 * s * (1 - s) * OUTWARD[k]
        points = corners[k] + s * (corners[(k + 1) % 4] - corners[k]) + bow
        pixels.append(view.pixel_from_table(flat(points)) + rng.normal(0, sigma_px, (per_side, 2)))
        side += [k] * per_side
    return TableCorners(
        pixels=view.pixel_from_table(flat(corners)) + rng.normal(0, 2.0, (4, 2)),
        sigma_px=np.full(4, sigma_px),
        edge_pixels=np.concatenate(pixels),
        edge_side=np.array(side),
        edge_sigma_px=np.full(4 * per_side, sigma_px),
    )


@pytest.mark.slow
@pytest.mark.parametrize("by", ["hand", "edges"])
@pytest.mark.parametrize("known", [True, False], ids=["lens from EXIF", "lens unknown"])
def test_the_stated_covariance_is_honest(by: str, known: bool) -> None:
    """Over many noisy mats, cameras and lenses the errors are as large as stated, within 25 %."""
    rng = np.random.default_rng(11)
    squares: list[Array] = []
    raised: list[Array] = []
    for _ in range(36 if by == "edges" else 60):
        table_in = SQUARE if rng.random() < 0.5 else LONG
        view = random_view(rng, table_in, known=known)
        corners = cut(rng, table_in)
        if by == "hand":
            pixels = view.pixel_from_table(flat(corners)) + rng.normal(0, 6.0, (4, 2))
            given_ = TableCorners(pixels, np.full(4, 6.0))
        else:
            given_ = seen_edges(rng, view, corners, 0.8)
        solved = solve_corners(given_, table_in, SIZE, focal_35mm=26.0 if known else None)
        places = rng.uniform(0, 1, (6, 2)) * table_in
        for z, into in ((0.0, squares), (1.5, raised)):
            pixels = view.pixel_from_table(np.column_stack([places, np.full(len(places), z)]))
            at, covariance = solved.table_from_pixel(pixels, z)
            into.append(np.einsum("ni,nij,nj->n", at - places, np.linalg.inv(covariance), at - places))
    for found in (np.concatenate(squares), np.concatenate(raised)):
        assert np.sqrt(found.mean() / 2) == pytest.approx(1.0, abs=0.25)
        assert np.mean(found < 5.991) > 0.88


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_exact_corners_of_an_exact_table_give_the_pose(seed: int) -> None:
    rng = np.random.default_rng(seed)
    view = random_view(rng, LONG, known=True)
    camera = replace(view.camera, covariance=np.diag([1.0, 1.0, 1.0, 1.0, 1e-8, 1e-8, 1e-12, 1e-12, 1e-8]))
    pixels = view.pixel_from_table(flat(outline(LONG)))
    solved = solve_corners(TableCorners(pixels, np.full(4, 0.1)), LONG, SIZE, camera=camera)
    assert np.abs(solved.point_from_pixel(pixels, 0.0) - outline(LONG)).max() < 0.02
    assert solved.camera.source == "stored" and solved.markers_seen == ()


def test_a_named_slip_of_the_hand_costs_what_is_said() -> None:
    view = random_view(np.random.default_rng(1), SQUARE, known=True)
    pixels = view.pixel_from_table(flat(outline(SQUARE)))
    rough = solve_corners(corners_by_hand(pixels, SIZE), SQUARE, SIZE, focal_35mm=26.0)
    fine = solve_corners(TableCorners(pixels, np.full(4, 1.0)), SQUARE, SIZE, focal_35mm=26.0)
    assert table_sigma_in(rough, SQUARE) > 1.5 * table_sigma_in(fine, SQUARE) > 0.07
    (said,) = rough.warnings
    assert f"uncertain by up to {2 * table_sigma_in(rough, SQUARE):.1f}″, in its middle by 0.3″" in said
    assert "too close" in said


def test_edges_of_a_wide_open_lens_tell_its_distortion() -> None:
    view = view_over((18, -14, 36), (18, 17, 0), size=SIZE, focal_px=2900.0, dist=(0.12, -0.1, 0, 0, 0))
    rng = np.random.default_rng(2)
    solved = solve_corners(seen_edges(rng, view, outline(SQUARE), 0.5, 40), SQUARE, SIZE, focal_35mm=26.0)
    prior = np.sqrt(exif_prior(SIZE, 26.0).covariance[4, 4])
    assert np.sqrt(solved.covariance[4, 4]) < 0.4 * prior
    assert abs(solved.camera.dist[0] - 0.12) < 3 * np.sqrt(solved.covariance[4, 4])


@pytest.mark.parametrize("turns", [0, 3])
@pytest.mark.parametrize(
    ("table_in", "eye", "near_by"),
    [
        (SQUARE, (16, -14, 36), (16, -14, 36)),
        # 30 of 48 inches away: the far long edge is the nearer one, so the table is turned by 180 degrees
        (LONG, (-24, 30, 52), (96, 18, 52)),
    ],
)
def test_corners_without_an_order_start_at_the_edge_nearest_the_camera(
    table_in: tuple[float, float], eye: tuple[float, float, float], near_by: tuple[float, float, float], turns: int
) -> None:
    view = view_over(eye, (table_in[0] / 2, table_in[1] / 2, 0), size=SIZE, focal_px=2900.0)
    found = replace(seen_edges(np.random.default_rng(3), view, outline(table_in), 0.5), ordered=False).roll(turns)
    solved = solve_corners(found, table_in, SIZE, focal_35mm=26.0)
    assert np.abs(solved.eye - near_by).max() < 1.5
    assert "edge nearest the camera" in solved.warnings[0] and "name the corners" in solved.warnings[0]


def test_one_marker_tells_which_edge_is_which() -> None:
    view = view_over((16, -14, 36), (18, 17, 0), size=SIZE, focal_px=2900.0)
    # the players' near edge is the one far from the camera
    layout = FrameLayout("DICT_APRILTAG_36h11", 3.0, (FrameMarker(0, (34.5, 34.5), 180.0),))
    seen = FrameLayout("DICT_APRILTAG_36h11", 3.0, (FrameMarker(0, (1.5, 1.5), 0.0),))
    corners = view.pixel_from_table(seen.corners(0))[None]
    markers = Markers(np.array([0]), corners, np.array([0.2]), np.ones(1), np.zeros(1, np.int64))
    found = replace(seen_edges(np.random.default_rng(5), view, outline(SQUARE), 0.5), ordered=False)
    solved = solve_corners(found, SQUARE, SIZE, focal_35mm=26.0, markers=markers, layout=layout)
    assert np.abs(solved.eye - [20, 50, 36]).max() < 0.8 and solved.markers_seen == (0,)
    (said,) = solved.warnings
    assert said.startswith("Only frame marker 0 seen")
    astray = FrameLayout("DICT_APRILTAG_36h11", 3.0, (FrameMarker(0, (18.0, 18.0), 0.0),))
    with pytest.raises(PoseRejected, match="36 × 36″ with frame marker 0 where the file puts it"):
        solve_corners(found, SQUARE, SIZE, focal_35mm=26.0, markers=markers, layout=astray)


def test_a_wrong_stated_focal_length_gives_way() -> None:
    view = view_over((16, -14, 36), (18, 17, 0), size=SIZE, focal_px=2900.0)
    given_ = seen_edges(np.random.default_rng(6), view, outline(SQUARE), 0.5)
    solved = solve_corners(given_, SQUARE, SIZE, focal_35mm=60.0)
    assert solved.camera.source == "markers" and "60 mm" in solved.warnings[0]
    assert solved.camera.K[0, 0] == pytest.approx(2900, rel=0.1)


@pytest.mark.parametrize(
    ("size_in", "focal", "says"),
    [
        (
            (48.0, 72.0),
            26.0,
            r"of 48 × 72″ seen by this photo's camera: check their order \(near-left, .*, or choose 72x48",
        ),
        ((48.0, 72.0), None, r"of 48 × 72″: check their order \(near-left, .*, or choose 72x48"),
        ((48.0, 48.0), 26.0, r"of 48 × 48″ seen by this photo's camera: .*, or choose 72x48 or 44x30"),
        ((60.0, 20.0), 26.0, r"or choose 44x30"),
    ],
)
def test_corners_of_a_rectangle_of_another_shape_are_refused(
    size_in: tuple[float, float], focal: float | None, says: str
) -> None:
    view = view_over((36, -26, 62), (36, 22, 0), size=SIZE, focal_px=2900.0)
    pixels = view.pixel_from_table(flat(outline(LONG)))
    with pytest.raises(PoseRejected, match=says):
        solve_corners(corners_by_hand(pixels, SIZE), size_in, SIZE, focal_35mm=focal)


def test_corners_outside_the_picture_place_the_table_less_surely() -> None:
    """Near corners far outside: what is left of them is solved for, and said to be uncertain by more than when seen."""
    view = view_over((36, -20, 36), (36, 24, 0), size=SIZE, focal_px=2900.0)
    pixels = view.pixel_from_table(flat(outline(LONG)))
    assert pixels[0, 0] < -500
    named = corners_by_hand(pixels, SIZE)
    assert named.sigma_px[0] > 1.5 * named.sigma_px[2]
    inside = np.array([[30.0, 20.0, 0.0], [50.0, 40.0, 0.0]])
    solved = solve_corners(named, LONG, SIZE, focal_35mm=26.0)
    assert np.abs(solved.point_from_pixel(view.pixel_from_table(inside), 0.0) - inside[:, :2]).max() < 0.4
    _, surely = solve_corners(
        TableCorners(pixels, named.sigma_px[2:].repeat(2)), LONG, SIZE, focal_35mm=26.0
    ).table_from_pixel(view.pixel_from_table(inside), 0.0)
    _, stated = solved.table_from_pixel(view.pixel_from_table(inside), 0.0)
    assert np.trace(stated[0]) > 1.3 * np.trace(surely[0])


@pytest.mark.parametrize(
    ("size_in", "named"), [((30.0, 22.0), None), ((None, 22.0), None), ((30.0, None), (20.0, 11.0))]
)
def test_a_rectangle_on_the_table_places_the_whole_table(
    size_in: tuple[float | None, float | None], named: tuple[float, float] | None
) -> None:
    view = view_over((36, -26, 62), (36, 22, 0), size=SIZE, focal_px=2900.0)
    at = np.array(named or (21.0, 13.0))
    pixels = view.pixel_from_table(flat(outline((30.0, 22.0)) + at))
    solved = solve_corners(
        TableCorners(pixels, np.full(4, 1.0)), size_in, SIZE, table_in=LONG, at=named, focal_35mm=26.0
    )
    corners = outline(LONG)
    off, covariance = solved.table_from_pixel(view.pixel_from_table(flat(corners)), 0.0)
    off -= corners
    assert np.all(np.einsum("ni,nij,nj->n", off, np.linalg.inv(covariance), off) < 6)
    assert np.abs(off).max() < 1.5
    assert any("in the middle of the table" in said for said in solved.warnings) == (named is None)
    assert any("named is" in said for said in solved.warnings) == (None in size_in)


GOOD = np.array([(300.0, 2500.0), (3700.0, 2600.0), (3000.0, 500.0), (900.0, 450.0)])


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        (GOOD[::-1], "The corners go round clockwise: give them as near-left, near-right, far-right, far-left"),
        (GOOD[[0, 2, 1, 3]], "The table's sides cross: give the corners as near-left"),
        (GOOD[[0, 1, 3, 2]], "The table's sides cross"),
        (
            [*GOOD[:2], (9100.0, 20.0), GOOD[3]],
            r"The far-right corner \(9100, 20\) is more than 4032 pixels outside the",
        ),
        ([*GOOD[:2], (np.nan, 20.0), GOOD[3]], r"The far-right corner \(nan, 20\) is more than"),
        ([*GOOD[:2], (1500.0, 2000.0), GOOD[3]], "The far-right corner lies inside the triangle of the other three"),
        ([GOOD[0], (1200.0, 1400.0), *GOOD[2:]], "The near-right corner lies inside the triangle"),
        ([GOOD[0], (310.0, 2500.0), *GOOD[2:]], "The near-left and near-right corners are only 10 pixels apart"),
    ],
)
def test_corners_that_are_none_are_refused(corners: npt.ArrayLike, says: str) -> None:
    with pytest.raises(CornersRejected, match=says):
        corners_by_hand(corners, SIZE)
