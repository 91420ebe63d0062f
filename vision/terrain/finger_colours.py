"""How far outside the foot a line was drawn, by the colours of the photo.

Only one number is read from the colours: the margin of the whole line. Pixel by pixel they harm more than they help,
and the part behind the piece, as the camera sees it, is left out: there a photo shows the piece's own walls and crowns.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.terrain.tracing import Array, Float32, sample_bilinear

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class LineColourConfig:
    """Lengths are shares of the piece's size, upness is the cosine between a line's outward normal and the photo's up.

    ``side_px`` of the scaled crop, which reaches ``around`` past the line; ``core``: how deep inside the line a pixel
    is surely of the piece; ``mat_from``, ``mat_to``: how far outside it is surely mat; ``behind``: upness from which
    the line runs behind the piece; ``soft``, ``texture``: blurs; ``most_samples`` that colours are learned from;
    ``limit`` of a pixel's log odds; ``weight`` of one step of the profile across the line (its pixels are not
    independent); ``points`` along the line; ``least_px`` of each class."""

    side_px: int = 160
    around: float = 0.45
    core: float = 0.22
    mat_from: float = 0.04
    mat_to: float = 0.5
    behind: float = 0.3
    soft: float = 0.04
    texture: float = 0.05
    most_samples: int = 3000
    limit: float = 3.0
    weight: float = 0.1
    points: int = 96
    least_px: tuple[int, int] = (5, 20)


def margin_evidence(
    image: Image,
    ring: Array,
    outward: Array,
    size: float,
    margins: Array,
    up: Array,
    config: LineColourConfig | None = None,
) -> Array:
    """The log likelihood (m,) of evenly spaced ``margins`` (m,), in shares of ``size``, by the colours of a photo.

    ``ring`` (n, 2): the line in pixels of the upright BGR ``image``, evenly spaced; ``outward`` (n, 2): its unit
    normals; ``size``: the piece's, in pixels; ``up`` (2,): which way things rise in the photo, (0, 0) where the camera
    looks straight down. All zero where the photo shows too little of the inside or of the mat.
    """
    config = config or LineColourConfig()
    nothing = np.zeros(len(margins))
    used = outward @ up < config.behind
    if np.count_nonzero(used) < 0.1 * len(ring):
        return nothing
    reach = config.around * size
    low = np.maximum(0, np.floor(ring.min(axis=0) - reach)).astype(int)
    high = np.minimum([image.shape[1], image.shape[0]], np.ceil(ring.max(axis=0) + reach)).astype(int)
    if (high - low < 8).any():
        return nothing
    scale = config.side_px / float((high - low).max())
    shrink = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    crop = cv2.resize(image[low[1] : high[1], low[0] : high[0]], None, fx=scale, fy=scale, interpolation=shrink)
    odds = _odds(np.asarray(crop, np.uint8), (ring - low) * scale, size * scale, up, config)
    if odds is None:
        return nothing
    step = float(margins[1] - margins[0])
    across = np.arange(margins[0] - 0.1, margins[-1] + 0.1, step)
    places = ring[used, None] - outward[used, None] * (across * size)[None, :, None]
    sampled = sample_bilinear(odds, (places.reshape(-1, 2) - low) * scale).reshape(-1, len(across))
    profile = np.clip(sampled, -config.limit, config.limit).mean(axis=0) * (step / 0.01)
    # what is deeper than the margin should look like the piece, what is farther out like the mat
    outer = np.concatenate([[0.0], np.cumsum(profile)])
    told = outer[-1] - 2 * np.interp(margins, across, outer[:-1])
    return np.asarray(config.weight * told)


def _odds(crop: Image, ring: Array, size: float, up: Array, config: LineColourConfig) -> Float32 | None:
    """Log odds (rows, columns) that a pixel looks like the inside of the line rather than like the mat beside it."""
    inside = np.zeros(crop.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(ring).astype(np.int32)], 1)
    deep, out = (cv2.distanceTransform(m, cv2.DIST_L2, 5) for m in (inside, 1 - inside))
    depth = np.asarray((deep - out) / size, np.float32)
    slope_y, slope_x = np.gradient(cv2.GaussianBlur(depth, (0, 0), max(1.0, 0.06 * size)))
    upness = -(slope_x * up[0] + slope_y * up[1]) / (np.hypot(slope_x, slope_y) + 1e-9)
    core = depth > min(config.core, 0.5 * float(depth.max()))
    mat = (depth < -config.mat_from) & (depth > -config.mat_to) & (upness < config.behind)
    if np.count_nonzero(core) < config.least_px[0] or np.count_nonzero(mat) < config.least_px[1]:
        return None
    features = _features(crop, size, config)
    kept = [_thinned(features[mask], config.most_samples // 2) for mask in (core, mat)]
    log_odds = _logistic(np.concatenate(kept), np.repeat([1.0, 0.0], [len(rows) for rows in kept]))
    return np.asarray(features @ log_odds[:-1] + log_odds[-1], np.float32)


def _features(crop: Image, size: float, config: LineColourConfig) -> Float32:
    """Colours as they are and softened, their squares, and texture (rows, columns, 13)."""
    lab = cv2.cvtColor(crop.astype(np.float32) / 255, cv2.COLOR_BGR2LAB) / 20
    soft = cv2.GaussianBlur(lab, (0, 0), max(1.0, config.soft * size))
    rough = cv2.GaussianBlur(np.abs(lab[..., :1] - soft[..., :1]), (0, 0), max(1.0, config.texture * size))
    return np.concatenate([lab, soft, rough[..., None], lab**2, soft**2], axis=2).astype(np.float32)


def _thinned(rows: Float32, most: int) -> Float32:
    return rows[np.linspace(0, len(rows) - 1, most).astype(int)] if len(rows) > most else rows


def _logistic(x: Float32, y: Array, ridge: float = 0.02, rounds: int = 6) -> Array:
    """Weights of features and a constant (k + 1,) by ridge logistic regression, both classes counting alike."""
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    z = np.column_stack([(x - mean) / spread, np.ones(len(x))]).astype(np.float64)
    share = y.mean()
    weight = np.where(y > 0, 0.5 / share, 0.5 / (1 - share))
    beta = np.zeros(z.shape[1])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-np.clip(z @ beta, -30, 30)))
        slope = z.T @ (weight * (p - y)) / len(y) + ridge * beta
        bend = (z * (weight * p * (1 - p) + 1e-6)[:, None]).T @ z / len(y) + ridge * np.eye(len(beta))
        beta -= np.linalg.solve(bend, slope)
    beta[:-1] /= spread
    beta[-1] -= float(mean @ beta[:-1])
    return beta
