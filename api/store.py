"""What the server remembers: tables as append-only lists of events in SQLite, photos as files named by SHA-256.

State is never stored, only what happened; :mod:`api.state` folds it. One file ``tabletop.sqlite`` and one folder
``photos`` in the data folder hold everything, and a restart reads them again.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
    game TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, seq)
) WITHOUT ROWID
"""


@dataclass(frozen=True)
class Event:
    """Something that happened at a table: its place in the table's row of events, when, its kind, its particulars."""

    seq: int
    at: str
    kind: str
    body: dict[str, Any]


class Store:
    """The data folder. Every call opens its own connection, so that any thread may call."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.photos = folder / "photos"
        self._database = folder / "tabletop.sqlite"
        self.photos.mkdir(parents=True, exist_ok=True)
        with self._connection() as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(_SCHEMA)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._database, timeout=10.0, isolation_level=None)) as connection:
            yield connection

    @staticmethod
    def new_game() -> str:
        """An id that nobody guesses."""
        return secrets.token_hex(8)

    def append(self, game: str, seq: int, kind: str, body: dict[str, Any]) -> bool:
        """Write event number ``seq`` of a table; False, and nothing written, where it is there already."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        text = json.dumps(body, separators=(",", ":"), allow_nan=False)
        with self._connection() as connection:
            try:
                connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", (game, seq, at, kind, text))
            except sqlite3.IntegrityError:
                return False
        return True

    def events(self, game: str) -> list[Event]:
        """All events of a table in order; an empty list where there is no such table."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT seq, at, kind, body FROM event WHERE game = ? ORDER BY seq", (game,)
            ).fetchall()
        return [Event(seq, at, kind, json.loads(body)) for seq, at, kind, body in rows]

    def last(self, game: str) -> int:
        """The number of a table's last event; 0 where there is no such table."""
        with self._connection() as connection:
            (seq,) = connection.execute("SELECT COALESCE(MAX(seq), 0) FROM event WHERE game = ?", (game,)).fetchone()
        return int(seq)

    def games(self) -> list[str]:
        """The ids of all tables, the last used one first."""
        with self._connection() as connection:
            rows = connection.execute("SELECT game FROM event GROUP BY game ORDER BY MAX(at) DESC, game").fetchall()
        return [game for (game,) in rows]

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
