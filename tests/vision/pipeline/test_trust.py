"""The trust map and picture: what spread is stated where, and what a photo from elsewhere would give."""

from dataclasses import replace

import numpy as np
import pytest

from calibration import TableView
from calibration.adjustment import AdjustmentConfig, MarkerSights, adjust
from calibration.camera import Camera
from calibration.lens_prior import exif_prior
from tests.support.table_scenes import FRAME, looking_at
from tests.support.trust_scenes import FOCAL_35MM, TABLE, observed, solved
from vision.drawing.trust_picture import TrustLook, trust_picture
from vision.pipeline.trust import (
    TrustConfig,
    looking_from,
    predicted_view,
    trust_map,
    trust_of,
)

VIEW = solved()


def test_the_far_side_is_known_worse_and_the_picture_bounds_the_map() -> None:
    trust = trust_map([VIEW], TABLE)
    assert trust.spread_in[-1].mean() > 1.2 * trust.spread_in[0].mean()
    assert np.isfinite(trust.worst_in) and trust.worst_in >= np.median(trust.spread_in)
    near = looking_at(target=(4.0, 4.0), distance_in=9.0)
    part = trust_map([near], TABLE)
    assert np.isinf(part.spread_in).any() and np.isinf(part.worst_in)
    assert ((part.px_per_inch == 0) == np.isinf(part.spread_in)).all()
    shown = near.pixel_from_table([[*place, 0.12] for place in [(4, 4), (17, 17)]])
    assert np.isfinite(part.at(part.spread_in, [(4, 4)])) and (shown[1] < 0).any() | (shown[1] > 1600).any()


def test_two_photos_are_never_worse_than_one_and_across_better() -> None:
    other = solved(azimuth_deg=0.0)
    one, both = trust_map([VIEW], TABLE), trust_map([VIEW, other], TABLE)
    assert (both.spread_in <= one.spread_in + 1e-9).all()
    assert both.worst_in < 0.75 * one.worst_in


def test_a_spread_agrees_with_the_covariance_reckoned_for_one_base() -> None:
    """At a grid node: camera, pixels and height by the view's own covariance of one pixel."""
    config, trust = TrustConfig(), trust_map([VIEW], TABLE)
    j, i = 7, 3
    pixel = VIEW.pixel_from_table([[trust.x[j], trust.y[i], 0.12]])
    noise = {"pixel_sigma_px": config.outline_px, "z_sigma_in": config.height_in}
    _, alone = VIEW.table_from_pixel(pixel, 0.12, **noise)
    assert trust.covariance[i, j] == pytest.approx(alone[0] + config.outline_in**2 * np.eye(2), rel=1e-6)
    assert trust.at(trust.spread_in, [(trust.x[j], trust.y[i])]) == pytest.approx(trust.spread_in[i, j])


@pytest.mark.slow
def test_a_predicted_view_states_the_spread_that_repeated_photos_have() -> None:
    """Lens drawn from what is known of it, markers laid off their places, corners seen with noise, all solved again:
    the errors at a place are as large as predicted."""
    rng = np.random.default_rng(5)
    truth = looking_at(elevation_deg=55.0, distance_in=28.0, dist=(0.0, 0.0, 0.0, 0.0, 0.0))
    prior = exif_prior(truth.camera.size, FOCAL_35MM)
    prior = replace(prior, mean=truth.camera.parameters)
    predicted = predicted_view(truth, FRAME, layout_scale=0.3, prior=prior, sigma_px=0.2)
    assert predicted is not None
    place = np.array([[14.0, 13.0, 0.0]])
    _, stated = predicted.table_from_pixel(predicted.pixel_from_table(place), 0.0)
    corners = np.array([FRAME.corners(i)[:, :2] for i in FRAME.ids])
    centers = corners.mean(axis=1)
    errors = []
    config = AdjustmentConfig(max_rounds=3)
    for _ in range(60):
        camera = Camera.from_parameters(prior.mean + prior.root @ rng.normal(size=9), truth.camera.size)
        real = replace(truth, camera=camera)
        laid = corners + rng.normal(0.0, 0.3 * config.layout_sigma_in, (len(corners), 1, 2))
        flat = np.concatenate([laid.reshape(-1, 2), np.zeros((laid.size // 2, 1))], axis=1)
        pixels = real.pixel_from_table(flat).reshape(-1, 4, 2) + rng.normal(0.0, 0.2, corners.shape)
        markers = MarkerSights(FRAME.ids, pixels, np.full(len(corners), 0.2), centers, corners - centers[:, None])
        fit = adjust(markers, prior, truth.R, truth.t, scale=0.3, noise=1.0, config=config)
        seen = TableView(Camera.from_parameters(fit.parameters, truth.camera.size), fit.R, fit.t)
        errors.append((seen.point_from_pixel(real.pixel_from_table(place), 0.0) - place[:, :2])[0])
    actual = float(np.sqrt(np.mean(np.square(errors))))
    assert actual == pytest.approx(float(np.sqrt(np.trace(stated[0]) / 2)), rel=0.3)


def test_phones_elsewhere_look_at_the_whole_table() -> None:
    for azimuth, way in ((180.0, (0, -1)), (90.0, (1, 0)), (0.0, (0, 1)), (270.0, (-1, 0))):
        pose = looking_from(VIEW, FRAME, TABLE, azimuth, 55.0)
        assert pose is not None
        there = replace(VIEW, R=pose[0], t=pose[1])
        assert there.elevation_deg((9.0, 9.0)) == pytest.approx(55.0)
        assert (there.eye[:2] - 9.0) @ np.array(way) > 5
        pixels = there.pixel_from_table([[x, y, 0.0] for x in (0, 18) for y in (0, 18)])
        assert (pixels > 0).all() and (pixels < there.camera.size).all()
        size = np.array(there.camera.size)
        assert np.minimum(pixels, size - pixels).min() < 0.1 * size.max()


def test_a_view_that_shows_two_markers_predicts_nothing() -> None:
    near = looking_at(target=(9.0, 2.0), distance_in=14.0, elevation_deg=70.0)
    assert predicted_view(near, FRAME) is None


def test_bases_that_are_less_sure_than_reckoned_widen_the_map() -> None:
    plain = trust_map([VIEW], TABLE)
    assert trust_of(observed(VIEW, 1e-4)).worst_in == pytest.approx(plain.worst_in)
    wide = trust_of(observed(VIEW, 0.2))
    assert wide.worst_in > 2 * plain.worst_in
    assert trust_of(observed(VIEW, 0.2, n=2)).worst_in == pytest.approx(plain.worst_in)


def picture(tag_size_in: float = 0.0, view: TableView = VIEW) -> np.ndarray:
    image = np.full((view.camera.size[1], view.camera.size[0], 3), 120, np.uint8)
    before = image.copy()
    drawn = trust_picture(image, observed(view, 0.02), tag_size_in=tag_size_in, look=TrustLook(height_px=240))
    assert (image == before).all()
    return drawn


def test_the_picture_has_photo_plan_and_legend() -> None:
    drawn = picture(0.6)
    assert drawn.dtype == np.uint8 and drawn.shape[0] > 240 and drawn.shape[1] > 450
    again = picture(0.6)
    assert (drawn == again).all()
    small = picture(0.1)
    assert small.shape != drawn.shape or (small != drawn).any()
