"""Candidates fitted, many at once: the best first, those on ground that a good fit has settled not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import shapely

from vision.bases.outline import OutlineFit
from vision.bases.search import Candidate, half_turn_deg
from vision.bases.selection import Found, PickConfig, footprints, shows_base
from vision.model.expected import BaseShape

Areas = npt.NDArray[np.object_]


@dataclass(frozen=True)
class Wish:
    """A candidate of one side that may be fitted, and its shape."""

    side: str
    candidate: Candidate
    shape: BaseShape

    def is_like(self, other: Wish, config: PickConfig) -> bool:
        """Whether both are practically one: the same shape at nearly the same place."""
        a, b = self.candidate, other.candidate
        near = a.shape == b.shape and np.hypot(a.x - b.x, a.y - b.y) < config.alike_in
        return bool(near and half_turn_deg(a.facing, b.facing) < config.alike_deg)


def fit_candidates(
    candidates: Mapping[str, Sequence[Candidate]],
    shapes: Mapping[str, tuple[BaseShape, ...]],
    fit: Callable[[list[Wish]], list[OutlineFit | None]],
    settled: Sequence[shapely.Polygon],
    config: PickConfig,
    *,
    stray_in: float = 0.0,
) -> list[Found]:
    """Fit the candidates of each side, best first, skipping those on ground already settled by a good fit.

    ``fit`` is given many at once: candidates with no better candidate of their side nearby that is still to be fitted,
    so that the result is the same as if each waited for all better ones. ``stray_in``: how much farther than
    ``config.moved_in`` a fit may end from its candidate.
    """
    wishes = [Wish(side, c, shapes[side][c.shape]) for side, those in candidates.items() for c in those]
    if not wishes:
        return []
    first = np.repeat(np.cumsum([0, *map(len, candidates.values())])[:-1], list(map(len, candidates.values())))
    areas = _footprints(wishes)
    rivals = _better_ones(wishes, areas, first, config, stray_in)
    waiting, fitted = ~_on_settled_ground(areas, settled, config), np.zeros(len(wishes), dtype=bool)
    taken: dict[int, shapely.Polygon] = {}
    found: dict[int, Found] = {}
    while waiting.any():
        ready = []
        for row in np.flatnonzero(waiting).tolist():
            if waiting[rivals[row]].any():
                continue
            near = rivals[row][fitted[rivals[row]]].tolist()
            over = [taken[r] for r in near if r in taken]
            if (
                np.count_nonzero(fitted[first[row] : row]) >= config.most_fits
                or any(wishes[row].is_like(wishes[r], config) for r in near)
                or _on_settled_ground(areas[[row]], over, config)[0]
            ):
                waiting[row] = False
            else:
                ready.append(row)
        for row, result in zip(ready, fit([wishes[row] for row in ready]) if ready else [], strict=True):
            waiting[row], fitted[row] = False, True
            if result is None or not shows_base(result, config):
                continue
            found[row] = Found(result, wishes[row].shape, wishes[row].side)
            if result.coverage >= config.settled_coverage and min(result.support) >= config.settled_side:
                taken[row] = found[row].footprint
    return [found[row] for row in sorted(found) if np.count_nonzero(fitted[first[row] : row]) < config.most_fits]


def _footprints(wishes: Sequence[Wish], inset: float = 0.0) -> Areas:
    """The outlines (n,) on the table of the candidates' shapes, smaller all round by ``inset`` of their depth."""
    shapes = []
    for shape in (wish.shape for wish in wishes):
        less = 2 * inset * min(shape.width, shape.depth)
        shapes.append(replace(shape, width=shape.width - less, depth=shape.depth - less) if inset else shape)
    return footprints(shapes, [(wish.candidate.x, wish.candidate.y, wish.candidate.facing) for wish in wishes])


def _better_ones(
    wishes: Sequence[Wish], areas: Areas, first: npt.NDArray[np.int64], config: PickConfig, stray_in: float
) -> list[npt.NDArray[np.int64]]:
    """For each candidate the rows of earlier ones of its side (which starts at row ``first``) with fits that might
    settle its ground."""
    # A convex outline covers a share of a rectangle only if it reaches that share of its depth inwards.
    inner = _footprints(wishes, config.settled_overlap)
    rows, others = shapely.STRtree(areas).query(inner, predicate="dwithin", distance=config.moved_in + stray_in)
    better = (others < rows) & (others >= first[rows])
    rows, others = rows[better], others[better]
    order = np.argsort(rows, kind="stable")
    return np.split(others[order], np.searchsorted(rows[order], np.arange(1, len(areas))))


def _on_settled_ground(areas: Areas, settled: Sequence[shapely.Polygon], config: PickConfig) -> npt.NDArray[np.bool_]:
    """Which outlines (n,) are on settled ground."""
    if not len(settled):
        return np.zeros(len(areas), dtype=bool)
    shared = shapely.area(shapely.intersection(areas[:, None], np.array(settled)))
    return np.asarray(shared.max(axis=1) > config.settled_overlap * shapely.area(areas))
