"""PostgreSQL that does not answer: every wait has a limit, and while it is unavailable only one thread at a time tries
it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import sqlalchemy as sa

from tabletop.game.errors import StoreError

CONNECT_S = 5
"""How long to wait for a connection, and for a free one."""
ANSWER_S = 8.0
"""How long the database may take to answer, or to send more of its answer."""
_OPTIONS: dict[str, Any] = {
    "connect_timeout": CONNECT_S, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3,
    "tcp_user_timeout": int(1000 * ANSWER_S),
}  # fmt: skip
_FOR_ENGINE: dict[str, Any] = {"pool_pre_ping": True, "pool_timeout": CONNECT_S, "connect_args": _OPTIONS}

Answer = TypeVar("Answer")
_Steps = Generator[Any, Any, Answer]


def create_bounded_engine(url: sa.URL) -> sa.Engine:
    """The engine of a PostgreSQL; raises ImportError without psycopg."""
    engine = sa.create_engine(url, **_FOR_ENGINE)

    @sa.event.listens_for(engine, "do_connect")
    def connect(_dialect: object, _record: object, args: list[Any], more: dict[str, Any]) -> Any:
        return connect_bounded(*args, **more)

    return engine


def connect_bounded(*args: Any, **more: Any) -> Any:
    """A connection of psycopg that raises OperationalError, and closes, if the database does not answer: the database's
    own limits do not help when it hangs."""
    return _connections().connect(*args, **more)


@cache
def _connections() -> Any:
    """The class of such connections; psycopg is loaded when the first is needed."""
    import psycopg

    class BoundedConnection(psycopg.Connection[Any]):
        def wait(self, gen: _Steps[Answer], *args: Any, **more: Any) -> Answer:
            return super().wait(_bounded(gen, self._end), *args, **more)

        def _end(self) -> Exception:
            self.close()
            return psycopg.OperationalError(f"it has not answered for {ANSWER_S:g} seconds")

    return BoundedConnection


def _bounded(steps: _Steps[Answer], end: Callable[[], Exception]) -> _Steps[Answer]:
    """Steps of psycopg: each names the event it waits for and receives the events that occurred, or none."""
    try:
        wanted, until = next(steps), time.monotonic() + ANSWER_S
        while True:
            ready = yield wanted
            if ready:
                until = time.monotonic() + ANSWER_S
            elif time.monotonic() > until:
                raise end()
            wanted = steps.send(ready)
    except StopIteration as done:
        answer: Answer = done.value
        return answer


class Outage:
    """Whether a database was unavailable at the last try. Any thread may call."""

    def __init__(self) -> None:
        self._why = ""
        self._trying = threading.RLock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Use the database inside; raises StoreError while it is unavailable and another thread tries it."""
        why = self._why
        if not why:
            yield
            return
        if not self._trying.acquire(blocking=False):
            raise StoreError(why)
        try:
            yield
            self._why = ""
        finally:
            self._trying.release()

    def begin(self, why: str) -> None:
        """Note that the database is unavailable, with a sentence about it."""
        self._why = why
