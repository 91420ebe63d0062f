"""The server's storage: tables as append-only lists of events in a database, photos as files named by SHA-256.

State is never stored, only events; :mod:`api.tables.state` folds them. One file ``tabletop.sqlite`` and one folder
``photos`` in the data folder hold everything, and a restart reads them again. The file is a
:class:`tabletop.game.store.EventStore`, so that whole games can be stored beside the tables; it may be a database
elsewhere as well, and the folder a bucket (:mod:`api.photos.pictures`).
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
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
"""The kind of a table's first event, and its value in place of a ruleset's name: a table is no game with rules."""


def opening_event(table: str) -> str:
    """The id of the first event of the game that a table without a game became, computed from the table's own."""
    return hashlib.sha256(f"game of table {table}".encode()).hexdigest()[:32]


PHOTO = "photo"
DROPPED = "dropped"
"""The event of a photo that players removed."""
PICTURES = ("map", "annotated", "upright")
"""The pictures that are stored of each photo."""
OF_ONE_PHOTO = frozenset({PHOTO, "answer", "correct", "remove", "move", "label", "add"})
"""Kinds of events that the next photo replaces."""
MOST_TABLES = 16
"""The most tables with events in memory, at a kilobyte each: the most recently used."""
_BEGINS = 240
"""Letters of the body of such an event that are read at once: they include a photo's hash, its seat and its time."""
_EVENTS = (
    sa.select(
        EVENT.c.seq,
        EVENT.c.at,
        EVENT.c.kind,
        sa.case((EVENT.c.kind.in_(sorted(OF_ONE_PHOTO)), sa.func.substr(EVENT.c.body, 1, _BEGINS)), else_=EVENT.c.body),
        EVENT.c.id,
    )
    .where(EVENT.c.game == sa.bindparam("game"), EVENT.c.seq >= sa.bindparam("first"))
    .order_by(EVENT.c.seq)
)
_BODY = sa.select(EVENT.c.body).where(EVENT.c.game == sa.bindparam("game"), EVENT.c.seq == sa.bindparam("seq"))


class PhotoTaken(TypedDict):
    """A photo without its contents: when it was stored, its hash, the seat that took it, when the server got it and the
    last event of the table's game then; the last three are empty or 0 where they are not known."""

    at: str
    sha256: str
    by: str
    taken_in: str
    game_seq: int


class _Unread(Mapping[str, Any]):
    """The body of an event that the next photo replaces, read from the database on first access: a photo's is
    large, and usually only the last one's is needed. ``begins`` is its beginning."""

    def __init__(self, begins: str, whole: Callable[[], str]) -> None:
        self._begins, self._whole = begins, whole

    @cached_property
    def _read(self) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self._whole() if len(self._begins) == _BEGINS else self._begins)
        return body

    def forget(self) -> None:
        """Drop the body from memory."""
        self.__dict__.pop("_read", None)

    def __getitem__(self, key: str) -> Any:
        known = _KNOWN.match(self._begins) if key == "sha256" else None
        return self._read[key] if known is None else known[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        """Another process gets the whole body and needs no database."""
        return dict, (self._read,)

    @cached_property
    def taken(self) -> tuple[str, str, str, int]:
        """A photo's fields of :class:`PhotoTaken` besides its time; those of old photos are read once."""
        known = _KNOWN.match(self._begins)
        if known and known["game_seq"]:
            return known["sha256"], known["by"], known["taken_in"], int(known["game_seq"])
        body = self._read
        self.forget()
        return body["sha256"], body.get("by", ""), body.get("taken_in", ""), body.get("game_seq", 0)


_KNOWN = re.compile(
    r'\{"sha256":"(?P<sha256>[0-9a-f]{64})"'
    r'(?:,"by":"(?P<by>[^"\\]*)","taken_in":"(?P<taken_in>[^"\\]*)","game_seq":(?P<game_seq>\d+),)?'
)


def table_of(game: str) -> str:
    """The id of the table that a game's photos are read on, computed from the game's own.

    >>> table_of("flank-attack")
    '526d46ad04cbe212'
    """
    return hashlib.sha256(f"table of {game}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Event:
    """An event of a table: its number in the table, its time, its kind, its data, and an id that no other event has."""

    seq: int
    at: str
    kind: str
    body: Mapping[str, Any]
    id: str = ""


class Store:
    """Tables and their pictures, in the data folder; or in the database at ``url``, and in the bucket ``photos``.

    Any thread may call. Raises UsageError and StoreError for a place that can't store anything.
    """

    def __init__(self, folder: Path, url: str = "", photos: str = "") -> None:
        make_writable(folder, mode=0o700)
        self.folder = folder
        self.kept = EventStore(url or folder / DATABASE)
        self.pictures: Pictures = pictures_at(folder, photos)
        self._known: OrderedDict[str, list[Event]] = OrderedDict()
        self._lock = Lock()

    @staticmethod
    def new_game() -> str:
        """A random id that can't be guessed."""
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
        """All events of a table in order; an empty list where there is no such table. Only those written since the last
        call are read."""
        with self._lock:
            known = self._known.get(game, [])
        found = self._events_after(game, known) if known else None
        if found is None:  # not in memory, or another table under an old id
            found = self._events_after(game, []) or []
        with self._lock:
            self._known.pop(game, None)
            if not found or found[0].kind != TABLE:
                return []
            self._known[game] = found
            while len(self._known) > MOST_TABLES:
                self._known.popitem(last=False)
        return list(found)

    def forget(self, game: str) -> None:
        """Drop a table's events from memory."""
        with self._lock:
            self._known.pop(game, None)

    def _events_after(self, game: str, known: list[Event]) -> list[Event] | None:
        """The events of a table of which the first are known; ``None`` where they are no longer its events."""
        with self.kept.reading() as connection:
            rows = connection.execute(_EVENTS, {"game": game, "first": known[-1].seq if known else 1}).all()
        if known:
            if not rows or rows[0].id != known[-1].id:
                return None
            rows = rows[1:]
        new = [
            Event(seq, at, kind, self._unread(game, seq, body) if kind in OF_ONE_PHOTO else json.loads(body), id_)
            for seq, at, kind, body, id_ in rows
        ]
        if any(event.kind == PHOTO for event in new):
            for event in known:
                if isinstance(event.body, _Unread):
                    event.body.forget()
        return [*known, *new] if new else known

    def _unread(self, game: str, seq: int, begins: str) -> _Unread:
        def whole() -> str:
            with self.kept.reading() as connection:
                return str(connection.execute(_BODY, {"game": game, "seq": seq}).scalar_one())

        return _Unread(begins, whole)

    def photos(self, game: str) -> list[PhotoTaken]:
        """The photos of a table that were not dropped, the last one first."""
        found: list[PhotoTaken] = []
        for event in self.events(game):
            if isinstance(event.body, _Unread) and event.kind == PHOTO:
                sha256, by, taken_in, game_seq = event.body.taken
                found.append({"at": event.at, "sha256": sha256, "by": by, "taken_in": taken_in, "game_seq": game_seq})
            elif event.kind == DROPPED:
                found = [photo for photo in found if photo["sha256"] != event.body["sha256"]]
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
