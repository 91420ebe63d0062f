"""The processes that read photos: started, restarted when they die, ended with their parent."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress

from api.photos.jobs import Jobs
from api.photos.lessons import Lessons
from api.settings import Settings
from api.tables.session import Tables
from api.tables.store import Store
from api.workers.delivery import Delivery
from api.workers.photo_work import Worker, engine_of, jobs_of, lessons_of, settings_text
from tabletop.errors import UsageError
from tabletop.game.errors import GameError

LOOK_S = 0.25
SWEEP_S = 5.0
END_S = 1.5
"""How long a worker has to give back its jobs."""
AGAIN_S, MOST_AGAIN_S = 0.5, 30.0
"""How soon a worker that died is restarted; twice as long each time while it dies young."""
GROWN_S = 60.0

_log = logging.getLogger(__name__)


class WorkerPool:
    """``count`` worker processes, and a thread that supervises them, the jobs and the lessons."""

    def __init__(
        self, settings: Settings, jobs: Jobs, lessons: Lessons, faults: tuple[type[Exception], ...], count: int
    ) -> None:
        self._line = settings_text(settings).encode() + b"\n"
        self._jobs = jobs
        self._lessons = lessons
        self._faults: tuple[type[Exception], ...] = (GameError, OSError, *faults)
        self._places = [_Place() for _ in range(count)]
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def pids(self) -> list[int]:
        """The present worker processes."""
        return [place.process.pid for place in self._places if place.process and place.process.poll() is None]

    def start(self) -> None:
        """Start; jobs that an earlier server left are delivered again."""
        self._over.clear()
        self._thread = threading.Thread(target=self._look_after, name="workers", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Have the workers give back what they have begun and end, without waiting for them."""
        self._over.set()
        for place in self._places:
            place.tell_to_end()

    def kill(self) -> None:
        """End the workers at once; anything they had begun is delivered again after the next start."""
        for place in self._places:
            if place.process is not None:
                place.process.kill()

    def close(self) -> None:
        """Have the workers give back their jobs, and end them."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        for place in self._places:
            place.tell_to_end()
        until = time.monotonic() + END_S
        for place in self._places:
            place.end(until)

    def _look_after(self) -> None:
        swept = -SWEEP_S
        while True:
            died = [place for place in self._places if place.is_due(self._line)]
            if died or time.monotonic() - swept >= SWEEP_S:
                try:
                    self._jobs.sweep()
                    self._lessons.sweep()
                except self._faults as error:
                    _log.warning("Photo jobs can't be looked after now: %s", error)
                swept = time.monotonic()
            if self._over.wait(LOOK_S):
                return


class _Place:
    """The slot of one worker."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._began = 0.0
        self._wait_s = 0.0
        self._from = 0.0

    def is_due(self, line: bytes) -> bool:
        """Start a process if none is alive; returns whether one has died since the last call."""
        died = False
        if self.process is not None and self.process.poll() is not None:
            young = time.monotonic() - self._began < GROWN_S
            self._wait_s = min(2 * self._wait_s, MOST_AGAIN_S) if young and self._wait_s else AGAIN_S
            self._from = time.monotonic() + self._wait_s
            self._let_go()
            died = True
        if self.process is None and time.monotonic() >= self._from:
            self.process = _start(line)
            self._began = time.monotonic()
        return died

    def tell_to_end(self) -> None:
        """Close the pipe that keeps it alive."""
        if self.process is not None and self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()

    def end(self, until: float) -> None:
        """Wait until then for it to end, and kill it."""
        if self.process is None:
            return
        try:
            self.process.wait(max(until - time.monotonic(), 0.0))
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._let_go()

    def _let_go(self) -> None:
        assert self.process is not None
        self.tell_to_end()
        self.process.wait()
        self.process = None


def _start(line: bytes) -> subprocess.Popen[bytes]:
    """A worker process in its own session: Ctrl-C is meant for the parent, which then ends it."""
    path = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "api.workers.photo_work"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        bufsize=0,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(line)
    return process


class PhotoService:
    """The service that reads and learns a server's photos: the jobs, the lessons, the queue and the workers.

    With ``at_once`` a photo is read in the thread that sends it, by the tables' own engine, and there are no processes.
    """

    def __init__(self, settings: Settings, tables: Tables, *, at_once: bool = False) -> None:
        self._at_once = at_once
        self._engine = tables.engine
        self._delivery = Delivery(settings, lambda job: self._worker.do(job), at_once=at_once)
        self.jobs = jobs_of(settings, tables.store.kept, tables.store.pictures, self._delivery)
        self.lessons = lessons_of(tables.store.kept, self._delivery)
        self._worker = Worker(self.jobs, self.lessons, tables)
        self.workers = WorkerPool(settings, self.jobs, self.lessons, self._delivery.faults, settings.workers)

    def start(self) -> None:
        """Start to read photos, first the ones left by an earlier server."""
        if self._at_once:
            self._engine.start()
            self.jobs.sweep()
            self.lessons.sweep()
        else:
            self.workers.start()

    def close(self) -> None:
        """End all processes."""
        if not self._at_once:
            self.workers.close()
        self._engine.close()
        self._delivery.close()


def work_alone(settings: Settings, over: threading.Event) -> None:
    """Read photos for a server elsewhere until ``over``; raises GameError, UsageError."""
    if settings.workers < 1:
        raise UsageError("At least one worker is needed: give --workers 1 or more.")
    store = Store(settings.data_dir, settings.url, settings.photos)
    photos = PhotoService(settings, Tables(store, engine_of(settings), settings.collection))
    photos.start()
    try:
        over.wait()
    finally:
        photos.close()
