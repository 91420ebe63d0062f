"""Results in files: JSON as bytes, single files and whole folders written all or none."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tabletop.errors import UsageError

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".heic", ".heif", ".webp", ".tif", ".tiff", ".bmp")
"""The endings of photos' file names, in lower case."""


def json_bytes(data: Any) -> bytes:
    """JSON for a file: UTF-8, an indent of one space; a number that JSON lacks is a bug in the program."""
    return (json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write all files, or none if one can't be written; each appears whole or not at all.

    Raises UsageError if a folder is not writable.
    """
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
    """A new file beside the requested one; raises UsageError with the requested name if it can't be created."""
    try:
        return tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        why = (error.strerror or "the folder refuses").lower()
        raise UsageError(f"{path} can't be written ({why}): choose another folder.") from error


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def check_folder(out: Path) -> None:
    """Raise UsageError if results can't go into a folder of that name."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file: name a folder for the results, or a new one.")
    nearest = next(folder for folder in (out, *out.resolve().parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise UsageError(f"{out} can't be made: {nearest} is not a writable folder. Name another one.")


def make_writable(folder: Path, mode: int = 0o777) -> None:
    """Create a folder for files that are kept, if it is missing; raises UsageError if it is not writable."""
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = (error.strerror or "the folder refuses").lower()
        raise UsageError(
            f"Nothing can be kept in {folder} ({why}): name a writable folder. Copy a folder on a read-only stick or "
            "card to another place first, as a whole."
        ) from error


def write_folder(out: Path, files: Mapping[str, bytes]) -> None:
    """Put files into a folder, all or none: they are written beside it first and then moved in."""
    out.parent.mkdir(parents=True, exist_ok=True)
    ready = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        for name, content in files.items():
            (ready / name).write_bytes(content)
        out.mkdir(exist_ok=True)
        for name in files:
            (ready / name).replace(out / name)
    finally:
        shutil.rmtree(ready)
