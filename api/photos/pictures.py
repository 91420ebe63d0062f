"""The storage of pictures: files by name in a folder, or in a bucket by its address; each is stored whole or not at
all."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from tabletop.errors import UsageError
from tabletop.files import make_writable
from tabletop.words import without_login

SPOOL = "spool"
"""The folder of temporary files: uploads until they are read, files until they are complete."""

_NAME = re.compile(r"[0-9a-z][0-9a-z._-]*(/[0-9a-z][0-9a-z._-]*)?")


WAIT_S = 20
"""How many seconds to wait for a bucket."""


class Pictures(Protocol):
    """Bytes by name. A name is a word, or two with a slash between: small letters, digits, dots, hyphens.

    Any thread and any process may call; OSError where the place can't be used.
    """

    def put(self, name: str, data: bytes) -> None:
        """Store a picture in place of one of that name; when this returns, no power cut can lose it."""

    def get(self, name: str) -> bytes | None:
        """The picture of that name, or ``None``."""

    def drop(self, name: str) -> None:
        """Delete a picture, if there is one of that name."""

    def list_folder(self, folder: str) -> list[str]:
        """The names that begin with that word and a slash, in order."""

    def names(self) -> Iterator[str]:
        """The names of all pictures."""


class Folder:
    """Pictures as files of a folder, created if missing; raises UsageError where it can't be used."""

    def __init__(self, root: Path) -> None:
        self.root = root
        make_writable(root)

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

    def list_folder(self, folder: str) -> list[str]:
        """See :class:`Pictures`; half-written files of a killed process are among them."""
        try:
            return [f"{folder}/{name}" for name in sorted(os.listdir(self._path(folder)))]
        except FileNotFoundError:
            return []

    def names(self) -> Iterator[str]:
        """See :class:`Pictures`; without files that are being written."""
        for path in sorted(self.root.rglob("*")):
            name = path.relative_to(self.root).as_posix()
            if path.is_file() and not path.name.startswith("part-") and _NAME.fullmatch(name):
                yield name

    def _path(self, name: str) -> Path:
        return self.root / checked_name(name)

    def _part(self) -> tuple[int, Path]:
        """A new file in the spool, which another process may delete as long as it is empty."""
        spool = self.root / SPOOL
        while True:
            _make(spool)
            with suppress(FileNotFoundError):
                handle, name = tempfile.mkstemp(dir=spool, prefix="part-")
                return handle, Path(name)

    @staticmethod
    def _move(part: Path, path: Path) -> None:
        while True:
            _make(path.parent)
            try:
                os.replace(part, path)
                return
            except FileNotFoundError:  # someone tidied the folder away in between
                if not part.exists():
                    raise

    def _tidy(self, folder: Path) -> None:
        if folder != self.root:
            with suppress(OSError):  # it has other files
                folder.rmdir()


class Bucket:
    """Pictures in a bucket by its address: ``s3://NAME/FOLDER``, ``gs://``, ``az://``, or ``file:///FOLDER``.

    Keys and the endpoint are taken from the environment, as the bucket's own tools take them (``AWS_ACCESS_KEY_ID``,
    ``AWS_ENDPOINT`` ...). A bucket that does not answer is waited for as long as the sender of a photo waits, and then
    OSError is raised. Raises UsageError for an invalid address.
    """

    def __init__(self, address: str) -> None:
        try:
            import obstore
            from obstore.exceptions import BaseError
            from obstore.store import from_url
        except ImportError as error:
            raise UsageError("Photos in a bucket need obstore: pip install obstore.") from error
        self._obstore, self._fault = obstore, BaseError
        if address.startswith("file:"):
            patience: dict[str, Any] = {"mkdir": True}
        elif address.startswith("memory:"):
            patience = {}
        else:
            retries = {"max_retries": 2, "retry_timeout": timedelta(seconds=WAIT_S)}
            options = {"timeout": f"{WAIT_S}s", "connect_timeout": "5s"}
            if os.environ.get("AWS_ALLOW_HTTP", "").lower() in ("true", "1"):  # not read where there are options
                options["allow_http"] = "true"
            patience = {"client_options": options, "retry_config": retries}
        try:
            self._store = from_url(address, **patience)
        except (BaseError, ValueError, OSError) as error:
            shown = without_login(address)
            raise UsageError(f'"{shown}" is no address of a bucket; one looks like s3://club/photos.') from error

    def put(self, name: str, data: bytes) -> None:
        """See :class:`Pictures`."""
        with self._translate_faults():
            self._obstore.put(self._store, checked_name(name), data)

    def get(self, name: str) -> bytes | None:
        """See :class:`Pictures`."""
        with self._translate_faults(), suppress(FileNotFoundError):
            return bytes(self._obstore.get(self._store, checked_name(name)).bytes())
        return None

    def drop(self, name: str) -> None:
        """See :class:`Pictures`."""
        with self._translate_faults(), suppress(FileNotFoundError):
            self._obstore.delete(self._store, checked_name(name))

    def list_folder(self, folder: str) -> list[str]:
        """See :class:`Pictures`."""
        with self._translate_faults():
            return sorted(
                str(one["path"]) for some in self._obstore.list(self._store, checked_name(folder)) for one in some
            )

    def names(self) -> Iterator[str]:
        """See :class:`Pictures`."""
        with self._translate_faults():
            found = [str(one["path"]) for some in self._obstore.list(self._store) for one in some]
        yield from sorted(name for name in found if _NAME.fullmatch(name))

    @contextmanager
    def _translate_faults(self) -> Iterator[None]:
        """Raise a bucket's errors as those of a folder."""
        try:
            yield
        except FileNotFoundError:
            raise
        except self._fault as error:
            why = str(error).partition("\n")[0]  # the rest is for the library's developers
            raise OSError(errno.EIO, f"The photos can't be reached: {why}") from error


def pictures_at(folder: Path, address: str = "") -> Pictures:
    """The pictures in a bucket, or without its address those in the folder ``photos`` of the data folder."""
    return Bucket(address) if address else Folder(folder / "photos")


def checked_name(name: str) -> str:
    """The name, where it is valid; raises ValueError for one that would lead elsewhere.

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


def _make(folder: Path) -> None:
    """Make a folder if it is missing; another process may delete it again at any moment."""
    with suppress(FileExistsError):
        folder.mkdir()


def _sync(folder: Path) -> None:
    """Have a folder's list of files reach the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
