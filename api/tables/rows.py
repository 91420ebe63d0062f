"""The rows that a table's events and its observation are made of, as JSON has them (contract, section 3). Inches and
degrees clockwise from +y; old events lack what is marked as not required."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from api.photos.cameras import CalibrationRow

Observation = Mapping[str, Any]
"""An observation as the contract has it: written by the reader of photos, and read by :mod:`tabletop.reconcile`."""


class BaseRow(TypedDict):
    """A base where a photo or a hand has it; its unique base has ``unique``, one that no unit owns no ``unit``."""

    id: str
    unit: str | None
    side: str | None
    kind: str | None
    unique: bool | None
    tag: int | None
    shape: Literal["rect", "round"]
    width: float
    depth: float
    center: Sequence[float]
    covariance: Sequence[Sequence[float]]
    facing: float | None
    facing_sigma: NotRequired[float | None]
    method: str
    confidence: float


class TerrainRow(TypedDict):
    """A piece of terrain: its outline, the height of its surface, the top of a hill, and how far off they may lie."""

    id: str
    kind: str
    polygon: Sequence[Sequence[float]]
    height: NotRequired[float | None]
    confidence: NotRequired[float]
    sigma: NotRequired[float]
    hill_top: NotRequired[Sequence[Sequence[float]] | None]


class MapRow(TypedDict):
    """A photo laid flat: pixels, and the corners of what it shows in inches."""

    size: Sequence[int]
    bounds: tuple[tuple[float, float], tuple[float, float]]


class AnnotatedRow(TypedDict):
    """A photo with what was found drawn in: pixels, and the part of the photo by its left, top, right, bottom edge."""

    size: Sequence[int]
    part: NotRequired[Sequence[int]]


class UprightRow(TypedDict):
    """A photo as it is: pixels."""

    size: Sequence[int]


class PhotoRow(TypedDict):
    """A photo that was read; ``by`` is the seat that took it, ``taken_in`` when the server got it."""

    sha256: str
    width: int
    height: int
    map: MapRow
    annotated: AnnotatedRow
    upright: NotRequired[UprightRow]
    observation: Observation
    by: NotRequired[str]
    taken_in: NotRequired[str]


class ReadRows(TypedDict, total=False):
    """What else a photo says and leaves open, as answers have settled it."""

    dice: list[dict[str, Any]]
    markers: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    settled: list[dict[str, Any]]
    roster: list[dict[str, Any]]


class CameraRow(TypedDict):
    """The camera chosen for a table's photos, by its id; nothing where none is."""

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
    """A measurement that somebody showed to all."""

    id: str
    at: str
    by: str
    measurement: dict[str, Any]
