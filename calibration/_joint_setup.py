"""The contributions of photos that are solved together, and the least-squares problem that they form."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from calibration._anchors import Anchors, build_anchors
from calibration._joint_problem import LENS, TIE, VIEW, Lens, Problem, Shapes, Squares, State
from calibration.adjustment import AdjustmentConfig, MarkerSights, outward
from calibration.camera import TableView
from calibration.corner_fit import CornerFitConfig
from calibration.lens_prior import LensPrior, LensPriorConfig, covariance_root, shot_covariance

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class JointConfig:
    """Spreads are one standard deviation. ``marker_rise_in``: how far a marker's paper rises off the table, at the
    layout's usual tolerance; ``tie_tilt_deg``, ``tie_size_rel``: the tilt of a tag on its base and the accuracy of its
    print. ``suspicious_sigma``: by how much the corners of a square must miss, in its photo's usual misses, before it
    is tested whether one was moved between the photos: the frame markers that miss and the worst ``suspects`` among
    the tags in turn, ``most_moved`` at most; leaving it out must take ``moved_gain`` off the sum of squares, in
    which none counts beyond ``moved_sigma``. ``apart_in``, ``apart_sigma``: tags that photos see this far apart were
    moved."""

    marker_rise_in: float = 0.02
    tie_tilt_deg: float = 1.5
    tie_size_rel: float = 0.01
    suspicious_sigma: float = 3.0
    suspects: int = 2
    most_moved: int = 12
    moved_gain: float = 60.0
    moved_sigma: float = 8.0
    apart_in: float = 0.4
    apart_sigma: float = 5.0
    max_rounds: int = 6
    lens: LensPriorConfig = field(default_factory=LensPriorConfig)
    adjustment: AdjustmentConfig = field(default_factory=AdjustmentConfig)
    corners: CornerFitConfig = field(default_factory=CornerFitConfig)


@dataclass(frozen=True, eq=False)
class TieSights:
    """Tags of units seen in one photo: ``ids`` (n,), ``pixels`` (n, 4, 2) of their corners, printed top left first,
    then clockwise, and ``sigma_px`` (n,)."""

    ids: tuple[int, ...]
    pixels: Array
    sigma_px: Array


@dataclass(frozen=True)
class TiePrior:
    """What is known of a tag in advance: its side, and the height of its plane over the table with its spread,
    inches."""

    side_in: float
    height_in: float = 0.12
    height_sigma_in: float = 1.0


@dataclass(frozen=True, eq=False)
class Sight:
    """One photo's part: the ``view`` that it gave when solved alone, the frame ``markers`` that view trusts, the
    ``prior`` of its lens, its ``ties``; photos with an equal ``lens`` were taken by one phone at one zoom (None: not
    known).

    ``outline``: the table's stated corners (4, 2) in inches, of a view that was solved by the table's edges; it then
    is used unchanged, with its covariance, and markers and prior are not used again."""

    view: TableView
    markers: MarkerSights
    prior: LensPrior
    ties: TieSights
    lens: Hashable = None
    outline: Array | None = None


@dataclass(frozen=True, eq=False)
class Setup:
    """The problem's parts, by sight of a square: who sees it, which unknown square it is."""

    sights: Sequence[Sight]
    lenses: tuple[Lens, ...]
    photo: list[int]
    key: list[tuple[bool, int, int]]  # is it a tie, its id, which copy (a moved marker has one for each photo)
    pixels: Array
    sigma_px: Array
    ties: Mapping[int, TiePrior]
    layout: Mapping[int, tuple[Array, Array]]
    anchors: Anchors

    @classmethod
    def of(cls, sights: Sequence[Sight], ties: Mapping[int, TiePrior], config: JointConfig) -> Setup:
        count: dict[int, int] = {}
        for sight in sights:
            for tie_id in set(sight.ties.ids):
                count[tie_id] = count.get(tie_id, 0) + 1
        shared = {i: t for i, t in ties.items() if count.get(i, 0) > 1}
        photo, key, pixels, sigma = [], [], [], []
        layout: dict[int, tuple[Array, Array]] = {}
        for k, sight in enumerate(sights):
            for j, marker_id in enumerate(sight.markers.ids if sight.outline is None else ()):
                photo.append(k)
                key.append((False, marker_id, 0))
                pixels.append(sight.markers.pixels[j])
                sigma.append(sight.markers.sigma_px[j])
                layout[marker_id] = sight.markers.centers[j], sight.markers.offsets[j]
            for j, tie_id in enumerate(sight.ties.ids):
                if tie_id in shared:
                    photo.append(k)
                    key.append((True, tie_id, 0))
                    pixels.append(sight.ties.pixels[j])
                    sigma.append(sight.ties.sigma_px[j])
        return cls(
            sights,
            _lenses(sights, config),
            photo,
            key,
            np.array(pixels, dtype=np.float64).reshape(-1, 4, 2),
            np.hypot(np.array(sigma, dtype=np.float64), config.adjustment.corner_floor_px),
            shared,
            layout,
            build_anchors(
                [(k, s.view, s.outline) for k, s in enumerate(sights) if s.outline is not None], config.corners
            ),
        )

    def without_tie(self, tie_id: int) -> Setup:
        """Without one tag."""
        keep = [k for k, key in enumerate(self.key) if key[:2] != (True, tie_id)]
        return replace(
            self,
            photo=[self.photo[k] for k in keep],
            key=[self.key[k] for k in keep],
            pixels=self.pixels[keep],
            sigma_px=self.sigma_px[keep],
            ties={i: t for i, t in self.ties.items() if i != tie_id},
        )

    def with_marker_apart(self, marker_id: int) -> Setup:
        """The setup with one marker at a separate place in each photo."""
        key = [
            (False, marker_id, 1 + photo) if one[:2] == (False, marker_id) else one
            for photo, one in zip(self.photo, self.key, strict=True)
        ]
        return replace(self, key=key)

    @property
    def rows(self) -> tuple[list[tuple[bool, int, int]], list[tuple[bool, int, int]]]:
        """The keys of markers and of ties, in the order of their unknowns."""
        every = sorted(set(self.key))
        return [k for k in every if not k[0]], [k for k in every if k[0]]

    def squares(self) -> Squares:
        """The sights of squares as arrays."""
        markers, ties = self.rows
        row = {key: k for k, key in enumerate(markers)} | {key: k for k, key in enumerate(ties)}
        return Squares(
            np.array(self.photo, dtype=np.intp),
            np.array([row[key] for key in self.key], dtype=np.intp),
            np.array([key[0] for key in self.key], dtype=bool),
            self.pixels,
            self.sigma_px,
            outward(self.pixels),
        )

    def shapes(self, scale: float, config: JointConfig) -> Shapes:
        """What is known of the squares at one tolerance of the layout."""
        markers, ties = self.rows
        priors = [self.ties[key[1]] for key in ties]
        return Shapes(
            np.array([self.layout[key[1]][0] for key in markers]).reshape(-1, 2),
            np.array([self.layout[key[1]][1] for key in markers]).reshape(-1, 4, 2),
            self.spreads(scale, config),
            np.array([(p.height_in, p.height_sigma_in) for p in priors]).reshape(-1, 2),
            np.array([p.side_in for p in priors]),
            float(np.radians(config.tie_tilt_deg)),
            config.tie_size_rel,
            config.adjustment.print_scale_rel,
        )

    def spreads(self, scale: float, config: JointConfig) -> Array:
        """Spreads (m, 5) of the markers' offsets from the layout at one tolerance."""
        a = config.adjustment
        one = [a.layout_sigma_in, a.layout_sigma_in, config.marker_rise_in, np.radians(a.layout_sigma_deg)]
        return np.tile(scale * np.array([*one, a.marker_size_rel]), (len(self.rows[0]), 1))

    def problem(self, scale: float, weights: Array, config: JointConfig) -> Problem:
        """The problem at one tolerance of the layout and at given weights (n, 4) of the corners."""
        sides = np.array([max(sight.view.camera.size) for sight in self.sights])
        adjustment = config.adjustment
        return Problem(
            self.lenses,
            self.squares(),
            self.shapes(scale, config),
            weights,
            adjustment.edge_bleed_px,
            adjustment.model_px_of_long_side * sides,
            self.anchors,
        )

    def start(self, problem: Problem) -> State:
        """Every photo where its own solution puts it, every tie where the photos put it in the mean."""
        x = np.zeros(problem.size)
        for k, (sight, lens) in enumerate(zip(self.sights, self.lenses, strict=True)):
            off = sight.view.camera.parameters - lens.mean
            x[VIEW * k : VIEW * k + LENS] = np.linalg.lstsq(lens.own, off, rcond=1e-9)[0]
            x[VIEW * k + LENS + 3 : VIEW * (k + 1)] = sight.view.t
        for j, key in enumerate(self.rows[1]):
            prior = self.ties[key[1]]
            seen = [
                self.sights[photo].view.point_from_pixel(self.pixels[k], prior.height_in)
                for k, photo in enumerate(self.photo)
                if self.key[k] == key
            ]
            corners = np.mean(seen, axis=0)
            ahead = corners[:2].mean(axis=0) - corners[2:].mean(axis=0)
            at = problem.ties_at + TIE * j
            x[at : at + 3] = *corners.mean(axis=0), np.arctan2(ahead[0], ahead[1])
        return State(x, np.array([sight.view.R for sight in self.sights]))


def _lenses(sights: Sequence[Sight], config: JointConfig) -> tuple[Lens, ...]:
    """The photos' lenses; those of one phone under one prior share all but the parameters that move between shots."""
    names = [None if s.lens is None or s.outline is not None else (s.lens, s.prior.mean.tobytes()) for s in sights]
    groups: dict[Hashable, int] = {}
    out = []
    for name, sight in zip(names, sights, strict=True):
        prior = sight.prior
        if sight.outline is not None:
            step = np.diag(np.sqrt(np.maximum(np.diag(sight.view.covariance)[:LENS], 1e-12)))
            out.append(Lens(sight.view.camera.parameters, np.zeros((LENS, LENS)), step, -1))
            continue
        if name is None or names.count(name) < 2:
            out.append(Lens(prior.mean, np.zeros((LENS, LENS)), prior.root, -1))
            continue
        own = shot_covariance(prior.mean, prior.size, config.lens)
        common = covariance_root(prior.covariance - own)
        out.append(Lens(prior.mean, common, covariance_root(own), groups.setdefault(name, len(groups))))
    return tuple(out)
