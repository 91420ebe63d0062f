"""The rectified map against pictures whose every pixel is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.picture_scenes import photo_of, view_over
from vision.imaging.rectify import MapScale, in_field, rectified_map, visible_mask

TABLE = (36.0, 30.0)


def waves(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return 128 + 55 * np.sin(0.45 * x + 0.2) + 55 * np.cos(0.35 * y - 0.1 * x)


def painted(scale: MapScale) -> np.ndarray:
    w, h = scale.size
    columns, rows = np.meshgrid(np.arange(w), np.arange(h))
    points = scale.table_from_pixel(np.stack([columns.ravel(), rows.ravel()], axis=1))
    return waves(points[:, 0], points[:, 1]).reshape(h, w)


@pytest.mark.parametrize(("px_per_inch", "z"), [(17.3, 2.0), pytest.param(40.0, 0.0, marks=pytest.mark.slow)])
def test_every_map_pixel_shows_its_own_place(px_per_inch: float, z: float) -> None:
    view = view_over()
    got = rectified_map(photo_of(view, waves, z), view, TABLE, px_per_inch=px_per_inch, z=z, margin_in=0.7)
    scale = MapScale(*TABLE, px_per_inch=px_per_inch, margin_in=0.7)
    assert got.shape == (scale.size[1], scale.size[0], 3)
    columns, rows = np.meshgrid(np.arange(scale.size[0]), np.arange(scale.size[1]))
    places = scale.table_from_pixel(np.stack([columns.ravel(), rows.ravel()], axis=1))
    at = view.pixel_from_table(np.column_stack([places, np.full(len(places), z)]))
    w, h = view.camera.size
    shown = ((at > 4) & (at < (w - 5, h - 5))).all(axis=1).reshape(got.shape[:2])
    assert shown.mean() > 0.8
    assert np.abs(got[..., 0].astype(float) - painted(scale))[shown].max() < 3.0


@pytest.mark.parametrize(("focal_px", "px_per_inch", "z"), [(450.0, 5.0, 0.0), (900.0, 8.0, 1.5), (1600.0, 20.0, 0.0)])
def test_what_a_photo_shows_is_told_to_a_pixel(focal_px: float, px_per_inch: float, z: float) -> None:
    view = view_over(focal_px=focal_px)
    scale = MapScale(*TABLE, px_per_inch=px_per_inch, margin_in=0.7)
    columns, rows = np.meshgrid(np.arange(scale.size[0]), np.arange(scale.size[1]))
    places = scale.table_from_pixel(np.stack([columns.ravel(), rows.ravel()], axis=1))
    points = np.column_stack([places, np.full(len(places), z)])
    w, h = view.camera.size
    clear = np.full(len(points), -1e6)  # photo pixels to the picture's edge
    seen = in_field(view, points)
    at = view.pixel_from_table(points[seen])
    clear[seen] = np.minimum(at, (w - 1, h - 1) - at).min(axis=1) + 0.5
    density = np.linalg.norm(np.diff(view.pixel_from_table([[18, 15, z], [18 + 1 / px_per_inch, 15, z]]), axis=0))
    wrong = (clear.reshape(columns.shape) >= 0) != visible_mask(view, scale, z)
    assert np.abs(clear.reshape(columns.shape)[wrong]).max(initial=0.0) < max(1.0, density)
    assert 0.02 < (clear >= 0).mean() <= 1.0


def test_fine_marks_in_a_dense_photo_are_averaged() -> None:
    view = view_over(eye=(18.0, 14.0, 34.0), target=(18.0, 15.0, 0.0), dist=(0, 0, 0, 0, 0))
    w, h = view.camera.size
    checks = ((np.add.outer(np.arange(h), np.arange(w)) % 2) * 255).astype(np.uint8)
    photo = np.repeat(checks[..., None], 3, axis=2)
    got = rectified_map(photo, view, (20.0, 20.0), px_per_inch=4.0)
    assert abs(got.mean() - 127.5) < 3 and got.std() < 25  # single samples would have a deviation of about 100


def test_ground_beyond_the_photo_has_the_stated_colour() -> None:
    view = view_over(eye=(4.0, 3.0, 12.0), target=(4.0, 6.0, 0.0))
    got = rectified_map(photo_of(view, waves), view, TABLE, px_per_inch=6.0, outside_bgr=(1, 2, 3))
    assert (got[10, -10] == (1, 2, 3)).all()
    assert (got[-20:, 20:30] != (1, 2, 3)).any()


def test_a_lens_that_folds_shows_no_ghosts() -> None:
    """Barrel distortion beyond its turning point maps far ground back into the picture: it must stay blank."""
    view = view_over(
        eye=(18.0, 15.0, 12.0), target=(18.0, 15.5, 0.0), dist=(-0.45, 0.0, 0.0, 0.0, 0.0), focal_px=1000.0
    )
    got = rectified_map(np.full((680, 900, 3), 200, np.uint8), view, (200.0, 200.0), px_per_inch=2.0, margin_in=80.0)
    shown = np.argwhere(got[..., 0] == 200)
    assert len(shown) > 100
    scale = MapScale(200.0, 200.0, 2.0, 80.0)
    places = scale.table_from_pixel(shown[:, ::-1])
    assert np.hypot(*(places - (18.0, 15.0)).T).max() < 13.0


def test_a_photo_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="100 x 80 pixels but its camera was solved for 900 x 680"):
        rectified_map(np.zeros((80, 100, 3), np.uint8), view_over(), TABLE)


@pytest.mark.parametrize(
    "bad", [(0.0, 30.0, 10.0, 0.0), (36.0, -1.0, 10.0, 0.0), (36.0, 30.0, 0.0, 0.0), (36, 30, 10, -1)]
)
def test_a_map_that_cannot_be(bad: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        MapScale(*bad)


@given(
    st.floats(4, 120), st.floats(4, 120), st.floats(1, 60), st.floats(0, 6), st.floats(-10, 130), st.floats(-10, 130)
)
def test_map_pixels_and_inches_round_trip(w: float, d: float, ppi: float, margin: float, x: float, y: float) -> None:
    scale = MapScale(w, d, ppi, margin)
    pixel = scale.pixel_from_table([[x, y]])
    assert scale.table_from_pixel(pixel)[0] == pytest.approx((x, y), abs=1e-9)
    moved = scale.pixel_from_table([[x + 1, y + 1]])[0] - pixel[0]
    assert moved == pytest.approx((ppi, -ppi), rel=1e-9)
