"""The table's pose from the four corners of the table itself, dragged by hand or found in the photo.

For a table without frame markers, or with too few of them in view: the table's stated size is the only ruler then, so
places are honestly less certain, and the view says by how much.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from calibration.camera import Camera, TableView
from calibration.corner_fit import CornerFit, CornerFitConfig, CornerSights, fit_corners
from calibration.errors import CornersRejected, PoseRejected
from calibration.frame import FrameLayout
from calibration.lens_prior import LensPrior, LensPriorConfig, lens_guesses
from calibration.table import MarkerDetections

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

CORNER_NAMES = ("near-left", "near-right", "far-right", "far-left")
ORDER = ", ".join(CORNER_NAMES)

NEAR_EDGE_GUESSED = "The edge nearest the camera was taken for the table's near edge:"


@dataclass(frozen=True)
class CornersConfig:
    """Settings of ``solve_corners``.

    ``hand_of_long_side``: a hand's slip (one standard deviation) as a share of the picture's longer side. Below the
    likelihood ``doubt`` of a fit the next guess at the lens is tried, ``next_lens_log_chance`` less likely beforehand;
    below ``least_likelihood``, or where edges miss ``most_noise`` times their stated noise, the corners are refused.
    Ways round whose log evidence is within ``undecided`` of the best are equally good. A camera within ``above_share``
    of the table's half size from its middle is straight above it. Refused: a side shorter than
    ``least_side_of_long_side`` of the picture, a table uncertain by ``max_sigma_in``.
    """

    hand_of_long_side: float = 0.003
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
    meet and say nothing of their own. ``confidence`` is the chance that they are the table's.
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


def corners_by_hand(pixels: npt.ArrayLike, size: tuple[int, int], config: CornersConfig | None = None) -> TableCorners:
    """Corners (4, 2) that a person pointed at in a picture of ``size``: near-left, near-right, far-right, far-left.

    Raises CornersRejected, one sentence, for corners outside the picture or in another order, and for sides that cross.

    >>> corners_by_hand([(80, 700), (900, 690), (760, 90), (210, 80)], (1000, 800)).sigma_px
    array([3., 3., 3., 3.])
    """
    config = config or CornersConfig()
    corners = np.asarray(pixels, dtype=np.float64)
    if corners.shape != (4, 2):
        raise ValueError(f"corners have shape {corners.shape}, expected (4, 2).")
    _check_corners(corners, size, config)
    return TableCorners(corners, np.full(4, config.hand_of_long_side * max(size)))


def _check_corners(corners: Array, size: tuple[int, int], config: CornersConfig) -> None:
    width, height = size
    for name, (x, y) in zip(CORNER_NAMES, corners, strict=True):
        if not (-0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5):
            raise CornersRejected(
                f"The {name} corner ({x:g}, {y:g}) lies outside the photo of {width} x {height} pixels: give pixels of "
                "the upright photo, or retake it with all four corners in view."
            )
    step = np.roll(corners, -1, axis=0) - corners
    short = int(np.argmin(np.linalg.norm(step, axis=1)))
    least = config.least_side_of_long_side * max(size)
    if np.linalg.norm(step[short]) < least:
        raise CornersRejected(
            f"The {CORNER_NAMES[short]} and {CORNER_NAMES[(short + 1) % 4]} corners are only "
            f"{np.linalg.norm(step[short]):.0f} pixels apart (at least {least:.0f} are needed): give the table's four "
            "corners, or retake the photo from nearer."
        )
    after = np.roll(step, -1, axis=0)
    bends = step[:, 0] * after[:, 1] - step[:, 1] * after[:, 0]  # below 0: anticlockwise as seen, y being down
    if np.all(bends < 0):
        return
    if np.all(bends > 0):
        raise CornersRejected(f"The corners go round clockwise: give them as {ORDER}, anticlockwise in the photo.")
    if np.sum(bends < 0) == 2:
        raise CornersRejected(f"The table's sides cross: give the corners as {ORDER}, round the table.")
    at = (int(np.argmax(bends if np.sum(bends < 0) == 3 else -bends)) + 1) % 4
    raise CornersRejected(
        f"The {CORNER_NAMES[at]} corner lies inside the triangle of the other three: give the corners as {ORDER}."
    )


def solve_corners(
    corners: TableCorners,
    table_in: tuple[float, float],
    size: tuple[int, int],
    *,
    camera: Camera | None = None,
    focal_35mm: float | None = None,
    markers: MarkerDetections | None = None,
    layout: FrameLayout | None = None,
    config: CornersConfig | None = None,
) -> TableView:
    """Camera and table pose from the corners of a table of ``table_in`` (width, depth) in a picture of ``size``.

    The lens comes from a stored ``camera``, else EXIF's ``focal_35mm``, else from the corners alone; frame ``markers``
    of a ``layout`` that are seen besides orient and check the corners. The stated rectangle is laid over the table's
    true outline, whose corners may stray. Where the corners are not ordered, the edge nearest the camera is taken for
    the near edge unless markers or the table's shape say otherwise; the view's ``turns`` are the other ways round that
    it may be. The covariance counts corner or edge noise, the
    table's cut and the lens. Raises PoseRejected where no camera above such a table explains the corners.
    """
    config = config or CornersConfig()
    solutions = [
        replace(solution, roll=turns)
        for turns in (range(4) if not corners.ordered else range(1))
        if (
            solution := _solve_numbering(
                corners.roll(turns), table_in, size, camera, focal_35mm, markers, layout, config
            )
        )
    ]
    if corners.ordered and solutions and (camera is not None or focal_35mm):
        first = "stored" if camera is not None else "exif"
        aside = replace(corners.roll(1), ordered=False)
        if solutions[0].prior.source != first and _solve_numbering(
            aside, table_in, size, camera, focal_35mm, markers, layout, config
        ):
            solutions = []  # the known lens explains the corners well, but for a table turned by a quarter
    if not solutions:
        raise PoseRejected(_misfit(table_in, ordered=corners.ordered, seen=_marker_ids(markers, layout)))
    chosen, turns, warnings = _choose_solution(
        solutions, table_in, corners.ordered, _marker_ids(markers, layout), config
    )
    fit, prior = chosen.fit, chosen.prior
    if camera is not None and prior.source != "stored":
        warnings.append("The stored camera does not fit this photo (another lens or zoom?): solved without it.")
    elif focal_35mm and prior.source == "markers":
        warnings.append(
            f"The photo's stated focal length ({focal_35mm:.0f} mm) does not fit the corners: solved without it."
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
        markers_seen=_marker_ids(markers, layout),
        corner_sigma_px=float(np.mean(sigma_px)),
    )
    sigma = table_sigma_in(view, table_in)
    if not sigma <= config.max_sigma_in:
        raise PoseRejected(
            f"By its corners alone the table would be uncertain by {2 * sigma:.1f} in: lay printed markers on it, or "
            "retake the photo from nearer and higher."
        )
    told = (*corners.warnings, *warnings, _accuracy(sigma, view.markers_seen))
    return replace(view, warnings=told, turns=turns)


def table_sigma_in(view: TableView, table_in: tuple[float, float]) -> float:
    """The greatest standard deviation of a place on the table in inches, among its corners, sides and middle."""
    width, depth = table_in
    grid = np.array([[x, y, 0.0] for x in (0, width / 2, width) for y in (0, depth / 2, depth)])
    _, covariance = view.table_from_pixel(view.pixel_from_table(grid), 0.0)
    return float(np.sqrt(np.linalg.eigvalsh(covariance).max()))


@dataclass(frozen=True, eq=False)
class _Solution:
    fit: CornerFit
    prior: LensPrior
    roll: int = 0


def _solve_numbering(
    corners: TableCorners,
    table_in: tuple[float, float],
    size: tuple[int, int],
    camera: Camera | None,
    focal_35mm: float | None,
    markers: MarkerDetections | None,
    layout: FrameLayout | None,
    config: CornersConfig,
) -> _Solution | None:
    """The best explanation of corners counted this way round, or none that is likely enough."""
    sights = _sights(corners, table_in, markers, layout)
    dof = config.misfit_dof + 8 * len(sights.marker_pixels)
    best: _Solution | None = None
    for rank, priors in enumerate(lens_guesses(size, camera, focal_35mm, config.lens)):
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
    """The way round to go by, by how many quarters others that are as good are turned from it, and what to say."""
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
    """How far the camera (or, from straight above, the lower edge of the picture) lies on the near edge's side."""
    half = np.array(table_in) / 2
    foot = ((-fit.R.T @ fit.t)[:2] - half) / half
    if np.abs(foot).max() < config.above_share:
        return float(-fit.R[1, 1])
    return float(-foot[1])


def _misfit(table_in: tuple[float, float], *, ordered: bool, seen: tuple[int, ...]) -> str:
    width, depth = table_in
    what = f"The table's corners do not fit a table of {width:g} x {depth:g} in"
    if seen:
        what += f" with frame marker{'s' if len(seen) > 1 else ''} {', '.join(map(str, seen))} where the file puts it"
    order = f"their order ({ORDER}), " if ordered else ""
    return f"{what}: check {order}the table's width and depth, or lay printed markers on it."


def _accuracy(sigma: float, seen: tuple[int, ...]) -> str:
    why = (
        f"Only frame marker{'s' if len(seen) > 1 else ''} {', '.join(map(str, seen))} seen: the table was placed by "
        "its corners as well"
        if seen
        else "No frame markers: the table was placed by its corners"
    )
    far = max(0.1, 2 * sigma)
    return f"{why}, and places are uncertain by up to {far:.1f} in. Rulings near a limit will say too close."


__all__ = ["CORNER_NAMES", "CornersConfig", "TableCorners", "corners_by_hand", "solve_corners", "table_sigma_in"]
