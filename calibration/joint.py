"""Several photos of one table solved together: each one's camera and pose, and the true places of the frame markers.

One photo can't distinguish a marker placed a millimetre off from a camera that stood elsewhere; two that see the same
markers from two sides can. All photos share the markers' true places (the layout with a tolerance, itself unknown, as
prior), photos of one phone share its lens except for what autofocus and stabilisation move from shot to shot, and tags
on the units tie the photos together wherever they are. A photo that knows the table by its edges alone joins through
the tags, with its own solution's covariance; the errors of the table's cut are common to all such photos. (Triggs and
others, Bundle adjustment: a modern synthesis, 2000.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration._joint_problem import LENS, VIEW, Problem, State, Tangent, descend, noise_factors, with_weights
from calibration._joint_setup import JointConfig, Setup, Sight, TiePrior, TieSights
from calibration.camera import Camera, TableView
from calibration.lens_prior import (
    LensPrior,
    LensPriorConfig,
    cropped_lens_priors,
    exif_prior,
    stored_priors,
    unknown_lens_priors,
)
from calibration.projection import turn

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JointSolution:
    """Photos solved together: their ``views``, each with its own covariance, and the ``covariance`` (15p, 15p) of all
    of them, which says what their errors have in common; ``moved_ties`` are ids of tags that were left out, as
    they were moved or badly seen, ``moved_markers`` of frame markers that moved between the photos."""

    views: tuple[TableView, ...]
    covariance: Array
    moved_ties: tuple[int, ...] = ()
    moved_markers: tuple[int, ...] = ()

    def cross(self, first: int, second: int) -> Array:
        """Covariance (15, 15) of two photos' parameters."""
        return self.covariance[VIEW * first : VIEW * (first + 1), VIEW * second : VIEW * (second + 1)]


def solve_together(
    sights: Sequence[Sight], ties: Mapping[int, TiePrior], config: JointConfig | None = None
) -> JointSolution:
    """The photos' cameras and poses from everything that they see together.

    ``ties`` describes the tags by id; tags that it lacks and tags seen in one photo only are not used. One photo alone
    gets its own solution, less exact ties. ValueError for no photo.
    """
    config = config or JointConfig()
    if not sights:
        raise ValueError("solve_together needs at least one photo.")
    apart = _far_apart(sights, ties, config)
    setup = Setup.of(sights, {i: t for i, t in ties.items() if i not in apart}, config)
    moved_ties, moved_markers = list(apart), []  # type: tuple[list[int], list[int]]
    solved = _fit(setup, config)
    for _ in range(config.most_moved):
        better = _without_moved(setup, solved, config)
        if better is None:
            break
        (is_tie, square_id), setup, solved = better
        (moved_ties if is_tie else moved_markers).append(square_id)
    views, covariance = _over_tolerances(setup, solved, config)
    return JointSolution(views, covariance, tuple(sorted(moved_ties)), tuple(sorted(set(moved_markers))))


def lens_prior_of(
    view: TableView,
    camera: Camera | None = None,
    focal_35mm: float | None = None,
    config: LensPriorConfig | None = None,
) -> LensPrior:
    """The prior of the lens that a photo's own solution was found with: as it was given to ``solve_table``."""
    config = config or LensPriorConfig()
    source, size = view.camera.source, view.camera.size
    priors: Sequence[LensPrior] = ()
    if source == "stored" and camera is not None:
        priors = stored_priors(camera, size, config)
    elif source == "exif" and focal_35mm:
        priors = (exif_prior(size, focal_35mm, config),)
    elif source == "cropped":
        priors = cropped_lens_priors(size, config)
    if not priors:
        priors = unknown_lens_priors(size, config)
    return max(priors, key=lambda p: p.log_chance - float(np.sum(_whiten(p, view.camera.parameters) ** 2)) / 2)


def _whiten(prior: LensPrior, parameters: Array) -> Array:
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


def _without_moved(
    setup: Setup, solved: _Solution, config: JointConfig
) -> tuple[tuple[bool, int], Setup, _Solution] | None:
    """The square that most likely was elsewhere in one of the photos, with the problem and solution without it; None
    where nothing looks like that, or leaving no square out explains the rest clearly better."""
    photo = np.array(setup.photo, dtype=np.intp)
    usual = np.array([max(1.0, _middle(solved.off[photo == k])) for k in range(len(setup.sights))])
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
            tried.append((_excess_cost(again, config), (is_tie, square_id), other, again))
    if not tried:
        return None
    least, which, other, again = min(tried, key=lambda t: t[0])
    return (which, other, again) if least < _excess_cost(solved, config) - config.moved_gain else None


def _middle(values: Array) -> float:
    return float(np.median(values)) if len(values) else 0.0


def _excess_cost(solved: _Solution, config: JointConfig) -> float:
    """What the corners miss beyond their noise, as a sum of squares in which no square counts for more than one that
    was plainly moved."""
    return float(np.sum(8 * (np.minimum(solved.off, config.moved_sigma) ** 2 - 1.0)))


@dataclass(frozen=True, eq=False)
class _Solution:
    """A solution: its state, linearised there, the noise factor of each photo and how far each sight's corners
    miss (n, 4), in stated noise; ``off`` (n,) the same of the square as a whole, its stray and bleed allowed for."""

    problem: Problem
    state: State
    tangent: Tangent
    noise: Array
    misses: Array
    off: Array
    scale: float


def _fit(setup: Setup, config: JointConfig, scale: float = 1.0, start: _Solution | None = None) -> _Solution:
    """The solution at one tolerance of the layout, with noise and doubtful corners found by turns."""
    sigma = setup.sigma_px
    factor = np.ones(len(setup.sights)) if start is None else start.noise
    trim = np.ones((len(sigma), 4))
    problem = setup.problem(scale, trim / sigma[:, None], config)
    squares = problem.squares
    state = setup.start(problem) if start is None else _convert_state(start, problem)
    for round_ in range(config.max_rounds):
        problem = with_weights(problem, trim / (sigma * factor[squares.photo])[:, None])
        state, _ = descend(problem, state)
        at = problem.linear(state)
        last_trim, last_factor = trim, factor
        factor, errors = noise_factors(problem, at, sigma, trim, config.adjustment.noise_prior_dof)
        misses = errors / sigma[:, None]
        knee = config.adjustment.huber_sigma * last_factor[squares.photo][:, None]
        trim = np.sqrt(np.minimum(1.0, knee / np.maximum(misses, 1e-12)))
        if round_ and np.allclose(trim, last_trim, atol=0.02) and np.allclose(factor / last_factor, 1.0, atol=0.02):
            break
    plain = with_weights(problem, np.repeat(1.0 / sigma[:, None], 4, axis=1))
    stated = (at.raw / sigma[:, None, None]).reshape(-1, 8)
    off = np.sqrt(np.einsum("ni,nij,nj->n", stated, plain.settle, stated) / 8)
    return _Solution(problem, state, Tangent(problem, at, state.x), last_factor, misses, off, scale)


def _convert_state(start: _Solution, problem: Problem) -> State:
    """A solution's state in the units of a problem with other spreads."""
    ratio = start.problem.with_spreads(problem.shapes.spreads)
    return State(start.state.x / ratio, start.state.R)


def _over_tolerances(setup: Setup, solved: _Solution, config: JointConfig) -> tuple[tuple[TableView, ...], Array]:
    """The views averaged over the layout's tolerances by their evidence, as for one photo."""
    scales = config.adjustment.layout_scales
    log_chances = np.log(config.adjustment.layout_scale_weights)
    spreads = [setup.spreads(s, config) for s in scales]
    evidence = np.array([solved.tangent.solve(s)[2] for s in spreads]) + log_chances
    likeliest = float(scales[int(np.argmax(evidence))])
    if likeliest != solved.scale:
        solved = _fit(setup, config, likeliest, solved)
    members = [solved.tangent.solve(s) for s in spreads]
    evidence = np.array([m[2] for m in members]) + log_chances
    weight = np.exp(evidence - evidence.max())
    weight /= weight.sum()
    steps = np.array([step for step, _, _ in members])
    mean = weight @ steps
    covariance = np.einsum("s,sij->ij", weight, np.array([c for _, c, _ in members]))
    covariance += np.einsum("s,si,sj->ij", weight, steps - mean, steps - mean)
    return _views(setup, solved, mean, covariance), covariance


def _views(setup: Setup, solved: _Solution, step: Array, covariance: Array) -> tuple[TableView, ...]:
    """Each photo's view after a last step (15p,)."""
    out = []
    photo = np.array(setup.photo, dtype=np.intp)
    is_marker = np.array([not key[0] for key in setup.key], dtype=bool)
    for k, sight in enumerate(setup.sights):
        at = slice(VIEW * k, VIEW * (k + 1))
        own, move = covariance[at, at], step[at]
        sights = photo == k
        mine = sights & is_marker
        errors = (solved.misses * setup.sigma_px[:, None])[mine]
        alone = 0.0 if sight.outline is None else sight.view.rms_px
        rms = float(np.sqrt(np.mean(errors**2) / 2)) if mine.any() else alone
        noise_px = float(solved.noise[k] * np.mean(setup.sigma_px[sights])) if sights.any() else 0.0
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
                corner_sigma_px=noise_px or sight.view.corner_sigma_px,
            )
        )
    return tuple(out)


__all__ = ["JointConfig", "JointSolution", "Sight", "TiePrior", "TieSights", "lens_prior_of", "solve_together"]
