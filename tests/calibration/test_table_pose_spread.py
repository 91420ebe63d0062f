"""The stated spread of mapped points is the spread over many noisy re-solves (mrcal's test-projection-uncertainty).

Each trial draws a lens from the prior, lays the markers anew within the layout's tolerance and adds corner noise. Over
the trials, the observed mean square error at every place and height must be the predicted one within 20 % in spread.
"""

import numpy as np
import pytest

from calibration import Camera
from calibration.adjustment import AdjustmentConfig
from calibration.lens_prior import LensPrior, exif_prior, stored_priors
from calibration.table import TablePoseConfig, solve_table
from tests.support.pose_simulation import PHONE, SIZE, drawn_camera, errors, look, see, table_grid, table_layout

TRIALS = 200
GRID = table_grid(n=4, heights=(0.0, 0.12, 1.0))
SPREAD = np.diag([1.5, 1.5, 2.0, 2.0, 2e-3, 4e-3, 5e-5, 5e-5, 2e-3]) ** 2
STORED = Camera(PHONE.K, PHONE.dist, PHONE.size, SPREAD, 0.2, "board")


def resolve(
    prior: LensPrior,
    carelessness: float,
    config: TablePoseConfig,
    camera: Camera | None = None,
    elevation_deg: float = 55.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Errors (trials, n, 2) at the grid and stated covariances (trials, n, 2, 2)."""
    rng = np.random.default_rng(20)
    layout = table_layout()
    found = []
    for _ in range(TRIALS):
        view = look(drawn_camera(prior, rng), elevation_deg=elevation_deg, target=(18.0, 17.0), distance_in=58.0)
        seen = see(view, layout, rng, carelessness=carelessness, noise_px=0.1)
        solved = solve_table(seen, layout, SIZE, camera=camera, focal_35mm=26.0, config=config)
        found.append(errors(view, solved, GRID))
    return np.array([e for e, _ in found]), np.array([c for _, c in found])


def known_tolerance(scale: float) -> TablePoseConfig:
    """The layout's tolerance as known: no averaging."""
    return TablePoseConfig(adjustment=AdjustmentConfig(layout_scales=(scale,), layout_scale_weights=(1.0,)))


def check_spread(error: np.ndarray, covariance: np.ndarray, within: float) -> None:
    observed = np.sqrt(np.mean(np.sum(error**2, axis=2), axis=0))
    predicted = np.sqrt(np.mean(np.trace(covariance, axis1=2, axis2=3), axis=0))
    np.testing.assert_allclose(observed / predicted, 1.0, atol=within)
    # ellipses, not only their size
    distance2 = np.einsum("kni,knij,knj->kn", error, np.linalg.inv(covariance), error)
    assert 0.9 <= np.mean(distance2 < 5.991) <= 0.99


@pytest.mark.slow
@pytest.mark.parametrize(
    ("carelessness", "elevation_deg", "camera", "within"),
    [
        *((carelessness, at, None, 0.2) for carelessness, at in ((0.1, 35.0), (1.0, 35.0), (1.0, 88.0))),
        *((carelessness, 55.0, STORED, 0.2) for carelessness in (0.1, 1.0)),
        *((carelessness, 55.0, None, 0.25) for carelessness in (0.3, 1.0)),  # its tolerance is found from the photo
    ],
)
def test_spread_with_and_without_a_calibration(
    carelessness: float, elevation_deg: float, camera: Camera | None, within: float
) -> None:
    prior = exif_prior(SIZE, 26.0) if camera is None else stored_priors(camera, SIZE)[0]
    config = TablePoseConfig() if within > 0.2 else known_tolerance(carelessness)
    error, covariance = resolve(prior, carelessness, config, camera, elevation_deg)
    check_spread(error, covariance, within)


@pytest.mark.slow
def test_an_exact_layout_never_looks_worse_than_it_is_stated() -> None:
    error, covariance = resolve(exif_prior(SIZE, 26.0), 0.0, TablePoseConfig())
    observed = np.sqrt(np.mean(np.sum(error**2, axis=2), axis=0))
    predicted = np.sqrt(np.mean(np.trace(covariance, axis1=2, axis2=3), axis=0))
    assert np.all(observed < 1.1 * predicted)
    assert np.all(predicted < 0.015)
