"""From a photo to an observation of the table."""

from vision.model.errors import PhotoError, VisionError
from vision.model.expected import BaseShape, Expected, ExpectedTerrain, ExpectedUnit
from vision.model.observation import BaseLabel, Observation, PhotoView

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
