"""What the server remembers: tables as append-only lists of events in a database, photos as files named by SHA-256.

State is never stored, only what happened; :mod:`api.state` folds it. One file ``tabletop.sqlite`` and one folder
``photos`` in the data folder hold everything, and a restart reads them again. The file is a
:class:`tabletop.game.store.EventStore`, so that whole games may lie in it beside the tables.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabletop.game.core import new_id, now
from tabletop.game.errors import ConflictError, NoGameError
from tabletop.game.records import Record
from tabletop.game.store import EventStore, GameEntry

TABLE = "table"
"""The kind of a table's first event, and what stands in the place of a ruleset's name: it is no game by rules."""


@dataclass(frozen=True)
class Event:
    """Something that happened at a table: its place in the table's row of events, when, its kind, its particulars."""

    seq: int
    at: str
    kind: str
    body: dict[str, Any]


class Store:
    """The data folder. Any thread may call."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.photos = folder / "photos"
        self.photos.mkdir(parents=True, exist_ok=True)
        self._kept = EventStore(folder / "tabletop.sqlite")

    @staticmethod
    def new_game() -> str:
        """An id that nobody guesses."""
        return secrets.token_hex(8)

    def append(self, game: str, seq: int, kind: str, body: dict[str, Any]) -> bool:
        """Write event number ``seq`` of a table; False, and nothing written, where it is not the next one."""
        record = Record(seq, new_id(), now(), "", kind, body, seq)
        try:
            if seq == 1:
                self._kept.create(GameEntry(game, TABLE, 1, created=record.at), [record])
            else:
                self._kept.append(game, [record])
        except (ConflictError, NoGameError):
            return False
        return True

    def events(self, game: str) -> list[Event]:
        """All events of a table in order; an empty list where there is no such table."""
        records = self._kept.records(game)
        if records and records[0].kind != TABLE:
            return []
        return [Event(record.seq, record.at, record.kind, dict(record.body)) for record in records]

    def last(self, game: str) -> int:
        """The number of a table's last event; 0 where there is no such table."""
        return self._kept.last(game)

    def games(self) -> list[str]:
        """The ids of all tables, the last used one first."""
        return [entry.game for entry in self._kept.games() if entry.rules == TABLE]

    def keep_photo(self, sha256: str, name: str, data: bytes) -> Path:
        """Write a picture that belongs to a photo, whole or not at all; the same name twice is the same picture."""
        folder = self.photos / sha256
        folder.mkdir(exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".part-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, folder / name)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
        return folder / name

    def photo(self, sha256: str, name: str) -> Path | None:
        """The file of a picture, where it is kept. ``sha256`` must be 64 hexadecimal digits: checked by the caller."""
        path = self.photos / sha256 / name
        return path if path.is_file() else None
