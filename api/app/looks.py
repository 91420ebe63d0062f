"""Image analysis in the processes that do heavy work: frames of a viewfinder, calibration boards, boards of
squares, photos with named corners.

Strangers' files are analysed where no file can be opened: :func:`load_looks` loads everything needed there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from api.engine import NamedRow
from api.photos.decoding import Picture, RefusedError, meet_every_kind
from api.processes.warm import Work
from api.processes.work_queue import work
from tabletop.equipment import camera_calibration
from tabletop.errors import OutlineError, UsageError
from tabletop.tables.model import Frame, Marker

if TYPE_CHECKING:
    from calibration import TableView
    from calibration.named_corners import NamedCorners
    from vision.imaging.photo import Photo

T = TypeVar("T")
MOST_PIXELS = 2_000_000
LEAST_SIDE_PX = 320
OTHERWISE = "Lay it by two taps, or photograph the whole board again from higher up."


def load_looks() -> Work:
    """The function for pieces of work, with everything loaded for frames, named corners and calibration boards: it
    warms up on a frame with a table, names its corners, and sees pictures of every kind and a board."""
    import cv2
    import numpy as np

    from calibration.dictionaries import APRILTAG_FAMILIES, turned_dictionary

    white = np.full((600, 800), 255, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    places = ((0, 100, 60), (1, 600, 60), (2, 600, 440), (3, 100, 440))
    for marker, x, y in places:
        white[y : y + 100, x : x + 100] = cv2.aruco.generateImageMarker(dictionary, marker, 100)
    frame, markers = _jpeg(white), tuple(Marker(n, ((x - 50) / 25, (590 - y) / 25), 0.0) for n, x, y in places)
    for name in ("DICT_4X4_50", *filter(None, map(turned_dictionary, APRILTAG_FAMILIES))):
        aim(frame, Frame(name, 4.0, markers), (26.0, 24.0))  # AprilTag's library is loaded where a marker is missing
    find_lines(frame, (26.0, 24.0))
    corners = ((0.1, 0.9), (0.9, 0.9), (0.8, 0.2), (0.2, 0.2))
    check_corners({"corners": corners, "size_in": None, "at": None}, (26.0, 24.0), (800, 600), 26.0)
    meet_every_kind(decode_photo, MOST_PIXELS)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard((7, 9), 1.0, 0.75, dictionary).generateImage((700, 900), marginSize=40)
    find_board(_jpeg(board), "a sample", "letter", MOST_PIXELS)
    return work


def _jpeg(image: Any) -> bytes:
    import cv2

    return bytes(cv2.imencode(".jpg", image)[1])


def aim(jpeg: bytes, frame: Frame, table: tuple[float, float]) -> bytes:
    """How a small frame of the viewfinder is aimed at a table (width, depth; inches) that has frame markers, as JSON of
    an :class:`api.schemas.aiming.AimOut` without ``expected``. Raises VisionError for no picture or a too large one,
    MemoryError."""
    from calibration import FrameLayout, FrameMarker
    from vision.table_pose import aiming

    markers = tuple(FrameMarker(one.id, one.center, one.rotation_deg) for one in frame.markers)
    layout = FrameLayout(frame.dictionary, frame.marker_size_in, markers)
    found = seen_in_small(jpeg, "The frame", lambda photo: aiming.aim(photo.gray, layout, table))
    keys = ("seen", "outlines", "elevation_deg", "advice", "good")
    return json.dumps({key: getattr(found, key) for key in keys}).encode()


def seen_in_small(jpeg: bytes, name: str, see: Callable[[Photo], T]) -> T:
    """The result of ``see`` on a small picture; raises VisionError for no picture or a too large one, MemoryError."""
    import cv2

    from vision.imaging.photo import PhotoLimits, open_photo

    limits = PhotoLimits(max_pixels=MOST_PIXELS, min_long_side_px=LEAST_SIDE_PX)
    try:
        return see(open_photo(jpeg, name=name, limits=limits))
    except cv2.error as error:
        raise _lack_of_memory(error) from error


def named_corners(named: NamedRow, size: tuple[int, int]) -> NamedCorners:
    """Corners as a player named them, in pixels of the upright photo."""
    from calibration.known_rectangles import KnownRectangle
    from calibration.named_corners import NamedCorners

    (width, height), size_in, at = size, named["size_in"], named["at"]
    pixels = tuple((x * width - 0.5, y * height - 0.5) for x, y in named["corners"])
    if size_in is None:
        return NamedCorners(pixels)
    return NamedCorners(pixels, KnownRectangle((size_in[0], size_in[1]), None if at is None else (at[0], at[1])))


def find_lines(jpeg: bytes, table: tuple[float, float]) -> bytes:
    """Help for naming corners, from a small copy of a photo of a table (width, depth; inches), as JSON: ``lines``,
    ``guess`` and ``sizes`` of an :class:`api.schemas.naming.NamingOut`. Raises VisionError for no picture or a too
    large one, MemoryError."""
    from calibration.known_rectangles import LISTED
    from vision.table_pose.naming import naming_aid

    photo, aid = seen_in_small(jpeg, "The photo", lambda photo: (photo, naming_aid(photo, table)))
    found = {
        "lines": _shares(aid.lines, photo.size),
        "guess": None if aid.guess is None else _shares(aid.guess, photo.size),
        "sizes": [{"name": name, "size_in": one.size_in, "sheet": one.sheet} for name, one in LISTED.items()],
    }
    return json.dumps(found).encode()


def check_corners(
    named: NamedRow, table: tuple[float, float], size: tuple[int, int], focal_35mm: float | None
) -> bytes:
    """The quality of corners that were named in a photo of ``size`` in pixels, as JSON of an
    :class:`api.schemas.naming.CheckOut`; where they place no table, it says why."""
    import numpy as np

    from calibration.named_corners import check_naming

    found = check_naming(named_corners(named, size), table, size, focal_35mm)
    outline = np.nan_to_num(found.outline, nan=0.0, posinf=0.0, neginf=0.0)
    told = {
        "refused": found.refused,
        "middle_in": found.middle_in,
        "worst_in": found.worst_in,
        "outline": _shares(outline, size),
        "says": " ".join(found.warnings),
    }
    return json.dumps(told).encode()


def _shares(pixels: Any, size: tuple[int, int]) -> Any:
    return ((pixels + 0.5) / size).round(5).tolist()


def find_board(data: bytes, name: str, board: str, max_pixels: int) -> bytes:
    """The corners of a calibration board in a picture, as JSON: the ``row`` of :func:`camera_calibration.find` with the
    phone's ``model``, or the sentence ``says`` where the picture does not count. Raises VisionError for another file,
    MemoryError."""
    import cv2

    from vision.imaging.photo import PhotoLimits, open_photo

    try:
        photo = open_photo(data, name=name, limits=PhotoLimits(max_pixels=max_pixels))
        # a picture without any EXIF may have been turned by some program: its orientation is not known then
        known = any((photo.focal_35mm, photo.model, photo.taken)) or photo.orientation != 1
        found = camera_calibration.find(photo.gray, photo.orientation if known else None, board, name)
    except camera_calibration.NoBoardError as error:
        return json.dumps({"row": None, "says": error.problem}).encode()
    except cv2.error as error:
        raise _lack_of_memory(error) from error
    return json.dumps({"row": {**found, "model": photo.model}, "says": ""}).encode()


def find_squares(
    upright_jpeg: bytes, view: Mapping[str, Any], table: tuple[float, float], board: tuple[int, int]
) -> bytes:
    """The board of so many columns and rows on a table (width, depth; inches), by its lines in a photo that the server
    keeps, as JSON of an :class:`api.engine.FoundSquares`. ``view`` is the photo's row of its observation (contract,
    section 3). Raises UsageError with the reason where no board is found, MemoryError."""
    import cv2

    from geometry.squares import SquareBoard
    from tabletop.grids.cells import square_cells
    from tabletop.grids.placement import BoardPlacement
    from vision.grids.detection import find_grid
    from vision.model.errors import GridError

    columns, rows = board
    try:
        image, lens = _upright(upright_jpeg, view)
        first = ""
        for across in (False, True)[: 1 if columns == rows else 2]:
            sought = SquareBoard(rows, columns) if across else SquareBoard(columns, rows)
            try:
                found = find_grid(image, lens, table, sought)
            except GridError as error:
                first = first or str(error).partition(". ")[0]
                continue
            placement = BoardPlacement(square_cells(sought), found.layout, found.covariance)
            told = {
                "size_in": found.layout.size_in,
                "origin": found.layout.origin,
                "rotation_deg": found.layout.rotation_deg,
                "across": across,
                "kind": found.kind,
                "sigma_in": placement.sigma_in,
                "residual_in": found.residual_in,
                "seen": found.found,
            }
            return json.dumps(told).encode()
    except cv2.error as error:
        raise _lack_of_memory(error) from error
    raise UsageError(f"{first}. {OTHERWISE}")


def outline_terrain(
    upright_jpeg: bytes,
    view: Mapping[str, Any],
    table: tuple[float, float],
    line: Mapping[str, Any],
    margin: Mapping[str, float],
) -> bytes:
    """The foot of a piece of terrain by a line that a player drew on a photo that the server keeps, as JSON of an
    :class:`api.schemas.drawn_terrain.OutlineOut` with the ``margin`` that the line's corrections show (null: none).

    ``view`` as of :func:`find_squares`, ``table`` its width and depth in inches, ``line`` the fields of a
    :class:`api.schemas.drawn_terrain.LineWish`, ``margin`` the players'. Raises MemoryError.
    """
    import cv2
    import numpy as np

    from tabletop.open_table.terrain import MOST_SIGMA_IN
    from tabletop.open_table.terrain_proposals import kept_outline
    from tabletop.tables import drawn_terrain
    from vision.model.drawing_margin import margin_from_json
    from vision.terrain.finger_outlines import foot_outline
    from vision.terrain.pieces import TerrainError
    from vision.terrain.taps import DrawnLine, Fix

    def places(shares: Any) -> tuple[tuple[float, float], ...]:
        return tuple((float(x * size[0] - 0.5), float(y * size[1] - 0.5)) for x, y in shares)

    try:
        image, lens = _upright(upright_jpeg, view)
        size = image.shape[1], image.shape[0]
        drawn = DrawnLine(
            line["kind"],
            places(line["points"]),
            in_pixels=True,
            width_in=line["wide"],
            height_in=line["high"],
            is_rectangle=line["box"],
            all_visible=line["visible"],
            fixes=tuple(Fix(places([one["at"]])[0], one["inside"]) for one in line["fixes"]),
            redrawn=tuple(map(places, line["redrawn"])),
            named="This line",
        )
        foot = foot_outline(drawn, table, lens, image, margin_from_json(margin))
        ring = kept_outline(foot.outline, table)
        drawn_terrain.outline(ring, *table, what="This outline")
    except (TerrainError, OutlineError) as error:
        nothing = {"on_photo": [], "outline": [], "sigma_in": 0.0, "margin": None}
        return json.dumps({"refused": getattr(error, "problem", str(error)), **nothing}).encode()
    except cv2.error as error:
        raise _lack_of_memory(error) from error
    corners = np.array(ring)
    told = {
        "refused": "",
        "on_photo": _shares(lens.pixel_from_table(np.column_stack([corners, np.zeros(len(corners))])), size),
        "outline": ring,
        "sigma_in": round(min(foot.sigma_in, MOST_SIGMA_IN), 3),
        "margin": foot.margin,
    }
    return json.dumps(told).encode()


def _upright(jpeg: bytes, view: Mapping[str, Any]) -> tuple[Any, TableView]:
    """A picture of an upright photo that the server keeps, BGR, and the camera of its row (contract, section 3) at
    that size."""
    import cv2
    import numpy as np

    from calibration import Camera, TableView

    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    full = Camera(np.array(view["K"]), np.array(view["dist"]), (int(view["width"]), int(view["height"])))
    camera = full.scaled_to((image.shape[1], image.shape[0]))
    return image, TableView(camera, np.array(view["R"], np.float64), np.array(view["t"], np.float64))


def decode_photo(data: bytes, name: str, max_pixels: int) -> Picture:
    """Decode a photo, in the process for that; raises RefusedError with the sentence of the photo's refusal."""
    import cv2

    from api.errors import problem_of
    from vision.imaging.photo import PhotoLimits, open_photo
    from vision.model.errors import PhotoError

    try:
        photo = open_photo(data, name=name, limits=PhotoLimits(max_pixels=max_pixels))
    except PhotoError as error:
        raise RefusedError(problem_of(error)) from error
    except cv2.error as error:
        raise _lack_of_memory(error) from error
    return Picture(photo.image, photo.focal_35mm, photo.model, photo.taken, photo.orientation)


def _lack_of_memory(error: Any) -> Exception:
    """An error of OpenCV's, as MemoryError if memory was lacking."""
    import cv2

    return MemoryError(str(error)) if error.code == cv2.Error.StsNoMem else error
