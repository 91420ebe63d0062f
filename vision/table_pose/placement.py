"""The place of one photo's camera over the table: by its frame markers or, without them, by
the look of the table in earlier photos, or by the table's edges."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from calibration import Camera, CornersRejected, FrameLayout, PoseRejected, TableView
from calibration.markers import MarkerConfig, Markers, find_markers, read_markers_at
from calibration.table import MarkerDetections, TablePoseConfig, solve_table
from vision.imaging.photo import Photo
from vision.model.expected import Expected
from vision.table_pose.appearance import AppearanceConfig, place_by_look
from vision.table_pose.table_corners import ByCornersConfig, view_by_corners

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PlacementConfig:
    """Thresholds for finding the camera's place: markers, the pose by them, the pose by the table's look, the pose by
    its corners."""

    markers: MarkerConfig = field(default_factory=MarkerConfig)
    pose: TablePoseConfig = field(default_factory=TablePoseConfig)
    look: AppearanceConfig = field(default_factory=AppearanceConfig)
    corners: ByCornersConfig = field(default_factory=ByCornersConfig)


def frame_markers(photo: Photo, expected: Expected, config: PlacementConfig) -> Markers:
    """The frame markers, or as many of them as a pose needs."""
    frame = expected.frame
    if not frame.ids:
        return Markers.empty()
    return find_markers(photo.gray, frame.dictionary, frame.ids, config=config.markers)


def view_of(
    photo: Photo, expected: Expected, camera: Camera | None, config: PlacementConfig, markers: Markers | None = None
) -> TableView:
    """The table's pose by its frame ``markers`` (looked for where they are not given). Where too few of them are seen,
    by the table's look in earlier photos, if there are some, else by its own edges. Raises CalibrationError."""
    markers = frame_markers(photo, expected, config) if markers is None else markers
    if len(set(markers.ids.tolist())) >= config.pose.min_markers:
        return view_by_markers(photo, expected, markers, camera, config)
    placed = place_by_look(photo, expected.references, camera, config.look) if expected.references else None
    if placed is not None:
        return placed.view
    try:
        view = view_by_corners(photo, expected, markers, camera=camera, config=config.corners)
    except (CornersRejected, PoseRejected) as error:
        if expected.references:
            raise PoseRejected(_NOT_ALIKE) from error
        if not expected.frame.ids:
            raise
        return view_by_markers(photo, expected, markers, camera, config)
    return replace(view, warnings=(*view.warnings, _UNLIKE)) if expected.references else view


_UNLIKE = "The photo does not look like the earlier photos of this table: check that it shows the same one."
_NOT_ALIKE = (
    "The photo does not look like the earlier photos of this table, and too few frame markers are seen: take it from "
    "nearer to where one of those was taken, or name the table's corners."
)


def view_by_markers(
    photo: Photo, expected: Expected, markers: Markers, camera: Camera | None, config: PlacementConfig
) -> TableView:
    """The table's pose; markers that were missed are looked for again where the pose puts them, or everywhere
    if the others give no pose."""
    frame = expected.frame
    try:
        view = solve_table(markers, frame, photo.size, camera=camera, focal_35mm=photo.focal_35mm, config=config.pose)
    except PoseRejected:
        every = _every_marker(photo, frame, markers, config)
        if len(every) == len(markers):
            raise
        markers = every
        view = solve_table(markers, frame, photo.size, camera=camera, focal_35mm=photo.focal_35mm, config=config.pose)
    missing = [i for i in frame.ids if i not in set(markers.ids.tolist())]
    quads = np.array([view.pixel_from_table(frame.corners(i)) for i in missing]).reshape(-1, 4, 2)
    size = np.array(photo.size)
    inside = np.all((quads > 0) & (quads < size - 1), axis=(1, 2))
    if not inside.any():
        return view
    places = {i: quad for i, quad, seen in zip(missing, quads, inside, strict=True) if seen}
    more = _markers_about(photo, frame.dictionary, places, config)
    if not len(more):
        return view
    every = Markers.concat([markers, more])
    return solve_table(every, frame, photo.size, camera=camera, focal_35mm=photo.focal_35mm, config=config.pose)


def nearest_sights(markers: MarkerDetections, frame: FrameLayout, view: TableView) -> list[int]:
    """The rows of the sights of a frame's markers, of each marker the one nearest to its place by the view, by id."""
    best: dict[int, tuple[float, int]] = {}
    for row, marker in enumerate(np.asarray(markers.ids).tolist()):
        if marker in frame.ids:
            away = np.linalg.norm(markers.corners[row] - view.pixel_from_table(frame.corners(marker)), axis=1).max()
            best[marker] = min(best.get(marker, (np.inf, row)), (float(away), row))
    return [row for _, (_, row) in sorted(best.items())]


def _every_marker(photo: Photo, frame: FrameLayout, markers: Markers, config: PlacementConfig) -> Markers:
    """The ``markers``, and those for which the search was not carried on because these were enough."""
    missing = [i for i in frame.ids if i not in set(markers.ids.tolist())]
    if not missing or len(frame.ids) - len(missing) < config.markers.least:
        return markers
    rest = find_markers(photo.gray, frame.dictionary, missing, config=replace(config.markers, sufficient=len(missing)))
    return Markers.concat([markers, rest])


def _markers_about(photo: Photo, dictionary: str, places: dict[int, Array], config: PlacementConfig) -> Markers:
    """Markers that a pose predicts at ``places``, quads (4, 2) by id: read there, or else found nearby."""
    found = read_markers_at(photo.gray, dictionary, np.array(list(places.values())), places, config=config.markers)
    for marker_id in sorted(places.keys() - set(found.ids.tolist())):
        quad = places[marker_id]
        margin = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).max()
        low = np.maximum(quad.min(axis=0) - margin, 0).astype(np.int64)
        high = (quad.max(axis=0) + margin).astype(np.int64)
        part = np.ascontiguousarray(photo.gray[low[1] : high[1], low[0] : high[0]])
        near = find_markers(part, dictionary, [marker_id], config=config.markers)
        found = Markers.concat([found, replace(near, corners=near.corners + low)])
    return found
