"""Collections as files: read, changed by one process at a time, and kept as read until they change."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from tabletop.errors import UsageError
from tabletop.files import write_files

if TYPE_CHECKING:
    from vision.model.collection import Collection as Collection
    from vision.model.collection import LearntPhoto as LearntPhoto
    from vision.model.drawing_margin import DrawingMargin as DrawingMargin


@dataclass(frozen=True)
class CollectionFile:
    """A stored collection file, wherever it is: its ``name``, its current ``version``, and how to ``read`` it; one
    without bytes is empty."""

    name: str
    version: str
    read: Callable[[], bytes]


class KnownFiles:
    """Collections that were read already: a file is read again only if its version has changed. Safe to share between
    threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._read: dict[str, tuple[str, Collection]] = {}

    def together(self, files: Sequence[CollectionFile]) -> Collection:
        """The combined contents of the files, the newest photos last; of a photo in two files the later version counts.

        Raises CollectionError for a file that is not a collection, OSError if one can't be opened.
        """
        from vision.model.collection import NOTHING_KNOWN

        with self._lock:
            kept = {file.name: self._of(file) for file in files}
            self._read = kept
        found = NOTHING_KNOWN
        for _, collection in kept.values():
            for photo in collection.photos:
                found = found.with_photo(photo)
            found = found.with_margin(collection.margin)
        return found

    def _of(self, file: CollectionFile) -> tuple[str, Collection]:
        known = self._read.get(file.name)
        if known is not None and known[0] == file.version:
            return known
        from vision.model.collection import NOTHING_KNOWN

        data = file.read()
        return file.version, collection_of(data, Path(file.name).name) if data else NOTHING_KNOWN


def load_collection(path: Path) -> Collection:
    """The collection of a file. Raises CollectionError for a file that is not a collection, UsageError for a missing
    one."""
    from vision.model.collection_file import read_collection
    from vision.terrain.ground_sight import sight_version

    if not path.is_file():
        raise UsageError(f"There is no collection {path}: `tabletop learn` makes one.")
    return read_collection(path, sight_version())


def collection_of(data: bytes, name: str = "The collection") -> Collection:
    """The collection of a file's bytes; raises CollectionError."""
    from vision.model.collection_file import collection_of_bytes
    from vision.terrain.ground_sight import sight_version

    return collection_of_bytes(data, sight_version(), name)


def margin_in(file: Path | bytes) -> DrawingMargin:
    """The players' drawing margin from a collection's file or its bytes: the default if the file is missing (no bytes),
    has none or can't be read. Raises OSError."""
    from vision.model.collection_file import read_margin
    from vision.model.drawing_margin import USUAL_MARGIN
    from vision.model.errors import CollectionError

    if not file or (isinstance(file, Path) and not file.exists()):
        return USUAL_MARGIN
    try:
        return read_margin(io.BytesIO(file) if isinstance(file, bytes) else file)
    except CollectionError:
        return USUAL_MARGIN


def learn_margin(path: Path, margin: float) -> None:
    """Add one more corrected line to the drawing margin in a collection's file. Raises UsageError if the file can't be
    read or written."""
    from vision.model.errors import CollectionError

    try:
        change_collection(path, lambda before: replace(before, margin=before.margin.learned_from([margin])))
    except CollectionError as error:
        raise UsageError(error.problem) from error


def file_of_margin(margin: DrawingMargin) -> bytes:
    """The bytes of a collection's file that holds only a drawing margin."""
    from vision.model.collection import Collection
    from vision.model.collection_file import collection_bytes

    return collection_bytes(Collection(margin=margin), "")


def file_of(collection: Collection) -> bytes:
    """The bytes of a collection's file."""
    from vision.model.collection_file import collection_bytes
    from vision.terrain.ground_sight import sight_version

    return collection_bytes(collection, sight_version())


def save_collection(path: Path, collection: Collection) -> None:
    """Write a collection's file, whole or not at all."""
    write_files({path: file_of(collection)})


def change_collection(path: Path, change: Callable[[Collection], Collection]) -> Collection:
    """Read a collection's file (an empty one if missing), change it and write it, under a lock; returns the changed
    collection.

    Raises the errors of ``change``, CollectionError for a file that is not a collection and UsageError if it can't be
    written; nothing is written then.
    """
    from vision.model.collection import NOTHING_KNOWN

    with _alone(path):
        changed = change(load_collection(path) if path.exists() else NOTHING_KNOWN)
        save_collection(path, changed)
    return changed


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Wait until no other process changes a collection in that file's folder, and block others meanwhile."""
    if sys.platform == "win32":  # folders can't be locked there: lock a file beside the collection
        from filelock import FileLock

        with FileLock(path.parent / ".collection.lock"):
            yield
        return
    import fcntl

    try:
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        why = (error.strerror or "there is no such folder").lower()
        raise UsageError(f"{path} can't be written ({why}): choose another folder.") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)  # and with it the lock


def check_collection(path: Path) -> None:
    """Check that a collection's file can be read and written; an empty one is created if missing.

    Raises CollectionError for a file that is not a collection, UsageError if it can't be written.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file in it for the collection.")
    try:
        if path.exists():
            load_collection(path)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UsageError(f"The collection {path} can't be read ({why}): name another file.") from error
    if path.exists():
        if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
            raise UsageError(f"The collection {path} is not writable: name another file, or change its permissions.")
        return
    change_collection(path, lambda collection: collection)
