"""Heights by parallax: a base that stayed where an earlier photo showed it is seen along two lines, which cross there.

That it stayed is itself a guess: one that moved a little along the line of sight looks like a high one. So
every pairing of old and new bases is compared with having moved, all of them together, and a pairing counts only
where the lines meet within their spreads and no other pairing does as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from vision.bases.placed import PlacedBase
from vision.model.earlier import Earlier, EarlierBase, RaisedGround, SightLine
from vision.model.expected import SAME_SIZE_IN, BaseShape

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ParallaxConfig:
    """A priori, a base stayed with the chance ``stayed`` (``stayed_together`` where another of its unit
    surely did); else it marched, up to ``march_in`` and facing
    anywhere, or with the chance ``nudged`` moved up to ``nudge_in`` and turned up to ``nudge_deg``. A base that stayed
    is at the table's height (``flat_sd_in``) or, with the chance ``raised`` (``raised_common`` where hills are many),
    higher: by ``usual_in`` on average, by ``highest_in`` at most (in steps of ``step_in``). ``floor_in``,
    ``floor_deg``: error of each place and facing that its own spread leaves out; ``floor_z_in``: least spread of a
    height; ``across_sigma``: lines that miss each other by more do not meet; ``sure_nats``: by so much a pairing must
    be more likely than none; ``least_odds``: heights with odds below this are dropped; two photos from nearly one place
    give no height if its spread would be more than ``told_in``. ``ground_in``: spread of the ground within a place that
    was found raised, which is where a base is at ``least_in`` or more, and surely (``raised_sigma``)."""

    stayed: float = 0.6
    stayed_together: float = 0.9
    march_in: float = 12.0
    nudged: float = 0.03
    nudge_in: float = 1.0
    nudge_deg: float = 10.0
    flat_sd_in: float = 0.02
    raised: float = 0.08
    raised_common: float = 0.5
    usual_in: float = 1.0
    highest_in: float = 4.0
    step_in: float = 0.05
    floor_in: float = 0.012
    floor_deg: float = 0.7
    floor_z_in: float = 0.03
    across_sigma: float = 3.5
    sure_nats: float = 3.0
    least_odds: float = 1.0
    told_in: float = 0.6
    ground_in: float = 0.04
    least_in: float = 0.15
    raised_sigma: float = 2.5


@dataclass(frozen=True, eq=False)
class SeenBase:
    """A base of the new photo before its height is known: its sight ``line``, shape, facing in degrees (up to the
    shape's own turns unless ``facing_known``) with its spread, and who it is where that is known."""

    line: SightLine
    shape: BaseShape
    facing: float
    facing_known: bool
    facing_sigma_deg: float
    side: str | None
    unit: str | None
    tag: int | None


@dataclass(frozen=True)
class HeightTold:
    """A height in inches from earlier photos, and its standard deviation; ``odds``: how many times more likely the
    observation is if the base is so high than if it has moved, where that is in doubt."""

    z: float
    sigma_in: float
    odds: float = np.inf


def heights_by_parallax(
    seen: Sequence[SeenBase], earlier: Earlier, config: ParallaxConfig | None = None
) -> list[tuple[HeightTold, ...]]:
    """For each base the height at which its sight line meets that of its earlier place; nothing for one that moved,
    or that both photos show from one side.

    For one that may have moved, or that may be any of several, all heights that it then would have, each with its odds:
    their weight depends on other evidence about it, its size, the hills that were read, the unit's other bases.
    """
    config = config or ParallaxConfig()
    if not seen or not earlier.bases:
        return [()] * len(seen)
    rare, common = (
        np.array([[_gain(new, old, share, config) for old in earlier.bases] for new in seen])
        for share in (config.raised, config.raised_common)
    )
    # On a hill, each of a row of look-alikes is seen where the next one would be at the table's height: the other
    # bases that it may be count as they would where hills are common.
    pairs = [j if (common[i] > 0).sum() <= 1 else None for i, j in enumerate(_sure_pairs(rare, config))]
    stayed = {new.unit for new, j in zip(seen, pairs, strict=True) if j is not None and new.unit is not None}
    out: list[tuple[HeightTold, ...]] = []
    for i, (new, pair) in enumerate(zip(seen, pairs, strict=True)):
        share = config.stayed_together if new.unit in stayed else config.stayed
        open_rows = [j for j in range(len(earlier.bases)) if j not in pairs and common[i, j] > -np.inf]
        may_be = [_told_by(new, earlier.bases[j], share, config) for j in ([pair] if pair is not None else open_rows)]
        told = [one for one in may_be if one is not None and one.odds >= config.least_odds]
        out.append(tuple(told) if pair is None else tuple(replace(one, odds=np.inf) for one in told))
    return out


def _told_by(new: SeenBase, old: EarlierBase, stayed: float, config: ParallaxConfig) -> HeightTold | None:
    """The height of a base if it is the old one and stayed, with its odds; ``None`` if their lines give none."""
    told = _crossing(new.line, old.line, config)
    if told is None or told.z < -config.across_sigma * told.sigma_in:  # no base is below the table
        return None
    return replace(told, odds=_odds(new, old, told.z, stayed, config))


def heights_by_ground(
    seen: Sequence[SeenBase], raised: Sequence[RaisedGround], config: ParallaxConfig | None = None
) -> list[HeightTold | None]:
    """For each base the height of the raised ground, if any, that its sight line meets first: the surest one
    found there."""
    config = config or ParallaxConfig()
    out: list[HeightTold | None] = []
    for base in seen:
        hit = [g for g in raised if _lands(base, g)]
        best = min(hit, key=lambda g: (g.sigma_in, -g.z), default=None)
        out.append(None if best is None else HeightTold(best.z, float(np.hypot(best.sigma_in, config.ground_in))))
    return out


def raised_ground(
    placed: Sequence[PlacedBase], known: Sequence[RaisedGround], config: ParallaxConfig | None = None
) -> tuple[RaisedGround, ...]:
    """The ground that is known to be raised after a photo: the ``known`` ground, and the ground under bases with a
    height from sight lines; known ground is dropped where such a base is surely lower or higher."""
    config = config or ParallaxConfig()
    told = [p for p in placed if p.triangulated]
    kept = [g for g in known if not any(_stands_within(p, g) for p in told)]
    high = [p for p in told if p.z >= config.least_in and p.z > config.raised_sigma * p.z_sigma]
    new = [
        RaisedGround(
            (float(p.center[0]), float(p.center[1])),
            min(p.shape.width, p.shape.depth) / 2,
            p.z,
            max(p.z_sigma, config.floor_z_in),
        )
        for p in high
    ]
    return (*kept, *new)


def _stands_within(placed: PlacedBase, ground: RaisedGround) -> bool:
    """Whether a base's middle is on a piece of ground."""
    return float(np.hypot(*(placed.center - ground.center))) <= ground.reach_in


def _lands(base: SeenBase, ground: RaisedGround) -> bool:
    """Whether a base seen along its line is on a piece of ground."""
    at = base.line.at_zero + ground.z * base.line.lean
    return float(np.hypot(*(at - ground.center))) <= ground.reach_in


def _gain(new: SeenBase, old: EarlierBase, raised: float, config: ParallaxConfig) -> float:
    """By how many nats "it stayed" is more likely than "it moved or is another", where the share ``raised`` of all
    are high; minus infinity if impossible."""
    off_deg = _turned(new, old)
    if off_deg is None or not _may_be_one(new, old):
        return -np.inf
    apart = old.line.at_zero - new.line.at_zero
    swing = new.line.lean - old.line.lean
    spread = _spread(new.line, old.line, config)
    weight = _inverse(spread)
    if float(np.hypot(*apart)) > config.highest_in * float(np.hypot(*swing)) + 6 * float(np.sqrt(np.trace(spread))):
        return -np.inf
    z = np.arange(config.step_in, config.highest_in + 1e-9, config.step_in)
    share = np.exp(-z / config.usual_in)
    high = float((share / share.sum()) @ _density(apart - z[:, None] * swing, weight))
    level = np.asarray(spread + config.flat_sd_in**2 * np.outer(swing, swing), dtype=np.float64)
    flat = float(_density(apart[None], _inverse(level))[0])
    turned, nudge_turned = _turn_densities(new, old, off_deg, config)
    stayed = config.stayed * ((1.0 - raised) * flat + raised * high) * turned
    moved = _moved_density(float(np.hypot(*apart)), nudge_turned, config.stayed, config)
    return float(np.log(stayed) - np.log(moved)) if stayed > 0 else -np.inf


def _odds(new: SeenBase, old: EarlierBase, z: float, stayed: float, config: ParallaxConfig) -> float:
    """How many times more likely a base is seen at its place if it stayed, with the prior chance ``stayed``, at a
    given height, than if it moved or is another."""
    off_deg = _turned(new, old)
    if off_deg is None:
        return 0.0
    apart = old.line.at_zero - new.line.at_zero
    weight = _inverse(_spread(new.line, old.line, config))
    turned, nudge_turned = _turn_densities(new, old, off_deg, config)
    here = float(_density((apart - z * (new.line.lean - old.line.lean))[None], weight)[0])
    return float(stayed * here * turned / _moved_density(float(np.hypot(*apart)), nudge_turned, stayed, config))


def _turn_densities(new: SeenBase, old: EarlierBase, off_deg: float, config: ParallaxConfig) -> tuple[float, float]:
    """How much more likely a turn is than any other, for a base that stayed and for one that was nudged."""
    if new.shape.is_round:
        return 1.0, 1.0
    period = 360.0 if new.facing_known else new.shape.period_deg
    sigma = float(np.sqrt(new.facing_sigma_deg**2 + old.facing_sigma_deg**2 + config.floor_deg**2))
    turned = float(np.exp(-0.5 * (off_deg / sigma) ** 2)) / (sigma * np.sqrt(2 * np.pi)) * period
    return turned, period / (2 * config.nudge_deg) if abs(off_deg) < config.nudge_deg else 0.0


def _moved_density(apart_in: float, nudge_turned: float, stayed: float, config: ParallaxConfig) -> float:
    """Density per square inch of a base that moved, in an evening on which the share ``stayed`` does not."""
    leaves = (1.0 - stayed) / (1.0 - config.stayed)
    moved = (1.0 - config.stayed - config.nudged) * leaves / (np.pi * config.march_in**2)
    near = apart_in < config.nudge_in
    return float(moved + (config.nudged * leaves / (np.pi * config.nudge_in**2) * nudge_turned if near else 0.0))


def _spread(new: SightLine, old: SightLine, config: ParallaxConfig) -> Array:
    """Covariance (2, 2) of the distance of two lines."""
    return np.asarray(new.covariance + old.covariance + config.floor_in**2 * np.eye(2), dtype=np.float64)


def _inverse(spread: Array) -> Array:
    return np.asarray(np.linalg.inv(spread), dtype=np.float64)


def _density(off: Array, weight: Array) -> Array:
    """The normal density of each ``off`` (n, 2) by the inverse of its covariance."""
    chi2 = np.einsum("ni,ij,nj->n", off, weight, off)
    return np.asarray(np.exp(-0.5 * chi2) * np.sqrt(np.linalg.det(weight)) / (2 * np.pi))


def _may_be_one(new: SeenBase, old: EarlierBase) -> bool:
    size = max(abs(new.shape.width - old.width), abs(new.shape.depth - old.depth))
    known = ((new.side, old.side), (new.unit, old.unit), (new.tag, old.tag))
    return new.shape.is_round == old.is_round and size <= SAME_SIZE_IN and all(
        a is None or b is None or a == b for a, b in known
    )  # fmt: skip


def _turned(new: SeenBase, old: EarlierBase) -> float | None:
    """Degrees between two facings, 0 for round ones; ``None`` if the old one is unknown."""
    if new.shape.is_round:
        return 0.0
    if not old.facings:
        return None
    period = 360.0 if new.facing_known else new.shape.period_deg
    offs = [(way - new.facing + period / 2) % period - period / 2 for way in old.facings]
    return min(offs, key=abs)


def _sure_pairs(gain: Array, config: ParallaxConfig) -> list[int | None]:
    """The old base of each new one in the most likely pairing, if leaving that pair out costs enough."""
    best, total = _paired(gain)
    out: list[int | None] = []
    for i, j in enumerate(best):
        if j is None:
            out.append(None)
            continue
        without = gain.copy()
        without[i, j] = -np.inf
        out.append(j if total - _paired(without)[1] >= config.sure_nats else None)
    return out


def _paired(gain: Array) -> tuple[list[int | None], float]:
    """The pairing of greatest gain, and that gain: no base needs to be paired."""
    worth = np.maximum(gain, 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    pairs: list[int | None] = [None] * len(gain)
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        if gain[i, j] > 0:
            pairs[i] = j
    return pairs, float(worth[rows, columns].sum())


def _crossing(new: SightLine, old: SightLine, config: ParallaxConfig) -> HeightTold | None:
    """Where two lines cross, if they do and the angle is wide enough to be of use."""
    apart, swing = old.at_zero - new.at_zero, new.lean - old.lean
    spread = _spread(new, old, config)
    weight = np.linalg.inv(spread)
    told = float(swing @ weight @ swing)
    if told < 1.0 / config.told_in**2:
        return None
    z = float(swing @ weight @ apart) / told
    off = apart - z * swing
    across = float(off @ weight @ off)
    if across > config.across_sigma**2 or z > config.highest_in:
        return None
    sigma = np.sqrt(max(1.0, (across + 1.0) / 2.0) / told)
    return HeightTold(z, float(max(sigma, config.floor_z_in)))
