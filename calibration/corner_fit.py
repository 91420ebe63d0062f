"""Joint least squares of lens, pose and a table's true outline from its corners and edges, with its covariance.

Unknowns: the camera (9, whitened by its prior), a small turn of the view (3), t (3), the distance of each corner of the
table from its stated place (2 each: tables and mats are cut by hand), how far each side bows, how much wider or deeper
it is than stated where that is not known, and the true offset of each frame marker in view (right, away, turn). All
but the pose have priors. Points along a side bind only across it, so that they need no partner; straight sides are
evidence for the distortion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from calibration.lens_prior import LensPrior
from calibration.projection import cross_matrices, project_with_jacobian, turn, turn_jacobian

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

VIEW = 15  # parameters of a view: camera, small turn, t
OUTLINE = 13  # parameters of a table's outline: four corners, four bows, one stretch
STRETCH = OUTLINE - 1
MARKER = 3  # parameters of each marker: right, away, turn


@dataclass(frozen=True)
class CornerFitConfig:
    """Spreads are one standard deviation. ``corner_sigma_in`` is a corner's distance from its stated place along each
    axis (sides are then cut to within 0.1 inch), ``bow_sigma_in`` a side's bow in its middle; of small rectangles
    neither is more than ``cut_of_side`` of the shorter side. ``marker_sigma_in`` and ``marker_sigma_deg`` how players
    place markers; ``noise_prior_dof`` is how many edge points the stated edge noise is worth; edges that miss
    ``hopeless_noise`` times their noise do not belong to such a table.
    """

    corner_sigma_in: float = 0.07
    bow_sigma_in: float = 0.03
    cut_of_side: float = 0.002
    marker_sigma_in: float = 0.06
    marker_sigma_deg: float = 1.5
    noise_prior_dof: float = 10.0
    hopeless_noise: float = 30.0
    huber_sigma: float = 3.0
    max_rounds: int = 8


@dataclass(frozen=True, eq=False)
class CornerSights:
    """The observations of a table of ``size_in`` (width, depth): corners ``pixels`` (4, 2), near-left, near-right,
    far-right, far-left, with ``sigma_px`` (4,) (infinite: only to start); points ``edge_pixels`` (n, 2) on side
    ``edge_side`` (n,) (0 near, 1 right, 2 far, 3 left) with ``edge_sigma_px`` (n,); markers' corners ``marker_pixels``
    (m, 4, 2) with ``marker_sigma_px`` (m,) and their stated places ``marker_table`` (m, 4, 2) in inches.
    ``stretch_in``: how far its width and its depth may differ from ``size_in``, where they are not known (one standard
    deviation)."""

    size_in: tuple[float, float]
    pixels: Array
    sigma_px: Array
    edge_pixels: Array
    edge_side: IntArray
    edge_sigma_px: Array
    marker_pixels: Array
    marker_sigma_px: Array
    marker_table: Array
    stretch_in: tuple[float, float] = (0.0, 0.0)

    @property
    def outline(self) -> Array:
        """The table's stated corners (4, 2) in inches."""
        width, depth = self.size_in
        return np.array([[0.0, 0.0], [width, 0.0], [width, depth], [0.0, depth]])

    def stretch(self, places: Array) -> Array:
        """How places (n, 2) of the stated outline move with its whitened stretch (n, 2)."""
        return places / self.size_in * self.stretch_in


@dataclass(frozen=True, eq=False)
class CornerFit:
    """A solved view: camera ``parameters`` (9,), ``R``, ``t``, their joint ``covariance`` (15, 15); the table's true
    ``corners`` (4, 2) and ``size_in`` in inches; ``noise`` the factor on the stated edge noise; ``rms_px`` of corners
    and edges; ``misfit`` the sum of squares of the priors and the corners; ``log_evidence`` up to a constant of the
    data."""

    parameters: Array
    R: Array
    t: Array
    covariance: Array
    corners: Array
    size_in: tuple[float, float]
    noise: float
    rms_px: float
    misfit: float
    log_evidence: float


@dataclass(frozen=True, eq=False)
class _Rows:
    """Scalar equations: a table point ``base`` (r, 2) + ``own`` (r, 2, u) times the outline's and markers' unknowns is
    seen at ``target`` (r, 2) along ``direction`` (r, 2), with ``sigma`` (r,)."""

    base: Array
    own: Array
    target: Array
    direction: Array
    sigma: Array


def fit_corners(sights: CornerSights, prior: LensPrior, config: CornerFitConfig | None = None) -> CornerFit | None:
    """The best fit under one prior of the lens; ``None`` where no camera above the table explains the corners."""
    config = config or CornerFitConfig()
    cut = config.cut_of_side * min(sights.size_in)
    config = replace(
        config, corner_sigma_in=min(cut, config.corner_sigma_in), bow_sigma_in=min(cut, config.bow_sigma_in)
    )
    start = _start(sights, prior)
    if start is None:
        return None
    R, t = start
    unknowns = VIEW + OUTLINE + MARKER * len(sights.marker_pixels)
    x = np.zeros(unknowns)
    x[12:15] = t
    n, factor = len(sights.edge_pixels), 1.0
    along = _along(sights.edge_pixels, sights.edge_side, sights.pixels)
    trim = np.ones(n)
    direction = _normals(sights)
    for round_ in range(config.max_rounds):
        rows = _rows(sights, along, direction, config)
        sigma = rows.sigma.copy()
        sigma[:n] *= factor / trim

        def evaluate(v: Array, rows: _Rows = rows, sigma: Array = sigma, R: Array = R) -> tuple[Array, Array]:
            return _evaluate(v, rows, sigma, R, prior)

        solved = least_squares(
            lambda v: evaluate(v)[0], x, jac=lambda v: evaluate(v)[1], method="lm", xtol=1e-7, ftol=1e-7, max_nfev=40
        )
        x = solved.x
        residuals, jacobian = evaluate(x)
        R = turn(x[9:12]) @ R
        x[9:12] = 0
        if not _in_front(sights, R, x[12:15]):
            return None
        if not n:
            if round_:
                break
            continue
        raw = residuals[:n] * sigma[:n] / rows.sigma[:n]
        last_trim, last_factor = trim, factor
        trim = np.sqrt(np.minimum(1.0, config.huber_sigma * factor / np.maximum(np.abs(raw), 1e-12)))
        gain = np.linalg.solve(jacobian.T @ jacobian, jacobian[:n].T)
        free = n - float(np.einsum("ij,ji->", jacobian[:n], gain))
        dof = config.noise_prior_dof
        factor = float(np.sqrt((dof + np.sum((trim * raw) ** 2)) / (dof + free)))
        if factor > config.hopeless_noise:
            return None
        along, direction, moved = _reseat(x, sights, along, R, prior, config)
        if round_ and moved < 0.05 and np.allclose(trim, last_trim, atol=0.02) and abs(factor / last_factor - 1) < 0.02:
            break
    normal = jacobian.T @ jacobian
    root = np.eye(VIEW)
    root[:9, :9] = prior.root
    covariance = root @ np.linalg.inv(normal)[:VIEW, :VIEW] @ root.T
    free_rows = residuals[n:]
    used = np.isfinite(rows.sigma)
    data = residuals[: len(sigma)][used] * sigma[used]
    log_evidence = -residuals @ residuals / 2 - np.linalg.slogdet(normal)[1] / 2 - n * np.log(factor)
    stretched = sights.outline + x[VIEW + STRETCH] * sights.stretch(sights.outline)
    return CornerFit(
        parameters=prior.mean + prior.root @ x[:9],
        R=R,
        t=x[12:15].copy(),
        covariance=(covariance + covariance.T) / 2,
        corners=stretched + x[VIEW : VIEW + 8].reshape(4, 2) * config.corner_sigma_in,
        size_in=(float(stretched[2, 0]), float(stretched[2, 1])),
        noise=factor,
        rms_px=float(np.sqrt(np.mean(data**2))) if len(data) else 0.0,
        misfit=float(free_rows @ free_rows),
        log_evidence=float(log_evidence + prior.log_chance),
    )


def _start(sights: CornerSights, prior: LensPrior) -> tuple[Array, Array] | None:
    """A pose from the four corners under the prior's mean camera."""
    fx, fy, cx, cy, *dist = prior.mean
    K = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    plane = np.column_stack([sights.outline, np.zeros(4)])
    _, turns, places, errors = cv2.solvePnPGeneric(
        plane, sights.pixels, K, np.array(dist), flags=cv2.SOLVEPNP_IPPE, reprojectionError=np.zeros(2)
    )
    best: tuple[float, Array, Array] | None = None
    for w, t, error in zip(turns, places, np.ravel(errors), strict=True):
        R = np.asarray(cv2.Rodrigues(w)[0], dtype=np.float64)
        t = np.asarray(t, dtype=np.float64).ravel()
        if _in_front(sights, R, t) and np.isfinite(error) and (best is None or error < best[0]):
            best = (float(error), R, t)
    return None if best is None else best[1:]


def _in_front(sights: CornerSights, R: Array, t: Array) -> bool:
    """Whether the whole table is in front of a camera above it."""
    depth = sights.outline @ R[2, :2] + t[2]
    return bool(np.all(np.isfinite(depth)) and np.all(depth > 0.01 * max(sights.size_in)) and (-R.T @ t)[2] > 0)


def _along(pixels: Array, side: IntArray, corners: Array) -> Array:
    """Where points (n, 2) lie along their sides (n,), 0 to 1, through the plain homography of the corners."""
    unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    if not len(pixels):
        return np.zeros(0)
    H = cv2.getPerspectiveTransform(corners.astype(np.float32), unit.astype(np.float32))
    flat = cv2.perspectiveTransform(pixels[:, None], H)[:, 0]
    first = unit[side]
    step = unit[(side + 1) % 4] - first
    return np.asarray(((flat - first) * step).sum(axis=1), dtype=np.float64)


def _normals(sights: CornerSights) -> Array:
    """Unit normals (n, 2) of the sides in the picture, at first those of straight lines between the corners."""
    step = np.roll(sights.pixels, -1, axis=0) - sights.pixels
    normal = np.column_stack([-step[:, 1], step[:, 0]]) / np.linalg.norm(step, axis=1)[:, None]
    return np.asarray(normal[sights.edge_side], dtype=np.float64)


def _rows(sights: CornerSights, along: Array, direction: Array, config: CornerFitConfig) -> _Rows:
    """All equations: edge points first (one each), then corners and markers' corners (two each)."""
    m = len(sights.marker_pixels)
    base, own = _edge_places(sights, along, config)
    corner_own = np.zeros((4, 2, OUTLINE + MARKER * m))
    for k in range(4):
        corner_own[k, :, 2 * k : 2 * k + 2] = config.corner_sigma_in * np.eye(2)
    corner_own[:, :, STRETCH] = sights.stretch(sights.outline)
    marker_base = sights.marker_table.reshape(-1, 2)
    marker_own = np.zeros((4 * m, 2, OUTLINE + MARKER * m))
    for k in range(m):
        arm = sights.marker_table[k] - sights.marker_table[k].mean(axis=0)
        at = OUTLINE + MARKER * k
        marker_own[4 * k : 4 * k + 4, :, at : at + 2] = config.marker_sigma_in * np.eye(2)
        marker_own[4 * k : 4 * k + 4, :, at + 2] = np.radians(config.marker_sigma_deg) * arm[:, ::-1] * [1, -1]
    points = np.concatenate([sights.outline, marker_base])
    points_own = np.concatenate([corner_own, marker_own])
    seen = np.concatenate([sights.pixels, sights.marker_pixels.reshape(-1, 2)])
    sigma = np.concatenate([sights.sigma_px, np.repeat(sights.marker_sigma_px, 4)])
    return _Rows(
        base=np.concatenate([base, np.repeat(points, 2, axis=0)]),
        own=np.concatenate([own, np.repeat(points_own, 2, axis=0)]),
        target=np.concatenate([sights.edge_pixels, np.repeat(seen, 2, axis=0)]),
        direction=np.concatenate([direction, np.tile(np.eye(2), (len(seen), 1))]),
        sigma=np.concatenate([sights.edge_sigma_px, np.repeat(sigma, 2)]),
    )


def _edge_places(sights: CornerSights, along: Array, config: CornerFitConfig) -> tuple[Array, Array]:
    """Table points (n, 2) at ``along`` (n,) on their sides, and how they move with the whitened unknowns (n, 2, u)."""
    n, side, outline = len(along), sights.edge_side, sights.outline
    after = (side + 1) % 4
    base = outline[side] + along[:, None] * (outline[after] - outline[side])
    own = np.zeros((n, 2, OUTLINE + MARKER * len(sights.marker_pixels)))
    outward = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])[side]
    own[:, :, STRETCH] = sights.stretch(base)
    rows = np.arange(n)
    for axis in (0, 1):
        own[rows, axis, 2 * side + axis] = config.corner_sigma_in * (1 - along)
        own[rows, axis, 2 * after + axis] = config.corner_sigma_in * along
        own[rows, axis, 8 + side] = config.bow_sigma_in * 4 * along * (1 - along) * outward[:, axis]
    return base, own


def _evaluate(x: Array, rows: _Rows, sigma: Array, R: Array, prior: LensPrior) -> tuple[Array, Array]:
    """Whitened residuals of the rows, the camera's prior and the own unknowns' priors, and their Jacobian."""
    r, u = len(sigma), len(x) - VIEW
    table = rows.base + rows.own @ x[VIEW:]
    rotation = turn(x[9:12]) @ R
    turned = table @ rotation[:, :2].T
    pixels, by_point, by_camera = project_with_jacobian(turned + x[12:15], prior.mean + prior.root @ x[:9])
    weight = 1 / sigma
    weighted = rows.direction * weight[:, None]
    residuals = np.concatenate([((pixels - rows.target) * weighted).sum(axis=1), x[:9], x[VIEW:]])
    jacobian = np.zeros((r + 9 + u, len(x)))
    across = np.einsum("ri,rij->rj", weighted, by_point)
    jacobian[:r, :9] = np.einsum("ri,rij->rj", weighted, by_camera) @ prior.root
    jacobian[:r, 9:12] = np.einsum("rj,rjk->rk", across, -cross_matrices(turned)) @ turn_jacobian(x[9:12])
    jacobian[:r, 12:15] = across
    jacobian[:r, VIEW:] = np.einsum("rj,rju->ru", across @ rotation[:, :2], rows.own)
    jacobian[r : r + 9, :9] = np.eye(9)
    jacobian[r + 9 :, VIEW:] = np.eye(u)
    return residuals, jacobian


def _reseat(
    x: Array, sights: CornerSights, along: Array, R: Array, prior: LensPrior, config: CornerFitConfig
) -> tuple[Array, Array, float]:
    """The positions of the edge points along the solved sides, the sides' normals there, and the most that a point
    moved, in pixels."""
    camera = prior.mean + prior.root @ x[:9]

    def at(s: Array) -> Array:
        base, own = _edge_places(sights, s, config)
        pixels, _, _ = project_with_jacobian((base + own @ x[VIEW:]) @ R[:, :2].T + x[12:15], camera)
        return pixels

    step = 1e-4
    tangent = (at(along + step) - at(along - step)) / (2 * step)
    length = np.linalg.norm(tangent, axis=1)
    tangent /= length[:, None]
    off = ((sights.edge_pixels - at(along)) * tangent).sum(axis=1)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    return along + off / length, normal, float(np.abs(off).max(initial=0.0))
