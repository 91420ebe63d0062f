"""``tabletop import``: maps and rosters of other programs as a table file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from tabletop.cli import game_input
from tabletop.cli.output import Quiet, check_target, tell
from tabletop.errors import UsageError
from tabletop.files import write_files

_HELP = "Read a Universal VTT map and rosters (BattleScribe, New Recruit, Army Forge) as a table file."

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command(help=_HELP, short_help=_HELP)
def import_(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILES",
            help="A map (.uvtt, .dd2vtt, .df2vtt), rosters (.ros, .rosz, .json, .txt) in the order of sides.",
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="TABLE.toml", help="The table file to write; a map's picture beside it.")
    ],
    grid: Annotated[
        float | None, typer.Option(metavar="INCHES", help="The side of a map's squares. [default: 1 inch]")
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxD", help="The table's size in inches, without a map.")] = "48x48",
    sides: Annotated[str, typer.Option(metavar="NAMES", help="The sides, the first roster's first.")] = "blue,red",
    base: Annotated[
        list[str],
        typer.Option(metavar="SIZE", help='Base sizes missing from a roster: 32mm, or "Lancers=25x50mm" for one unit.'),
    ] = [],  # noqa: B006 - typer reads it as the default and never changes it
    walls: Annotated[str, typer.Option(metavar="KIND", help="The kind of terrain that a map's walls become.")] = "town",
    quiet: Quiet = False,
) -> None:
    """Read maps and rosters of other programs as a table file, to begin a game of `measure` with."""
    from tabletop.imports.together import Wishes, import_files

    path = check_target(out)
    if path is None or path.suffix.lower() != ".toml":
        raise UsageError("A table file's name ends in .toml: give --out sunday.table.toml.")
    told = re.fullmatch(r"(\d+(?:\.\d+)?)\s*[x×]\s*(\d+(?:\.\d+)?)", size)
    if told is None:
        raise UsageError(f'"{size}" is not a table size: give --size 48x36, in inches.')
    names = tuple(part.strip() for part in sides.split(","))
    wishes = Wishes(grid, (float(told[1]), float(told[2])), names, tuple(base), walls)
    if len({file.name for file in files}) < len(files):
        raise UsageError("Two of the files have the same name: rename one of them.")
    made = import_files({file.name: game_input.read(file) for file in files}, wishes)
    written = {path: made.toml.encode()}
    notes = list(made.notes)
    if made.picture is not None:
        ending, content = made.picture
        picture = path.with_name(path.name.removesuffix(".toml").removesuffix(".table") + ending)
        written[picture] = content
        notes.append(f"Its picture: {picture}.")
    write_files(written)
    notes.append(f"To begin with it: tabletop new --table {path}")
    tell("\n".join(notes), json_target=None, quiet=quiet)
