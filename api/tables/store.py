"""What the server remembers: tables as append-only lists of events in a database, photos as files named by SHA-256.

State is never stored, only what happened; :mod:`api.tables.state` folds it. One file ``tabletop.sqlite`` and one folder
``photos`` in the data folder hold everything, and a restart reads them again. The file is a
:class:`tabletop.game.store.EventStore`, so that whole games may lie in it beside the tables; it may be a database
elsewhere as well, and the folder a bucket (:mod:`api.photos.pictures`).
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict

import sqlalchemy as sa

from api.photos.pictures import Pictures, pictures_at
from tabletop.files import make_writable
from tabletop.game.core import new_id, now
from tabletop.game.errors import ConflictError, NoGameError
from tabletop.game.records import Record
from tabletop.game.store import EventStore, GameEntry
from tabletop.game.tables import EVENT

DATABASE = "tabletop.sqlite"
TABLE = "table"
"""The kind of a table's first event, and what stands in the place of a ruleset's name: it is no game by rules."""


def opening_event(table: str) -> str:
    """The id of the first event of the game that a table without a game became, made from the table's own."""
    return hashlib.sha256(f"game of table {table}".encode()).hexdigest()[:32]


PHOTO = "photo"
DROPPED = "dropped"
"""The event of a photo that players removed."""
PICTURES = ("map", "annotated", "upright")
"""The pictures that are kept of each photo."""
_OF_TABLE = sa.and_(EVENT.c.game == sa.bindparam("game"), EVENT.c.kind == PHOTO)
_LAST_PHOTO = sa.select(sa.func.max(EVENT.c.seq)).where(_OF_TABLE).scalar_subquery()
_BEGINS = 100
"""As much of a photo's body as has its hash."""
_EVENTS = (
    sa.select(
        EVENT.c.seq,
        EVENT.c.at,
        EVENT.c.kind,
        sa.case(
            (sa.and_(EVENT.c.kind == PHOTO, EVENT.c.seq != _LAST_PHOTO), sa.func.substr(EVENT.c.body, 1, _BEGINS)),
            else_=EVENT.c.body,
        ),
        EVENT.c.id,
    )
    .where(EVENT.c.game == sa.bindparam("game"))
    .order_by(EVENT.c.seq)
)


_PHOTOS = (
    sa.select(EVENT.c.at, EVENT.c.kind, EVENT.c.body)
    .where(EVENT.c.game == sa.bindparam("game"), EVENT.c.kind.in_((PHOTO, DROPPED)))
    .order_by(EVENT.c.seq)
)


class PhotoTaken(TypedDict):
    """A photo without what was read in it: when that was kept, its hash, the seat that took it, when the server got it
    and the last event of the table's game then; the last three are empty or 0 where they are not known."""

    at: str
    sha256: str
    by: str
    taken_in: str
    game_seq: int


class _Unread(Mapping[str, Any]):
    """A photo's body, read from the database on first access: it is large, and usually only the last
    photo's is needed. ``begins`` is its beginning, which has the photo's hash."""

    def __init__(self, begins: str, whole: Callable[[], str]) -> None:
        self._begins, self._whole = begins, whole

    @cached_property
    def _read(self) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self._whole())
        return body

    def __getitem__(self, key: str) -> Any:
        known = _HASH.match(self._begins) if key == "sha256" else None
        return self._read[key] if known is None else known[1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        """Another process gets all of it, and asks no database."""
        return dict, (self._read,)


_HASH = re.compile(r'\{"sha256":"([0-9a-f]{64})"')


def _taken(at: str, body: Mapping[str, Any]) -> PhotoTaken:
    return {
        "at": at,
        "sha256": body["sha256"],
        "by": body.get("by", ""),
        "taken_in": body.get("taken_in", ""),
        "game_seq": body.get("game_seq", 0),
    }


def table_of(game: str) -> str:
    """The id of the table that a game's photos are read on, made from the game's own.

    >>> table_of("flank-attack")
    '526d46ad04cbe212'
    """
    return hashlib.sha256(f"table of {game}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Event:
    """Something that happened at a table: its place in the table's row of events, when, its kind, its particulars, and
    an id that no other event has."""

    seq: int
    at: str
    kind: str
    body: Mapping[str, Any]
    id: str = ""


class Store:
    """Tables and their pictures, in the data folder; or in the database at ``url``, and in the bucket ``photos``.

    Any thread may call. Raises UsageError and StoreError for a place that nothing can be kept in.
    """

    def __init__(self, folder: Path, url: str = "", photos: str = "") -> None:
        make_writable(folder, mode=0o700)
        self.folder = folder
        self.kept = EventStore(url or folder / DATABASE)
        self.pictures: Pictures = pictures_at(folder, photos)

    @staticmethod
    def new_game() -> str:
        """An id that nobody guesses."""
        return secrets.token_hex(8)

    def append(self, game: str, seq: int, kind: str, body: Mapping[str, Any], event: str = "") -> bool:
        """Write event number ``seq`` of a table; False, and nothing written, where it is not the next one.

        ``event`` is its id (left out: a new one); no two events have the same, and the second is not written either.
        """
        record = Record(seq, event or new_id(), now(), "", kind, dict(body), seq)
        try:
            if seq == 1:
                self.kept.create(GameEntry(game, TABLE, 1, created=record.at), [record])
            else:
                self.kept.append(game, [record])
        except (ConflictError, NoGameError):
            return False
        return True

    def has(self, event: str) -> bool:
        """Whether there is an event of that id."""
        with self.kept.reading() as connection:
            return connection.execute(sa.select(EVENT.c.seq).where(EVENT.c.id == event)).first() is not None

    def events(self, game: str) -> list[Event]:
        """All events of a table in order; an empty list where there is no such table."""
        with self.kept.reading() as connection:
            rows = connection.execute(_EVENTS, {"game": game}).all()
        if rows and rows[0].kind != TABLE:
            return []
        return [
            Event(seq, at, kind, self._unread(game, seq, body) if kind == PHOTO else json.loads(body), id_)
            for seq, at, kind, body, id_ in rows
        ]

    def _unread(self, game: str, seq: int, text: str) -> _Unread:
        def whole() -> str:
            if len(text) != _BEGINS:
                return text
            with self.kept.reading() as connection:
                found = sa.select(EVENT.c.body).where(EVENT.c.game == game, EVENT.c.seq == seq)
                return str(connection.execute(found).scalar_one())

        return _Unread(text, whole)

    def photos(self, game: str) -> list[PhotoTaken]:
        """The photos of a table that were not dropped, the last one first."""
        found: list[PhotoTaken] = []
        with self.kept.reading() as connection:
            for at, kind, text in connection.execute(_PHOTOS, {"game": game}):
                body = json.loads(text)
                if kind == PHOTO:
                    found.append(_taken(at, body))
                else:
                    found = [photo for photo in found if photo["sha256"] != body["sha256"]]
        return found[::-1]

    def hashes(self, game: str) -> set[str]:
        """The hashes of all photos that a table has had, including dropped ones."""
        return {event.body["sha256"] for event in self.events(game) if event.kind == PHOTO}

    def drop_pictures(self, table: str, *sha256: str) -> None:
        """Delete the pictures of photos of a table; another table has its own of the same photos."""
        for photo in dict.fromkeys(sha256):
            for name in PICTURES:
                self.pictures.drop(f"{photo}/{name}-{table}.jpg")

    def last(self, game: str) -> int:
        """The number of a table's last event; 0 where there is no such table."""
        return self.kept.last(game)

    def games(self) -> list[str]:
        """The ids of all tables, the last used one first."""
        return [entry.game for entry in self.kept.games() if entry.rules == TABLE]
