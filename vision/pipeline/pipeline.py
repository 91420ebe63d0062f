"""From photos with known cameras to one observation: the order of all stages, for one photo and many.

Terrain is read first, since it raises bases; then each photo's bases, and bases in several photos are merged; terrain
gets its outlines, and hills their heights, once the bases are known; questions come last. OpenCV leaves a core idle
where a stage works in Python: another stage that does not need it runs beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import shapely

from calibration import Camera, TableView
from calibration.markers import Markers
from vision.bases.bare import BaseMaps, base_maps
from vision.bases.detection import find_bases
from vision.bases.evidence import RimMap, rim_map
from vision.bases.placed import PlacedBase
from vision.bases.selection import footprint
from vision.fusion.merge import in_picture
from vision.imaging.photo import Photo
from vision.imaging.rims import Float32, Image
from vision.model.expected import Expected, ExpectedTerrain
from vision.model.observation import Observation, PhotoView, SeenDie, SeenMarker
from vision.pipeline.advice import advise, warn_of_unseen
from vision.pipeline.first_questions import with_questions
from vision.pipeline.observed_bases import assemble_observation, bases_of, in_order
from vision.pipeline.stages import Clock, ObserveConfig
from vision.pipeline.way_round import without_places
from vision.small_objects.markers import find_markers_beside, on_read_hills, plan_of
from vision.small_objects.tokens import split, with_tokens
from vision.table_pose.placement import view_of
from vision.tags.reading import Tags, find_tags
from vision.terrain.drawn_pieces import with_shown_shares
from vision.terrain.edge_refinement import colours_above
from vision.terrain.ground import Reading, StandingBase, finish_pieces, papers_of, read_ground
from vision.terrain.joint_ground import JointGround
from vision.terrain.taps import DrawnLine, Tap

Opener = Callable[[], Photo]
"""Opens a photo, whenever it is needed; the same one every time."""

_NO_TAPS = ("The table file draws the terrain already: take its [[terrain]] out to have taps and lines count.",)

Small = tuple[tuple[SeenDie, ...], tuple[SeenMarker, ...]]
"""Dice, and markers beside units."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A photo with a known camera: how to ``open`` it, its ``view``; its ``tags`` if they have been read already;
    its frame ``markers`` as they were detected, if advice needs them; ``prefix``: put before the names of its
    stages."""

    open: Opener
    view: TableView
    tags: Tags | None = None
    markers: Markers | None = None
    prefix: str = ""


@dataclass(frozen=True, eq=False)
class PhotoFindings:
    """The findings of one photo: its bases in order and the unit of each, its small things (being looked for), warnings
    on its camera and its tags alone."""

    photo: PhotoView
    placed: tuple[PlacedBase, ...]
    units: tuple[str | None, ...]
    small: Future[Small]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Joined:
    """All photos' bases as one set, each with how much of its confidence it keeps, and warnings."""

    placed: tuple[PlacedBase, ...]
    confidence_factor: tuple[float, ...]
    notes: tuple[str, ...]


class Joining:
    """How the findings of photos are merged: those of one photo stay unchanged."""

    def bases(self, findings: Sequence[PhotoFindings], expected: Expected, clock: Clock) -> Joined:
        """The bases of all photos."""
        (one,) = findings
        return Joined(one.placed, (1.0,) * len(one.placed), one.notes)

    def small(self, found: Sequence[Small]) -> tuple[Small, tuple[str, ...]]:
        """The small things of all photos, and warnings on them."""
        (one,) = found
        return one, ()


def observe_photos(
    shots: Sequence[Shot],
    expected: Expected,
    *,
    camera: Camera | None = None,
    taps: Sequence[Tap | DrawnLine] = (),
    bare: Photo | None = None,
    joining: Joining | None = None,
    clock: Clock,
    config: ObserveConfig,
) -> Observation:
    """The observation of the table of ``expected`` in photos of one moment, with questions and advice.

    ``bare``: a photo of the mat alone, by the same ``camera``; ``joining`` is needed for more than one photo. Photos
    are opened one after another, as often as they are needed, so that no more than two are held at a time. Taps and
    lines that find nothing are warned of. Raises CalibrationError where the bare mat's camera can't be solved.
    """
    joining = joining or Joining()
    turns = shots[0].view.turns if len({shot.view.turns for shot in shots}) == 1 else ()
    expected = without_places(expected) if turns else expected
    with ThreadPoolExecutor(max_workers=1) as aside:
        tags: dict[int, Future[Tags]] = {}
        maps: dict[int, _Maps] = {}
        with clock("reading the terrain"):
            behind = None if bare is None else (bare.image, view_of(bare, expected, camera, config))
            opened = _open_photos(shots, tags, maps, expected, aside, config)
            reading = _terrain_read(expected, opened, taps, behind, config)
        unused = _NO_TAPS if expected.terrain and taps else ()
        read = () if reading is None else reading.joined(expected, config.ground.joint)
        known = (*expected.terrain, *expected.drawn, *read)
        ground = replace(expected, terrain=known)
        colours = _colours_of(shots, expected, aside, config) if reading is not None else None
        findings = [
            _find_in_photo(shot, tags.get(k), maps.get(k), ground, aside, clock, config) for k, shot in enumerate(shots)
        ]
        joined = joining.bases(findings, ground, clock)
        photos = tuple(one.photo for one in findings)
        seen = assemble_observation(photos, ground, joined.placed, joined.notes, joined.confidence_factor)
        seen = replace(seen, turns=turns, warnings=(*unused, *warn_of_unseen(seen), *seen.warnings))
        best = fullest_photo(seen)
        photo = shots[best].open()
        advice = aside.submit(advise, photo.image, seen, expected, photo=best, markers=shots[best].markers)
        size, given = (expected.width, expected.depth), (*expected.terrain, *expected.drawn)
        shown = aside.submit(with_shown_shares, photo.image, shots[best].view, size, given, turns) if given else None
        if reading is not None:
            with clock("drawing the terrain"):
                drawn = _terrain_drawn(reading, photo, shots[best].view, joined.placed, expected, config, colours)
                seen = replace(seen, terrain=(*given, *drawn.pieces), bare=expected.bare, unseen=drawn.unseen)
                seen = replace(seen, warnings=(*seen.warnings, *reading.notes, *drawn.notes))
        with clock("looking for markers beside units"):
            small = [_small_of(one, seen.terrain if reading else (), config) for one in findings]
            (dice, markers), differing = joining.small(small)
        seen = replace(seen, dice=dice, markers=markers, warnings=(*seen.warnings, *differing), roster=expected.units)
        with clock("weighing what is open"):
            seen = replace(with_questions(seen, expected), advice=advice.result())
        if shown is not None:
            names = {piece.id for piece in given}
            seen = replace(seen, terrain=(*shown.result(), *(one for one in seen.terrain if one.id not in names)))
    return replace(seen, timings_s=tuple(clock.timings))


def fullest_photo(seen: Observation) -> int:
    """The photo (its row in ``photos``) that shows most of the bases, most frame markers where several do, the first of
    those: the one to draw over."""
    places = list(zip(seen.bases.center, (label.z for label in seen.labels), strict=True))

    def fullness(k: int) -> tuple[int, int, int]:
        view = seen.photos[k].view
        return sum(in_picture(view, at, z) for at, z in places), len(view.markers_seen), -k

    return max(range(len(seen.photos)), key=fullness)


def _open_photos(
    shots: Sequence[Shot],
    tags: dict[int, Future[Tags]],
    maps: dict[int, _Maps],
    expected: Expected,
    aside: ThreadPoolExecutor,
    config: ObserveConfig,
) -> Iterator[tuple[Image, TableView]]:
    """The photos one after another; work on a photo that needs no terrain starts while it is open: its ``tags`` where
    they have not been read, and the ``maps`` of a photo alone, while the terrain is traced."""
    for k, shot in enumerate(shots):
        if k - 1 in tags:
            tags[k - 1].result()
        photo = shot.open()
        if shot.tags is None:
            tags[k] = _tags_of(photo, shot, expected, aside, config)
        yield photo.image, shot.view
        if len(shots) == 1:
            maps[k] = _maps_of(photo, shot, expected, aside, config)


@dataclass(frozen=True, eq=False)
class _Maps:
    """Maps of a photo that its bases are looked for on, being made: where ``rims`` show, and as the net sees them."""

    rims: Future[RimMap]
    bare: Future[BaseMaps]


def _maps_of(photo: Photo, shot: Shot, expected: Expected, aside: ThreadPoolExecutor, config: ObserveConfig) -> _Maps:
    rims = aside.submit(rim_map, photo.image, shot.view, expected, config.bases)
    return _Maps(rims, aside.submit(base_maps, photo.image, shot.view, expected, config.bases.bare))


def _colours_of(
    shots: Sequence[Shot], expected: Expected, aside: ThreadPoolExecutor, config: ObserveConfig
) -> Future[list[Float32]] | None:
    """The colours that terrain's edges are looked for in, of a photo alone; of several it is not known yet which."""
    if len(shots) > 1:
        return None
    size = (expected.width, expected.depth)
    return aside.submit(colours_above, shots[0].open().image, shots[0].view, size, config.ground.sharpen)


def _tags_of(
    photo: Photo, shot: Shot, expected: Expected, aside: ThreadPoolExecutor, config: ObserveConfig
) -> Future[Tags]:
    return aside.submit(find_tags, photo.gray, shot.view, with_tokens(expected), config=config.tags)


def _terrain_read(
    expected: Expected,
    photos: Iterator[tuple[Image, TableView]],
    taps: Sequence[Tap | DrawnLine],
    bare: tuple[Image, TableView] | None,
    config: ObserveConfig,
) -> Reading | None:
    """The terrain that photos of one table show; nothing where the table file draws all terrain."""
    if expected.terrain:
        return None
    size, papers = (expected.width, expected.depth), papers_of(expected.frame)
    reading = read_ground(
        photos,
        size,
        taps=taps,
        margin=expected.known.margin,
        bare=bare,
        papers=papers,
        known=expected.known.tables,
        config=config.ground,
    )
    return replace(reading, drawn=expected.drawn)


def _terrain_drawn(
    reading: Reading,
    photo: Photo,
    view: TableView,
    placed: Sequence[PlacedBase],
    expected: Expected,
    config: ObserveConfig,
    colours: Future[list[Float32]] | None,
) -> JointGround:
    """The terrain that was read, its outlines and heights settled now that the bases are known, together with what is
    known from earlier photos."""
    bases = [
        StandingBase(
            shapely.get_coordinates(footprint(p.shape, float(p.center[0]), float(p.center[1]), p.facing))[:-1],
            p.z,
            p.z_sigma,
        )
        for p in placed
    ]
    scale = reading.maps.scale
    size = (scale.width_in, scale.depth_in)
    return finish_pieces(reading, photo.image, view, size, bases, expected, config.ground, colours=colours)


def _find_in_photo(
    shot: Shot,
    tags: Future[Tags] | None,
    maps: _Maps | None,
    expected: Expected,
    aside: ThreadPoolExecutor,
    clock: Clock,
    config: ObserveConfig,
) -> PhotoFindings:
    """Everything on the table, as one photo shows it."""
    clock.prefix = shot.prefix
    photo, view, read = shot.open(), shot.view, shot.tags
    if read is None:
        with clock("reading unit tags"):
            read = (tags or _tags_of(photo, shot, expected, aside, config)).result()
    unit_tags, token_tags = split(read, expected)
    with clock("finding bases"):
        maps = maps or _maps_of(photo, shot, expected, aside, config)
        plan = aside.submit(plan_of, photo, view, expected, config.beside)
        found = find_bases(photo.image, view, unit_tags, expected, config.bases, maps=maps.bare, plan=maps.rims)
        placed = tuple(found[k] for k in in_order(found))
        laid_flat = plan.result()
    units = tuple(None if p.unit is None else expected.units[p.unit].id for p in placed)
    small = aside.submit(
        find_markers_beside, laid_flat, view, expected, bases_of(placed), units, token_tags, config.beside
    )
    clock.prefix = ""
    shown = PhotoView(photo.name, photo.size[0], photo.size[1], view)
    return PhotoFindings(shown, placed, units, small, (*view.warnings, *unit_tags.notes))


def _small_of(one: PhotoFindings, hills: Sequence[ExpectedTerrain], config: ObserveConfig) -> Small:
    """The small things of one photo, dice on hills that were read at their heights."""
    return on_read_hills(one.small.result(), one.photo.view, hills, bases_of(one.placed), one.units, config.beside)
