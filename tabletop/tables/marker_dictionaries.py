"""Marker dictionaries that a table file may name, and how many ids each has: plain data without OpenCV."""

from __future__ import annotations

DICTIONARIES: dict[str, int] = {
    "DICT_4X4_50": 50,
    "DICT_4X4_100": 100,
    "DICT_4X4_250": 250,
    "DICT_4X4_1000": 1000,
    "DICT_5X5_50": 50,
    "DICT_5X5_100": 100,
    "DICT_5X5_250": 250,
    "DICT_5X5_1000": 1000,
    "DICT_6X6_50": 50,
    "DICT_6X6_100": 100,
    "DICT_6X6_250": 250,
    "DICT_6X6_1000": 1000,
    "DICT_7X7_50": 50,
    "DICT_7X7_100": 100,
    "DICT_7X7_250": 250,
    "DICT_7X7_1000": 1000,
    "DICT_ARUCO_ORIGINAL": 1024,
    "DICT_ARUCO_MIP_36h12": 250,
    "DICT_APRILTAG_16h5": 30,
    "DICT_APRILTAG_25h9": 35,
    "DICT_APRILTAG_36h10": 2320,
    "DICT_APRILTAG_36h11": 587,
    "tag16h5": 30,
    "tag25h9": 35,
    "tag36h11": 587,
}
"""The last three are the AprilTag project's own pictures, which are OpenCV's turned by 180 degrees."""

LOOKS_TURNED = {("DICT_ARUCO_ORIGINAL", 1023)}
"""Markers that look the same after half a turn, so that their direction can't be read."""


def fault_of(dictionary: str, number: int) -> str:
    """Why a table can't use a dictionary's marker, to follow its name in a sentence; empty if it can.

    >>> fault_of("DICT_4X4_50", 49), fault_of("DICT_4X4_50", 50)
    ('', 'does not exist in DICT_4X4_50, which has ids 0 to 49.')
    """
    if number >= DICTIONARIES[dictionary]:
        return f"does not exist in {dictionary}, which has ids 0 to {DICTIONARIES[dictionary] - 1}."
    if (dictionary, number) in LOOKS_TURNED:
        return f"of {dictionary} looks the same after half a turn, so its direction can't be read: use another number."
    return ""


def canonical(name: str) -> str | None:
    """The dictionary's name as written above, whatever the case of its letters, ``None`` for an unknown one.

    >>> canonical("DICT_APRILTAG_36H11")
    'DICT_APRILTAG_36h11'
    """
    return next((known for known in DICTIONARIES if known.casefold() == name.casefold()), None)
