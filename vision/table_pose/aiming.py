"""A small frame of a phone's viewfinder: which frame markers it shows, from how high, and how to aim better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from calibration import CalibrationError, FrameLayout
from calibration.markers import MarkerConfig, Markers, find_markers
from calibration.table import TablePoseConfig, solve_table
from vision.model.sentences import join_names

Array = npt.NDArray[np.float64]
Gray = npt.NDArray[np.uint8]

_COUNTS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
_WHERE = {"left": "on the left", "right": "on the right", "top": "at the top", "bottom": "at the bottom"}
_USUAL_FOCAL = 0.75  # in longer sides of the picture: 26 mm on a frame of 36 x 24 mm


@dataclass(frozen=True)
class AimConfig:
    """Reasons not to take the photo: seen from less than ``least_deg`` over the table's middle, or the table
    is in less than ``least_share`` of the picture. With ``enough`` markers that place the camera, others in the
    picture may be too small to be read in a frame: the photo is five times as sharp. Frames are searched at their
    own size; ``pose`` is looser about how exactly the table must be known, since nothing is measured."""

    least_deg: float = 35.0
    least_share: float = 0.15
    enough: int = 4
    markers: MarkerConfig = field(default_factory=lambda: MarkerConfig(coarse_px=(0,), sufficient=99))
    pose: TablePoseConfig = field(default_factory=lambda: TablePoseConfig(max_sigma_in=12.0))


@dataclass(frozen=True)
class Aim:
    """The aim of one frame. ``outlines`` are those of the markers ``seen``, in shares of the picture's width and height
    from its top left corner; ``elevation_deg`` is how high over the table's middle the camera stands (90: straight
    down), ``None`` if unknown; ``advice`` is one sentence, and ``good`` says that the photo can be taken as it is."""

    seen: tuple[int, ...]
    missing: tuple[int, ...]
    outlines: tuple[tuple[tuple[float, float], ...], ...]
    elevation_deg: float | None
    advice: str
    good: bool


def aim(
    gray: Gray,
    frame: FrameLayout,
    table: tuple[float, float],
    config: AimConfig | None = None,
    *,
    markers: Markers | None = None,
) -> Aim:
    """How a frame (h, w) of the viewfinder is aimed at a table of so many inches with frame ``markers``, which are
    looked for where they are not given.

    No lens is known: the pose is good for an advice to the hand and for nothing else.
    """
    config = config or AimConfig()
    size = gray.shape[1], gray.shape[0]
    if markers is None:
        markers = find_markers(gray, frame.dictionary, frame.ids, config=config.markers)
    markers = _each_once(markers)
    seen = tuple(int(i) for i in markers.ids)
    missing = tuple(i for i in frame.ids if i not in seen)
    outlines = tuple(tuple((float(x), float(y)) for x, y in (quad + 0.5) / size) for quad in markers.corners)
    try:
        view = solve_table(markers, frame, size, config=config.pose)
    except CalibrationError:
        view = None
    middle = np.array([table[0] / 2, table[1] / 2, 0.0])
    elevation = _elevation_by_any_lens(markers, frame, size, middle) if view is None else view.elevation_deg(middle)
    plane = _plane_of(markers, frame)
    told = (
        _out_of_picture(plane, len(markers), missing, frame, size)
        or _too_low(elevation, config.least_deg)
        or _too_far(plane, table, size, config.least_share)
        or _unread(missing, len(frame.ids), config.enough if view is not None else len(frame.ids))
    )
    good = f"Good: all {len(seen)} markers." if not missing else f"Good: {len(seen)} of {len(frame.ids)} markers."
    return Aim(seen, missing, outlines, elevation, told or good, not told)


def _each_once(markers: Markers) -> Markers:
    """The markers in the order of their ids, each as it was read most clearly."""
    best = np.lexsort((-markers.margin, markers.ids))
    return markers[best][np.unique(markers.ids[best], return_index=True)[1]]


def _plane_of(markers: Markers, frame: FrameLayout) -> Array | None:
    """The homography (3, 3) that takes the table's plane to the picture, positive where the markers are; ``None`` where
    none is seen."""
    if not len(markers):
        return None
    known = np.concatenate([frame.corners(int(i))[:, :2] for i in markers.ids])
    found = cv2.findHomography(known, markers.corners.reshape(-1, 2))[0]
    if found is None:
        return None
    plane = np.asarray(found, np.float64)
    return plane * np.sign(plane[2] @ [*known.mean(axis=0), 1.0])


def _out_of_picture(
    plane: Array | None, seen: int, missing: Sequence[int], frame: FrameLayout, size: tuple[int, int]
) -> str:
    """The sentence about markers that are not in the picture."""
    if not seen:
        return "No frame marker is seen: point the phone at the whole table."
    if plane is None:
        return ""
    sides = (_side_out(plane, frame.corners(marker)[:, :2], size) for marker in missing)
    out = [side for side in sides if side]
    if not out:
        return ""
    count, are = _COUNTS[min(len(out), 12)], "marker is" if len(out) == 1 else "markers are"
    if len(set(out)) == 1:
        return f"{count} {are} out of the picture, {_WHERE[out[0]]}."
    return f"{count} {are} out of the picture: step back, or go higher."


def _too_low(elevation: float | None, least_deg: float) -> str:
    if elevation is None or elevation >= least_deg:
        return ""
    return f"Hold the phone higher: {elevation:.0f}°, at least {least_deg:.0f}° reads best."


def _unread(missing: Sequence[int], of: int, enough: int) -> str:
    """The sentence about unread markers in the picture, if the others are not enough."""
    if not missing or of - len(missing) >= enough:
        return ""
    which = "Marker" if len(missing) == 1 else "Markers"
    return f"{which} {join_names(missing)} can't be read: is something in the way, or too far off?"


def _too_far(plane: Array | None, table: tuple[float, float], size: tuple[int, int], least: float) -> str:
    if plane is None:
        return ""
    corners = np.array([[0, 0, 1], [table[0], 0, 1], [table[0], table[1], 1], [0, table[1], 1]], np.float64) @ plane.T
    if np.any(corners[:, 2] <= 0):
        return ""  # a part of the table is beside or behind the camera
    pixels = np.clip(corners[:, :2] / corners[:, 2:], 0, size)
    share = float(cv2.contourArea(pixels.astype(np.float32))) / (size[0] * size[1])
    return "" if share >= least else f"Go nearer: the table fills {share:.0%} of the picture."


def _elevation_by_any_lens(markers: Markers, frame: FrameLayout, size: tuple[int, int], middle: Array) -> float | None:
    """About how high the camera stands, by two markers and a phone's usual lens; ``None`` if it can't be computed."""
    if len(markers) < 2:
        return None
    focal = _USUAL_FOCAL * max(size)
    lens = np.array([[focal, 0.0, (size[0] - 1) / 2], [0.0, focal, (size[1] - 1) / 2], [0.0, 0.0, 1.0]])
    places = np.concatenate([frame.corners(int(i)) for i in markers.ids])
    done, turn, shift = cv2.solvePnP(places, markers.corners.reshape(-1, 2), lens, None, flags=cv2.SOLVEPNP_IPPE)
    if not done:
        return None
    x, y, up = (-cv2.Rodrigues(turn)[0].T @ shift).ravel() - middle
    return float(np.degrees(np.arctan2(up, np.hypot(x, y))))


def _side_out(plane: Array, corners: Array, size: tuple[int, int]) -> str:
    """On which side a marker's corners (4, 2) on the table leave the picture; empty if they are in it."""
    there = np.column_stack([corners, np.ones(len(corners))]) @ plane.T
    if np.any(there[:, 2] <= 0):
        return "bottom"  # beside or behind the camera
    x, y = (there[:, :2] / there[:, 2:]).T
    over = {"left": -x.min(), "right": x.max() - size[0], "top": -y.min(), "bottom": y.max() - size[1]}
    side = max(over, key=lambda name: over[name])
    return side if over[side] > 0 else ""
