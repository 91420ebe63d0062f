"""One base from its sights in several photos: its place, its height, and how certain both are.

A sight gives the base's place if its surface had the assumed height; each inch more moves it along the
line of sight. Photos from different sides thus give the height too (parallax). The errors that sights have in common,
of the frame and of the base against its pattern, are not averaged away: weights are formed from the
independent errors, and the spread from all (mean of correlated measurements; Cox and others, Metrologia 43, 2006).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration import TableView
from vision.bases.placed import PlacedBase
from vision.model.expected import BaseShape
from vision.model.heights import SurfacePrior

Array = npt.NDArray[np.float64]
Cross = Callable[[int, int], Array]
"""The covariance (15, 15) of two photos' camera parameters, by their numbers."""


@dataclass(frozen=True)
class FuseConfig:
    """``own_common``: correlation of a base's own errors between photos (its tag glued askew, its rim painted wide);
    ``least_own_in``: least error of a sight's own; ``thickness_in``: how far a base's top may be from where its
    thickness puts it; ``far_sigma``: sights that miss each other by more have another height than was assumed, or the
    base was moved; ``moved_in``: and by at least this much; ``lowest_in``, ``highest_in``: possible surfaces."""

    own_common: float = 0.5
    least_own_in: float = 0.006
    thickness_in: float = 0.02
    far_sigma: float = 4.0
    moved_in: float = 0.25
    lowest_in: float = -0.1
    highest_in: float = 4.0


@dataclass(frozen=True, eq=False)
class SightOfBase:
    """A base as photo number ``photo`` with the camera ``view`` shows it."""

    photo: int
    view: TableView
    base: PlacedBase

    @property
    def slide(self) -> Array:
        """How the place (2,) moves for each inch that the surface is higher than assumed."""
        eye = self.view.eye
        return np.asarray((eye[:2] - self.base.center) / (eye[2] - self.base.z - self.base.shape.height))

    @property
    def at_zero(self) -> Array:
        """The place (2,) if the surface were the table."""
        return np.asarray(self.base.center - self.base.z * self.slide)

    def by_view(self) -> Array:
        """Derivative (2, 15) of the place by the camera's parameters."""
        top = [[*self.base.center, self.base.z + self.base.shape.height]]
        by_point, by_view = self.view.pixel_jacobian(top)
        return np.asarray(-np.linalg.solve(by_point[0, :, :2], by_view[0]))

    def own(self, config: FuseConfig) -> Array:
        """Covariance (2, 2) of the place without the camera's part and the height's."""
        camera = self.by_view() @ self.view.covariance @ self.by_view().T
        height = np.outer(self.slide, self.slide) * self.base.z_sigma**2
        rest = self.base.covariance[:2, :2] - camera - height
        values, vectors = np.linalg.eigh((rest + rest.T) / 2)
        return np.asarray((vectors * np.maximum(values, config.least_own_in**2)) @ vectors.T)


@dataclass(frozen=True, eq=False)
class Fused:
    """A base from several sights; ``moved_in``: how far it was moved between the photos, 0 where it was not."""

    base: PlacedBase
    moved_in: float = 0.0


def fuse(sights: Sequence[SightOfBase], cross: Cross, prior: SurfacePrior, config: FuseConfig | None = None) -> Fused:
    """The base of one or more sights (one from each photo): place, height and facing by their information.

    ``prior``: what is known of the surface there. Where the sights agree at no possible height the base was moved: it
    then is placed where it is seen best, with a spread that reaches the other places.
    """
    config = config or FuseConfig()
    best = min(sights, key=lambda s: float(np.trace(s.base.covariance[:2, :2])))
    if len(sights) == 1:
        return Fused(best.base)
    height = min(((s.base.z, s.base.z_sigma) for s in sights), key=lambda h: h[1])
    told = _solve(sights, cross, height, config)
    if told.misfit_sigma > config.far_sigma:
        free = _solve(sights, cross, (told.parallax[0], 10.0 * told.parallax[1]), config)
        possible = config.lowest_in <= free.place[2] <= config.highest_in
        if (prior.open or prior.sd_in > 0.1) and possible and free.misfit_sigma <= config.far_sigma:
            told = free
        elif told.apart_in > config.moved_in:
            return Fused(_spread_out(best, sights), max(_between(best, s) for s in sights))
    facing, sigma, known = _facing(sights, config)
    covariance = np.zeros((3, 3))
    covariance[:2, :2] = told.covariance[:2, :2]
    covariance[2, 2] = sigma**2
    return Fused(
        replace(
            _fullest(sights),
            center=told.place[:2],
            z=float(told.place[2]),
            z_sigma=float(np.sqrt(told.covariance[2, 2])),
            facing=facing,
            facing_known=known,
            covariance=covariance,
            coverage=float(1.0 - np.prod([1.0 - s.base.coverage for s in sights])),
            lean=told.covariance[:2, 2] / told.covariance[2, 2],
            triangulated=True,
        )
    )


@dataclass(frozen=True, eq=False)
class _Told:
    """A solution: ``place`` (3,) x, y, z with ``covariance`` (3, 3); ``parallax`` is the height (mean, sigma) from the
    lines of sight alone; how far the sights miss each other, in sigma and in inches."""

    place: Array
    covariance: Array
    parallax: tuple[float, float]
    misfit_sigma: float
    apart_in: float


def _solve(sights: Sequence[SightOfBase], cross: Cross, height: tuple[float, float], config: FuseConfig) -> _Told:
    k = len(sights)
    model = np.zeros((2 * k + 1, 3))
    seen = np.zeros(2 * k + 1)
    apart, common = np.zeros((2 * k + 1, 2 * k + 1)), np.zeros((2 * k + 1, 2 * k + 1))
    inward = [s.by_view() for s in sights]
    roots = [np.linalg.cholesky(s.own(config)) for s in sights]
    for i, a in enumerate(sights):
        rows = slice(2 * i, 2 * i + 2)
        model[rows, :2], model[rows, 2] = np.eye(2), -a.slide
        seen[rows] = a.at_zero
        for j, b in enumerate(sights):
            columns = slice(2 * j, 2 * j + 2)
            camera = inward[i] @ cross(a.photo, b.photo) @ inward[j].T
            apart[rows, columns] = camera + (roots[i] @ roots[i].T if i == j else 0.0)
            common[rows, columns] = camera + (1.0 if i == j else config.own_common) * roots[i] @ roots[j].T
    model[-1, 2], seen[-1] = 1.0, height[0]
    apart[-1, -1] = common[-1, -1] = height[1] ** 2 + config.thickness_in**2
    weight = np.linalg.inv(apart)
    normal = model.T @ weight @ model
    gain = np.linalg.solve(normal, model.T @ weight)
    place = gain @ seen
    left = seen - model @ place
    chi2 = float(left @ weight @ left)
    # the height's own misfit must not be believed more than the places'
    spare = 2 * k - 2
    inflation = max(1.0, (chi2 + 4.0) / (spare + 4.0))
    alone = np.linalg.inv(apart[:-1, :-1])
    bare = np.linalg.inv(model[:-1].T @ alone @ model[:-1] + np.diag([0.0, 0.0, 1e-6]))
    parallax = float((bare @ model[:-1].T @ alone @ seen[:-1])[2]), float(np.sqrt(bare[2, 2]))
    at = np.array([s.at_zero + place[2] * s.slide for s in sights])
    far = float(np.linalg.norm(at[:, None] - at[None], axis=2).max())
    covariance = gain @ common @ gain.T * inflation
    return _Told(place, (covariance + covariance.T) / 2, parallax, float(np.sqrt(chi2 / max(1, spare))), far)


def _fullest(sights: Sequence[SightOfBase]) -> PlacedBase:
    """The sight that knows most of who the base is: by a tag, by a painted outline, by its shape."""
    return max((s.base for s in sights), key=lambda b: (b.tag_id is not None, b.method != "shape", b.coverage))


def _spread_out(best: SightOfBase, sights: Sequence[SightOfBase]) -> PlacedBase:
    """The best sight with a spread that reaches the other places."""
    covariance = best.base.covariance.copy()
    for base in (s.base for s in sights if s is not best):
        off = base.center - best.base.center
        covariance[:2, :2] += np.outer(off, off) / 4.0 + base.covariance[:2, :2]
    return replace(best.base, covariance=covariance)


def _between(a: SightOfBase, b: SightOfBase) -> float:
    return float(np.hypot(*(a.base.center - b.base.center)))


def turn_period(shape: BaseShape) -> float:
    """Degrees after which an outline repeats; 0 for a round one."""
    return 0.0 if shape.is_round else shape.period_deg


def _facing(sights: Sequence[SightOfBase], config: FuseConfig) -> tuple[float, float, bool]:
    """The facing in degrees, its spread in radians, and whether it is known beyond the outline's own turns.

    Sights that know it beyond doubt decide; the others, with an outline that fits in several ways, take the nearest.
    """
    sure = [s.base for s in sights if s.base.facing_known]
    lead = min(sure or [s.base for s in sights], key=lambda b: float(b.covariance[2, 2]))
    period = turn_period(lead.shape)
    turns, variances = [], []
    for base in (s.base for s in sights):
        if base.facing_known:
            off = (base.facing - lead.facing + 180.0) % 360.0 - 180.0
        elif period:
            off = (base.facing - lead.facing + period / 2) % period - period / 2
        else:
            continue
        turns.append(np.radians(off))
        variances.append(float(base.covariance[2, 2]))
    if not turns:
        return lead.facing, float(np.sqrt(lead.covariance[2, 2])), lead.facing_known
    sigma = np.sqrt(variances)
    weight = 1.0 / sigma**2
    weight /= weight.sum()
    mean = float(weight @ turns)
    correlated = config.own_common * np.outer(sigma, sigma) + (1 - config.own_common) * np.diag(sigma**2)
    chi2 = float(np.sum((np.array(turns) - mean) ** 2 / sigma**2))
    inflation = max(1.0, (chi2 + 4.0) / (len(turns) + 3.0))
    spread = float(np.sqrt(weight @ correlated @ weight * inflation))
    return (lead.facing + float(np.degrees(mean))) % 360.0, spread, bool(sure)
