"""``tabletop demo``: the main job on a bundled photograph."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from tabletop.cli.output import Quiet, progress, tell
from tabletop.cli.photos import judged_in_words
from tabletop.cli.rulings import Dice
from tabletop.tables.sample import sample_photo, sample_table


def demo(
    out: Annotated[Path, typer.Option(help="The folder to write the results into.")] = Path("tabletop-demo"),
    dice: Dice = None,
    quiet: Quiet = False,
) -> None:
    """Judge a bundled photograph of a table, as `tabletop referee` judges yours."""
    from tabletop.referee.judging import referee_photos

    with (
        resources.as_file(sample_photo()) as photo,
        resources.as_file(sample_table()) as table,
        progress(quiet) as step,
    ):
        verdicts = referee_photos([photo], table, out, dice=dice, progress=step)
    tell(judged_in_words(verdicts, out), json_target=None, quiet=quiet)
