"""Word between the processes of one PostgreSQL that a game has changed, by the database's own notifications."""

from __future__ import annotations

import logging
import secrets
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import sqlalchemy as sa

from tabletop.game.pg_bounds import CONNECT_S, connect_bounded

if TYPE_CHECKING:
    from psycopg import Connection

CHANNEL = "tabletop"
LOOK_S = 0.5
AGAIN_S = 1.0
"""How soon a lost connection is tried again; until then the server polls every second."""


def is_postgresql(url: str) -> bool:
    """Whether a database's URL is PostgreSQL's.

    >>> is_postgresql("postgresql+psycopg://club@/evening"), is_postgresql("sqlite:///games.sqlite"), is_postgresql("")
    (True, False, False)
    """
    return url.startswith("postgresql")


def plain_address(url: str) -> str:
    """A PostgreSQL URL as PostgreSQL's own tools take it, password and all.

    >>> plain_address("postgresql+psycopg://anna:secret@club.local/evening")
    'postgresql://anna:secret@club.local/evening'
    """
    return sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


class PgNotify:
    """Notifies the other processes of a database of changes here, and calls ``heard`` for changes there.

    Any thread may call. Notifications may be lost with a connection, so listeners also poll now and then.
    """

    def __init__(self, url: str, heard: Callable[[str], None]) -> None:
        self._address = plain_address(url)
        self._heard = heard
        self._me = secrets.token_hex(4)
        self._lock = threading.Lock()
        self._out = _Outbound(self._address)
        self._let_go = weakref.finalize(self, self._out.close)
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def notify(self, game: str) -> None:
        """Notify the other processes that a game has changed; does nothing after :meth:`close`."""
        self._out.send(f"{self._me} {game}")

    def listen(self) -> None:
        """Start to listen; a second call changes nothing."""
        with self._lock:
            if self._thread is None and not self._over.is_set():
                self._thread = threading.Thread(target=self._listen, name="pg-notify", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Close the database connections."""
        self._over.set()
        self._let_go()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _listen(self) -> None:
        import psycopg

        connect = partial(psycopg.connect, self._address, autocommit=True, connect_timeout=CONNECT_S)
        while not self._over.is_set():
            with suppress(psycopg.Error), connect() as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                self._hear(connection)
            self._over.wait(AGAIN_S)

    def _hear(self, connection: Connection) -> None:
        while not self._over.is_set():
            for word in connection.notifies(timeout=LOOK_S, stop_after=1):
                sender, _, game = word.payload.partition(" ")
                if sender != self._me:
                    self._heard(game)


class _Outbound:
    """The outgoing connection: opened when it is needed, and again where it was lost."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._closed = False

    def send(self, word: str) -> None:
        import psycopg

        with self._lock:
            for _ in range(2):
                if self._closed:
                    return
                try:
                    if self._connection is None:
                        self._connection = connect_bounded(self._address, autocommit=True, connect_timeout=CONNECT_S)
                    self._connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, word))
                    return
                except psycopg.Error as error:
                    self._drop()
                    why = error
        logging.getLogger(__name__).warning("Other servers can't be notified now: %s", why)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
