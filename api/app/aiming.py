"""Frames of a phone's viewfinder, looked at by the process that is kept warm for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from api.engine import Aim
from api.errors import BusyError, UnusableError, problem_of
from api.processes.sandbox import EndedError, RefusalError
from api.processes.warm import WarmProcess, Work
from tabletop.tables.model import TableFile

MOST_PIXELS = 2_000_000
LEAST_SIDE_PX = 320


def aim_at(looks: WarmProcess, jpeg: bytes, table: TableFile) -> Aim:
    """How a frame is aimed at a table with frame markers; raises UnusableError and BusyError."""
    assert table.frame is not None
    frame = {
        "dictionary": table.frame.dictionary,
        "side_in": table.frame.marker_size_in,
        "markers": [(one.id, *one.center, one.rotation_deg) for one in table.frame.markers],
    }
    try:
        found = looks.look(jpeg, {**frame, "table": (table.width_in, table.depth_in)})
    except RefusalError as error:
        raise UnusableError(str(error)) from error
    except EndedError as error:
        why = "Another phone is being helped to aim" if error.why == "busy" else "This frame could not be looked at"
        raise BusyError(f"{why}: the next frame is tried.", headers={"Retry-After": "2"}) from error
    outlines = tuple(tuple((x, y) for x, y in outline) for outline in found["outlines"])
    seen = tuple(found["seen"])
    return Aim(seen, outlines, found["elevation_deg"], found["advice"], found["good"])


def aiming() -> Work:
    """What looks at a frame, with all that it needs loaded: it has seen one with a table in it."""
    import cv2
    import numpy as np

    from calibration.markers import APRILTAG_FAMILIES

    white = np.full((600, 800), 255, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    places = ((0, 100, 60), (1, 600, 60), (2, 600, 440), (3, 100, 440))
    for marker, x, y in places:
        white[y : y + 100, x : x + 100] = cv2.aruco.generateImageMarker(dictionary, marker, 100)
    sample = {
        "dictionary": "DICT_4X4_50",
        "side_in": 4.0,
        "markers": [(marker, (x - 50) / 25, (590 - y) / 25, 0.0) for marker, x, y in places],
        "table": (26.0, 24.0),
    }
    look_at_frame(bytes(cv2.imencode(".jpg", white)[1]), sample)
    for family in APRILTAG_FAMILIES:  # their library is loaded where a marker is looked for in vain
        look_at_frame(bytes(cv2.imencode(".jpg", white)[1]), {**sample, "dictionary": family})
    return look_at_frame


def look_at_frame(jpeg: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What one frame shows; raises RefusalError for what is no picture or too large, MemoryError."""
    import cv2

    from calibration import FrameLayout, FrameMarker
    from vision.imaging.photo import PhotoLimits, open_photo
    from vision.model.errors import PhotoError
    from vision.table_pose.aiming import aim

    markers = tuple(FrameMarker(int(n), (float(x), float(y)), float(turn)) for n, x, y, turn in asked["markers"])
    limits = PhotoLimits(max_pixels=MOST_PIXELS, min_long_side_px=LEAST_SIDE_PX)
    try:
        photo = open_photo(jpeg, name="The frame", limits=limits)
        found = aim(photo.gray, FrameLayout(asked["dictionary"], asked["side_in"], markers), tuple(asked["table"]))
    except PhotoError as error:
        raise RefusalError(problem_of(error)) from error
    except cv2.error as error:
        if error.code == cv2.Error.StsNoMem:
            raise MemoryError(str(error)) from error
        raise
    keys = ("seen", "outlines", "elevation_deg", "advice", "good")
    return {key: getattr(found, key) for key in keys}
