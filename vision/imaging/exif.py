"""The few facts of a photo's EXIF that the work needs: orientation, focal length, camera model and time.

Everything else (place, owner, maker's notes, thumbnails) is never read out. A damaged EXIF gives empty facts: the
photo itself may be sound.
"""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from typing import Any

from PIL import Image

_MODEL, _ORIENTATION, _TIME, _EXIF_IFD = 0x0110, 0x0112, 0x0132, 0x8769
_TIME_TAKEN, _FOCAL_MM, _FOCAL_35MM = 0x9003, 0x920A, 0xA405
_WIDTH, _HEIGHT = 0xA002, 0xA003
_PLANE_X, _PLANE_Y, _PLANE_UNIT = 0xA20E, 0xA20F, 0xA210
_MM_PER_UNIT = {2: 25.4, 3: 10.0, 4: 1.0, 5: 0.001}
_FULL_FRAME_DIAGONAL_MM = math.hypot(36.0, 24.0)
_FOCAL_RANGE_35MM = (6.0, 1200.0)  # outside of it no lens photographs a table
_CROP_TOLERANCE = 0.01  # aspect ratios further apart than this: the picture was cropped after it was taken

_DAMAGE = (
    SyntaxError,
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    OSError,
    EOFError,
    ArithmeticError,
    struct.error,
)


@dataclass(frozen=True)
class ExifFacts:
    """``orientation`` 1 to 8 as EXIF counts; ``focal_35mm`` the focal length on a frame of 36 x 24 mm with the same
    diagonal; ``taken`` as ``YYYY-MM-DD HH:MM:SS``. ``None`` is unknown."""

    orientation: int = 1
    focal_35mm: float | None = None
    model: str | None = None
    taken: str | None = None


def exif_facts(picture: Image.Image) -> ExifFacts:
    """The facts of an opened picture; a damaged EXIF counts as none."""
    try:
        main = picture.getexif()
        detail = dict(main.get_ifd(_EXIF_IFD))
        top = {tag: main.get(tag) for tag in (_MODEL, _ORIENTATION, _TIME)}
    except _DAMAGE:
        return ExifFacts()
    orientation = top[_ORIENTATION]
    return ExifFacts(
        orientation=orientation if isinstance(orientation, int) and 1 <= orientation <= 8 else 1,
        focal_35mm=focal_35mm(detail, picture.size),
        model=_text(top[_MODEL]),
        taken=_time(detail.get(_TIME_TAKEN)) or _time(top[_TIME]),
    )


def focal_35mm(detail: dict[int, Any], size: tuple[int, int]) -> float | None:
    """The 35 mm focal length of an EXIF detail block for a stored picture of ``size`` (width, height) pixels.

    From tag FocalLengthIn35mmFilm; else from FocalLength and the sensor's size by FocalPlaneResolution. ``None`` where
    neither is there, where the number can't be a lens, or where the picture was cropped after it was taken (its shape
    differs from the recorded one), which makes the number mean something else.

    >>> focal_35mm({0xA405: 26}, (4032, 3024))
    26.0
    >>> focal_35mm({0xA405: 26, 0xA002: 4032, 0xA003: 3024}, (3000, 3000)) is None
    True
    """
    recorded = _number(detail.get(_WIDTH)), _number(detail.get(_HEIGHT))
    if recorded[0] and recorded[1]:
        now, then = max(size) / min(size), max(recorded[0], recorded[1]) / min(recorded[0], recorded[1])
        if abs(now - then) > _CROP_TOLERANCE * then:
            return None
    focal = _number(detail.get(_FOCAL_35MM)) or _from_sensor(detail, recorded)
    if focal is None or not _FOCAL_RANGE_35MM[0] <= focal <= _FOCAL_RANGE_35MM[1]:
        return None
    return focal


def _from_sensor(detail: dict[int, Any], recorded: tuple[float | None, float | None]) -> float | None:
    focal = _number(detail.get(_FOCAL_MM))
    per_unit = _number(detail.get(_PLANE_X)), _number(detail.get(_PLANE_Y))
    unit = _MM_PER_UNIT.get(int(_number(detail.get(_PLANE_UNIT)) or 2))
    if not (focal and per_unit[0] and per_unit[1] and unit and recorded[0] and recorded[1]):
        return None
    diagonal_mm = math.hypot(recorded[0] / per_unit[0] * unit, recorded[1] / per_unit[1] * unit)
    return focal * _FULL_FRAME_DIAGONAL_MM / diagonal_mm


def _number(value: Any) -> float | None:
    """A positive finite number, or ``None``."""
    try:
        number = float(value)
    except (TypeError, ValueError, ArithmeticError):
        return None
    return number if math.isfinite(number) and number > 0 else None


def _text(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    clean = "".join(c for c in value if c.isprintable()).strip()
    return clean[:80] or None


def _time(value: Any) -> str | None:
    found = (
        re.fullmatch(r"(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d).*", value.strip("\0 "), re.S)
        if isinstance(value, str)
        else None
    )
    return f"{found[1]}-{found[2]}-{found[3]} {found[4]}" if found and found[1] != "0000" else None
