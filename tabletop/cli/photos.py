"""``tabletop observe`` and ``tabletop referee``: from a photo to an observation, and all the way to the rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli.output import JsonOut, Quiet, check_file, check_target, give, progress, tell
from tabletop.cli.rulings import Dice, read_json, verdict_counts
from tabletop.cli.settle import folded_in_words
from tabletop.errors import UsageError
from tabletop.words import count

if TYPE_CHECKING:
    from calibration.named_corners import NamedCorners
    from tabletop.referee.judging import Observed, Verdicts
    from tabletop.tables.model import TableFile
    from vision import Observation, PhotoView

Photos = Annotated[
    list[Path],
    typer.Argument(metavar="PHOTO", help="A photo of the table, or several of one moment."),
]
Table = Annotated[Path, typer.Option(help="The table file (TOML): table, frame markers, roster, terrain.")]
TableOrSize = Annotated[
    Path | None,
    typer.Option(
        help="The table file (TOML): table, frame markers, roster, terrain. Or the table's size alone: 60x44.",
        metavar="FILE|SIZE",
    ),
]
CameraFile = Annotated[Path | None, typer.Option(help="The camera's calibration, made by `tabletop calibrate`.")]
Corners = Annotated[
    str | None,
    typer.Option(
        help="The corners of the table, or of the --size rectangle, without frame markers: near-left, "
        "near-right, far-right, far-left, in pixels of the upright photo. They may be outside the photo.",
        metavar="'X,Y X,Y X,Y X,Y'",
    ),
]
Size = Annotated[
    str | None,
    typer.Option(
        "--size",
        help="The size of the rectangle with these --corners, if that is not the whole table or there is no "
        "table file: width x depth as 36x36 (inches) or 90x120cm, A4, 44x? if one side is known. @X,Y after it "
        "says where its near-left corner is on the table. [default: in its middle]",
        metavar="WxD",
    ),
]

Taps = Annotated[
    list[str] | None,
    typer.Option(
        "--tap",
        help="Terrain at a place, in inches: a piece of that kind is grown from there to its edge. May be repeated.",
        metavar="KIND@X,Y",
    ),
]
Lines = Annotated[
    list[str] | None,
    typer.Option(
        "--around",
        help="A piece of terrain by a line around where it stands, in inches, or in pixels of the upright photo "
        "(300,410px): its outline is inside the line. After KIND: wide INCHES for a line along a wall, high INCHES, "
        "box for a rectangle, visible for a line around everything visible of a piece that high. in X,Y and out X,Y "
        "at the end correct it. May be repeated.",
        metavar="'KIND: X,Y X,Y X,Y'",
    ),
]
BareMat = Annotated[
    Path | None,
    typer.Option("--mat", help="A photo of the bare mat: anything that looks the same is not terrain."),
]

KnownThings = Annotated[
    Path | None,
    typer.Option(
        "--collection",
        help="The players' mats, terrain and bases, learnt by `tabletop learn`.",
    ),
]


References = Annotated[
    Path | None,
    typer.Option(
        help="A folder for earlier photos of this table: a photo without enough frame markers or --corners is placed "
        "by the look of the table in them, and is kept there for the next one.",
        metavar="FOLDER",
    ),
]


def observe(
    photos: Photos,
    table: TableOrSize = None,
    camera: CameraFile = None,
    corners: Corners = None,
    size: Size = None,
    taps: Taps = None,
    around: Lines = None,
    mat: BareMat = None,
    previous: Annotated[
        Path | None,
        typer.Option(
            help="The previous observation: it names bases that this photo leaves nameless, its terrain counts "
            "beside this photo's, and it gives the heights of bases that stayed."
        ),
    ] = None,
    collection: KnownThings = None,
    references: References = None,
    json_out: JsonOut = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the observation over the photo (PNG or JPEG).")] = None,
    trust: Annotated[
        Path | None, typer.Option(help="Draw the accuracy of each place on the table (PNG or JPEG).")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Read a photo of the table, or several together: the place of every base, with its uncertainty."""
    from tabletop.referee import judging as work

    target, drawing, trusted = check_target(json_out), check_file(picture), check_file(trust)
    for option, path in (("--picture", drawing), ("--trust", trusted)):
        if path and path.suffix.lower() not in (".png", ".jpg", ".jpeg"):
            raise UsageError(f"{option} {path.name}: a picture's name ends in .png or .jpg.")
    named = named_corners(corners, size)
    lines = tuple(around or ())
    options = work.PhotoOptions(
        camera, named, tuple(taps or ()), mat, collection=collection, lines=lines, references=references
    )
    earlier = None if previous is None else read_json(previous)
    with progress(quiet) as step:
        roster = table_given(table, named, photos[0], camera)

        def look(knowing: TableFile, heights: Mapping[str, Any] | None) -> Observed:
            return work.observe_photos(photos, knowing, replace(options, previous=heights), progress=step)

        data: Mapping[str, Any]
        if earlier is None:
            observed = look(roster, None)
            seen, data = observed.observation, observed.observation.to_json()
        else:
            observed, seen, data = observe_after(earlier, roster, look)
        files = {}
        if drawing:
            files[drawing] = work.annotate(observed.photo, seen, roster, drawing.suffix, shown=observed.shown)
        if trusted:
            suffix = trusted.suffix.lower()
            files[trusted] = work.draw_trust(observed.photo, seen, roster, suffix, shown=observed.shown)
    give(data, json_out, target, files)
    work.keep_photo(observed, roster, options)
    tell(seen_in_words(seen, roster, target), json_target=json_out, quiet=quiet)


def referee(
    photos: Photos,
    table: Table,
    out: Annotated[Path, typer.Option(help="The folder to write the results into; created if missing.")],
    camera: CameraFile = None,
    corners: Corners = None,
    size: Size = None,
    taps: Taps = None,
    around: Lines = None,
    mat: BareMat = None,
    collection: KnownThings = None,
    references: References = None,
    dice: Dice = None,
    quiet: Quiet = False,
) -> None:
    """Judge a photo, or several together: observation, report, pictures, one page with every shot and its reasons."""
    from tabletop.referee.judging import Observed, PhotoOptions, keep_photo, referee_photos

    named = named_corners(corners, size)
    lines = tuple(around or ())
    options = PhotoOptions(
        camera, named, tuple(taps or ()), mat, collection=collection, lines=lines, references=references
    )
    with progress(quiet) as step:
        verdicts = referee_photos(photos, table, out, options, dice=dice, progress=step)
    keep_photo(Observed(verdicts.observation, verdicts.photo, verdicts.shown), verdicts.table, options)
    tell(judged_in_words(verdicts, out), json_target=None, quiet=quiet)


def named_corners(text: str | None, size: str | None = None) -> NamedCorners | None:
    """The corners and size in ``--corners`` and ``--size``; raises UsageError unless the corners are four pairs of
    numbers, and CornersRejected for a size that can't be read.

    >>> named_corners("80,700 900,690 760,90 210,80").pixels
    ((80.0, 700.0), (900.0, 690.0), (760.0, 90.0), (210.0, 80.0))
    """
    from calibration.known_rectangles import parse_rectangle
    from calibration.named_corners import NamedCorners

    if text is None:
        if size is not None:
            raise UsageError("--size is that of a rectangle with named corners: add --corners.")
        return None
    pairs = [pair.split(",") for pair in text.replace(", ", ",").replace(";", " ").split()]
    try:
        places = [(float(x), float(y)) for x, y in pairs]
    except ValueError:
        places = []
    if len(places) != 4 or not all(isfinite(value) for place in places for value in place):
        raise UsageError(
            f'--corners "{text}": give four corners as "x,y x,y x,y x,y", in pixels of the upright photo: near-left, '
            "near-right, far-right, far-left."
        )
    return NamedCorners(tuple(places), None if size is None else parse_rectangle(size))


def table_given(
    table: Path | None, named: NamedCorners | None, photo: Path | None = None, camera: Path | None = None
) -> TableFile:
    """The table of a file or of a size, or else the rectangle named in a photo.

    Raises TabletopError and CalibrationError; UsageError if the size of the table is unknown.
    """
    from tabletop.referee.judging import load_for_photo, measured_table_size

    if table is not None:
        return sized_table(table) or load_for_photo(table)
    rectangle = None if named is None else named.rectangle
    if named is None or rectangle is None:
        raise UsageError(
            "How large is the table? Give its table file or its size as --table, or name a rectangle: "
            '--corners "x,y x,y x,y x,y" --size 60x44.'
        )
    if rectangle.sheet or rectangle.at is not None:
        raise UsageError("The rectangle named is on a table: say how large that is, for example --table 60x44.")
    size = rectangle.whole_in
    if size is None:
        assert photo is not None
        size = measured_table_size(photo, named, camera)
    return _plain_table(size)


def sized_table(table: Path) -> TableFile | None:
    """The table given by its size instead of a file (``60x44``); ``None`` for a file."""
    from calibration.errors import CornersRejected
    from calibration.known_rectangles import parse_rectangle

    if table.exists() or table.suffix:
        return None
    try:
        named = parse_rectangle(str(table))
    except CornersRejected:
        return None
    return None if named.whole_in is None or named.at is not None else _plain_table(named.whole_in)


def _plain_table(size_in: tuple[float, float]) -> TableFile:
    from tabletop.tables.model import TableFile

    return TableFile(*size_in, None, name="the table")


def observe_after(
    previous: object, roster: TableFile, look: Callable[[TableFile, Mapping[str, Any] | None], Observed]
) -> tuple[Observed, Observation, Mapping[str, Any]]:
    """The observation of photos after the previous one, named as by :func:`name_by_previous`.

    ``look`` reads them, for a table file and the heights from earlier photos. If the two are out of step (another
    table, or too many changes), they are read again without terrain and heights from before.
    """
    from tabletop.reconcile.ground_before import with_ground

    heights = previous if isinstance(previous, Mapping) else None
    observed = look(with_ground(roster, previous), heights)
    seen, data = name_by_previous(observed.observation, previous, roster)
    if heights is not None and data["sync"]["state"] != "in step":
        observed = look(roster, None)
        seen, data = name_by_previous(observed.observation, previous, roster)
    return observed, seen, data


def name_by_previous(seen: Observation, previous: object, table: TableFile) -> tuple[Observation, Mapping[str, Any]]:
    """An observation with its nameless bases named wherever the previous one makes that certain, and its mapping for
    JSON, which also says whether the two are in step."""
    from tabletop.changes.proposals import KNOWN, seeing_of
    from tabletop.identity.table_snapshot import samples, sighting_from_json
    from tabletop.reconcile.names_from_previous import name_from_previous
    from tabletop.referee.judging import rules_of
    from vision.model.observation import Question

    rules = rules_of(table)
    limits = seeing_of(rules).limits() if rules in KNOWN else None
    elsewhere = samples(table, sighting_from_json(previous, "the previous observation"))
    told = name_from_previous(previous, seen.to_json(), limits, elsewhere=elsewhere)
    labels = tuple(
        replace(label, **{key: base[key] for key in ("unit", "side", "kind", "unique", "method")})
        for label, base in zip(seen.labels, told["bases"], strict=True)
    )
    questions, further = (
        tuple(Question.from_json(question) for question in told.get(key, ()))
        for key in ("questions", "further_questions")
    )
    unconfirmed = {row["id"] for row in told.get("possible_terrain", ())}
    pieces = (*seen.terrain, *seen.possible)
    seen = replace(
        seen,
        terrain=tuple(piece for piece in pieces if piece.id not in unconfirmed),
        possible=tuple(piece for piece in pieces if piece.id in unconfirmed),
    )
    warnings = tuple(told["warnings"])
    return replace(seen, labels=labels, questions=questions, further=further, warnings=warnings), told


def seen_in_words(seen: Observation, table: TableFile, file: Path | None = None) -> str:
    """An observation in a few lines; ``file`` is its file, if written."""
    from calibration.corners import NEAR_EDGE_GUESSED

    found = {label.unit for label in seen.labels if label.unit is not None}
    missing = [unit.id for unit in table.units if unit.id not in found]
    loose = sum(label.unit is None for label in seen.labels)
    lines = [
        _found_in_words(len(found), table, len(seen.labels) - loose, loose),
        *(_fit_in_words(photo, alone=len(seen.photos) == 1) for photo in seen.photos),
    ]
    if missing:
        lines.append(f"Not found: {', '.join(missing)}.")
    lines += seen.warnings
    if any(warning.startswith(NEAR_EDGE_GUESSED) for warning in seen.warnings):
        lines.append("--corners names the corners.")
    lines += [advice.says for advice in seen.advice]
    if seen.questions:
        n = len(seen.questions)
        settle = "`tabletop settle`" if file is None else f"`tabletop settle {file}`"
        lines.append(f"{n} {'question is' if n == 1 else 'questions are'} open: {settle} lists and answers them.")
    lines += folded_in_words({"further_questions": [{"ask": question.ask} for question in seen.further]}, file)
    return "\n".join(lines)


def _found_in_words(units: int, table: TableFile, bases: int, loose: int) -> str:
    """The numbers of units and bases of the table file that were found, and of ``loose`` bases without a certain
    unit."""
    if not table.units:
        return f"{count(bases + loose, 'base')} found."
    other = f", and {count(loose, 'base')} without a certain unit" if loose else ""
    every = sum(unit.bases for unit in table.units)
    return f"{units} of {len(table.units)} units found: {bases} of {every} bases{other}."


def _fit_in_words(photo: PhotoView, *, alone: bool) -> str:
    markers = ", ".join(map(str, photo.view.markers_seen))
    points = f"{photo.view.points} points of the table fit" if photo.view.points else "the table's corners fit"
    what = f"frame markers {markers} fit" if markers else points
    said = f"{what} to {photo.view.rms_px:.2f} pixels."
    return said[0].upper() + said[1:] if alone else f"{photo.file}: {said}"


def judged_in_words(verdicts: Verdicts, out: Path) -> str:
    """A summary of the verdicts and where to read them."""
    return "\n".join(
        [
            seen_in_words(verdicts.observation, verdicts.table, out / "observation.json"),
            verdict_counts(verdicts.report),
            f"Read {out / 'index.html'}",
        ]
    )
