"""Jobs of photos to be read: an authoritative row each, and the photo's bytes in the spool of the picture storage.

An upload is acknowledged once its bytes and its row would survive a power cut. A queue (:mod:`api.workers.delivery`)
only carries the ids to the workers: :meth:`Jobs.sweep` delivers lost ids and jobs of dead workers again.
A job done twice leaves one event, since the event has the job's id.
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
"""A photo over which this many workers died is given up."""
SILENT_S = 20.0
"""A worker counts as dead when its job's ``beat`` has not changed for this long."""
KEPT_S = 7 * 86400.0
"""How long the result of a photo can be requested."""

_OPEN = PHOTO_JOB.c.state.in_(("waiting", "working"))
_DONE = {"state": "done", "stage": "", "fraction": 1.0, "detail": ""}


@dataclass(frozen=True)
class Job:
    """A photo of the table ``game`` to be read; ``state`` is waiting, working, done or failed.

    ``stage`` and ``fraction`` are its progress, ``detail`` is the sentence of a refusal. ``attempts`` counts the
    workers that have begun it, ``beat`` the signs of life of the current one. ``game_seq`` is the last event of the
    table's game when the photo was sent (0: the table belongs to none).
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
        """The name of its bytes in the picture storage: unique, although another job may have the same bytes."""
        return _upload(self.sha256, self.job)


class Jobs:
    """The photo jobs of a store. Any thread and any process may call.

    ``deliver`` hands a job's id to the workers; ``pending`` returns the ids that are on their way to them. At most
    ``waiting`` photos of one table and ``waiting_in_all`` photos wait or are being read at once. Bytes without a row
    after ``orphan_s`` seconds were never acknowledged: the server ended between the two. ``count`` counts seconds:
    durations must not depend on a clock that can be set.
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
        """Store a photo and have it read; raises BusyError where too many wait, with nothing stored."""
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
        """Raise BusyError where too many photos (of this table) wait."""
        with self._kept.reading() as connection:
            self._check_room(connection, game)

    def _check_room(self, connection: sa.Connection, game: str) -> None:
        count = sa.select(sa.func.count()).select_from(PHOTO_JOB).where(_OPEN)
        in_all = connection.execute(count).scalar_one()
        here = connection.execute(count.where(PHOTO_JOB.c.game == game)).scalar_one()
        if here >= self._waiting:
            raise _busy(f"{here} photos of this table are already waiting to be read")
        if in_all >= self._waiting_in_all:
            raise _busy(f"{in_all} photos are already waiting to be read")

    def get(self, job: str) -> Job:
        """The current job; raises NotThereError."""
        with self._kept.reading() as connection:
            row = connection.execute(sa.select(PHOTO_JOB).where(PHOTO_JOB.c.job == job)).one_or_none()
        if row is None:
            raise unknown_job()
        return Job(*row)

    def ahead(self, job: Job) -> int:
        """How many waiting photos come before a waiting one; 0 for any other job."""
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
        """Save a job's progress, which also shows that its worker lives; False where it is no longer this worker's."""
        return self._update(
            *_of(job), beat=PHOTO_JOB.c.beat + 1, stage=stage, fraction=min(max(float(fraction), 0.0), 1.0)
        )

    def beat(self, job: Job) -> bool:
        """Show that the worker lives; False where the job is no longer its own."""
        return self._update(*_of(job), beat=PHOTO_JOB.c.beat + 1)

    def finish(self, job: Job) -> None:
        """The photo is on the table, whichever worker has the job by now. Its bytes, which may contain where it was
        taken, are deleted."""
        self._update(PHOTO_JOB.c.job == job.job, PHOTO_JOB.c.state != "done", **_DONE)
        self.pictures.drop(job.upload)

    def fail(self, job: Job, detail: str, stage: str = "") -> None:
        """The photo can't be read: ``detail`` says why, and ``stage`` is the step that refused it. Its bytes are
        deleted.

        Does nothing where the job is no longer this worker's: its new worker may still read it.
        """
        if self._update(*_of(job), state="failed", detail=detail, stage=stage):
            self.pictures.drop(job.upload)

    def excuse(self, job: Job) -> None:
        """A service that the worker needs is unavailable: this doesn't count as an attempt. The job is begun again
        later."""
        self._update(*_of(job), attempts=PHOTO_JOB.c.attempts - 1)

    def release(self, worker: str) -> None:
        """A worker that is asked to stop gives back its jobs; this doesn't count as an attempt."""
        mine = PHOTO_JOB.c.worker == worker, PHOTO_JOB.c.state == "working"
        self._update(*mine, state="waiting", worker="", attempts=PHOTO_JOB.c.attempts - 1)

    # --- for the supervisor ------------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Have lost jobs read after all, and delete what is no longer needed.

        Jobs of dead workers wait again, or are given up; waiting jobs that are not on their way are delivered; bytes of
        jobs that have ended, and bytes without a row, are deleted; so are old rows.
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
        """Whether its worker is gone: its process has ended, if on this machine, or else its beat has stopped."""
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
    """The error for a photo that doesn't exist, or that the requester may not know of."""
    return NotThereError("This photo is unknown or has expired on the server: send it again.")


def own_name() -> str:
    """This process, as a worker's name: the machine, the process-id namespace, and the process id."""
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
    """The process-id namespace: that of one machine or container since it started; empty where it is not known."""
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
