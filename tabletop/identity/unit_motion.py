"""The motion of a unit between two moments: of its single bases, and of the whole unit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from tabletop.identity.table_snapshot import BaseSighting

Array = npt.NDArray[np.float64]

CHI2_95 = 5.991464547107979
"""A deviation in two dimensions is within its 95 % ellipse if its square, in sigmas, is below this."""

NEVER = 1e9
"""The distance of two bases that can't be the same: more than any on a table."""

PUT_DEG, PUT_IN = 1.0, 0.05
"""The inaccuracy (one sigma) of a base put down by hand: its angle to the unit, and its place in it."""

LEAST_DEG = 0.05
"""The least sigma of a turn."""


@dataclass(frozen=True)
class SeenChange:
    """A unit's difference from the game: the distance of its farthest base and its turn, with one standard deviation
    each; ``None`` if not measured. ``before`` and ``after`` are centres of its bases."""

    distance: float | None
    sigma: float | None
    turned_deg: float | None
    turned_sigma: float | None
    before: tuple[tuple[float, float], ...]
    after: tuple[tuple[float, float], ...]


def match_pieces(first: Sequence[BaseSighting], second: Sequence[BaseSighting]) -> list[tuple[int, int]]:
    """Match a unit's bases so that the farthest moved as little as possible, then all together.

    The unique base goes to the unique base where both are known; all others of one make are alike. Pairs of rows.
    """
    a = [i for i, p in enumerate(first) if p.unique]
    b = [j for j, p in enumerate(second) if p.unique]
    fixed = [(a[0], b[0])] if a and b else []
    rest = [i for i in range(len(first)) if not fixed or i != a[0]]
    others = [j for j in range(len(second)) if not fixed or j != b[0]]
    if not rest or not others:
        return fixed
    far = distances([first[i] for i in rest], [second[j] for j in others])
    for limit in np.unique(far[far < NEVER]):
        cost = np.where(far <= limit, far**2, NEVER)
        rows, columns = linear_sum_assignment(cost)
        if cost[rows, columns].max() < NEVER:
            return sorted([*fixed, *((rest[r], others[c]) for r, c in zip(rows, columns, strict=True))])
    rows, columns = linear_sum_assignment(far)
    fit = [(rest[r], others[c]) for r, c in zip(rows, columns, strict=True) if far[r, c] < NEVER]
    return sorted([*fixed, *fit])


def distances(first: Sequence[BaseSighting], second: Sequence[BaseSighting]) -> Array:
    """Between centres, inches; ``NEVER`` if the two can't be the same base."""
    away = np.array([p.center for p in first])[:, None] - np.array([p.center for p in second])[None, :]
    fits = np.array([[p.fits(q) for q in second] for p in first])
    return np.where(fits, np.linalg.norm(away, axis=2), NEVER)


def spread_in(*pieces: BaseSighting) -> float:
    """The largest sigma of the difference between places of bases, inches."""
    total = np.sum([p.covariance for p in pieces], axis=0)
    return float(np.sqrt(np.linalg.eigvalsh(total).max()))


def turn_between(first: BaseSighting, second: BaseSighting) -> float | None:
    """From one base's facing to another's, degrees clockwise in [-180, 180); ``None`` where either is not known."""
    if first.facing is None or second.facing is None:
        return None
    return (second.facing - first.facing + 180.0) % 360.0 - 180.0


@dataclass(frozen=True, eq=False)
class Motion:
    """How a unit's middle moved (``shift`` (2,), ``covariance`` (2, 2)) and turned; ``misfit_in`` is the distance of
    its bases from a turn about the middle."""

    shift: Array
    covariance: Array
    turned_deg: float | None
    turned_sigma: float | None
    misfit_in: float

    @property
    def distance(self) -> float:
        """Of the middle, inches."""
        return float(np.linalg.norm(self.shift))

    @property
    def sigma(self) -> float:
        """Along the shift; over all directions if there is hardly any."""
        if self.distance < 1e-9:
            return float(np.sqrt(np.linalg.eigvalsh(self.covariance).max()))
        way = self.shift / self.distance
        return math.sqrt(max(0.0, float(way @ self.covariance @ way)))

    @property
    def surely_off(self) -> bool:
        """Whether no movement at all is outside the 95 % ellipse."""
        spread = self.covariance + 1e-12 * np.eye(2)
        return float(self.shift @ np.linalg.solve(spread, self.shift)) > CHI2_95


def motion_of(
    first: Sequence[BaseSighting], second: Sequence[BaseSighting], pairs: Sequence[tuple[int, int]]
) -> Motion:
    """A unit's motion, from its bases at two moments and their matches (pairs of rows, at least one)."""
    turned, turned_sigma = _turn(first, second, pairs)
    covariance = np.mean([first[i].covariance + second[j].covariance for i, j in pairs], axis=0)
    a, b = (np.array([p.center for p in pieces]) for pieces in (first, second))
    if len(pairs) == len(first) == len(second):
        shift, misfit = b.mean(axis=0) - a.mean(axis=0), _misfit(a, b, turned)
        return Motion(shift, covariance, turned, turned_sigma, misfit)
    # The middle of a partly seen unit follows from its seen bases, if its formation is unchanged.
    i, j = (list(rows) for rows in zip(*pairs, strict=True))
    whole, part = (a, i) if len(first) >= len(second) else (b, j)
    arm = whole[part].mean(axis=0) - whole.mean(axis=0)
    swing = _rotation(turned or 0.0) if whole is a else _rotation(-(turned or 0.0))
    shift = b[j].mean(axis=0) - a[i].mean(axis=0) - (swing @ arm - arm) * (1.0 if whole is a else -1.0)
    lever = math.radians(turned_sigma or 0.0) * float(np.linalg.norm(arm))
    return Motion(shift, covariance + (lever**2 + 0.05**2) * np.eye(2), turned, turned_sigma, 0.0)


def _turn(
    first: Sequence[BaseSighting], second: Sequence[BaseSighting], pairs: Sequence[tuple[int, int]]
) -> tuple[float | None, float | None]:
    """A unit's turn and one sigma, degrees: from its bases' facings and from the places of their centres.

    The sigma of each includes the measurements, the inaccuracy of the hand and the disagreement of the bases. The two
    are averaged by their spreads. If they differ greatly, the unit changed formation, and only facings count.
    """
    hand = float(_put_down(first, second, pairs))
    faced = _turn_of_facings(first, second, pairs, hand * PUT_DEG)
    if faced is None:
        placed = _turn_of_places(first, second, pairs, hand * PUT_IN)
        if placed is None:
            return None, None
        # in a unit that turned by more than 60 degrees, alike bases are nearer to the former places of others
        again = _turn_of_places(first, second, _nearest_pairs(first, second, pairs, placed[0]), hand * PUT_IN)
        return min((placed, again or placed), key=lambda turn: turn[1])
    placed = _turn_of_places(first, second, _nearest_pairs(first, second, pairs, faced[0]), hand * PUT_IN)
    if placed is None:
        return faced
    apart = (placed[0] - faced[0] + 180.0) % 360.0 - 180.0
    both = faced[1] ** 2 + placed[1] ** 2
    if abs(apart) > 3.0 * math.sqrt(both):
        return faced
    share = faced[1] ** 2 / both
    turn = (faced[0] + share * apart + 180.0) % 360.0 - 180.0
    return turn, math.sqrt(max(1.0, apart**2 / both)) * faced[1] * placed[1] / math.sqrt(both)


def _put_down(first: Sequence[BaseSighting], second: Sequence[BaseSighting], pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether a measured base, not a typed one, was surely picked up and put down elsewhere."""
    for i, j in pairs:
        spread = first[i].covariance + second[j].covariance
        shift = second[j].center - first[i].center
        if spread.any() and float(shift @ np.linalg.pinv(spread) @ shift) > 2 * CHI2_95:
            return True
    return False


def _turn_of_facings(
    first: Sequence[BaseSighting], second: Sequence[BaseSighting], pairs: Sequence[tuple[int, int]], hand_deg: float
) -> tuple[float, float] | None:
    """The mean turn of bases with known facings, and its sigma, degrees."""
    told = [(turn_between(first[i], second[j]), first[i], second[j]) for i, j in pairs]
    found = [(turn, p.facing_sigma**2 + q.facing_sigma**2) for turn, p, q in told if turn is not None]
    if not found:
        return None
    angles = np.radians([turn for turn, _ in found])
    mean = math.degrees(math.atan2(np.sin(angles).mean(), np.cos(angles).mean()))
    measured = math.sqrt(sum(variance + hand_deg**2 for _, variance in found)) / len(found)
    off = [(turn - mean + 180.0) % 360.0 - 180.0 for turn, _ in found]
    agreed = math.sqrt(sum(one**2 for one in off) / max(1, len(found) - 1) / len(found))
    return mean, max(measured, agreed, LEAST_DEG)


def _turn_of_places(
    first: Sequence[BaseSighting], second: Sequence[BaseSighting], pairs: Sequence[tuple[int, int]], hand_in: float
) -> tuple[float, float] | None:
    """The turn about the middle that fits the new centres best, and its sigma, degrees."""
    if len(pairs) < 2:
        return None
    a = np.array([first[i].center for i, _ in pairs])
    b = np.array([second[j].center for _, j in pairs])
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    size = math.sqrt(float((a**2).sum()))
    if size < 0.5:
        return None
    turn = math.degrees(math.atan2(float((a[:, 1] * b[:, 0] - a[:, 0] * b[:, 1]).sum()), float((a * b).sum())))
    off = a @ _rotation(turn).T - b
    agreed = math.sqrt(float((off**2).sum()) / (2 * len(pairs) - 3))
    noise = math.hypot(hand_in, max(spread_in(first[i], second[j]) for i, j in pairs))
    return turn, max(math.degrees(max(noise, agreed) / size), LEAST_DEG)


def _nearest_pairs(
    first: Sequence[BaseSighting], second: Sequence[BaseSighting], pairs: Sequence[tuple[int, int]], turn_deg: float
) -> list[tuple[int, int]]:
    """The same bases, paired with the nearest ones after the turn: alike ones may have changed places."""
    rows, others = [i for i, _ in pairs], [j for _, j in pairs]
    a, b = np.array([first[i].center for i in rows]), np.array([second[j].center for j in others])
    wanted = (a - a.mean(axis=0)) @ _rotation(turn_deg).T
    off = np.linalg.norm(wanted[:, None] - (b - b.mean(axis=0))[None, :], axis=2)
    fits = np.array([[first[i].fits(second[j]) for j in others] for i in rows])
    chosen = linear_sum_assignment(np.where(fits, off**2, NEVER))
    return [(rows[r], others[c]) for r, c in zip(*chosen, strict=True)]


def _rotation(turn_deg: float) -> Array:
    """The matrix that turns column vectors clockwise."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return np.array([[c, s], [-s, c]])


def _misfit(a: Array, b: Array, turned: float | None) -> float:
    """The greatest distance of bases from their places after a turn; alike bases may have changed places."""
    wanted = (a - a.mean(axis=0)) @ _rotation(turned or 0.0).T
    off = np.linalg.norm(wanted[:, None] - (b - b.mean(axis=0))[None, :], axis=2)
    rows, columns = linear_sum_assignment(off**2)
    return float(off[rows, columns].max())
