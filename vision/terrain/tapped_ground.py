"""The ground for a tap: the look of most of the table, how much each place differs from it, and which places
look like the tapped ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.rectify import MapScale
from vision.imaging.rims import chromaticity
from vision.terrain.ribbons import RibbonConfig
from vision.terrain.tracing import Array, Float32, Mask, Sheet, TraceConfig

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class GrowConfig:
    """Inches; contrasts are distances from the mat in standard deviations of it. ``px_per_inch`` of the map;
    ``blur_in``: colours are means over it, ``texture_in`` the texture; ``shade_stops``: lightness that shadows and
    lamps change; ``tap_in``: radius about a tap that is taken for the piece, ``near_in``: within
    which a part of the map is the tapped one; ``least_contrast``: below it a tap is on
    the mat; ``contrasts``: the thresholds that are tried for an outline; ``round_in``, ``round_share``: parts thinner
    than twice this (or twice the share of the piece's inner radius) are cut off; ``least_sqin``, ``most_sqin``: sizes
    of a piece; ``compact_slack``: outlines this much less compact than the best still count; ``least_compact``: below
    it no piece is found; ``hill_contrasts``, ``hill_reach_in``, ``least_hill_sqin``, ``least_compact_hill``: the same
    for hills, of which often only the slopes differ from the mat; ``colour_limit``: how far from the tapped colour a
    road may be; ``rounds``: of following it; ``rough_sigma_in``: of an outline before it is moved to the colour edge,
    ``sigma_in``: the least after."""

    px_per_inch: float = 10.0
    blur_in: float = 0.12
    texture_in: float = 0.3
    shade_stops: float = 0.12
    tap_in: float = 0.4
    near_in: float = 0.8
    least_contrast: float = 4.0
    contrasts: tuple[float, ...] = (4.0, 5.0, 6.0, 8.0, 10.0, 13.0)
    round_in: float = 1.4
    round_share: float = 0.62
    least_sqin: float = 1.5
    most_sqin: float = 130.0
    compact_slack: float = 0.03
    least_compact: float = 0.6
    hill_contrasts: tuple[float, ...] = (2.0, 2.5, 3.0, 3.5)
    hill_reach_in: float = 6.0
    least_hill_sqin: float = 12.0
    least_compact_hill: float = 0.75
    colour_limit: float = 6.0
    rounds: int = 3
    sigma_in: float = 0.12
    rough_sigma_in: float = 0.2
    trace: TraceConfig = field(default_factory=TraceConfig)
    ribbon: RibbonConfig = field(default_factory=RibbonConfig)


@dataclass(frozen=True, eq=False)
class TappedGround:
    """The table from above with the pixel that was tapped, and the colours there."""

    ground: Pixels
    scale: MapScale
    hidden: Mask
    tap: tuple[int, int]
    config: GrowConfig

    @property
    def ppi(self) -> float:
        return self.scale.px_per_inch

    def about(self, radius_in: float) -> Mask:
        """The pixels (rows, columns) within a radius of the tap."""
        x, y = self.tap
        rows, columns = np.ogrid[: self.ground.shape[0], : self.ground.shape[1]]
        return np.asarray((columns - x) ** 2 + (rows - y) ** 2 <= (radius_in * self.ppi) ** 2)

    @cached_property
    def features(self) -> Float32:
        """(rows, columns, 4): two log-chromaticities, lightness in stops, fine texture in stops."""
        return ground_features(self.ground, self.ppi, self.config.blur_in, self.config.texture_in)

    @cached_property
    def mat(self) -> tuple[Array, Array]:
        """Mean (4,) and covariance (4, 4) of the look of most of the table."""
        mean, spread = commonest(self.features[~self.hidden])
        spread[2, 2] += self.config.shade_stops**2
        return mean, spread

    @cached_property
    def contrast(self) -> Float32:
        """Distance from the mat (rows, columns), 0 where the photo shows nothing."""
        away = self.features - self.mat[0].astype(np.float32)
        far = np.einsum("ijk,kl,ijl->ij", away, np.linalg.inv(self.mat[1]).astype(np.float32), away, optimize=True)
        return np.where(self.hidden, np.float32(0), np.sqrt(np.maximum(far, 0))).astype(np.float32)

    @property
    def tapped(self) -> Mask:
        """What is about the tap and differs from the mat."""
        return self.about(self.config.tap_in) & (self.contrast > 0.5 * self.config.least_contrast)

    def part(self, mask: Mask, radius_in: float) -> Mask:
        """The part of a mask that is within a radius of the tap, the largest there; empty without one."""
        _, labels = cv2.connectedComponents(mask.astype(np.uint8))
        near = labels[self.about(radius_in)]
        near = near[near > 0]
        return np.asarray(labels == np.bincount(near).argmax()) if len(near) else np.zeros_like(mask)


def ground_features(ground: Pixels, px_per_inch: float, blur_in: float, texture_in: float) -> Float32:
    """Colour and texture (rows, columns, 4) of a map: log2 R/G, log2 B/G, lightness and fine texture in stops."""
    soft = np.asarray(cv2.GaussianBlur(ground, (0, 0), max(0.3, blur_in * px_per_inch)), np.uint8)
    stops = np.log2(np.arange(1024, dtype=np.float32) / 3 + 10)
    light = stops[soft.astype(np.int32).sum(axis=2)]
    sharp = stops[ground.astype(np.int32).sum(axis=2)]
    fine = np.abs(sharp - cv2.GaussianBlur(sharp, (0, 0), max(0.3, 0.5 * texture_in * px_per_inch)))
    texture = np.log2(cv2.GaussianBlur(fine, (0, 0), texture_in * px_per_inch) + 0.01)
    return np.dstack([chromaticity(soft), light, texture]).astype(np.float32)


def commonest(features: npt.ArrayLike) -> tuple[Array, Array]:
    """Mean and covariance of the largest cluster among features (n, k): the median's surroundings, narrowed."""
    rows = np.asarray(features, np.float64)
    rows = rows[:: max(1, len(rows) // 20000)]
    k = rows.shape[1]
    floor = np.eye(k) * 1e-4
    mean = np.median(rows, axis=0)
    spread = np.diag((1.48 * np.median(np.abs(rows - mean), axis=0)) ** 2) + floor
    for _ in range(10):
        away = rows - mean
        near = np.einsum("ij,jk,ik->i", away, np.linalg.inv(spread), away) < 2.4 * k
        if near.sum() < 2 * k:
            break
        mean, spread = rows[near].mean(axis=0), np.cov(rows[near].T) * 1.15 + floor
    return mean, spread


def like(seen: TappedGround, colours: Sequence[Mask]) -> Sheet:
    """Share of looking like one of several sets of pixels rather than like the mat."""
    mean, spread = seen.mat
    unit = np.sqrt(np.diag(spread))
    weight = np.array([1.0, 1.0, 1.0, 0.25])
    share = np.zeros(seen.contrast.shape, np.float32)
    for taken in colours:
        if taken.sum() < 8:
            continue
        rows = seen.features[taken][:: max(1, int(taken.sum()) // 4000)]
        middle = np.median(rows, axis=0)
        scatter = np.maximum(1.48 * np.median(np.abs(rows - middle), axis=0), 0.8 * unit)
        scale = (np.sqrt(weight) / scatter).astype(np.float32)
        unlike = np.linalg.norm((seen.features - middle) * scale, axis=2)
        from_mat = np.linalg.norm((seen.features - mean.astype(np.float32)) * scale, axis=2)
        limit = max(seen.config.colour_limit, 0.3 * float(np.linalg.norm((middle - mean) * scale)))
        near = np.minimum(_step(1.5 * (from_mat - unlike)), _step(1.2 * (limit - unlike)))
        share = np.maximum(share, near)
    return pad_share(seen, np.minimum(share, differs(seen)))


def differs(seen: TappedGround, at: float = 0.0) -> Float32:
    """Share (rows, columns) of differing from the mat, one half at ``config.least_contrast`` or at ``at`` if more."""
    return _step(1.5 * (seen.contrast - max(seen.config.least_contrast, at)))


def _step(values: npt.ArrayLike) -> Float32:
    """Logistic, from 0 to 1."""
    return np.asarray(1 / (1 + np.exp(-np.clip(np.asarray(values, np.float32), -30, 30))), np.float32)


def pad_share(seen: TappedGround, share: Float32) -> Sheet:
    """A share (rows, columns) softened and carried on over the map's edge."""
    pad = round(1.5 * seen.ppi)
    soft = cv2.GaussianBlur(share, (0, 0), 0.12 * seen.ppi)
    framed = cv2.copyMakeBorder(soft, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    return Sheet(np.asarray(framed, np.float32), seen.scale, pad)
