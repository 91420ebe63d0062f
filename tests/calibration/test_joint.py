"""Photos solved together: exact where the data are exact, honest over many noisy re-solves, better than one photo."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.adjustment import AdjustmentConfig
from calibration.joint import JointConfig, TieSights, lens_prior_of, solve_together
from calibration.lens_prior import LensPriorConfig, exif_prior, shot_covariance, stored_priors
from calibration.table import TablePoseConfig, solve_table
from tests.support.joint_simulation import (
    drawn_lenses,
    real_markers,
    real_tags,
    round_the_table,
    seen,
    sight,
    tie_priors,
)
from tests.support.pose_simulation import PHONE, SIZE, errors, look, table_grid, table_layout

GRID = table_grid(n=4, heights=(0.0, 0.12, 1.0))
LAYOUT = table_layout()


def trials(
    count: int, carelessness: float, *, photos: int = 3, seed: int = 3
) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
    """Errors (n, 2) and covariances (n, 2, 2) at the grid: alone, then together, one entry for each photo."""
    rng = np.random.default_rng(seed)
    adjustment = AdjustmentConfig(layout_scales=(carelessness,), layout_scale_weights=(1.0,))
    alone, alone_says, joined, joined_says = [], [], [], []
    for _ in range(count):
        views = round_the_table(drawn_lenses(photos, rng), rng)
        markers, tags = real_markers(LAYOUT, rng, carelessness), real_tags(12, rng)
        pose = TablePoseConfig(adjustment=adjustment)
        sights = [sight(view, markers, tags, LAYOUT, rng, pose) for view in views]
        together = solve_together(sights, tie_priors(tags), JointConfig(adjustment=adjustment))
        assert together.moved_ties == () and together.moved_markers == ()
        for view, one, better in zip(views, sights, together.views, strict=True):
            for solved, error, says in ((one.view, alone, alone_says), (better, joined, joined_says)):
                off, covariance = errors(view, solved, GRID)
                error.append(off)
                says.append(covariance)
    return alone, alone_says, joined, joined_says


def rms(error: np.ndarray) -> np.ndarray:
    return np.sqrt(np.mean(np.sum(np.asarray(error) ** 2, axis=2), axis=0))


@pytest.mark.slow
@pytest.mark.parametrize("carelessness", [0.1, 1.0])
def test_the_spread_is_honest_and_smaller_than_one_photos(carelessness: float) -> None:
    alone, alone_says, joined, joined_says = trials(20, carelessness)
    predicted = np.sqrt(np.mean(np.trace(np.array(joined_says), axis1=2, axis2=3), axis=0))
    assert np.mean(rms(joined) / predicted) == pytest.approx(1.0, abs=0.2)
    assert np.max(rms(joined) / predicted) < 1.25
    inside = np.einsum("kni,knij,knj->kn", joined, np.linalg.inv(joined_says), joined) < 5.991
    assert 0.93 <= np.mean(inside) <= 0.99
    assert np.mean(rms(joined)) < (0.75 if carelessness < 0.5 else 0.95) * np.mean(rms(alone))
    narrower = np.trace(np.array(joined_says), axis1=2, axis2=3).mean() / np.trace(alone_says, axis1=2, axis2=3).mean()
    assert narrower < 1.0


def table_of_two(seed: int = 1, carelessness: float = 0.3, photos: int = 3):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    views = round_the_table(drawn_lenses(photos, rng), rng)
    markers, tags = real_markers(LAYOUT, rng, carelessness), real_tags(9, rng)
    return rng, views, markers, tags


def test_a_tag_that_a_hand_moved_is_left_out_and_told() -> None:
    rng, views, markers, tags = table_of_two()
    moved = {**tags, 4: tags[4] + [0.0, 0.25, 0.0], 5: tags[5] + [3.0, -2.0, 0.0]}
    sights = [sight(v, markers, t, LAYOUT, rng) for v, t in zip(views, (tags, tags, moved), strict=True)]
    still = [replace(s, ties=without(s.ties, (4, 5))) for s in sights]
    told = solve_together(sights, tie_priors(tags))
    assert told.moved_ties == (4, 5)
    calm = solve_together(still, tie_priors(tags))
    for a, b in zip(told.views, calm.views, strict=True):
        assert a.pixel_from_table(GRID) == pytest.approx(b.pixel_from_table(GRID), abs=0.05)


def without(ties: TieSights, ids: tuple[int, ...]) -> TieSights:
    rows = [k for k, i in enumerate(ties.ids) if i not in ids]
    return TieSights(tuple(ties.ids[k] for k in rows), ties.pixels[rows], ties.sigma_px[rows])


def test_a_frame_marker_that_was_pushed_between_photos_is_told() -> None:
    rng, views, markers, tags = table_of_two(carelessness=0.1)
    pushed = {**markers, 2: markers[2] + [0.12, 0.1, 0.0]}
    sights = [sight(v, m, tags, LAYOUT, rng) for v, m in zip(views, (markers, markers, pushed), strict=True)]
    told = solve_together(sights, tie_priors(tags))
    assert told.moved_markers == (2,)
    for view, better in zip(views, told.views, strict=True):
        assert np.abs(errors(view, better, GRID)[0]).max() < 0.15


def test_one_photo_comes_out_as_by_itself() -> None:
    rng, views, markers, tags = table_of_two(photos=1)
    config = JointConfig(marker_rise_in=1e-6)
    one = sight(views[0], markers, tags, LAYOUT, rng)
    (again,) = solve_together([one], tie_priors(tags), config).views
    assert again.pixel_from_table(GRID) == pytest.approx(one.view.pixel_from_table(GRID), abs=0.3)
    assert again.markers_seen == one.view.markers_seen
    spread = [v.table_from_pixel(v.pixel_from_table(GRID), GRID[:, 2])[1] for v in (again, one.view)]
    ratio = np.trace(spread[0], axis1=1, axis2=2) / np.trace(spread[1], axis1=1, axis2=2)
    assert np.all((ratio > 0.8) & (ratio < 1.25))


def test_a_photo_with_two_markers_joins_through_the_others() -> None:
    rng, views, markers, tags = table_of_two(seed=6)
    few = {i: markers[i] for i in (0, 1)}
    pose = TablePoseConfig(min_markers=2, max_sigma_in=np.inf)
    sights = [sight(views[0], few, tags, LAYOUT, rng, pose)]
    sights += [sight(v, markers, tags, LAYOUT, rng) for v in views[1:]]
    joined = solve_together(sights, tie_priors(tags)).views[0]
    before, after = (np.abs(errors(views[0], v, GRID)[0]).max() for v in (sights[0].view, joined))
    assert after < 0.08 < before


@pytest.mark.slow
def test_photos_of_one_phone_share_its_lens_only_as_far_as_a_lens_holds_still() -> None:
    rng, views, markers, tags = table_of_two()
    sights = [sight(v, markers, tags, LAYOUT, rng) for v in views]
    strangers = [replace(s, lens=None) for s in sights]
    shared, apart = (solve_together(s, tie_priors(tags)) for s in (sights, strangers))
    together = [t.cross(0, 1)[0, 0] / np.sqrt(t.cross(0, 0)[0, 0] * t.cross(1, 1)[0, 0]) for t in (shared, apart)]
    assert together[0] > together[1] + 0.1
    focal = [v.camera.K[0, 0] for v in shared.views]
    assert np.ptp(focal) < 4 * LensPriorConfig().stored_focal_rel * focal[0]


def test_the_lens_prior_is_the_one_that_solved_the_photo() -> None:
    rng = np.random.default_rng(2)
    found = seen(look(PHONE), {i: LAYOUT.corners(i) for i in LAYOUT.ids}, rng)
    stored = replace(PHONE, covariance=shot_covariance(PHONE.parameters, SIZE))
    (prior,) = stored_priors(stored, SIZE)[:1]
    assert prior.covariance == pytest.approx(2 * stored.covariance), "a lens moves again from shot to shot"
    assert lens_prior_of(solve_table(found, LAYOUT, SIZE, camera=stored), stored).mean == pytest.approx(prior.mean)
    assert lens_prior_of(solve_table(found, LAYOUT, SIZE, focal_35mm=26.0), None, 26.0).source == "exif"
    unknown = lens_prior_of(solve_table(found, LAYOUT, SIZE))
    assert unknown.source == "markers"
    assert unknown.mean[0] == pytest.approx(exif_prior(SIZE, 26.0).mean[0])


def test_no_photo_is_nothing_to_solve() -> None:
    with pytest.raises(ValueError, match="at least one photo"):
        solve_together([], {})
