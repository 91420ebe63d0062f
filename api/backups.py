"""All that a server keeps, games, seats, tables and pictures, as one file, and back; or straight into another database
and bucket. A server that is running goes on meanwhile."""

from __future__ import annotations

import errno
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from api.photos.jobs import open_uploads
from api.photos.pictures import Pictures, checked_name, pictures_at
from api.tables.store import DATABASE, TABLE, Store
from tabletop.errors import UsageError
from tabletop.game.store import EventStore
from tabletop.words import and_list, count

FOLDER = "photos/"
MOST_LOOKS = 10
"""How often the database is copied anew because a photo was read between its copy and that of the pictures."""


@dataclass(frozen=True)
class Place:
    """Where a server keeps its things: the settings ``data_dir``, ``url`` and ``photos``."""

    data_dir: Path
    url: str = ""
    photos: str = ""

    @contextmanager
    def store(self) -> Iterator[EventStore]:
        """Its database; one in its folder is made where there is none."""
        with closing(Store(self.data_dir, self.url, self.photos).kept) as store:
            yield store

    def pictures(self) -> Pictures:
        """Its pictures."""
        return pictures_at(self.data_dir, self.photos)

    def check_kept(self) -> None:
        """Raise UsageError where nothing is kept there."""
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
    """Write everything into a new file, a ZIP archive of an SQLite database and the pictures, whole or not at all.

    Raises UsageError where there is such a file or nothing to keep, GameError and OSError where a place can't be used.
    """
    of.check_kept()
    if file.exists():
        raise UsageError(f"{file} exists: name a file that does not, or move that one away.")
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup-") as folder:
        part = Path(folder) / file.name
        with of.store() as store, zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
            pictures, kept = of.pictures(), set[str]()
            for look in range(MOST_LOOKS):
                snapshot = Path(folder) / f"{look}.sqlite"
                with closing(EventStore(snapshot)) as copy:
                    rows = store.copy_to(copy)
                    uploads, games = open_uploads(copy), _games(copy)
                _copy_pictures(pictures, kept, lambda name, data: archive.writestr(FOLDER + name, data))
                if uploads <= kept:
                    break
            archive.write(snapshot, DATABASE, zipfile.ZIP_DEFLATED)
        with part.open("rb") as whole:
            os.fsync(whole.fileno())
        _name(part, file)
    return _copied(rows, games, len(kept))


def _name(part: Path, file: Path) -> None:
    """Give a file its name, which no other has meanwhile; a stick that knows no second names has it moved."""
    try:
        os.link(part, file)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP):
            raise
        part.rename(file)


def restore(file: Path, to: Place) -> Copied:
    """Read a backup into a place that keeps nothing yet.

    Raises UsageError for what is no backup and for a place that keeps something.
    """
    try:
        archive = zipfile.ZipFile(file)
    except FileNotFoundError as error:
        raise UsageError(f"There is no file {file}: name one that `tabletop backup` wrote.") from error
    except (OSError, zipfile.BadZipFile) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{file} is no backup that can be read ({why}): make one by `tabletop backup`.") from error
    with archive, tempfile.TemporaryDirectory() as folder:
        names = archive.namelist()
        if DATABASE not in names:
            raise UsageError(f"{file} is no backup: it has no {DATABASE} inside.")
        archive.extract(DATABASE, folder)
        pictures = to.pictures()
        inside = [name for name in names if name.startswith(FOLDER)]
        with closing(EventStore(Path(folder) / DATABASE)) as kept, to.store() as store:
            rows = kept.copy_to(store)
            for name in inside:
                pictures.put(checked_name(name.removeprefix(FOLDER)), archive.read(name))
            games = _games(kept)
    return _copied(rows, games, len(inside))


def move(of: Place, to: Place) -> Copied:
    """Copy everything to another place, which keeps nothing yet; what was there stays.

    The server should not run meanwhile: what it takes in after that is not copied.
    """
    of.check_kept()
    source, target = of.pictures(), to.pictures()
    with of.store() as kept, to.store() as store:
        rows, copied = kept.copy_to(store), set[str]()
        _copy_pictures(source, copied, target.put)
        games = _games(kept)
    return _copied(rows, games, len(copied))


def _copy_pictures(source: Pictures, copied: set[str], put: Callable[[str, bytes], object]) -> None:
    """Copy the pictures that are not among those ``copied``, and add their names; one that was dropped meanwhile is
    left out."""
    for name in source.names():
        data = None if name in copied else source.get(name)
        if data is not None:
            put(name, data)
            copied.add(name)


def _games(store: EventStore) -> int:
    """How many games a store keeps; the tables that their photos are read on are none."""
    return sum(entry.rules != TABLE for entry in store.games())


def _copied(rows: dict[str, int], games: int, pictures: int) -> Copied:
    return Copied(games, rows["event"], rows["seat"], pictures)
