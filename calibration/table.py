"""The table's pose from the frame markers of one photo, with covariance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from calibration.adjustment import (
    AdjustmentConfig,
    Fit,
    MarkerSights,
    adjust,
    adjust_over_tolerances,
)
from calibration.camera import Camera, TableView
from calibration.consensus import ConsensusConfig, agree, plausible
from calibration.dictionaries import apriltag_family, turned_dictionary
from calibration.errors import MarkersNotFound, PoseRejected
from calibration.frame import FrameLayout
from calibration.lens_prior import LensPrior, LensPriorConfig, cropped_lens_priors, lens_guesses
from calibration.selection import SelectionConfig, likelihood, trust

Array = npt.NDArray[np.float64]

_PLANE_OF_LONG_SIDE = 5e-4
"""Of the picture's longer side: how far a lens may bend markers from their places on a plane."""


class MarkerDetections(Protocol):
    """What ``solve_table`` needs of detected markers: ids (n,), corners (n, 4, 2) in OpenCV's order, noise (n,)."""

    @property
    def ids(self) -> npt.NDArray[np.int64]: ...
    @property
    def corners(self) -> Array: ...
    @property
    def sigma_px(self) -> Array: ...


@dataclass(frozen=True)
class TablePoseConfig:
    """Settings of ``solve_table``.

    Below the likelihood ``doubt`` of a fit (``doubt_after_loss`` where markers had to be left out) the next guess at
    the lens is tried as well, ``next_lens_log_chance`` less likely beforehand; guesses ``hopeless`` in log evidence
    below the best are dropped. Warnings: a marker ``far_in`` off its stated place, a table uncertain by
    ``wide_sigma_in`` somewhere. Reported for a marker left out: place beyond ``far_in``, turn beyond ``askew_deg``,
    size beyond ``missized_rel``. Refused: a table uncertain by ``max_sigma_in``, corner noise over
    ``max_noise_of_long_side``.
    """

    min_markers: int = 3
    doubt: float = 1e-3
    doubt_after_loss: float = 0.02
    next_lens_log_chance: float = -6.0
    hopeless: float = 12.0
    far_in: float = 0.15
    askew_deg: float = 5.0
    missized_rel: float = 0.03
    wide_sigma_in: float = 0.15
    max_sigma_in: float = 0.75
    max_noise_of_long_side: float = 1e-3
    lens: LensPriorConfig = field(default_factory=LensPriorConfig)
    adjustment: AdjustmentConfig = field(default_factory=AdjustmentConfig)
    consensus: ConsensusConfig = field(default_factory=ConsensusConfig)
    selection: SelectionConfig = field(default_factory=SelectionConfig)


def solve_table(
    detections: MarkerDetections,
    layout: FrameLayout,
    size: tuple[int, int],
    *,
    camera: Camera | None = None,
    focal_35mm: float | None = None,
    config: TablePoseConfig | None = None,
) -> TableView:
    """Camera and table pose from the frame markers seen in one picture of ``size`` (width, height).

    With a stored ``camera`` its parameters are the prior (turned where the phone was), else the focal length comes
    from ``focal_35mm`` (EXIF) or from the markers alone; a prior that the markers contradict is replaced by the next.
    Detections with other ids are ignored; false, doubled, moved or mis-sized ones are left out and named in
    ``TableView.warnings``.
    The covariance counts corner noise, the layout's tolerance and the lens. Raises MarkersNotFound below three frame
    markers, PoseRejected where no camera over the table explains them, CameraFileError for a camera of another shape of
    picture.
    """
    config = config or TablePoseConfig()
    markers, warnings = _known_markers(detections, layout, config)
    _check_enough(set(markers.ids), layout, config)
    solutions = _solutions(markers, lens_guesses(size, camera, focal_35mm, config.lens), config)
    if not solutions or _is_doubtful(_best(solutions), markers, config):
        solutions += _cropped(markers, size, config)
    if not solutions:
        turned = replace(markers, pixels=np.roll(markers.pixels, 2, axis=1))
        if _solutions(turned, lens_guesses(size, camera, focal_35mm, config.lens), config):
            raise PoseRejected(_turned_round(layout))
        raise PoseRejected(_NO_CAMERA if _fits_a_plane(markers, size) else _disagreement(markers, layout))
    best = _best(solutions)
    fit = adjust_over_tolerances(best.markers, best.prior, best.fit, config.adjustment)
    view = _view(fit, best, size)
    sigma = _checked_sigma(view, layout, markers, config)
    if best.prior.source == "cropped":
        warnings.append(
            "The photo seems to be cropped or straightened: the middle of its lens is not the middle of the picture. "
            "It is used, but the photo as the phone took it is more exact."
        )
    elif camera is not None and best.prior.source != "stored":
        warnings.append("The stored camera does not fit this photo (another lens or zoom?): solved without it.")
    elif focal_35mm and best.prior.source == "markers":
        warnings.append(
            f"The photo's stated focal length ({focal_35mm:.0f} mm) does not fit the markers: solved without it."
        )
    warnings += _faults(markers, best.members, view, config)
    if sigma > config.wide_sigma_in:
        warnings.append(f"Places on this table are uncertain by up to {2 * sigma:.1f} in. {_retake(view, layout)}")
    return replace(view, warnings=tuple(warnings))


@dataclass(frozen=True, eq=False)
class _Solution:
    """One explanation: the trusted ``markers``, which they were among all (``members``), their fit and its prior."""

    members: tuple[int, ...]
    markers: MarkerSights
    fit: Fit
    prior: LensPrior

    @property
    def log_evidence(self) -> float:
        return self.fit.log_evidence + self.prior.log_chance


def _best(solutions: list[_Solution]) -> _Solution:
    return max(solutions, key=lambda s: (len(s.members), s.log_evidence))


def _solutions(markers: MarkerSights, guesses: list[Sequence[LensPrior]], config: TablePoseConfig) -> list[_Solution]:
    """The explanations found, by every prior of the first group that fits and of the groups before it."""
    solutions: list[_Solution] = []
    most = len(set(markers.ids))
    for rank, priors in enumerate(guesses):
        group = [s for p in priors if (s := _first_fit(markers, p, rank * config.next_lens_log_chance, config))]
        for solution in _hopeful(group, config):
            trusted = _drop_misplaced(solution, config)
            if trusted is not None:
                solutions.append(trusted)
        if solutions:
            best = _best(solutions)
            least = config.doubt if len(best.members) == most else config.doubt_after_loss
            if not _is_noisy(best, config) and likelihood(best.fit) > least:
                break
    return solutions


def _is_noisy(solution: _Solution, config: TablePoseConfig) -> bool:
    return solution.fit.noise > config.selection.suspicious_noise


def _is_doubtful(best: _Solution, markers: MarkerSights, config: TablePoseConfig) -> bool:
    """Whether a solution leaves out markers or fits badly, so that the picture may be no whole one."""
    lost = len(best.members) < len(set(markers.ids))
    return lost or _is_noisy(best, config) or likelihood(best.fit) <= config.doubt


def _cropped(markers: MarkerSights, size: tuple[int, int], config: TablePoseConfig) -> list[_Solution]:
    """The explanations of all markers, each well, by a lens with its middle elsewhere than the picture's."""
    found = []
    for prior in cropped_lens_priors(size, config.lens):
        solution = _first_fit(markers, prior, 0.0, config)
        if solution is None or (-solution.fit.R.T @ solution.fit.t)[2] <= 0:
            continue
        if not _is_doubtful(solution, markers, config):
            found.append(solution)
    return found


def _first_fit(markers: MarkerSights, prior: LensPrior, log_chance: float, config: TablePoseConfig) -> _Solution | None:
    """The fit of all markers that agree under one prior."""
    agreement = agree(markers, prior.mean, config.consensus)
    if agreement is None or len(agreement.members) < config.min_markers:
        return None
    prior = replace(prior, log_chance=prior.log_chance + log_chance)
    agreed = markers[agreement.members]
    fit = adjust(agreed, prior, agreement.R, agreement.t, config=config.adjustment)
    return _Solution(agreement.members, agreed, fit, prior)


def _hopeful(solutions: list[_Solution], config: TablePoseConfig) -> list[_Solution]:
    """The best solution, and a second with as many markers if its evidence is not far below."""
    ranked = sorted(solutions, key=lambda s: (-len(s.members), -s.log_evidence))[:2]
    return [
        s
        for s in ranked
        if len(s.members) == len(ranked[0].members) and s.log_evidence > ranked[0].log_evidence - config.hopeless
    ]


def _drop_misplaced(solution: _Solution, config: TablePoseConfig) -> _Solution | None:
    """The solution without markers that are not as stated."""
    kept = trust(
        solution.markers, solution.prior, solution.fit, config.min_markers, config.selection, config.adjustment
    )
    if kept is None:
        return None
    markers, fit = kept
    members = tuple(k for k, i in zip(solution.members, solution.markers.ids, strict=True) if i in markers.ids)
    return _Solution(members, markers, fit, solution.prior)


def _view(fit: Fit, solution: _Solution, size: tuple[int, int]) -> TableView:
    camera = Camera.from_parameters(
        fit.parameters, size, covariance=fit.covariance[:9, :9], rms_px=fit.rms_px, source=solution.prior.source
    )
    return TableView(
        camera=camera,
        R=fit.R,
        t=fit.t,
        covariance=fit.covariance,
        rms_px=fit.rms_px,
        markers_seen=tuple(sorted(solution.markers.ids)),
        corner_sigma_px=float(fit.noise * np.mean(solution.markers.sigma_px)),
    )


def _known_markers(
    detections: MarkerDetections, layout: FrameLayout, config: TablePoseConfig
) -> tuple[MarkerSights, list[str]]:
    """The detections that are of the layout and look like a marker from its printed side."""
    ids = np.asarray(detections.ids).reshape(-1)
    corners = np.asarray(detections.corners, dtype=np.float64).reshape(-1, 4, 2)
    sigma = np.broadcast_to(np.asarray(detections.sigma_px, dtype=np.float64), ids.shape)
    keep, warnings = [], []
    for k, marker_id in enumerate(ids.tolist()):
        if marker_id not in layout.ids:
            continue
        if np.all(np.isfinite(corners[k])) and plausible(corners[k], config.consensus):
            keep.append(k)
        else:
            warnings.append(f"A sight of frame marker {marker_id} was left out: it is mirrored or too small.")
    stated = {i: layout.corners(i)[:, :2] for i in layout.ids}
    chosen = [int(ids[k]) for k in keep]
    places = np.array([stated[i] for i in chosen]).reshape(-1, 4, 2)
    centers = places.mean(axis=1)
    return MarkerSights(tuple(chosen), corners[keep], sigma[keep], centers, places - centers[:, None]), warnings


def _check_enough(seen: set[int], layout: FrameLayout, config: TablePoseConfig) -> None:
    if len(seen) >= config.min_markers:
        return
    missing = [i for i in layout.ids if i not in seen]
    which = f" (ids {_names(seen)})" if seen else ""
    if len(layout.ids) < config.min_markers:
        next_step = f"The table file lists {len(layout.ids)}: lay and list at least {config.min_markers}."
    else:
        next_step = f"Retake the photo with {_names(missing, 'and')} in view."
    raise MarkersNotFound(f"{len(seen)} of {len(layout.ids)} frame markers seen{which}. {next_step}")


_NO_CAMERA = (
    "The frame markers are where the table file says, but no camera takes such a picture: it seems to be cropped, "
    "straightened or stretched. Use the photo as the phone took it."
)


def _fits_a_plane(markers: MarkerSights, size: tuple[int, int]) -> bool:
    """Whether four markers or more are seen as those of one plane, each in its place, whatever took the picture."""
    stated = (markers.centers[:, None] + markers.offsets).reshape(-1, 2)
    pixels = markers.pixels.reshape(-1, 2)
    plane = cv2.findHomography(stated, pixels)[0] if len(set(markers.ids)) > 3 else None
    if plane is None:
        return False
    seen = cv2.perspectiveTransform(stated[:, None], plane)[:, 0]
    return bool(np.linalg.norm(seen - pixels, axis=1).max() < _PLANE_OF_LONG_SIDE * max(size))


def _checked_sigma(view: TableView, layout: FrameLayout, markers: MarkerSights, config: TablePoseConfig) -> float:
    """The table's greatest standard deviation in inches; PoseRejected for a camera below the table, corners far from
    any camera's, or a table too uncertain to use."""
    size = view.camera.size
    straight = _fits_a_plane(markers, size)
    if view.eye[2] <= 0:
        below = "The frame markers are seen from below the table. Retake the photo from above the table."
        raise PoseRejected(_NO_CAMERA if straight else below)
    if view.corner_sigma_px > config.max_noise_of_long_side * max(size):
        raise PoseRejected(
            _NO_CAMERA
            if straight
            else f"The frame markers' corners miss every camera by {view.corner_sigma_px:.1f} px: the photo is blurred "
            "or the markers are bent. Flatten them and retake the photo."
        )
    sigma = _table_sigma(view, layout)
    if not np.isfinite(sigma):
        unknown = f"The frame markers do not fix the camera's place. {_retake(view, layout)}"
        raise PoseRejected(_NO_CAMERA if straight else unknown)
    if not sigma <= config.max_sigma_in:
        raise PoseRejected(
            f"The table would be uncertain by {sigma:.1f} in (one standard deviation). {_retake(view, layout)}"
        )
    return sigma


def _table_sigma(view: TableView, layout: FrameLayout) -> float:
    """The greatest standard deviation of a table point among the layout's corners, in inches."""
    places = np.array([m.center for m in layout.markers])
    box = np.array([[x, y, 0.0] for x in (places[:, 0].min(), places[:, 0].max())
                    for y in (places[:, 1].min(), places[:, 1].max())])  # fmt: skip
    if np.any((box @ view.R.T + view.t)[:, 2] <= 0):
        return np.inf
    _, covariance = view.table_from_pixel(view.pixel_from_table(box), 0.0)
    return float(np.sqrt(np.linalg.eigvalsh(covariance).max()))


def _retake(view: TableView, layout: FrameLayout) -> str:
    missing = [i for i in layout.ids if i not in view.markers_seen]
    if missing:
        return f"Retake the photo with {_names(missing, 'and')} in view."
    return "Retake the photo from nearer, with the markers spread over the table."


def _turned_round(layout: FrameLayout) -> str:
    other = turned_dictionary(layout.dictionary)
    if other is None:
        return "Every frame marker is turned by 180 degrees: turn them, or write their rotation into the table file."
    theirs = other == apriltag_family(other)
    source = "the AprilTag project's own pictures" if theirs else "AprilTags as OpenCV draws them"
    return (
        f'Every frame marker is turned by 180 degrees: they seem to be {source}. Write dictionary = "{other}" in the '
        "table file, in [tags] too where the units' tags come from the same sheets."
    )


def _disagreement(markers: MarkerSights, layout: FrameLayout) -> str:
    seen = sorted(set(markers.ids))
    missing = [i for i in layout.ids if i not in seen]
    more = f", or retake the photo with {_names(missing, 'and')} in view" if missing else ""
    return (
        f"The {len(seen)} frame markers seen (ids {_names(seen)}) do not lie as the table file says. Check "
        f"that the photo shows this table, and their places, rotations and marker_size in the table file{more}."
    )


def _faults(markers: MarkerSights, members: tuple[int, ...], view: TableView, config: TablePoseConfig) -> list[str]:
    """What is wrong with the markers that were left out, and with markers far from their stated place."""
    said = []
    for k, marker_id in enumerate(markers.ids):
        trusted = k in members
        corners = view.point_from_pixel(markers.pixels[k], 0.0)
        centre = corners.mean(axis=0)
        off = float(np.linalg.norm(centre - markers.centers[k]))
        size, turn = _likeness(corners - centre, markers.offsets[k])
        again = sum(i == marker_id for i in markers.ids) > 1
        if trusted:
            if config.far_in < off < np.inf:
                said.append(f"Frame marker {marker_id} is about {off:.2f} in off its stated place.")
        elif again:
            said.append(f"Frame marker {marker_id} is seen more than once: the one that fits its stated place is used.")
        elif not np.isfinite(off):
            said.append(f"Frame marker {marker_id} was left out: it is not on the table.")
        else:
            faults = [f"{off:.1f} in off its stated place"] if off > config.far_in else []
            faults += [f"turned by {turn:.0f} degrees"] if abs(turn) > config.askew_deg else []
            faults += [f"{size:.0%} of the stated size"] if abs(size - 1) > config.missized_rel else []
            what = " and ".join(faults) or "not flat or partly hidden"
            said.append(f"Frame marker {marker_id} was left out: it is {what}. Check it against the table file.")
    return said


def _likeness(seen: Array, stated: Array) -> tuple[float, float]:
    """Size ratio and clockwise turn in degrees of corners (4, 2) against stated ones, both about their centre."""
    ratio = np.sum((seen @ [1, 1j]) * (stated @ [1, -1j])) / np.sum(stated**2)
    return float(np.abs(ratio)), -float(np.degrees(np.angle(ratio)))


def _names(ids: object, last: str = ",") -> str:
    """Ids in a sentence: "1 and 2", "0, 3"."""
    names = [str(i) for i in sorted(set(ids))]  # type: ignore[call-overload]
    if last == "," or len(names) < 2:
        return ", ".join(names)
    return ", ".join(names[:-1]) + f" {last} " + names[-1]
