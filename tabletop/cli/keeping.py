"""``tabletop backup``, ``restore`` and ``move``: a server's data as one file, and in another place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabletop.cli.output import Quiet, tell
from tabletop.cli.serving import DataFolder, Photos, Url, own_folder
from tabletop.errors import UsageError

ToData = Annotated[Path | None, typer.Option(help="The folder to copy to. [default: the user's own data folder]")]
ToUrl = Annotated[str, typer.Option(help="The database to copy to: postgresql+psycopg://USER@HOST/NAME.")]
ToPhotos = Annotated[str, typer.Option(help="The bucket to copy pictures to: s3://NAME/FOLDER.")]


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write, as club.zip.")],
    check: Annotated[
        bool, typer.Option("--check", help="Read the whole file instead of writing it, and report its contents.")
    ] = False,
    data: DataFolder = None,
    url: Url = "",
    photos: Photos = "",
    quiet: Quiet = False,
) -> None:
    """Write all data of a server, games, seats and pictures, into one file; the server may run meanwhile."""
    from api.backups import Place, back_up
    from api.backups import check as check_file

    if check:
        tell(f"{file} is whole: it has {check_file(file)}.", json_target=None, quiet=quiet)
        return
    copied = back_up(Place(data or own_folder(), url, photos), file)
    tell(f"{file} has {copied}.", json_target=None, quiet=quiet)


def restore(
    file: Annotated[Path, typer.Argument(help="A file from `tabletop backup`.")],
    data: DataFolder = None,
    url: Url = "",
    photos: Photos = "",
    quiet: Quiet = False,
) -> None:
    """Read a backup into an empty folder, or an empty database and bucket."""
    from api.backups import Place
    from api.backups import restore as read_back

    place = Place(data or own_folder(), url, photos)
    copied = read_back(file, place)
    tell(f"Restored: {copied}.", json_target=None, quiet=quiet)


def move(
    data: DataFolder = None,
    url: Url = "",
    photos: Photos = "",
    to_data: ToData = None,
    to_url: ToUrl = "",
    to_photos: ToPhotos = "",
    quiet: Quiet = False,
) -> None:
    """Copy all data of a server to another folder, or a database and a bucket; stop the server first.

    The original stays until you delete it.
    """
    if to_data is None and not to_url and not to_photos:
        raise UsageError(
            "Say where it goes: --to-data FOLDER, or --to-url and --to-photos for a database and a bucket."
        )
    from api.backups import Place
    from api.backups import move as copy_over

    copied = copy_over(Place(data or own_folder(), url, photos), Place(to_data or own_folder(), to_url, to_photos))
    tell(f"Copied: {copied}. Start the server with its new place now.", json_target=None, quiet=quiet)
