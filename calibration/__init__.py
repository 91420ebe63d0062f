"""Cameras, table poses and printable boards."""

from calibration.camera import Camera, TableView
from calibration.errors import (
    BoardNotFound,
    CalibrationError,
    CameraFileError,
    CornersRejected,
    MarkersNotFound,
    PoorCoverage,
    PoseRejected,
)
from calibration.frame import FrameLayout, FrameMarker

__all__ = [
    "BoardNotFound",
    "CalibrationError",
    "Camera",
    "CameraFileError",
    "CornersRejected",
    "FrameLayout",
    "FrameMarker",
    "MarkersNotFound",
    "PoorCoverage",
    "PoseRejected",
    "TableView",
]
