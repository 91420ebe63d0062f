"""The server's only interface to the program: reading a photo, judging a scene, the bundled demonstration.

Code that needs OpenCV is loaded when it is first called, never by importing :mod:`api`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypedDict

from tabletop.identity.observation_rows import Observation
from tabletop.referee.collection_files import CollectionFile
from tabletop.tables.model import Frame, TableFile

Progress = Callable[[str, float], None]
Known = Sequence[CollectionFile]
Point = tuple[float, float]


class NamedRow(TypedDict):
    """Corners that a player named in a photo, near-left, near-right, far-right, far-left, in shares of its width and
    height; of a rectangle of ``size_in`` (width, depth; ``None``: that side is not known), which is ``at`` a place on
    the table, or in its middle; without a size, of the whole table."""

    corners: Sequence[Sequence[float]]
    size_in: Sequence[float | None] | None
    at: Sequence[float] | None


PLACING = "solving camera and table"
"""The stage in which a photo is refused where the table can't be placed in it: naming its corners helps."""


@dataclass(frozen=True)
class PhotoToRead:
    """A photo's bytes, its name and its table. ``calibration`` has the ``camera`` that it is read with, a ``name`` and
    the phone's ``model``; a photo that it does not fit is read without it, and the observation says so. ``previous`` is
    the observation of the table's photo before, for the heights in it; ``known`` the files learned from the players'
    terrain and armies; ``named`` corners that a player named in it."""

    data: bytes
    name: str
    table: TableFile
    progress: Progress = lambda *_: None
    calibration: Mapping[str, Any] | None = None
    previous: Mapping[str, Any] | None = None
    known: Known = ()
    named: NamedRow | None = None


@dataclass(frozen=True)
class Reading:
    """A photo as read: its observation (contract, section 3) and the pictures to show, as JPEG bytes.

    ``map_bounds``: the table inches of the map's lower left and upper right corners. ``annotated_part``: which part of
    the upright photo the annotated picture shows (left, top, right, bottom), in the photo's pixels, of which it has
    ``width`` and ``height``; ``upright_jpeg`` shows it as it is, smaller, with nothing in the file but pixels.
    """

    observation: Observation
    sha256: str
    width: int
    height: int
    map_jpeg: bytes
    map_size: tuple[int, int]
    map_bounds: tuple[tuple[float, float], tuple[float, float]]
    annotated_jpeg: bytes
    annotated_size: tuple[int, int]
    annotated_part: tuple[int, int, int, int]
    upright_jpeg: bytes
    upright_size: tuple[int, int]


@dataclass(frozen=True)
class FoundSquares:
    """A board of squares found by its lines in a photo: the side of its squares, the centre of the near left one and
    how far its rows are turned, as :class:`geometry.square_layout.SquareLayout`; ``across``: as wide as the board is
    deep.

    ``kind`` is "chessboard" or "lines", ``sigma_in`` the largest standard deviation of any square's centre,
    ``residual_in`` the distance of the visible sides from it (root mean square), ``seen`` the share of all sides that
    are visible.
    """

    size_in: float
    origin: tuple[float, float]
    rotation_deg: float
    across: bool
    kind: str
    sigma_in: float
    residual_in: float
    seen: float


@dataclass(frozen=True)
class Looks:
    """Functions that look at pictures, for other processes: functions of modules, as those of :mod:`api.app.looks`.
    ``load`` prepares the sandboxed processes, which look at files from strangers."""

    load: Callable[[], Callable[[bytes], bytes]]
    aim: Callable[[bytes, Frame, tuple[float, float]], bytes]
    find_board: Callable[[bytes, str, str, int], bytes]
    find_squares: Callable[[bytes, Mapping[str, Any], tuple[float, float], tuple[int, int]], bytes]
    find_lines: Callable[[bytes, tuple[float, float]], bytes]
    check_corners: Callable[[NamedRow, tuple[float, float], tuple[int, int], float | None], bytes]
    outline_terrain: Callable[
        [bytes, Mapping[str, Any], tuple[float, float], Mapping[str, Any], Mapping[str, float]], bytes
    ]


class Engine(Protocol):
    """The services that the server needs."""

    looks: Looks

    def start(self) -> None:
        """Called when the server starts."""

    def load(self) -> None:
        """Load the code and nets that read photos, so that the first photo is read as fast as any other."""

    def close(self) -> None:
        """Called when the server ends: no process stays."""

    def read_photo(self, asked: PhotoToRead) -> Reading:
        """Observe a photo; raises VisionError, CalibrationError or DecodingError with the sentence to show."""

    def learn(self, upright_jpeg: bytes, sha256: str, table: TableFile, observation: Observation) -> bytes:
        """The collection file of a settled photo alone; see :func:`tabletop.referee.collecting.learn_picture`."""

    def demo(self) -> tuple[str, str, bytes, str]:
        """The bundled demonstration: the table file's text and name, the photo's bytes and name."""
