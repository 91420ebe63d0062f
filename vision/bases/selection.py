"""Choose, among fitted outlines, the set of bases that can be on one table: solid things do not overlap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import shapely

from geometry import Bases
from geometry.shapes import outline_polygons
from vision.bases.outline import OutlineFit
from vision.model.expected import BaseShape, Rival


@dataclass(frozen=True)
class PickConfig:
    """``least_coverage``: share of an outline's profiles that must show the rim's edge, more by ``discord_share`` for
    each pixel that they scatter beyond ``concord_px``; ``least_sides``: sides that must show at least ``side_share``;
    ``overlap``: share of a base that may be under another (paint, fit error); ``settled_coverage``,
    ``settled_side``: a fit this good, on all sides, makes candidates on top of it not worth fitting; ``alike_in``,
    ``alike_deg``: of two candidates of one shape nearer than both one is fitted; ``moved_in``: how far a good fit's
    outline may be from its candidate's; ``most_fits`` per side."""

    least_coverage: float = 0.42
    concord_px: float = 0.5
    discord_share: float = 0.3
    side_share: float = 0.4
    least_sides: int = 2
    overlap: float = 0.12
    settled_coverage: float = 0.8
    settled_side: float = 0.5
    settled_overlap: float = 0.22
    alike_in: float = 0.15
    alike_deg: float = 8.0
    moved_in: float = 0.3
    most_fits: int = 100


@dataclass(frozen=True, eq=False)
class Found:
    """A base found: its fitted outline, its shape and its side ("": either side's); ``rivals``: other shapes that it
    may have; ``presence``: the chance that a base is there at all, where its outline's own support does not say it;
    ``sides``: for one without a side the chance of each, if known; ``alike``: a number that it shares with
    bases without a side that look like it."""

    fit: OutlineFit
    shape: BaseShape
    side: str
    rivals: tuple[Rival, ...] = ()
    presence: float | None = None
    sides: tuple[tuple[str, float], ...] = ()
    alike: int | None = None

    @cached_property
    def footprint(self) -> shapely.Polygon:
        """Its outline on the table; a round one as a 64-gon, for overlap only."""
        return footprint(self.shape, self.fit.x, self.fit.y, self.fit.facing)

    @property
    def quality(self) -> float:
        """Coverage, with the weakest side counted half again: four sides beat three long ones."""
        return self.fit.coverage + 0.5 * sorted(self.fit.support)[1]


def footprint(shape: BaseShape, x: float, y: float, facing: float) -> shapely.Polygon:
    """The outline of a shape at x, y (inches) and facing (degrees clockwise from +y)."""
    outline: shapely.Polygon = footprints([shape], [(x, y, facing)])[0]
    return outline


def footprints(shapes: Sequence[BaseShape], places: npt.ArrayLike) -> npt.NDArray[np.object_]:
    """The outlines (n,) of shapes at ``places`` (n, 3): x, y in inches, facing in degrees, as
    :func:`footprint` draws one.

    >>> tank, gun = BaseShape(2.0, 1.0, 0.12), BaseShape(1.0, 1.0, 0.12, is_round=True)
    >>> [round(float(area), 2) for area in shapely.area(footprints([tank, gun], [(5, 5, 30), (9, 5, 0)]))]
    [2.0, 0.78]
    """
    at = np.asarray(places, dtype=np.float64).reshape(-1, 3)
    width, depth = np.array([[shape.width, shape.depth] for shape in shapes]).reshape(-1, 2).T
    kinds = np.array([[shape.is_round, shape.is_oval] for shape in shapes], dtype=bool).reshape(-1, 2).T
    return outline_polygons(Bases.of(at[:, :2], at[:, 2], width, depth, is_round=kinds[0], is_oval=kinds[1]), 16)


def shows_base(fit: OutlineFit, config: PickConfig) -> bool:
    """Whether an outline is supported well enough to be called a base."""
    sides = sum(share >= config.side_share for share in fit.support)
    adjacent = any(
        fit.support[k] >= config.side_share and fit.support[(k + 1) % 4] >= config.side_share for k in range(4)
    )
    needed = config.least_coverage + config.discord_share * max(0.0, fit.rms_px - config.concord_px)
    return fit.coverage >= needed and sides >= config.least_sides and adjacent


def pick(
    found: Iterable[Found], fixed: Iterable[Found], most: dict[tuple[str, BaseShape], int], config: PickConfig
) -> list[Found]:
    """The best bases that do not overlap each other or the ``fixed`` ones, at most as many of a side's shape as the
    roster has."""
    kept: list[Found] = []
    areas = [f.footprint for f in fixed]
    count: Counter[tuple[str, BaseShape]] = Counter((f.side, f.shape) for f in fixed)
    for item in sorted(found, key=lambda f: -f.quality):
        key = (item.side, item.shape)
        if count[key] >= most.get(key, 0):
            continue
        area = item.footprint
        if areas:
            shared = shapely.area(shapely.intersection(area, np.array(areas)))
            if np.max(shared) > config.overlap * area.area:
                continue
        kept.append(item)
        areas.append(area)
        count[key] += 1
    return kept
