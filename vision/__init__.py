"""From a photo to an observation of the table."""

from vision.errors import PhotoError, VisionError
from vision.expected import BaseShape, Expected, ExpectedTerrain, ExpectedUnit
from vision.observation import BaseLabel, Observation, PhotoView

__all__ = [
    "BaseLabel",
    "BaseShape",
    "Expected",
    "ExpectedTerrain",
    "ExpectedUnit",
    "Observation",
    "PhotoError",
    "PhotoView",
    "VisionError",
]
