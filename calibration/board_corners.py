"""The inner corners of a calibration board in one picture."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from calibration.boards import Board
from calibration.dictionaries import marker_dictionary
from calibration.errors import BoardNotFound
from calibration.saddles import SaddleConfig, refine_saddles

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Gray = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class BoardSearchConfig:
    """How a board is found. ``copy_px``: longer sides of the copies that are searched for markers, 0 the picture
    itself; ``least_marker_px``: shortest marker side; ``stray_squares``: how far a marker may be from the plane that
    the others span; ``neighbours``: markers that say where a corner is expected; ``far_squares``: how far away the
    nearest of them may be; ``least_markers`` and ``agreeing_share`` of those read must be placed as on the
    board; ``least_corners``: fewer can't be used for calibration.
    """

    copy_px: tuple[int, ...] = (800, 1600, 0)
    least_marker_px: float = 10.0
    stray_squares: float = 0.3
    neighbours: int = 4
    far_squares: float = 0.9
    least_markers: int = 2
    agreeing_share: float = 0.5
    least_corners: int = 8
    chessboard_copy_px: int = 1600
    saddles: SaddleConfig = field(default_factory=SaddleConfig)


@dataclass(frozen=True, eq=False)
class BoardCorners:
    """Inner corners seen: ``ids`` (n,) rows of ``Board.corners``, ``pixels`` (n, 2), ``sigma_px`` (n,) of a coordinate,
    ``blur_px`` the median blur of the edges, ``legacy`` which of the two ChArUco layouts the board has."""

    ids: IntArray
    pixels: Array
    sigma_px: Array
    blur_px: float
    legacy: bool = False

    def __len__(self) -> int:
        return len(self.ids)


def find_board(gray: Gray, board: Board, config: BoardSearchConfig | None = None) -> BoardCorners:
    """The board's inner corners in a grey picture (h, w) uint8; raises BoardNotFound with the reason."""
    config = config or BoardSearchConfig()
    if gray.ndim != 2 or gray.dtype != np.uint8:
        raise ValueError(f"find_board needs a grey uint8 picture (h, w), got {gray.dtype} of shape {gray.shape}.")
    found = _charuco(gray, board, config) if board.dictionary else _chessboard(gray, board, config)
    spread = np.ptp(board.corners[found.ids], axis=0) if len(found) else np.zeros(2)
    if len(found) < config.least_corners or spread.min() < 0.9 * board.square_in:
        raise BoardNotFound(
            f"only {len(found)} of the board's {len(board.corners)} corners seen; {config.least_corners} in two "
            "rows or more are needed: get closer, in better light and in focus"
        )
    return found


def _charuco(gray: Gray, board: Board, config: BoardSearchConfig) -> BoardCorners:
    ids, corners = _markers(gray, board, config)
    if not len(ids):
        raise BoardNotFound("no marker of the board was read: is this the right board, in focus and in view?")
    layouts = [board.legacy] if board.legacy is not None else [False, True] if board.rows % 2 == 0 else [False]
    fits = [
        (legacy, _on_one_plane(ids, corners, board.marker_corners(legacy=bool(legacy)), board, config))
        for legacy in layouts
    ]
    legacy, fitting = max(fits, key=lambda fit: fit[1].sum())
    if fitting.sum() < max(config.least_markers, config.agreeing_share * len(ids)):
        raise BoardNotFound(
            f"{len(ids)} markers of {board.dictionary} were read, but they do not lie as on the stated board: check "
            "the board's columns, rows and marker size"
        )
    laid = board.marker_corners(legacy=bool(legacy))[ids[fitting]]
    places, along, down = _predict_corners(board, laid, corners[fitting], config)
    kept = np.flatnonzero(np.isfinite(places).all(axis=1))
    white = board.quadrant_white(legacy=bool(legacy))[kept]
    clear = (1 - board.marker_in / board.square_in) / 2
    saddles = refine_saddles(gray, places[kept], along[kept], down[kept], white, clear, config.saddles)
    good = saddles.good
    blur = float(np.median(saddles.blur_px[good])) if good.any() else 0.0
    return BoardCorners(kept[good], saddles.pixels[good], saddles.sigma_px[good], blur, bool(legacy))


def _markers(gray: Gray, board: Board, config: BoardSearchConfig) -> tuple[IntArray, Array]:
    """Ids (m,) and corners (m, 4, 2) px of the board's markers, each once, best seen on the largest copy."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    longest, best = max(gray.shape), {}
    scales = sorted({1.0 if size == 0 or size >= longest else size / longest for size in config.copy_px})
    for scale in scales:
        copy = gray if scale == 1.0 else cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        parameters.minMarkerPerimeterRate = 4 * config.least_marker_px / max(copy.shape)
        detector = cv2.aruco.ArucoDetector(marker_dictionary(str(board.dictionary)), parameters)
        corners, ids, _ = detector.detectMarkers(copy)
        if ids is None:
            continue
        count = len(board.marker_squares(legacy=False))
        seen = np.ravel(ids)
        once = {int(i) for i, times in zip(*np.unique(seen, return_counts=True), strict=True) if times == 1}
        for i, quad in zip(seen, corners, strict=True):
            if int(i) in once and i < count:
                best[int(i)] = (np.reshape(quad, (4, 2)).astype(np.float64) + 0.5) / scale - 0.5
    ids_found = np.array(sorted(best), dtype=np.int64)
    return ids_found, np.array([best[int(i)] for i in ids_found]).reshape(-1, 4, 2)


def _on_one_plane(
    ids: IntArray, corners: Array, laid: Array, board: Board, config: BoardSearchConfig
) -> npt.NDArray[np.bool_]:
    """Which markers (m,) are where the others predict, up to lens distortion."""
    inside = ids < len(laid)
    fitting = np.zeros(len(ids), dtype=bool)
    if not inside.any():
        return fitting
    source = corners[inside].reshape(-1, 2).astype(np.float32)
    target = laid[ids[inside]].reshape(-1, 2).astype(np.float32)
    allowed = config.stray_squares * board.square_in
    matrix, _ = cv2.findHomography(source, target, cv2.RANSAC, allowed, maxIters=2000)
    if matrix is None:
        return fitting
    mapped = cv2.perspectiveTransform(source[:, None], matrix)[:, 0]
    stray = np.linalg.norm(mapped - target, axis=1).reshape(-1, 4).max(axis=1)
    fitting[np.flatnonzero(inside)[stray <= allowed]] = True
    return fitting


def _predict_corners(board: Board, laid: Array, seen: Array, config: BoardSearchConfig) -> tuple[Array, Array, Array]:
    """Where the inner corners should be (n, 2) px, NaN where no marker is near, and the spans (n, 2) px of a square
    along the row and down the column there, from the nearest markers."""
    corners = board.corners
    places = np.full((len(corners), 2), np.nan)
    along, down = places.copy(), places.copy()
    distance = np.linalg.norm(corners[:, None] - laid.mean(axis=1)[None], axis=2)
    for k, corner in enumerate(corners):
        near = np.argsort(distance[k])[: config.neighbours]
        if distance[k, near[0]] > config.far_squares * board.square_in:
            continue
        near = near[distance[k, near] <= 2.5 * board.square_in]
        matrix, _ = cv2.findHomography(laid[near].reshape(-1, 2), seen[near].reshape(-1, 2))
        if matrix is None:
            continue
        step = board.square_in / 4
        probe = corner + step * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
        mapped = cv2.perspectiveTransform(probe[:, None], matrix)[:, 0]
        places[k], along[k], down[k] = mapped[0], 2 * (mapped[1] - mapped[2]), 2 * (mapped[3] - mapped[4])
    return places, along, down


def _chessboard(gray: Gray, board: Board, config: BoardSearchConfig) -> BoardCorners:
    nx, ny = board.inner_corners
    scale = min(1.0, config.chessboard_copy_px / max(gray.shape))
    copy = gray if scale == 1.0 else cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    flags = cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_EXHAUSTIVE
    found, corners = cv2.findChessboardCornersSB(copy, (nx, ny), flags=flags)
    if not found:
        raise BoardNotFound(
            f"no chessboard of {board.columns} x {board.rows} squares was found: the whole of it must be in view, with "
            "a white margin"
        )
    grid = (np.reshape(corners, (ny, nx, 2)).astype(np.float64) + 0.5) / scale - 0.5
    along, down = np.gradient(grid, axis=1), np.gradient(grid, axis=0)
    if np.linalg.det(np.stack([along[ny // 2, nx // 2], down[ny // 2, nx // 2]], axis=1)) < 0:
        grid, along, down = grid[:, ::-1], -along[:, ::-1], down[:, ::-1]
    flat = [part.reshape(-1, 2) for part in (grid, along, down)]
    lower_right = flat[0] + 0.25 * (flat[1] + flat[2])
    upper_right = flat[0] + 0.25 * (flat[1] - flat[2])
    white = _grey_at(gray, lower_right) > _grey_at(gray, upper_right)
    saddles = refine_saddles(gray, flat[0], flat[1], flat[2], white, 1.0, config.saddles)
    good = saddles.good
    blur = float(np.median(saddles.blur_px[good])) if good.any() else 0.0
    return BoardCorners(np.flatnonzero(good), saddles.pixels[good], saddles.sigma_px[good], blur)


def _grey_at(gray: Gray, pixels: Array) -> Array:
    places = np.rint(pixels).astype(np.int64)
    h, w = gray.shape
    return gray[np.clip(places[:, 1], 0, h - 1), np.clip(places[:, 0], 0, w - 1)].astype(np.float64)
