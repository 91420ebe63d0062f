"""Known outlines fitted to drawn photographs with exact truth."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.table_scenes import RED, DrawnBase, Sheet, looking_at
from vision import BaseShape
from vision.bases.outline import OutlineConfig, OutlineFit, PhotoEvidence, Start, fit_outline, fit_outlines, silhouette
from vision.imaging.rims import RimConfig, chromaticity, chromaticity_of

ROUND = BaseShape(1.575, 1.575, 0.12, is_round=True)
SQUARE = BaseShape(1.6, 1.6, 0.12)
FOOT, OVAL = BaseShape(2.0, 1.25, 0.12), BaseShape(3.62, 4.72, 0.12, is_oval=True)
PAINT = chromaticity_of(RED)
GROUND = chromaticity(np.array([[[60, 108, 96]]], np.uint8))[0, 0].astype(np.float64)


def fit(
    image: np.ndarray, view, base: DrawnBase, start: tuple[float, float, float], z: float | None = None
) -> OutlineFit | None:
    at = (base.x + start[0], base.y + start[1], base.facing + start[2])
    return fit_outline(PhotoEvidence(image, view), base.shape, at, base.z if z is None else z, PAINT, GROUND)


def error(found: OutlineFit, base: DrawnBase) -> tuple[float, float]:
    turn = abs((found.facing - base.facing + 90.0) % 180.0 - 90.0)
    return float(np.hypot(found.x - base.x, found.y - base.y)), turn


@pytest.mark.parametrize(
    ("elevation", "facing", "shape"),
    [(55.0, 33.0, FOOT), (50.0, 70.0, OVAL), pytest.param(35.0, 118.0, FOOT, marks=pytest.mark.slow)],
)
def test_fit_finds_place_and_direction(elevation: float, facing: float, shape: BaseShape) -> None:
    view = looking_at(elevation_deg=elevation)
    base = DrawnBase(9.3, 8.6, facing, shape)
    sheet = Sheet(view, seed=5)
    sheet.base(base)
    found = fit(sheet.picture(), view, base, (0.07, -0.06, 2.0))
    assert found is not None
    away, turn = error(found, base)
    assert away < 0.02
    assert turn < 0.6
    assert found.coverage > 0.85
    assert min(found.support) > 0.6
    if shape.is_oval:  # the rectangle of its sizes does not lie on it
        rect = fit(sheet.picture(), view, replace(base, shape=replace(shape, is_oval=False)), (0.0, 0.0, 0.0))
        assert rect is None or rect.coverage < found.coverage - 0.1


@pytest.mark.parametrize(("shape", "least_rad"), [(ROUND, 1.0), (BaseShape(1.6, 1.5, 0.12, is_oval=True), 0.15)])
def test_round_base_keeps_its_centre(shape: BaseShape, least_rad: float) -> None:
    view = looking_at(elevation_deg=45.0)
    base = DrawnBase(7.1, 10.2, 0.0, shape)
    sheet = Sheet(view, seed=6)
    sheet.base(base)
    found = fit(sheet.picture(), view, base, (0.08, 0.05, 0.0))
    assert found is not None
    assert error(found, base)[0] < 0.02
    assert np.sqrt(found.covariance[2, 2]) > least_rad  # a circle has no direction, and such an oval hardly any


@pytest.mark.slow
@pytest.mark.parametrize("shape", [SQUARE, OVAL])
def test_spread_covers_the_error(shape: BaseShape) -> None:
    inside = total = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        view = looking_at(elevation_deg=float(rng.uniform(35, 80)), azimuth_deg=float(rng.uniform(-140, -40)))
        base = DrawnBase(*rng.uniform(6, 12, 2), float(rng.uniform(0, 180)), shape)
        sheet = Sheet(view, seed=seed)
        sheet.base(base)
        found = fit(sheet.picture(), view, base, tuple(rng.normal(0, 0.05, 3)))
        assert found is not None
        off = np.array([found.x - base.x, found.y - base.y])
        inside += float(off @ np.linalg.solve(found.covariance[:2, :2], off)) <= 5.991
        total += 1
    assert inside >= total - 2


def test_partly_hidden_base_is_still_found() -> None:
    view = looking_at()
    base = DrawnBase(9.0, 9.0, 20.0)
    sheet = Sheet(view, seed=7)
    sheet.base(base)
    sheet.polygon([[9.3, 7.5, 0.3], [10.6, 7.5, 0.3], [10.6, 10.5, 0.3], [9.3, 10.5, 0.3]], (70, 90, 50))
    found = fit(sheet.picture(), view, base, (0.05, 0.05, 1.0))
    assert found is not None
    assert error(found, base)[0] < 0.04
    assert 0.4 < found.coverage < 0.85


def test_outside_the_picture_is_no_base() -> None:
    view = looking_at()
    assert fit(Sheet(view).picture(), view, DrawnBase(60.0, 9.0, 0.0), (0.0, 0.0, 0.0)) is None


@pytest.mark.parametrize("true_z", [0.5, pytest.param(0.0, marks=pytest.mark.slow)])
def test_size_tells_the_height(true_z: float) -> None:
    view = looking_at(distance_in=30.0, focal=2400.0, width_px=2400, height_px=1800)
    base = DrawnBase(9.0, 9.0, 15.0, z=true_z)
    sheet = Sheet(view, seed=10, grain=6.0)
    sheet.base(base)
    image = sheet.picture()
    # Where its pixels put it if it stood a little too low.
    wrong = max(0.0, true_z - 0.3)
    x, y = view.point_from_pixel(view.pixel_from_table([[base.x, base.y, true_z + 0.12]]), wrong + 0.12)[0]
    found = fit(image, view, replace(base, x=float(x), y=float(y)), (0.0, 0.0, 0.0), z=wrong)
    assert found is not None
    assert found.z + found.rise_in == pytest.approx(true_z, abs=0.25)


def test_silhouette_takes_the_lower_edge_only_where_it_faces_the_camera() -> None:
    shape = BaseShape(2.0, 1.25, 0.12)
    eye = np.array([9.0, -10.0, 20.0])
    points, outward, side = silhouette(shape, np.array([9.0, 9.0, 0.0]), 0.5, eye, OutlineConfig())
    assert set(points[side == 2, 2]) == {0.5}  # the rear side faces the camera
    assert set(points[side == 0, 2]) == {0.62}
    assert np.allclose(np.linalg.norm(outward, axis=1), 1.0)


def test_evidence_cut_outside_the_picture_is_none() -> None:
    view = looking_at()
    photo = PhotoEvidence(Sheet(view).picture(), view, RimConfig())
    assert photo.cut(np.array([[-500.0, -500.0]]), 5.0, PAINT, GROUND) is None


def test_many_outlines_at_once_are_fitted_as_each_alone() -> None:
    view = looking_at(elevation_deg=50.0, distance_in=34.0)
    bases = [DrawnBase(6.0, 7.0, 20.0), DrawnBase(9.5, 8.5, 0.0, ROUND), DrawnBase(11.5, 11.0, 75.0, SQUARE)]
    sheet = Sheet(view, seed=11)
    for base in bases:
        sheet.base(base)
    photo = PhotoEvidence(sheet.picture(), view)
    starts = [Start(b.shape, b.x + 0.05, b.y - 0.04, b.facing + 1.0, 0.0, PAINT, GROUND) for b in bases]
    starts.insert(1, replace(starts[0], x=60.0))  # not in the picture
    starts.append(replace(starts[0], x=3.0, y=15.0))  # bare ground
    together = fit_outlines(photo, starts)
    alone = [fit_outlines(photo, [start])[0] for start in starts]
    assert [f is None for f in together] == [f is None for f in alone]
    assert together[1] is None and sum(f is not None for f in together) >= 3
    for one, other in zip(together, alone, strict=True):
        if one is not None and other is not None:
            for name in ("x", "y", "facing", "coverage", "rms_px", "outward_px", "rise_in", "rise_sigma_in"):
                assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-6, rel=1e-6), name
            assert np.allclose(one.covariance, other.covariance, atol=1e-9, rtol=1e-6)
    assert fit_outlines(photo, []) == []
