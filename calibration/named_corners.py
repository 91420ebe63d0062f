"""Corners of a rectangle of known size that a person named in a picture: checked, with their uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Required, TypedDict

import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.corners import (
    CORNER_NAMES,
    ORDER,
    CornersConfig,
    KnownLens,
    TableCorners,
    middle_sigma_in,
    solve_corners,
    stated_size,
    table_sigma_in,
)
from calibration.errors import CalibrationError, CornersRejected
from calibration.known_rectangles import KnownRectangle, SizeIn

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class NamedCorners:
    """Four corners that a person named in the upright picture, in pixels: near-left, near-right, far-right, far-left.
    They are those of a ``rectangle``, of the whole table where none is stated, and may be outside the picture."""

    pixels: tuple[tuple[float, float], ...]
    rectangle: KnownRectangle | None = None


def corners_by_hand(pixels: npt.ArrayLike, size: tuple[int, int], config: CornersConfig | None = None) -> TableCorners:
    """Corners (4, 2) that a person pointed at in a picture of ``size``: near-left, near-right, far-right, far-left.

    A corner may be outside the picture, and is less certain farther out. Raises CornersRejected, one sentence,
    for corners too far outside or in another order, and for sides that cross.

    >>> corners_by_hand([(80, 700), (900, 690), (760, 90), (210, 80)], (1000, 800)).sigma_px
    array([3., 3., 3., 3.])
    """
    config = config or CornersConfig()
    corners = np.asarray(pixels, dtype=np.float64)
    if corners.shape != (4, 2):
        raise ValueError(f"corners have shape {corners.shape}, expected (4, 2).")
    _check_corners(corners, size, config)
    out = np.linalg.norm(_outside(corners, size), axis=1)
    return TableCorners(corners, config.hand_of_long_side * max(size) + config.outside_times * out)


def _outside(corners: Array, size: tuple[int, int]) -> Array:
    """How far points (n, 2) are beyond a picture's border (n, 2)."""
    edge = np.array(size) - 0.5
    return np.asarray(np.maximum(np.maximum(-0.5 - corners, corners - edge), 0.0), dtype=np.float64)


def _check_corners(corners: Array, size: tuple[int, int], config: CornersConfig) -> None:
    width, height = size
    most = config.most_outside * max(size)
    for name, corner in zip(CORNER_NAMES, corners, strict=True):
        if not np.linalg.norm(_outside(corner, size)) <= most:
            x, y = corner
            raise CornersRejected(
                f"The {name} corner ({x:g}, {y:g}) is more than {most:.0f} pixels outside the photo of {width} x "
                f"{height} pixels: give pixels of the upright photo, or retake it with more of the table in view."
            )
    step = np.roll(corners, -1, axis=0) - corners
    short = int(np.argmin(np.linalg.norm(step, axis=1)))
    least = config.least_side_of_long_side * max(size)
    if np.linalg.norm(step[short]) < least:
        raise CornersRejected(
            f"The {CORNER_NAMES[short]} and {CORNER_NAMES[(short + 1) % 4]} corners are only "
            f"{np.linalg.norm(step[short]):.0f} pixels apart (at least {least:.0f} are needed): give the table's four "
            "corners, or retake the photo from nearer."
        )
    after = np.roll(step, -1, axis=0)
    bends = step[:, 0] * after[:, 1] - step[:, 1] * after[:, 0]  # below 0: anticlockwise as seen, y being down
    if np.all(bends < 0):
        return
    if np.all(bends > 0):
        raise CornersRejected(f"The corners go round clockwise: give them as {ORDER}, anticlockwise in the photo.")
    if np.sum(bends < 0) == 2:
        raise CornersRejected(f"The table's sides cross: give the corners as {ORDER}, round the table.")
    at = (int(np.argmax(bends if np.sum(bends < 0) == 3 else -bends)) + 1) % 4
    raise CornersRejected(
        f"The {CORNER_NAMES[at]} corner lies inside the triangle of the other three: give the corners as {ORDER}."
    )


class _OfRectangle(TypedDict, total=False):
    size_in: Required[SizeIn]
    table_in: tuple[float, float]
    at: tuple[float, float] | None


def of_rectangle(rectangle: KnownRectangle | None, table_in: tuple[float, float]) -> _OfRectangle:
    """The arguments of ``solve_corners`` for a rectangle on a table of ``table_in``: ``None``, or one of that size
    without a place, is the table itself."""
    if rectangle is None or (rectangle.size_in == table_in and rectangle.at is None):
        return {"size_in": table_in}
    return {"size_in": rectangle.size_in, "table_in": table_in, "at": rectangle.at}


@dataclass(frozen=True)
class NamingCheck:
    """The accuracy of named corners: how uncertain (95 %) places are in the ``middle_in`` of the table and where it is
    worst, the table's ``outline`` (4, 2) in pixels, and a sentence on it; or why they place no table
    (``refused``)."""

    middle_in: float = 0.0
    worst_in: float = 0.0
    outline: Array = field(default_factory=lambda: np.empty((0, 2)))
    warnings: tuple[str, ...] = ()
    refused: str = ""


def check_naming(
    named: NamedCorners, table_in: tuple[float, float], size: tuple[int, int], focal_35mm: float | None = None
) -> NamingCheck:
    """Whether corners that a person named in a picture of ``size`` place a table, and how surely, without the
    picture."""
    placed = of_rectangle(named.rectangle, table_in)
    try:
        view = solve_corners(corners_by_hand(named.pixels, size), size=size, focal_35mm=focal_35mm, **placed)
    except CalibrationError as error:
        return NamingCheck(refused=error.problem)
    width, depth = table_in
    outline = np.array([[0, 0, 0], [width, 0, 0], [width, depth, 0], [0, depth, 0]], dtype=np.float64)
    return NamingCheck(
        2 * middle_sigma_in(view, table_in),
        2 * table_sigma_in(view, table_in),
        view.pixel_from_table(outline),
        view.warnings[:-1],
    )


def measured_size(
    named: NamedCorners, size: tuple[int, int], camera: Camera | None = None, focal_35mm: float | None = None
) -> tuple[float, float]:
    """About how wide and deep the rectangle of named corners is in a picture of ``size``, to a tenth of an inch; raises
    CornersRejected for corners that can't be a rectangle's."""
    assert named.rectangle is not None
    config = CornersConfig()
    corners = corners_by_hand(named.pixels, size, config)
    width, depth = stated_size(corners, named.rectangle.size_in, KnownLens(size, camera, focal_35mm, config))
    return round(width, 1), round(depth, 1)
