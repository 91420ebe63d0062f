"""Fit a known base outline, at a known height, to the rim's outer edge in the photo itself.

A base is a prism: its outline at the surface it stands on and the same outline its own thickness higher. What the
camera sees against the ground is the silhouette of both: on the sides turned towards the camera the lower outline, on
the far sides the upper one. Along that silhouette short profiles are read across the edge; the places where rim colour
ends pull the outline into place by robust least squares (Gauss-Newton with Tukey weights), in pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from calibration.projection import project_with_jacobian
from vision.expected import BaseShape
from vision.rims import Array, Image, RimConfig, float32, rim_evidence


@dataclass(frozen=True)
class OutlineConfig:
    """``spacing_in``: between profiles along the outline; ``corner_in``: left out next to corners; ``reach_in``: half
    length of the profiles, pass by pass; ``search_in``, ``search_deg``: how far the start may be off;
    ``doubt_per_score``: nats that a whole side's score is worth when two places compete; ``step_px``: along a
    profile; ``rim_in``: usual width of a painted rim; ``least_drop``: smallest fall of rim evidence over twice
    ``lag_px`` that counts as an edge, ``full_drop`` one that counts in full; ``tukey_px``: residual beyond which a
    profile has no say; ``floor_px``: error that all profiles of an outline share (ragged paint, sharpening),
    ``floor_deg`` the same for its direction; both grow where the residuals exceed ``concord_px``; ``supported_in``:
    an edge this near to the outline supports it; ``inside_px``, ``outside_px``: stretches of a profile, outward,
    whose mean colours an edge divides; ``least_contrast``: 8-bit levels between them."""

    spacing_in: float = 0.07
    corner_in: float = 0.12
    search_in: float = 0.16
    search_step_in: float = 0.04
    search_deg: float = 3.0
    search_step_deg: float = 1.5
    doubt_per_score: float = 6.0
    reach_in: tuple[float, ...] = (0.08, 0.06)
    hopeful: float = 0.3
    step_px: float = 0.5
    lag_px: float = 1.0
    rim_in: float = 0.06
    least_drop: float = 0.10
    full_drop: float = 0.35
    tukey_px: float = 3.0
    noise_px: float = 0.4
    floor_px: float = 0.4
    floor_deg: float = 0.3
    concord_px: float = 0.35
    supported_in: float = 0.06
    inside_px: tuple[float, float] = (-2.5, -0.75)
    outside_px: tuple[float, float] = (1.25, 4.0)
    crossing_reach_px: float = 1.75
    crossing_step_px: float = 0.25
    least_contrast: float = 25.0


@dataclass(frozen=True, eq=False)
class OutlineFit:
    """A fitted outline: centre (inches), facing (degrees, modulo 180 where nothing else is known), the height ``z``
    of its surface that was assumed, ``covariance`` (3, 3) of x, y (inches) and facing (radians) from the profiles
    alone, ``support`` the share of each side's profiles (front, right, rear, left; sectors for a round one) that show
    the edge, ``coverage`` the share of all, ``rms_px`` of those used, ``outward_px`` their mean residual (positive:
    seen larger). ``rise_in``: how much higher than ``z`` the surface would have to be for the outline's size to fit
    best, with its standard deviation, and how far one pixel of edge error all round would push it."""

    x: float
    y: float
    facing: float
    z: float
    covariance: Array
    support: tuple[float, float, float, float]
    coverage: float
    rms_px: float
    outward_px: float
    count: int
    rise_in: float = 0.0
    rise_sigma_in: float = float("inf")
    rise_per_px: float = 0.0


def silhouette(
    shape: BaseShape, pose: Array, z: float, eye: Array, config: OutlineConfig
) -> tuple[Array, Array, npt.NDArray[np.int64]]:
    """Points (n, 3) on the silhouette, outward directions (n, 2) on the table, and the side (0 to 3) of each.

    ``pose``: x, y in inches and facing in radians; ``eye`` (3,) the camera in table inches.
    """
    x, y, angle = pose
    c, s = np.cos(angle), np.sin(angle)
    turned = np.array([[c, -s], [s, c]])
    at, out, side = _around(shape, config.spacing_in, config.corner_in)
    outward = out @ turned
    points = np.empty((len(at), 3))
    points[:, :2] = at @ turned
    points[:, :2] += (x, y)
    towards = ((eye[:2] - points[:, :2]) * outward).sum(axis=1)
    points[:, 2] = np.where(towards > 0, z, z + shape.height)
    return points, outward, side


@lru_cache(maxsize=64)
def _around(shape: BaseShape, spacing_in: float, corner_in: float) -> tuple[Array, Array, npt.NDArray[np.int64]]:
    """Places (n, 2) right and ahead of the middle along a shape's outline, outward directions (n, 2), and the side
    (0 to 3) of each."""
    if shape.is_round:
        count = max(16, int(np.pi * shape.width / spacing_in))
        turn = np.arange(count) * 2 * np.pi / count
        outward = np.column_stack([np.sin(turn), np.cos(turn)])
        side = (np.floor((turn + np.pi / 4) / (np.pi / 2)).astype(np.int64)) % 4
        return outward * shape.width / 2, outward, side
    parts, outs, sides = [], [], []
    half_w, half_d = shape.width / 2, shape.depth / 2
    forward, right = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    for index, (normal, along, reach, half) in enumerate(
        (
            (forward, right, half_d, half_w),
            (right, -forward, half_w, half_d),
            (-forward, -right, half_d, half_w),
            (-right, forward, half_w, half_d),
        )
    ):
        span = max(0.05, half - corner_in)
        count = max(5, int(2 * span / spacing_in) + 1)
        offsets = np.linspace(-span, span, count)
        parts.append(normal * reach + offsets[:, None] * along)
        outs.append(np.broadcast_to(normal, (count, 2)))
        sides.append(np.full(count, index, dtype=np.int64))
    return np.concatenate(parts), np.concatenate(outs), np.concatenate(sides)


@dataclass(frozen=True, eq=False)
class _Patch:
    """A piece of the photo: its colours, its rim evidence, and the picture place of its first pixel."""

    image: Image
    evidence: npt.NDArray[np.float32]
    origin: Array


class PhotoEvidence:
    """Rim evidence of one photo at its own resolution, cut out where asked."""

    def __init__(self, image: Image, view: TableView, config: RimConfig | None = None) -> None:
        self.image, self.view, self.config = image, view, config or RimConfig()
        self._logs = np.log2(np.arange(256, dtype=np.float32) + np.float32(self.config.floor_level))

    def cut(self, pixels: Array, margin_px: float, paint: Array, ground: Array) -> _Patch | None:
        """The part of the photo round the given pixels, with its evidence; ``None`` outside the picture."""
        rows, columns = self.image.shape[:2]
        low = np.floor(pixels.min(axis=0) - margin_px).astype(int)
        high = np.ceil(pixels.max(axis=0) + margin_px).astype(int) + 1
        x0, y0 = max(0, low[0]), max(0, low[1])
        x1, y1 = min(columns, high[0]), min(rows, high[1])
        if x1 - x0 < 4 or y1 - y0 < 4:
            return None
        patch = np.ascontiguousarray(self.image[y0:y1, x0:x1])
        # one plane after the other: what follows works plane by plane
        blue, green, red = cv2.split(cv2.LUT(patch, self._logs))
        chroma = np.stack([red - green, blue - green]).transpose(1, 2, 0)
        evidence = rim_evidence(chroma, ground.astype(np.float32), paint, self.config)
        return _Patch(patch, float32(cv2.GaussianBlur(evidence, (0, 0), 0.7)), np.array([x0, y0], dtype=np.float64))


def fit_outline(
    photo: PhotoEvidence,
    shape: BaseShape,
    start: tuple[float, float, float],
    z: float,
    paint: Array,
    ground: Array,
    config: OutlineConfig | None = None,
) -> OutlineFit | None:
    """The outline of ``shape`` near ``start`` (x, y inches, facing degrees), its surface at height ``z``.

    ``paint`` and ``ground`` are log-chromaticities (2,). ``None`` when the picture does not hold it or too few profiles
    show an edge.
    """
    cfg = config or OutlineConfig()
    view = photo.view
    pose = np.array([start[0], start[1], np.radians(start[2])])
    eye = view.eye
    first = silhouette(shape, pose, z, eye, cfg)[0]
    pixels = view.pixel_from_table(first)
    scale = _pixels_per_inch(view, pose, z)
    rows, columns = photo.image.shape[:2]
    if not np.all(np.isfinite(pixels)) or scale < 4:
        return None
    if (
        pixels[:, 0].min() < -5
        or pixels[:, 1].min() < -5
        or pixels[:, 0].max() > columns + 5
        or pixels[:, 1].max() > rows + 5
    ):
        return None
    patch = photo.cut(pixels, (cfg.search_in * 2 + 0.1) * scale, paint, ground)
    if patch is None:
        return None
    profiles = _read_profiles(patch, view, shape, pose, z, eye, scale, cfg.search_in, cfg)
    shift, doubt, hope = _best_shift(profiles, shape.is_round, scale, cfg)
    if hope < cfg.hopeful:
        return None
    pose = pose + shift
    result: OutlineFit | None = None
    for reach in cfg.reach_in:
        profiles = _read_profiles(patch, view, shape, pose, z, eye, scale, reach, cfg)
        found, moved = _edges(profiles, cfg)
        exact = _crossings(patch, profiles, cfg)
        result = _pulled(profiles, found, moved, exact, shape, pose, z, scale, cfg)
        if result is None:
            return None
        pose = np.array([result.x, result.y, np.radians(result.facing)])
    return None if result is None else replace(result, covariance=result.covariance + doubt)


def _rise(profiles: _Profiles, moved: Array, weights: Array, noise_px: float) -> tuple[float, float, float]:
    """Height above the assumed one that the outline's size asks for: inches, its sigma, inches per pixel of edge
    bias."""
    full = np.column_stack([profiles.jacobian, profiles.by_z])
    normal = (full * weights[:, None]).T @ full + 1e-9 * np.eye(4)
    pull = np.linalg.solve(normal, (full * weights[:, None]).T @ np.column_stack([moved, np.ones(len(moved))]))
    sigma = float(np.sqrt(np.linalg.inv(normal)[3, 3] * 3.0)) * noise_px
    return float(pull[3, 0]), sigma, float(pull[3, 1])


@dataclass(frozen=True, eq=False)
class _Profiles:
    """Falls of evidence across the silhouette: ``drop`` (n, k) at ``offsets`` (k,) pixels outward, the
    paint ``within`` (n, k) just inside each place, the derivative of each
    profile's place by the pose (n, 3) and by height (n,), its side, its pixels per inch, its pixel and its outward
    normal in the picture."""

    drop: npt.NDArray[np.float32]
    within: npt.NDArray[np.float32]
    offsets: Array
    jacobian: Array
    by_z: Array
    side: npt.NDArray[np.int64]
    unit_px: Array
    base: Array
    normal: Array


def _read_profiles(
    patch: _Patch,
    view: TableView,
    shape: BaseShape,
    pose: Array,
    z: float,
    eye: Array,
    scale: float,
    reach_in: float,
    cfg: OutlineConfig,
) -> _Profiles:
    points, outward, side = silhouette(shape, pose, z, eye, cfg)
    n = len(points)
    around = np.broadcast_to(points, (4, n, 3)).copy()
    around[1, :, :2] += outward * 0.05
    around[2, :, 2] += 0.05
    around[3, :, 2] -= 0.05
    base, ahead, above, below = view.pixel_from_table(around.reshape(-1, 3)).reshape(4, n, 2)
    normal = ahead - base
    length = np.maximum(np.linalg.norm(normal, axis=1), 1e-9)
    normal /= length[:, None]
    lag = max(1, round(cfg.lag_px / cfg.step_px))
    half = np.ceil(max(2.0, reach_in * scale) / cfg.step_px) * cfg.step_px
    inner = np.arange(-half, half + 1e-6, cfg.step_px)
    offsets = np.concatenate(
        [inner[0] - cfg.step_px * np.arange(lag, 0, -1), inner, inner[-1] + cfg.step_px * np.arange(1, lag + 1)]
    )
    where = base[:, None, :] + offsets[None, :, None] * normal[:, None, :] - patch.origin
    read = cv2.remap(
        patch.evidence,
        where[..., 0].astype(np.float32),
        where[..., 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    drop = read[:, : -2 * lag] - read[:, 2 * lag :]
    # Paint just inside: the strongest evidence within the rim's usual width inward of each place.
    width = max(3, 2 * round(cfg.rim_in * scale / cfg.step_px / 2) + 1)
    within = float32(cv2.dilate(read, np.ones((1, width), np.uint8), anchor=(width - 1, 0)))[:, lag:-lag]
    by_z = ((above - below) * normal).sum(axis=1) / 0.1
    jacobian = _outward_jacobian(view, points, pose, normal)
    return _Profiles(float32(drop), within, inner, jacobian, by_z, side, length / 0.05, base, normal)


def _best_shift(profiles: _Profiles, is_round: bool, scale: float, cfg: OutlineConfig) -> tuple[Array, Array, float]:
    """The shift (x, y, angle) that puts the whole outline on falling evidence with paint within: a grid search over the
    read profiles. Also the covariance (3, 3) of the other shifts that are nearly as good: between touching bases an
    outline may sit a rim's width either way."""
    falls = np.clip(profiles.drop / cfg.full_drop, 0.0, 1.0) + 0.7 * np.clip(profiles.within / cfg.full_drop, 0.0, 1.0)
    falls = cv2.GaussianBlur(falls, (0, 0), sigmaX=max(0.5, 0.02 * scale / cfg.step_px), sigmaY=1e-3)
    grid = _shifts(is_round, cfg)
    # A column of nothing on either side stands for everything beyond the profiles' ends.
    n, length = falls.shape
    framed = np.zeros((n, length + 2), np.float32)
    framed[:, 1:-1] = falls
    first = np.arange(n) * (length + 2) + 1
    doubt = np.zeros((3, 3))
    for fineness in (1.0, 0.3):
        column = (grid @ profiles.jacobian.T - profiles.offsets[0]) / cfg.step_px
        column = np.clip(np.rint(column, out=column), -1, length, out=column)
        value = framed.take(column.astype(np.intp) + first)
        sides = np.stack(
            [value[:, profiles.side == k].mean(axis=1) for k in range(4) if np.any(profiles.side == k)], axis=1
        )
        # A side that is hidden says nothing; a side that is there must not be traded for half of two others.
        total = sides.sum(axis=1) - 0.15 * np.linalg.norm(grid[:, :2], axis=1) / cfg.search_in
        at = int(np.argmax(total))
        best, hope = grid[at], float((value[at] > 0.5).mean())
        if fineness == 1.0:
            mass = np.exp(cfg.doubt_per_score * (total - total.max()))
            away = grid - best
            away[np.linalg.norm(away[:, :2], axis=1) < 1.5 * cfg.search_step_in] = 0.0
            away[:, 2] = 0.0
            doubt = np.einsum("i,ij,ik->jk", mass, away, away) / mass.sum()
        grid = best + _nudges(is_round) * fineness * 0.5 * [
            cfg.search_step_in,
            cfg.search_step_in,
            np.radians(cfg.search_step_deg),
        ]
    return np.asarray(best, dtype=np.float64), doubt, hope


@lru_cache(maxsize=8)
def _shifts(is_round: bool, cfg: OutlineConfig) -> Array:
    """All shifts (n, 3) of x, y and angle that are tried first."""
    shift = np.arange(-cfg.search_in * 0.8, cfg.search_in * 0.8 + 1e-9, cfg.search_step_in)
    turn = (
        np.radians([0.0])
        if is_round
        else np.radians(np.arange(-cfg.search_deg, cfg.search_deg + 1e-9, cfg.search_step_deg))
    )
    return np.stack(np.meshgrid(shift, shift, turn, indexing="ij"), axis=-1).reshape(-1, 3)


@lru_cache(maxsize=2)
def _nudges(is_round: bool) -> Array:
    """One step or none every way (27, 3); a round one is not turned."""
    local = np.array([-1.0, 0.0, 1.0])
    return np.stack(np.meshgrid(local, local, local * (0 if is_round else 1), indexing="ij"), axis=-1).reshape(-1, 3)


def _pulled(
    profiles: _Profiles,
    seen: npt.NDArray[np.bool_],
    rough: Array,
    exact: tuple[npt.NDArray[np.bool_], Array],
    shape: BaseShape,
    pose: Array,
    z: float,
    scale: float,
    cfg: OutlineConfig,
) -> OutlineFit | None:
    """One robust least-squares step from the edges nearest to the outline, from the exact ones where there are
    enough."""
    found, moved = seen, rough
    if (seen & exact[0]).sum() >= max(12, 0.3 * len(seen)):
        found, moved = seen & exact[0], exact[1]
    if found.sum() < 6:
        return None
    free = 2 if shape.is_round else 3
    jacobian = profiles.jacobian[:, :free]
    cut = cfg.tukey_px
    step = np.zeros(3)
    normal_matrix = np.eye(free)
    weights = np.zeros(len(moved))
    for _ in range(5):
        residual = moved - jacobian @ step[:free]
        weights = np.where(found & (np.abs(residual) < cut), (1 - (residual / cut) ** 2) ** 2, 0.0)
        normal_matrix = (jacobian * weights[:, None]).T @ jacobian + np.diag([1.0, 1.0, 1.0][:free])
        step[:free] = np.linalg.solve(normal_matrix, (jacobian * weights[:, None]).T @ moved)
    residual = moved - jacobian @ step[:free]
    used = weights > 0.1
    if used.sum() < 6:
        return None
    rms = float(np.sqrt(np.average(residual[used] ** 2, weights=weights[used])))
    shown = seen & (np.abs(rough - jacobian @ step[:free]) / np.maximum(profiles.unit_px, 1e-9) < cfg.supported_in)
    support = tuple(float(shown[profiles.side == k].mean()) if np.any(profiles.side == k) else 0.0 for k in range(4))
    covariance = np.zeros((3, 3))
    if free == 2:
        covariance[2, 2] = np.pi**2
    # Neighbouring profiles share their paint: one in three counts as independent.
    covariance[:free, :free] = np.linalg.inv(normal_matrix) * max(rms, cfg.noise_px) ** 2 * 3.0
    # Edges that do not agree among themselves often have a neighbour's among them: then all is less certain.
    discord = max(1.0, rms / cfg.concord_px)
    covariance[:2, :2] += np.eye(2) * (cfg.floor_px * discord / scale) ** 2
    if free == 3:
        covariance[2, 2] += (np.radians(cfg.floor_deg) * discord**2) ** 2
    pose = pose + step
    rise = _rise(profiles, moved, weights, max(rms, cfg.noise_px))
    if moved is not rough:
        # Colour edges and paint edges err differently on different ground: the mean of both errs least.
        tukey = np.where(seen & (np.abs(rough) < cut), (1 - (rough / cut) ** 2) ** 2, 0.0)
        other = _rise(profiles, rough, tukey, max(rms, cfg.noise_px))
        rise = ((rise[0] + other[0]) / 2, max(rise[1], other[1]), (rise[2] + other[2]) / 2)
    return OutlineFit(
        x=float(pose[0]),
        y=float(pose[1]),
        facing=float(np.degrees(pose[2]) % 360.0),
        z=z,
        covariance=covariance,
        support=support,  # type: ignore[arg-type]
        coverage=float(shown.mean()),
        rms_px=rms,
        outward_px=float(np.average(residual[used], weights=weights[used])),
        count=int(used.sum()),
        rise_in=rise[0],
        rise_sigma_in=rise[1],
        rise_per_px=rise[2],
    )


def _crossings(patch: _Patch, profiles: _Profiles, cfg: OutlineConfig) -> tuple[npt.NDArray[np.bool_], Array]:
    """Where each profile crosses halfway from its inner to its outer colour: found (n,), offset in pixels (n,).

    The colours are the picture's own on both sides, so neither the ground's colour nor the paint's biases the place;
    neighbours along the outline are averaged over three profiles.
    """
    half, step = cfg.outside_px[1] + 1.0, cfg.crossing_step_px
    offsets = np.arange(-half, half + 1e-6, step)
    where = profiles.base[:, None, :] + offsets[None, :, None] * profiles.normal[:, None, :] - patch.origin
    sampled = cv2.remap(
        patch.image,
        where[..., 0].astype(np.float32),
        where[..., 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    read = cv2.blur(float32(sampled), (1, 3))
    inside = read[:, (offsets >= cfg.inside_px[0]) & (offsets <= cfg.inside_px[1])].mean(axis=1)
    outside = read[:, (offsets >= cfg.outside_px[0]) & (offsets <= cfg.outside_px[1])].mean(axis=1)
    contrast = inside - outside
    power = np.maximum((contrast**2).sum(axis=1), 1e-6)
    level = np.einsum("ijk,ik->ij", read - outside[:, None, :], contrast) / power[:, None] - 0.5
    crosses = (level[:, :-1] > 0) & (level[:, 1:] <= 0)
    place = offsets[None, :-1] + step * level[:, :-1] / np.maximum(level[:, :-1] - level[:, 1:], 1e-6)
    cost = np.where(crosses & (np.abs(place) < cfg.crossing_reach_px), np.abs(place), np.inf)
    best = np.argmin(cost, axis=1)
    rows = np.arange(len(best))
    found = np.isfinite(cost[rows, best]) & (np.sqrt(power) > cfg.least_contrast)
    return found, np.where(found, place[rows, best], 0.0)


def _edges(profiles: _Profiles, cfg: OutlineConfig) -> tuple[npt.NDArray[np.bool_], Array]:
    """The fall nearest to the outline on each profile: found (n,), and its offset in pixels (n,) to a fraction of a
    step."""
    drop = profiles.drop
    peak = np.zeros(drop.shape, dtype=bool)
    peak[:, 1:-1] = (drop[:, 1:-1] >= drop[:, :-2]) & (drop[:, 1:-1] > drop[:, 2:]) & (drop[:, 1:-1] > cfg.least_drop)
    cost = np.where(peak, np.abs(profiles.offsets)[None, :] - 1.5 * np.minimum(drop / cfg.full_drop, 1.0), np.inf)
    best = np.clip(np.argmin(cost, axis=1), 1, drop.shape[1] - 2)
    rows = np.arange(len(drop))
    found = peak[rows, best]
    before, here, after = drop[rows, best - 1], drop[rows, best], drop[rows, best + 1]
    bend = before - 2 * here + after
    shift = np.where(bend < -1e-6, 0.5 * (before - after) / np.where(bend < -1e-6, bend, -1.0), 0.0)
    moved = profiles.offsets[best] + np.clip(shift, -1, 1) * cfg.step_px
    return found, moved.astype(np.float64)


def _outward_jacobian(view: TableView, points: Array, pose: Array, normal: Array) -> Array:
    """Derivative (n, 3) of each silhouette point's pixel along its image normal by x, y and facing (radians)."""
    by_point = project_with_jacobian(points @ view.R.T + view.t, view.camera.parameters)[1]
    along = (normal[:, :1] * by_point[:, 0] + normal[:, 1:] * by_point[:, 1]) @ view.R
    local = points[:, :2] - pose[:2]
    # A turn clockwise by a carries (u, v) to (u, v) + a (v, -u).
    return np.column_stack([along[:, 0], along[:, 1], along[:, 0] * local[:, 1] - along[:, 1] * local[:, 0]])


def _pixels_per_inch(view: TableView, pose: Array, z: float) -> float:
    """Pixels per inch at a place on the table, the geometric mean of both directions."""
    p = np.array([[pose[0], pose[1], z], [pose[0] + 0.1, pose[1], z], [pose[0], pose[1] + 0.1, z]])
    q = view.pixel_from_table(p)
    a, b = (q[1] - q[0]) / 0.1, (q[2] - q[0]) / 0.1
    return float(np.sqrt(abs(a[0] * b[1] - a[1] * b[0])))
