"""Several photos of one table solved together: each one's camera and pose, and how the frame markers really lie.

One photo can't tell a marker laid a millimetre off from a camera that stood elsewhere; two that see the same markers
from two sides can. All photos share the markers' true places (the layout with a tolerance, itself unknown, as prior),
those of one phone share its lens but for what autofocus and stabilisation move from shot to shot, and tags on the units
tie the photos together wherever they stand. (Triggs and others, Bundle adjustment: a modern synthesis, 2000.)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from calibration._joint_problem import (
    LENS,
    TIE,
    VIEW,
    Lens,
    Problem,
    Shapes,
    Squares,
    State,
    Tangent,
    descend,
    noise_factors,
    reweighted,
)
from calibration.adjustment import AdjustmentConfig, LaidMarkers, outward
from calibration.camera import Camera, TableView
from calibration.lens_prior import (
    LensPrior,
    LensPriorConfig,
    covariance_root,
    exif_prior,
    shot_covariance,
    stored_priors,
    unknown_lens_priors,
)
from calibration.projection import turn

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class JointConfig:
    """Spreads are one standard deviation. ``marker_rise_in``: how far a marker's paper stands off the table, at the
    layout's usual tolerance; ``tie_tilt_deg``, ``tie_size_rel``: how a tag lies on its base and how exactly it is
    printed. ``suspicious_sigma``: by how much the corners of a square must miss, in its photo's usual misses, before it
    is asked whether one was moved between the photos: the frame markers that miss and the worst ``suspects`` among the
    tags in turn, at most ``most_moved`` in all; leaving it out must take ``moved_gain`` off the sum of squares, in
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


@dataclass(frozen=True, eq=False)
class TieSights:
    """Tags of units seen in one photo: ``ids`` (n,), ``pixels`` (n, 4, 2) of their corners, printed top left first,
    then clockwise, and ``sigma_px`` (n,)."""

    ids: tuple[int, ...]
    pixels: Array
    sigma_px: Array


@dataclass(frozen=True)
class TiePrior:
    """What is known of a tag beforehand: its side, and the height of its plane over the table with its spread,
    inches."""

    side_in: float
    height_in: float = 0.12
    height_sigma_in: float = 1.0


@dataclass(frozen=True, eq=False)
class Sight:
    """One photo's part: the ``view`` that it gave by itself, the frame ``markers`` that view trusts, the ``prior`` of
    its lens, its ``ties``; photos with an equal ``lens`` were taken by one phone at one zoom (None: who knows)."""

    view: TableView
    markers: LaidMarkers
    prior: LensPrior
    ties: TieSights
    lens: Hashable = None


@dataclass(frozen=True, eq=False)
class Together:
    """Photos solved together: their ``views``, each with its own covariance, and the ``covariance`` (15p, 15p) of all
    of them, which says what their errors have in common; ``moved_ties`` are ids of tags that were left out, as
    they were moved or badly seen, ``moved_markers`` of frame markers that did not lie still between the photos."""

    views: tuple[TableView, ...]
    covariance: Array
    moved_ties: tuple[int, ...] = ()
    moved_markers: tuple[int, ...] = ()

    def cross(self, first: int, second: int) -> Array:
        """Covariance (15, 15) of two photos' parameters."""
        return self.covariance[VIEW * first : VIEW * (first + 1), VIEW * second : VIEW * (second + 1)]


def solve_together(
    sights: Sequence[Sight], ties: Mapping[int, TiePrior], config: JointConfig | None = None
) -> Together:
    """The photos' cameras and poses from everything that they see together.

    ``ties`` tells of the tags by id; tags that it lacks and tags seen in one photo only are not used. One photo alone
    comes out as it would by itself, less exact ties. ValueError for no photo.
    """
    config = config or JointConfig()
    if not sights:
        raise ValueError("solve_together needs at least one photo.")
    apart = _far_apart(sights, ties, config)
    setup = _Setup.of(sights, {i: t for i, t in ties.items() if i not in apart}, config)
    moved_ties, moved_markers = list(apart), []  # type: tuple[list[int], list[int]]
    solved = _fit(setup, config)
    for _ in range(config.most_moved):
        better = _without_moved(setup, solved, config)
        if better is None:
            break
        (is_tie, square_id), setup, solved = better
        (moved_ties if is_tie else moved_markers).append(square_id)
    views, covariance = _over_tolerances(setup, solved, config)
    return Together(views, covariance, tuple(sorted(moved_ties)), tuple(sorted(set(moved_markers))))


def used_prior(
    view: TableView,
    camera: Camera | None = None,
    focal_35mm: float | None = None,
    config: LensPriorConfig | None = None,
) -> LensPrior:
    """The prior of the lens that a photo's own solution was found with: what ``solve_table`` had been given."""
    config = config or LensPriorConfig()
    source, size = view.camera.source, view.camera.size
    priors: Sequence[LensPrior] = ()
    if source == "stored" and camera is not None:
        priors = stored_priors(camera, size, config)
    elif source == "exif" and focal_35mm:
        priors = (exif_prior(size, focal_35mm, config),)
    if not priors:
        priors = unknown_lens_priors(size, config)
    return max(priors, key=lambda p: p.log_chance - float(np.sum(_whitened(p, view.camera.parameters) ** 2)) / 2)


def _whitened(prior: LensPrior, parameters: Array) -> Array:
    return np.asarray(np.linalg.lstsq(prior.root, parameters - prior.mean, rcond=1e-9)[0], dtype=np.float64)


def _far_apart(sights: Sequence[Sight], ties: Mapping[int, TiePrior], config: JointConfig) -> list[int]:
    """Tags that single photos see so far apart that someone must have moved them."""
    places: dict[int, list[tuple[Array, Array]]] = {}
    for sight in sights:
        for k, tie_id in enumerate(sight.ties.ids):
            if tie_id in ties:
                middle = sight.ties.pixels[k].mean(axis=0)[None]
                xy, covariance = sight.view.table_from_pixel(
                    middle, ties[tie_id].height_in, pixel_sigma_px=1.0, z_sigma_in=ties[tie_id].height_sigma_in
                )
                places.setdefault(tie_id, []).append((xy[0], covariance[0]))
    out = []
    for tie_id, seen in places.items():
        for a in range(len(seen)):
            for b in range(a):
                off = seen[a][0] - seen[b][0]
                spread = seen[a][1] + seen[b][1]
                far = float(off @ np.linalg.solve(spread, off)) > config.apart_sigma**2
                if (far and float(np.hypot(*off)) > config.apart_in) or not np.all(np.isfinite(off)):
                    out.append(tie_id)
    return sorted(set(out))


@dataclass(frozen=True, eq=False)
class _Setup:
    """The problem's parts, by sight of a square: who sees it, which unknown square it is."""

    sights: Sequence[Sight]
    lenses: tuple[Lens, ...]
    photo: list[int]
    key: list[tuple[bool, int, int]]  # is it a tie, its id, which copy (a moved marker has one for each photo)
    pixels: Array
    sigma_px: Array
    ties: Mapping[int, TiePrior]
    layout: Mapping[int, tuple[Array, Array]]

    @classmethod
    def of(cls, sights: Sequence[Sight], ties: Mapping[int, TiePrior], config: JointConfig) -> _Setup:
        count: dict[int, int] = {}
        for sight in sights:
            for tie_id in set(sight.ties.ids):
                count[tie_id] = count.get(tie_id, 0) + 1
        shared = {i: t for i, t in ties.items() if count.get(i, 0) > 1}
        photo, key, pixels, sigma = [], [], [], []
        layout: dict[int, tuple[Array, Array]] = {}
        for k, sight in enumerate(sights):
            for j, marker_id in enumerate(sight.markers.ids):
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
        )

    def without_tie(self, tie_id: int) -> _Setup:
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

    def with_marker_apart(self, marker_id: int) -> _Setup:
        """With one marker lying elsewhere in each photo."""
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
        """Spreads (m, 5) of how the markers lie at one tolerance."""
        a = config.adjustment
        one = [a.layout_sigma_in, a.layout_sigma_in, config.marker_rise_in, np.radians(a.layout_sigma_deg)]
        return np.tile(scale * np.array([*one, a.marker_size_rel]), (len(self.rows[0]), 1))

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


def _without_moved(
    setup: _Setup, solved: _Solved, config: JointConfig
) -> tuple[tuple[bool, int], _Setup, _Solved] | None:
    """The square that most likely lay elsewhere in one of the photos, with the problem and solution without it; None
    where nothing looks like that, or leaving no square out explains the rest clearly better."""
    photo = np.array(setup.photo)
    usual = np.array([max(1.0, float(np.median(solved.off[photo == k]))) for k in range(len(setup.sights))])
    misses: dict[tuple[bool, int, int], list[float]] = {}
    for key, miss in zip(setup.key, solved.off / usual[photo], strict=True):
        misses.setdefault(key, []).append(float(miss))
    shared = sorted((key for key, m in misses.items() if len(m) > 1), key=lambda key: -max(misses[key]))
    if not shared or max(misses[shared[0]]) < config.suspicious_sigma:
        return None
    suspects = [key for key in shared if key[0]][: config.suspects]
    suspects += [key for key in shared if not key[0] and max(misses[key]) > config.suspicious_sigma / 2]
    tried = []
    for is_tie, square_id, _ in suspects:
        other = setup.without_tie(square_id) if is_tie else setup.with_marker_apart(square_id)
        again = _fit(other, config)
        own = [off for key, off in zip(other.key, again.off, strict=True) if key[:2] == (is_tie, square_id)]
        if max(own, default=0.0) < config.suspicious_sigma:  # else it is not its place that is wrong, but its sight
            tried.append((_unexplained(again, config), (is_tie, square_id), other, again))
    if not tried:
        return None
    least, which, other, again = min(tried, key=lambda t: t[0])
    return (which, other, again) if least < _unexplained(solved, config) - config.moved_gain else None


def _unexplained(solved: _Solved, config: JointConfig) -> float:
    """What the corners miss beyond their noise, as a sum of squares in which no square counts for more than one that
    was plainly moved."""
    return float(np.sum(8 * (np.minimum(solved.off, config.moved_sigma) ** 2 - 1.0)))


def _lenses(sights: Sequence[Sight], config: JointConfig) -> tuple[Lens, ...]:
    """The photos' lenses; those of one phone under one prior share all but what moves from shot to shot."""
    names = [None if s.lens is None else (s.lens, s.prior.mean.tobytes()) for s in sights]
    groups: dict[Hashable, int] = {}
    out = []
    for name, sight in zip(names, sights, strict=True):
        prior = sight.prior
        if name is None or names.count(name) < 2:
            out.append(Lens(prior.mean, np.zeros((LENS, LENS)), prior.root, -1))
            continue
        own = shot_covariance(prior.mean, prior.size, config.lens)
        common = covariance_root(prior.covariance - own)
        out.append(Lens(prior.mean, common, covariance_root(own), groups.setdefault(name, len(groups))))
    return tuple(out)


@dataclass(frozen=True, eq=False)
class _Solved:
    """A solution: where it lies, linearised there, the noise factor of each photo and how far each sight's corners
    miss (n, 4), in stated noise; ``off`` (n,) the same of the square as a whole, its stray and bleed allowed for."""

    problem: Problem
    state: State
    tangent: Tangent
    noise: Array
    misses: Array
    off: Array
    scale: float


def _fit(setup: _Setup, config: JointConfig, scale: float = 1.0, start: _Solved | None = None) -> _Solved:
    """The solution at one tolerance of the layout, with noise and doubtful corners found by turns."""
    squares, shapes = setup.squares(), setup.shapes(scale, config)
    sigma = squares.sigma_px
    stray = config.adjustment.model_px_of_long_side * np.array([max(s.view.camera.size) for s in setup.sights])
    factor = np.ones(len(setup.sights)) if start is None else start.noise
    trim = np.ones((len(squares), 4))
    problem = Problem(setup.lenses, squares, shapes, trim / sigma[:, None], config.adjustment.edge_bleed_px, stray)
    state = setup.start(problem) if start is None else _carried(start, problem)
    for round_ in range(config.max_rounds):
        problem = reweighted(problem, trim / (sigma * factor[squares.photo])[:, None])
        state, _ = descend(problem, state)
        at = problem.linear(state)
        last_trim, last_factor = trim, factor
        factor, errors = noise_factors(problem, at, sigma, trim, config.adjustment.noise_prior_dof)
        misses = errors / sigma[:, None]
        knee = config.adjustment.huber_sigma * last_factor[squares.photo][:, None]
        trim = np.sqrt(np.minimum(1.0, knee / np.maximum(misses, 1e-12)))
        if round_ and np.allclose(trim, last_trim, atol=0.02) and np.allclose(factor / last_factor, 1.0, atol=0.02):
            break
    plain = reweighted(problem, np.repeat(1.0 / sigma[:, None], 4, axis=1))
    stated = (at.raw / sigma[:, None, None]).reshape(-1, 8)
    off = np.sqrt(np.einsum("ni,nij,nj->n", stated, plain.settle, stated) / 8)
    return _Solved(problem, state, Tangent(problem, at, state.x), last_factor, misses, off, scale)


def _carried(start: _Solved, problem: Problem) -> State:
    """A solution's state in the units of a problem with other spreads."""
    ratio = start.problem.with_spreads(problem.shapes.spreads)
    return State(start.state.x / ratio, start.state.R)


def _over_tolerances(setup: _Setup, solved: _Solved, config: JointConfig) -> tuple[tuple[TableView, ...], Array]:
    """The views averaged over the layout's tolerances by their evidence, as for one photo."""
    scales = config.adjustment.layout_scales
    log_chances = np.log(config.adjustment.layout_scale_weights)
    spreads = [setup.spreads(s, config) for s in scales]
    evidence = np.array([solved.tangent.solved(s)[2] for s in spreads]) + log_chances
    likeliest = float(scales[int(np.argmax(evidence))])
    if likeliest != solved.scale:
        solved = _fit(setup, config, likeliest, solved)
    members = [solved.tangent.solved(s) for s in spreads]
    evidence = np.array([m[2] for m in members]) + log_chances
    weight = np.exp(evidence - evidence.max())
    weight /= weight.sum()
    steps = np.array([step for step, _, _ in members])
    mean = weight @ steps
    covariance = np.einsum("s,sij->ij", weight, np.array([c for _, c, _ in members]))
    covariance += np.einsum("s,si,sj->ij", weight, steps - mean, steps - mean)
    return _views(setup, solved, mean, covariance), covariance


def _views(setup: _Setup, solved: _Solved, step: Array, covariance: Array) -> tuple[TableView, ...]:
    """Each photo's view after a last step (15p,)."""
    out = []
    photo = np.array(setup.photo)
    is_marker = np.array([not key[0] for key in setup.key])
    for k, sight in enumerate(setup.sights):
        at = slice(VIEW * k, VIEW * (k + 1))
        own, move = covariance[at, at], step[at]
        mine = (photo == k) & is_marker
        errors = (solved.misses * setup.sigma_px[:, None])[mine]
        rms = float(np.sqrt(np.mean(errors**2) / 2)) if mine.any() else 0.0
        camera = Camera.from_parameters(
            solved.problem.camera(solved.state.x, k) + move[:LENS],
            sight.view.camera.size,
            covariance=own[:LENS, :LENS],
            rms_px=rms,
            source=sight.view.camera.source,
        )
        out.append(
            replace(
                sight.view,
                camera=camera,
                R=turn(move[LENS : LENS + 3]) @ solved.state.R[k],
                t=solved.state.x[VIEW * k + LENS + 3 : VIEW * (k + 1)] + move[LENS + 3 :],
                covariance=own,
                rms_px=rms,
                corner_sigma_px=float(solved.noise[k] * np.mean(setup.sigma_px[photo == k])),
            )
        )
    return tuple(out)


__all__ = ["JointConfig", "Sight", "TiePrior", "TieSights", "Together", "solve_together", "used_prior"]
