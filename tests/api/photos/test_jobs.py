"""Photo jobs: what was acknowledged is read once, whoever dies over it, and nothing is left behind."""

import errno
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from huey.storage import SqliteStorage

from api.clock import utc_now
from api.engine import Reading
from api.errors import BusyError, NotThereError
from api.photos import jobs as jobs_module
from api.photos.jobs import MOST_ATTEMPTS, Job, Jobs, is_gone, own_name
from api.photos.lessons import Lessons
from api.settings import Settings
from api.tables import shape
from api.tables.session import Tables
from api.tables.store import Store
from api.workers.delivery import Delivery
from api.workers.photo_work import FAULT, Worker, do_or_wait
from api.workers.worker_pool import PhotoService
from tabletop.game.errors import GameError, StoreError
from tests.paths import ROOT
from tests.support.api_engines import Waiting
from tests.support.api_support import PHOTO, TABLE, Canned
from tests.support.waiting import BOUND_S, all_at_once, wait_for_end

ELSEWHERE = "elsewhere/1/1"
START = datetime(2026, 5, 2, 14, 0, tzinfo=UTC)


class Place:
    """A data folder with a table, whose jobs go nowhere by themselves."""

    def __init__(self, folder: Path, engine: Canned | None = None, **limits: int) -> None:
        self.store = Store(folder)
        self.tables = Tables(self.store, engine or Canned())
        self.game = self.tables.create(TABLE, "small.toml", Store.new_game()).game
        self.delivered: list[str] = []
        self.pending: set[str] = set()
        self.seconds = 100.0
        self.jobs = Jobs(
            self.store.kept,
            self.store.pictures,
            deliver=self.delivered.append,
            pending=lambda: self.pending,
            count=lambda: self.seconds,
            **limits,  # type: ignore[arg-type]
        )

    def worker(self, name: str = ELSEWHERE) -> Worker:
        """A worker in this process, by another's name."""
        lessons = Lessons(self.store.kept, deliver=self.delivered.append, pending=lambda: self.pending)
        return Worker(self.jobs, lessons, self.tables, name)

    def photos(self) -> int:
        """How often a photo was laid on the table."""
        return sum(event.kind == "photo" for event in self.store.events(self.game))

    def uploads(self) -> list[str]:
        """What lies in the spool."""
        return self.store.pictures.list_folder("spool")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def dead_worker() -> str:
    """The name of a worker of this machine that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return own_name().rpartition("/")[0] + f"/{process.pid}"


def test_bytes_and_row_are_kept_before_anybody_is_told(place: Place) -> None:
    seen: list[tuple[str, bytes | None]] = []

    def look(job_id: str) -> None:
        job = place.jobs.get(job_id)
        seen.append((job.state, place.store.pictures.get(job.upload)))

    jobs = Jobs(place.store.kept, place.store.pictures, deliver=look, pending=set)
    job = jobs.add(place.game, PHOTO, "IMG_1.jpg", "Anna")
    assert seen == [("waiting", PHOTO)]
    assert (job.game, job.name, job.asked_by, job.attempts) == (place.game, "IMG_1.jpg", "Anna", 0)


def test_too_many_photos_are_refused_and_not_kept(tmp_path: Path) -> None:
    place = Place(tmp_path, waiting=2, waiting_in_all=3)
    other = place.tables.create(TABLE, "other.toml", Store.new_game()).game
    for _ in range(2):
        place.jobs.add(place.game, PHOTO, "a.jpg")
    with pytest.raises(BusyError) as of_table:
        place.jobs.add(place.game, PHOTO, "a.jpg")
    place.jobs.add(other, PHOTO, "a.jpg")
    with pytest.raises(BusyError) as of_all:
        place.jobs.add(other, PHOTO, "a.jpg")
    assert "2 photos of this table" in of_table.value.detail and "3 photos are already waiting" in of_all.value.detail
    assert len(place.uploads()) == len(place.delivered) == 3
    place.worker().do(place.delivered[0])
    place.jobs.add(place.game, PHOTO, "a.jpg")


def test_a_photo_knows_how_many_come_before_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    other = place.tables.create(TABLE, "other.toml", Store.new_game()).game
    times = (START + timedelta(milliseconds=n) for n in count())
    monkeypatch.setattr(jobs_module, "utc_now", lambda: next(times))
    jobs = [place.jobs.add(game, PHOTO, "a.jpg") for game in (place.game, place.game, other)]
    assert [place.jobs.ahead(job) for job in jobs] == [0, 1, 2]
    place.worker().do(jobs[0].job)
    assert [place.jobs.ahead(place.jobs.get(job.job)) for job in jobs] == [0, 0, 1]
    told = [shape.job(job, ahead).ask_ms for job, ahead in ((jobs[0], 0), (jobs[1], 1), (jobs[2], 90))]
    assert told == [200, 700, 3000]


def test_a_photo_that_was_read_lies_on_the_table_and_its_upload_is_gone(place: Place) -> None:
    steps: list[tuple[str, float]] = []
    job = place.jobs.add(place.game, PHOTO, "a.jpg")
    note = place.jobs.note

    def noted(job: Job, stage: str, fraction: float) -> bool:
        steps.append((stage, fraction))
        return note(job, stage, fraction)

    place.jobs.note = noted  # type: ignore[method-assign]
    place.worker().do(job.job)
    assert steps == [("finding bases", 0.5)]
    done = place.jobs.get(job.job)
    assert (done.state, done.fraction, done.detail, done.attempts) == ("done", 1.0, "", 1)
    assert place.photos() == 1 and place.uploads() == []
    names = {path.name for path in (place.store.folder / "photos").rglob("*.jpg")}
    assert names == {f"{name}-{place.game}.jpg" for name in ("map", "annotated", "upright")}


def test_two_uploads_of_the_same_bytes_do_not_take_each_other_away(place: Place) -> None:
    first, second = (place.jobs.add(place.game, PHOTO, "a.jpg") for _ in range(2))
    place.worker().do(first.job)
    assert place.uploads() == [second.upload]
    place.worker().do(second.job)
    assert place.photos() == 2 and place.uploads() == []


def test_a_refusal_is_kept_as_its_sentence_and_the_upload_is_gone(place: Place) -> None:
    job = place.jobs.add(place.game, b"no picture", "x.jpg")
    place.worker().do(job.job)
    failed = place.jobs.get(job.job)
    assert failed.state == "failed" and failed.detail.startswith("x.jpg") and failed.detail.endswith(".")
    assert place.uploads() == [] and place.photos() == 0


def test_a_table_that_is_gone_is_a_refusal(place: Place) -> None:
    job = place.jobs.add("0" * 16, PHOTO, "a.jpg")
    place.worker().do(job.job)
    assert "There is no table" in place.jobs.get(job.job).detail


def test_a_fault_of_the_program_ends_the_job_and_tells_no_secrets(tmp_path: Path) -> None:
    class Broken(Canned):
        def read_photo(self, *_: Any) -> Reading:
            raise ZeroDivisionError("a secret of the house")

    place = Place(tmp_path, Broken())
    job = place.jobs.add(place.game, PHOTO, "a.jpg")
    with pytest.raises(ZeroDivisionError):
        place.worker().do(job.job)
    assert place.jobs.get(job.job).detail == FAULT
    assert place.uploads() == []


@pytest.mark.parametrize(
    "fault, times",
    [
        (OSError("a fault of the program"), 1),
        (GameError("another one"), 1),
        (OSError(errno.EIO, "the bucket is away"), MOST_ATTEMPTS + 2),
        (StoreError("the database is gone"), MOST_ATTEMPTS + 2),
    ],
)
def test_where_nothing_can_be_kept_the_photo_is_begun_again_later(
    tmp_path: Path, fault: Exception, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As often as it takes where that is the fault of their place."""
    place = Place(tmp_path)
    job = place.jobs.add(place.game, PHOTO, "a.jpg")

    def out_of_order(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(jobs_module, "SILENT_S", -1.0)
    with monkeypatch.context() as patch:
        patch.setattr(place.tables, "add_reading", out_of_order)
        for _ in range(times):
            with pytest.raises(type(fault)):
                place.worker().do(place.delivered[-1])
            assert place.jobs.get(job.job).state == "working" and place.uploads() == [job.upload]
            place.jobs.sweep()
            place.jobs.sweep()
    place.worker().do(place.delivered[-1])
    assert place.jobs.get(job.job).state == "done" and place.photos() == 1


def test_only_one_worker_gets_a_job(place: Place) -> None:
    job = place.jobs.add(place.game, PHOTO, "a.jpg")
    all_at_once([partial(place.worker(f"elsewhere/1/{number}").do, job.job) for number in range(6)])
    assert place.photos() == 1 and place.jobs.get(job.job).attempts == 1
    assert place.jobs.claim(job.job, ELSEWHERE) is None


@pytest.mark.parametrize("dies", [True, False])
def test_a_job_done_twice_also_by_a_worker_that_dies_after_the_event_leaves_one_event(place: Place, dies: bool) -> None:
    job = place.jobs.add(place.game, PHOTO, "a.jpg")
    claimed = place.jobs.claim(job.job, dead_worker() if dies else ELSEWHERE)
    reading = place.tables.read_photo(place.tables.get(place.game), PHOTO, "a.jpg", lambda *_: None)
    if not dies:
        place.jobs.release(ELSEWHERE)
        place.worker("elsewhere/1/2").do(job.job)
    place.tables.add_reading(place.game, reading, job.job)
    if dies:
        place.jobs.sweep()
        place.worker().do(place.delivered[-1])
    elif claimed is not None:
        place.jobs.fail(claimed, "Too late.")
    assert place.photos() == 1 and place.jobs.get(job.job).state == "done" and place.uploads() == []


def test_a_job_whose_worker_died_is_delivered_again_until_it_is_given_up(place: Place) -> None:
    job, dead = place.jobs.add(place.game, PHOTO, "a.jpg"), dead_worker()
    for attempt in range(1, MOST_ATTEMPTS + 1):
        assert place.delivered == [job.job] * attempt
        claimed = place.jobs.claim(job.job, dead)
        assert claimed is not None and claimed.attempts == attempt
        place.jobs.note(claimed, "finding bases", 0.5)
        place.jobs.sweep()
    failed = place.jobs.get(job.job)
    assert failed.state == "failed"
    assert "a.jpg was given up" in failed.detail and f"{MOST_ATTEMPTS} times" in failed.detail
    assert place.uploads() == [] and place.delivered == [job.job] * MOST_ATTEMPTS


def test_a_worker_elsewhere_counts_as_dead_when_it_is_silent(place: Place) -> None:
    job = place.jobs.add(place.game, PHOTO, "a.jpg")
    claimed = place.jobs.claim(job.job, ELSEWHERE)
    assert claimed is not None
    for _ in range(4):
        place.jobs.sweep()
        place.seconds += jobs_module.SILENT_S - 1
        assert place.jobs.beat(claimed)
    place.jobs.sweep()
    place.seconds += jobs_module.SILENT_S + 1
    assert place.jobs.get(job.job).state == "working"
    place.jobs.sweep()
    assert place.jobs.get(job.job).state == "waiting" and place.delivered == [job.job] * 2
    assert not place.jobs.beat(claimed) and not place.jobs.note(claimed, "finding bases", 0.9)


def test_only_what_is_not_on_its_way_is_delivered_again(place: Place) -> None:
    lost, queued = (place.jobs.add(place.game, PHOTO, "a.jpg") for _ in range(2))
    place.delivered.clear()
    place.pending = {queued.job}
    place.jobs.sweep()
    assert place.delivered == [lost.job]


def test_a_worker_that_is_told_to_end_gives_back_what_it_had_begun(place: Place) -> None:
    job = place.jobs.add(place.game, PHOTO, "a.jpg")
    for _ in range(MOST_ATTEMPTS + 1):
        assert place.jobs.claim(job.job, ELSEWHERE)
        place.jobs.release(ELSEWHERE)
    assert place.jobs.get(job.job).attempts == 0 and place.jobs.get(job.job).state == "waiting"


def test_a_worker_that_gave_its_job_back_refuses_it_no_more(place: Place) -> None:
    job = place.jobs.add(place.game, PHOTO, "a.jpg")
    mine = place.jobs.claim(job.job, ELSEWHERE)
    assert mine is not None
    place.jobs.release(ELSEWHERE)
    place.jobs.fail(mine, "The program that reads photos was ended.")
    assert place.jobs.get(job.job).state == "waiting" and place.uploads() == [job.upload]
    other = place.jobs.claim(job.job, "elsewhere/1/2")
    assert other is not None
    place.jobs.fail(mine, "Too late.")
    assert place.jobs.get(job.job).state == "working" and place.uploads() == [job.upload]


def test_bytes_that_were_never_acknowledged_are_dropped_once_they_lay_long_enough(place: Place) -> None:
    """However old their files look: the clock may have been set forward a moment ago."""
    young, old = f"spool/{'0' * 64}-{'1' * 32}", f"spool/{'0' * 64}-{'2' * 32}"
    place.store.pictures.put(old, PHOTO)
    path = place.store.folder / "photos" / old
    part = path.parent / "part-a_b"
    part.write_bytes(b"half")
    for left in (path, part):
        os.utime(left, (time.time() - 7200, time.time() - 7200))
    place.jobs.sweep()
    assert place.uploads() == [old, "spool/part-a_b"]
    place.store.pictures.put(young, PHOTO)
    place.seconds += 61.0
    place.jobs.sweep()
    assert place.uploads() == [young]
    place.seconds += 61.0
    place.jobs.sweep()
    assert place.uploads() == []


@pytest.mark.parametrize("jump", [timedelta(days=30), timedelta(days=-30)])
def test_a_clock_that_is_set_takes_no_photo_away(
    place: Place, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    done, live = (place.jobs.add(place.game, PHOTO, "a.jpg") for _ in range(2))
    place.worker().do(done.job)
    assert place.jobs.claim(live.job, ELSEWHERE)
    place.jobs.sweep()
    monkeypatch.setattr(jobs_module, "utc_now", lambda: utc_now() + jump)
    place.jobs.sweep()
    assert (place.jobs.get(done.job).state, place.jobs.get(live.job).state) == ("done", "working")
    assert place.uploads() == [live.upload]
    place.seconds += jobs_module.SILENT_S + 1
    place.jobs.sweep()
    assert place.jobs.get(live.job).state == "waiting", "its worker is silent, and it waits for no clock"


def test_an_upload_whose_job_has_ended_is_dropped(place: Place) -> None:
    job = place.jobs.add(place.game, PHOTO, "a.jpg")
    place.worker().do(job.job)
    place.store.pictures.put(job.upload, PHOTO)  # as if the worker had died just before it dropped it
    place.jobs.sweep()
    assert place.uploads() == []


def test_what_became_of_a_photo_is_forgotten_after_a_week(place: Place) -> None:
    old, new = (place.jobs.add(place.game, PHOTO, "a.jpg") for _ in range(2))
    for job in (old, new):
        place.worker().do(job.job)
    with closing(sqlite3.connect(place.store.folder / "tabletop.sqlite")) as connection, connection:
        connection.execute("UPDATE photo_job SET created = '2026-01-01T00:00:00+00:00' WHERE job = ?", [old.job])
    place.jobs.sweep()
    assert place.jobs.get(new.job).state == "done"
    with pytest.raises(NotThereError):
        place.jobs.get(old.job)


def test_names_of_workers_tell_whether_they_live() -> None:
    host, room, _ = own_name().split("/")
    assert not is_gone(own_name()) and is_gone(dead_worker())
    assert not is_gone(f"{host}/of-another-start/{2**22 + 1}") and not is_gone(f"other/{room}/{2**22 + 1}")


def test_a_place_that_fails_is_told_in_a_line_and_a_fault_is_raised(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for fault in (OSError(errno.EIO, "the bucket is away"), OSError("a fault of the program")):
        job = place.jobs.add(place.game, PHOTO, "a.jpg")

        def out_of_order(*_: object, fault: Exception = fault, **__: object) -> None:
            raise fault

        monkeypatch.setattr(place.tables, "read_photo", out_of_order)
        with pytest.raises(OSError, match="a fault") if fault.args[0] != errno.EIO else nullcontext():
            do_or_wait(place.worker(), job.job)
    (told,) = caplog.messages
    assert told == "A photo waits, and is tried again: [Errno 5] the bucket is away"


def test_a_photo_that_can_not_be_queued_is_taken_in_and_read_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(tmp_path)
    delivery = Delivery(Settings(tmp_path), place.worker().do)
    jobs = Jobs(place.store.kept, place.store.pictures, deliver=delivery.send, pending=delivery.pending_jobs)

    def refused(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteStorage, "enqueue", refused)
        job = jobs.add(place.game, PHOTO, "a.jpg")
    assert job.state == "waiting" and delivery.pending_jobs() == set()
    jobs.sweep()
    assert delivery.pending_jobs() == {job.job}
    delivery.close()


def test_the_queue_carries_ids_as_text_and_nothing_else(tmp_path: Path) -> None:
    ids = [f"{number:032x}" for number in range(3)]
    done = Queue[str]()
    delivery, another = (Delivery(Settings(tmp_path), done.put) for _ in range(2))
    for one in ids:
        delivery.send(one)
    assert delivery.pending_jobs() == set(ids)
    with closing(sqlite3.connect(tmp_path / "queue.sqlite")) as connection:
        rows = [json.loads(data) for (data,) in connection.execute("SELECT data FROM task ORDER BY id")]
    assert [row[1] for row in rows] == ids
    consumer = another.consumer()
    consumer.scheduler.start()
    consumer.worker_threads[0][1].start()
    assert [done.get(timeout=BOUND_S) for _ in ids] == ids and delivery.pending_jobs() == set()
    consumer.stop(graceful=True)
    for one in (delivery, another):
        one.close()


def photo_service(folder: Path) -> tuple[PhotoService, Tables, Waiting]:
    """A service whose worker reads a photo once it may."""
    settings = Settings(folder, engine="tests.support.api_engines:Waiting")
    engine = Waiting(settings)
    tables = Tables(Store(folder), engine)
    return PhotoService(settings, tables), tables, engine


def read_one(service: PhotoService, engine: Waiting, game: str, job: str) -> None:
    """Let the worker read the photo that it is at, and wait until it has: it begins another then."""
    service.jobs.add(game, PHOTO, "another.jpg")
    engine.go.ring()
    engine.begun.wait()
    assert service.jobs.get(job).state == "done"


@pytest.mark.slow
def test_a_worker_that_is_killed_is_started_again_and_its_photo_is_read(tmp_path: Path) -> None:
    service, tables, engine = photo_service(tmp_path)
    game = tables.create(TABLE, "small.toml", Store.new_game()).game
    service.start()
    try:
        job = service.jobs.add(game, PHOTO, "a.jpg").job
        first = int(engine.begun.wait())
        assert service.workers.pids == [first] and first != os.getpid()
        assert (service.jobs.get(job).state, service.jobs.get(job).attempts) == ("working", 1)
        os.kill(first, signal.SIGKILL)
        second = int(engine.begun.wait())
        assert service.workers.pids == [second] and service.jobs.get(job).attempts == 2
        read_one(service, engine, game, job)
    finally:
        service.close()
    assert service.workers.pids == []
    assert [event.kind for event in tables.store.events(game)] == ["table", "photo"]


@pytest.mark.slow
def test_workers_end_with_a_server_that_is_killed_and_give_back_their_photos(tmp_path: Path) -> None:
    code = (
        "import signal, sys\nfrom pathlib import Path\nfrom tests.api.photos.test_jobs import photo_service\n"
        "from tests.support.api_support import PHOTO, TABLE\n"
        "service, tables, _ = photo_service(Path(sys.argv[1]))\nservice.start()\n"
        "game = tables.create(TABLE, 'small.toml', tables.store.new_game()).game\n"
        "print(service.jobs.add(game, PHOTO, 'a.jpg').job, game, flush=True)\nsignal.pause()\n"
    )
    service, _, engine = photo_service(tmp_path)
    with subprocess.Popen([sys.executable, "-c", code, tmp_path], stdout=subprocess.PIPE, cwd=ROOT) as server:
        assert server.stdout is not None
        job, game = server.stdout.readline().decode().split()
        worker = int(engine.begun.wait())
        server.kill()
    wait_for_end(worker)
    assert (service.jobs.get(job).state, service.jobs.get(job).attempts) == ("waiting", 0)
    service.start()
    try:
        engine.begun.wait()
        read_one(service, engine, game, job)
    finally:
        service.close()
