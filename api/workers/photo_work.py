"""A worker's handling of a photo job or a settled photo, and its process.

The process is started by :mod:`api.workers.worker_pool`, which sends it the server's settings through a pipe; when that
pipe closes, however the other side ended, the worker gives back its jobs and ends.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Self, cast

from fastapi_problem.error import StatusProblem

from api.engine import PLACING, Engine, Progress
from api.errors import is_away, problem_of
from api.photos.collections import ChoicesKept, photo_id
from api.photos.decoding import DecodingError
from api.photos.jobs import Job, Jobs, own_name
from api.photos.lessons import Lesson, Lessons, is_lesson
from api.photos.pictures import Pictures
from api.processes.limits import give_way
from api.settings import Settings
from api.tables.near_edge import settle_near_edge
from api.tables.session import Tables
from api.tables.store import Store
from api.workers.delivery import Delivery
from calibration import CalibrationError, CameraFileError
from tabletop.errors import RulesError, TableFileError, TabletopError
from tabletop.game.errors import GameError, StoreError
from tabletop.game.store import EventStore
from vision.model.errors import VisionError

_log = logging.getLogger(__name__)
BEAT_S = 2.0
NOTHING_YET = ("", 0.0)
FAULT = "The program failed on this photo; nothing was changed. The host's terminal shows what happened."
_PATHS = ("data_dir", "page_dir")
_LOST = "The upload is gone: send the photo again."

PHOTO_REFUSALS = (VisionError, CalibrationError, DecodingError, TableFileError, RulesError, StatusProblem)
"""Errors of reading that are the photo's or the table's fault, with the sentence that says why."""

LESSON_REFUSALS = (VisionError, CalibrationError, TabletopError, StatusProblem)
"""Errors of learning where a settled photo can teach nothing, or its data can't be stored."""


class Worker:
    """Reads the photos of jobs, and learns from settled ones, one at a time. Any thread may call."""

    def __init__(self, jobs: Jobs, lessons: Lessons, tables: Tables, name: str | None = None) -> None:
        self.name = name or own_name()
        self._jobs = jobs
        self._lessons = lessons
        self._tables = tables
        self._choices = ChoicesKept(tables.store.pictures)
        self._turn = threading.Lock()

    def do(self, name: str) -> None:
        """Handle an entry of the queue: read the photo of a job, or learn from a settled one."""
        if is_lesson(name):
            self.learn(name)
        else:
            self.read(name)

    def learn(self, name: str) -> None:
        """Add a settled photo to the learned data; does nothing where another worker has it, where the photo's answers
        have changed meanwhile, or where the host does not want it.

        A refusal is written into the lesson; so is a fault of the program, which is also raised. Where the database or
        the pictures can't be reached (GameError, OSError), the lesson is left unchanged and begun again.
        """
        with self._turn:
            lesson = self._lessons.claim(name, self.name)
            if lesson is None:
                return
            ended = False
            try:
                self._lessons.end(lesson, *self._learn(lesson))
                ended = True
            except (GameError, OSError) as error:
                ended = True
                if is_away(error):
                    with suppress(StoreError):
                        self._lessons.excuse(lesson)
                raise
            except LESSON_REFUSALS as error:
                self._lessons.end(lesson, "nothing", _sentence(error))
                ended = True
            finally:
                if not ended:
                    self._lessons.end(lesson, "nothing", FAULT)

    def _learn(self, lesson: Lesson) -> tuple[str, str]:
        """The result of a lesson; refusals are raised."""
        settled = self._tables.settled_photo(lesson.game, lesson.seq)
        if settled is None or (settled.sha256, settled.said) != (lesson.sha256, lesson.said):
            return "nothing", ""
        if not self._choices.get().takes(lesson.sha256):
            return "nothing", ""
        learnt = self._tables.learn(lesson.game, settled)
        if not (self._lessons.is_current(lesson) and self._choices.get().takes(lesson.sha256)):
            return "nothing", ""
        self._tables.collections.add(learnt, photo_id(lesson.sha256))
        return "learnt", ""

    def read(self, job_id: str) -> None:
        """Read the photo of a job and put it on its table; does nothing where another worker has the job.

        A refusal is written into the job; so is a fault of the program, which is also raised. Where the database or the
        pictures can't be reached (GameError, OSError), the job is left unchanged: it falls silent, and is begun again,
        as often as needed where the storage fails (:func:`api.errors.is_away`).
        """
        with self._turn:
            job = self._jobs.claim(job_id, self.name)
            if job is None:
                return
            ended = False
            try:
                with _Told(self._jobs, job) as told:
                    self._read(job, told.step)
                ended = True
            except PHOTO_REFUSALS as error:
                placed = not isinstance(error, CalibrationError) or isinstance(error, CameraFileError)
                self._jobs.fail(job, _sentence(error), "" if placed else PLACING)
                ended = True
            except (GameError, OSError) as error:
                ended = True
                if is_away(error):
                    with suppress(StoreError):
                        self._jobs.excuse(job)
                raise
            finally:
                if not ended:
                    self._jobs.fail(job, FAULT)

    def _read(self, job: Job, step: Progress) -> None:
        if not self._tables.store.has(job.job):  # a worker may have died right after it had written the event
            data = self._tables.store.pictures.get(job.upload)
            if data is None:
                self._jobs.fail(job, _LOST)
                return
            reading = self._tables.read_photo(self._tables.get(job.game), data, job.name, step)
            self._tables.add_reading(
                job.game, reading, job.job, by=job.asked_by, taken_in=job.created, game_seq=job.game_seq
            )
        settle_near_edge(self._tables, job.game)
        self._jobs.finish(job)


class _Told:
    """A thread that reports a job's progress and, now and then, that its worker lives: reading never waits for the
    disk."""

    def __init__(self, jobs: Jobs, job: Job) -> None:
        self._jobs = jobs
        self._job = job
        self._reached = NOTHING_YET
        self._news = threading.Event()
        self._over = False
        self._thread = threading.Thread(target=self._tell, name=f"beat of {job.job}", daemon=True)

    def step(self, stage: str, part: float) -> None:
        """A stage begins."""
        self._reached = stage, part
        self._news.set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        self._news.set()
        self._thread.join()

    def _tell(self) -> None:
        mine, told = True, NOTHING_YET
        while mine:
            self._news.wait(BEAT_S)
            self._news.clear()
            if self._over:
                return
            reached = self._reached
            with suppress(StoreError):  # the photo is read anyway, and the next report repeats this
                mine = self._jobs.beat(self._job) if reached is told else self._jobs.note(self._job, *reached)
                told = reached


def _sentence(error: Exception) -> str:
    return str(getattr(error, "detail", None) or problem_of(error))


# --- what a server and its workers have in common ------------------------------------------------------------------


def jobs_of(settings: Settings, kept: EventStore, pictures: Pictures, delivery: Delivery) -> Jobs:
    """The photo jobs as a server's settings configure them."""
    return Jobs(
        kept,
        pictures,
        deliver=delivery.send,
        pending=delivery.pending_jobs,
        waiting=settings.photos_waiting,
        waiting_in_all=settings.photos_waiting_in_all,
        orphan_s=settings.orphan_s,
    )


def lessons_of(kept: EventStore, delivery: Delivery) -> Lessons:
    """The settled photos to be learned."""
    return Lessons(kept, deliver=delivery.send, pending=delivery.pending_jobs)


def engine_of(settings: Settings) -> Engine:
    """The engine named by the settings."""
    module, _, name = settings.engine.partition(":")
    return cast(Engine, getattr(importlib.import_module(module), name)(settings))


def settings_text(settings: Settings) -> str:
    """Settings as one line of JSON, as :func:`settings_from` reads it."""
    return json.dumps({**vars(settings), **{key: str(getattr(settings, key)) for key in _PATHS}})


def settings_from(text: str) -> Settings:
    """The settings of such a line.

    >>> given = Settings(Path("/tmp/evening"), workers=2, names=("club.example",))
    >>> settings_from(settings_text(given)) == given
    True
    """
    given = json.loads(text)
    paths = {key: Path(given[key]) for key in _PATHS}
    rows = {key: tuple(part) for key, part in given.items() if isinstance(part, list)}
    return Settings(**{**given, **paths, **rows})


def do_or_wait(worker: Worker, name: str) -> None:
    """Have a worker handle an entry of the queue; where the storage fails, that is logged in a line, and the entry is
    handled again later."""
    try:
        worker.do(name)
    except (StoreError, OSError) as error:
        if not is_away(error):
            raise
        _log.warning("A photo waits, and is tried again: %s", error)


# --- the process -----------------------------------------------------------------------------------------------------


def main() -> None:
    """The process's entry point: standard input has the settings in a line, and stays open as long as it should
    work."""
    give_way()
    line = sys.stdin.readline()
    if not line:
        return  # the parent was killed before it sent anything
    settings = settings_from(line)
    engine = engine_of(settings)
    store = Store(settings.data_dir, settings.url, settings.photos)
    delivery = Delivery(settings, lambda job: do_or_wait(worker, job))
    jobs = jobs_of(settings, store.kept, store.pictures, delivery)
    lessons = lessons_of(store.kept, delivery)
    worker = Worker(jobs, lessons, Tables(store, engine, settings.collection))
    consumer = delivery.consumer()

    def end() -> None:
        jobs.release(worker.name)
        lessons.release(worker.name)
        engine.close()
        os._exit(0)

    def wait_for_the_end() -> None:
        while sys.stdin.readline():
            pass
        end()

    threading.Thread(target=wait_for_the_end, name="end", daemon=True).start()
    engine.start()
    threading.Thread(target=engine.load, name="load", daemon=True).start()
    consumer.run()
    end()


if __name__ == "__main__":
    main()
