"""Where pictures lie: files by name in a folder, each there whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

SPOOL = "spool"
"""The folder of what does not stay: uploads until they are read, files until they are whole."""

_NAME = re.compile(r"[0-9a-z][0-9a-z._-]*(/[0-9a-z][0-9a-z._-]*)?")


@dataclass(frozen=True)
class Kept:
    """A picture that is kept, and for how many seconds it has been."""

    name: str
    age_s: float


class Pictures(Protocol):
    """Bytes by name. A name is a word, or two with a slash between: small letters, digits, dots, hyphens.

    Any thread and any process may call; OSError where the place can't be used.
    """

    def put(self, name: str, data: bytes) -> None:
        """Keep a picture in place of one of that name; when this returns, no power cut can lose it."""

    def get(self, name: str) -> bytes | None:
        """The picture of that name, where it is kept."""

    def drop(self, name: str) -> None:
        """Keep it no longer; nothing where there is none."""

    def kept(self, folder: str) -> Iterator[Kept]:
        """The pictures whose names begin with that word and a slash."""


class Folder:
    """Pictures as files of a folder, which is made where there is none."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.root.mkdir(parents=True, exist_ok=True)

    def put(self, name: str, data: bytes) -> None:
        """See :class:`Pictures`."""
        path = self._path(name)
        handle, part = self._part()
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            self._move(part, path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        for folder in {path.parent, self.root}:
            _sync(folder)
        self._tidy(part.parent)

    def get(self, name: str) -> bytes | None:
        """See :class:`Pictures`."""
        try:
            return self._path(name).read_bytes()
        except FileNotFoundError:
            return None

    def drop(self, name: str) -> None:
        """See :class:`Pictures`."""
        path = self._path(name)
        path.unlink(missing_ok=True)
        self._tidy(path.parent)

    def kept(self, folder: str) -> Iterator[Kept]:
        """See :class:`Pictures`; what a killed process left half-written is among them."""
        now = time.time()
        with suppress(FileNotFoundError):
            for entry in sorted(os.scandir(self._path(folder)), key=lambda entry: entry.name):
                with suppress(FileNotFoundError):
                    yield Kept(f"{folder}/{entry.name}", now - entry.stat().st_mtime)

    def _path(self, name: str) -> Path:
        return self.root / checked_name(name)

    def _part(self) -> tuple[int, Path]:
        """A new file in the spool, which another process may tidy away as long as it is empty."""
        spool = self.root / SPOOL
        while True:
            spool.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                handle, name = tempfile.mkstemp(dir=spool, prefix="part-")
                return handle, Path(name)

    @staticmethod
    def _move(part: Path, path: Path) -> None:
        while True:
            path.parent.mkdir(exist_ok=True)
            try:
                os.replace(part, path)
                return
            except FileNotFoundError:  # someone tidied the folder away in between
                if not part.exists():
                    raise

    def _tidy(self, folder: Path) -> None:
        if folder != self.root:
            with suppress(OSError):  # others lie there
                folder.rmdir()


def checked_name(name: str) -> str:
    """The name, where it is one; raises ValueError for what would lead elsewhere.

    >>> checked_name("spool/0a1b"), checked_name("0a1b/map-0a.jpg")
    ('spool/0a1b', '0a1b/map-0a.jpg')
    >>> checked_name("../tabletop.sqlite")
    Traceback (most recent call last):
    ...
    ValueError: '../tabletop.sqlite' is no name of a picture
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a picture")
    return name


def _sync(folder: Path) -> None:
    """Have a folder's list of files reach the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
