"""From a photo to verdicts: the pipeline of vision, scene and ruleset, and the files for players.

In this package only this module uses :mod:`vision`, which it loads when called.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.errors import UsageError
from tabletop.files import check_folder, json_bytes, write_folder
from tabletop.game.parts import DEFAULT_RULES, parts_of
from tabletop.identity.question import way_round_asked
from tabletop.referee.doubtful_terrain import turned_scenes
from tabletop.referee.reference_files import keep_reference, load_references
from tabletop.referee.report_rows import Report
from tabletop.referee.reports import dice_to_use, kinds, known_rules, report_on
from tabletop.tables.model import Base, SeenTerrain, TableFile
from tabletop.tables.scene import ObservedBase, Scene, base_row, observed_scene, terrain_feature
from tabletop.tables.tablefile import load_table

if TYPE_CHECKING:
    from calibration import Camera
    from calibration.corners import TableCorners
    from calibration.named_corners import NamedCorners
    from vision import Expected, Observation
    from vision.imaging.photo import Photo
    from vision.model.collection import Collection
    from vision.model.expected import BaseShape, ExpectedTerrain
    from vision.terrain.taps import DrawnLine, Tap

Progress = Callable[[str], None]
PAGE_PHOTO_PX = 2000  # longer side of the photo inside the page, a size that phones load and show completely


@dataclass(frozen=True)
class PhotoOptions:
    """A player's options for reading photos better: the ``camera`` of the phone's calibration or its file, the
    ``corners`` of the table, or of a rectangle on it, as named or measured in the one photo, ``taps`` that name what
    is at a place in inches ("woods@12.5,7"), ``lines`` drawn around pieces of terrain ("woods: 10,5 14,5 14,9"), and
    ``bare``, a photo of the empty mat; ``previous``: the JSON of the previous observation, which has the sight lines
    and the raised ground found so far; ``collection``: the players' collection, or its file;
    ``references``: a folder of earlier photos of the table (:mod:`tabletop.referee.reference_files`)."""

    camera: Path | Camera | None = None
    corners: NamedCorners | TableCorners | None = None
    taps: tuple[str, ...] = ()
    bare: Path | None = None
    previous: Mapping[str, Any] | None = None
    collection: Path | Collection | None = None
    lines: tuple[str, ...] = ()
    references: Path | None = None


NO_OPTIONS = PhotoOptions()


@dataclass(frozen=True, eq=False)
class Verdicts:
    """A judged table: its table file, the observation, the report of contract section 5, and the upright photo to draw
    over, which is number ``shown`` of the observation's."""

    photo: Photo
    table: TableFile
    observation: Observation
    report: Report
    shown: int = 0


def referee_photos(
    photos: Sequence[Path],
    table: Path,
    out: Path,
    options: PhotoOptions = NO_OPTIONS,
    *,
    dice: str | None = None,
    progress: Progress | None = None,
) -> Verdicts:
    """The main job: judge a table by one photo, or by several of one moment, and write all results into the folder
    ``out``, created if missing.

    Raises TabletopError, VisionError or CalibrationError with one clear sentence, and OSError if the folder can't be
    written; in any of these cases nothing is written.
    """
    check_folder(out)
    roster = load_table(table)
    check_rules(roster)
    chosen = dice_to_use(rules_of(roster), dice)
    observed = observe_photos(photos, roster, options, progress=progress)
    verdicts = _judge_observed(observed, roster, chosen, progress)
    if progress is not None:
        progress("drawing the pictures and the page")
    write_folder(out, files_of(verdicts))
    return verdicts


def judge(
    photo: Photo,
    table: TableFile,
    options: PhotoOptions = NO_OPTIONS,
    *,
    dice: str | None = None,
    progress: Progress | None = None,
) -> Verdicts:
    """Observe a photo and judge every shot. Raises as ``referee_photos`` does."""
    check_rules(table)
    chosen = dice_to_use(rules_of(table), dice)
    seen = observe(photo, table, options, progress=progress)
    return _judge_observed(Observed(seen, photo), table, chosen, progress)


def _judge_observed(observed: Observed, table: TableFile, dice: str | None, progress: Progress | None) -> Verdicts:
    if progress is not None:
        progress("judging every shot")
    seen = observed.observation
    turned = turned_scenes(seen.to_json(), {unit.id: unit.bases for unit in table.units}) if seen.turns else []
    report = report_on(scene_of(seen, table), rules_of(table), dice, turned)
    return Verdicts(observed.photo, table, seen, report, observed.shown)


def open_photo(path: Path) -> Photo:
    """Open a photo's file; raises PhotoError."""
    from vision.imaging.photo import open_photo as door

    return door(path)


def _open_while_loading(path: Path) -> Photo:
    """Open a photo's file. Decoding leaves Python idle, so the vision code is loaded meanwhile."""
    from vision.imaging.photo import open_photo as door

    with ThreadPoolExecutor(max_workers=1) as aside:
        opening = aside.submit(door, path)
        importlib.import_module("vision.pipeline.one_photo")
        return opening.result()


def load_camera(given: Path | Camera | None) -> Camera | None:
    """A calibration, loaded if given as a file; raises CameraFileError."""
    if not isinstance(given, Path):
        return given
    from calibration import Camera

    return Camera.load(given)


def load_for_photo(path: Path) -> TableFile:
    """A table file to observe with: raises TableFileError, and RulesError as :func:`check_for_photo`."""
    table = load_table(path)
    check_for_photo(table)
    return table


def check_for_photo(table: TableFile) -> None:
    """Raise RulesError for a unit kind that the rules of a table lack.

    Rules without rulings are allowed, because an observation needs none.
    """
    if table.rules in known_rules():
        check_rules(table)


def measured_table_size(path: Path, named: NamedCorners, camera: Path | Camera | None = None) -> tuple[float, float]:
    """The approximate width and depth of the rectangle with the corners that a player named in a photo; raises
    PhotoError and CalibrationError."""
    from calibration.named_corners import measured_size

    photo = open_photo(path)
    return measured_size(named, photo.size, load_camera(camera), photo.focal_35mm)


def check_rules(table: TableFile) -> None:
    """Raise RulesError if the table's rules have no rulings or lack the kind of one of its units."""
    rules = rules_of(table)
    table.check_kinds(kinds(rules), rules)


def rules_of(table: TableFile) -> str:
    """The rules named in the table file, else the default ones."""
    return table.rules or DEFAULT_RULES


def observe(
    photo: Photo, table: TableFile, options: PhotoOptions = NO_OPTIONS, *, progress: Progress | None = None
) -> Observation:
    """Read the table of a table file from one photo.

    Raises CameraFileError, PhotoError and CalibrationError, TerrainError for a tap or line that can't be read, and
    EarlierError for heights in the previous observation that can't be read.
    """
    from vision.pipeline.one_photo import observe as look

    return look(
        photo,
        _expected(table, options),
        camera=load_camera(options.camera),
        corners=options.corners,
        taps=_taps(options, table),
        bare=None if options.bare is None else open_photo(options.bare),
        progress=progress,
    )


def _expected(table: TableFile, options: PhotoOptions) -> Expected:
    """Everything that is known before the photos; raises UsageError for earlier photos that can't be read."""
    expected = expected_from(table, options.previous, load_collection(options.collection))
    if options.references is None:
        return expected
    return replace(expected, references=load_references(options.references, (table.width_in, table.depth_in)))


def keep_photo(observed: Observed, table: TableFile, options: PhotoOptions) -> None:
    """Keep the photo that was read among the earlier photos of its table, where the options name a folder for them."""
    if options.references is not None:
        keep_reference(options.references, observed.photo, observed.observation, observed.shown, expected_from(table))


def _taps(options: PhotoOptions, table: TableFile) -> list[Tap | DrawnLine]:
    """The typed taps, checked to be on the table, and lines."""
    from vision.terrain.taps import parse_line, parse_tap

    taps = [parse_tap(text, (table.width_in, table.depth_in)) for text in options.taps]
    return [*taps, *map(parse_line, options.lines)]


@dataclass(frozen=True, eq=False)
class Observed:
    """An observation, and the upright photo to draw it over: number ``shown`` of the observation's photos."""

    observation: Observation
    photo: Photo
    shown: int = 0


def observe_photos(
    paths: Sequence[Path], table: TableFile, options: PhotoOptions = NO_OPTIONS, *, progress: Progress | None = None
) -> Observed:
    """Read the table of a table file from one photo, or from several of one moment together.

    The photo to draw over is the one that shows most of the bases. Raises as :func:`observe` does, PhotoError for a
    file that is not a photo and CalibrationError if none of the photos can be used.
    """
    if len(paths) == 1:
        photo = _open_while_loading(paths[0])
        return Observed(observe(photo, table, options, progress=progress), photo)
    if options.corners is not None:
        raise UsageError(f"--corners goes with one photo, and {len(paths)} were given: give one, or leave it out.")
    from vision.pipeline.multi_photo import fullest_photo, observe_many

    gathered = observe_many(
        [partial(open_photo, path) for path in paths],
        _expected(table, options),
        camera=load_camera(options.camera),
        taps=_taps(options, table),
        bare=None if options.bare is None else open_photo(options.bare),
        progress=progress,
    )
    shown = fullest_photo(gathered.observation)
    return Observed(gathered.observation, open_photo(paths[gathered.used[shown]]), shown)


def scene_of(seen: Observation, table: TableFile) -> Scene:
    """The scene of an observation, with the roster's counts of bases: the same as read from its JSON.

    Raises SceneError for anything that no scene can hold, such as an outline that crosses itself.
    """
    from vision.model.observation import stated_chances, stated_confidence, stated_sigma_in

    terrain = (
        terrain_feature(
            t.id,
            t.kind,
            t.polygon,
            height=t.height,
            hill_top=t.hill_top or None,
            sigma=stated_sigma_in(t),
            confidence=stated_confidence(t),
            chances=() if t.evidence is None else stated_chances(t.evidence),
        )
        for t in (*seen.terrain, *seen.possible)
    )
    bases = (_observed_base(seen, row) for row in range(len(seen.bases)))
    return observed_scene(rules_of(table), seen.table, bases, terrain, {unit.id: unit.bases for unit in table.units})


def _observed_base(seen: Observation, row: int) -> ObservedBase:
    label, stated = seen.labels[row], seen.stated_base(row)
    place = base_row(
        f'Base "{label.id}"',
        width=stated.width,
        depth=stated.width if stated.is_round else stated.depth,
        is_round=stated.is_round,
        center=stated.center,
        facing=stated.facing,
        facing_sigma=stated.facing_sigma,
        covariance=stated.covariance,
        unique=label.unique,
        is_oval=stated.is_oval,
    )
    return ObservedBase(label.id, label.unit, label.side, label.kind, place)


def load_collection(given: Path | Collection | None) -> Collection | None:
    """A collection, loaded if given as a file; raises CollectionError, OSError."""
    if not isinstance(given, Path):
        return given
    from tabletop.referee.collection_files import load_collection as load

    return load(given)


def expected_from(
    table: TableFile, previous: Mapping[str, Any] | None = None, known: Collection | None = None
) -> Expected:
    """The facts that vision needs from a table file, from the JSON of the ``previous`` observation of that table, and
    from its players' collection.

    Raises EarlierError for heights there that can't be read.
    """
    from calibration import FrameLayout, FrameMarker
    from vision.model.collection import NOTHING_KNOWN
    from vision.model.earlier import NOTHING_EARLIER, earlier_from_json
    from vision.model.expected import Expected, ExpectedTerrain, ExpectedToken, ExpectedUnit, OtherShape

    frame = table.frame
    markers = () if frame is None else frame.markers
    return Expected(
        width=table.width_in,
        depth=table.depth_in,
        frame=FrameLayout(
            "" if frame is None else frame.dictionary,
            0.0 if frame is None else frame.marker_size_in,
            tuple(FrameMarker(m.id, m.center, m.rotation_deg) for m in markers),
        ),
        units=tuple(
            ExpectedUnit(
                id=unit.id,
                side=unit.side,
                kind=unit.kind,
                bases=unit.bases,
                shape=_shape(unit.base),
                unique_shape=_shape(unit.unique_base),
                tag=unit.tag,
                other_tags=unit.other_tags,
                tag_offset=unit.tag_offset_in,
                front_mark=unit.front_mark,
                other_shapes=tuple(
                    OtherShape(_shape(other.base), other.count, other.tags) for other in unit.other_bases
                ),
            )
            for unit in table.units
        ),
        tag_dictionary=table.tags.dictionary if table.tags else None,
        tag_size_in=table.tags.size_in if table.tags else 0.0,
        rims=tuple((side.id, side.rim) for side in table.sides if side.rim is not None),
        terrain=tuple(
            ExpectedTerrain(piece.id, piece.kind, piece.polygon, piece.height_in, piece.hill_top)
            for piece in table.terrain
        ),
        tokens=tuple(ExpectedToken(token.means, token.tags) for token in table.tokens),
        dice_symbol=table.dice_symbol,
        ground=tuple(map(_seen_terrain, table.ground.pieces)),
        drawn=tuple(replace(_seen_terrain(one), evidence=None) for one in table.ground.drawn),
        bare=table.ground.bare,
        unseen=table.ground.unseen,
        hill_height_in=table.hill_height_in,
        earlier=NOTHING_EARLIER if previous is None or way_round_asked(previous) else earlier_from_json(previous),
        squares=table.overlay is not None and table.overlay.grid == "square",
        known=NOTHING_KNOWN if known is None else known,
        small_objects=parts_of(rules_of(table)).small_objects,
    )


def _seen_terrain(seen: SeenTerrain) -> ExpectedTerrain:
    from vision.model.expected import ExpectedTerrain, TerrainEvidence

    piece = seen.piece
    return ExpectedTerrain(
        piece.id,
        piece.kind,
        piece.polygon,
        piece.height_in,
        piece.hill_top,
        seen.confidence,
        seen.sigma_in,
        TerrainEvidence(seen.photos, seen.weight, seen.chances, seen.stated),
    )


def _shape(base: Base) -> BaseShape:
    from vision.model.expected import BaseShape

    return BaseShape(base.width_in, base.depth_in, base.height_in, base.is_round, base.is_oval)


def annotate(photo: Photo, seen: Observation, table: TableFile, suffix: str = ".jpg", *, shown: int = 0) -> bytes:
    """The photo, number ``shown`` of the observation's, with the whole observation drawn over it, as the bytes of a
    ``.png`` or ``.jpg`` file."""
    from vision.drawing.observation_drawing import annotated_photo

    return _encode(annotated_photo(photo.image, seen, photo=shown, expected=expected_from(table)), suffix)


def draw_trust(photo: Photo, seen: Observation, table: TableFile, suffix: str = ".png", *, shown: int = 0) -> bytes:
    """The accuracy of every place on the table, over photo number ``shown`` and on the plan, as the bytes of a ``.png``
    or ``.jpg`` file."""
    from vision.drawing.trust_picture import trust_picture

    tag_size_in = table.tags.size_in if table.tags else 0.0
    return _encode(trust_picture(photo.image, seen, tag_size_in=tag_size_in, photo=shown), suffix)


def _encode(image: Any, suffix: str) -> bytes:
    import cv2

    options = [cv2.IMWRITE_JPEG_QUALITY, 88] if suffix in (".jpg", ".jpeg") else [cv2.IMWRITE_PNG_COMPRESSION, 6]
    done, data = cv2.imencode(suffix, image, options)
    if not done:
        raise UsageError(f"A picture can't be written as {suffix}: use .png or .jpg.")
    return bytes(data)


def files_of(verdicts: Verdicts) -> dict[str, bytes]:
    """All files of a judged table by name: observation, report, annotated photo, map (PNG and SVG), page."""
    from tabletop.referee.page import open_ranges, report_page
    from vision.drawing.observation_drawing import annotated_map, annotated_photo, map_svg, measure_marks

    expected, seen, table = expected_from(verdicts.table), verdicts.observation, verdicts.table
    image = verdicts.photo.image
    more = measure_marks(open_ranges(verdicts.report))
    shown = verdicts.shown
    small = annotated_photo(
        image, seen, photo=shown, expected=expected, more=more, long_side_px=PAGE_PHOTO_PX, crop=True
    )
    plain_map = map_svg(seen, title=verdicts.photo.name, expected=expected, more=more)
    stated = seen.to_json()
    page = report_page(
        stated,
        verdicts.report,
        annotated_photo_jpeg=_encode(small, ".jpg"),
        map_svg=plain_map,
        table_name=verdicts.photo.name,
        roster={unit.id: unit.bases for unit in table.units},
    )
    return {
        "observation.json": json_bytes(stated),
        "report.json": json_bytes(verdicts.report),
        "annotated.jpg": annotate(verdicts.photo, seen, table, shown=shown),
        "map.png": _encode(annotated_map(image, seen, photo=shown, expected=expected, more=more), ".png"),
        "map.svg": plain_map.encode(),
        "index.html": page.encode(),
    }
