"""Dictionaries of square markers by the names of table files: OpenCV's, and the AprilTag project's own pictures."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

APRILTAG_FAMILIES = ("tag16h5", "tag25h9", "tag36h11")
"""The AprilTag library's names, for its own pictures. OpenCV's DICT_APRILTAG_16h5 and so on are upside down to them."""


def dictionary_names() -> tuple[str, ...]:
    """The dictionaries that can be named in a table file."""
    names = (name for name in dir(cv2.aruco) if name.startswith("DICT_") and "H" not in name[5:].split("_")[-1])
    return (*sorted(names), *APRILTAG_FAMILIES)


def apriltag_family(dictionary: str) -> str | None:
    """The AprilTag library's name for a dictionary; ``None`` where it does not read it.

    >>> apriltag_family("DICT_APRILTAG_36h11"), apriltag_family("tag36h11"), apriltag_family("DICT_4X4_50")
    ('tag36h11', 'tag36h11', None)
    """
    family = f"tag{dictionary.removeprefix('DICT_APRILTAG_').removeprefix('tag')}"
    return family if family in APRILTAG_FAMILIES else None


def turned_dictionary(name: str) -> str | None:
    """The dictionary with the same markers turned by 180 degrees, or ``None``.

    >>> turned_dictionary("DICT_APRILTAG_36h11"), turned_dictionary("tag36h11"), turned_dictionary("DICT_4X4_50")
    ('tag36h11', 'DICT_APRILTAG_36h11', None)
    """
    family = apriltag_family(name)
    return f"DICT_APRILTAG_{name.removeprefix('tag')}" if family == name else family


@lru_cache(maxsize=8)
def marker_dictionary(name: str) -> cv2.aruco.Dictionary:
    """The markers of a dictionary as they are printed: OpenCV's, or the AprilTag project's own pictures. ValueError for
    an unknown name."""
    if name not in dictionary_names():
        raise ValueError(f"Unknown marker dictionary {name!r}; known are {', '.join(dictionary_names())}.")
    if name not in APRILTAG_FAMILIES:
        return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
    theirs = marker_dictionary(turned_dictionary(name) or "")
    turned = np.rot90(marker_grids(theirs), 2, axes=(1, 2)).astype(np.uint8)
    rows = np.concatenate([cv2.aruco.Dictionary.getByteListFromBits(np.ascontiguousarray(grid)) for grid in turned])
    return cv2.aruco.Dictionary(rows, theirs.markerSize, theirs.maxCorrectionBits)


def marker_grids(dictionary: cv2.aruco.Dictionary) -> npt.NDArray[np.bool_]:
    """The code cells (n, side, side) of upright markers, true where white, without their black border."""
    side, rows = int(dictionary.markerSize), dictionary.bytesList
    bits = [cv2.aruco.Dictionary.getBitsFromByteList(rows[i : i + 1], side).astype(bool) for i in range(len(rows))]
    return np.array(bits)
