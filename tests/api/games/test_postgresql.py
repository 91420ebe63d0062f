"""The same server on PostgreSQL: games, seats, photo jobs and notifier, by several processes at once."""

from __future__ import annotations

import asyncio
import gc
import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from api.auth.access import HOST, InvitationError
from api.auth.seats import SERVER, Seats
from api.games.event_stream import Notifier, Subscription
from api.games.pg_notify import plain_address
from api.settings import Settings
from api.tables.session import Tables
from api.tables.store import Store
from api.workers.worker_pool import PhotoService
from tabletop.errors import UsageError
from tabletop.game.core import now
from tabletop.game.errors import ConflictError, GameError
from tabletop.game.records import Record
from tabletop.game.store import EventStore, GameEntry
from tests.paths import ROOT
from tests.support import postgres
from tests.support.api_engines import Waiting
from tests.support.api_support import PHOTO, TABLE, Client

WHY_NOT = postgres.missing()
if not WHY_NOT:
    import psycopg
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT or "-")
NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgres.cluster() as running:
        yield running


@pytest.fixture
def url(address: str) -> str:
    return postgres.new_database(address, f"evening{next(NUMBERS)}")


def wait_for(done: Callable[[], object], seconds: float = 120.0) -> None:
    """Wait until something is so."""
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def record(seq: int, id_: str = "") -> Record:
    return Record(seq, id_ or f"event-{seq}", now(), "", "noted", {"text": f"№ {seq}"}, seq)


# --- the store ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_events_are_kept_once_and_in_order_by_many_writers(url: str) -> None:
    stores = [EventStore(url) for _ in range(4)]
    stores[0].create(GameEntry("g", "tiny", 2, "An evening"))
    won: list[tuple[int, int]] = []

    def write(number: int) -> None:
        for seq in range(1, 21):
            try:
                stores[number].append("g", [record(seq, f"{number}-{seq}")])
                won.append((seq, number))
            except ConflictError:
                pass

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = EventStore(url).records("g")
    assert [one.seq for one in kept] == list(range(1, len(kept) + 1)) and len(kept) == 20
    assert sorted(won) == [(one.seq, int(one.id.split("-")[0])) for one in kept]
    assert kept[6].body == {"text": "№ 7"}


def test_an_event_of_a_known_id_is_not_written_again(url: str) -> None:
    store = EventStore(url)
    store.create(GameEntry("g", "tiny", 2), [record(1)])
    with pytest.raises(ConflictError, match="kept already"):
        store.append("g", [record(2, "event-1")])
    assert store.last("g") == 1 and [entry.last for entry in store.games()] == [1]


def test_many_stores_may_be_opened_on_an_empty_database_at_once(url: str) -> None:
    faults: list[Exception] = []

    def open_it() -> None:
        try:
            EventStore(url).games()
        except GameError as error:
            faults.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_the_tables_are_as_the_program_describes_them(url: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from tabletop.game.tables import METADATA

    store = EventStore(url)
    with store.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_a_password_is_never_told(address: str) -> None:
    with pytest.raises(GameError) as refused:
        EventStore(address.format("nowhere").replace("tabletop@", "tabletop:a-secret@"))
    assert "nowhere" in str(refused.value) and "a-secret" not in str(refused.value)
    assert "a-secret" not in repr(Settings(Path(), url="postgresql+psycopg://a:a-secret@club/evening"))
    with pytest.raises(UsageError):
        EventStore("nothing://of/the-kind")


def test_seats_are_taken_once(url: str) -> None:
    seats = [Seats(EventStore(url)) for _ in range(3)]
    token = seats[0].invite(SERVER, [HOST]).token
    seated: list[str] = []

    def take(place: Seats) -> None:
        try:
            seated.append(place.redeem(token, "Anna").secret)
        except InvitationError as error:
            assert "used" in str(error) or "took" in str(error)

    threads = [threading.Thread(target=take, args=(place,)) for place in seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seated) == 1 and seats[2].seat_of(seated[0]).label == "Anna"


# --- photos ------------------------------------------------------------------------------------------------------


def test_a_server_reads_a_photo_and_finds_it_again(url: str, tmp_path: Path) -> None:
    client = Client(tmp_path, url=url)
    begun = client.begin()
    look = client.photo(begun, PHOTO + b"2")
    again = Client(tmp_path, url=url)
    assert again("GET", f"/api/games/{begun['id']}/look").json() == look and look["bases"] == 4
    assert not list(tmp_path.glob("*.sqlite*"))


@pytest.mark.slow
def test_workers_elsewhere_read_what_a_server_without_workers_takes_in(url: str, tmp_path: Path) -> None:
    (tmp_path / "go").touch()
    settings = Settings(tmp_path, url=url, workers=0, engine="tests.support.api_engines:Waiting")
    tables = Tables(Store(tmp_path, url), Waiting(settings))
    server = PhotoService(settings, tables)
    server.start()
    code = (
        "import dataclasses, sys, threading\nfrom api.workers.worker_pool import work_alone\n"
        "from api.workers.photo_work import settings_from\n"
        "over = threading.Event()\n"
        "threading.Thread(target=lambda: (sys.stdin.readline(), over.set())).start()\n"
        "work_alone(settings_from(sys.argv[1]), over)\n"
    )
    from api.workers.photo_work import settings_text

    line = settings_text(Settings(tmp_path, url=url, workers=2, engine="tests.support.api_engines:Waiting"))
    with subprocess.Popen([sys.executable, "-c", code, line], stdin=subprocess.PIPE, cwd=ROOT) as elsewhere:
        games = [tables.create(TABLE, "small.toml", Store.new_game()).game for _ in range(4)]
        jobs = [server.jobs.add(game, PHOTO, "a.jpg") for game in games]
        wait_for(lambda: all(server.jobs.get(job.job).state == "done" for job in jobs))
        elsewhere.communicate(b"\n")
    server.close()
    assert elsewhere.returncode == 0
    assert all([event.kind for event in tables.store.events(game)] == ["table", "photo"] for game in games)


# --- notifier -------------------------------------------------------------------------------------------------------


async def woken(subscription: Subscription, seconds: float) -> bool:
    """Whether a subscription is woken within so long."""
    try:
        await asyncio.wait_for(subscription.wait(), seconds)
    except TimeoutError:
        return False
    return True


def test_notifications_reach_other_processes(url: str) -> None:
    here, there = Notifier(url), Notifier(url)

    async def evening() -> list[bool]:
        with here.subscribe("g") as subscription, here.subscribe("other") as quiet, there.subscribe("g") as own:
            heard = []
            for _ in range(100):  # until the listener has connected
                there.notify("g")
                if await woken(subscription, 0.1):
                    break
            for _ in range(3):
                await asyncio.sleep(0.1)
                subscription.clear()
                own.clear()
                await asyncio.to_thread(there.notify, "g")
                heard += [await woken(subscription, 2.0), await woken(own, 2.0)]
            return [*heard, not await woken(quiet, 0.1)]

    assert asyncio.run(evening()) == [True] * 7
    here.close()
    there.close()


def connections(url: str) -> int:
    """How many connections a database has beside the one that asks."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with psycopg.connect(plain_address(url)) as connection:
        counted: tuple[int] = connection.execute(query).fetchone() or (0,)
    return counted[0]


def test_a_notifier_lets_go_of_its_connection(url: str) -> None:
    closed, forgotten = Notifier(url), Notifier(url)
    closed.notify("g")
    forgotten.notify("g")
    assert connections(url) == 2
    closed.close()
    closed.notify("g")  # a photo that was still being read
    del forgotten
    gc.collect()
    wait_for(lambda: connections(url) == 0, 10.0)


@pytest.mark.slow
def test_notifications_reach_here_even_where_the_database_is_gone(caplog: pytest.LogCaptureFixture) -> None:
    notifier = Notifier("postgresql+psycopg://nobody@/nowhere?host=/nowhere")

    async def evening() -> bool:
        with notifier.subscribe("g") as subscription:
            await asyncio.to_thread(notifier.notify, "g")
            return await woken(subscription, 2.0)

    assert asyncio.run(evening())
    notifier.close()
    assert "can't be told now" in caplog.text
