"""Camera calibration from pictures of a printed board (ChArUco or plain chessboard)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from calibration.board_corners import BoardCorners, BoardSearchConfig, find_board
from calibration.boards import Board
from calibration.bundle import CAMERA, BoardView, Bundle, BundleConfig, solve_bundle
from calibration.camera import Camera
from calibration.coverage import Coverage, CoverageConfig, judge_coverage, tilts_deg
from calibration.errors import BoardNotFound, PoorCoverage

Array = npt.NDArray[np.float64]
Gray = npt.NDArray[np.uint8]

_QUARTERS = {1: 0, 6: 1, 3: 2, 8: 3}  # EXIF orientation: quarter turns clockwise that make the stored picture upright


@dataclass(frozen=True)
class CalibrationConfig:
    """``stray_factor``: a picture is left out if its corners fit this many times worse than the usual picture's, and
    worse than ``stray_floor_px``."""

    stray_factor: float = 4.0
    stray_floor_px: float = 0.5
    search: BoardSearchConfig = field(default_factory=BoardSearchConfig)
    bundle: BundleConfig = field(default_factory=BundleConfig)
    coverage: CoverageConfig = field(default_factory=CoverageConfig)


@dataclass(frozen=True, eq=False)
class BoardPicture:
    """A decoded picture: ``gray`` (h, w) uint8 and upright; ``orientation`` is the EXIF value (1, 3, 6 or 8) that
    the stored picture had, so that portrait and landscape pictures of one phone can be joined; ``None``
    where unknown."""

    name: str
    gray: Gray
    orientation: int | None = None


@dataclass(frozen=True, eq=False)
class SeenBoard:
    """What is kept of a picture: the board's ``corners`` in it, its ``size`` (width, height), and its ``name`` and
    ``orientation`` as in :class:`BoardPicture`."""

    name: str
    size: tuple[int, int]
    corners: BoardCorners
    orientation: int | None = None


@dataclass(frozen=True)
class PictureReport:
    """The result of one picture: ``used``, its ``corners``, ``rms_px`` (2D distance), ``tilt_deg`` of the board, else
    the ``reason`` why it was left out."""

    name: str
    used: bool
    corners: int = 0
    rms_px: float = 0.0
    tilt_deg: float = 0.0
    reason: str = ""


@dataclass(frozen=True, eq=False)
class CalibrationResult:
    """The ``camera``, the ``board`` as stated, its estimated ``shape`` (5,) with ``shape_sigma`` (5,) (see
    ``calibration.bundle``), every picture's report, the ``coverage``, the solution's ``overdispersion``."""

    camera: Camera
    board: Board
    shape: Array
    shape_sigma: Array
    pictures: tuple[PictureReport, ...]
    coverage: Coverage
    overdispersion: float

    @property
    def summary(self) -> str:
        """The result for people, several lines."""
        return _summary(self)


def calibrate(
    pictures: Iterable[BoardPicture | tuple[str, Gray]], board: Board, config: CalibrationConfig | None = None
) -> CalibrationResult:
    """Calibrate a camera from pictures of a board, each decoded upright and of one phone, lens and zoom.

    Pictures without a usable board are left out with the reason. Raises BoardNotFound where no picture shows the board
    and PoorCoverage where they show too little, each with the next step. The camera is for the upright orientation
    that most pictures have; ``Camera.rotate_quarters`` turns it for the others.
    """
    config = config or CalibrationConfig()
    seen, reports, order = _find_boards(pictures, board, config)
    if not seen:
        reasons = "; ".join(f"{r.name}: {r.reason}" for r in list(reports.values())[:3])
        raise BoardNotFound(f"The board was found in none of {len(order)} pictures ({reasons}).")
    return _calibrate_views([_board_sight(one, board) for one in seen], reports, order, board, config)


def calibrate_seen(
    pictures: Sequence[SeenBoard], board: Board, config: CalibrationConfig | None = None
) -> CalibrationResult:
    """The same from corners that were found before; raises BoardNotFound for no pictures, PoorCoverage."""
    config = config or CalibrationConfig()
    if not pictures:
        raise BoardNotFound("There is no picture of the board yet: take ten, each from another side.")
    order = [picture.name for picture in pictures]
    return _calibrate_views([_board_sight(one, board) for one in pictures], {}, order, board, config)


def _calibrate_views(
    seen: list[_BoardSight],
    reports: dict[str, PictureReport],
    order: list[str],
    board: Board,
    config: CalibrationConfig,
) -> CalibrationResult:
    size = _common_size(seen)
    seen = _upright(seen, size, board, config, reports)
    kept, bundle = _solve(seen, size, board, config, reports)
    focal_rel = float(np.sqrt(bundle.covariance[0, 0])) / bundle.parameters[0]
    coverage = judge_coverage([s.view.pixels for s in kept], size, bundle.R, bundle.t, focal_rel, config.coverage)
    if coverage.faults:
        left_out = "".join(f" {r.name} was left out: {r.reason}." for r in list(reports.values())[:3])
        raise PoorCoverage(" ".join(coverage.faults) + left_out)
    for s, residuals, weights, tilt in zip(kept, bundle.residuals, bundle.weights, coverage.tilt_deg, strict=True):
        rms = float(np.sqrt((weights * (residuals**2).sum(axis=1)).sum() / weights.sum()))
        reports[s.name] = PictureReport(s.name, True, int((weights > 0).sum()), rms, float(tilt))
    camera = Camera.from_parameters(
        bundle.parameters,
        size,
        covariance=bundle.covariance[:CAMERA, :CAMERA],
        rms_px=bundle.rms_px,
        source="board",
    )
    shape_sigma = np.sqrt(np.diag(bundle.covariance)[CAMERA:])
    ordered = tuple(reports[name] for name in order)
    return CalibrationResult(camera, board, bundle.shape, shape_sigma, ordered, coverage, bundle.overdispersion)


@dataclass(frozen=True, eq=False)
class CalibrationProgress:
    """Progress of pictures towards a camera: the ``size`` (width, height) of the pictures that count, which were
    ``used``, their ``coverage`` (its faults say what is still missing), and ``nearer_deg`` (k,): the direction of the
    board's nearer side in each picture (0 right, 90 down)."""

    size: tuple[int, int]
    used: tuple[str, ...]
    coverage: Coverage
    nearer_deg: Array


def measure_progress(
    pictures: Sequence[SeenBoard], board: Board, config: CalibrationConfig | None = None
) -> CalibrationProgress:
    """The coverage of one or more pictures; ValueError for none. Quick enough to call after each picture."""
    config = config or CalibrationConfig()
    if not pictures:
        raise ValueError("measure_progress needs at least one picture.")
    seen = [_board_sight(one, board) for one in pictures]
    size = _common_size(seen)
    seen = _upright(seen, size, board, config, {})
    quick = replace(config, bundle=replace(config.bundle, most_resamples=1))
    kept, bundle = _solve(seen, size, board, quick, {})
    focal_rel = float(np.sqrt(bundle.covariance[0, 0])) / bundle.parameters[0]
    coverage = judge_coverage([s.view.pixels for s in kept], size, bundle.R, bundle.t, focal_rel, config.coverage)
    _, towards = tilts_deg(bundle.R, bundle.t)
    return CalibrationProgress(size, tuple(s.name for s in kept), coverage, towards)


@dataclass(frozen=True, eq=False)
class _BoardSight:
    name: str
    size: tuple[int, int]
    orientation: int | None
    view: BoardView


def see_board(
    picture: BoardPicture | tuple[str, Gray], board: Board, config: CalibrationConfig | None = None
) -> SeenBoard:
    """The board's corners in a picture, which is not needed after that; raises BoardNotFound with the reason."""
    given = picture if isinstance(picture, BoardPicture) else BoardPicture(*picture)
    corners = find_board(given.gray, board, (config or CalibrationConfig()).search)
    return SeenBoard(given.name, (given.gray.shape[1], given.gray.shape[0]), corners, given.orientation)


def _find_boards(
    pictures: Iterable[BoardPicture | tuple[str, Gray]], board: Board, config: CalibrationConfig
) -> tuple[list[SeenBoard], dict[str, PictureReport], list[str]]:
    seen, reports, order = [], {}, []
    for given in pictures:
        picture = given if isinstance(given, BoardPicture) else BoardPicture(*given)
        if picture.name in order:
            raise ValueError(f"Two pictures are called {picture.name}: give each its own name.")
        order.append(picture.name)
        try:
            seen.append(see_board(picture, board, config))
        except BoardNotFound as reason:
            reports[picture.name] = PictureReport(picture.name, False, reason=str(reason))
    return seen, reports, order


def _board_sight(seen: SeenBoard, board: Board) -> _BoardSight:
    return _BoardSight(seen.name, seen.size, seen.orientation, _view(seen.corners, board))


def _view(corners: BoardCorners, board: Board) -> BoardView:
    relative = corners.sigma_px / max(float(np.median(corners.sigma_px)), 1e-6)
    return BoardView(board.corners[corners.ids], corners.pixels, np.sqrt((1 + relative**2) / 2))


def _common_size(seen: Sequence[_BoardSight]) -> tuple[int, int]:
    """The size, and by it the orientation, that most pictures have."""
    sizes = [s.size for s in seen]
    return max(sorted(set(sizes)), key=sizes.count)


def _upright(
    seen: Sequence[_BoardSight],
    size: tuple[int, int],
    board: Board,
    config: CalibrationConfig,
    reports: dict[str, PictureReport],
) -> list[_BoardSight]:
    """Every picture's corners turned into the orientation of the majority; pictures of other sizes are left out."""
    same = [s for s in seen if s.size == size]
    turned = [s for s in seen if s.size == size[::-1] and s.size != size]
    for s in seen:
        if s.size not in (size, size[::-1]):
            reason = f"it has {s.size[0]} x {s.size[1]} pixels, the others {size[0]} x {size[1]}: use one camera mode"
            reports[s.name] = PictureReport(s.name, False, len(s.view.points), reason=reason)
    known = [_QUARTERS[s.orientation] for s in same if s.orientation in _QUARTERS]
    usual = max(sorted(set(known)), key=known.count) if known else 0
    out, doubtful = [], set()
    for s in [*same, *turned]:
        across = int(s.size != size)
        quarters = (usual - _QUARTERS[s.orientation]) % 4 if s.orientation in _QUARTERS else across
        if quarters % 2 != across:  # an editor turned the picture and said nothing
            quarters = across
        if across and (s.orientation not in _QUARTERS or (usual - _QUARTERS[s.orientation]) % 2 == 0):
            doubtful.add(s.name)
        out.append(_rotate_view(s, quarters))
    return _best_turns(out, doubtful, size, board, config) if doubtful else out


def _rotate_view(seen: _BoardSight, quarters: int) -> _BoardSight:
    (w, h), pixels = seen.size, seen.view.pixels
    for _ in range(quarters % 4):
        pixels = np.column_stack([h - 1 - pixels[:, 1], pixels[:, 0]])
        w, h = h, w
    return replace(seen, size=(w, h), view=replace(seen.view, pixels=pixels))


def _best_turns(
    seen: list[_BoardSight], doubtful: set[str], size: tuple[int, int], board: Board, config: CalibrationConfig
) -> list[_BoardSight]:
    """The pictures without an orientation in their EXIF: all turned one way or all the other, whichever fits better."""
    other = [_rotate_view(s, 2) if s.name in doubtful else s for s in seen]
    half = float(np.linalg.norm(board.corners[-1]))
    costs = [solve_bundle([s.view for s in choice], size, half, config.bundle).rms_px for choice in (seen, other)]
    return other if costs[1] < costs[0] else seen


def _solve(
    seen: list[_BoardSight],
    size: tuple[int, int],
    board: Board,
    config: CalibrationConfig,
    reports: dict[str, PictureReport],
) -> tuple[list[_BoardSight], Bundle]:
    """Solve, leave out pictures that fit much worse than the others, and solve again."""
    half = float(np.linalg.norm(board.corners[-1]))
    kept = list(seen)
    while True:
        bundle = solve_bundle([s.view for s in kept], size, half, config.bundle)
        usual = float(np.median(bundle.noise_px))
        allowed = max(config.stray_factor * usual, config.stray_floor_px)
        worst = int(np.argmax(bundle.noise_px))
        if bundle.noise_px[worst] <= allowed or len(kept) <= 3:
            return kept, bundle
        s = kept.pop(worst)
        reason = (
            f"its corners fit only to {bundle.noise_px[worst]:.1f} px, those of the other pictures to {usual:.1f} px: "
            "blurred, or the board was bent or moving"
        )
        reports[s.name] = PictureReport(s.name, False, len(s.view.points), reason=reason)


def _summary(result: CalibrationResult) -> str:
    camera, sigma = result.camera, np.sqrt(np.diag(result.camera.covariance))
    used = [p for p in result.pictures if p.used]
    lines = [
        f"Camera for pictures of {camera.size[0]} x {camera.size[1]}, from {len(used)} of {len(result.pictures)} "
        f"pictures, {sum(p.corners for p in used)} corners, {camera.rms_px:.2f} px rms.",
        f"Focal length {camera.K[0, 0]:.1f} ± {sigma[0]:.1f} px ({sigma[0] / camera.K[0, 0]:.2%}), "
        f"centre ({camera.K[0, 2]:.1f} ± {sigma[2]:.1f}, {camera.K[1, 2]:.1f} ± {sigma[3]:.1f}) px.",
        f"The board's corners reach {result.coverage.share:.0%} of the picture; tilts up to "
        f"{result.coverage.tilt_deg.max():.0f} degrees.",
    ]
    width = max(len(p.name) for p in result.pictures)
    for p in result.pictures:
        if p.used:
            lines.append(f"  {p.name:<{width}}  {p.corners:4d} corners  {p.rms_px:5.2f} px  tilt {p.tilt_deg:2.0f}°")
        else:
            lines.append(f"  {p.name:<{width}}  left out: {p.reason}")
    long, long_sigma = float(result.shape[0]), float(result.shape_sigma[0])
    if abs(long) > max(0.002, 3 * long_sigma):
        lines.append(
            f"The board is printed {abs(long):.1%} longer {'across' if long > 0 else 'down'} than the other way "
            "(allowed for here): check the printer's scaling before you print markers."
        )
    lines += result.coverage.advice
    return "\n".join(lines)
