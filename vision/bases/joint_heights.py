"""The heights of bases, estimated for all of them together.

A hill that a photo shows may not be there, its edge may be elsewhere, and its height is unknown; there may also be a
hill where none was read. The evidence is apparent size, a little for each base. So every possible rise is tested
against all bases that may be on it: for each height that it may have, and for none, each base is on the table,
on its slope or on its top. The result is the mean height of each base and its variance (Bayesian model
averaging; Hoeting and others, Statistical Science 14, 1999).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely
from scipy.special import ndtr

from vision.model.expected import ExpectedTerrain
from vision.model.heights import HeightConfig, SizeWitness, SurfacePrior, known_height, may_be_hill, surface_prior

Array = npt.NDArray[np.float64]

# Normal distributions as points with weights: of the flat's height, and of the edge error that a group shares. Evenly
# spaced, as sizes can be far sharper than either.
_FLAT_NODES, _SHARED_NODES = np.linspace(-2.5, 2.5, 11), np.linspace(-2.8, 2.8, 15)
_FLAT_WEIGHTS = np.exp(-0.5 * _FLAT_NODES**2) / np.exp(-0.5 * _FLAT_NODES**2).sum()
_SHARED_WEIGHTS = np.exp(-0.5 * _SHARED_NODES**2) / np.exp(-0.5 * _SHARED_NODES**2).sum()


@dataclass(frozen=True)
class BaseOfUnknownHeight:
    """A base of unknown height: its place in inches if its height is ``z``, the number of its
    ``group`` (bases that are likely to be on one surface: those of a unit), the evidence of its sizes, and its
    ``lean``: how its place moves for each inch that it is higher."""

    x: float
    y: float
    group: int
    sizes: tuple[SizeWitness, ...]
    lean: tuple[float, float] = (0.0, 0.0)
    z: float = 0.0

    def at(self, height_in: float) -> tuple[float, float]:
        """Its place if it is so high."""
        higher = height_in - self.z
        return self.x + higher * self.lean[0], self.y + higher * self.lean[1]

    def surely_high(self, config: HeightConfig) -> SizeWitness | None:
        """The evidence of sight lines where it surely is well above the table."""
        sure = [s for s in self.sizes if s.triangulated and np.isinf(s.odds) and s.height_in >= config.lowest_raised_in]
        high = [s for s in sure if s.height_in > config.surely_sigmas * np.hypot(s.sigma_in, s.shared_px * s.per_px)]
        return min(high, key=lambda s: s.sigma_in, default=None)


@dataclass(frozen=True, eq=False)
class _Rise:
    """A surface that may be there with a ``chance``: the ``height`` (mean, sigma) it was read at, if any, and for each
    of the bases ``rows`` that may be on it the chances (n, 3) of table, slope and top."""

    chance: float
    height: tuple[float, float] | None
    rows: tuple[int, ...]
    where: Array


def heights_of(
    bases: Sequence[BaseOfUnknownHeight], terrain: tuple[ExpectedTerrain, ...], config: HeightConfig
) -> list[tuple[float, float]]:
    """The mean height and its standard deviation, inches, of the surface under each base.

    The height of a hill or bridge that the table file draws is taken as given; hills that were read off a photo, and
    hills that may have been overlooked, are tested against the sizes of all bases there.

    >>> low, high = SizeWitness(0.0, 0.05), SizeWitness(1.0, 0.05)
    >>> pair = [BaseOfUnknownHeight(5.0, 5.0, 0, (high, high)), BaseOfUnknownHeight(9.0, 5.0, 1, (low,))]
    >>> [round(z, 1) for z, _ in heights_of(pair, (), HeightConfig())]
    [1.0, 0.0]
    """
    priors = [surface_prior(base.x, base.y, terrain, config) for base in bases]
    out = [known_height(prior, base.sizes, config) for prior, base in zip(priors, bases, strict=True)]
    for rise in _rises(bases, priors, terrain, config):
        for row, height in zip(rise.rows, _base_heights(rise, bases, priors, config), strict=True):
            out[row] = height
    return out


def chance_raised(
    x: float, y: float, lean: tuple[float, float], terrain: tuple[ExpectedTerrain, ...], config: HeightConfig
) -> float:
    """The chance that a base, seen at a place as if at the table's height, is on a hill that was read, by outlines
    alone; ``lean`` as in :class:`BaseOfUnknownHeight`."""
    base = BaseOfUnknownHeight(x, y, 0, (), lean)
    return max((p.confidence * _chance_on(p, base, config) for p in terrain if may_be_hill(p)), default=0.0)


def _rises(
    bases: Sequence[BaseOfUnknownHeight],
    priors: Sequence[SurfacePrior],
    terrain: tuple[ExpectedTerrain, ...],
    config: HeightConfig,
) -> list[_Rise]:
    """All rises that may be there, each base on one of them: the read hill that it most likely is on, else an unread
    one that its group shares."""
    free = [row for row, prior in enumerate(priors) if prior.open]
    hills = [piece for piece in terrain if may_be_hill(piece)]
    on = np.array([[_chance_on(piece, bases[row], config) for row in free] for piece in hills])
    on = _reaching(on.reshape(len(hills), len(free)), [bases[row] for row in free], config)
    chances = np.array([piece.confidence for piece in hills])[:, None] * on
    out: list[_Rise] = []
    taken: set[int] = set()
    for k, piece in enumerate(hills):
        mine = [
            j
            for j, row in enumerate(free)
            # A base that is more likely on an unread hill goes with its group.
            if piece.confidence * on[k, j] >= priors[row].raised_share * (1.0 - config.unread_where[0])
            and int(np.argmax(chances[:, j])) == k
        ]
        if not mine:
            continue
        taken.update(free[j] for j in mine)
        where = np.array([_where(piece, bases[free[j]], on[k, j], config) for j in mine])
        least, share = (0.05, 0.08) if piece.height_stated else (0.1, 0.2)
        height = (piece.height, max(least, share * piece.height)) if piece.height_known else None
        out.append(_Rise(piece.confidence, height, tuple(free[j] for j in mine), where))
    unread: dict[int, list[int]] = {}
    for row in free:
        if row not in taken:
            unread.setdefault(bases[row].group, []).append(row)
    for rows in unread.values():
        share = max(priors[row].raised_share for row in rows)
        out.append(_Rise(share, None, tuple(rows), np.tile(config.unread_where, (len(rows), 1))))
    return out


def _chance_on(piece: ExpectedTerrain, base: BaseOfUnknownHeight, config: HeightConfig) -> float:
    """The chance that a base is on a read hill if there is one: by its place at the hill's height and its distance
    from the outline, in or out."""
    shape = piece.shape
    point = _point_on(piece, base, config)
    away = float(shapely.distance(shape.boundary, point)) * (-1.0 if shape.covers(point) else 1.0)
    near = float(ndtr(-away / max(piece.sigma_in, config.least_edge_in)))
    return max(near, config.beyond_share if away < config.beyond_in else 0.0)


def _point_on(piece: ExpectedTerrain, base: BaseOfUnknownHeight, config: HeightConfig) -> shapely.Point:
    """The place of a base if it is on a hill, at the height that was read or the usual one."""
    return shapely.Point(*base.at(piece.height if piece.height > 0 else config.usual_in))


def _reaching(on: Array, bases: Sequence[BaseOfUnknownHeight], config: HeightConfig) -> Array:
    """The chances ``on`` (hills, bases) of being on each hill, raised near bases that surely are high on it: these
    show that the hill reaches as far as them, whatever its outline, so that bases beside them are likely on it too."""
    out = on.copy()
    if not len(on):
        return out
    high = [(j, told) for j, told in enumerate(base.surely_high(config) for base in bases) if told is not None]
    for j, told in high:
        k = int(np.argmax(on[:, j]))
        if on[k, j] < config.least_on:
            continue
        for i, base in enumerate(bases):
            gap = float(np.hypot(*np.subtract(base.at(told.height_in), bases[j].at(told.height_in))))
            if gap <= config.beside_in:
                out[k, i] = max(out[k, i], config.beside_share)
    return out


def _where(piece: ExpectedTerrain, base: BaseOfUnknownHeight, on: float, config: HeightConfig) -> Array:
    """Chances (3,) of table, slope and top for a base that is on a hill with the chance ``on``."""
    top = piece.hill_top is None or piece.top.covers(_point_on(piece, base, config))
    share = config.top_share if top else config.slope_share
    return np.array([1.0 - on, on * (1.0 - share), on * share])


def _base_heights(
    rise: _Rise, bases: Sequence[BaseOfUnknownHeight], priors: Sequence[SurfacePrior], config: HeightConfig
) -> list[tuple[float, float]]:
    """Mean height and standard deviation of each base that may be on a rise."""
    tops = np.arange(config.lowest_raised_in, config.highest_in + 1e-9, config.step_in)
    mass = np.exp(-tops / config.usual_in)
    if rise.height is not None:
        mass = np.exp(-0.5 * ((tops - rise.height[0]) / rise.height[1]) ** 2)
    with np.errstate(divide="ignore"):
        log_mass = np.log(np.append((1.0 - rise.chance), rise.chance * mass / mass.sum()))
    groups: dict[int, list[int]] = {}
    for k, row in enumerate(rise.rows):
        groups.setdefault(bases[row].group, []).append(k)
    told = {}
    for group, members in groups.items():
        each = [_size_likelihood(bases[rise.rows[k]], priors[rise.rows[k]], tops, config) for k in members]
        told[group] = _group(each, rise.where[members], config)
        log_mass = log_mass + np.logaddexp.reduce(told[group].log_chance, axis=1)
    of_top = np.exp(log_mass - log_mass.max())
    of_top /= of_top.sum()
    out: list[tuple[float, float]] = [(0.0, 0.0)] * len(rise.rows)
    for group, members in groups.items():
        each_log = told[group].log_chance
        weight = np.exp(each_log - np.logaddexp.reduce(each_log, axis=1)[:, None]) * of_top[:, None]
        for k, moments in zip(members, told[group].moments, strict=True):
            out[k] = _mean_and_spread(weight * moments, config)
    return out


def _mean_and_spread(moments: Array, config: HeightConfig) -> tuple[float, float]:
    """The mean of a height and the standard deviation to state for it, from ``moments`` (3, 3, ...): of table, slope
    and top the share, and that times the height and times its square, for each height of the rise.

    Table or top, and nothing between, is not a normal distribution: if the usual number of standard deviations of an
    ellipse of 95 % would leave out more than that, the stated one is raised.
    """
    share, first, second = (moments[:, power].sum(axis=-1) for power in range(3))
    middle = float(first.sum())
    spread = float(np.sqrt(max(float(second.sum()) - middle**2, 1e-6)))
    mean = first / np.maximum(share, 1e-300)
    sd = np.sqrt(np.maximum(second / np.maximum(share, 1e-300) - mean**2, 1e-6))
    reach = config.highest_in * np.linspace(0.0, 1.0, 201) ** 2

    def holds_enough(r: float) -> bool:
        within = (share * (ndtr((middle + r - mean) / sd) - ndtr((middle - r - mean) / sd))).sum()
        return bool(within >= config.stated_share * share.sum())

    enough = bisect_left(reach, True, key=holds_enough)
    return middle, max(spread, float(reach[enough] if enough < len(reach) else 0.0) / config.stated_sigmas)


def _size_likelihood(base: BaseOfUnknownHeight, prior: SurfacePrior, tops: Array, config: HeightConfig) -> Array:
    """The likelihood of one base's sizes (3, 3, n + 1, m) if it is on the table, on the slope or on the top of a rise
    that is missing (first row, where all is table) or has one of the heights ``tops`` (n,), for each amount (m) of
    shared edge error: the likelihood, and that times its height and times its height squared."""
    flat = prior.mean_in + prior.sd_in * _FLAT_NODES
    slopes = np.concatenate([np.arange(config.step_in, tops[0] - 1e-9, config.step_in), tops])
    on_flat = np.exp(_log_likelihood(flat, base.sizes, config))
    on_slope = np.exp(_log_likelihood(slopes, base.sizes, config))
    below = len(slopes) - len(tops) + np.arange(len(tops))
    amounts = np.arange(1, len(slopes) + 1)[:, None]
    out = np.empty((3, 3, len(tops) + 1, len(_SHARED_NODES)))
    for power in range(3):
        out[:, power] = _FLAT_WEIGHTS @ (on_flat * flat[:, None] ** power)
        out[1, power, 1:] = (np.cumsum(on_slope * slopes[:, None] ** power, axis=0) / amounts)[below]
        out[2, power, 1:] = on_slope[below] * tops[:, None] ** power
    return out


@dataclass(frozen=True, eq=False)
class _Group:
    """The joint evidence of the bases of one group: log chance (n + 1, m) of everything they show, and for each base
    ``moments`` (3, 3, n + 1, m): the chance of table, slope and top, and that times height and height squared."""

    log_chance: Array
    moments: list[Array]


def _group(told: Sequence[Array], where: Array, config: HeightConfig) -> _Group:
    """The joint evidence of bases of one group, all on the same surface or each on its own (``where`` (k, 3))."""
    alike = np.exp(np.mean(np.log(np.maximum(where, 1e-6)), axis=0))
    alike /= alike.sum()
    of_all = np.exp(sum(np.log(t[:, 0]) for t in told)) * alike[:, None, None]
    apart = [np.einsum("c,cpij->pij", w, t) for w, t in zip(where, told, strict=True)]
    separate = (1.0 - config.alike_share) * np.exp(sum(np.log(t[0]) for t in apart))
    both = config.alike_share * of_all.sum(axis=0) + separate
    moments = []
    for t, own, weight in zip(told, apart, where, strict=True):
        alone = weight[:, None, None, None] * t / own[0]
        moments.append((config.alike_share * of_all[:, None] * t / t[:, :1] + separate * alone) / both)
    return _Group(np.log(both) + np.log(_SHARED_WEIGHTS), moments)


def _log_likelihood(heights: Array, sizes: Sequence[SizeWitness], config: HeightConfig) -> Array:
    """Log likelihood (n, m) of a base's sizes at heights (n,), for each amount (m,) of the edge error it shares."""
    out = np.zeros((len(heights), len(_SHARED_NODES)))
    for size in sizes:
        if not np.isfinite(size.sigma_in):
            continue
        seen = size.height_in - _SHARED_NODES * size.shared_px * size.per_px
        off = (heights[:, None] - seen) / size.spread_in(config)
        # Student's t: a size may be worse than it says.
        said = -(config.size_freedom + 1.0) / 2.0 * np.log1p(off**2 / config.size_freedom)
        out += said if np.isinf(size.odds) else np.log1p(size.odds * np.exp(said))
    return out
