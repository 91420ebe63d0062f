"""The same server on PostgreSQL: games, seats, photo jobs and notifier, by several processes at once."""

import asyncio
import gc
import itertools
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from api.auth.access import HOST, InvitationError
from api.auth.seats import SERVER, Seated, Seats
from api.games.event_stream import Notifier, Subscription
from api.games.pg_notify import PgNotify
from api.settings import Settings
from api.tables.session import Tables
from api.tables.store import Store
from api.workers.photo_work import settings_text
from api.workers.worker_pool import PhotoService
from tabletop.game import pg_bounds
from tabletop.game.core import now
from tabletop.game.errors import ConflictError, GameError
from tabletop.game.records import Record
from tabletop.game.store import EventStore, GameEntry
from tabletop.game.tables import METADATA
from tests.paths import ROOT
from tests.support import postgres
from tests.support.api_engines import Waiting
from tests.support.api_support import PHOTO, TABLE, Client
from tests.support.waiting import BOUND_S, all_at_once

WHY_NOT = postgres.missing()
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT or "-")
NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgres.cluster() as running:
        yield running


@pytest.fixture
def url(address: str) -> str:
    return postgres.new_database(address, f"evening{next(NUMBERS)}")


def record(seq: int, id_: str = "") -> Record:
    return Record(seq, id_ or f"event-{seq}", now(), "", "noted", {"text": f"№ {seq}"}, seq)


def test_events_are_kept_once_and_in_order_by_many_writers_and_seats_are_taken_once(url: str) -> None:
    stores = [EventStore(url) for _ in range(4)]
    stores[0].create(GameEntry("g", "tiny", 2, "An evening"))

    def write(number: int) -> list[tuple[int, int]]:
        won = []
        for seq in range(1, 21):
            with suppress(ConflictError):
                stores[number].append("g", [record(seq, f"{number}-{seq}")])
                won.append((seq, number))
        return won

    won = all_at_once([partial(write, number) for number in range(4)])
    kept = EventStore(url).records("g")
    assert [one.seq for one in kept] == list(range(1, len(kept) + 1)) and len(kept) == 20
    assert sorted(chain(*won)) == [(one.seq, int(one.id.split("-")[0])) for one in kept]
    assert kept[6].body == {"text": "№ 7"}

    with stores[1].reading():
        assert stores[1].last("g") == 20
        stores[2].append("g", [record(21)])
        assert stores[1].last("g") == 20, "the database as it was at one moment"
    assert stores[1].last("g") == 21

    seats = [Seats(store) for store in stores]
    token = seats[0].invite(SERVER, [HOST]).token
    found = all_at_once([partial(place.redeem, token, "Anna") for place in seats])
    (seated,) = (one for one in found if isinstance(one, Seated))
    assert sum(isinstance(one, InvitationError) for one in found) == 3
    assert seats[2].seat_of(seated.secret).label == "Anna"


def test_many_stores_may_be_opened_at_once_on_an_empty_database_which_is_as_the_program_describes_it(url: str) -> None:
    assert all_at_once([lambda: EventStore(url).games()] * 6) == [[]] * 6
    store = EventStore(url)
    with store.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    store.create(GameEntry("g", "tiny", 2), [record(1)])
    with pytest.raises(ConflictError, match="so nothing was added"):
        store.append("g", [record(2, "event-1")])
    assert store.last("g") == 1 and [entry.last for entry in store.games()] == [1]


def test_a_password_is_never_told(address: str) -> None:
    with pytest.raises(GameError) as refused:
        EventStore(address.format("nowhere").replace("tabletop@", "tabletop:a-secret@"))
    assert "nowhere" in str(refused.value) and "a-secret" not in str(refused.value)
    assert "a-secret" not in repr(Settings(Path(), url="postgresql+psycopg://a:a-secret@club/evening"))
    with pytest.raises(GameError) as refused:
        EventStore(f"{address.format('nowhere')}&password=a-secret")
    assert "a-secret" not in str(refused.value)


def test_a_database_that_hangs_is_said_and_the_page_and_health_answer(
    address: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pg_bounds, "ANSWER_S", 0.2)
    client = Client(tmp_path, url=url)
    begun = client.begin()
    with postgres.hanging(address):
        hung = all_at_once([partial(client, "GET", f"/api/games/{begun['id']}/log")] * 20)
        assert {answer.status_code for answer in hung} == {503}  # type: ignore[union-attr]
        health = client("GET", "/api/health")
        assert (health.status_code, health.json()["type"]) == (503, "database-away")
        assert client("GET", "/licences.txt").status_code in (200, 404), "the page's own files need no database"
    assert client("GET", "/api/health").status_code == 204
    assert client("GET", f"/api/games/{begun['id']}/log").status_code == 200


def test_a_server_reads_a_photo_and_finds_it_again(url: str, tmp_path: Path) -> None:
    client = Client(tmp_path, url=url)
    begun = client.begin()
    look = client.photo(begun, PHOTO + b"2")
    again = Client(tmp_path, url=url)
    assert again("GET", f"/api/games/{begun['id']}/look").json() == look and look["bases"] == 4
    assert not list(tmp_path.glob("*.sqlite*"))


@pytest.mark.slow
def test_workers_elsewhere_read_what_a_server_without_workers_takes_in(url: str, tmp_path: Path) -> None:
    settings = Settings(tmp_path, url=url, workers=0, engine="tests.support.api_engines:Waiting")
    engine = Waiting(settings)
    tables = Tables(Store(tmp_path, url), engine)
    server = PhotoService(settings, tables)
    server.start()
    code = (
        "import sys, threading\nfrom api.workers.worker_pool import work_alone\n"
        "from api.workers.photo_work import settings_from\n"
        "over = threading.Event()\n"
        "threading.Thread(target=lambda: (sys.stdin.readline(), over.set())).start()\n"
        "work_alone(settings_from(sys.argv[1]), over)\n"
    )
    line = settings_text(replace(settings, workers=2))
    with subprocess.Popen([sys.executable, "-c", code, line], stdin=subprocess.PIPE, cwd=ROOT) as elsewhere:
        games = [tables.create(TABLE, "small.toml", Store.new_game()).game for _ in range(6)]
        jobs = [server.jobs.add(game, PHOTO, "a.jpg") for game in games]
        workers = {engine.begun.wait() for _ in range(2)}
        for _ in range(4):
            engine.go.ring()
            workers.add(engine.begun.wait())  # whoever begins the next has done with the last
        elsewhere.communicate(b"\n")
    server.close()
    assert elsewhere.returncode == 0 and len(workers) == 2
    done = [server.jobs.get(job.job).state for job in jobs].count("done")
    laid = [[event.kind for event in tables.store.events(game)] for game in games].count(["table", "photo"])
    assert (done, laid) == (4, 4)


async def wake(subscription: Subscription) -> None:
    """Wait until a subscription is woken."""
    await asyncio.wait_for(subscription.wait(), BOUND_S)
    subscription.clear()


def test_notifications_reach_other_processes(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hear, hears = PgNotify._hear, threading.Semaphore(0)

    def heard(self: PgNotify, connection: Any) -> None:
        hears.release()
        hear(self, connection)

    monkeypatch.setattr(PgNotify, "_hear", heard)
    here, there = Notifier(url), Notifier(url)

    async def evening() -> None:
        with here.subscribe("g") as subscription, here.subscribe("other") as quiet, there.subscribe("g") as own:
            for _ in (here, there):
                assert await asyncio.to_thread(hears.acquire, timeout=BOUND_S)
            for _ in range(3):
                await asyncio.to_thread(there.notify, "g")
                await wake(subscription)
                await wake(own)
            assert not quiet._woken.is_set()

    asyncio.run(evening())
    here.close()
    there.close()


def test_a_notifier_lets_go_of_its_connection(url: str) -> None:
    closed, forgotten = Notifier(url), Notifier(url)
    links = []
    for notifier in (closed, forgotten):
        notifier.notify("g")
        links.append(notifier._other_processes._out._connection)  # type: ignore[union-attr]
    assert not any(link.closed for link in links)
    closed.close()
    closed.notify("g")  # a photo that was still being read
    del forgotten, notifier
    gc.collect()
    assert all(link.closed for link in links)


def test_notifications_reach_here_even_where_the_database_is_gone(caplog: pytest.LogCaptureFixture) -> None:
    notifier = Notifier("postgresql+psycopg://nobody@/nowhere?host=/nowhere")

    async def evening() -> None:
        with notifier.subscribe("g") as subscription:
            await asyncio.to_thread(notifier.notify, "g")
            await wake(subscription)

    asyncio.run(evening())
    notifier.close()
    assert "can't be notified now" in caplog.text
