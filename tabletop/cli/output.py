"""What a command says and writes: text for people, JSON for programs, files all or none, progress on a terminal."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from tabletop.errors import UsageError

Step = Callable[[str], None]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no text and show no progress.")]
JsonOut = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; - is standard output.")
]


def check_target(target: str | Path | None) -> Path | None:
    """The path that a result goes to (``None``: nowhere, or standard output); raises UsageError where it can't."""
    if target is None or str(target) == "-":
        return None
    path = Path(target)
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file in it.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent} to write {path.name} into: make it first.")
    return path


def check_drawing(target: Path | None) -> Path | None:
    """The path that a picture is drawn to, a .svg or a .png; raises UsageError where it can't."""
    path = check_target(target)
    if path is not None and path.suffix.casefold() not in (".svg", ".png"):
        raise UsageError(f"{path.name} is neither a .svg nor a .png: name the picture so.")
    return path


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write all files or, where one can't be written, none; each appears whole or not at all."""
    ready: list[tuple[Path, Path]] = []
    try:
        for path, content in files.items():
            handle, name = _temporary(path)
            ready.append((Path(name), path))
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(name, 0o666 & ~_umask())
        for temporary, path in ready:
            temporary.replace(path)
    finally:
        for temporary, _ in ready:
            temporary.unlink(missing_ok=True)


def _temporary(path: Path) -> tuple[int, str]:
    """A new file beside the wished one; raises UsageError that names the wished one where there can't be any."""
    try:
        return tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        why = (error.strerror or "the folder refuses").lower()
        raise UsageError(f"{path} can't be written ({why}): choose another folder.") from error


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def tell(text: str, *, json_target: str | None, quiet: bool) -> None:
    """Print text for people, unless standard output holds the JSON or quiet is wanted."""
    if not quiet and json_target != "-":
        typer.echo(text)


@contextmanager
def progress(quiet: bool) -> Iterator[Step]:
    """A line on standard error that names the step at work; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda text: None
        return
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda text: bar.update(task, description=text)
