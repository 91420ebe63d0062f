"""``tabletop calibrate``: a camera from pictures of a printed board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.cli.output import JsonOut, Quiet, Step, check_target, give, progress, tell
from tabletop.errors import UsageError

if TYPE_CHECKING:
    from calibration.charuco import BoardPicture


def calibrate(
    photos: Annotated[list[Path], typer.Argument(metavar="PHOTOS", help="Pictures of the board, ten or more.")],
    board: Annotated[
        str,
        typer.Option(
            metavar="BOARD",
            help="The printed board: letter or a4 for the product's own, COLUMNSxROWS:SQUARE:MARKER:DICTIONARY as in "
            "8x11:24mm:0.70in:DICT_5X5_100, COLUMNSxROWS:SQUARE for a chessboard, or a board file.",
        ),
    ],
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Calibrate a phone's camera from pictures of a printed board, all taken in one camera mode without zoom."""
    from calibration.boards import Board
    from calibration.charuco import calibrate as solve

    target, stated = check_target(json_out), Board.read(board)
    twice = {path for path in photos if photos.count(path) > 1}
    if twice:
        raise UsageError(f"{min(twice)} is named {photos.count(min(twice))} times: name each picture once.")
    with progress(quiet) as step:
        result = solve(_pictures(photos, step), stated)
    camera = {**result.camera.to_json(), "board": stated.to_text(), "pictures": [asdict(p) for p in result.pictures]}
    give(camera, json_out, target)
    tell(result.summary, json_target=json_out, quiet=quiet)


def _pictures(photos: list[Path], step: Step) -> Iterator[BoardPicture]:
    """The pictures one by one, so that only one is in memory."""
    from calibration.charuco import BoardPicture
    from vision.imaging.photo import open_photo

    names = [path.name for path in photos]
    for n, path in enumerate(photos, 1):
        step(f"looking for the board in picture {n} of {len(photos)}")
        photo = open_photo(path)
        # a picture without any EXIF may have been turned by some program: its orientation is not known then
        known = any((photo.focal_35mm, photo.model, photo.taken)) or photo.orientation != 1
        name = str(path) if names.count(path.name) > 1 else path.name
        yield BoardPicture(name, photo.gray, photo.orientation if known else None)
    step("solving the camera")
