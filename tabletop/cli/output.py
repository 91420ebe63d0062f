"""Output of commands: text for people, JSON for programs, files all or none, progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from tabletop.errors import UsageError
from tabletop.files import json_bytes, write_files
from tabletop.units import LengthUnit, in_unit

Step = Callable[[str], None]

Unit = Annotated[LengthUnit, typer.Option(help="Lengths in inches (in) or centimetres (cm).")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no text and show no progress.")]
JsonOut = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; - is standard output.")
]


def check_target(target: str | Path | None) -> Path | None:
    """The path of a result (``None``: no file, or standard output); raises UsageError if it can't be written."""
    if target is None or str(target) == "-":
        return None
    path = Path(target)
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file in it.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent} to write {path.name} into: make it first.")
    return path


def check_file(target: Path | None, what: str = "A picture") -> Path | None:
    """The path of a result that is not text and must go into a file; raises UsageError if it can't be written."""
    if str(target) == "-":
        raise UsageError(f"{what} goes into a file: name one instead of -.")
    return check_target(target)


def check_drawing(target: Path | None) -> Path | None:
    """The path that a picture is drawn to, a .svg or a .png; raises UsageError if it can't be written."""
    path = check_file(target)
    if path is not None and path.suffix.casefold() not in (".svg", ".png"):
        raise UsageError(f"{path.name} is neither a .svg nor a .png: name the picture so.")
    return path


def give(
    answer: Any, json_out: str | None, target: Path | None, files: Mapping[Path, bytes] = MappingProxyType({})
) -> None:
    """Write a command's answer as JSON to the ``target`` that :func:`check_target` returned for ``--json``, or to
    standard output where that is "-"; other files with it, all or none."""
    data = json_bytes(answer) if json_out is not None else b""
    write_files({**files, **({target: data} if target is not None else {})})
    if json_out == "-":
        typer.echo(data, nl=False)


def tell(text: str, *, json_target: str | None, quiet: bool, unit: LengthUnit = "in") -> None:
    """Print text for people with its lengths in a unit, unless standard output holds the JSON or ``quiet`` is set."""
    if not quiet and json_target != "-":
        typer.echo(in_unit(text, unit))


@contextmanager
def progress(quiet: bool) -> Iterator[Step]:
    """A line on standard error with the current step; nothing if that is not a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda text: bar.update(task, description=text)
