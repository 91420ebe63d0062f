"""A data folder of the first server opens: its file is taken as it is, and brought up to date without a loss."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from api.tables.store import Store
from tabletop.game import NoGameError, Record, migrations
from tabletop.game.store import EventStore, GameEntry
from tabletop.starting.scenarios import find
from tests.support.api_support import TABLE, Client

FIRST_SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
    game TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, seq)
) WITHOUT ROWID
"""
OLD, NEWER = "0123456789abcdef", "fedcba9876543210"

ROWS: tuple[tuple[str, int, str, str, dict[str, Any]], ...] = (
    (OLD, 1, "2026-01-01T10:00:00+00:00", "table", {"name": "mine.toml", "toml": TABLE}),
    (OLD, 2, "2026-01-01T10:01:00+00:00", "mark", {"unit": "tank", "marks": {"hits": 3, "permanent": 1}}),
    (OLD, 3, "2026-01-01T10:02:00+00:00", "dice", {"dice": "d6"}),
    (OLD, 4, "2026-01-01T10:03:00+00:00", "undo", {}),
    (NEWER, 1, "2026-02-01T10:00:00+00:00", "table", {"name": "yours.toml", "toml": TABLE + "# größer\n"}),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder as the first server left it, before it could tidy up: the last row is in the WAL alone."""
    with closing(sqlite3.connect(tmp_path / "tabletop.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(FIRST_SCHEMA)
        for game, seq, at, kind, body in ROWS:
            text = json.dumps(body, separators=(",", ":"), allow_nan=False)
            connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", (game, seq, at, kind, text))
    return tmp_path


def test_the_server_goes_on_with_an_old_table(folder: Path) -> None:
    client = Client(folder)
    rows = client("GET", "/api/tables").json()
    assert [(row["id"], row["name"], row["units"]) for row in rows] == [(NEWER, "yours.toml", 4), (OLD, "mine.toml", 4)]
    begun = client("POST", f"/api/tables/{OLD}/game").json()
    tank = next(u for u in client("GET", f"/api/games/{begun['id']}").json()["board"]["units"] if u["id"] == "tank")
    assert {badge["says"] for badge in tank["badges"]} == {"3 hits", "1 permanent"}
    assert Store(folder).last(OLD) == 4, "the stored table stays as it is"
    assert [row["id"] for row in client("GET", "/api/tables").json()] == [NEWER]


def test_an_old_file_comes_to_the_form_of_a_new_one(folder: Path) -> None:
    EventStore(folder / "tabletop.sqlite").close()
    EventStore(folder / "new.sqlite").close()
    forms = []
    for name in ("tabletop.sqlite", "new.sqlite"):
        with closing(sqlite3.connect(folder / name)) as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            forms.append({table: connection.execute(f"PRAGMA table_info({table})").fetchall() for table in tables})
            assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(migrations.HEAD,)]
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            with pytest.raises(sqlite3.IntegrityError, match=r"UNIQUE constraint failed: event\.id"):
                connection.execute("INSERT INTO event SELECT game, seq + n, at, kind, body, 'x', '', '', 1, ''"
                                   " FROM (SELECT 'g' game, 1 seq, '' at, '' kind, '' body), "
                                   "(SELECT 1 n UNION SELECT 2)")  # fmt: skip
    assert forms[0] == forms[1]


def test_an_upgrade_that_fails_leaves_the_old_file_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = migrations.upgrade

    class StruckError(Exception):
        pass

    def struck(*arguments: Any) -> None:
        whole(*arguments)
        raise StruckError

    monkeypatch.setattr(migrations, "upgrade", struck)
    with pytest.raises(StruckError):
        EventStore(folder / "tabletop.sqlite")
    with closing(sqlite3.connect(folder / "tabletop.sqlite")) as connection:
        rows = connection.execute("SELECT * FROM event ORDER BY at").fetchall()
        assert [(*row[:4], json.loads(row[4])) for row in rows] == list(ROWS)
        assert connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall() == [("event",)]
    monkeypatch.undo()
    assert Store(folder).games() == [NEWER, OLD]


def test_the_servers_store_answers_as_ever(tmp_path: Path) -> None:
    store = Store(tmp_path)
    body = {"name": "mine.toml", "toml": TABLE}
    assert not store.append(OLD, 2, "dice", {"dice": "d6"})
    assert (store.events(OLD), store.last(OLD), store.games()) == ([], 0, [])
    assert store.append(OLD, 1, "table", body)
    assert not store.append(OLD, 1, "table", body)
    assert store.append(OLD, 2, "dice", {"dice": "d6"})
    assert not store.append(OLD, 2, "dice", {"dice": "d5"})
    assert not store.append(OLD, 4, "dice", {"dice": "d5"})
    assert [(event.seq, event.kind, event.body) for event in store.events(OLD)] == [
        (1, "table", body),
        (2, "dice", {"dice": "d6"}),
    ]
    with pytest.raises(NoGameError):
        EventStore(tmp_path / "tabletop.sqlite").entry(NEWER)


def test_games_by_rules_may_lie_beside_the_servers_tables(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.append(OLD, 1, "table", {"name": "mine.toml", "toml": TABLE})
    beside = EventStore(tmp_path / "tabletop.sqlite")
    beside.create(GameEntry(NEWER, "one-hour-ww2", 1), [Record(1, "id", "", "", "started", {}, 1)])
    assert store.games() == [OLD]
    assert store.events(NEWER) == []
    assert Client(tmp_path)("POST", f"/api/tables/{NEWER}/game").status_code == 404


@pytest.mark.parametrize("step", ["0003", "0004", "0005"])
def test_games_of_every_earlier_step_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    scenario = find("flank-attack")
    with closing(EventStore(tmp_path / "now.sqlite")) as now:
        _, playing = now.start(scenario.rules, scenario.setup, game="flank", title="Flank")
        playing.push(playing.parse("begin"))
    old = tmp_path / "old.sqlite"
    monkeypatch.setattr(migrations, "HEAD", step)
    EventStore(old).close()
    monkeypatch.undo()
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(step,)]
        connection.execute("ATTACH DATABASE ? AS now", (str(tmp_path / "now.sqlite"),))
        for table in ("game", "event"):
            connection.execute(f"INSERT INTO main.{table} SELECT * FROM now.{table}")
        connection.commit()
    with closing(EventStore(old)) as store:
        again = store.open_game("flank")
        assert again.records == playing.records
        again.push(again.parse("end"))
        assert store.last("flank") == again.seq
