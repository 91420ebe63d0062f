"""Joint least squares of lens, pose and the frame markers, with its covariance.

Unknowns: the camera (9, whitened by its prior), a small turn of the view (3), t (3), per marker its true offset
(shift right and away, turn, size) and how far light bleeds over its edges in the picture, and a size error that all
markers share (the print's scale). Every unknown but the pose has a prior, so the problem is never short of equations;
what the markers cannot determine stays as wide as the prior. A marker's four corners are as correlated as in reality.

The layout's tolerance is itself unknown: players place markers by eye or in a jig. Tolerances are averaged by their
evidence (Laplace's approximation; MacKay, Information Theory, ch. 27 and 28), in the tangent space of the most likely:
means of poses far apart would leave the curved valley between focal length and distance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from calibration.lens_prior import LensPrior
from calibration.projection import cross_matrices, project_with_jacobian, turn, turn_jacobian

Array = npt.NDArray[np.float64]

VIEW = 15  # parameters of a view: camera, small turn, t
OWN = 5  # parameters of each marker: right, away, turn, size, bleed


@dataclass(frozen=True)
class AdjustmentConfig:
    """Spreads are one standard deviation. ``layout_scales`` multiply the layout's spreads (place, turn, size), with
    ``layout_scale_weights`` as their prior chances; ``model_px_of_long_side`` is how far a real lens strays
    locally from five distortion terms; ``edge_bleed_px`` how far white grows over a marker's black edges.
    """

    layout_sigma_in: float = 0.04
    layout_sigma_deg: float = 1.0
    layout_scales: tuple[float, ...] = (0.03, 0.1, 0.3, 1.0, 2.5)
    layout_scale_weights: tuple[float, ...] = (0.1, 0.15, 0.25, 0.35, 0.15)
    marker_size_rel: float = 0.002
    edge_bleed_px: float = 0.3
    print_scale_rel: float = 0.005
    model_px_of_long_side: float = 2e-5
    corner_floor_px: float = 0.03
    noise_prior_dof: float = 10.0
    huber_sigma: float = 3.0
    max_rounds: int = 8


@dataclass(frozen=True, eq=False)
class MarkerSights:
    """Frame markers seen: ``ids`` (m,), seen corners ``pixels`` (m, 4, 2) with ``sigma_px`` (m,), where the layout puts
    them: ``centers`` (m, 2), ``offsets`` (m, 4, 2) of the corners from the centre, inches."""

    ids: tuple[int, ...]
    pixels: Array
    sigma_px: Array
    centers: Array
    offsets: Array

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: npt.ArrayLike) -> MarkerSights:
        i = np.atleast_1d(np.asarray(index, dtype=np.intp))
        return MarkerSights(
            tuple(self.ids[k] for k in i), self.pixels[i], self.sigma_px[i], self.centers[i], self.offsets[i]
        )

    @property
    def pixels_per_inch(self) -> Array:
        """Mean scale of each marker's picture (m,)."""
        sides = np.linalg.norm(self.pixels - np.roll(self.pixels, 1, axis=1), axis=2)
        inches = np.linalg.norm(self.offsets - np.roll(self.offsets, 1, axis=1), axis=2)
        return (sides / inches).mean(axis=1)


@dataclass(frozen=True, eq=False)
class Fit:
    """A solved view: camera ``parameters`` (9,), ``R``, ``t``, their joint ``covariance`` (15, 15); each marker's
    ``shifts`` (m, 5) from the layout (inches right, inches away, degrees clockwise, relative size; px of edge bleed),
    ``noise`` the factor on the stated corner noise, ``rms_px``, ``cost`` (half the sum of squares, Huber's for
    corners), ``log_evidence`` up to a constant of the data, ``layout_scale`` the tolerance assumed,
    ``tangent`` for others.
    """

    parameters: Array
    R: Array
    t: Array
    covariance: Array
    shifts: Array
    noise: float
    rms_px: float
    cost: float
    log_evidence: float
    layout_scale: float
    tangent: _Tangent


@dataclass(frozen=True, eq=False)
class _Tangent:
    """A problem linearised at a solution ``x``: corner ``residuals`` (8m,) and their ``jacobian``, whitened, and the
    ``spread`` (m, 5) of the markers' own unknowns that they are whitened by."""

    problem: _Problem
    residuals: Array
    jacobian: Array
    x: Array

    def at(self, scales: Array) -> tuple[Array, Array, float]:
        """The step (15,) of the view to the solution at other layout tolerances (m,), its covariance (15, 15) and
        log evidence."""
        ratio = np.ones(len(self.x))
        ratio[VIEW:-1] = (self.problem.spreads(scales) / self.problem.spread).ravel()
        jacobian = self.jacobian * ratio
        x = self.x / ratio
        bound = np.ones(len(x))
        bound[9:VIEW] = 0  # the pose has no prior
        normal = jacobian.T @ jacobian + np.diag(bound)
        step = -np.linalg.solve(normal, jacobian.T @ self.residuals + bound * x)
        left = self.residuals + jacobian @ step
        cost = (left @ left + bound @ (x + step) ** 2) / 2
        evidence = -cost - np.linalg.slogdet(normal)[1] / 2
        root = np.eye(VIEW)
        root[:9, :9] = self.problem.prior.root
        covariance = root @ np.linalg.inv(normal)[:VIEW, :VIEW] @ root.T
        return root @ step[:VIEW], (covariance + covariance.T) / 2, float(evidence)


class _Problem:
    """Residuals and Jacobian of one adjustment around a rotation, at one layout tolerance and noise factor."""

    def __init__(
        self, markers: MarkerSights, prior: LensPrior, R: Array, scales: Array, weights: Array, config: AdjustmentConfig
    ) -> None:
        self.markers, self.prior, self.R = markers, prior, R
        self.weights = weights  # (m, 4) multiplies residuals: 1 / sigma, and less for outlying corners
        self.config = config
        self.outward = outward(markers.pixels)
        self.spread = self.spreads(scales)
        self.print_scale = config.print_scale_rel
        self._seen: tuple[bytes, Array, Array] | None = None

    def spreads(self, scales: Array) -> Array:
        """Standard deviations (m, 5) of the markers' own unknowns at layout tolerances (m,)."""
        config, markers = self.config, self.markers
        model_in = config.model_px_of_long_side * max(self.prior.size) / markers.pixels_per_inch
        place = np.hypot(scales * config.layout_sigma_in, model_in)
        turned = scales * np.radians(config.layout_sigma_deg)
        bleed = np.full(len(markers), config.edge_bleed_px)
        return np.stack([place, place, turned, scales * config.marker_size_rel, bleed], axis=1)

    def evaluate(self, x: Array) -> tuple[Array, Array]:
        """Whitened residuals (8m + 9 + 5m + 1,) and their Jacobian."""
        key = x.tobytes()
        if self._seen is None or self._seen[0] != key:
            self._seen = (key, *self._evaluate(x))
        return self._seen[1], self._seen[2]

    def _evaluate(self, x: Array) -> tuple[Array, Array]:
        markers, m = self.markers, len(self.markers)
        camera = self.prior.mean + self.prior.root @ x[:9]
        w, t = x[9:12], x[12:15]
        laid = x[VIEW:-1].reshape(m, OWN) * self.spread
        size = np.exp(laid[:, 3] + self.print_scale * x[-1])[:, None]
        c, s = np.cos(laid[:, 2])[:, None], np.sin(laid[:, 2])[:, None]
        ox, oy = markers.offsets[..., 0], markers.offsets[..., 1]
        arm = np.stack([c * ox + s * oy, -s * ox + c * oy], axis=2) * size[..., None]
        table = np.zeros((m, 4, 3))
        table[..., :2] = markers.centers[:, None] + laid[:, None, :2] + arm
        rotation = turn(w) @ self.R
        turned = table.reshape(-1, 3) @ rotation.T
        pixels, by_point, by_camera = project_with_jacobian(turned + t, camera)
        weight = self.weights.reshape(-1, 1)

        n = 8 * m
        bled = pixels + (self.outward * laid[:, 4, None, None]).reshape(-1, 2)
        residuals = np.concatenate([(weight * (bled - markers.pixels.reshape(-1, 2))).ravel(), x[:9], x[VIEW:]])
        jacobian = np.zeros((n + 9 + OWN * m + 1, len(x)))
        pixel_rows = jacobian[:n].reshape(4 * m, 2, len(x))
        pixel_rows[:, :, :9] = by_camera @ self.prior.root
        pixel_rows[:, :, 9:12] = by_point @ (-cross_matrices(turned) @ turn_jacobian(w))
        pixel_rows[:, :, 12:15] = by_point
        by_table = (by_point @ rotation[:, :2]).reshape(m, 4, 2, 2)
        by_turn = np.stack([arm[..., 1], -arm[..., 0]], axis=2)
        for k in range(m):
            rows = pixel_rows[4 * k : 4 * k + 4]
            at = VIEW + OWN * k
            rows[:, :, at : at + 2] = by_table[k] * self.spread[k, :2]
            rows[:, :, at + 2] = np.einsum("cij,cj->ci", by_table[k], by_turn[k]) * self.spread[k, 2]
            rows[:, :, at + 3] = np.einsum("cij,cj->ci", by_table[k], arm[k])
            rows[:, :, -1] = rows[:, :, at + 3] * self.print_scale
            rows[:, :, at + 3] *= self.spread[k, 3]
            rows[:, :, at + 4] = self.outward[k] * self.spread[k, 4]
        pixel_rows *= weight[:, :, None]
        jacobian[n : n + 9, :9] = np.eye(9)
        jacobian[n + 9 :, VIEW:] = np.eye(OWN * m + 1)
        return residuals, jacobian


def outward(pixels: Array) -> Array:
    """How each corner (m, 4, 2) of clockwise quads moves when all four edges move outward by one pixel."""
    along = np.roll(pixels, -1, axis=1) - pixels
    along = along / np.linalg.norm(along, axis=2, keepdims=True)
    after = np.stack([along[..., 1], -along[..., 0]], axis=2)  # normal of the edge that leaves a corner
    before = np.roll(after, 1, axis=1)
    return np.linalg.solve(np.stack([before, after], axis=2), np.ones((*pixels.shape[:2], 2, 1)))[..., 0]


def adjust(
    markers: MarkerSights,
    prior: LensPrior,
    R: Array,
    t: Array,
    *,
    scale: float | Array = 1.0,
    noise: float | None = None,
    start: Array | None = None,
    config: AdjustmentConfig | None = None,
) -> Fit:
    """The best fit near a pose (R, t) at one layout tolerance, or one for each marker (m,); the noise is read off the
    residuals unless given.

    ``start`` (9,) are camera parameters to begin with, by default the prior's mean.
    """
    config = config or AdjustmentConfig()
    m = len(markers)
    sigma = np.repeat(np.hypot(markers.sigma_px, config.corner_floor_px)[:, None], 4, axis=1)
    x = np.zeros(VIEW + OWN * m + 1)
    if start is not None:
        x[:9] = np.linalg.lstsq(prior.root, start - prior.mean, rcond=1e-9)[0]
    x[12:15] = t
    factor, trim = noise or 1.0, np.ones((m, 4))
    scales = np.broadcast_to(np.asarray(scale, dtype=np.float64), (m,))
    for round_ in range(config.max_rounds):
        problem = _Problem(markers, prior, R, scales, trim / (sigma * factor), config)
        solved = least_squares(
            lambda v, p=problem: p.evaluate(v)[0], x, jac=lambda v, p=problem: p.evaluate(v)[1], method="lm",
            xtol=1e-6, ftol=1e-6, gtol=1e-9, max_nfev=30,
        )  # fmt: skip
        x = solved.x
        residuals, jacobian = problem.evaluate(x)
        R = turn(x[9:12]) @ R
        x[9:12] = 0
        raw = residuals[: 8 * m].reshape(m, 4, 2) / problem.weights[..., None]
        errors = np.linalg.norm(raw, axis=2) / sigma
        last_trim, last_factor = trim, factor
        trim = np.sqrt(np.minimum(1.0, config.huber_sigma * factor / np.maximum(errors, 1e-12)))
        if noise is None:
            gain = np.linalg.solve(jacobian.T @ jacobian, jacobian[: 8 * m].T)
            free = 8 * m - float(np.einsum("ij,ji->", jacobian[: 8 * m], gain))
            squares = float(np.sum((trim * errors) ** 2))
            factor = float(np.sqrt((config.noise_prior_dof + squares) / (config.noise_prior_dof + free)))
        if round_ and np.allclose(trim, last_trim, atol=0.02) and abs(factor / last_factor - 1) < 0.02:
            break
    tangent = _Tangent(problem, residuals[: 8 * m], jacobian[: 8 * m], x)
    _, covariance, _ = tangent.at(scales)
    shifts = x[VIEW:-1].reshape(m, OWN) * problem.spread
    shifts[:, 2] = np.degrees(shifts[:, 2])
    beyond = errors / last_factor
    knee = config.huber_sigma
    huber = np.where(beyond <= knee, beyond**2 / 2, knee * beyond - knee**2 / 2)
    cost = float(huber.sum() + residuals[8 * m :] @ residuals[8 * m :] / 2)
    return Fit(
        parameters=prior.mean + prior.root @ x[:9],
        R=R,
        t=x[12:15].copy(),
        covariance=covariance,
        shifts=shifts,
        noise=last_factor,
        rms_px=float(np.sqrt(np.mean(raw**2))),
        cost=cost,
        log_evidence=float(-cost - np.linalg.slogdet(jacobian.T @ jacobian)[1] / 2 - 8 * m * np.log(last_factor)),
        layout_scale=float(np.median(scales)),
        tangent=tangent,
    )


def adjust_over_tolerances(
    markers: MarkerSights, prior: LensPrior, fit: Fit, config: AdjustmentConfig | None = None
) -> Fit:
    """The fit averaged over the layout's tolerances, spread between them included, from a fit nearby."""
    config = config or AdjustmentConfig()
    scales = np.array(config.layout_scales)
    log_chances = np.log(config.layout_scale_weights)
    likeliest = float(scales[np.argmax(tolerance_evidence(fit, scales) + log_chances)])
    fit = adjust(markers, prior, fit.R, fit.t, scale=likeliest, start=fit.parameters, config=config)
    members = [fit.tangent.at(np.full(len(markers), s)) for s in scales]
    weight = np.exp(tolerance_evidence(fit, scales) + log_chances - fit.log_evidence)
    weight /= weight.sum()
    steps = np.array([step for step, _, _ in members])
    mean = weight @ steps
    covariance = np.einsum("s,sij->ij", weight, np.array([c for _, c, _ in members]))
    covariance += np.einsum("s,si,sj->ij", weight, steps - mean, steps - mean)
    return replace(
        fit,
        parameters=fit.parameters + mean[:9],
        R=turn(mean[9:12]) @ fit.R,
        t=fit.t + mean[12:],
        covariance=covariance,
        layout_scale=float(np.exp(weight @ np.log(scales))),
    )


def tolerance_evidence(fit: Fit, scales: Array, multiples: Array | None = None) -> Array:
    """Log evidence (s,) of layout tolerances (s,) near a fit, comparable with its ``log_evidence``; ``multiples`` (m,)
    of the tolerance are assumed for its markers."""
    own = np.ones(len(fit.shifts)) if multiples is None else multiples
    here = fit.tangent.at(own * fit.layout_scale)[2]
    return np.array([fit.tangent.at(own * s)[2] for s in scales]) + fit.log_evidence - here
