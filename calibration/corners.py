"""The table's pose from the four corners of the table, or of a rectangle on it, dragged by hand or found in the photo.

For a table without frame markers, or with too few of them in view: the rectangle's stated size is the only ruler then,
so places are honestly less certain, and the view says by how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from calibration.camera import Camera, TableView
from calibration.corner_fit import CornerFit, CornerFitConfig, CornerSights, fit_corners
from calibration.errors import PoseRejected
from calibration.frame import FrameLayout
from calibration.known_rectangles import SizeIn, listed_like, size_words
from calibration.lens_prior import LensPrior, LensPriorConfig, focal_px_from_35mm, lens_guesses
from calibration.table import MarkerDetections
from calibration.ways_round import moved_view

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

CORNER_NAMES = ("near-left", "near-right", "far-right", "far-left")
ORDER = ", ".join(CORNER_NAMES)

_SAME_IN = 0.5  # a rectangle that is smaller than the table by less is the table
NEAR_EDGE_GUESSED = "The edge nearest the camera was taken for the table's near edge:"


@dataclass(frozen=True)
class CornersConfig:
    """Settings of ``solve_corners``.

    ``hand_of_long_side``: error of a corner placed by hand (one standard deviation) as a share of the picture's longer
    side; a corner outside the picture is where two sides would meet, and not more certain: ``outside_times`` of its
    distance outside is added, and beyond ``most_outside`` of the longer side it is refused. Below the likelihood
    ``doubt`` of a fit the next guess at the lens is tried, ``next_lens_log_chance`` less likely beforehand; below
    ``least_likelihood``, or where edges miss ``most_noise`` times their stated noise, the corners are refused, and also
    where a rectangle of another shape has a log evidence better by ``clearly_better``. Without a known lens, a focal
    length beyond ``usual_times`` of ``usual_35mm`` is mentioned, if that would show proportions that differ by
    ``other_shape``. Rotations of the table with a log evidence within ``undecided`` of the best are equally good. A
    camera within ``above_share`` of the table's half size from its middle is straight above it. Refused: a side shorter
    than ``least_side_of_long_side`` of the picture, a table that is uncertain by ``max_sigma_in`` if its corners were
    found, or by ``most_of_table`` of its shorter side if a person named them. An unknown side gets its length from the
    corners, within ``stretch`` of that (one standard deviation).
    """

    hand_of_long_side: float = 0.003
    outside_times: float = 0.02
    most_outside: float = 1.0
    clearly_better: float = 3.0
    usual_35mm: float = 27.0
    usual_times: float = 1.45
    other_shape: float = 0.08
    most_of_table: float = 0.2
    stretch: float = 0.3
    doubt: float = 1e-2
    next_lens_log_chance: float = -6.0
    least_likelihood: float = 1e-5
    misfit_dof: int = 6
    most_noise: float = 4.0
    undecided: float = 6.0
    above_share: float = 0.5
    least_side_of_long_side: float = 0.04
    max_sigma_in: float = 1.0
    lens: LensPriorConfig = field(default_factory=LensPriorConfig)
    fit: CornerFitConfig = field(default_factory=CornerFitConfig)


@dataclass(frozen=True, eq=False)
class TableCorners:
    """A table's corners in a picture: ``pixels`` (4, 2) with ``sigma_px`` (4,), near-left, near-right, far-right,
    far-left, or, where not ``ordered``, anticlockwise from any of them.

    Found ones come with points on the table's edges: ``edge_pixels`` (n, 2), the side of each (``edge_side`` (n,): 0
    from the first corner to the second and so on) and ``edge_sigma_px`` (n,); the corners are then where the edges
    meet and are not separate evidence. ``confidence`` is the chance that they are the table's.
    """

    pixels: Array
    sigma_px: Array
    ordered: bool = True
    edge_pixels: Array = field(default_factory=lambda: np.zeros((0, 2)))
    edge_side: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    edge_sigma_px: Array = field(default_factory=lambda: np.zeros(0))
    confidence: float = 1.0
    warnings: tuple[str, ...] = ()

    @property
    def by_edges(self) -> bool:
        """Whether all four sides are known by points on them."""
        return set(self.edge_side.tolist()) == {0, 1, 2, 3}

    def roll(self, turns: int) -> TableCorners:
        """The same corners counted from ``turns`` places later."""
        return replace(
            self,
            pixels=np.roll(self.pixels, -turns, axis=0),
            sigma_px=np.roll(self.sigma_px, -turns),
            edge_side=(self.edge_side - turns) % 4,
        )


def solve_corners(
    corners: TableCorners,
    size_in: SizeIn,
    size: tuple[int, int],
    *,
    table_in: tuple[float, float] | None = None,
    at: tuple[float, float] | None = None,
    camera: Camera | None = None,
    focal_35mm: float | None = None,
    markers: MarkerDetections | None = None,
    layout: FrameLayout | None = None,
    config: CornersConfig | None = None,
) -> TableView:
    """Camera and table pose from the corners of a rectangle of ``size_in`` (width, depth) in a picture of ``size``.

    The rectangle is the table, or is ``at`` a place on a table of ``table_in`` (left out: in its middle); one of its
    sides may be ``None``; its length then comes from the corners.
    The lens comes from a stored ``camera``, else EXIF's ``focal_35mm``, else from the corners alone; frame ``markers``
    of a ``layout`` that are also in view orient and check the corners. The stated rectangle is fitted to the table's
    true outline, which may differ at the corners. Where the corners are not ordered, the edge nearest the camera is
    taken for the near edge unless markers or the table's shape say otherwise; the view's ``turns`` are the other
    rotations that are possible. The covariance counts corner or edge noise, errors of the table's cut and the lens.
    Raises PoseRejected if no camera above such a rectangle explains the corners, or another shape clearly does better.
    """
    config = config or CornersConfig()
    lens = KnownLens(size, camera, focal_35mm, config)
    seen = _marker_ids(markers, layout)
    if seen and layout is not None and table_in is not None:
        at = _place(stated_size(corners, size_in, lens), table_in, at)
        layout = replace(
            layout,
            markers=tuple(replace(m, center=(m.center[0] - at[0], m.center[1] - at[1])) for m in layout.markers),
        )
    solutions = [
        replace(solution, roll=turns)
        for turns in (range(4) if not corners.ordered else range(1))
        if (solution := _solve_numbering(corners.roll(turns), size_in, lens, markers, layout))
    ]
    if corners.ordered and solutions and _fits_another(solutions[0], corners, size_in, lens, markers, layout):
        solutions = []
    if not solutions:
        raise PoseRejected(_misfit(corners, size_in, lens, seen))
    whole = (float(size_in[0] or 0), float(size_in[1] or 0))
    chosen, turns, warnings = _choose_solution(solutions, whole, corners.ordered, seen, config)
    fit, prior = chosen.fit, chosen.prior
    if camera is not None and prior.source != "stored":
        warnings.append("The stored camera does not fit this photo (another lens or zoom?): solved without it.")
    elif focal_35mm and prior.source == "markers":
        warnings.append(
            f"The photo's stated focal length ({focal_35mm:.0f} mm) does not fit the corners: solved without it."
        )
    elif corners.ordered and not lens.source and (unusual := _unusual_focal(fit, corners, lens)):
        warnings.append(
            f"By these corners the lens would be of about {unusual:.0f} mm: unless the photo was zoomed or cropped, "
            f"check their order ({ORDER}) and the size of the rectangle."
        )
    solved = Camera.from_parameters(
        fit.parameters, size, covariance=fit.covariance[:9, :9], rms_px=fit.rms_px, source=prior.source
    )
    sigma_px = fit.noise * corners.edge_sigma_px if corners.by_edges else corners.sigma_px
    view = TableView(
        camera=solved,
        R=fit.R,
        t=fit.t,
        covariance=fit.covariance,
        rms_px=fit.rms_px,
        markers_seen=seen,
        corner_sigma_px=float(np.mean(sigma_px)),
    )
    table = table_in or fit.size_in
    if None in size_in:
        warnings.append(f"The rectangle named is {size_words(fit.size_in)} by this photo.")
    if table_in is not None:
        place = _place(fit.size_in, table_in, at)
        if at is None and max(abs(place[0]), abs(place[1])) > _SAME_IN:
            warnings.append(
                f"The rectangle of {size_words(fit.size_in)} was taken to be in the middle of the table: distances "
                "hold wherever it is, places do not."
            )
        view = moved_view(view, (-place[0], -place[1], 0.0))
    middle, sigma = middle_sigma_in(view, table), table_sigma_in(view, table)
    most = config.most_of_table * min(table) if corners.ordered else config.max_sigma_in
    if not sigma <= most:
        raise PoseRejected(
            f"By its corners alone the table would be uncertain by {2 * sigma:.1f}″: lay printed markers on it, name a "
            "larger rectangle, or retake the photo from nearer and higher."
        )
    told = (*corners.warnings, *warnings, _accuracy(middle, sigma, view.markers_seen))
    return replace(view, warnings=told, turns=turns)


def _place(
    size_in: tuple[float, float], table_in: tuple[float, float], at: tuple[float, float] | None
) -> tuple[float, float]:
    """Where the near-left corner of a rectangle is on a table."""
    return at or ((table_in[0] - size_in[0]) / 2, (table_in[1] - size_in[1]) / 2)


def middle_sigma_in(view: TableView, table_in: tuple[float, float]) -> float:
    """The standard deviation of the table's middle in inches, along the direction where it is greatest."""
    return _greatest_sigma(view, np.array([[table_in[0] / 2, table_in[1] / 2, 0.0]]))


def table_sigma_in(view: TableView, table_in: tuple[float, float]) -> float:
    """The greatest standard deviation of a place on the table in inches, among its corners, sides and middle."""
    width, depth = table_in
    return _greatest_sigma(view, np.array([[x, y, 0.0] for x in (0, width / 2, width) for y in (0, depth / 2, depth)]))


def _greatest_sigma(view: TableView, places: Array) -> float:
    _, covariance = view.table_from_pixel(view.pixel_from_table(places), 0.0)
    return float(np.sqrt(np.linalg.eigvalsh(covariance).max()))


@dataclass(frozen=True)
class KnownLens:
    """What is known of the lens that took a picture of ``size``."""

    size: tuple[int, int]
    camera: Camera | None
    focal_35mm: float | None
    config: CornersConfig

    @property
    def source(self) -> str:
        """Where a solution's lens comes from if it is the known one; empty where none is known."""
        return "stored" if self.camera is not None else "exif" if self.focal_35mm else ""

    def guesses(self) -> list[Sequence[LensPrior]]:
        """Groups of priors, each to be tried when the ones before it don't fit."""
        return lens_guesses(self.size, self.camera, self.focal_35mm, self.config.lens)

    def proportion(self, corners: TableCorners) -> float:
        """How many times as wide as deep a rectangle is that has these corners, by the plain homography and the known
        focal length, else the one that makes its corners right angles."""
        middle = (np.array(self.size) - 1) / 2
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
        H = cv2.getPerspectiveTransform(unit, (corners.pixels - middle).astype(np.float32))
        focal = float(focal_px_from_35mm(self.focal_35mm or 26.0, self.size))
        if self.camera is not None:
            focal = float(self.camera.K[0, 0])
        elif not self.focal_35mm:
            squared = -(H[:2, 0] @ H[:2, 1]) / (H[2, 0] * H[2, 1] or 1e-12)
            focal = float(np.sqrt(squared)) if 0.25 * focal**2 < squared < 16 * focal**2 else focal
        wide, deep = np.linalg.norm(H[:, :2] * [[1], [1], [focal]], axis=0)
        return float(wide / deep)


@dataclass(frozen=True, eq=False)
class _Solution:
    fit: CornerFit
    prior: LensPrior
    roll: int = 0


def _fits_another(
    solution: _Solution,
    corners: TableCorners,
    size_in: SizeIn,
    lens: KnownLens,
    markers: MarkerDetections | None,
    layout: FrameLayout | None,
) -> bool:
    """Whether the corners are clearly better explained as those of a rectangle of any other depth under the known lens,
    or, where none is known, as those of the stated one turned by a quarter."""
    if None in size_in:
        return False
    corners = replace(corners, ordered=False)
    if lens.source:
        other = _solve_numbering(corners, (size_in[0], None), lens, markers, layout)
    else:
        other = _solve_numbering(corners.roll(1), size_in, lens, markers, layout)
    return other is not None and other.fit.log_evidence > solution.fit.log_evidence + lens.config.clearly_better


def _unusual_focal(fit: CornerFit, corners: TableCorners, lens: KnownLens) -> float | None:
    """The focal length (35 mm equivalent) that was solved, where it is not that of a phone's usual lens and such a lens
    would show a rectangle of another shape."""
    config = lens.config
    times = float(fit.parameters[0]) / focal_px_from_35mm(config.usual_35mm, lens.size)
    usual = replace(lens, focal_35mm=config.usual_35mm).proportion(corners)
    other = abs(np.log(usual * fit.size_in[1] / fit.size_in[0])) > config.other_shape
    return config.usual_35mm * times if other and abs(np.log(times)) > np.log(config.usual_times) else None


def stated_size(corners: TableCorners, size_in: SizeIn, lens: KnownLens) -> tuple[float, float]:
    """A rectangle's size with the side that is not stated as long as its corners make it."""
    width, depth = size_in
    if width is not None and depth is not None:
        return width, depth
    proportion = lens.proportion(corners)
    return (width, width / proportion) if width is not None else ((depth or 1.0) * proportion, depth or 1.0)


def _solve_numbering(
    corners: TableCorners,
    size_in: SizeIn,
    lens: KnownLens,
    markers: MarkerDetections | None,
    layout: FrameLayout | None,
) -> _Solution | None:
    """The best explanation of corners counted this way round, or none that is likely enough."""
    config = lens.config
    stated = stated_size(corners, size_in, lens)
    slack = (0.0 if size_in[0] else config.stretch * stated[0], 0.0 if size_in[1] else config.stretch * stated[1])
    sights = replace(_sights(corners, stated, markers, layout), stretch_in=slack)
    dof = config.misfit_dof + 8 * len(sights.marker_pixels)
    best: _Solution | None = None
    for rank, priors in enumerate(lens.guesses()):
        if rank and not corners.ordered:
            break  # found corners are only as sure as what is known of the lens
        for prior in priors:
            tried = replace(prior, log_chance=prior.log_chance + rank * config.next_lens_log_chance)
            fit = fit_corners(sights, tried, config.fit)
            if fit is not None and (best is None or fit.log_evidence > best.fit.log_evidence):
                best = _Solution(fit, tried)
        if best is not None and chdtrc(dof, best.fit.misfit) > config.doubt:
            break
    if best is None or chdtrc(dof, best.fit.misfit) < config.least_likelihood or best.fit.noise > config.most_noise:
        return None
    return best


def _sights(
    corners: TableCorners,
    table_in: tuple[float, float],
    markers: MarkerDetections | None,
    layout: FrameLayout | None,
) -> CornerSights:
    rows = [] if markers is None or layout is None else [k for k, i in enumerate(markers.ids) if i in layout.ids]
    stated = [] if layout is None or markers is None else [layout.corners(int(markers.ids[k]))[:, :2] for k in rows]
    return CornerSights(
        size_in=table_in,
        pixels=corners.pixels,
        sigma_px=np.full(4, np.inf) if corners.by_edges else corners.sigma_px,
        edge_pixels=corners.edge_pixels,
        edge_side=corners.edge_side,
        edge_sigma_px=corners.edge_sigma_px,
        marker_pixels=(np.zeros((0, 4, 2)) if markers is None else np.asarray(markers.corners)[rows]).reshape(-1, 4, 2),
        marker_sigma_px=np.zeros(0) if markers is None else np.asarray(markers.sigma_px, dtype=np.float64)[rows],
        marker_table=np.array(stated).reshape(-1, 4, 2),
    )


def _marker_ids(markers: MarkerDetections | None, layout: FrameLayout | None) -> tuple[int, ...]:
    if markers is None or layout is None:
        return ()
    return tuple(sorted({int(i) for i in markers.ids if i in layout.ids}))


def _choose_solution(
    solutions: list[_Solution],
    table_in: tuple[float, float],
    ordered: bool,
    seen: tuple[int, ...],
    config: CornersConfig,
) -> tuple[_Solution, tuple[int, ...], list[str]]:
    """The chosen rotation of the table, the quarter turns from it to equally good ones, and notes on the choice."""
    best = max(s.fit.log_evidence for s in solutions)
    good = [s for s in solutions if s.fit.log_evidence > best - config.undecided]
    if ordered or (seen and len(good) == 1):
        return good[0], (), []
    chosen = max(good, key=lambda s: _nearness(s.fit, table_in, config))
    turns = tuple(sorted((s.roll - chosen.roll) % 4 for s in good if s is not chosen))
    if not turns:
        return chosen, (), []
    return chosen, turns, [f"{NEAR_EDGE_GUESSED} say which edge it is, or name the corners as {ORDER}."]


def _nearness(fit: CornerFit, table_in: tuple[float, float], config: CornersConfig) -> float:
    """How far the camera (or, from straight above, the lower edge of the picture) is on the near edge's side."""
    half = np.array(table_in) / 2
    foot = ((-fit.R.T @ fit.t)[:2] - half) / half
    if np.abs(foot).max() < config.above_share:
        return float(-fit.R[1, 1])
    return float(-foot[1])


def _misfit(corners: TableCorners, size_in: SizeIn, lens: KnownLens, seen: tuple[int, ...]) -> str:
    what = f"These corners do not fit a rectangle of {size_words(size_in)}"
    if seen:
        what += f" with frame marker{'s' if len(seen) > 1 else ''} {', '.join(map(str, seen))} where the file puts it"
    width, depth = size_in
    if not corners.ordered or width is None or depth is None:
        order = f"their order ({ORDER})" if corners.ordered else "the table's width and depth"
        return f"{what}: check {order}, or lay printed markers on it."
    proportion = lens.proportion(corners)
    swapped = f"{depth:g}x{width:g}"
    like = listed_like(proportion, width * depth)
    if abs(proportion * width / depth - 1) < 0.1:
        like = (swapped,)
    choose = " or ".join(like[:2]) or f"another size (as wide as this it would be about {width / proportion:.0f}″ deep)"
    camera = " seen by this photo's camera" if lens.source else ""
    return f"{what}{camera}: check their order ({ORDER}), or choose {choose}."


def _accuracy(middle: float, sigma: float, seen: tuple[int, ...]) -> str:
    why = (
        f"Only frame marker{'s' if len(seen) > 1 else ''} {', '.join(map(str, seen))} seen: the table was placed by "
        "its corners as well"
        if seen
        else "No frame markers: the table was placed by its corners"
    )
    worst, best = max(0.1, 2 * sigma), max(0.1, 2 * middle)
    return (
        f"{why}, and places are uncertain by up to {worst:.1f}″, in its middle by {best:.1f}″. Rulings near a limit "
        "will say too close."
    )
