"""Where one photo's camera stood over the table: by its frame markers or, without them, by the table's edges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration import Camera, CornersRejected, PoseRejected, TableView
from calibration.markers import Markers, find_markers, read_markers_at
from calibration.table import solve_table
from vision.expected import Expected
from vision.photo import Photo
from vision.stages import ObserveConfig
from vision.table_corners import view_by_corners


def frame_markers(photo: Photo, expected: Expected, config: ObserveConfig) -> Markers:
    """The frame markers: on a small copy alone where that shows enough of them, else by every means."""
    frame, coarse = expected.frame, replace(config.markers, coarse_px=config.markers.coarse_px[:1])
    if not frame.ids:
        return Markers.empty()
    markers = find_markers(photo.gray, frame.dictionary, frame.ids, config=coarse)
    if len(set(markers.ids.tolist())) >= min(len(frame.ids), config.markers.sufficient):
        return markers
    return find_markers(photo.gray, frame.dictionary, frame.ids, config=config.markers)


def view_of(
    photo: Photo, expected: Expected, camera: Camera | None, config: ObserveConfig, markers: Markers | None = None
) -> TableView:
    """The table's pose by its frame ``markers`` (looked for where they are not given), or by its own edges where too
    few of them are seen. Raises CalibrationError."""
    markers = frame_markers(photo, expected, config) if markers is None else markers
    if len(set(markers.ids.tolist())) >= config.pose.min_markers:
        return view_by_markers(photo, expected, markers, camera, config)
    try:
        return view_by_corners(photo, expected, markers, camera=camera, config=config.corners)
    except (CornersRejected, PoseRejected):
        if not expected.frame.ids:
            raise
        return view_by_markers(photo, expected, markers, camera, config)


def view_by_markers(
    photo: Photo, expected: Expected, markers: Markers, camera: Camera | None, config: ObserveConfig
) -> TableView:
    """The table's pose; markers not seen at first are looked for once more where the pose puts them."""
    frame = expected.frame
    view = solve_table(markers, frame, photo.size, camera=camera, focal_35mm=photo.focal_35mm, config=config.pose)
    missing = [i for i in frame.ids if i not in set(markers.ids.tolist())]
    quads = np.array([view.pixel_from_table(frame.corners(i)) for i in missing]).reshape(-1, 4, 2)
    size = np.array(photo.size)
    inside = np.all((quads > 0) & (quads < size - 1), axis=(1, 2))
    if not inside.any():
        return view
    more = read_markers_at(photo.gray, frame.dictionary, quads[inside], missing, config=config.markers)
    if not len(more):
        return view
    every = Markers.concat([markers, more])
    return solve_table(every, frame, photo.size, camera=camera, focal_35mm=photo.focal_35mm, config=config.pose)
