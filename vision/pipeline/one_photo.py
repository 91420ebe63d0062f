"""From one photo to an observation."""

from __future__ import annotations

from collections.abc import Sequence

from calibration import Camera
from calibration.corners import TableCorners
from calibration.named_corners import NamedCorners
from vision.imaging.photo import Photo
from vision.model.expected import Expected
from vision.model.observation import Observation
from vision.pipeline.pipeline import Shot, observe_photos
from vision.pipeline.stages import Clock, ObserveConfig, Progress
from vision.pipeline.way_round import settle_way_round
from vision.table_pose.placement import frame_markers, view_of
from vision.table_pose.table_corners import view_by_corners
from vision.terrain.taps import DrawnLine, Tap


def observe(
    photo: Photo,
    expected: Expected,
    *,
    camera: Camera | None = None,
    corners: NamedCorners | TableCorners | None = None,
    taps: Sequence[Tap | DrawnLine] = (),
    bare: Photo | None = None,
    progress: Progress | None = None,
    config: ObserveConfig | None = None,
) -> Observation:
    """Observe the table in one photo.

    ``camera``: a stored calibration of the phone, else focal length and distortion are solved from the frame markers
    with EXIF's focal length as the prior. ``corners``: those of the table, or of a rectangle on it, as a person named
    them or as they were measured; without them, and with too few frame markers, the table's own edges are looked for.
    Terrain is read where the table file draws none: ``taps`` name places ("this is a wood"), ``bare`` is a photo of the
    mat with nothing on it. ``progress`` is called with the name of each stage
    as it starts. Raises
    CalibrationError where no table pose can be had (too few markers and no clear edges, a layout that does not fit),
    TerrainError for a tap that nothing grows from.
    """
    config = config or ObserveConfig()
    clock = Clock(progress)
    with clock("looking for the frame markers"):
        markers = frame_markers(photo, expected, config)
    with clock("solving camera and table"):
        if corners is None:
            view = view_of(photo, expected, camera, config, markers)
        else:
            view = view_by_corners(photo, expected, markers, corners=corners, camera=camera, config=config.corners)
        view = settle_way_round(photo, expected, view)
    shot = Shot(lambda: photo, view, markers=markers)
    return observe_photos([shot], expected, camera=camera, taps=taps, bare=bare, clock=clock, config=config)


__all__ = ["ObserveConfig", "Progress", "observe"]
