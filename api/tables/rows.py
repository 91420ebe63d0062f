"""The rows of a table's events, as in JSON, besides those of its observation
(:mod:`tabletop.identity.observation_rows`). Inches and degrees clockwise from +y; old events lack fields that are
marked as not required."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict

from api.photos.cameras import CalibrationRow
from tabletop.identity.observation_rows import (
    DieRow,
    MarkerRow,
    Observation,
    PlaceRow,
    QuestionRow,
    RaisedRow,
    RosterRow,
    SettledRow,
    TerrainRow,
)


class MapRow(TypedDict):
    """A rectified photo: pixels, and the corners of its area in inches."""

    size: Sequence[int]
    bounds: tuple[tuple[float, float], tuple[float, float]]


class AnnotatedRow(TypedDict):
    """A photo with its bases drawn in: pixels, and the part of the photo by its left, top, right, bottom edge."""

    size: Sequence[int]
    part: NotRequired[Sequence[int]]


class UprightRow(TypedDict):
    """A plain photo: pixels."""

    size: Sequence[int]


class PhotoRow(TypedDict):
    """A photo that was read; ``by`` is the seat that took it, ``taken_in`` when the server got it, and
    ``game_seq`` the last event of the table's game at that moment."""

    sha256: str
    width: int
    height: int
    map: MapRow
    annotated: AnnotatedRow
    upright: NotRequired[UprightRow]
    observation: Observation
    by: NotRequired[str]
    taken_in: NotRequired[str]
    game_seq: NotRequired[int]


class ReadRows(TypedDict, total=False):
    """Further contents and questions of a photo, with the answers so far."""

    dice: list[DieRow]
    markers: list[MarkerRow]
    questions: list[QuestionRow]
    further_questions: list[QuestionRow]
    possible_terrain: list[TerrainRow]
    settled: list[SettledRow]
    roster: list[RosterRow]
    bare: list[PlaceRow]
    unseen: list[PlaceRow]
    raised: list[RaisedRow]


class CameraRow(TypedDict):
    """The camera chosen for a table's photos, by its id; empty without one."""

    camera: str | None
    calibration: CalibrationRow | None


class OverlayRow(TypedDict):
    """A board's grid on its table; ``terrain`` where the table's is the board's own."""

    grid: Literal["hex", "square"]
    size: float
    origin: Sequence[float]
    rotation: float
    terrain: NotRequired[list[TerrainRow]]


class SharedRow(TypedDict):
    """A measurement that a player showed to all."""

    id: str
    at: str
    by: str
    measurement: dict[str, Any]
