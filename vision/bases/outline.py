"""Fit known base outlines, at known heights, to the rims' outer edges in the photo itself.

A base is a prism: its outline at the surface under it and the same outline its own thickness higher. The
camera sees the silhouette of both against the ground: on the sides turned towards the camera the lower outline, on
the far sides the upper one. Along that silhouette short profiles are read across the edge; the places where rim colour
ends pull the outline into place by robust least squares (Gauss-Newton with Tukey weights), in pixels. Many outlines are
fitted at once, independently, as all take the same few steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import TableView
from vision.bases.profiles import (
    IntArray,
    Mask,
    Outlines,
    Patch,
    Profiles,
    by_height,
    crossings,
    edges,
    read_profiles,
)
from vision.bases.shifts import ShiftConfig, best_shifts
from vision.imaging.rims import Array, Image, RimConfig, float32, rim_evidence
from vision.model.expected import BaseShape

_AT_ONCE = 24  # outlines; their profiles stay in the processor's cache


@dataclass(frozen=True)
class OutlineConfig(ShiftConfig):
    """``reach_in``: half length of the profiles, pass by pass; ``hopeful``: share of an outline that must be on an
    edge after the search; ``tukey_px``: residual beyond which a profile does not count; ``floor_px``: error that all
    profiles of an outline share (ragged paint, sharpening), ``floor_deg`` the same for its direction; both grow where
    the residuals exceed ``concord_px``; ``oval_in``: how far ragged paint shifts opposite parts of an
    oval's rim, which turns it by that over half the difference of its length and width; ``full_share``: how much of
    that is the spread of an outline in full view (measured on drawn tables), more by ``hidden_growth`` times the
    shortfall of its coverage from ``hidden_from``: edges of figures pass for its own; ``supported_in``: an edge this
    near to the outline supports it."""

    reach_in: tuple[float, ...] = (0.08, 0.06)
    hopeful: float = 0.3
    tukey_px: float = 3.0
    noise_px: float = 0.4
    floor_px: float = 0.4
    floor_deg: float = 0.3
    oval_in: float = 0.02
    full_share: float = 0.7
    hidden_from: float = 0.9
    hidden_growth: float = 6.0
    concord_px: float = 0.35
    supported_in: float = 0.06


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


@dataclass(frozen=True, eq=False)
class Start:
    """Where a fit begins: a shape at x, y (inches) and facing (degrees), its surface at height ``z``; the
    log-chromaticities (2,) of its rim's ``paint`` and of the ``ground`` there."""

    shape: BaseShape
    x: float
    y: float
    facing: float
    z: float
    paint: Array
    ground: Array


def silhouette(
    shape: BaseShape, pose: Array, z: float, eye: Array, config: OutlineConfig
) -> tuple[Array, Array, IntArray]:
    """Points (n, 3) on the silhouette, outward directions (n, 2) on the table, and the side (0 to 3) of each.

    ``pose``: x, y in inches and facing in radians; ``eye`` (3,) the camera in table inches.
    """
    outlines = Outlines.of([shape], [z], config)
    return *outlines.silhouettes(np.asarray(pose)[None], eye), outlines.side


class PhotoEvidence:
    """Rim evidence of one photo at its own resolution, cut out where asked."""

    def __init__(self, image: Image, view: TableView, config: RimConfig | None = None) -> None:
        self.image, self.view, self.config = image, view, config or RimConfig()
        self._logs = np.log2(np.arange(256, dtype=np.float32) + np.float32(self.config.floor_level))

    def cut(self, pixels: Array, margin_px: float, paint: Array, ground: Array) -> Patch | None:
        """The part of the photo round the given pixels, with its evidence; ``None`` outside the picture."""
        rows, columns = self.image.shape[:2]
        low = np.floor(pixels.min(axis=0) - margin_px).astype(int)
        high = np.ceil(pixels.max(axis=0) + margin_px).astype(int) + 1
        x0, y0 = max(0, low[0]), max(0, low[1])
        x1, y1 = min(columns, high[0]), min(rows, high[1])
        if x1 - x0 < 4 or y1 - y0 < 4:
            return None
        patch = np.ascontiguousarray(self.image[y0:y1, x0:x1])
        # one plane after the other: the code below works plane by plane
        blue, green, red = cv2.split(cv2.LUT(patch, self._logs))
        chroma = np.stack([red - green, blue - green]).transpose(1, 2, 0)
        evidence = rim_evidence(chroma, ground.astype(np.float32), paint, self.config)
        return Patch(patch, float32(cv2.GaussianBlur(evidence, (0, 0), 0.7)), np.array([x0, y0], dtype=np.float64))


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
    return fit_outlines(photo, [Start(shape, *start, z, paint, ground)], config)[0]


def fit_outlines(
    photo: PhotoEvidence, starts: Sequence[Start], config: OutlineConfig | None = None
) -> list[OutlineFit | None]:
    """The outline near each start, as :func:`fit_outline` finds one alone."""
    config = config or OutlineConfig()
    out: list[OutlineFit | None] = [None] * len(starts)
    for first in range(0, len(starts), _AT_ONCE):
        for row, fit in _fit_starts(photo, starts[first : first + _AT_ONCE], config):
            out[first + row] = fit
    return out


@dataclass(frozen=True, eq=False)
class _Batch:
    """Outlines being fitted: the row of each one's start, the start itself, its patch of the photo, its pose (x, y in
    inches, facing in radians) and the photo's pixels per inch there."""

    view: TableView
    rows: IntArray
    starts: Sequence[Start]
    patches: Sequence[Patch]
    poses: Array
    scale: Array
    outlines: Outlines

    @classmethod
    def from_starts(cls, photo: PhotoEvidence, starts: Sequence[Start], cfg: OutlineConfig) -> _Batch | None:
        """The outlines that the picture holds; none where it holds not one."""
        view = photo.view
        poses = np.array([[s.x, s.y, np.radians(s.facing)] for s in starts])
        outlines = Outlines.of([s.shape for s in starts], [s.z for s in starts], cfg)
        pixels = view.pixel_from_table(outlines.silhouettes(poses, view.eye)[0])
        scale = _pixels_per_inch(view, poses, outlines.z)
        low, high = (edge.reduceat(pixels, outlines.first[:-1], axis=0) for edge in (np.minimum, np.maximum))
        size = np.array(photo.image.shape[1::-1])
        held = (scale >= 4) & np.all((low >= -5) & (high <= size + 5), axis=1)
        patches: list[Patch | None] = [None] * len(starts)
        for i in np.flatnonzero(held).tolist():
            margin = (cfg.search_in * 2 + 0.1) * float(scale[i])
            patches[i] = photo.cut(pixels[outlines.rows(i)], margin, starts[i].paint, starts[i].ground)
        every = [i for i, patch in enumerate(patches) if patch is not None]
        if not every:
            return None
        whole = [patch for patch in patches if patch is not None]
        return cls._of(view, np.array(every), [starts[i] for i in every], whole, poses[every], scale[every], cfg)

    @classmethod
    def _of(
        cls,
        view: TableView,
        rows: IntArray,
        starts: Sequence[Start],
        patches: Sequence[Patch],
        poses: Array,
        scale: Array,
        cfg: OutlineConfig,
    ) -> _Batch:
        outlines = Outlines.of([s.shape for s in starts], [s.z for s in starts], cfg)
        return cls(view, rows, starts, patches, poses, scale, outlines)

    def at_poses(self, poses: Array, kept: Mask, cfg: OutlineConfig) -> _Batch | None:
        """The outlines at other ``poses``, those alone that are ``kept``; none where no one is."""
        if kept.all():
            return replace(self, poses=poses)
        at = np.flatnonzero(kept).tolist()
        if not at:
            return None
        starts, patches = [self.starts[i] for i in at], [self.patches[i] for i in at]
        return self._of(self.view, self.rows[at], starts, patches, poses[at], self.scale[at], cfg)

    def read(self, reach_in: float, cfg: OutlineConfig) -> Profiles:
        """Profiles up to ``reach_in`` to either side of the outlines."""
        half = np.maximum(2.0, reach_in * self.scale)
        return read_profiles(self.outlines, self.patches, self.view, self.poses, half, cfg)


def _fit_starts(photo: PhotoEvidence, starts: Sequence[Start], cfg: OutlineConfig) -> list[tuple[int, OutlineFit]]:
    """The outlines that some starts lead to, each with its start's row."""
    batch = _Batch.from_starts(photo, starts, cfg)
    if batch is None:
        return []
    shifts, doubts, hopes = best_shifts(
        batch.outlines,
        batch.read(cfg.search_in, cfg),
        [s.shape.is_round for s in batch.starts],
        batch.scale,
        cfg,
    )
    hopeful = hopes >= cfg.hopeful
    batch, doubts = batch.at_poses(batch.poses + shifts, hopeful, cfg), doubts[hopeful]
    for reach in cfg.reach_in[:-1]:
        if batch is None:
            return []
        pull = _pull_to_edges(batch, batch.read(reach, cfg), cfg)
        batch, doubts = batch.at_poses(batch.poses + pull.step, pull.sound, cfg), doubts[pull.sound]
    if batch is None:
        return []
    profiles = batch.read(cfg.reach_in[-1], cfg)
    return _sound_fits(batch, profiles, _pull_to_edges(batch, profiles, cfg), doubts, cfg)


@dataclass(frozen=True, eq=False)
class _Pull:
    """One robust least-squares step of several outlines: ``step`` (m, 3), its ``normal_matrix`` (m, 3, 3), which
    outlines are ``sound`` (m,); for each profile the place of its edge (``moved``, from exact crossings where there are
    enough, ``rough`` from the evidence, ``seen`` there), its weight and its residual after the step; the spread
    ``rms`` (m,) of that."""

    step: Array
    normal_matrix: Array
    sound: Mask
    exact: Mask
    seen: Mask
    rough: Array
    moved: Array
    weights: Array
    residual: Array
    rms: Array


def _pull_to_edges(batch: _Batch, profiles: Profiles, cfg: OutlineConfig) -> _Pull:
    """The step towards the edges nearest to the outlines, towards the exact ones where there are enough."""
    outlines = batch.outlines
    owner, count = outlines.owner, outlines.count
    seen, rough = edges(outlines, profiles, cfg)
    crossed, place = crossings(outlines, profiles, batch.patches, cfg)
    exact = outlines.total(seen & crossed) >= np.maximum(12, 0.3 * count)
    found = np.where(exact[owner], seen & crossed, seen)
    moved = np.where(exact[owner], place, rough)
    sound = outlines.total(found) >= 6
    jacobian = profiles.jacobian.copy()
    jacobian[np.array([s.shape.is_round for s in batch.starts])[owner], 2] = 0.0
    step: Array = np.zeros((len(batch.starts), 3))
    cut = cfg.tukey_px
    for _ in range(5):
        residual = moved - (jacobian * step[owner]).sum(axis=1)
        weights = np.where(found & (np.abs(residual) < cut), (1 - (residual / cut) ** 2) ** 2, 0.0)
        normal_matrix, pull = _normal(outlines, jacobian, weights, moved[:, None])
        normal_matrix += np.eye(3)
        step = np.asarray(np.linalg.solve(normal_matrix, pull)[..., 0], dtype=np.float64)
    residual = moved - (jacobian * step[owner]).sum(axis=1)
    used = weights > 0.1
    sound &= outlines.total(used) >= 6
    mass = np.maximum(outlines.total(weights * used), 1e-12)
    rms = np.sqrt(outlines.total(np.where(used, weights * residual**2, 0.0)) / mass)
    return _Pull(step, normal_matrix, sound, exact, seen, rough, moved, weights, residual, rms)


def _normal(outlines: Outlines, jacobian: Array, weights: Array, values: Array) -> tuple[Array, Array]:
    """Normal matrices (m, k, k) and right-hand sides (m, k, r) of each outline's profiles, from derivatives (n, k),
    weights (n,) and values (n, r)."""
    k = jacobian.shape[1]
    weighted = jacobian * weights[:, None]
    right = np.concatenate([jacobian, values], axis=1)
    total = outlines.total((weighted[:, :, None] * right[:, None, :]).reshape(len(jacobian), -1))
    whole = total.reshape(len(outlines), k, -1)
    return whole[..., :k].copy(), whole[..., k:]


def _sound_fits(
    batch: _Batch, profiles: Profiles, pull: _Pull, doubts: Array, cfg: OutlineConfig
) -> list[tuple[int, OutlineFit]]:
    """The fits of all sound outlines, each with its start's row."""
    outlines = batch.outlines
    owner = outlines.owner
    is_round = np.array([s.shape.is_round for s in batch.starts])
    jacobian = np.where(is_round[owner, None], profiles.jacobian * [1.0, 1.0, 0.0], profiles.jacobian)
    off_in = np.abs(pull.rough - (jacobian * pull.step[owner]).sum(axis=1)) / np.maximum(profiles.unit_px, 1e-9)
    shown = pull.seen & (off_in < cfg.supported_in)
    cells = owner * 4 + outlines.side
    each = np.bincount(cells, minlength=4 * len(outlines))
    support = np.bincount(cells, shown, 4 * len(outlines)) / np.maximum(each, 1)
    noise = np.maximum(pull.rms, cfg.noise_px)
    # Neighbouring profiles share their paint: one in three counts as independent.
    covariance = np.linalg.inv(pull.normal_matrix) * (noise**2 * 3.0)[:, None, None]
    covariance[is_round, 2, :2] = covariance[is_round, :2, 2] = 0.0
    # Edges that do not agree among themselves often have a neighbour's among them: then all is less certain.
    discord = np.maximum(1.0, pull.rms / cfg.concord_px)
    floor = (cfg.floor_px * discord / batch.scale) ** 2
    covariance[:, 0, 0] += floor
    covariance[:, 1, 1] += floor
    turned = covariance[:, 2, 2] + (np.radians(cfg.floor_deg) * discord**2) ** 2
    lever = np.array([abs(s.shape.width - s.shape.depth) / 2 if s.shape.is_oval else np.inf for s in batch.starts])
    turned += np.minimum(cfg.oval_in * discord / np.maximum(lever, 1e-6), np.pi / 4) ** 2
    covariance[:, 2, 2] = np.where(is_round, np.pi**2, turned)
    used = np.where(pull.weights > 0.1, pull.weights, 0.0)
    outward = outlines.total(used * pull.residual) / np.maximum(outlines.total(used), 1e-12)
    number = outlines.total(pull.weights > 0.1)
    coverage = outlines.total(shown) / outlines.count
    lacking = np.maximum(0.0, cfg.hidden_from - coverage)
    grown = np.repeat((cfg.full_share * (1.0 + cfg.hidden_growth * lacking))[:, None], 3, axis=1)
    grown[:, 2] = np.where(is_round, 1.0, grown[:, 2])
    covariance *= grown[:, :, None] * grown[:, None, :]
    rise = _rises(batch, profiles, pull, noise, cfg)
    poses = batch.poses + pull.step
    return [
        (
            int(batch.rows[i]),
            OutlineFit(
                x=float(poses[i, 0]),
                y=float(poses[i, 1]),
                facing=float(np.degrees(poses[i, 2]) % 360.0),
                z=start.z,
                covariance=covariance[i] + doubts[i],
                support=tuple(support[4 * i : 4 * i + 4].tolist()),
                coverage=float(coverage[i]),
                rms_px=float(pull.rms[i]),
                outward_px=float(outward[i]),
                count=int(number[i]),
                rise_in=float(rise[i, 0]),
                rise_sigma_in=float(rise[i, 1]),
                rise_per_px=float(rise[i, 2]),
            ),
        )
        for i, start in enumerate(batch.starts)
        if pull.sound[i]
    ]


def _rises(batch: _Batch, profiles: Profiles, pull: _Pull, noise_px: Array, cfg: OutlineConfig) -> Array:
    """Heights above the assumed ones that the outlines' sizes ask for (m, 3): inches, their sigma, inches per pixel of
    edge bias."""
    outlines = batch.outlines
    by_z = by_height(outlines, batch.view, batch.poses, profiles.normal)
    full = np.column_stack([profiles.jacobian, by_z])
    rise = _rise(outlines, full, pull.moved, pull.weights, noise_px)
    # Colour edges and paint edges err differently on different ground: the mean of both errs least.
    cut = cfg.tukey_px
    near = np.where(pull.seen & (np.abs(pull.rough) < cut), (1 - (pull.rough / cut) ** 2) ** 2, 0.0)
    other = _rise(outlines, full, pull.rough, near, noise_px)
    both = (rise + other) / 2
    both[:, 1] = np.maximum(rise[:, 1], other[:, 1])
    return np.where(pull.exact[:, None], both, rise)


def _rise(outlines: Outlines, full: Array, moved: Array, weights: Array, noise_px: Array) -> Array:
    """The evidence of edges ``moved`` (n,) for the heights, as :func:`_rises`; ``full`` (n, 4): derivatives by pose and
    height."""
    normal, right = _normal(outlines, full, weights, np.column_stack([moved, np.ones(len(moved))]))
    normal += 1e-9 * np.eye(4)
    pull = np.linalg.solve(normal, right)
    sigma = np.sqrt(np.linalg.inv(normal)[:, 3, 3] * 3.0) * noise_px
    return np.column_stack([pull[:, 3, 0], sigma, pull[:, 3, 1]])


def _pixels_per_inch(view: TableView, poses: Array, z: Array) -> Array:
    """Pixels per inch (m,) at places on the table, the geometric mean of both directions."""
    steps = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]])
    points = np.column_stack([poses[:, :2], z]) + steps[:, None]
    at, right, ahead = view.pixel_from_table(points.reshape(-1, 3)).reshape(3, -1, 2)
    a, b = (right - at) / 0.1, (ahead - at) / 0.1
    return np.asarray(np.sqrt(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])))
