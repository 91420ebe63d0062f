"""Joint least squares of one camera, one board and many views of it, with a covariance supported by the pictures.

Unknowns: the camera (9), the board's own shape (5: printed a little long, skewed or bowed), and a pose (6) per picture.
The poses are eliminated (Schur complement). Camera and shape have wide priors, so that nothing is left undetermined.

The covariance: with H the reduced normal equations, H = data + prior, it is H^-1 data H^-1 (the spread over pictures)
plus H^-1 prior H^-1 (the part known only from the prior), if every corner's error were independent. They are not: lens
model, paper and focus err alike within one picture. So the corners' noise is first raised by the overdispersion that
they show, and the first part is taken mostly from solving again without each picture in turn (the jackknife; Efron
1982), and increasingly so with more pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.projection import cross_matrices, project, project_with_jacobian, turn

Array = npt.NDArray[np.float64]

CAMERA = 9
SHAPE = 5  # long along x, skew, bow xx, xy, yy
COMMON = CAMERA + SHAPE


@dataclass(frozen=True)
class BundleConfig:
    """Spreads are one standard deviation. Distortion terms are stated as the share by which they move a point at the
    picture's corner; ``centre_of_long_side`` of the principal point; ``shape_rel`` of the board's print (longer along
    one side, skewed) and ``bow_rel`` of its bow, in half diagonals of the board. ``noise_dof``: how much a picture's
    noise is drawn to that of all pictures; ``floor_px`` the least corner noise that is believed.
    """

    focal_of_long_side: tuple[float, ...] = (0.5, 0.75, 1.0, 1.4, 2.0, 3.0, 4.5)
    pixel_aspect_rel: float = 0.002
    centre_of_long_side: float = 0.04
    corner_k1: float = 0.3
    corner_k2: float = 0.15
    corner_k3: float = 0.03
    tangential: float = 0.003
    shape_rel: float = 0.004
    bow_rel: float = 0.004
    huber_sigma: float = 2.5
    noise_dof: float = 12.0
    floor_px: float = 0.02
    rounds: int = 6
    overdispersion_rounds: int = 2
    most_resamples: int = 24
    resample_dof: float = 4.0
    resample_rounds: int = 2
    steps: int = 40


@dataclass(frozen=True, eq=False)
class BoardView:
    """Corners of one picture: ``points`` (n, 2) on the board, inches, ``pixels`` (n, 2), ``relative_sigma`` (n,) how
    much less certain a corner is than the picture's usual one."""

    points: Array
    pixels: Array
    relative_sigma: Array


@dataclass(frozen=True, eq=False)
class Bundle:
    """The solution: camera ``parameters`` (9,), board ``shape`` (5,), poses ``R`` (k, 3, 3) and ``t`` (k, 3), joint
    ``covariance`` (14, 14) of camera and shape, per view ``residuals`` (n, 2) px, weights (n,) that the robust fit gave
    each corner, and ``noise_px`` (k,). ``overdispersion``: how many times larger the variance is than for independent
    corners."""

    parameters: Array
    shape: Array
    R: Array
    t: Array
    covariance: Array
    residuals: tuple[Array, ...]
    weights: tuple[Array, ...]
    noise_px: Array
    overdispersion: float

    @property
    def rms_px(self) -> float:
        """Root mean square distance (2D) of the corners that the fit trusts."""
        squares = [float((w * (r**2).sum(axis=1)).sum()) for r, w in zip(self.residuals, self.weights, strict=True)]
        return float(np.sqrt(sum(squares) / max(sum(float(w.sum()) for w in self.weights), 1e-9)))


@dataclass(eq=False)
class _State:
    common: Array
    R: Array
    t: Array


def solve_bundle(
    views: Sequence[BoardView], size: tuple[int, int], half_diagonal: float, config: BundleConfig | None = None
) -> Bundle:
    """Solve camera, board shape and poses from ``views`` of a board of ``half_diagonal`` inches in pictures of
    ``size``.

    ValueError for no views or for fewer than 4 corners in one; the caller judges whether the views are sufficient.
    """
    config = config or BundleConfig()
    if not views or min(len(view.points) for view in views) < 4:
        raise ValueError("solve_bundle needs views of at least 4 corners each.")
    state = _start(views, size, config)
    prior_mean, prior_sigma = _prior(state.common[0], size, config)
    noise = np.full(len(views), 1.0)
    weights = [np.ones(len(view.points)) for view in views]
    for round_number in range(config.rounds):
        state = _descend(views, state, noise, weights, prior_mean, prior_sigma, half_diagonal, config)
        prior_mean, prior_sigma = _prior(state.common[0], size, config)
        residuals = [_residuals(view, state, k, half_diagonal) for k, view in enumerate(views)]
        if round_number == 0:
            noise = np.array([max(_median_noise(r, v), config.floor_px) for r, v in zip(residuals, views, strict=True)])
        weights = [_huber(r, v, s, config) for r, v, s in zip(residuals, views, noise, strict=True)]
        noise = _noise(residuals, views, weights, config)
    inflation = 1.0
    for _ in range(config.overdispersion_rounds):
        told = _information(views, state, noise * inflation, weights, prior_sigma, half_diagonal)
        inflation = inflation * float(np.sqrt(_overdispersion(*told)))
        state = _descend(views, state, noise * inflation, weights, prior_mean, prior_sigma, half_diagonal, config)
    covariance = _covariance(
        views, state, noise * inflation, weights, prior_mean, prior_sigma, half_diagonal, inflation, config
    )
    residuals = [_residuals(view, state, k, half_diagonal) for k, view in enumerate(views)]
    return Bundle(
        state.common[:CAMERA],
        state.common[CAMERA:],
        state.R,
        state.t,
        covariance,
        tuple(residuals),
        tuple(weights),
        noise,
        inflation**2,
    )


def deform_points(points: Array, shape: Array, half_diagonal: float) -> Array:
    """Board points (n, 2) at their true places (n, 3), inches."""
    x, y = points[:, 0], points[:, 1]
    long, skew, *bow = shape
    z = (bow[0] * x * x + bow[1] * x * y + bow[2] * y * y) / half_diagonal
    return np.column_stack([x * (1 + long / 2) + skew / 2 * y, y * (1 - long / 2) + skew / 2 * x, z])


def _shape_jacobian(points: Array, half_diagonal: float) -> Array:
    """Derivatives (n, 3, 5) of ``shaped``."""
    x, y = points[:, 0], points[:, 1]
    out = np.zeros((len(points), 3, SHAPE))
    out[:, 0, 0], out[:, 1, 0] = x / 2, -y / 2
    out[:, 0, 1], out[:, 1, 1] = y / 2, x / 2
    out[:, 2, 2], out[:, 2, 3], out[:, 2, 4] = x * x / half_diagonal, x * y / half_diagonal, y * y / half_diagonal
    return out


def _prior(focal: float, size: tuple[int, int], config: BundleConfig) -> tuple[Array, Array]:
    """Mean and spread (14,) of the common unknowns, where unknown 0 is fx and unknown 1 is fy - fx."""
    corner2 = (np.hypot(*size) / 2 / focal) ** 2
    mean: Array = np.zeros(COMMON)
    mean[0] = focal
    mean[2:4] = (size[0] - 1) / 2, (size[1] - 1) / 2
    centre = config.centre_of_long_side * max(size)
    distortion = [config.corner_k1 / corner2, config.corner_k2 / corner2**2, config.tangential, config.tangential]
    sigma = np.array(
        [10 * focal, config.pixel_aspect_rel * focal, centre, centre, *distortion, config.corner_k3 / corner2**3]
        + [config.shape_rel] * 2
        + [config.bow_rel] * 3
    )
    return mean, sigma


def _start(views: Sequence[BoardView], size: tuple[int, int], config: BundleConfig) -> _State:
    """The focal length of a list that fits all views best, with the pose of each view for it."""
    best: tuple[float, _State] | None = None
    for share in config.focal_of_long_side:
        f = share * max(size)
        common = np.zeros(COMMON)
        common[:4] = f, f, (size[0] - 1) / 2, (size[1] - 1) / 2
        poses = [plane_pose(view, common[:CAMERA]) for view in views]
        errors = [error for _, _, error in poses]
        cost = float(np.median(errors))
        if best is None or cost < best[0]:
            best = cost, _State(common, np.array([p[0] for p in poses]), np.array([p[1] for p in poses]))
    assert best is not None
    return best[1]


def plane_pose(view: BoardView, parameters: Array) -> tuple[Array, Array, float]:
    """The better of the two poses of a flat board: R (3, 3), t (3,) and its rms in px."""
    K = np.array([[parameters[0], 0, parameters[2]], [0, parameters[1], parameters[3]], [0, 0, 1.0]])
    points = np.column_stack([view.points, np.zeros(len(view.points))])
    count, turns, places, errors = cv2.solvePnPGeneric(points, view.pixels, K, parameters[4:9], flags=cv2.SOLVEPNP_IPPE)
    candidates = [
        (cv2.Rodrigues(w)[0], np.ravel(t), float(e))
        for w, t, e in zip(turns[:count], places[:count], np.ravel(errors)[:count], strict=True)
        if np.isfinite(t).all() and np.ravel(t)[2] > 0
    ]
    if not candidates:
        distance = parameters[0] * float(np.ptp(view.points)) / max(float(np.ptp(view.pixels)), 1.0)
        return np.eye(3), np.array([0.0, 0.0, distance]), 1e6
    R, t, error = min(candidates, key=lambda c: c[2])
    return np.asarray(R, dtype=np.float64), np.asarray(t, dtype=np.float64), error


def _camera(common: Array) -> Array:
    return common[:CAMERA]


def _residuals(view: BoardView, state: _State, k: int, half_diagonal: float) -> Array:
    points = deform_points(view.points, state.common[CAMERA:], half_diagonal)
    return project(points @ state.R[k].T + state.t[k], _camera(state.common)) - view.pixels


def _blocks(view: BoardView, state: _State, k: int, half_diagonal: float) -> tuple[Array, Array, Array]:
    """Residuals (2n,) and their derivatives by the common unknowns (2n, 14) and by the pose (2n, 6)."""
    points = deform_points(view.points, state.common[CAMERA:], half_diagonal)
    turned = points @ state.R[k].T
    pixels, by_point, by_camera = project_with_jacobian(turned + state.t[k], _camera(state.common))
    by_camera[:, :, 0] += by_camera[:, :, 1]  # unknown 0 moves fx and fy together, unknown 1 fy alone
    by_shape = by_point @ (state.R[k] @ _shape_jacobian(view.points, half_diagonal))
    by_pose = np.concatenate([by_point @ -cross_matrices(turned), by_point], axis=2)
    common = np.concatenate([by_camera, by_shape], axis=2).reshape(-1, COMMON)
    return (pixels - view.pixels).ravel(), common, by_pose.reshape(-1, 6)


def _unknowns(common: Array) -> Array:
    out = common.copy()
    out[1] = common[1] - common[0]
    return out


def _apply_step(state: _State, common_step: Array, pose_steps: Array) -> _State:
    step = common_step.copy()
    step[1] += common_step[0]
    R = np.array([turn(s[:3]) @ r for s, r in zip(pose_steps, state.R, strict=True)])
    return _State(state.common + step, R, state.t + pose_steps[:, 3:])


def _cost(
    views: Sequence[BoardView],
    state: _State,
    noise: Array,
    weights: list[Array],
    mean: Array,
    sigma: Array,
    half: float,
) -> float:
    if state.common[0] <= 0 or np.any(state.t[:, 2] <= 0):
        return float("inf")
    total = float((((_unknowns(state.common) - mean) / sigma) ** 2).sum())
    for k, view in enumerate(views):
        r = _residuals(view, state, k, half) / (noise[k] * view.relative_sigma[:, None])
        total += float((weights[k][:, None] * r**2).sum())
    return total if np.isfinite(total) else float("inf")


def _descend(
    views: Sequence[BoardView],
    state: _State,
    noise: Array,
    weights: list[Array],
    mean: Array,
    sigma: Array,
    half: float,
    config: BundleConfig,
) -> _State:
    """Levenberg and Marquardt, with the poses eliminated."""
    damping = 1e-3
    cost = _cost(views, state, noise, weights, mean, sigma, half)
    for _ in range(config.steps):
        prior_gradient = (_unknowns(state.common) - mean) / sigma**2
        parts = [_normal(view, state, k, noise[k], weights[k], half) for k, view in enumerate(views)]
        for _ in range(12):
            reduced = np.diag(1 / sigma**2) + sum(p.A for p in parts)
            reduced = reduced + damping * np.diag(np.diag(reduced))
            right = -prior_gradient - sum(p.a for p in parts)
            inverses = [np.linalg.inv(p.C + damping * np.diag(np.diag(p.C)) + 1e-12 * np.eye(6)) for p in parts]
            for p, inverse in zip(parts, inverses, strict=True):
                reduced = reduced - p.B @ inverse @ p.B.T
                right = right + p.B @ inverse @ p.c
            step = sigma * np.linalg.solve(reduced * np.outer(sigma, sigma), right * sigma)
            poses = np.array([-i @ (p.c + p.B.T @ step) for p, i in zip(parts, inverses, strict=True)])
            trial = _apply_step(state, step, poses)
            new_cost = _cost(views, trial, noise, weights, mean, sigma, half)
            if new_cost < cost:
                break
            damping *= 5
        else:
            return state
        settled = cost - new_cost < 1e-7 * cost
        state, cost, damping = trial, new_cost, max(damping * 0.2, 1e-12)
        if settled:
            return state
    return state


@dataclass(frozen=True, eq=False)
class _Normal:
    """Normal equations of one view: common block A, a; mixed block B; pose block C, c."""

    A: Array
    B: Array
    C: Array
    a: Array
    c: Array


def _normal(view: BoardView, state: _State, k: int, noise: float, weights: Array, half: float) -> _Normal:
    residual, common, pose = _blocks(view, state, k, half)
    w = np.repeat(weights / (noise * view.relative_sigma) ** 2, 2)
    weighted_common, weighted_pose = common * w[:, None], pose * w[:, None]
    return _Normal(
        weighted_common.T @ common,
        weighted_common.T @ pose,
        weighted_pose.T @ pose,
        weighted_common.T @ residual,
        weighted_pose.T @ residual,
    )


def _median_noise(residuals: Array, view: BoardView) -> float:
    return float(np.median(np.abs(residuals / view.relative_sigma[:, None]))) / 0.6745


def _huber(residuals: Array, view: BoardView, noise: float, config: BundleConfig) -> Array:
    """Weights (n,): 1 near, falling beyond ``huber_sigma``, nothing beyond three times that."""
    size = np.linalg.norm(residuals, axis=1) / (noise * view.relative_sigma * np.sqrt(2.0))
    weights = np.minimum(1.0, config.huber_sigma / np.maximum(size, 1e-9))
    return np.where(size > 3 * config.huber_sigma, 0.0, weights)


def _noise(residuals: list[Array], views: Sequence[BoardView], weights: list[Array], config: BundleConfig) -> Array:
    """Corner noise (k,) of every view: its own, drawn to that of all by ``noise_dof``."""
    squares = np.array(
        [
            float((w[:, None] * (r / v.relative_sigma[:, None]) ** 2).sum())
            for r, v, w in zip(residuals, views, weights, strict=True)
        ]
    )
    counts = np.array([2 * float(w.sum()) for w in weights])
    dof = np.maximum(counts - 6 - COMMON / len(views), 1.0)
    usual = float(np.median(squares / dof))
    variance = (squares + config.noise_dof * usual) / (dof + config.noise_dof)
    return np.sqrt(np.maximum(variance, config.floor_px**2))


def _information(
    views: Sequence[BoardView], state: _State, noise: Array, weights: list[Array], sigma: Array, half: float
) -> tuple[Array, Array]:
    """Each view's information about the common unknowns, poses eliminated: matrices (k, 14, 14) and gradients (k, 14),
    in units of the priors."""
    matrices, gradients = [], []
    for k, view in enumerate(views):
        p = _normal(view, state, k, noise[k], weights[k], half)
        inverse = np.linalg.inv(p.C)
        matrices.append((p.A - p.B @ inverse @ p.B.T) * np.outer(sigma, sigma))
        gradients.append((p.a - p.B @ inverse @ p.c) * sigma)
    return np.array(matrices), np.array(gradients)


def _overdispersion(matrices: Array, gradients: Array) -> float:
    """How many times larger the jackknife's variance is (one step: Bell and McCaffrey 2002, "CR3") than the variance
    for independent corners, over all information of the views; at least 1."""
    one = np.eye(COMMON)
    total = one + matrices.sum(axis=0)
    inverse = np.linalg.inv(total)
    pulls = np.array(
        [inverse @ np.linalg.solve(one - part @ inverse, g) for part, g in zip(matrices, gradients, strict=True)]
    )
    n = len(pulls)
    told = float(np.trace(inverse @ matrices.sum(axis=0)))
    return max(1.0, float(np.trace(total @ (pulls.T @ pulls))) * (n - 1) / n / told)


def _covariance(
    views: Sequence[BoardView],
    state: _State,
    noise: Array,
    weights: list[Array],
    mean: Array,
    sigma: Array,
    half: float,
    inflation: float,
    config: BundleConfig,
) -> Array:
    """Covariance (14, 14) of camera and shape; see the module's text."""
    matrices, _ = _information(views, state, noise, weights, sigma, half)
    data = matrices.sum(axis=0)
    inverse = np.linalg.inv(np.eye(COMMON) + data)
    groups = np.array_split(np.arange(len(views)), min(len(views), config.most_resamples))
    left = []
    for group in groups:
        rest = np.setdiff1d(np.arange(len(views)), group)
        if len(rest) == 0:
            continue
        start = _State(state.common, state.R[rest], state.t[rest])
        chosen = [views[k] for k in rest]
        solved = _descend(chosen, start, noise[rest], [weights[k] for k in rest], mean, sigma, half, config)
        for _ in range(config.resample_rounds):
            residuals = [_residuals(view, solved, k, half) for k, view in enumerate(chosen)]
            again = [
                _huber(r, v, s, config) for r, v, s in zip(residuals, chosen, noise[rest] / inflation, strict=True)
            ]
            solved = _descend(
                chosen, solved, inflation * _noise(residuals, chosen, again, config), again, mean, sigma, half, config
            )
        left.append(_unknowns(solved.common) / sigma)
    g = len(left)
    jackknife = np.cov(np.array(left).T, bias=True) * (g - 1) if g > 1 else np.zeros((COMMON, COMMON))
    share = g / (g + config.resample_dof)
    sampling = share * jackknife + (1 - share) * inverse @ data @ inverse
    mix = np.eye(COMMON)
    mix[1, 0] = 1.0  # back to (fx, fy) from (fx, fy - fx)
    return mix @ ((sampling + inverse @ inverse) * np.outer(sigma, sigma)) @ mix.T
