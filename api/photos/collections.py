"""The storage of learned terrain and armies: with its pictures, or in a collection's file.

With the pictures each learned photo is a separate document that is never changed, only deleted, so that any number of
workers on any machine can learn without waiting for each other; so is the players' drawing margin. A file that the host
names is changed by one process at a time.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from api.errors import NotThereError
from api.photos.pictures import Pictures
from tabletop.referee.collection_files import (
    CollectionFile,
    change_collection,
    collection_of,
    file_of_margin,
    learn_margin,
    margin_in,
)

if TYPE_CHECKING:
    from tabletop.referee.collection_files import Collection, DrawingMargin, LearntPhoto

T = TypeVar("T")

FOLDER = "collection"
MOST_PHOTOS = 24
"""The most learned photos that are kept; the oldest are deleted."""
MOST_BARE = 12
"""While more photos than this taught no terrain, the oldest of them is deleted first: an evening of photos of bases
alone deletes no terrain."""
MOST_FORGOTTEN = 400
_CHOICES = "learning/choices.json"
_DOCUMENT = re.compile(
    rf"{FOLDER}/(?P<at>[0-9]{{20}})-(?P<photo>[0-9a-f]{{12}})-(?P<taught>terrain|bases)-[0-9a-f]{{8}}\.zip"
)

_MARGIN = re.compile(rf"{FOLDER}/[0-9]{{20}}-margin-[0-9a-f]{{8}}\.zip")


class Collections(Protocol):
    """The learned data. Any thread and any process may call; OSError where the storage can't be used."""

    def files(self) -> Sequence[CollectionFile]:
        """The files that hold it, the oldest first."""

    def add(self, learnt: bytes, photo: str) -> None:
        """Store what a ``photo`` (the start of its SHA-256) taught, a collection's file, in place of an earlier
        one. Raises CollectionError for a file that can't be read back: nothing is stored then."""

    def forget(self, photo: str) -> None:
        """Delete what a photo taught; raises NotThereError where no photo has that name."""

    def margin(self) -> DrawingMargin:
        """How far outside a piece's foot the players draw."""

    def learn_margin(self, margin: float) -> None:
        """Store the margin of a corrected line. Raises UsageError where it can't be written."""


class CollectionDocuments:
    """Learned photos as documents of the picture storage."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures

    def files(self) -> Sequence[CollectionFile]:
        """See :class:`Collections`. A document that another process deletes meanwhile reads as an empty file."""
        names = [*self._names(), *self._names(_MARGIN)[-1:]]
        return [CollectionFile(name, name, partial(self._read, name)) for name in names]

    def add(self, learnt: bytes, photo: str) -> None:
        """See :class:`Collections`."""
        taught = "bases" if _only(learnt, photo).cells is None else "terrain"
        self._pictures.put(f"{FOLDER}/{_now()}-{photo}-{taught}-{secrets.token_hex(4)}.zip", learnt)
        names = self._names()  # as of now: what others add later is not deleted here
        newest = sorted({_part(name, "photo"): name for name in names}.values())
        stays = set(_kept(newest, lambda name: _part(name, "taught") == "terrain"))
        for name in names:
            if name not in stays:
                self._pictures.drop(name)

    def forget(self, photo: str) -> None:
        """See :class:`Collections`."""
        found = [name for name in self._names() if _part(name, "photo") == photo]
        if not found:
            raise _no_photo()
        for name in found:
            self._pictures.drop(name)

    def margin(self) -> DrawingMargin:
        """See :class:`Collections`."""
        return margin_in(next((self._read(name) for name in self._names(_MARGIN)[-1:]), b""))

    def learn_margin(self, margin: float) -> None:
        """See :class:`Collections`."""
        older, learned = self._names(_MARGIN), self.margin().learned_from([margin])
        self._pictures.put(f"{FOLDER}/{_now()}-margin-{secrets.token_hex(4)}.zip", file_of_margin(learned))
        for name in older:
            self._pictures.drop(name)

    def _read(self, name: str) -> bytes:
        return self._pictures.get(name) or b""

    def _names(self, kind: re.Pattern[str] = _DOCUMENT) -> list[str]:
        return [name for name in self._pictures.list_folder(FOLDER) if kind.fullmatch(name)]


class CollectionInFile:
    """Learned photos in a collection's file, as ``tabletop learn`` writes it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def files(self) -> Sequence[CollectionFile]:
        """See :class:`Collections`; none where the file was deleted."""
        try:
            now = self._path.stat()
        except FileNotFoundError:
            return []
        version = f"{now.st_mtime_ns}-{now.st_size}-{now.st_ino}"
        return [CollectionFile(str(self._path), version, self._path.read_bytes)]

    def add(self, learnt: bytes, photo: str) -> None:
        """See :class:`Collections`; raises CollectionError, UsageError where the file can't be written."""
        taught = _only(learnt, photo)

        def with_taught(collection: Collection) -> Collection:
            photos = collection.with_photo(taught, len(collection.photos) + 1).photos
            return replace(collection, photos=tuple(_kept(photos, lambda one: one.cells is not None)))

        change_collection(self._path, with_taught)

    def forget(self, photo: str) -> None:
        """See :class:`Collections`."""
        if all(photo != one.id for file in self.files() for one in collection_of(file.read()).photos):
            raise _no_photo()
        change_collection(self._path, lambda collection: collection.without(photo))

    def margin(self) -> DrawingMargin:
        """See :class:`Collections`."""
        return margin_in(self._path)

    def learn_margin(self, margin: float) -> None:
        """See :class:`Collections`."""
        learn_margin(self._path, margin)


class SeatMargins:
    """How far outside a piece's foot the player of each seat draws, kept beside the pictures. A player without a
    corrected line draws as all players of the server do, by its ``collections``."""

    def __init__(self, pictures: Pictures, collections: Collections) -> None:
        self._pictures, self._collections = pictures, collections

    def of(self, seat: str) -> DrawingMargin:
        """The margin of a seat's player; OSError where it can't be read."""
        known = self._pictures.get(_margin_of(seat))
        return replace(self._collections.margin(), lines=0) if known is None else margin_in(known)

    def learn(self, seat: str, margin: float) -> None:
        """Keep what a seat's corrected line teaches of its player and of all; raises as :class:`Collections`."""
        self._pictures.put(_margin_of(seat), file_of_margin(self.of(seat).learned_from([margin])))
        self._collections.learn_margin(margin)

    def forget(self, seat: str) -> None:
        """Keep nothing more of a seat's player."""
        self._pictures.drop(_margin_of(seat))


def _margin_of(seat: str) -> str:
    return f"margins/{hashlib.sha256(seat.encode()).hexdigest()[:24]}.zip"  # ids have capitals, which pictures lack


def collections_at(pictures: Pictures, file: str = "") -> Collections:
    """The learned data, in a collection's ``file`` where the host names one, else with the pictures."""
    return CollectionInFile(Path(file)) if file else CollectionDocuments(pictures)


@dataclass(frozen=True)
class LearningChoices:
    """The host's choices: whether photos are learned, and which were ``forgotten`` and are not learned again."""

    on: bool = True
    forgotten: tuple[str, ...] = ()

    def takes(self, sha256: str) -> bool:
        """Whether a photo may be learned."""
        return self.on and photo_id(sha256) not in self.forgotten


class ChoicesKept:
    """The stored choices of the host, for all processes of a server."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures

    def get(self) -> LearningChoices:
        """The choices as they are."""
        data = self._pictures.get(_CHOICES)
        if data is None:
            return LearningChoices()
        row = json.loads(data)
        return LearningChoices(bool(row["on"]), tuple(map(str, row["forgotten"])))

    def turn(self, on: bool) -> LearningChoices:
        """Turn learning on or off."""
        return self._put(replace(self.get(), on=on))

    def forget(self, photo: str) -> LearningChoices:
        """Never learn a photo again."""
        known = self.get()
        others = tuple(one for one in known.forgotten if one != photo)
        return self._put(replace(known, forgotten=(*others, photo)[-MOST_FORGOTTEN:]))

    def _put(self, choices: LearningChoices) -> LearningChoices:
        row = {"on": choices.on, "forgotten": list(choices.forgotten)}
        self._pictures.put(_CHOICES, json.dumps(row).encode())
        return choices


def _now() -> str:
    return datetime.now(UTC).strftime("%Y%m%d%H%M%S%f")


def photo_id(sha256: str) -> str:
    """A photo's name in a collection."""
    return sha256[:12]


def _kept(photos: Sequence[T], taught_terrain: Callable[[T], bool]) -> list[T]:
    """The learned photos to keep, the newest last."""
    bare = [photo for photo in photos if not taught_terrain(photo)]
    gone = bare[: max(0, min(len(photos) - MOST_PHOTOS, len(bare) - MOST_BARE))]
    return [photo for photo in photos if photo not in gone][-MOST_PHOTOS:]


def _part(name: str, part: str) -> str:
    """A part of a document's name: its ``photo``, or what that ``taught``."""
    found = _DOCUMENT.fullmatch(name)
    assert found is not None
    return found[part]


def _only(learnt: bytes, photo: str) -> LearntPhoto:
    """The one photo in a file of learned data."""
    (taught,) = collection_of(learnt).photos
    if taught.id != photo:
        raise ValueError(f"{taught.id} was learnt in place of {photo}.")
    return taught


def _no_photo() -> NotThereError:
    return NotThereError("Nothing from this photo is kept now; look at what is kept.")
