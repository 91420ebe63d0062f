"""Naming the corners of a table in a photo: its lines, a first guess, and what the corners are worth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from api.engine import NamedRow

if TYPE_CHECKING:
    from calibration.corners import NamedCorners


def named_corners(named: NamedRow, size: tuple[int, int]) -> NamedCorners:
    """Corners as a player named them, in pixels of the upright photo."""
    from calibration.corners import NamedCorners
    from calibration.known_rectangles import KnownRectangle

    (width, height), size_in, at = size, named["size_in"], named["at"]
    pixels = tuple((x * width - 0.5, y * height - 0.5) for x, y in named["corners"])
    if size_in is None:
        return NamedCorners(pixels)
    return NamedCorners(pixels, KnownRectangle((size_in[0], size_in[1]), None if at is None else (at[0], at[1])))


def find_lines(jpeg: bytes, table: tuple[float, float]) -> bytes:
    """What helps to name corners in a small copy of a photo of a table (width, depth; inches), as JSON: ``lines``,
    ``guess`` and ``sizes`` of an :class:`api.schemas.naming.NamingOut`. Raises VisionError for what is no picture or
    too large, MemoryError."""
    from api.app.looks import seen_in_small
    from calibration.known_rectangles import LISTED
    from vision.table_pose.naming import naming_aid

    photo, aid = seen_in_small(jpeg, "The photo", lambda photo: (photo, naming_aid(photo, table)))
    found = {
        "lines": _shares(aid.lines, photo.size),
        "guess": None if aid.guess is None else _shares(aid.guess, photo.size),
        "sizes": [{"name": name, "size_in": one.size_in, "sheet": one.sheet} for name, one in LISTED.items()],
    }
    return json.dumps(found).encode()


def check_corners(
    named: NamedRow, table: tuple[float, float], size: tuple[int, int], focal_35mm: float | None
) -> bytes:
    """What corners are worth that were named in a photo of ``size`` in pixels, as JSON of an
    :class:`api.schemas.naming.CheckOut`; where they place no table, it says why."""
    import numpy as np

    from calibration import CalibrationError
    from calibration.corners import check_naming

    try:
        found = check_naming(named_corners(named, size), table, size, focal_35mm)
    except CalibrationError as error:
        return json.dumps(
            {"refused": error.problem, "middle_in": 0.0, "worst_in": 0.0, "outline": [], "says": ""}
        ).encode()
    outline = np.nan_to_num(found.outline, nan=0.0, posinf=0.0, neginf=0.0)
    told = {
        "refused": "",
        "middle_in": found.middle_in,
        "worst_in": found.worst_in,
        "outline": _shares(outline, size),
        "says": " ".join(found.warnings),
    }
    return json.dumps(told).encode()


def _shares(pixels: Any, size: tuple[int, int]) -> Any:
    return ((pixels + 0.5) / size).round(5).tolist()
