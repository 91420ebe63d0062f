"""``tabletop overlay``: a photographed table read through the hex board of a game or through a board of squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli.output import JsonOut, Quiet, check_file, check_target, give, progress, tell
from tabletop.cli.photos import Corners, Size, named_corners
from tabletop.cli.rulings import read_json
from tabletop.errors import UsageError

if TYPE_CHECKING:
    from tabletop.cli.overlay_source import ShownTable
    from tabletop.grids.board_reader import BoardReader, BoardReading
    from tabletop.grids.placement import BoardPlacement
    from tabletop.tables.model import TableFile


def overlay(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="PHOTO|OBSERVATION", help="A photo of the table, or its observation from `tabletop observe`."
        ),
    ],
    table: Annotated[Path, typer.Option(help="The table file (TOML); its [overlay] lays the grid.")],
    taps: Annotated[
        list[str] | None,
        typer.Option(
            "--tap-hex",
            "--tap",
            metavar="CELL@X,Y",
            help="The centre of a hex or square, in inches on the table (1-1@3.5,2 or a1@3.5,2) or pixels "
            "of the upright photo (1-1@310,480px). Give two or more, far apart: they lay the grid.",
        ),
    ] = None,
    fit: Annotated[bool, typer.Option("--fit", help="Lay the grid by hex-shaped terrain that is seen.")] = False,
    find: Annotated[
        bool, typer.Option("--find", help="Lay the board by its own lines, as the photo shows them.")
    ] = False,
    board: Annotated[
        str | None,
        typer.Option(help="A board of squares: columns x rows. [default: its rules' own, 8x8 or 20x24]", metavar="8x8"),
    ] = None,
    answers: Annotated[
        list[str] | None,
        typer.Option(
            "--answer",
            metavar="QUESTION=VALUE",
            help='The value of a hex, piece of terrain, platoon or facing: "4-3=woods + road", t4=none, A2=4-4, '
            '"A2 facing=1", 4-3=#2 for the second answer listed. May be repeated.',
        ),
    ] = None,
    previous: Annotated[
        Path | None,
        typer.Option(help="The position from an earlier run: its answers, grid and counts are kept."),
    ] = None,
    camera: Annotated[Path | None, typer.Option(help="The camera's calibration, for a photo.")] = None,
    corners: Corners = None,
    size: Size = None,
    json_out: JsonOut = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw it: over the photo (.png, .jpg) or as a plain map (.svg)."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Lay the board over a photographed table: its terrain, and the hex or square of each unit.

    Hexes become a Combined Arms position; squares come from the table file's rules or --board.

    Anything less certain than 95 % becomes a question: hexes, platoons across a hexside, facings between two corners.
    Answers go into the file that --json names; give it back with --previous, and none is lost.
    """
    from tabletop.cli.overlay_board import (
        board_that_places,
        field_corners,
        options_of,
        placement_on,
        plays_on_squares,
        reader_for,
        where_it_lies,
    )
    from tabletop.cli.overlay_source import is_photo, shown_in
    from tabletop.cli.settle import questions_in_words
    from tabletop.referee.judging import PhotoOptions, load_for_photo, open_photo

    target, drawn = check_target(json_out), check_file(picture)
    if drawn is not None and drawn.suffix.casefold() not in (".png", ".jpg", ".jpeg", ".svg"):
        raise UsageError(f"--picture {drawn.name}: a picture's name ends in .png, .jpg or .svg.")
    roster = load_for_photo(table)
    on_squares = plays_on_squares(roster, board)
    if on_squares and fit:
        raise UsageError("--fit lays hexes by terrain; a board of squares is laid by its lines: --find.")
    if find and fit:
        raise UsageError("--find and --fit both lay the grid: give one of the two.")
    if not on_squares and board is not None:
        raise UsageError(f"--board is for boards of squares, and {roster.name} lays hexes.")
    reader = reader_for(roster, board)
    if reader.kinds and reader.rules is not None and roster.rules == reader.rules:
        roster.check_kinds(reader.kinds, reader.rules)
    earlier = None if previous is None else reader.earlier(read_json(previous), previous.name)
    wished, laying = _answers(answers or ()), options_of(taps or (), fit, find, reader.cells)
    options = PhotoOptions(camera, named_corners(corners, size))
    before = None if earlier is None else earlier.placement
    on_table = board_that_places(roster, reader, laying, before) if corners is None and is_photo(source) else None
    with progress(quiet) as step:
        if on_table is None:
            shown = shown_in(source, roster, options, step)
            placement = placement_on(shown, roster, reader, laying, before)
        else:
            photo = open_photo(source)
            step("looking for the board's lines")
            at, placement = on_table.find_in(photo)
            shown = shown_in(source, roster, replace(options, corners=at), step, photo)
        placement.check_fits((roster.width_in, roster.depth_in))
        data, notes = _readable(shown.data, roster, reader)
        reading = reader.read(data, placement, wished, earlier, notes)
        result, pictures = {**reading.to_json(), **field_corners(shown, placement)}, {}
        if drawn is not None:
            step("drawing the overlay")
            pictures[drawn] = _picture(reading, placement, shown, roster, source, drawn.suffix.casefold())
    give(result, json_out, target, pictures)
    lines = [where_it_lies(placement), *reading.in_words(), *questions_in_words({"questions": reading.questions})]
    if wished and json_out is None:
        lines.append("Nothing was written: add --json FILE to keep these answers.")
    tell("\n".join(lines), json_target=json_out, quiet=quiet)


def _answers(given: Sequence[str]) -> dict[str, str]:
    """Answers as typed, by their subject."""
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise UsageError(f"--answer {text}: write it as QUESTION=VALUE, for example 4-3=woods.")
        if name.strip() in found:
            raise UsageError(f"--answer: {name.strip()} is answered twice; keep one of the two.")
        found[name.strip()] = value.strip()
    return found


def _readable(
    data: Mapping[str, Any], roster: TableFile, reader: BoardReader
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """The table to read, without units of other rules than the board's, and notes on omitted units."""
    if reader.rules is None or roster.rules in (None, reader.rules):
        return data, ()
    bare = {key: value for key, value in data.items() if key not in ("bases", "markers", "units")}
    bare |= {"bases": [], "photos": data.get("photos", [])} if "bases" in data else {"units": []}
    note = f"Units are left out: {roster.name} is for {roster.rules}, and only {reader.rules} has these hexes."
    return bare, (note,)


def _picture(
    reading: BoardReading, placement: BoardPlacement, shown: ShownTable, roster: TableFile, source: Path, suffix: str
) -> bytes:
    """The reading drawn over the photo, or as a plain map."""
    from tabletop.cli.overlay_drawing import as_map, drawing_on, over_photo

    drawing = drawing_on(placement, reading.drawing(), shown.data)
    if suffix == ".svg":
        return as_map(drawing, (roster.width_in, roster.depth_in), source.name)
    return over_photo(drawing, shown.needed_photo(source), shown.needed_view(), suffix)
