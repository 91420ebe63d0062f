"""``tabletop init``: a folder to begin with, a sample photograph and the sheets that fit its table file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabletop.cli.output import Quiet, tell
from tabletop.cli.printing import Paper
from tabletop.errors import UsageError
from tabletop.files import check_folder, write_folder
from tabletop.tables.sample import sample_photo, sample_table

PHOTO, TABLE, MARKERS, TAGS, NEXT = "photo.jpg", "table.toml", "markers.pdf", "tags.pdf", "next.txt"


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make.")],
    paper: Paper = "letter",
    quiet: Quiet = False,
) -> None:
    """Make a folder to begin with: a sample photo, its table file, the markers and tags to print for that very file."""
    from tabletop.equipment import prints
    from tabletop.tables.tablefile import parse_table

    check_folder(folder)
    source = sample_table().read_bytes()
    table = parse_table(source)
    files = {
        PHOTO: sample_photo().read_bytes(),
        TABLE: source,
        MARKERS: prints.markers_of(table, 0.0, paper).printed.pdf,
        TAGS: prints.tags_of(table, paper).printed.pdf,
        NEXT: next_steps(folder).encode(),
    }
    there = [name for name in files if (folder / name).exists()]
    if there:
        raise UsageError(f"{folder} has a {there[0]} already, and nothing of yours is written over: name a new folder.")
    write_folder(folder, files)
    tell(f"{folder} holds {', '.join(files)}.\n\n{next_steps(folder)}".rstrip(), json_target=None, quiet=quiet)


def next_steps(folder: Path) -> str:
    """What to do with the folder."""
    place = str(folder)
    at = f'"{place}"' if " " in place else place
    return f"""\
Try the sample first:
  cd {at}
  tabletop referee {PHOTO} --table {TABLE} --out results
Then open results/index.html: every shot on that table, with its reasons.

Then your own table:
1. Print {MARKERS} and {TAGS} at 100 % (actual size), and check the ruler on
   each page with your own.
2. Lay the markers in the corners of the table as {TABLE} says under [frame],
   and glue a tag on one base of each unit.
3. Change {TABLE}: the size of the table, your sides and units, your terrain.
   Faults in it are reported with their line.
4. Stand high, take a photo with all the markers in it, and judge it as you
   judged the sample. `tabletop doctor` reports what is missing in a photo:
     tabletop doctor {PHOTO} --table {TABLE}

With phones in place of files: tabletop serve
"""
