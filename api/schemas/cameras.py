"""Schemas for calibrating a phone's camera. Pixels of the upright picture."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from api.schemas.games import CommandId
from api.schemas.tables import Model, Wish
from tabletop.equipment.camera_calibration import SoFar

CameraId = Annotated[str, Field(pattern="^[0-9a-f]{16}$", description="The camera's id")]


class CameraWish(Wish):
    """A camera to be calibrated: its name and the printed board (``letter`` or ``a4`` for the program's own).

    ``id`` is the device's own: repeating it returns the camera that it started.
    """

    id: CommandId
    name: Annotated[str, Field(min_length=1, max_length=80)]
    board: Annotated[str, Field(min_length=1, max_length=80)] = "letter"


class SolvedOut(Model):
    """A calibrated camera: focal length, how well the corners fit, and the error of a direction (1 sigma).
    Read off a :class:`~tabletop.equipment.camera_calibration.CalibratedCamera`, without the camera itself."""

    model_config = ConfigDict(from_attributes=True)

    width: int
    height: int
    pictures: int
    focal_px: float
    focal_sigma_px: float
    rms_px: float
    spread_middle_px: float
    spread_worst_px: float
    advice: list[str]
    says: str


class CameraOut(Model):
    """A camera that is or was being calibrated; ``mine``: this device may continue with it and delete it."""

    id: str
    name: str
    board: str
    created: str
    mine: bool
    most_pictures: int
    so_far: SoFar
    solved: SolvedOut | None


class BoardSeenOut(Model):
    """The result of a picture: whether it counts, how many corners, where they are (px) in the picture's size, or the
    sentence that says why not; and the camera now."""

    found: bool
    says: str
    corners: list[tuple[float, float]]
    width: int
    height: int
    camera: CameraOut


class CameraChoice(Wish):
    """The camera that a game's photos are taken with; null: none is known."""

    camera: CameraId | None


class ChosenOut(Model):
    """The camera that a game's photos are read with, if one was chosen."""

    camera: str | None
    name: str | None
