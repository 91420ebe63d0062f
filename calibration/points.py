"""Camera and pose from many places on the table that were found again in a photo, with their covariance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from calibration.camera import Camera, TableView
from calibration.lens_prior import LensPrior
from calibration.projection import cross_matrices, project_with_jacobian, turn, turn_jacobian

Array = npt.NDArray[np.float64]

VIEW = 15  # parameters of a view: camera, small turn, t


@dataclass(frozen=True)
class PointFitConfig:
    """``floor_px``: the least noise assumed of a point along each axis (one standard deviation); ``huber_sigma``: from
    how many sigmas on a point counts less; ``max_rounds``: how often noise and weights are computed again."""

    floor_px: float = 0.1
    huber_sigma: float = 2.5
    max_rounds: int = 6


@dataclass(frozen=True, eq=False)
class PointFit:
    """A solved ``view``; ``residuals`` (n, 2) in pixels; ``noise_px`` along each axis (one standard deviation);
    ``by_place`` (15, n, 3): how the view's parameters change with each place, per inch; ``log_evidence`` of the prior
    and the points, except for a constant of the data."""

    view: TableView
    residuals: Array
    noise_px: float
    by_place: Array
    log_evidence: float


def fit_points(
    pixels: npt.ArrayLike,
    places: npt.ArrayLike,
    prior: LensPrior,
    R: Array,
    t: Array,
    config: PointFitConfig | None = None,
) -> PointFit | None:
    """The view in which table ``places`` (n, 3) in inches appear at ``pixels`` (n, 2), near a pose ``R`` (3, 3), ``t``
    (3,); ``None`` where they are not in front of a camera above the table. Noise is estimated from the residuals, and
    points far off count less."""
    config = config or PointFitConfig()
    seen, points = np.asarray(pixels, dtype=np.float64), np.asarray(places, dtype=np.float64)
    n = len(seen)
    x = np.zeros(VIEW)
    x[12:] = t
    noise, trim = 1.0, np.ones(n)
    for _ in range(config.max_rounds):
        weight = trim / noise

        def evaluate(v: Array, weight: Array = weight, R: Array = R) -> tuple[Array, Array]:
            return _evaluate(v, seen, points, weight, prior, R)

        x = least_squares(
            lambda v: evaluate(v)[0], x, jac=lambda v: evaluate(v)[1], method="lm", xtol=1e-7, ftol=1e-7, max_nfev=30
        ).x
        residuals, jacobian = evaluate(x)
        R = turn(x[9:12]) @ R
        x[9:12] = 0
        if not np.all(np.isfinite(x)) or not np.all(points @ R[2] + x[14] > 0) or (-R.T @ x[12:])[2] <= 0:
            return None
        off = residuals[: 2 * n].reshape(n, 2) / weight[:, None]
        distance, last = np.linalg.norm(off, axis=1), noise
        noise = max(config.floor_px, 1.4826 * float(np.median(np.abs(off))))
        trim = np.sqrt(np.minimum(1.0, config.huber_sigma * noise / np.maximum(distance, 1e-12)))
        if abs(noise / last - 1) < 0.01:
            break
    normal = jacobian.T @ jacobian
    root = np.eye(VIEW)
    root[:9, :9] = prior.root
    gain = root @ np.linalg.solve(normal, jacobian[: 2 * n].T)  # (15, 2n): the view's change with each whitened pixel
    covariance = root @ np.linalg.inv(normal) @ root.T
    camera = Camera.from_parameters(
        prior.mean + prior.root @ x[:9], prior.size, covariance=covariance[:9, :9], source=prior.source
    )
    view = TableView(
        camera=camera,
        R=R,
        t=x[12:].copy(),
        covariance=(covariance + covariance.T) / 2,
        rms_px=float(np.sqrt(np.mean(off**2))),
        corner_sigma_px=noise,
        points=n,
    )
    by_point, _ = view.pixel_jacobian(points)
    by_place = -np.einsum("vnk,nkj->vnj", gain.reshape(VIEW, n, 2) * weight[:, None], by_point)
    evidence = -residuals @ residuals / 2 - np.linalg.slogdet(normal)[1] / 2 - 2 * n * np.log(noise)
    return PointFit(view, off, noise, by_place, float(evidence + prior.log_chance))


def _evaluate(x: Array, seen: Array, points: Array, weight: Array, prior: LensPrior, R: Array) -> tuple[Array, Array]:
    """Whitened residuals of the points and of the camera's prior, and their Jacobian."""
    n = len(seen)
    turned = points @ (turn(x[9:12]) @ R).T
    pixels, by_point, by_camera = project_with_jacobian(turned + x[12:], prior.mean + prior.root @ x[:9])
    by_turn = by_point @ (-cross_matrices(turned) @ turn_jacobian(x[9:12]))
    rows = np.concatenate([by_camera @ prior.root, by_turn, by_point], axis=2) * weight[:, None, None]
    jacobian = np.zeros((2 * n + 9, VIEW))
    jacobian[: 2 * n] = rows.reshape(2 * n, VIEW)
    jacobian[2 * n :, :9] = np.eye(9)
    return np.concatenate([((pixels - seen) * weight[:, None]).ravel(), x[:9]]), jacobian


__all__ = ["PointFit", "PointFitConfig", "fit_points"]
