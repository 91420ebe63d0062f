"""Photos of one table opened and solved: first each alone, then all together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from scipy.linalg import block_diag

from calibration import CalibrationError, Camera, CameraFileError, FrameLayout, PoseRejected, TableView
from calibration.adjustment import MarkerSights
from calibration.corners import NEAR_EDGE_GUESSED
from calibration.joint import JointConfig, JointSolution, Sight, TiePrior, TieSights, lens_prior_of, solve_together
from calibration.markers import Markers, read_markers_at
from calibration.ways_round import turned_view, way_round
from vision.fusion.merge import in_picture
from vision.imaging.photo import Photo
from vision.model.expected import Expected
from vision.pipeline.pipeline import Opener
from vision.pipeline.stages import Clock, ObserveConfig
from vision.pipeline.way_round import settle_way_round
from vision.small_objects.tokens import with_tokens
from vision.table_pose.placement import frame_markers, nearest_sights, view_by_markers, view_of
from vision.tags.reading import Tags, find_tags

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SolvingConfig:
    """``least_markers``: of a photo that joins through tags shared with the others; ``tie_height_sigma_in``: how far
    a unit's tag may be above or below its height on the bare table."""

    least_markers: int = 2
    tie_height_sigma_in: float = 1.0
    observe: ObserveConfig = field(default_factory=ObserveConfig)
    joint: JointConfig = field(default_factory=JointConfig)


@dataclass(frozen=True, eq=False)
class OpenedPhoto:
    """What is kept of a photo between its openings: its number among the given photos, its own solution, the frame
    markers that the solution trusts, the tags read with it; ``weak``: it can't be solved alone; ``by_edges``: it was
    solved by the table's edges."""

    number: int
    name: str
    lens: object
    focal_35mm: float | None
    sha256: str
    view: TableView
    markers: MarkerSights
    tags: Tags
    weak: bool
    by_edges: bool


def solved_photos(
    openers: Sequence[Opener], expected: Expected, camera: Camera | None, clock: Clock, config: SolvingConfig
) -> tuple[list[OpenedPhoto], JointSolution, list[str]]:
    """The photos that can be used, their joint solution, and a sentence on each photo that was left out.

    Raises PhotoError if a file is not a photo, and the first photo's CalibrationError where none can be used.
    """
    opened, left_out = _open_all(openers, expected, camera, clock, config)
    with clock("solving all photos together"):
        together = _solve(opened, expected, camera, config)
        opened, together, late = _only_sure(opened, together, expected, camera, config)
    return opened, together, left_out + late


def _open_all(
    openers: Sequence[Opener], expected: Expected, camera: Camera | None, clock: Clock, config: SolvingConfig
) -> tuple[list[OpenedPhoto], list[str]]:
    """All photos that can be solved at least roughly, and why the others are left out."""
    opened: list[OpenedPhoto] = []
    left_out: list[str] = []
    errors: list[Exception] = []
    for number, opener in enumerate(openers):
        found = _solve_photo(number, opener, opened, expected, camera, clock, config)
        if isinstance(found, OpenedPhoto):
            opened.append(found)
        elif isinstance(found, str):
            left_out.append(found)
        else:
            errors.append(found.error)
            left_out.append(f"{found.name} was left out: {found.error}")
    clock.prefix = ""
    if not opened:
        raise errors[0]
    return opened, left_out


@dataclass(frozen=True, eq=False)
class _Useless:
    """A photo that can't be used, and why."""

    name: str
    error: CalibrationError


def _solve_photo(
    number: int,
    opener: Opener,
    earlier: Sequence[OpenedPhoto],
    expected: Expected,
    camera: Camera | None,
    clock: Clock,
    config: SolvingConfig,
) -> OpenedPhoto | _Useless | str:
    """One photo solved alone, with what ties it to others; a sentence if it is one of the ``earlier``."""
    clock.prefix = ""
    with clock("opening a photo"):
        photo = opener()
    clock.prefix = f"{photo.name}: "
    same = next((one for one in earlier if one.sha256 == photo.sha256), None)
    if same is not None:
        return f"{photo.name} is the same picture as {same.name}: it counts once."
    with clock("looking for the frame markers"):
        markers = frame_markers(photo, expected, config.observe)
    try:
        with clock("solving camera and table"):
            view, weak, by_edges = _by_itself(photo, expected, markers, camera, config)
    except CameraFileError:
        raise
    except CalibrationError as error:
        return _Useless(photo.name, error)
    laid = _trusted_markers(photo, expected.frame, markers, view, config)
    with clock("reading unit tags"):
        tags = find_tags(photo.gray, view, with_tokens(expected), config=config.observe.tags)
    lens = (photo.model, photo.size, photo.focal_35mm, photo.orientation)
    known = (photo.model is not None and photo.focal_35mm is not None) or view.camera.source == "stored"
    known = known and view.camera.source != "cropped"
    return OpenedPhoto(
        number,
        photo.name,
        lens if known else None,
        photo.focal_35mm,
        photo.sha256,
        view,
        laid,
        tags,
        weak,
        by_edges,
    )


def _by_itself(
    photo: Photo, expected: Expected, markers: Markers, camera: Camera | None, config: SolvingConfig
) -> tuple[TableView, bool, bool]:
    """A photo's own solution: by its frame markers, else roughly by two of them, else by the table's edges; whether it
    is too weak to be used without the others, and whether it is by the edges."""
    own = replace(config.observe, pose=replace(config.observe.pose, wide_sigma_in=np.inf))
    seen = len(set(markers.ids.tolist()))
    if config.least_markers <= seen < own.pose.min_markers:
        pose = replace(own.pose, min_markers=config.least_markers, max_sigma_in=np.inf)
        try:
            return view_by_markers(photo, expected, markers, camera, replace(own, pose=pose)), True, False
        except PoseRejected:
            pass
    view = settle_way_round(photo, expected, view_of(photo, expected, camera, own, markers))
    return view, False, seen < own.pose.min_markers


def _trusted_markers(
    photo: Photo, frame: FrameLayout, markers: Markers, view: TableView, config: SolvingConfig
) -> MarkerSights:
    """The frame markers that a photo's solution trusts: the sight of each that fits it best."""
    missing = [i for i in view.markers_seen if i not in set(markers.ids.tolist())]
    if missing:
        quads = np.array([view.pixel_from_table(frame.corners(i)) for i in missing])
        more = read_markers_at(photo.gray, frame.dictionary, quads, missing, config=config.observe.markers)
        markers = Markers.concat([markers, more])
    rows = [row for row in nearest_sights(markers, frame, view) if markers.ids[row] in view.markers_seen]
    ids = tuple(int(i) for i in markers.ids[rows])
    flat = np.array([frame.corners(i)[:, :2] for i in ids]).reshape(-1, 4, 2)
    centers = flat.mean(axis=1)
    return MarkerSights(ids, markers.corners[rows], markers.sigma_px[rows], centers, flat - centers[:, None])


def _solve(
    opened: Sequence[OpenedPhoto], expected: Expected, camera: Camera | None, config: SolvingConfig
) -> JointSolution:
    """All photos solved together; photos that know the table by its edges alone, and share no tag with the others, keep
    their own solutions."""
    priors = {}
    for tag, (row, _) in expected.tag_owners.items():
        height = expected.units[row].shape_with_tag(tag).height
        priors[tag] = TiePrior(expected.tag_size_in, height, config.tie_height_sigma_in)
    w, d = expected.width, expected.depth
    outline = np.array([[0.0, 0.0], [w, 0.0], [w, d], [0.0, d]])
    sights = [
        Sight(
            photo.view,
            photo.markers,
            lens_prior_of(photo.view, camera, photo.focal_35mm, config.observe.pose.lens),
            _ties(photo.tags),
            photo.lens,
            outline if photo.by_edges else None,
        )
        for photo in opened
    ]
    joining = _agreeing_photos(sights, priors, (w, d))
    covariance = block_diag(*(sight.view.covariance for sight in sights))
    if not joining:
        return JointSolution(tuple(sight.view for sight in sights), covariance)
    together = solve_together([sights[k] for k in joining], priors, config.joint)
    views = [sight.view for sight in sights]
    rows = (15 * np.array(joining)[:, None] + np.arange(15)).ravel()
    covariance[np.ix_(rows, rows)] = together.covariance
    for k, view in zip(joining, together.views, strict=True):
        views[k] = view
    return replace(together, views=tuple(views), covariance=covariance)


def _agreeing_photos(sights: list[Sight], ties: Mapping[int, TiePrior], table_in: tuple[float, float]) -> list[int]:
    """The photos that can be solved together: all with frame markers, and those by the edges that share tags with
    others; these are turned, in ``sights``, so that the tags are where the others have them. Where none of the others
    knows its way round, neither do these."""
    joining = [k for k, sight in enumerate(sights) if sight.outline is None]
    waiting = [k for k, sight in enumerate(sights) if sight.outline is not None]
    waiting.sort(key=lambda k: bool(sights[k].view.turns))
    if not joining and waiting:
        joining.append(waiting.pop(0))
    open_turns = sights[joining[0]].view.turns if joining else ()
    while True:
        for k in waiting:
            quarters = way_round(sights[k], [sights[j] for j in joining], ties, table_in)
            if quarters is not None:
                view = turned_view(sights[k].view, table_in, quarters)
                told = tuple(w for w in view.warnings if not w.startswith(NEAR_EDGE_GUESSED))
                sights[k] = replace(sights[k], view=replace(view, warnings=told, turns=open_turns))
                waiting.remove(k)
                joining = sorted([*joining, k])
                break
        else:
            alone = len(joining) == 1 and sights[joining[0]].outline is not None
            return [] if alone else joining


def _ties(tags: Tags) -> TieSights:
    """Tags that were read once each."""
    ids, counts = np.unique(tags.ids, return_counts=True)
    rows = np.flatnonzero(np.isin(tags.ids, ids[counts == 1]))
    return TieSights(tuple(int(i) for i in tags.ids[rows]), tags.corners[rows], tags.sigma_px[rows])


def _only_sure(
    opened: list[OpenedPhoto], together: JointSolution, expected: Expected, camera: Camera | None, config: SolvingConfig
) -> tuple[list[OpenedPhoto], JointSolution, list[str]]:
    """Without the photos that even the others could not place; PoseRejected where none is left."""
    most, left_out = config.observe.pose.max_sigma_in, []  # type: tuple[float, list[str]]
    while True:
        sigmas = [_worst_sigma(view, expected) for view in together.views]
        worst = max(range(len(opened)), key=lambda k: sigmas[k])
        if sigmas[worst] <= most:
            return opened, together, left_out
        name = opened[worst].name
        why = (
            f"places in it are uncertain by {sigmas[worst]:.1f} in (one standard deviation)"
            if np.isfinite(sigmas[worst])
            else "it shows nothing of the table"
        )
        if len(opened) == 1:
            raise PoseRejected(f"{name} can't be used: {why}. Retake it with three frame markers in view.")
        left_out.append(f"{name} was left out: {why}.")
        opened = [photo for k, photo in enumerate(opened) if k != worst]
        together = _solve(opened, expected, camera, config)


def shown_points(view: TableView, expected: Expected) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Points (49, 3) over the table, and which of them a photo's picture shows."""
    x, y = np.linspace(0.0, expected.width, 7), np.linspace(0.0, expected.depth, 7)
    points = np.stack([*np.meshgrid(x, y), np.zeros((7, 7))], axis=-1).reshape(-1, 3)
    return points, np.array([in_picture(view, point[:2], 0.0) for point in points])


def sigmas_in(view: TableView, points: Array) -> Array:
    """The greatest standard deviation (n,) of points (n, 3) seen by a view, inches."""
    _, covariance = view.table_from_pixel(view.pixel_from_table(points), points[:, 2])
    return np.asarray(np.sqrt(np.linalg.eigvalsh(covariance)[:, -1]), dtype=np.float64)


def _worst_sigma(view: TableView, expected: Expected) -> float:
    """The greatest standard deviation of the part of the table that a photo shows; infinite if it shows none."""
    points, shown = shown_points(view, expected)
    return float(sigmas_in(view, points[shown]).max()) if shown.any() else float("inf")
