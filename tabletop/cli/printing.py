"""``tabletop print``: markers, tags, the calibration board, sheets of other packages, as PDF at exact scale."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.cli.output import Quiet, Unit, check_file, tell
from tabletop.cli.usage import Command
from tabletop.errors import UsageError
from tabletop.files import write_files
from tabletop.units import PER_INCH, LengthUnit, in_unit

if TYPE_CHECKING:
    from tabletop.equipment.prints import Sheets

_HELP = "Print frame markers, unit tags, the calibration board or another package's sheet at exact scale (PDF)."

app = typer.Typer(
    help=_HELP,
    short_help=_HELP,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
)

Out = Annotated[Path, typer.Option(metavar="FILE.pdf", help="The PDF to write.")]
Paper = Annotated[str, typer.Option(help="letter or a4.")]
TableFileOption = Annotated[Path | None, typer.Option(help="A table file: print its markers or tags.")]


@app.command(cls=Command)
def markers(
    out: Out,
    table: TableFileOption = None,
    width: Annotated[
        float | None, typer.Option(help="Without a table file: the table's size along x. [default: 36 inches]")
    ] = None,
    depth: Annotated[
        float | None, typer.Option(help="Without a table file: the table's size along y. [default: 36 inches]")
    ] = None,
    size: Annotated[
        float | None, typer.Option(help="Without a table file: the black square's side. [default: 3 inches]")
    ] = None,
    unit: Unit = "in",
    paper: Paper = "letter",
    quiet: Quiet = False,
) -> None:
    """Print the frame markers for the table, and show the lines for the table file."""
    from tabletop.equipment import prints
    from tabletop.tables.tablefile import load_table

    known = None if table is None else load_table(table)
    side_in = _inches(size, unit, 3.0)
    with _refusing_in(unit):
        if known is None:
            sheets = prints.markers(_inches(width, unit, 36.0), _inches(depth, unit, 36.0), side_in, paper, unit)
        else:
            sheets = prints.markers_of(known, side_in, paper, unit)
    advice = f"Lay them so, and write this into {_file_in(unit)}:\n{sheets.toml}".rstrip()
    _write(sheets, out, advice if sheets.toml else f"Lay them as {table} says.", quiet)


@app.command(cls=Command)
def tags(
    out: Out,
    table: TableFileOption = None,
    count: Annotated[int, typer.Option(help="Without a table file: how many tags.", min=1, max=600)] = 24,
    first: Annotated[int, typer.Option(help="Without a table file: the first tag's number.", min=0)] = 0,
    size: Annotated[
        float | None, typer.Option(help="Without a table file: the black square's side. [default: 0.6 inches]")
    ] = None,
    unit: Unit = "in",
    dictionary: Annotated[str, typer.Option(help="Without a table file: the tags' dictionary.")] = "DICT_APRILTAG_25h9",
    paper: Paper = "letter",
    quiet: Quiet = False,
) -> None:
    """Print the small tags for units' bases, with the units' names if a table file gives them."""
    from tabletop.equipment import prints
    from tabletop.tables.tablefile import load_table

    with _refusing_in(unit):
        if table is not None:
            sheets = prints.tags_of(load_table(table), paper, unit)
            advice = f"Glue them as {table} says."
        else:
            sheets = prints.tags(first, count, _inches(size, unit, 0.6), dictionary, paper, unit)
            advice = f"Write this into {_file_in(unit)}:\n{sheets.toml}"
    _write(sheets, out, advice, quiet)


@app.command(cls=Command)
def board(
    out: Out,
    board: Annotated[str | None, typer.Option(help="Another board, as for `tabletop calibrate --board`.")] = None,
    paper: Paper = "letter",
    quiet: Quiet = False,
) -> None:
    """Print the calibration board, and write its board file beside it."""
    from calibration.boards import Board
    from calibration.printables import print_board
    from tabletop.equipment.prints import Sheets

    printed = print_board(Board.read(board) if board else None, paper)
    advice = f"Photograph it ten or more times from all sides, then: tabletop calibrate PHOTOS --board {_beside(out)}"
    _write(Sheets(printed, "The calibration board"), out, advice, quiet)


@app.command()
def sheet(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="The sheet. [default: list them]")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE.pdf", help="The PDF to write.")] = None,
    unit: Unit = "in",
    paper: Paper = "letter",
    quiet: Quiet = False,
) -> None:
    """Print a sheet of another package, or list the available ones."""
    from tabletop.equipment import prints

    if name is None:
        rows = [f"{known}  {one.title}: {one.says}" for known, one in prints.other_sheets().items()]
        tell("\n".join(rows) or "No other package brings a sheet.", json_target=None, quiet=quiet)
        return
    if out is None:
        raise UsageError(f"Name the PDF to write: tabletop print sheet {name} --out {name}.pdf")
    path = _pdf_path(out)
    write_files({path: prints.other_sheet(name, paper, unit)})
    tell(f"{prints.other_sheets()[name].title} in {path}. Print at 100 % (actual size).", json_target=None, quiet=quiet)


@contextmanager
def _refusing_in(unit: LengthUnit) -> Iterator[None]:
    """Errors of printing, in a unit."""
    from calibration.errors import PrintError

    try:
        yield
    except PrintError as error:
        raise PrintError(in_unit(str(error), unit)) from error


def _inches(length: float | None, unit: LengthUnit, default_in: float) -> float:
    return default_in if length is None else length / PER_INCH[unit]


def _file_in(unit: LengthUnit) -> str:
    return "the table file" if unit == "in" else f'the table file, with unit = "{unit}" in [table]'


def _beside(out: Path) -> Path:
    return out.with_suffix(".toml")


def _pdf_path(out: Path) -> Path:
    path = check_file(out, "A PDF")
    assert path is not None
    if path.suffix.lower() != ".pdf":
        raise UsageError(f"--out {path.name}: a PDF's name ends in .pdf.")
    return path


def _write(sheets: Sheets, out: Path, advice: str, quiet: bool) -> None:
    path = _pdf_path(out)
    files = {path: sheets.printed.pdf}
    if sheets.printed.board is not None:
        files[_beside(path)] = sheets.printed.board.to_toml().encode()
    write_files(files)
    tell(
        f"{sheets.what} in {path}. Print at 100 % (actual size) and check the ruler on the page.\n{advice}",
        json_target=None,
        quiet=quiet,
    )
