"""Photos that are to be read: a row each, which is the truth, and their bytes in the spool of the picture storage.

An upload is acknowledged once its bytes and its row would outlive a power cut. A queue (:mod:`api.workers.delivery`)
only carries the ids to the workers: what it loses, and what a worker that died left, :meth:`Jobs.sweep` delivers again.
A job done twice leaves one event, since the event bears the job's id.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from api.clock import Unchanged, steady_now, utc_now
from api.errors import BusyError, NotThereError
from api.photos.pictures import SPOOL, Pictures
from tabletop.game.store import EventStore
from tabletop.game.tables import PHOTO_JOB

MOST_ATTEMPTS = 5
"""A photo over which as many workers died is given up."""
SILENT_S = 20.0
"""A worker whose job's ``beat`` has not gone on for so long is taken for dead."""
KEPT_S = 7 * 86400.0
"""How long what became of a photo can be asked for."""

_OPEN = PHOTO_JOB.c.state.in_(("waiting", "working"))
_DONE = {"state": "done", "stage": "", "fraction": 1.0, "detail": ""}


@dataclass(frozen=True)
class Job:
    """A photo of the table ``game`` to be read; ``state`` is waiting, working, done or failed.

    ``stage`` and ``fraction`` say how far it has come, ``detail`` is the sentence of a refusal. ``attempts`` counts the
    workers that have begun it, ``beat`` how often the one at it has said that it lives. ``game_seq`` is the last event
    of the table's game when it was taken in (0: the table belongs to none).
    """

    job: str
    game: str
    sha256: str
    name: str
    asked_by: str
    created: str
    state: str
    stage: str
    fraction: float
    detail: str
    worker: str
    beat: int
    attempts: int
    game_seq: int = 0

    @property
    def upload(self) -> str:
        """The name of its bytes in the picture storage; its own, although another job may have the same bytes."""
        return _upload(self.sha256, self.job)


class Jobs:
    """The photo jobs of a store. Any thread and any process may call.

    ``deliver`` hands a job's id to the workers; ``pending`` tells the ids that are on their way to them. At most
    ``waiting`` photos of one table and ``waiting_in_all`` photos wait or are being read at once. Bytes that have no row
    after ``orphan_s`` seconds were never acknowledged: the server ended between the two. ``count`` counts seconds: how
    long something lasts is told by no clock that somebody may set.
    """

    def __init__(
        self,
        kept: EventStore,
        pictures: Pictures,
        *,
        deliver: Callable[[str], None],
        pending: Callable[[], set[str]],
        waiting: int = 4,
        waiting_in_all: int = 100,
        orphan_s: float = 60.0,
        count: Callable[[], float] = time.monotonic,
    ) -> None:
        self.pictures = pictures
        self._kept = kept
        self._deliver = deliver
        self._pending = pending
        self._waiting = waiting
        self._waiting_in_all = waiting_in_all
        self._orphan_s = orphan_s
        self._unchanged = Unchanged(count)

    # --- asking ------------------------------------------------------------------------------------------------------

    def add(self, game: str, data: bytes, name: str, asked_by: str = "", game_seq: int = 0) -> Job:
        """Take a photo in and have it read; raises BusyError where too many wait, with nothing kept."""
        self.check_room(game)
        created = utc_now().isoformat(timespec="milliseconds")
        sha256 = hashlib.sha256(data).hexdigest()
        id_ = secrets.token_hex(16)
        job = Job(id_, game, sha256, name, asked_by, created, "waiting", "", 0.0, "", "", 0, 0, game_seq)
        self.pictures.put(job.upload, data)
        try:
            with self._kept.transaction() as connection:
                self._check_room(connection, game)
                connection.execute(sa.insert(PHOTO_JOB), vars(job))
        except BusyError:
            self.pictures.drop(job.upload)
            raise
        self._deliver(job.job)
        return self.get(job.job)

    def check_room(self, game: str = "") -> None:
        """Raise BusyError where no more photos (of this table) may wait."""
        with self._kept.reading() as connection:
            self._check_room(connection, game)

    def _check_room(self, connection: sa.Connection, game: str) -> None:
        count = sa.select(sa.func.count()).select_from(PHOTO_JOB).where(_OPEN)
        in_all = connection.execute(count).scalar_one()
        here = connection.execute(count.where(PHOTO_JOB.c.game == game)).scalar_one()
        if here >= self._waiting:
            raise _busy(f"{here} photos of this table are waiting to be read already")
        if in_all >= self._waiting_in_all:
            raise _busy(f"{in_all} photos are waiting to be read already")

    def get(self, job: str) -> Job:
        """The job as it stands; raises NotThereError."""
        with self._kept.reading() as connection:
            row = connection.execute(sa.select(PHOTO_JOB).where(PHOTO_JOB.c.job == job)).one_or_none()
        if row is None:
            raise unknown_job()
        return Job(*row)

    def ahead(self, job: Job) -> int:
        """How many photos that still wait came before one that waits; none for any other."""
        if job.state != "waiting":
            return 0
        before = PHOTO_JOB.c.state == "waiting", PHOTO_JOB.c.created < job.created
        with self._kept.reading() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(PHOTO_JOB).where(*before)).scalar_one()

    # --- for workers -------------------------------------------------------------------------------------------------

    def claim(self, job: str, worker: str) -> Job | None:
        """Begin a waiting job; ``None`` where another worker has it, or it has ended."""
        values = {"state": "working", "worker": worker, "beat": 0, "attempts": PHOTO_JOB.c.attempts + 1}
        mine = PHOTO_JOB.c.job == job, PHOTO_JOB.c.state == "waiting"
        return self.get(job) if self._update(*mine, **values) else None

    def note(self, job: Job, stage: str, fraction: float) -> bool:
        """Say how far a job has come, and so that its worker lives; False where it is no longer this worker's."""
        return self._update(
            *_of(job), beat=PHOTO_JOB.c.beat + 1, stage=stage, fraction=min(max(float(fraction), 0.0), 1.0)
        )

    def beat(self, job: Job) -> bool:
        """Say that the worker lives; False where the job is no longer its own."""
        return self._update(*_of(job), beat=PHOTO_JOB.c.beat + 1)

    def finish(self, job: Job) -> None:
        """The photo lies on the table, whoever's the job is by now; its bytes, which may tell where it was taken, are
        gone from now on."""
        self._update(PHOTO_JOB.c.job == job.job, PHOTO_JOB.c.state != "done", **_DONE)
        self.pictures.drop(job.upload)

    def fail(self, job: Job, detail: str, stage: str = "") -> None:
        """The photo can't be read: the sentence that says why, and the ``stage`` that refused it. Its bytes are gone.

        Nothing where the job is no longer this worker's: whoever has it now may read it all the same.
        """
        if self._update(*_of(job), state="failed", detail=detail, stage=stage):
            self.pictures.drop(job.upload)

    def excuse(self, job: Job) -> None:
        """What the worker at it needs is away: that is no attempt. The job falls silent, and is begun again later."""
        self._update(*_of(job), attempts=PHOTO_JOB.c.attempts - 1)

    def release(self, worker: str) -> None:
        """A worker that is told to end gives back what it had begun; that was no attempt."""
        mine = PHOTO_JOB.c.worker == worker, PHOTO_JOB.c.state == "working"
        self._update(*mine, state="waiting", worker="", attempts=PHOTO_JOB.c.attempts - 1)

    # --- for whoever looks after them --------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Have what was lost read all the same, and drop what nobody waits for.

        Jobs whose worker is gone wait again, or are given up; waiting jobs that are not on their way are delivered;
        bytes of jobs that have ended, and bytes without a row, are dropped; old rows as well.
        """
        with self._kept.reading() as connection:
            rows = [Job(*row) for row in connection.execute(sa.select(PHOTO_JOB).where(_OPEN))]
        for job in rows:
            if job.state == "working" and self._is_lost(job):
                self._take_back(job)
        pending = self._pending()
        with self._kept.reading() as connection:
            query = sa.select(PHOTO_JOB.c.job).where(PHOTO_JOB.c.state == "waiting").order_by(PHOTO_JOB.c.created)
            waiting = list(connection.execute(query).scalars())
        for job_id in waiting:
            if job_id not in pending:
                self._deliver(job_id)
        self._drop_uploads()
        old = (min(utc_now(), steady_now()) - timedelta(seconds=KEPT_S)).isoformat(timespec="seconds")
        with self._kept.transaction() as connection:
            connection.execute(sa.delete(PHOTO_JOB).where(~_OPEN, PHOTO_JOB.c.created < old))

    def _is_lost(self, job: Job) -> bool:
        """Whether the worker at it is gone: its process, if on this machine, or else its beat for so long."""
        return is_gone(job.worker) or self._unchanged.for_s(job.job, (job.worker, job.beat)) > SILENT_S

    def _take_back(self, job: Job) -> None:
        if job.attempts < MOST_ATTEMPTS:
            self._update(*_of(job), PHOTO_JOB.c.beat == job.beat, state="waiting", worker="", stage="", fraction=0.0)
            return
        detail = (
            f"{job.name} was given up: the program that reads photos ended over it {job.attempts} times. Send another "
            "photo of the table, at the phone's normal resolution."
        )
        if self._update(*_of(job), PHOTO_JOB.c.beat == job.beat, state="failed", detail=detail):
            self.pictures.drop(job.upload)

    def _drop_uploads(self) -> None:
        uploads = self.pictures.list_folder(SPOOL)
        if not uploads:
            return
        with self._kept.reading() as connection:
            rows = connection.execute(sa.select(PHOTO_JOB.c.job, PHOTO_JOB.c.state))
            states = {row.job: row.state for row in rows}
        for upload in uploads:
            state = states.get(upload.rpartition("-")[2])
            if state in ("done", "failed") or (
                state is None and self._unchanged.for_s(upload, "no row") > self._orphan_s
            ):
                self.pictures.drop(upload)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _update(self, *where: sa.ColumnElement[bool], **values: Any) -> bool:
        with self._kept.transaction() as connection:
            return connection.execute(sa.update(PHOTO_JOB).where(*where).values(**values)).rowcount == 1


def unknown_job() -> NotThereError:
    """What is said of a photo that there is not, or that is none of the asker's business."""
    return NotThereError("This server knows nothing of this photo (any more): send it again.")


def own_name() -> str:
    """This process, as a worker's name: the machine, the room that its number counts in, and the number."""
    return f"{socket.gethostname()}/{_room()}/{os.getpid()}"


def is_gone(worker: str) -> bool:
    """Whether that worker was a process of this machine, and ended.

    >>> is_gone(own_name()), is_gone("elsewhere/1/1")
    (False, False)
    """
    host, room, number = worker.split("/")
    if not room or (host, room) != (socket.gethostname(), _room()):
        return False
    stat = Path(f"/proc/{number}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def _room() -> str:
    """Which processes are counted together: those of one machine or container since it started; empty: not known."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        return f"{boot[:8]}-{os.stat('/proc/self/ns/pid').st_ino}"
    except FileNotFoundError:
        return ""


def _of(job: Job) -> tuple[sa.ColumnElement[bool], ...]:
    return PHOTO_JOB.c.job == job.job, PHOTO_JOB.c.worker == job.worker, PHOTO_JOB.c.state == "working"


def _busy(why: str) -> BusyError:
    return BusyError(f"{why}; try again in some seconds.", headers={"Retry-After": "5"})


def open_uploads(store: EventStore) -> set[str]:
    """The names, in the picture storage, of the bytes of photos that are not read yet."""
    with store.reading() as connection:
        rows = connection.execute(sa.select(PHOTO_JOB.c.sha256, PHOTO_JOB.c.job).where(_OPEN)).all()
    return {_upload(sha256, job) for sha256, job in rows}


def _upload(sha256: str, job: str) -> str:
    return f"{SPOOL}/{sha256}-{job}"
