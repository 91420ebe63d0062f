"""Calibration picture by picture: the corners of each are kept, and after each the missing views are listed.

Corners travel as JSON. Loads :mod:`calibration` when called, and nothing of it when imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from tabletop.errors import TabletopError, UsageError
from tabletop.words import or_list

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from calibration.boards import Board
    from calibration.camera import Camera
    from calibration.charuco import SeenBoard

MOST_SQUARES = 400
"""Squares of a board that is searched for in single pictures."""
ADVISED_PICTURES = 10
SIDES = ("right", "lower", "left", "upper")
"""The sides of the picture that the board's nearer side can point to, in the order of their angles."""
_SPREAD_PLACES = (0.0, 0.5, 1.0)


class NoBoardError(TabletopError):
    """The board was not found well enough in a picture; the sentence says why and what to do."""


@dataclass(frozen=True)
class Tilt:
    """One of four ways to lean the board: the ``side`` in the picture that is nearer to the phone, and whether it was
    seen."""

    side: str
    done: bool


@dataclass(frozen=True)
class SoFar:
    """Progress of a calibration: ``pictures`` that count, ``cells`` (rows by columns) of corners in each part of
    the upright picture and the ``share`` of parts that have any, the ``tilts``, whether it is ``ready`` to be solved,
    and sentences on what is ``missing`` for that and what would improve it (``advice``)."""

    pictures: int
    cells: tuple[tuple[int, ...], ...]
    share: float
    tilts: tuple[Tilt, ...]
    ready: bool
    missing: tuple[str, ...]
    advice: tuple[str, ...]


class PictureRow(TypedDict):
    """The board's corners in an upright picture, as stored: ``ids`` and positions (px) with their sigmas;
    ``orientation`` is the picture's EXIF value, ``None`` where unknown, ``model`` the phone's, ``sha`` the file's."""

    name: str
    size: list[int]
    orientation: int | None
    ids: list[int]
    pixels: list[list[float]]
    sigma: list[float]
    blur: float
    legacy: bool
    model: NotRequired[str | None]
    sha: NotRequired[str]


@dataclass(frozen=True)
class CalibratedCamera:
    """A calibrated camera: its JSON, the focal length and its sigma in pixels, the root mean square error of the
    corners (px), the error of a direction in the picture's middle and at worst (one standard deviation, px), and
    sentences on what would improve it and why pictures were left out."""

    camera: Mapping[str, Any]
    size: tuple[int, int]
    pictures: int
    focal_px: float
    focal_sigma_px: float
    rms_px: float
    spread_middle_px: float
    spread_worst_px: float
    advice: tuple[str, ...]

    @property
    def width(self) -> int:
        """Of the picture, px."""
        return self.size[0]

    @property
    def height(self) -> int:
        """Of the picture, px."""
        return self.size[1]

    @property
    def says(self) -> str:
        """A sentence on its accuracy."""
        return (
            f"Focal length {self.focal_px:.1f} ± {self.focal_sigma_px:.1f} px; the corners fit to {self.rms_px:.2f} "
            f"px; directions are known to {self.spread_worst_px:.2f} px at worst."
        )


def checked_board(text: str) -> str:
    """A board's line of text in its stored form; raises BoardError, and UsageError for too many squares.

    >>> checked_board("letter")
    '7x9:1in:0.75in:DICT_5X5_100'
    """
    return _board(text).to_text()


def find(gray: npt.NDArray[np.uint8], orientation: int | None, board: str, name: str) -> PictureRow:
    """The board's corners in a grey upright picture (h, w), as JSON; raises NoBoardError with the reason.

    ``orientation`` is the EXIF value that the picture had, ``None`` where unknown.
    """
    from calibration.charuco import BoardPicture, see_board
    from calibration.errors import BoardNotFound

    try:
        seen = see_board(BoardPicture(name, gray, orientation), _board(board))
    except BoardNotFound as error:
        raise NoBoardError(f"This picture does not count: {error}.") from error
    corners = seen.corners
    return {
        "name": name,
        "size": list(seen.size),
        "orientation": orientation,
        "ids": corners.ids.tolist(),
        "pixels": corners.pixels.round(4).tolist(),
        "sigma": [float(f"{value:.4g}") for value in corners.sigma_px],
        "blur": round(corners.blur_px, 4),
        "legacy": corners.legacy,
    }


def so_far(pictures: Sequence[PictureRow], board: str) -> SoFar:
    """The progress with pictures that :func:`find` returned, possibly none."""
    from calibration.charuco import measure_progress
    from calibration.coverage import CoverageConfig

    limits = CoverageConfig()
    columns, rows = limits.cells
    if not pictures:
        empty = tuple((0,) * columns for _ in range(rows))
        start = (f"Take at least {limits.least_pictures} pictures of the board, better {ADVISED_PICTURES}.",)
        return SoFar(0, empty, 0.0, tuple(Tilt(side, False) for side in SIDES), False, start, ())
    found = measure_progress([_seen_board(one) for one in pictures], _board(board))
    coverage = found.coverage
    leaning = coverage.tilt_deg >= limits.least_tilt_deg
    quarters = {int(quarter) for quarter in ((found.nearer_deg[leaning] + 45) // 90) % 4}
    tilts = tuple(Tilt(side, n in quarters) for n, side in enumerate(SIDES))
    advice = list(coverage.advice)
    left = [tilt.side for tilt in tilts if not tilt.done]
    if left:
        advice.append(f"Lean the board with its {or_list(left)} side nearer to the phone, by 20 to 45 degrees.")
    if len(found.used) < ADVISED_PICTURES:
        advice.append(f"{len(found.used)} pictures count so far; {ADVISED_PICTURES} make a good calibration.")
    return SoFar(
        len(found.used),
        tuple(tuple(int(count) for count in row) for row in coverage.counts),
        coverage.share,
        tilts,
        not coverage.faults,
        coverage.faults,
        tuple(advice),
    )


def solve(pictures: Sequence[PictureRow], board: str) -> CalibratedCamera:
    """Calibrate a camera from pictures; raises BoardNotFound for none, PoorCoverage with what is missing."""
    from calibration.charuco import calibrate_seen

    result = calibrate_seen([_seen_board(one) for one in pictures], _board(board))
    camera, used = result.camera, [picture for picture in result.pictures if picture.used]
    middle, worst = _spread_px(camera)
    left_out = [f"{p.name} was left out: {p.reason}." for p in result.pictures if not p.used]
    more = len(used) < ADVISED_PICTURES
    few = [f"{len(used)} pictures count; {ADVISED_PICTURES} or more give a better result."] if more else []
    return CalibratedCamera(
        {**camera.to_json(), "board": board},
        camera.size,
        len(used),
        float(camera.K[0, 0]),
        float(camera.covariance[0, 0]) ** 0.5,
        camera.rms_px,
        middle,
        worst,
        (*result.coverage.advice, *few, *left_out),
    )


def _spread_px(camera: Camera) -> tuple[float, float]:
    """The error of a direction: in the middle, and the worst of the middle, the corners and the edges."""
    import numpy as np

    from calibration.projection import project_with_jacobian

    width, height = camera.size
    places = np.array([[u * (width - 1), v * (height - 1)] for v in _SPREAD_PLACES for u in _SPREAD_PLACES])
    rays = np.column_stack([camera.undistort(places), np.ones(len(places))])
    _, _, by_camera = project_with_jacobian(rays, camera.parameters)
    spreads = np.linalg.eigvalsh(by_camera @ camera.covariance @ by_camera.transpose(0, 2, 1)).max(axis=1)
    sigmas = np.sqrt(np.maximum(spreads, 0.0))
    return float(sigmas[len(sigmas) // 2]), float(sigmas.max())


def _board(text: str) -> Board:
    from calibration.boards import Board

    board = Board.parse(text)
    if board.columns * board.rows > MOST_SQUARES:
        raise UsageError(
            f"A board of {board.columns} x {board.rows} squares is too fine for a phone: use at most {MOST_SQUARES}."
        )
    return board


def _seen_board(kept: PictureRow) -> SeenBoard:
    import numpy as np

    from calibration.board_corners import BoardCorners
    from calibration.charuco import SeenBoard

    corners = BoardCorners(
        np.array(kept["ids"], dtype=np.int64),
        np.array(kept["pixels"], dtype=np.float64),
        np.array(kept["sigma"], dtype=np.float64),
        kept["blur"],
        kept["legacy"],
    )
    return SeenBoard(kept["name"], (kept["size"][0], kept["size"][1]), corners, kept["orientation"])
