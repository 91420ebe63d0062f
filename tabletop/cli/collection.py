"""``tabletop learn`` and ``tabletop collection``: the players' pieces, learnt from settled photos, shown and pruned."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.cli.output import JsonOut, Quiet, check_file, check_target, give, progress, tell
from tabletop.cli.photos import Lines, Table
from tabletop.cli.rulings import read_json
from tabletop.errors import UsageError

if TYPE_CHECKING:
    from vision.model.collection import Collection

CollectionFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A collection, written by `tabletop learn`."),
]


def learn(
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="The photo that was observed and settled.")],
    table: Table,
    observation: Annotated[
        Path, typer.Option(help="Its settled observation (JSON): confirmed items have confidence 1.")
    ],
    collection: Annotated[Path, typer.Option(help="The collection to add to; created if missing.")],
    merge: Annotated[Path | None, typer.Option(help="Another collection to copy photos from as well.")] = None,
    around: Lines = None,
    quiet: Quiet = False,
) -> None:
    """Add a settled observation to a collection, which helps to read later photos of the same pieces."""
    from tabletop.referee import collecting
    from tabletop.referee.collection_files import load_collection
    from tabletop.referee.judging import load_for_photo

    check_file(collection, "A collection")
    other = None if merge is None else load_collection(merge)
    with progress(quiet) as step:
        step("learning from the photo")
        learnt = collecting.learn_photo(
            photo, load_for_photo(table), read_json(observation), collection, other, around or ()
        )
    tell("\n".join(collecting.learnt_in_words(learnt, photo.name)), json_target=None, quiet=quiet)


def collection(
    file: CollectionFile,
    picture: Annotated[Path | None, typer.Option(help="Draw the small pictures that it keeps (PNG).")] = None,
    forget: Annotated[
        list[str] | None, typer.Option(help="Take a photo out, by the start of its id. May be repeated.", metavar="ID")
    ] = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """List the contents of a collection, show its pictures, or forget a photo."""
    from tabletop.referee import collecting
    from tabletop.referee.collection_files import change_collection, load_collection

    target, drawing = check_target(json_out), check_file(picture)
    if drawing is not None and drawing.suffix.lower() != ".png":
        raise UsageError(f"--picture {drawing.name}: the picture's name ends in .png.")

    def pruned(whole: Collection) -> Collection:
        for photo_id in forget or ():
            whole = whole.without(photo_id)
        return whole

    held = pruned(load_collection(file))
    files = {} if drawing is None else {drawing: collecting.contact_sheet(held)}
    if forget:
        held = change_collection(file, pruned)
    give(collecting.to_json(held), json_out, target, files)
    tell("\n".join(collecting.in_words(held)), json_target=json_out, quiet=quiet)
