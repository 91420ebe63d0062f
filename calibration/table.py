"""The table's pose from the frame markers of one photo, with covariance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from calibration.adjustment import AdjustmentConfig, Fit, LaidMarkers, adjust, adjust_over_tolerances
from calibration.camera import Camera, TableView
from calibration.consensus import Agreement, ConsensusConfig, agree, plausible
from calibration.errors import MarkersNotFound, PoseRejected
from calibration.frame import FrameLayout
from calibration.lens_prior import LensPrior, LensPriorConfig, phone_priors, stored_prior

Array = npt.NDArray[np.float64]


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
    """Settings of ``solve_table``. A marker is left out when the half sum of squares without it falls by more than
    ``outlier_cost`` and the rest then fit; a solution is refused when its cost per marker exceeds ``max_cost``."""

    min_markers: int = 3
    outlier_cost: float = 18.0
    max_cost_per_marker: float = 15.0
    stored_camera_log_odds: float = 8.0
    lens: LensPriorConfig = field(default_factory=LensPriorConfig)
    adjustment: AdjustmentConfig = field(default_factory=AdjustmentConfig)
    consensus: ConsensusConfig = field(default_factory=ConsensusConfig)


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

    With a stored ``camera`` its parameters are the prior, else the focal length comes from ``focal_35mm`` (EXIF) or
    from the markers alone. Detections with other ids are ignored; false, doubled, moved or mis-sized ones are left out and
    named in ``TableView.warnings``. Raises MarkersNotFound below three frame markers and PoseRejected where no camera
    over the table explains them.
    """
    config = config or TablePoseConfig()
    markers, warnings = _known_markers(detections, layout, config)
    _check_enough(set(markers.ids), layout, config)
    fit, used, prior, more = _solve(markers, layout, size, camera, focal_35mm, config)
    return _view(fit, used, prior, size, (*warnings, *more))


def _solve(
    markers: LaidMarkers, layout: FrameLayout, size: tuple[int, int], camera: Camera | None,
    focal_35mm: float | None, config: TablePoseConfig,
) -> tuple[Fit, LaidMarkers, LensPrior, list[str]]:  # fmt: skip
    priors = list(phone_priors(size, focal_35mm, config.lens))
    if camera is not None:
        priors = [stored_prior(camera.scaled_to(size), config.lens)]
    agreements = agree(markers, [p.mean for p in priors], config.consensus)
    if not agreements:
        raise PoseRejected(
            f"The {len(set(markers.ids))} frame markers seen (ids {_names(markers.ids)}) do not lie as the table file "
            "says. Check their places, turns and size in the table file, or retake the photo."
        )
    solutions = []
    for agreement in agreements[:3]:
        prior = next(p for p in priors if p.mean is agreement.parameters)
        solutions.append((*_clean_fit(markers, agreement, prior, config), prior))
    fit, used, prior = max(solutions, key=lambda s: (len(s[1]), s[0].log_evidence))
    warnings = [
        f"Frame marker {markers.ids[k]} was left out: it does not lie as the table file says."
        for k in range(len(markers))
        if markers.ids[k] not in used.ids
    ]
    return adjust_over_tolerances(used, prior, fit, config.adjustment), used, prior, warnings


def _clean_fit(
    markers: LaidMarkers, agreement: Agreement, prior: LensPrior, config: TablePoseConfig
) -> tuple[Fit, LaidMarkers]:
    """The fit of the agreed markers, less those that spoil it."""
    used = markers[agreement.members]
    fit = adjust(used, prior, agreement.R, agreement.t, config=config.adjustment)
    while len(used) > config.min_markers and fit.cost > config.outlier_cost:
        rest = [used[[j for j in range(len(used)) if j != k]] for k in range(len(used))]
        fits = [adjust(r, prior, fit.R, fit.t, config=config.adjustment) for r in rest]
        k = int(np.argmin([f.cost for f in fits]))
        if fit.cost - fits[k].cost < config.outlier_cost / 2:
            break
        used, fit = rest[k], fits[k]
    return fit, used


def _view(fit: Fit, used: LaidMarkers, prior: LensPrior, size: tuple[int, int], warnings: tuple[str, ...]) -> TableView:
    camera = Camera.from_parameters(
        fit.parameters, size, covariance=fit.covariance[:9, :9], rms_px=fit.rms_px, source=prior.source
    )
    return TableView(
        camera=camera,
        R=fit.R,
        t=fit.t,
        covariance=fit.covariance,
        rms_px=fit.rms_px,
        markers_seen=tuple(sorted(used.ids)),
        corner_sigma_px=float(fit.noise * np.mean(used.sigma_px)),
        warnings=warnings,
    )


def _known_markers(
    detections: MarkerDetections, layout: FrameLayout, config: TablePoseConfig
) -> tuple[LaidMarkers, list[str]]:
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
    return LaidMarkers(tuple(chosen), corners[keep], sigma[keep], centers, places - centers[:, None]), warnings


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


def _names(ids: object, last: str = ",") -> str:
    """Ids in a sentence: "1 and 2", "0, 3"."""
    names = [str(i) for i in sorted(set(ids))]  # type: ignore[call-overload]
    if last == "," or len(names) < 2:
        return ", ".join(names)
    return ", ".join(names[:-1]) + f" {last} " + names[-1]


__all__ = ["MarkerDetections", "TablePoseConfig", "solve_table"]
