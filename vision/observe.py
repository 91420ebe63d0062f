"""From one photo to an observation: the pipeline, step by step."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import shapely

from calibration import Camera, CornersRejected, PoseRejected, TableView
from calibration.markers import MarkerConfig, Markers, find_markers, read_markers_at
from calibration.table import TablePoseConfig, solve_table
from geometry import Bases
from vision.advice import advise
from vision.bases import PlacedBase, find_bases
from vision.evidence import BasesConfig
from vision.expected import Expected, ExpectedTerrain
from vision.ground import GroundConfig, Reading, StandingBase, finished, read_ground
from vision.observation import BaseLabel, Observation, PhotoView
from vision.photo import Photo
from vision.pick import footprint
from vision.questions import questions_of
from vision.rims import Image
from vision.seen_markers import MarkersConfig, find_markers_beside, plan_of
from vision.table_corners import ByCornersConfig, view_by_corners
from vision.tags import TagConfig, Tags, find_tags
from vision.terrain import Tap, TerrainError
from vision.tokens import split, with_tokens

Progress = Callable[[str], None]
_PAPER = 1.35  # side of a frame marker's sheet, in sides of its black square


@dataclass(frozen=True)
class ObserveConfig:
    """All thresholds of the pipeline, stage by stage."""

    markers: MarkerConfig = field(default_factory=MarkerConfig)
    pose: TablePoseConfig = field(default_factory=TablePoseConfig)
    tags: TagConfig = field(default_factory=TagConfig)
    bases: BasesConfig = field(default_factory=BasesConfig)
    beside: MarkersConfig = field(default_factory=MarkersConfig)
    corners: ByCornersConfig = field(default_factory=ByCornersConfig)
    ground: GroundConfig = field(default_factory=GroundConfig)


def observe(
    photo: Photo,
    expected: Expected,
    *,
    camera: Camera | None = None,
    corners: npt.ArrayLike | None = None,
    taps: Sequence[Tap] = (),
    bare: Photo | None = None,
    progress: Progress | None = None,
    config: ObserveConfig | None = None,
) -> Observation:
    """What one photo says about the table.

    ``camera``: a stored calibration of the phone, else focal length and distortion are solved from the frame markers
    with EXIF's focal length as the prior. ``corners``: the table's corners (4, 2) in pixels as a person named them,
    near-left, near-right, far-right, far-left; without them, and with too few frame markers, the table's own edges are
    looked for. Terrain is read where the table file draws none: ``taps`` name places ("this is a wood"), ``bare`` is a
    photo of the mat with nothing on it. ``progress`` is called with the name of each stage as it starts. Raises
    CalibrationError where no table pose can be had (too few markers and no clear edges, a layout that does not fit),
    TerrainError for a tap that nothing grows from.
    """
    config = config or ObserveConfig()
    clock = Clock(progress)
    with clock("looking for the frame markers"):
        markers = _frame_markers(photo, expected, config)
    with clock("solving camera and table"):
        view = _placed(photo, expected, markers, camera, corners, config)
    # One stage leaves a core idle where it works in Python: another one that does not need it runs beside it.
    with ThreadPoolExecutor(max_workers=1) as aside:
        with clock("reading the terrain"):
            tags = aside.submit(find_tags, photo.gray, view, with_tokens(expected), config=config.tags)
            behind = None if bare is None else (bare.image, view_of(bare, expected, camera, config))
            reading = terrain_read(expected, [(photo.image, view)], taps, behind, config)
        with clock("reading unit tags"):
            read = tags.result()
        drawn: list[Future[tuple[ExpectedTerrain, ...]]] = []

        def draw(placed: Sequence[PlacedBase]) -> None:
            if reading is not None:
                drawn.append(aside.submit(terrain_drawn, reading, photo, view, expected, placed, config))

        seen = look(photo, view, on_ground(expected, reading), clock, config, read, then=draw).seen
        for terrain in drawn:
            with clock("drawing the terrain"):
                seen = replace(seen, terrain=terrain.result())
    with clock("weighing what is open"):
        seen = replace(seen, roster=expected.units)
        advice = advise(photo.image, seen, expected, markers=markers)
        seen = replace(seen, questions=questions_of(seen, expected), advice=advice)
    return replace(seen, timings_s=tuple(clock.timings))


def view_of(photo: Photo, expected: Expected, camera: Camera | None, config: ObserveConfig) -> TableView:
    """Where a photo's camera stood over the table, by its frame markers or, without them, by the table's edges."""
    return _placed(photo, expected, _frame_markers(photo, expected, config), camera, None, config)


def terrain_read(
    expected: Expected,
    photos: Iterable[tuple[Image, TableView]],
    taps: Sequence[Tap],
    bare: tuple[Image, TableView] | None,
    config: ObserveConfig,
) -> Reading | None:
    """The terrain that photos of one table show; nothing where the table file draws its own. Raises TerrainError."""
    if expected.terrain and taps:
        raise TerrainError("The table file draws the terrain already: take its [[terrain]] out to have taps count.")
    if expected.terrain:
        return None
    papers = []
    for number in expected.frame.ids:
        corners = expected.frame.corners(number)[:, :2]
        papers.append(corners.mean(axis=0) + _PAPER * (corners - corners.mean(axis=0)))
    size = (expected.width, expected.depth)
    return read_ground(photos, size, taps=taps, bare=bare, papers=papers, config=config.ground)


def on_ground(expected: Expected, reading: Reading | None) -> Expected:
    """``expected`` with the terrain that was read, as far as bases need it."""
    return expected if reading is None else replace(expected, terrain=reading.pieces)


def terrain_drawn(
    reading: Reading,
    photo: Photo,
    view: TableView,
    expected: Expected,
    placed: Sequence[PlacedBase],
    config: ObserveConfig,
) -> tuple[ExpectedTerrain, ...]:
    """The terrain that was read, its outlines and heights settled now that the bases are known."""
    bases = [
        StandingBase(
            shapely.get_coordinates(footprint(p.shape, float(p.center[0]), float(p.center[1]), p.facing))[:-1],
            p.z,
            p.z_sigma,
        )
        for p in placed
    ]
    return finished(reading, photo.image, view, (expected.width, expected.depth), bases, config.ground)


@dataclass(frozen=True, eq=False)
class Look:
    """What one photo shows once its camera is known: its own observation, without questions, and the bases behind it,
    row by row; ``notes``: warnings on the camera and the tags alone."""

    seen: Observation
    placed: tuple[PlacedBase, ...]
    notes: tuple[str, ...] = ()


def look(
    photo: Photo,
    view: TableView,
    expected: Expected,
    clock: Clock,
    config: ObserveConfig,
    read: Tags | None = None,
    *,
    then: Callable[[Sequence[PlacedBase]], None] | None = None,
) -> Look:
    """Everything that lies on the table, as one photo of known ``view`` shows it; ``read``: its tags, where they have
    been read already; ``then`` is told the bases as soon as they are placed, before the small things are looked for."""
    if read is None:
        with clock("reading unit tags"):
            read = find_tags(photo.gray, view, with_tokens(expected), config=config.tags)
    tags, token_tags = split(read, expected)
    with ThreadPoolExecutor(max_workers=1) as aside:
        plan = aside.submit(plan_of, photo, view, expected, config.beside)
        with clock("finding bases"):
            found = find_bases(photo.image, view, tags, expected, config.bases)
            placed = [found[k] for k in in_order(found)]
    if then is not None:
        then(placed)
    photos = (PhotoView(photo.name, photo.size[0], photo.size[1], view),)
    notes = (*view.warnings, *tags.notes)
    seen = assembled(photos, expected, placed, notes)
    with clock("looking for markers beside units"):
        units = tuple(label.unit for label in seen.labels)
        dice, beside = find_markers_beside(plan.result(), view, expected, seen.bases, units, token_tags, config.beside)
    return Look(replace(seen, dice=dice, markers=beside), tuple(placed), notes)


def _frame_markers(photo: Photo, expected: Expected, config: ObserveConfig) -> Markers:
    """The frame markers: on a small copy alone where that shows enough of them, else by every means."""
    frame, coarse = expected.frame, replace(config.markers, coarse_px=config.markers.coarse_px[:1])
    if not frame.ids:
        return Markers.empty()
    markers = find_markers(photo.gray, frame.dictionary, frame.ids, config=coarse)
    if len(set(markers.ids.tolist())) >= min(len(frame.ids), config.markers.sufficient):
        return markers
    return find_markers(photo.gray, frame.dictionary, frame.ids, config=config.markers)


def _placed(
    photo: Photo,
    expected: Expected,
    markers: Markers,
    camera: Camera | None,
    corners: npt.ArrayLike | None,
    config: ObserveConfig,
) -> TableView:
    """The table's pose by its frame markers; by its corners where these are given or too few markers are seen."""
    if corners is not None:
        return view_by_corners(photo, expected, markers, corners=corners, camera=camera, config=config.corners)
    if len(set(markers.ids.tolist())) >= config.pose.min_markers:
        return _solved(photo, expected, markers, camera, config)
    try:
        return view_by_corners(photo, expected, markers, camera=camera, config=config.corners)
    except (CornersRejected, PoseRejected):
        if not expected.frame.ids:
            raise
        return _solved(photo, expected, markers, camera, config)


def _solved(
    photo: Photo, expected: Expected, markers: Markers, camera: Camera | None, config: ObserveConfig
) -> TableView:
    """The table's pose; markers not seen at first are looked for once more where the pose puts them."""
    frame = expected.frame
    view = solve_table(markers, frame, photo.size, camera=camera, focal_35mm=photo.focal_35mm, config=config.pose)
    missing = [i for i in frame.ids if i not in set(markers.ids.tolist())]
    quads = np.array([view.pixel_from_table(frame.corners(i)) for i in missing]).reshape(-1, 4, 2)
    size = np.array(photo.size)
    inside = np.all((quads > 0) & (quads < size - 1), axis=(1, 2))
    if not inside.any():
        return view
    more = read_markers_at(photo.gray, frame.dictionary, quads[inside], missing, config=config.markers)
    if not len(more):
        return view
    every = Markers.concat([markers, more])
    return solve_table(every, frame, photo.size, camera=camera, focal_35mm=photo.focal_35mm, config=config.pose)


class Clock:
    """Names and times the stages; ``prefix`` says of which photo."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress, self.timings = progress, []  # type: tuple[Progress | None, list[tuple[str, float]]]
        self.prefix, self._name, self._start = "", "", 0.0

    def __call__(self, name: str) -> Clock:
        self._name = self.prefix + name
        return self

    def __enter__(self) -> None:
        if self.progress is not None:
            self.progress(self._name)
        self._start = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.timings.append((self._name, time.perf_counter() - self._start))


def in_order(placed: Sequence[PlacedBase]) -> list[int]:
    """Rows of bases in the roster's order, then the unnamed ones."""
    keys = [(p.unit is None, p.unit or 0, not p.unique) for p in placed]
    return sorted(range(len(placed)), key=lambda k: keys[k])


def assembled(
    photos: tuple[PhotoView, ...], expected: Expected, rows: Sequence[PlacedBase], notes: Sequence[str]
) -> Observation:
    """The observation's arrays and labels of bases, with ``notes`` and what a referee should know besides as
    warnings."""
    bases = Bases(
        center=np.array([p.center for p in rows]).reshape(-1, 2),
        facing=np.array([p.facing for p in rows]),
        width=np.array([p.shape.width for p in rows]),
        depth=np.array([p.shape.depth for p in rows]),
        is_round=np.array([p.shape.is_round for p in rows], dtype=bool),
        covariance=np.array([p.covariance[:2, :2] for p in rows]).reshape(-1, 2, 2),
        facing_sigma=np.array([min(180.0, np.degrees(np.sqrt(p.covariance[2, 2]))) for p in rows]),
    )
    labels = tuple(_label(f"base{k + 1}", p, expected) for k, p in enumerate(rows))
    return Observation(
        table=(expected.width, expected.depth),
        photos=photos,
        bases=bases,
        labels=labels,
        terrain=expected.terrain,
        warnings=(*notes, *_warnings(expected, photos, rows)),
    )


def _label(base_id: str, placed: PlacedBase, expected: Expected) -> BaseLabel:
    unit = None if placed.unit is None else expected.units[placed.unit]
    kind = unit.kind if unit else _only_kind(placed, expected)
    # Support of the outline, or for a tag that was read the decoder's near certainty.
    confidence = 0.99 if placed.method == "tag" else min(0.98, 0.5 + 0.5 * placed.coverage)
    return BaseLabel(
        id=base_id,
        unit=unit.id if unit else None,
        tag=placed.tag_id,
        side=placed.side,
        kind=kind,
        unique=placed.unique,
        z=placed.z,
        confidence=confidence,
        method=placed.method,
        facing_known=placed.facing_known,
    )


def _only_kind(placed: PlacedBase, expected: Expected) -> str | None:
    """The kind, where every unit of that side with such bases is of one kind."""
    kinds = {u.kind for u in expected.units if u.side == placed.side and placed.shape in (u.shape, u.unique_shape)}
    return kinds.pop() if len(kinds) == 1 else None


def _warnings(expected: Expected, photos: tuple[PhotoView, ...], rows: Sequence[PlacedBase]) -> list[str]:
    """What a referee should know before trusting the rest."""
    out = []
    used = {marker for photo in photos for marker in photo.view.markers_seen}
    missing = [m for m in expected.frame.ids if m not in used]
    if missing:
        ids = ", ".join(str(m) for m in missing)
        out.append(f"Frame marker {ids} was not used: positions are less exact near it.")
    for row, unit in enumerate(expected.units):
        seen = sum(p.unit == row for p in rows)
        tagged = unit.tag is not None and any(p.tag_id == unit.tag for p in rows)
        if unit.tag is not None and seen and not tagged:
            out.append(f"The tag of {unit.id} ({unit.tag}) was not read: say which base is its unique one.")
        elif 0 < seen < unit.bases:
            out.append(f"{seen} of {unit.bases} bases of {unit.id} are certain: check the rest.")
    loose = sum(p.unit is None for p in rows)
    if loose:
        out.append(f"{loose} bases could not be given to a unit with certainty.")
    bare = sorted({u.side for u in expected.units} - {side for side, _ in expected.rims})
    if bare and not any(p.method == "outline" and p.side in bare for p in rows):
        out.append(f"The table file names no rim colour for {' and '.join(bare)}: only tagged bases were found there.")
    return out
