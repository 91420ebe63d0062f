"""``tabletop print``: frame markers, unit tags and the calibration board, as PDF at exact scale."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.cli.output import Quiet, check_target, tell, write_files
from tabletop.errors import UsageError

if TYPE_CHECKING:
    from calibration.printables import Printable, Tag

app = typer.Typer(
    help="Print frame markers, unit tags or the calibration board at exact scale (PDF).",
    rich_markup_mode=None,
    no_args_is_help=True,
)

Out = Annotated[Path, typer.Option(metavar="FILE.pdf", help="The PDF to write.")]
Paper = Annotated[str, typer.Option(help="letter or a4.")]
TableFileOption = Annotated[Path | None, typer.Option(help="A table file: print what it names.")]


@app.command()
def markers(
    out: Out,
    table: TableFileOption = None,
    width: Annotated[float, typer.Option(help="Without a table file: the table's size along x, inches.")] = 36.0,
    depth: Annotated[float, typer.Option(help="Without a table file: the table's size along y, inches.")] = 36.0,
    size: Annotated[float, typer.Option(help="Without a table file: the black square's side, inches.")] = 3.0,
    paper: Paper = "letter",
    quiet: Quiet = False,
) -> None:
    """Print the frame markers that lie on the table, and say what to write into the table file."""
    from calibration.printables import default_frame, frame_toml, print_frame
    from tabletop.referee import expected_from
    from tabletop.tablefile import load_table

    known = None if table is None else load_table(table)
    if known is not None and known.frame is not None:
        frame = expected_from(known).frame
        advice = f"Lay them as {table} says."
    else:
        if known is not None:
            width, depth = known.width_in, known.depth_in
        frame = default_frame(width, depth, marker_size_in=size)
        advice = f"Lay them so, and write this into the table file:\n{frame_toml(frame)}".rstrip()
    _write(print_frame(frame, paper), out, f"{len(frame.markers)} frame markers", advice, quiet)


@app.command()
def tags(
    out: Out,
    table: TableFileOption = None,
    count: Annotated[int, typer.Option(help="Without a table file: how many tags.", min=1, max=600)] = 24,
    first: Annotated[int, typer.Option(help="Without a table file: the first tag's number.", min=0)] = 0,
    size: Annotated[float, typer.Option(help="Without a table file: the black square's side, inches.")] = 0.6,
    dictionary: Annotated[str, typer.Option(help="Without a table file: the tags' dictionary.")] = "DICT_APRILTAG_25h9",
    paper: Paper = "letter",
    quiet: Quiet = False,
) -> None:
    """Print the small tags for units' bases, with the units' names where a table file gives them."""
    from calibration.printables import Tag, print_tags

    if table is not None:
        listed, dictionary, size = _tags_of(table)
        advice = f"Glue them as {table} says."
    else:
        dictionary = _checked(dictionary, first, count)
        listed = [Tag(number) for number in range(first, first + count)]
        advice = f'Write this into the table file:\n[tags]\ndictionary = "{dictionary}"\nsize = {size:g}'
    _write(print_tags(listed, dictionary, size, paper), out, f"{len(listed)} tags", advice, quiet)


@app.command()
def board(
    out: Out,
    board: Annotated[str | None, typer.Option(help="Another board, as `tabletop calibrate --board` takes it.")] = None,
    paper: Paper = "letter",
    quiet: Quiet = False,
) -> None:
    """Print the calibration board, and write its board file beside it."""
    from calibration.boards import Board
    from calibration.printables import print_board

    printed = print_board(Board.read(board) if board else None, paper)
    advice = f"Photograph it ten or more times from all sides, then: tabletop calibrate PHOTOS --board {_beside(out)}"
    _write(printed, out, "The calibration board", advice, quiet)


def _tags_of(path: Path) -> tuple[list[Tag], str, float]:
    from calibration.printables import Tag
    from tabletop.tablefile import load_table

    table = load_table(path)
    if table.tags is None:
        raise UsageError(f"{table.name} has no [tags], so there are none to print: add their dictionary and size.")
    numbers = [
        Tag(number, unit.id, unit.side)
        for unit in table.units
        for number in ([unit.tag] if unit.tag is not None else []) + list(unit.other_tags)
    ]
    numbers += [Tag(number, token.means) for token in table.tokens for number in token.tags]
    return numbers, table.tags.dictionary, table.tags.size_in


def _checked(name: str, first: int, count: int) -> str:
    """The dictionary's exact name; raises UsageError where it is unknown or lacks the ids."""
    from tabletop.dictionaries import DICTIONARIES, canonical
    from tabletop.toml_source import did_you_mean

    known = canonical(name)
    if known is None:
        raise UsageError(f'There is no dictionary "{name}"; {did_you_mean(name, list(DICTIONARIES))}')
    if first + count > DICTIONARIES[known]:
        raise UsageError(f"{known} has tags 0 to {DICTIONARIES[known] - 1}, not {first} to {first + count - 1}.")
    return known


def _beside(out: Path) -> Path:
    return out.with_suffix(".toml")


def _write(printed: Printable, out: Path, what: str, advice: str, quiet: bool) -> None:
    path = check_target(out)
    if path is None:
        raise UsageError("A PDF goes into a file: name one with --out.")
    if path.suffix.lower() != ".pdf":
        raise UsageError(f"--out {path.name}: a PDF's name ends in .pdf.")
    files = {path: printed.pdf}
    if printed.board is not None:
        files[_beside(path)] = printed.board.to_toml().encode()
    write_files(files)
    tell(
        f"{what} in {path}. Print at 100 % (actual size) and check the ruler on the page.\n{advice}",
        json_target=None,
        quiet=quiet,
    )
