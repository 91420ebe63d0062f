"""``tabletop overlay``: a photographed table read as the hex board of Combined Arms or as a board of squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli.output import JsonOut, Quiet, Step, check_target, progress, tell, write_files
from tabletop.cli.rulings import read_json
from tabletop.errors import SceneError, UsageError

if TYPE_CHECKING:
    from calibration import TableView
    from tabletop.overlay.laid import Laid
    from tabletop.overlay.position import Earlier
    from tabletop.overlay.reading import Reading
    from tabletop.tablefile import TableFile
    from vision.hex_drawing import HexDrawing
    from vision.photo import Photo

_PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".mpo", ".tif", ".tiff", ".bmp")


@dataclass(frozen=True, eq=False)
class _Seen:
    """What is read: an observation's mapping, and the views of its photos where a photo was read just now."""

    data: Mapping[str, Any]
    view: TableView | None = None
    photo: Photo | None = None


def overlay(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="PHOTO|OBSERVATION", help="A photo of the table, or what `tabletop observe` made of it."
        ),
    ],
    table: Annotated[Path, typer.Option(help="The table file (TOML); its [overlay] lays the grid.")],
    taps: Annotated[
        list[str] | None,
        typer.Option(
            "--tap-hex",
            "--tap",
            metavar="CELL@X,Y",
            help="Where the centre of a hex or square lies, in inches on the table (1-1@3.5,2 or a1@3.5,2) or pixels "
            "of the upright photo (1-1@310,480px). Give two or more, far apart: they lay the grid.",
        ),
    ] = None,
    fit: Annotated[bool, typer.Option("--fit", help="Lay the grid by hex-shaped terrain that is seen.")] = False,
    find: Annotated[
        bool, typer.Option("--find", help="Lay a board of squares by its own lines, as the photo shows them.")
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
            help='What a hex, a piece of terrain, a platoon or its facing is: "4-3=woods + road", t4=none, A2=4-4, '
            '"A2 facing=1", 4-3=#2 for the second answer listed. May be repeated.',
        ),
    ] = None,
    previous: Annotated[
        Path | None,
        typer.Option(help="The position that this command wrote before: its answers, grid and counts are taken over."),
    ] = None,
    camera: Annotated[Path | None, typer.Option(help="The camera's calibration, for a photo.")] = None,
    json_out: JsonOut = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw it: over the photo (.png, .jpg) or as a plain map (.svg)."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Lay the board over a photographed table: its terrain, and which unit stands on which hex or square.

    Hexes become a Combined Arms position; squares are those of the table file's rules or --board.

    What can't be told at 95 % is asked about: hexes, platoons that straddle a hexside, facings between two corners.
    Answers go into the file that --json names; give it back with --previous, and none is lost.
    """
    from tabletop.cli.overlay_square import plays_on_squares
    from tabletop.cli.overlay_text import in_words
    from tabletop.overlay.forces import KINDS
    from tabletop.overlay.laid import check_fits
    from tabletop.overlay.position import earlier_from, to_json
    from tabletop.referee import json_bytes, load_for_photo
    from tabletop.rulesets.combined_arms.data import NAME

    target, drawn = check_target(json_out), check_target(picture)
    if drawn is not None and drawn.suffix.casefold() not in (".png", ".jpg", ".jpeg", ".svg"):
        raise UsageError(f"--picture {drawn.name}: a picture's name ends in .png, .jpg or .svg.")
    roster = load_for_photo(table)
    if plays_on_squares(roster, board):
        if fit:
            raise UsageError("--fit lays hexes by terrain; a board of squares is laid by its lines: --find.")
        read = _squares(source, roster, taps or (), find, board, answers or (), previous, camera, target, drawn, quiet)
        if json_out == "-":
            typer.echo(read.json, nl=False)
        tell("\n".join(read.told), json_target=json_out, quiet=quiet)
        return
    if find or board is not None:
        raise UsageError(f"--find and --board are for boards of squares, and {roster.name} lays hexes.")
    if roster.rules == NAME:
        roster.check_kinds(KINDS, NAME)
    earlier = None if previous is None else earlier_from(read_json(previous), previous.name)
    wished = _answers(answers or ())
    with progress(quiet) as step:
        seen = _seen(source, roster, camera, step)
        laid = _laid(seen, roster, taps or (), fit, earlier)
        check_fits(laid, (roster.width_in, roster.depth_in))
        reading = _reading(seen, roster, laid, wished, earlier)
        result = to_json(reading, earlier)
        files = {target: json_bytes(result)} if target else {}
        if drawn is not None:
            step("drawing the overlay")
            files[drawn] = _picture(reading, seen, roster, source, drawn.suffix.casefold())
        write_files(files)
    if json_out == "-":
        typer.echo(json_bytes(result), nl=False)
    told = in_words(reading, result)
    if wished and json_out is None:
        told.append("Nothing was written: add --json FILE to keep these answers.")
    tell("\n".join(told), json_target=json_out, quiet=quiet)


@dataclass(frozen=True)
class _Told:
    """A board of squares as it is told: lines for people, and the JSON."""

    told: list[str]
    json: bytes


def _squares(
    source: Path,
    roster: TableFile,
    taps: Sequence[str],
    find: bool,
    said: str | None,
    answers: Sequence[str],
    previous: Path | None,
    camera: Path | None,
    target: Path | None,
    drawn: Path | None,
    quiet: bool,
) -> _Told:
    """The board of squares laid, read, written down and drawn."""
    from tabletop.cells import square_cells
    from tabletop.cli import overlay_square as squares
    from tabletop.referee import json_bytes
    from tabletop.squared.laid import parse_tap
    from tabletop.squared.reading import before_from

    if taps and find:
        raise UsageError("--tap and --find both lay the grid: give one of the two.")
    board = squares.board_for(roster, said)
    named = [(text, parse_tap(text, board)) for whole in taps for text in _apart(whole)]
    wished = _answers(answers)
    before = None if previous is None else before_from(read_json(previous), previous.name, board)
    with progress(quiet) as step:
        seen = _seen(source, roster, camera, step)
        placed = [(tap.square, *_tap_place(seen, text, tap.place, tap.in_pixels)) for text, tap in named]
        whole = squares.SquaresSeen(seen.data, seen.view, seen.photo)
        earlier, settled = before or (None, ())
        laid = squares.laid_squares(whole, roster, board, placed, find=find, earlier=earlier)
        square_cells(board).check_fits(laid.layout, (roster.width_in, roster.depth_in), laid.source)
        reading = squares.read(whole, laid, wished, earlier, settled)
        data = json_bytes({"rules": roster.rules, **reading.to_json()})
        files = {target: data} if target else {}
        if drawn is not None:
            step("drawing the overlay")
            files[drawn] = _drawn(squares.drawing_of(reading, seen.data), seen, roster, source, drawn.suffix.casefold())
        write_files(files)
    return _Told(squares.in_words(reading), data)


def _tap_place(seen: _Seen, text: str, place: tuple[float, float], in_pixels: bool) -> tuple[tuple[float, float], Any]:
    """Where a tap lies on the table, in inches, with the covariance that it has from the camera."""
    import numpy as np

    if not in_pixels:
        return place, np.zeros((2, 2))
    at, spread = _view(seen).table_from_pixel([place], 0.0)
    if not np.isfinite(at).all():
        raise UsageError(f'--tap "{text}": the table is not seen there; tap a place on it.')
    return (float(at[0, 0]), float(at[0, 1])), spread[0]


def _answers(given: Sequence[str]) -> dict[str, str]:
    """Answers as they were typed, by what they are about."""
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise UsageError(f"--answer {text}: write it as QUESTION=VALUE, for example 4-3=woods.")
        if name.strip() in found:
            raise UsageError(f"--answer: {name.strip()} is answered twice; keep one of the two.")
        found[name.strip()] = value.strip()
    return found


def _seen(source: Path, roster: TableFile, camera: Path | None, step: Step) -> _Seen:
    if source.suffix.casefold() in _PHOTOS:
        from tabletop.referee import PhotoOptions, observe_photos

        observed = observe_photos([source], roster, PhotoOptions(camera), progress=step)
        return _Seen(observed.observation.to_json(), observed.observation.photos[0].view, observed.photo)
    data = read_json(source)
    if not isinstance(data, Mapping):
        raise SceneError(f"{source.name} is no observation: name one that `tabletop observe --json` wrote, or a photo.")
    size = data.get("table")
    mine = {"width": roster.width_in, "depth": roster.depth_in}
    if isinstance(size, Mapping) and any(abs(float(size.get(key, 0)) - value) > 1e-6 for key, value in mine.items()):
        raise SceneError(
            f"{source.name} shows a table of {size.get('width'):g} x {size.get('depth'):g} and {roster.name} has one "
            f"of {roster.width_in:g} x {roster.depth_in:g}: name the table file that it was observed with."
        )
    return _Seen(data)


def _laid(seen: _Seen, roster: TableFile, taps: Sequence[str], fit: bool, earlier: Earlier | None) -> Laid:
    """Where the grid lies: by what the player says now, else as before, else by the table file."""
    from tabletop.overlay.fit import fitted_to
    from tabletop.overlay.ground import pieces_from
    from tabletop.overlay.laid import centred, from_overlay, largest_size_in
    from tabletop.sightings import sighting_from_json

    size = roster.width_in, roster.depth_in
    if taps and fit:
        raise UsageError("--tap-hex and --fit both lay the grid: give one of the two.")
    if taps:
        return _tapped(seen, [part for text in taps for part in _apart(text)])
    if fit:
        sighting_from_json(seen.data)
        return fitted_to(pieces_from(seen.data.get("terrain") or ()), size)
    if earlier is not None:
        return earlier.laid
    if roster.overlay is not None:
        return from_overlay(roster.overlay)
    middle = centred(size, round(largest_size_in(size) - 0.05, 1)).layout
    raise UsageError(
        f'{roster.name} has no [overlay]: add one (grid = "hex", size = {middle.size_in:g}, origin = '
        f"[{middle.origin[0]:.2f}, {middle.origin[1]:.2f}] would lie in the middle), tap two hexes (--tap-hex) or "
        "--fit it to hex-shaped terrain."
    )


def _apart(text: str) -> list[str]:
    """Several taps that were written into one option.

    >>> _apart("1-1@3.5,2 9-7@30,31")
    ['1-1@3.5,2', '9-7@30,31']
    """
    words = text.split()
    return words if len(words) > 1 and all("@" in word for word in words) else [text]


def _tapped(seen: _Seen, texts: Sequence[str]) -> Laid:
    import numpy as np

    from tabletop.overlay.laid import from_taps, parse_tap

    taps = [parse_tap(text) for text in texts]
    places, spreads = [], []
    for text, tap in zip(texts, taps, strict=True):
        if not tap.in_pixels:
            places.append(tap.place)
            spreads.append(np.zeros((2, 2)))
            continue
        at, spread = _view(seen).table_from_pixel([tap.place], 0.0)
        if not np.isfinite(at).all():
            raise UsageError(f'--tap-hex "{text}": the table is not seen there; tap a place on it.')
        places.append((float(at[0, 0]), float(at[0, 1])))
        spreads.append(spread[0])
    return from_taps([tap.hex for tap in taps], places, np.array(spreads))


def _view(seen: _Seen) -> TableView:
    """The camera of the photo that is drawn on and tapped in: the first of an observation."""
    if seen.view is not None:
        return seen.view
    import numpy as np

    from calibration import Camera, TableView

    photos = seen.data.get("photos") or ()
    try:
        first = next(iter(photos))
        camera = Camera(np.array(first["K"]), np.array(first["dist"]), (int(first["width"]), int(first["height"])))
        return TableView(camera, np.array(first["R"], dtype=np.float64), np.array(first["t"], dtype=np.float64))
    except (StopIteration, KeyError, TypeError, ValueError) as error:
        raise SceneError("The observation has no camera of a photo: give the photo itself instead.") from error


def _reading(seen: _Seen, roster: TableFile, laid: Laid, answers: dict[str, str], earlier: Earlier | None) -> Reading:
    from dataclasses import replace

    from tabletop.overlay.laid import farthest_in
    from tabletop.overlay.reading import read_table
    from tabletop.rulesets.combined_arms.data import NAME

    before = () if earlier is None else earlier.settled
    notes = []
    if earlier is not None and farthest_in(laid, earlier.laid) > 0.25 * laid.layout.size_in:
        hexes = [one for one in before if one.ask != "kind"]
        before = tuple(one for one in before if one.ask == "kind")
        if hexes:
            notes.append(f"The grid lies elsewhere now: {len(hexes)} earlier answers on hexes and places do not count.")
    data = seen.data
    if roster.rules not in (None, NAME):
        data = {key: value for key, value in data.items() if key not in ("bases", "markers", "units")}
        data |= {"bases": [], "photos": data.get("photos", [])} if "bases" in seen.data else {"units": []}
        notes.append(f"Units are left out: {roster.name} is for {roster.rules}, and only {NAME} has these hexes.")
    reading = read_table(data, laid, answers, before)
    return replace(reading, notes=(*notes, *reading.notes))


def _picture(reading: Reading, seen: _Seen, roster: TableFile, source: Path, suffix: str) -> bytes:
    from tabletop.cli.overlay_text import drawing_of

    return _drawn(drawing_of(reading, seen.data), seen, roster, source, suffix)


def _drawn(drawing: HexDrawing, seen: _Seen, roster: TableFile, source: Path, suffix: str) -> bytes:
    """A drawing over the photo, or as a plain map."""
    import cv2

    from vision.hex_drawing import overlay_photo, overlay_svg

    if suffix == ".svg":
        return overlay_svg(drawing, (roster.width_in, roster.depth_in), title=source.name).encode()
    image = (seen.photo or _photo_of(seen.data, source)).image
    options = [cv2.IMWRITE_JPEG_QUALITY, 88] if suffix != ".png" else [cv2.IMWRITE_PNG_COMPRESSION, 6]
    return bytes(cv2.imencode(suffix, overlay_photo(image, _view(seen), drawing), options)[1])


def _photo_of(data: Mapping[str, Any], source: Path) -> Photo:
    """The first photo of an observation, beside its file."""
    from tabletop.referee import open_photo

    photos = data.get("photos") or ()
    name = str(photos[0].get("file", "")) if photos and isinstance(photos[0], Mapping) else ""
    beside = source.parent / Path(name).name
    if not name or not beside.is_file():
        what = f"the photo {name}" if name else "the photo"
        raise UsageError(f"--picture needs {what} beside {source.name}: put it there, or give the photo itself.")
    return open_photo(beside)
