"""How high above the table a base stands: the prior from terrain outlines, and the evidence of apparent sizes.

Most bases stand flat on the mat, a few on hills. Without a terrain outline that says so, the only evidence is apparent
size: a base 1″ higher is about 2 % nearer to the camera. :mod:`vision.bases.joint_heights` combines both for all bases
together; where the sizes can't decide, the doubt stays in the standard deviation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely

from vision.model.expected import ExpectedTerrain

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class HeightConfig:
    """Heights in inches. ``flat_mean_in``, ``flat_sd_in``: of the open mat, relative to the frame markers, which are on
    it as bases are; ``piece_mean_in``, ``piece_sd_in``: where a piece of ``piece_kinds`` was read, which is of felt or
    card, or painted; ``raised_share``: prior chance that a base is on something undrawn, ``elsewhere_share`` where
    the photo's terrain was read and shows no hill; ``usual_in``: mean height of hills, from ``lowest_raised_in`` to
    ``highest_in``; ``unread_where``: chances of table, slope and top for a base with its group at such a place.

    Of a hill that was read: ``least_edge_in``: least uncertainty of its edge; ``beyond_share``: chance of standing on
    it up to ``beyond_in`` outside its outline; ``least_on``: a smaller chance counts as zero; ``beside_share``: the
    least such chance up to ``beside_in`` from a base that sight lines surely (``surely_sigmas``) put high on it;
    ``top_share``, ``slope_share``: chance that a base on it, inside and outside its read top, is on the top rather than
    on a slope or step. ``alike_share``: chance that the bases of a group are all on the same part of a rise.
    ``stated_share``: share of a height's distribution within ``stated_sigmas`` stated standard deviations (an ellipse
    of 95 % reaches 2.45, its other axis takes some).

    ``size_floor_in``: error of a height from one base's size that more pixels do not reduce; ``size_freedom``:
    degrees of freedom of its error; ``edge_sd_px``: prior spread of the edge bias that all bases of a side share,
    measured on bases that are on read hills with a chance of ``flat_below`` at most; ``edge_own_px``: the part
    that a unit's own ground adds, ``edge_alone_px``: the part that each base adds (both more by ``hidden_factor`` times
    the hidden share of its outline); the first two for tags. ``sight_shared``: part of the variance of a height from
    sight lines that a unit's bases have in common. A size that implies more than ``climb_from_in`` is read again from
    there, at most ``climbs`` times, until it moves less than ``climb_step_in``: edges far from the assumed outline are
    read short."""

    flat_mean_in: float = 0.005
    flat_sd_in: float = 0.018
    piece_mean_in: float = 0.03
    piece_sd_in: float = 0.025
    piece_kinds: tuple[str, ...] = ("woods", "town", "field", "marsh", "road")
    raised_share: float = 0.11
    elsewhere_share: float = 0.04
    usual_in: float = 1.0
    unread_where: tuple[float, float, float] = (0.4, 0.15, 0.45)
    alike_share: float = 0.5
    stated_share: float = 0.95
    stated_sigmas: float = 2.2
    least_edge_in: float = 0.5
    beyond_share: float = 0.05
    beyond_in: float = 4.0
    least_on: float = 0.02
    surely_sigmas: float = 2.5
    beside_share: float = 0.5
    beside_in: float = 3.0
    top_share: float = 0.7
    slope_share: float = 0.4
    lowest_raised_in: float = 0.2
    highest_in: float = 4.0
    step_in: float = 0.04
    size_floor_in: float = 0.07
    size_freedom: float = 4.0
    edge_sd_px: float = 0.6
    edge_own_px: float = 0.08
    edge_alone_px: float = 0.14
    hidden_factor: float = 2.0
    flat_below: float = 0.3
    sight_shared: float = 0.5
    tag_edge_sd_px: float = 0.06
    tag_edge_own_px: float = 0.03
    together_in: float = 0.5
    climb_from_in: float = 0.12
    climb_step_in: float = 0.08
    climbs: int = 5


@dataclass(frozen=True)
class SurfacePrior:
    """What is known of the surface under a place: its height and standard deviation in inches; ``open`` where it may
    also be raised, by a hill that was read or by an undrawn one, the latter with the chance ``raised_share``."""

    mean_in: float
    sd_in: float
    open: bool
    raised_share: float = 0.0


@dataclass(frozen=True)
class SizeWitness:
    """The height in inches implied by an apparent size, its standard deviation, and inches per pixel of edge bias;
    ``shared_px``: the standard deviation, in pixels, of an edge bias that all bases of its group have in common.
    ``triangulated``: the height comes from sight lines rather than a size, so that edge bias does not count;
    ``odds``: how many times more likely the observation is at that height than at any other, if that is in doubt."""

    height_in: float
    sigma_in: float
    per_px: float = 0.0
    shared_px: float = 0.0
    triangulated: bool = False
    odds: float = np.inf

    def spread_in(self, config: HeightConfig) -> float:
        """Its standard deviation, not below the error that more pixels do not reduce."""
        return self.sigma_in if self.triangulated else max(self.sigma_in, config.size_floor_in)


def surface_prior(x: float, y: float, terrain: tuple[ExpectedTerrain, ...], config: HeightConfig) -> SurfacePrior:
    """The surface at a place as far as the terrain outlines define it.

    On a drawn hill's top, its height; on a drawn hill but off its top, anything up to that; on a bridge, its height; on
    felt and card, the height of their outline up to a quarter of an inch (more is the height of trees and houses, not
    of ground), or a usual one where they were read off a photo. On a hill that was read or is of unknown height, the
    table's own: the sizes of bases decide how much it is raised there.
    """
    point = shapely.Point(x, y)
    drawn = any(t.kind == "hill" and not may_be_hill(t) for t in terrain)
    read = any(t.confidence < 1.0 for t in terrain)
    share = 0.0 if drawn else config.elsewhere_share if read else config.raised_share
    prior = SurfacePrior(config.flat_mean_in, config.flat_sd_in, not drawn, share)
    for piece in terrain:
        if may_be_hill(piece) or not piece.shape.covers(point):
            continue
        if piece.kind == "hill":
            if piece.top.covers(point):
                return SurfacePrior(piece.height, max(0.05, 0.08 * piece.height), False)
            return SurfacePrior(piece.height / 2, piece.height / 3, False)
        if piece.kind == "bridge" and piece.height > 0:
            return SurfacePrior(piece.height, max(0.05, 0.2 * piece.height), False)
        if piece.confidence < 1.0 and piece.kind in config.piece_kinds and piece.height <= 0:
            prior = SurfacePrior(config.piece_mean_in, config.piece_sd_in, prior.open, share)
        if 0 < piece.height <= 0.25:
            prior = SurfacePrior(piece.height, config.flat_sd_in, prior.open, share)
    return prior


def may_be_hill(piece: ExpectedTerrain) -> bool:
    """Whether a piece may be a hill, so that the photo's sizes decide if it is there and how high it is."""
    return piece.kind == "hill" and (piece.confidence < 1.0 or piece.height <= 0)


def edge_bias(witnesses: list[SizeWitness], prior_px: float, config: HeightConfig) -> tuple[float, float]:
    """The edge bias in pixels that bases of one side share, and its standard deviation: a robust mean over bases that
    are mostly flat, drawn to zero where there are few."""
    rows = [w for w in witnesses if np.isfinite(w.sigma_in) and abs(w.per_px) > 1e-3]
    if not rows:
        return 0.0, prior_px
    # A bias b makes a base look b * per_px higher than it is.
    slopes = np.array([(w.height_in - config.flat_mean_in) / w.per_px for w in rows])
    sigmas = np.array([max(w.sigma_in, config.size_floor_in) / abs(w.per_px) for w in rows])
    middle = float(np.median(slopes))
    weight = np.exp(-0.5 * ((slopes - middle) / (3 * np.maximum(sigmas, 0.1))) ** 2) / sigmas**2
    precision = 1 / prior_px**2 + weight.sum()
    return float((weight * slopes).sum() / precision), float(np.sqrt(1 / precision))


def own_size(size: SizeWitness, bias: tuple[float, float], alone_px: float, group_px: float = 0.0) -> SizeWitness:
    """What a base's size says with the shared edge ``bias`` (pixels, sigma) taken off; ``alone_px``: spread of the edge
    error that is the base's own, ``group_px``: of the one that its group shares."""
    return SizeWitness(
        size.height_in - bias[0] * size.per_px,
        float(np.hypot(size.sigma_in, alone_px * size.per_px)),
        size.per_px,
        float(np.hypot(group_px, bias[1])),
    )


def mean_size(sizes: Sequence[SizeWitness], config: HeightConfig) -> float | None:
    """The height in inches that several sizes of one surface imply together, robustly; ``None`` without any."""
    rows = [size for size in sizes if np.isfinite(size.sigma_in)]
    if not rows:
        return None
    heights = np.array([size.height_in for size in rows])
    sigmas = np.array([size.spread_in(config) for size in rows])
    # One base with a misread size must not lift its unit: far ones lose their weight.
    middle = float(np.median(heights))
    weight = 1.0 / (sigmas**2 * (1.0 + ((heights - middle) / (2 * sigmas)) ** 2))
    return float(np.average(heights, weights=weight))


def known_height(prior: SurfacePrior, sizes: Sequence[SizeWitness], config: HeightConfig) -> tuple[float, float]:
    """Height in inches and its standard deviation where terrain outlines define the surface; sizes refine a slope's
    height. :func:`vision.bases.joint_heights.heights_of` decides whether an open place is raised."""
    precision = 1 / prior.sd_in**2
    total = prior.mean_in * precision
    if prior.sd_in > 0.1:
        for size in (size for size in sizes if np.isinf(size.odds)):
            p = 1 / np.hypot(size.spread_in(config), size.shared_px * size.per_px) ** 2
            precision, total = precision + p, total + p * size.height_in
    return total / precision, float(np.sqrt(1 / precision))
