"""Backups of a server, games, seats, tables and pictures, as one file, and their restoration; or a copy straight into
another database and bucket. A running server keeps working meanwhile."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from api.photos.jobs import open_uploads
from api.photos.pictures import Pictures, checked_name, pictures_at
from api.tables.store import DATABASE, TABLE, Store
from tabletop.errors import UsageError
from tabletop.game.errors import StoreError
from tabletop.game.store import EventStore
from tabletop.words import and_list, count

FOLDER = "photos/"
MOST_LOOKS = 10
"""How often the database is copied again because a photo was read between its copy and that of the pictures."""


@dataclass(frozen=True)
class Place:
    """Where a server stores its data: the settings ``data_dir``, ``url`` and ``photos``."""

    data_dir: Path
    url: str = ""
    photos: str = ""

    @contextmanager
    def store(self) -> Iterator[EventStore]:
        """Its database; a missing one in its folder is created."""
        with closing(Store(self.data_dir, self.url, self.photos).kept) as store:
            yield store

    def pictures(self) -> Pictures:
        """Its pictures."""
        return pictures_at(self.data_dir, self.photos)

    def check_kept(self) -> None:
        """Raise UsageError where there is no data."""
        if not self.url and not (self.data_dir / DATABASE).is_file():
            raise UsageError(f"{self.data_dir} holds no games: name the folder that the server has by --data.")


@dataclass(frozen=True)
class Copied:
    """How much was copied: games, events of games and tables, seats, pictures."""

    games: int
    events: int
    seats: int
    pictures: int

    def __str__(self) -> str:
        """In words.

        >>> print(Copied(2, 41, 1, 3))
        2 games, 41 events, 1 seat and 3 pictures
        """
        parts = (self.games, "game"), (self.events, "event"), (self.seats, "seat"), (self.pictures, "picture")
        return and_list([count(number, word) for number, word in parts])


def back_up(of: Place, file: Path) -> Copied:
    """Write everything into a new file, a ZIP archive of an SQLite database and the pictures, whole or not at all; only
    its owner may read it.

    Raises UsageError where there is such a file or nothing to keep, GameError and OSError where a place can't be used.
    """
    of.check_kept()
    if file.exists():
        raise UsageError(f"{file} exists: name a file that does not, or move that one away.")
    file.parent.mkdir(parents=True, exist_ok=True)
    with short_lived_folder(file.parent) as folder:
        part = folder / file.name
        with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as whole:
            with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
                snapshot, copied = _collect(of, folder, lambda name, data: archive.writestr(FOLDER + name, data))
                archive.write(snapshot, DATABASE, zipfile.ZIP_DEFLATED)
            whole.flush()
            os.fsync(whole.fileno())
        _name(part, file)
    return copied


def _name(part: Path, file: Path) -> None:
    """Give a file its name unless another has taken it meanwhile; on a file system without hard links it is moved."""
    try:
        os.link(part, file)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP):
            raise
        part.rename(file)


def check(file: Path) -> Copied:
    """The contents of a backup; raises UsageError for any other file and for a damaged one."""
    with short_lived_folder() as folder, _opened(file, folder) as (_, _, copied):
        return copied


def restore(file: Path, to: Place) -> Copied:
    """Restore a backup into an empty place. The database is written last, in one transaction: until then the place
    counts as empty, and the backup can be restored there again.

    Raises UsageError for a damaged file or no backup, and for a place with data; nothing is written then.
    """
    with short_lived_folder() as folder, _opened(file, folder) as (archive, snapshot, copied), to.store() as store:
        store.check_empty()
        pictures = to.pictures()
        for name in _picture_names(archive):
            pictures.put(name, archive.read(FOLDER + name))
        with closing(EventStore(snapshot)) as kept:
            kept.copy_to(store)
    return copied


def move(of: Place, to: Place) -> Copied:
    """Copy everything to another, empty place; the source is left unchanged.

    The server should not run meanwhile: later changes are not copied. The database comes last, as in
    :func:`restore`.
    """
    of.check_kept()
    with short_lived_folder() as folder, to.store() as store:
        store.check_empty()
        snapshot, copied = _collect(of, folder, to.pictures().put)
        with closing(EventStore(snapshot)) as kept:
            kept.copy_to(store)
    return copied


@contextmanager
def short_lived_folder(parent: Path | None = None) -> Iterator[Path]:
    """A folder that is deleted at the end, even where this process is killed: another process makes it, waits for this
    one and deletes it."""
    line = [sys.executable, "-I", "-c", _KEEPER, *([str(parent)] if parent else [])]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True) as keeper:
        assert keeper.stdin is not None and keeper.stdout is not None
        with keeper.stdin:
            made = keeper.stdout.readline().rstrip(b"\n")
            if not made:
                raise OSError(errno.EACCES, "No temporary folder can be made there", str(parent or ""))
            yield Path(os.fsdecode(made))


_KEEPER = """
import os, shutil, sys, tempfile
try:
    folder = tempfile.mkdtemp(prefix=".tabletop-", dir=sys.argv[1] if sys.argv[1:] else None)
except OSError:
    sys.exit(1)
try:
    os.write(1, os.fsencode(folder) + b"\\n")
    sys.stdin.read()
except BrokenPipeError:
    pass
finally:
    shutil.rmtree(folder, ignore_errors=True)
"""


@contextmanager
def _opened(file: Path, folder: Path) -> Iterator[tuple[zipfile.ZipFile, Path, Copied]]:
    """A backup with every member read once; its database, in the folder, and its counts."""
    try:
        archive = zipfile.ZipFile(file)
    except FileNotFoundError as error:
        raise UsageError(f"There is no file {file}: name one that `tabletop backup` wrote.") from error
    except (OSError, zipfile.BadZipFile) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{file} is no backup that can be read ({why}): make one by `tabletop backup`.") from error
    with archive:
        if DATABASE not in archive.namelist():
            raise UsageError(f"{file} is no backup: it has no {DATABASE} inside.")
        damaged = [name for name in archive.namelist() if not _is_whole(archive, name)]
        if damaged:
            more = f" and {count(len(damaged) - 3, 'more')}" if len(damaged) > 3 else ""
            raise UsageError(f"{file} is damaged at {and_list(damaged[:3])}{more}: restore another backup.")
        archive.extract(DATABASE, folder)
        snapshot, pictures = folder / DATABASE, set(_picture_names(archive))
        try:
            with closing(EventStore(snapshot)) as kept:
                rows, games, uploads = kept.rows(), _games(kept), open_uploads(kept)
        except StoreError as error:
            raise UsageError(f"{file} is no backup: its {DATABASE} is no store of Tabletop.") from error
        if missing := sorted(uploads - pictures):
            raise UsageError(f"{file} is damaged: it lacks {and_list(missing[:3])}. Restore another backup.")
        yield archive, snapshot, _copied(rows, games, len(pictures))


def _is_whole(archive: zipfile.ZipFile, name: str) -> bool:
    """Whether a member has the bytes that were written."""
    try:
        with archive.open(name) as member:
            while member.read(1 << 20):
                pass
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError):
        return False
    return True


def _picture_names(archive: zipfile.ZipFile) -> list[str]:
    return [checked_name(name.removeprefix(FOLDER)) for name in archive.namelist() if name.startswith(FOLDER)]


def _collect(of: Place, folder: Path, put: Callable[[str, bytes], object]) -> tuple[Path, Copied]:
    """Have the pictures stored, and the database copied into a file of the folder, in the state of a moment when all
    photos that it waits for had been copied."""
    pictures, kept = of.pictures(), set[str]()
    with of.store() as store:
        for look in range(MOST_LOOKS):
            snapshot = folder / f"{look}.sqlite"
            with closing(EventStore(snapshot)) as copy:
                rows = store.copy_to(copy)
                uploads, games = open_uploads(copy), _games(copy)
            _copy_pictures(pictures, kept, put)
            if uploads <= kept:
                break
    return snapshot, _copied(rows, games, len(kept))


def _copy_pictures(source: Pictures, copied: set[str], put: Callable[[str, bytes], object]) -> None:
    """Copy the pictures that are not among those ``copied``, and add their names; one that was dropped meanwhile is
    left out."""
    for name in source.names():
        data = None if name in copied else source.get(name)
        if data is not None:
            put(name, data)
            copied.add(name)


def _games(store: EventStore) -> int:
    """How many games a store has; the tables that their photos are read on don't count."""
    return sum(entry.rules != TABLE for entry in store.games())


def _copied(rows: dict[str, int], games: int, pictures: int) -> Copied:
    return Copied(games, rows["event"], rows["seat"], pictures)
