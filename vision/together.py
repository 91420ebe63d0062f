"""From several photos of one table to one observation.

Every photo is solved by itself, then all together; each is observed with its better camera; what they show is merged.
Photos are opened one after another, as often as they are needed, so that no more than two are held at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from scipy.linalg import block_diag

from calibration import CalibrationError, Camera, CameraFileError, FrameLayout, PoseRejected, TableView
from calibration.adjustment import LaidMarkers
from calibration.joint import JointConfig, Sight, TiePrior, TieSights, Together, solve_together, used_prior
from calibration.markers import Markers, read_markers_at
from vision.advice import advise
from vision.bases import PlacedBase
from vision.expected import Expected
from vision.merge import MergeConfig, PhotoBases, in_picture, merge_bases
from vision.merge_small import MergeSmallConfig, merge_dice, merge_markers
from vision.observation import Observation, PhotoView
from vision.observe import (
    Clock,
    Look,
    ObserveConfig,
    Progress,
    _frame_markers,
    _placed,
    _solved,
    assembled,
    in_order,
    look,
    observe,
    on_ground,
    terrain_drawn,
    terrain_read,
    view_of,
)
from vision.photo import Photo
from vision.questions import questions_of
from vision.tags import Tags, find_tags
from vision.terrain import Tap
from vision.tokens import with_tokens

Array = npt.NDArray[np.float64]

Opener = Callable[[], Photo]
"""Opens a photo, whenever it is needed; the same one every time."""


@dataclass(frozen=True)
class TogetherConfig:
    """``least_markers``: of a photo that joins through what it shares with the others; ``tie_height_sigma_in``: how far
    a unit's tag may stand above or below where it would on the bare table."""

    least_markers: int = 2
    tie_height_sigma_in: float = 1.0
    observe: ObserveConfig = field(default_factory=ObserveConfig)
    joint: JointConfig = field(default_factory=JointConfig)
    merge: MergeConfig = field(default_factory=MergeConfig)
    small: MergeSmallConfig = field(default_factory=MergeSmallConfig)


@dataclass(frozen=True, eq=False)
class Gathered:
    """What several photos say together; ``used``: which of the photos given, in the order of the observation's."""

    observation: Observation
    used: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Opened:
    """What is kept of a photo between its two openings; ``weak``: it can't stand by itself."""

    number: int
    name: str
    size: tuple[int, int]
    lens: object
    focal_35mm: float | None
    sha256: str
    view: TableView
    markers: LaidMarkers
    tags: Tags
    weak: bool


def observe_many(
    openers: Sequence[Opener],
    expected: Expected,
    *,
    camera: Camera | None = None,
    taps: Sequence[Tap] = (),
    bare: Photo | None = None,
    progress: Progress | None = None,
    config: TogetherConfig | None = None,
) -> Gathered:
    """What several photos of one table, taken at one moment from different sides, say about it.

    A photo that shows too little of the frame even for the others to help, or the same file given twice, is left out
    with a warning that names it. Raises PhotoError where a file is no photo, and the first photo's CalibrationError
    where none can be used; ValueError for no photos. One photo alone is observed as ``observe`` does; ``taps`` and
    ``bare`` are explained there.
    """
    config = config or TogetherConfig()
    if not openers:
        raise ValueError("observe_many needs at least one photo.")
    if len(openers) == 1:
        seen = observe(
            openers[0](), expected, camera=camera, taps=taps, bare=bare, progress=progress, config=config.observe
        )
        return Gathered(seen, (0,))
    clock = Clock(progress)
    opened, left_out = _open_all(openers, expected, camera, clock, config)
    with clock("solving all photos together"):
        together = _solve(opened, expected, camera, config)
        opened, together, late = _only_sure(opened, together, expected, camera, config)
    left_out += late
    with clock("reading the terrain"):
        pairs = ((openers[photo.number]().image, view) for photo, view in zip(opened, together.views, strict=True))
        behind = None if bare is None else (bare.image, view_of(bare, expected, camera, config.observe))
        reading = terrain_read(expected, pairs, taps, behind, config.observe)
        grounded = on_ground(expected, reading)
    looks: list[Look] = []
    for photo, view in zip(opened, together.views, strict=True):
        clock.prefix = f"{photo.name}: "
        looks.append(look(openers[photo.number](), view, grounded, clock, config.observe, _read(photo)))
    clock.prefix = ""
    with clock("bringing the photos together"):
        seen, placed = _merged(opened, looks, together, grounded, left_out, config)
    best = fullest_photo(seen)
    fullest = openers[opened[best].number]()
    if reading is not None:
        with clock("drawing the terrain"):
            view = together.views[best]
            seen = replace(seen, terrain=terrain_drawn(reading, fullest, view, expected, placed, config.observe))
    with clock("weighing what is open"):
        seen = replace(seen, roster=expected.units)
        advice = advise(fullest.image, seen, expected, photo=best)
        seen = replace(seen, questions=questions_of(seen, expected), advice=advice)
    used = tuple(photo.number for photo in opened)
    return Gathered(replace(seen, timings_s=tuple(clock.timings)), used)


def _read(photo: _Opened) -> Tags | None:
    """The tags that a photo's own camera was good enough to read."""
    return None if photo.weak else photo.tags


def _open_all(
    openers: Sequence[Opener], expected: Expected, camera: Camera | None, clock: Clock, config: TogetherConfig
) -> tuple[list[_Opened], list[str]]:
    """All photos that can be solved at least roughly, and why the others are left out."""
    opened: list[_Opened] = []
    left_out: list[str] = []
    errors: list[Exception] = []
    for number, opener in enumerate(openers):
        found = _opened(number, opener, opened, expected, camera, clock, config)
        if isinstance(found, _Opened):
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


def _opened(
    number: int,
    opener: Opener,
    earlier: Sequence[_Opened],
    expected: Expected,
    camera: Camera | None,
    clock: Clock,
    config: TogetherConfig,
) -> _Opened | _Useless | str:
    """One photo solved by itself, with what ties it to others; a sentence where it is one of the ``earlier``."""
    clock.prefix = ""
    with clock("opening a photo"):
        photo = opener()
    clock.prefix = f"{photo.name}: "
    same = next((one for one in earlier if one.sha256 == photo.sha256), None)
    if same is not None:
        return f"{photo.name} is the same picture as {same.name}: it counts once."
    with clock("looking for the frame markers"):
        markers = _frame_markers(photo, expected, config.observe)
    try:
        with clock("solving camera and table"):
            view, weak = _by_itself(photo, expected, markers, camera, config)
    except CameraFileError:
        raise
    except CalibrationError as error:
        return _Useless(photo.name, error)
    laid = _laid(photo, expected.frame, markers, view, config)
    with clock("reading unit tags"):
        tags = find_tags(photo.gray, view, with_tokens(expected), config=config.observe.tags)
    lens = (photo.model, photo.size, photo.focal_35mm, photo.orientation)
    known = (photo.model is not None and photo.focal_35mm is not None) or view.camera.source == "stored"
    return _Opened(
        number,
        photo.name,
        photo.size,
        lens if known else None,
        photo.focal_35mm,
        photo.sha256,
        view,
        laid,
        tags,
        weak,
    )


def _by_itself(
    photo: Photo, expected: Expected, markers: Markers, camera: Camera | None, config: TogetherConfig
) -> tuple[TableView, bool]:
    """A photo's own solution, and whether it is too weak to be used without the others: by its frame markers, else
    roughly by two of them, else by the table's edges."""
    own = replace(config.observe, pose=replace(config.observe.pose, wide_sigma_in=np.inf))
    seen = len(set(markers.ids.tolist()))
    if config.least_markers <= seen < own.pose.min_markers:
        pose = replace(own.pose, min_markers=config.least_markers, max_sigma_in=np.inf)
        try:
            return _solved(photo, expected, markers, camera, replace(own, pose=pose)), True
        except PoseRejected:
            return _placed(photo, expected, markers, camera, None, own), False
    return _placed(photo, expected, markers, camera, None, own), False


def _laid(photo: Photo, frame: FrameLayout, markers: Markers, view: TableView, config: TogetherConfig) -> LaidMarkers:
    """The frame markers that a photo's solution trusts: the sight of each that fits it best."""
    missing = [i for i in view.markers_seen if i not in set(markers.ids.tolist())]
    if missing:
        quads = np.array([view.pixel_from_table(frame.corners(i)) for i in missing])
        more = read_markers_at(photo.gray, frame.dictionary, quads, missing, config=config.observe.markers)
        markers = Markers.concat([markers, more])
    rows = []
    for marker_id in view.markers_seen:
        stated = view.pixel_from_table(frame.corners(marker_id))
        sights = np.flatnonzero(markers.ids == marker_id)
        if len(sights):
            away = np.linalg.norm(markers.corners[sights] - stated, axis=2).max(axis=1)
            rows.append(int(sights[np.argmin(away)]))
    ids = tuple(int(i) for i in markers.ids[rows])
    flat = np.array([frame.corners(i)[:, :2] for i in ids]).reshape(-1, 4, 2)
    centers = flat.mean(axis=1)
    return LaidMarkers(ids, markers.corners[rows], markers.sigma_px[rows], centers, flat - centers[:, None])


def _solve(opened: Sequence[_Opened], expected: Expected, camera: Camera | None, config: TogetherConfig) -> Together:
    """All photos solved together; those that know the table by its edges alone stay as they are by themselves."""
    framed = [k for k, photo in enumerate(opened) if len(photo.markers)]
    if not framed:
        covariance = block_diag(*(photo.view.covariance for photo in opened))
        return Together(tuple(photo.view for photo in opened), covariance)
    priors = {}
    for tag, (row, unique) in expected.tag_owners.items():
        unit = expected.units[row]
        height = (unit.unique_shape if unique else unit.shape).height
        priors[tag] = TiePrior(expected.tag_size_in, height, config.tie_height_sigma_in)
    sights = [
        Sight(
            photo.view,
            photo.markers,
            used_prior(photo.view, camera, photo.focal_35mm, config.observe.pose.lens),
            _ties(photo.tags),
            photo.lens,
        )
        for photo in (opened[k] for k in framed)
    ]
    together = solve_together(sights, priors, config.joint)
    if len(framed) == len(opened):
        return together
    views = [photo.view for photo in opened]
    covariance = block_diag(*(view.covariance for view in views))
    rows = (15 * np.array(framed)[:, None] + np.arange(15)).ravel()
    covariance[np.ix_(rows, rows)] = together.covariance
    for k, view in zip(framed, together.views, strict=True):
        views[k] = view
    return replace(together, views=tuple(views), covariance=covariance)


def _ties(tags: Tags) -> TieSights:
    """Tags that were read once each."""
    ids, counts = np.unique(tags.ids, return_counts=True)
    rows = np.flatnonzero(np.isin(tags.ids, ids[counts == 1]))
    return TieSights(tuple(int(i) for i in tags.ids[rows]), tags.corners[rows], tags.sigma_px[rows])


def _only_sure(
    opened: list[_Opened], together: Together, expected: Expected, camera: Camera | None, config: TogetherConfig
) -> tuple[list[_Opened], Together, list[str]]:
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


def _shown(view: TableView, expected: Expected) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Points (49, 3) over the table, and which of them a photo's picture shows."""
    x, y = np.linspace(0.0, expected.width, 7), np.linspace(0.0, expected.depth, 7)
    points = np.stack([*np.meshgrid(x, y), np.zeros((7, 7))], axis=-1).reshape(-1, 3)
    return points, np.array([in_picture(view, point[:2], 0.0) for point in points])


def _sigmas(view: TableView, points: Array) -> Array:
    """The greatest standard deviation (n,) of points (n, 3) seen by a view, inches."""
    _, covariance = view.table_from_pixel(view.pixel_from_table(points), points[:, 2])
    return np.asarray(np.sqrt(np.linalg.eigvalsh(covariance)[:, -1]), dtype=np.float64)


def _worst_sigma(view: TableView, expected: Expected) -> float:
    """The greatest standard deviation of what a photo shows of the table; infinite where it shows nothing."""
    points, shown = _shown(view, expected)
    return float(_sigmas(view, points[shown]).max()) if shown.any() else float("inf")


def _merged(
    opened: Sequence[_Opened],
    looks: Sequence[Look],
    together: Together,
    expected: Expected,
    left_out: Sequence[str],
    config: TogetherConfig,
) -> tuple[Observation, list[PlacedBase]]:
    """One observation from what every photo shows, and the bases behind it."""
    views = [one.seen.photos[0].view for one in looks]
    parts = [PhotoBases(o.name, v, one.placed) for o, v, one in zip(opened, views, looks, strict=True)]
    bases = merge_bases(parts, together.cross, expected, config.merge)
    order = in_order(bases.placed)
    photos = tuple(PhotoView(o.name, *o.size, v) for o, v in zip(opened, views, strict=True))
    notes = [*left_out, *_notes(opened, looks), *_moved_markers(together), *_doubt(views, expected, config)]
    placed = [bases.placed[k] for k in order]
    seen = assembled(photos, expected, placed, [*notes, *bases.warnings])
    labels = tuple(
        replace(label, confidence=label.confidence * bases.confidence_factor[k])
        for label, k in zip(seen.labels, order, strict=True)
    )
    dice, rows, differing = merge_dice([one.seen.dice for one in looks], config.small)
    markers = merge_markers([one.seen.markers for one in looks], dice, rows, config.small)
    warnings = (*seen.warnings, *differing)
    return replace(seen, labels=labels, dice=dice, markers=markers, warnings=warnings), placed


def fullest_photo(seen: Observation) -> int:
    """The photo (its row in ``photos``) that shows most of the bases, most frame markers where several do, the first of
    those: the one to draw over."""
    places = list(zip(seen.bases.center, (label.z for label in seen.labels), strict=True))

    def fullness(k: int) -> tuple[int, int, int]:
        view = seen.photos[k].view
        return sum(in_picture(view, at, z) for at, z in places), len(view.markers_seen), -k

    return max(range(len(seen.photos)), key=fullness)


def _notes(opened: Sequence[_Opened], looks: Sequence[Look]) -> list[str]:
    """What the photos' own solutions and tags gave cause to say: once where all say it, else with the photo's name."""
    said: dict[str, list[str]] = {}
    for photo, one in zip(opened, looks, strict=True):
        for note in one.notes:
            said.setdefault(note, []).append(photo.name)
    return [
        note if len(names) == len(opened) else f"{', '.join(names)}: {note[:1].lower()}{note[1:]}"
        for note, names in said.items()
    ]


def _moved_markers(together: Together) -> list[str]:
    return [
        f"Frame marker {i} was moved between the photos: lay it back and retake them for the best accuracy."
        for i in together.moved_markers
    ]


def _doubt(views: Sequence[TableView], expected: Expected, config: TogetherConfig) -> list[str]:
    """A warning where a part of the table that the photos show is uncertain in all of them."""
    least = np.full(49, np.nan)
    for view in views:
        points, shown = _shown(view, expected)
        if shown.any():
            least[shown] = np.fmin(least[shown], _sigmas(view, points[shown]))
    sigma = float(np.nanmax(least)) if np.isfinite(least).any() else 0.0
    if sigma <= config.observe.pose.wide_sigma_in:
        return []
    return [
        f"Places on this table are uncertain by up to {2 * sigma:.1f} in. Add a photo with more frame markers in it."
    ]
