"""The queue of photo jobs for the workers: huey, in its own file, or in PostgreSQL where that is the database.

An entry of the queue is only an id as text: nothing that is taken out of it is executed, and nothing is lost with it.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable
from typing import Any

from huey import Huey, MemoryHuey, PostgresHuey, SqliteHuey
from huey.consumer import Consumer
from huey.registry import Message
from huey.serializer import Serializer

from api.games.pg_notify import is_postgresql, plain_address
from api.settings import Settings

NAME = "photos"
_TASK = "read"
_log = logging.getLogger(__name__)
LOOK_AGAIN_S = 0.1
"""On SQLite an idle worker polls this often; PostgreSQL wakes it."""


class _Ids(Serializer):
    """Messages as JSON: the task's own id and that of the job."""

    def _serialize(self, data: Any) -> bytes:
        return json.dumps([data.id, *data.args]).encode()

    def _deserialize(self, data: Any) -> Message:
        id_, job = json.loads(bytes(data))
        return Message(str(id_), f"{__name__}.{_TASK}", args=(str(job),), kwargs={}, retries=0, retry_delay=0)


class Delivery:
    """The queue of photo jobs. Any thread may call; ``work`` is called with an id, where jobs are done in this process.

    With ``at_once`` there is no queue: jobs are done immediately. ``faults`` are the exceptions of a queue that can't
    be used.
    """

    def __init__(self, settings: Settings, work: Callable[[str], None], *, at_once: bool = False) -> None:
        self._huey = _huey(settings, at_once)
        self.faults: tuple[type[Exception], ...] = (sqlite3.Error,)
        if isinstance(self._huey, PostgresHuey):
            import psycopg

            self.faults = (psycopg.Error,)

        def read(job: str) -> None:
            work(job)

        self._task = self._huey.task(name=_TASK)(read)

    def send(self, job: str) -> None:
        """Have a worker do that job; where the queue can't be written, the next sweep of the jobs sends it again."""
        try:
            self._task(job)
        except self.faults as error:
            _log.warning("A photo is kept and can't be queued now: %s", error)

    def pending_jobs(self) -> set[str]:
        """The jobs that no worker has taken yet."""
        return {str(task.args[0]) for task in self._huey.pending()}

    def consumer(self) -> Consumer:
        """The loop that takes jobs one after another and does them, until it is stopped; for a process's main
        thread."""
        return self._huey.create_consumer(
            workers=1, periodic=False, initial_delay=LOOK_AGAIN_S, max_delay=LOOK_AGAIN_S, scheduler_interval=60
        )

    def close(self) -> None:
        """Close the database."""
        self._huey.storage.close()


def _huey(settings: Settings, at_once: bool) -> Huey:
    plain = {"results": False, "serializer": _Ids()}
    if at_once:
        return MemoryHuey(NAME, immediate=True, **plain)
    if not is_postgresql(settings.url):
        file = settings.data_dir / "queue.sqlite"
        return SqliteHuey(NAME, filename=str(file), timeout=10, **plain)
    return PostgresHuey(NAME, dsn=plain_address(settings.url), **plain)
