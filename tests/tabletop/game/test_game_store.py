"""Games kept in a database: all or nothing, in order, each event once, and on the disk when it counts."""

import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tabletop.errors import RulesError, UsageError
from tabletop.game import ConflictError, EventError, GameError, LogError, NoGameError, Record, parts
from tabletop.game import store as store_module
from tabletop.game.store import EventStore, GameEntry
from tabletop.game.tables import METADATA
from tests.paths import ROOT
from tests.support.tiny_rules import Tally


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[EventStore]:
    kept = EventStore(path)
    yield kept
    kept.close()


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = parts.Parts("tiny", "Tiny", "tests.support.tiny_rules:RULES")
    monkeypatch.setattr(parts, "PARTS", {**parts.PARTS, "tiny": tiny})


def record(seq: int, text: str = "x", **more: Any) -> Record:
    given = {"id": f"{text}-{seq}", "at": f"2026-01-01T00:00:{seq:02}+00:00", "actor": "blue", "kind": "noted"}
    return Record(**{"seq": seq, **given, "body": {"text": text}, "group": seq, **more})


def begun(store: EventStore, *records: Record, game: str = "g") -> EventStore:
    store.create(GameEntry(game, "tiny", 2, "A game", "2026-01-01T00:00:00+00:00"), records)
    return store


def test_records_come_back_as_they_were(store: EventStore, path: Path) -> None:
    whole = record(
        1,
        actor="réd",
        kind="move-rolled",
        body={"roll": [1, 6], "x": 1.5e-9, "none": None, "deep": {"ü\udcff": [True, {}]}},
        action='move A1 to (1, 2) "quoted"; DROP TABLE event',
        photo="f" * 64,
    )
    begun(store, whole, record(2, group=1))
    assert store.records("g") == (whole, record(2, group=1))
    assert store.records("g", after=1) == (record(2, group=1),)
    assert store.records("g", after=2) == store.records("other") == ()
    assert (store.last("g"), store.last("other")) == (2, 0)
    assert EventStore(path).records("g") == store.records("g")


def test_games_are_listed_the_last_used_one_first(store: EventStore) -> None:
    begun(store, game="empty")
    begun(store, record(1, "b", at="2027"), game="b")
    begun(store, record(1, "a"), game="a")
    assert [(e.game, e.last, e.used) for e in store.games()] == [
        ("a", 1, "2026-01-01T00:00:01+00:00"),
        ("b", 1, "2027"),
        ("empty", 0, "2026-01-01T00:00:00+00:00"),
    ]
    store.append("b", [record(2, "b2", at="2028")])
    assert [e.game for e in store.games()] == ["b", "a", "empty"]
    assert [store.entry(e.game) for e in store.games()] == store.games()
    with pytest.raises(NoGameError, match=r'no game "c" in .*games\.sqlite; the last used are b, a, empty\.$'):
        store.entry("c")


def test_a_game_is_entered_once(store: EventStore) -> None:
    begun(store, record(1))
    with pytest.raises(ConflictError, match='a game "g" already'):
        begun(store, record(1, "other"))
    assert store.records("g") == (record(1),)
    with pytest.raises(ConflictError, match="one of the ids x-1, so nothing was added"):
        begun(store, record(1), game="h")
    assert [entry.game for entry in store.games()] == ["g"]


@pytest.mark.parametrize(
    ("seqs", "words"),
    [
        ([1], r"Event 1 of the game \"g\" is taken: the game is now at event 2"),
        ([2, 3], r"Event 2 .* is taken"),
        ([4], r"Event 4 .* can't be kept: its last one is event 2, so event 3 would be missing\.$"),
        ([3, 5], r"Event 5 .* so event 4 would be missing"),
        ([3, 3], r"Event 3 .* is taken"),
    ],
)
def test_only_the_next_events_are_taken_all_or_none(store: EventStore, seqs: list[int], words: str) -> None:
    begun(store, record(1), record(2))
    with pytest.raises(ConflictError, match=words):
        store.append("g", [record(seq, f"new{place}") for place, seq in enumerate(seqs)])
    assert store.records("g") == (record(1), record(2))


def test_a_known_id_and_a_body_that_is_no_json_leave_nothing_behind(store: EventStore) -> None:
    begun(store, record(1))
    with pytest.raises(ConflictError, match="one of the ids fresh, x-1, so nothing"):
        store.append("g", [record(2, id="fresh"), record(3, id="x-1")])
    with pytest.raises(EventError, match="Event 3 can't be kept: it holds a number that is not finite"):
        store.append("g", [record(2), record(3, body={"x": float("nan")})])
    store.append("g", [])
    assert store.records("g") == (record(1),)


def test_a_game_goes_on_where_it_was_left(store: EventStore, path: Path) -> None:
    name, game = store.start("tiny", [3, 4], title="An evening")
    game.push("count", [5])
    game.push("pass")
    game.pop()
    game.note("Well played", actor="blue")
    again = EventStore(path).open_game(name)
    assert again.state == game.state == Tally((3, 9), 2)
    assert again.records == game.records == store.records(name)
    assert store.entry(name).title == "An evening"
    again.push("count", [1])
    assert store.last(name) == again.seq
    with pytest.raises(ConflictError, match=f"Event {again.seq - 1} of the game .* is taken: the game is now at event"):
        game.push("pass")
    assert game.seq == again.seq - 2
    assert game.state == Tally((3, 9), 2)


def test_nothing_is_kept_of_a_game_that_could_not_begin(store: EventStore) -> None:
    with pytest.raises(RulesError, match='No games are played by the rules "tinny"; did you mean "tiny"'):
        store.start("tinny", [0, 0])
    begun(store, record(1))
    with pytest.raises(ConflictError):
        store.start("tiny", [0, 0], game="g")
    assert [entry.game for entry in store.games()] == ["g"]


def test_an_older_game_is_read_in_its_own_version_and_a_newer_one_refused(store: EventStore) -> None:
    old = [
        record(1, kind="laid-out", body={"counts": [0, 0]}),
        record(2, kind="counted", body={"who": "red", "by": 6}),
    ]
    store.create(GameEntry("old", "tiny", 1), old)
    assert store.open_game("old").state == Tally((0, 6), 0)
    store.create(GameEntry("new", "tiny", 3))
    with pytest.raises(LogError, match="begun by version 3 of the rules tiny, and this program knows up to 2"):
        store.open_game("new")


RACER = """
import sys
from tabletop.game import ConflictError, Record
from tabletop.game.store import EventStore
who, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = EventStore(path)
print("ready", flush=True)
sys.stdin.readline()
seq = 1
for number in range(count):
    while True:
        try:
            two = [Record(seq + n, f"{who}-{number}-{n}", "", who, "noted", {"n": number}, seq) for n in (0, 1)]
            store.append("g", two)
            break
        except ConflictError:
            seq = store.last("g") + 1
    print(number, flush=True)
"""


def run(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def ended(process: subprocess.Popen[str]) -> int:
    process.communicate(timeout=60)
    return process.returncode


def told(process: subprocess.Popen[str], text: str = "") -> str:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(text)
    process.stdin.flush()
    return process.stdout.readline().strip()


def test_two_processes_race_for_every_number_and_no_event_is_lost_or_doubled(store: EventStore, path: Path) -> None:
    begun(store)
    racers = [run(RACER, who, path, 40) for who in ("blue", "red")]
    assert [told(racer) for racer in racers] == ["ready", "ready"]
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("\n")
        racer.stdin.flush()
    assert [racer.communicate()[0].split()[-1] for racer in racers] == ["39", "39"]
    records = store.records("g")
    assert [r.seq for r in records] == list(range(1, 161))
    assert {r.id for r in records} == {f"{who}-{n}-{i}" for who in ("blue", "red") for n in range(40) for i in (0, 1)}
    for first, second in zip(records[::2], records[1::2], strict=True):
        assert (first.actor, first.body, first.group) == (second.actor, second.body, second.group)


@pytest.mark.parametrize("moment", ["after_cursor_execute", "commit"])
def test_a_process_killed_in_the_middle_of_an_append_leaves_nothing(store: EventStore, path: Path, moment: str) -> None:
    begun(store, record(1))
    script = f"""
import os, signal, sys
import sqlalchemy as sa
from tabletop.game import Record
from tabletop.game.store import EventStore
store = EventStore(sys.argv[1])
def die(connection, _cursor=None, statement="INSERT", *_rest):
    if "INSERT" in statement:
        os.kill(os.getpid(), signal.SIGKILL)
sa.event.listen(sa.Engine, "{moment}", die{", named=False" if moment == "commit" else ""})
store.append("g", [Record(n, str(n), "", "", "noted", {{}}, 2) for n in (2, 3, 4)])
"""
    assert ended(run(script, path)) == -signal.SIGKILL
    assert store.records("g") == (record(1),)
    store.append("g", [record(2)])


def test_every_commit_is_synced_to_the_disk(store: EventStore, path: Path) -> None:
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def columns(path: Path) -> tuple[Any, ...]:
    with closing(sqlite3.connect(path)) as connection:
        return tuple(
            (table, connection.execute(f"PRAGMA table_info({table})").fetchall()) for table in ("event", "game")
        )


def test_the_steps_lead_to_the_tables_that_the_program_reads(store: EventStore) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    from tabletop.game import migrations

    with store._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == migrations.HEAD
    assert ScriptDirectory(str(Path(migrations.__file__).parent)).get_heads() == [migrations.HEAD]


def test_threads_open_a_new_file_at_once(path: Path) -> None:
    EventStore(path)
    for round_ in range(2):
        fresh, other = path.with_name(f"fresh{round_}.sqlite"), path.with_name(f"other{round_}.sqlite")
        barrier, opened = threading.Barrier(8), []

        def open_one(place: int, fresh: Path = fresh, other: Path = other, barrier: Any = barrier) -> None:
            barrier.wait()
            opened.append(EventStore(other if place % 4 == 0 else fresh).games())  # noqa: B023

        threads = [threading.Thread(target=open_one, args=(place,)) for place in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert opened == [[]] * 8
        assert columns(fresh) == columns(other) == columns(path)


def test_other_peoples_files_are_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("Not a database at all, but long enough to be read as the header of one. " * 20)
    before = text.read_bytes()
    with pytest.raises(GameError, match=r"notes\.txt can't be used \(file is not a database\)"):
        EventStore(text)
    assert text.read_bytes() == before

    other = tmp_path / "books.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE book (title TEXT)")
    with pytest.raises(LogError, match=r"books\.sqlite belongs to other software \(its tables are book\)"):
        EventStore(other)
    with closing(sqlite3.connect(other)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("book",)]


def test_a_newer_programs_file_is_left_alone(store: EventStore, path: Path) -> None:
    begun(store, record(1))
    with store._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0999'")
    with pytest.raises(LogError, match=r"written by a newer Tabletop \(step 0999\)"):
        EventStore(path)
    assert store.records("g") == (record(1),)


def test_a_file_that_cannot_be_had_is_refused_in_a_sentence(tmp_path: Path, path: Path) -> None:
    with pytest.raises(GameError, match=r"can't be used \(unable to open database file\)"):
        EventStore(tmp_path / "nowhere" / "games.sqlite")
    for wrong, why in (
        ("nothing://of/the-kind", "that Tabletop does not know"),
        ("postgresql+psycopg://me:se@cret@club/evening", "write one inside a password as %40"),
        ("sqlite://me:secret@club/evening", "no address of a file"),
    ):
        with pytest.raises(UsageError, match=why) as refused:
            EventStore(wrong)
        assert "cret" not in str(refused.value)
    with pytest.raises(UsageError, match="no address of a database"):
        EventStore("what://ever://:x")
    with pytest.raises(UsageError, match="needs a database driver that is not installed"):
        EventStore("postgresql+nosuchdriver://me:secret@here/games")


def test_who_waits_too_long_for_another_writer_is_told(
    store: EventStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(store, record(1))
    monkeypatch.setattr(store_module, "PATIENCE_S", 0.05)
    hasty = EventStore(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(GameError, match="database is locked"):
            hasty.append("g", [record(2)])
        assert hasty.records("g") == (record(1),), "readers need not wait"
        other.execute("ROLLBACK")
    hasty.append("g", [record(2)])


def test_a_connection_that_none_gave_back_in_time_is_a_fault_of_the_store(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = sa.create_engine("sqlite://", poolclass=sa.QueuePool, pool_size=1, max_overflow=0, pool_timeout=0.01)
    monkeypatch.setattr(store, "_reader", pool)
    with pool.connect(), pytest.raises(GameError, match="QueuePool limit"):
        store.games()
    pool.dispose()
