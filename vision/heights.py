"""How high above the table a base stands.

Most bases stand flat on the mat, a few on hills. Without a terrain outline that says so, the only witness is apparent
size: a base 1" higher is about 2 % nearer to the camera. The height is the posterior of a prior (flat, or somewhere on
a hill) given the sizes seen; where the sizes can't tell, the doubt stays in the standard deviation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import shapely

from vision.expected import ExpectedTerrain

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class HeightConfig:
    """Heights in inches. ``flat_mean_in``, ``flat_sd_in``: mats, felt and card under a base; ``raised_share``: prior
    chance that a base stands on something higher, up to ``highest_in``; the same on the top (``top_share``) and
    slope (``slope_share``) of a hill that the photo shows, and elsewhere on its table (``elsewhere_share``);
    ``size_floor_in``: error of a height read off one base's size that more pixels do not cure; ``edge_sd_px``:
    prior spread of the edge bias that all bases of a side share, ``edge_own_px``: of what a unit's own ground
    adds to it (``edge_alone_px``: a single base's; more by ``hidden_factor`` times the share of outline hidden);
    the same two for tags. A size that asks for more than ``climb_from_in`` is read again from there, at most
    ``climbs`` times, until it moves less than ``climb_step_in``: edges far from the assumed outline are read
    short."""

    flat_mean_in: float = 0.02
    flat_sd_in: float = 0.025
    raised_share: float = 0.08
    top_share: float = 0.97
    slope_share: float = 0.6
    elsewhere_share: float = 0.02
    lowest_raised_in: float = 0.2
    highest_in: float = 4.0
    step_in: float = 0.02
    size_floor_in: float = 0.07
    edge_sd_px: float = 0.6
    edge_own_px: float = 0.2
    edge_alone_px: float = 0.45
    hidden_factor: float = 4.0
    tag_edge_sd_px: float = 0.06
    tag_edge_own_px: float = 0.08
    together_in: float = 0.5
    climb_from_in: float = 0.12
    climb_step_in: float = 0.08
    climbs: int = 5


@dataclass(frozen=True)
class SurfacePrior:
    """What is known of the surface under a place: its height and standard deviation in inches; ``open`` where a hill
    that nobody has drawn is possible, with the chance ``raised_share`` (``None``: the usual one)."""

    mean_in: float
    sd_in: float
    open: bool
    raised_share: float | None = None


@dataclass(frozen=True)
class SizeWitness:
    """A height in inches that an apparent size asks for, its standard deviation, and inches per pixel of edge bias."""

    height_in: float
    sigma_in: float
    per_px: float = 0.0


def surface_prior(x: float, y: float, terrain: tuple[ExpectedTerrain, ...], config: HeightConfig) -> SurfacePrior:
    """The surface at a place as far as the terrain outlines tell.

    On a hill's top, its height; on a hill but off its top, anything up to that; on a hill whose height nobody knows
    (it was read off the photo), raised by more than likely; on a bridge, its height; on felt and card, what their
    outline states up to a quarter of an inch (more is the height of trees and houses, not of ground).
    """
    point = shapely.Point(x, y)
    drawn = any(t.kind == "hill" and t.height > 0 for t in terrain)
    read = any(t.confidence < 1.0 for t in terrain)
    elsewhere = config.elsewhere_share if read else None
    prior = SurfacePrior(config.flat_mean_in, config.flat_sd_in, not drawn, elsewhere)
    for piece in terrain:
        if not _area(piece.polygon).covers(point):
            continue
        if piece.kind == "hill" and piece.height <= 0:
            top = piece.hill_top is None or _area(piece.hill_top).covers(point)
            share = piece.confidence * (config.top_share if top else config.slope_share)
            return SurfacePrior(config.flat_mean_in, config.flat_sd_in, True, share)
        if piece.kind == "hill" and piece.height > 0:
            if piece.hill_top is None or _area(piece.hill_top).covers(point):
                return SurfacePrior(piece.height, max(0.05, 0.08 * piece.height), False)
            return SurfacePrior(piece.height / 2, piece.height / 3, False)
        if piece.kind == "bridge" and piece.height > 0:
            return SurfacePrior(piece.height, max(0.05, 0.2 * piece.height), False)
        if 0 < piece.height <= 0.25:
            prior = SurfacePrior(piece.height, config.flat_sd_in, prior.open)
    return prior


@lru_cache(maxsize=256)
def _area(outline: tuple[tuple[float, float], ...]) -> shapely.Polygon:
    """The area within an outline; many bases ask about the same few."""
    return shapely.Polygon(outline)


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


def one_surface(
    witnesses: list[SizeWitness], bias: tuple[float, float], own_px: float, config: HeightConfig
) -> SizeWitness | None:
    """What several sizes on one surface say together, the shared edge ``bias`` (pixels, sigma) taken off; ``own_px``:
    the part of the edge error that they share among themselves alone."""
    rows = [w for w in witnesses if np.isfinite(w.sigma_in)]
    if not rows:
        return None
    heights = np.array([w.height_in - bias[0] * w.per_px for w in rows])
    sigmas = np.array([max(w.sigma_in, config.size_floor_in) for w in rows])
    per_px = float(np.median([abs(w.per_px) for w in rows]))
    # One base whose size is read wrongly must not lift its unit: far ones lose their weight.
    middle = float(np.median(heights))
    reach = np.hypot(sigmas, own_px * per_px)
    weight = 1.0 / (sigmas**2 * (1.0 + ((heights - middle) / (2 * reach)) ** 2))
    shared = np.hypot(own_px, bias[1]) * per_px
    return SizeWitness(float(np.average(heights, weights=weight)), float(np.hypot(1 / np.sqrt(weight.sum()), shared)))


def posterior_height(prior: SurfacePrior, witnesses: list[SizeWitness], config: HeightConfig) -> tuple[float, float]:
    """Height in inches and its standard deviation, from a prior and the sizes seen (of bases on one surface)."""
    if not prior.open:
        precision = 1 / prior.sd_in**2
        total = prior.mean_in * precision
        if prior.sd_in > 0.1:
            for w in witnesses:
                p = 1 / max(w.sigma_in, config.size_floor_in) ** 2
                precision, total = precision + p, total + p * w.height_in
        return total / precision, float(np.sqrt(1 / precision))
    flat = np.linspace(prior.mean_in - 3 * prior.sd_in, prior.mean_in + 3 * prior.sd_in, 13)
    flat_mass = np.exp(-0.5 * ((flat - prior.mean_in) / prior.sd_in) ** 2)
    share = config.raised_share if prior.raised_share is None else prior.raised_share
    flat_mass *= (1 - share) / flat_mass.sum()
    raised = np.arange(config.lowest_raised_in, config.highest_in, config.step_in)
    raised_mass = np.exp(-raised / 1.0)
    raised_mass *= share / raised_mass.sum()
    heights = np.concatenate([flat, raised])
    log_mass = np.log(np.concatenate([flat_mass, raised_mass]))
    for w in witnesses:
        sigma = max(w.sigma_in, config.size_floor_in)
        deviation = np.abs(heights - w.height_in) / sigma
        # Student's t with ten degrees of freedom: a witness may be a little worse than it says.
        log_mass = log_mass - 5.5 * np.log1p(deviation**2 / 10.0)
    mass = np.exp(log_mass - log_mass.max())
    mass /= mass.sum()
    flat_share = float(mass[: len(flat)].sum())
    part = slice(0, len(flat)) if flat_share >= 0.5 else slice(len(flat), None)
    best = float(np.average(heights[part], weights=mass[part]))
    return best, float(np.sqrt(np.average((heights - best) ** 2, weights=mass)))
