"""All that a server keeps as one file, in another folder, in PostgreSQL, and back: equal by every row and picture."""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from api.backups import _KEEPER, Copied, Place, back_up, move, restore
from tabletop.errors import UsageError
from tabletop.game.store import EventStore
from tabletop.game.tables import METADATA
from tests.paths import ROOT
from tests.support import postgres
from tests.support.api_games import Place as Server
from tests.support.cli_runs import run_cli
from tests.support.photo_games import Photos, photographed, sequence
from tests.support.waiting import BOUND_S


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with a game whose table was photographed, and seats."""
    made = Server(tmp_path / "club", Photos())
    game = sequence(made.services)
    made.seated(game, "side blue")
    (blue,) = made.services.seats.seats(game)
    made.services.tokens.make(blue, game, "Scoreboard", "read")
    assert photographed(made.host, game)["state"] == "done"
    yield made
    made.services.event_store.close()


def contents(place: Place) -> tuple[dict[str, list[tuple[Any, ...]]], dict[str, bytes | None]]:
    """Every row of every table, and every picture."""
    with place.store() as store, store.reading() as connection:
        rows = {
            table.name: sorted(tuple(row) for row in connection.execute(sa.select(table)))
            for table in METADATA.sorted_tables
        }
    pictures = place.pictures()
    return rows, {name: pictures.get(name) for name in pictures.names()}


def test_a_backup_is_restored_elsewhere_as_it_was(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    of, to = Place(tmp_path / "club"), Place(tmp_path / "elsewhere")
    kept = back_up(of, tmp_path / "club.zip")
    rows, pictures = contents(of)
    assert kept == Copied(len(rows["game"]) - 1, len(rows["event"]), len(rows["seat"]), len(pictures)), (
        "and the game's table"
    )
    assert kept.games >= 1 and kept.events >= 5 and kept.seats >= 2 and kept.pictures >= 1
    assert len(rows["program_token"]) == 1, "programs come in after a move as phones do"
    assert restore(tmp_path / "club.zip", to) == kept
    assert contents(to) == (rows, pictures)
    moved = Place(tmp_path / "third")
    assert move(to, moved) == kept and contents(moved) == (rows, pictures)
    with monkeypatch.context() as stick:  # which knows no second names
        stick.setattr(os, "link", refused)
        assert back_up(of, tmp_path / "stick" / "club.zip") == kept
    assert restore(tmp_path / "stick" / "club.zip", Place(tmp_path / "fourth")) == kept
    assert [path.name for path in (tmp_path / "stick").iterdir()] == ["club.zip"]
    server.services.event_store.checkpoint()
    shutil.copy(tmp_path / "club" / "tabletop.sqlite", tmp_path / "alone.sqlite")
    with sqlite3.connect(tmp_path / "alone.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (kept.events,), "all in the one file"


def test_a_database_whose_address_is_wrong_tells_no_password(tmp_path: Path) -> None:
    told = run_cli("backup", tmp_path / "club.zip", "--url", "postgresql+psycopg://me:secret@db.example:port/club")
    assert told.exit_code == 2 and "no address of a database" in told.output and "secret" not in told.output


def test_a_busy_server_is_backed_up_at_one_moment(server: Server, tmp_path: Path) -> None:
    game, over, begun, commands = "seq", threading.Event(), threading.Event(), server.services.commands

    def notes() -> None:
        for number in count():
            seen = commands.game(game).seq
            commands.carry_out(game, f"note-{number}", seen, lambda trial: trial.note("So far, so good.", actor="blue"))
            begun.set()
            if over.is_set():
                return

    with ThreadPoolExecutor(1) as thread:
        writing = thread.submit(notes)
        assert begun.wait(BOUND_S)
        back_up(Place(tmp_path / "club"), tmp_path / "club.zip")
        over.set()
        writing.result(BOUND_S)
    to = Place(tmp_path / "elsewhere")
    restore(tmp_path / "club.zip", to)
    with to.store() as store:
        seqs = [record.seq for record in store.records(game)]
        assert seqs == list(range(1, len(seqs) + 1)) and any(r.kind == "noted" for r in store.records(game))


@pytest.mark.parametrize("place", ["photos/", "tabletop.sqlite"])
def test_a_damaged_backup_is_named_and_nothing_restored(server: Server, tmp_path: Path, place: str) -> None:
    file, to = tmp_path / "club.zip", tmp_path / "elsewhere"
    back_up(Place(tmp_path / "club"), file)
    assert file.stat().st_mode & 0o777 == 0o600
    whole = file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        member = next(one for one in archive.infolist() if one.filename.startswith(place))
    middle = member.header_offset + 30 + len(member.filename) + member.compress_size // 2
    file.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    for line in (("restore", file, "--data", to), ("backup", file, "--check")):
        refused = run_cli(*line)
        assert refused.exit_code == 2 and f"is damaged at {member.filename}: restore another" in refused.stderr
    assert not to.exists()
    file.write_bytes(whole)
    assert f"{file} is whole: it has 1 game," in run_cli("backup", file, "--check").stdout


def test_what_ends_early_leaves_a_place_that_keeps_nothing(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of, to = Place(tmp_path / "club"), Place(tmp_path / "elsewhere")
    kept, before = back_up(of, tmp_path / "club.zip"), contents(of)
    with monkeypatch.context() as early:
        early.setattr(EventStore, "copy_to", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            restore(tmp_path / "club.zip", to)
    with to.store() as store:
        store.check_empty()
    assert restore(tmp_path / "club.zip", to) == kept and contents(to) == before


def test_a_killed_backup_leaves_nothing(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom api.backups import short_lived_folder\n"
        "with short_lived_folder(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'part').touch()\n    print('there', flush=True)\n    time.sleep(3600)\n"
    )
    line = [sys.executable, "-c", code, tmp_path]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None and process.stderr is not None and process.stdout.readline()
        assert len(list(tmp_path.iterdir())) == 1
        process.kill()
        assert not process.stderr.read(), "which ends when whoever deletes the folder has ended too"
    assert not list(tmp_path.iterdir())
    heard, says = os.pipe()
    os.close(heard)  # the backup was killed before it heard of the folder
    line = [sys.executable, "-I", "-c", _KEEPER, str(tmp_path)]
    assert subprocess.run(line, stdin=subprocess.DEVNULL, stdout=says, stderr=subprocess.PIPE).stderr == b""
    os.close(says)
    assert not list(tmp_path.iterdir())


def test_what_can_not_be_is_refused_and_nothing_written(server: Server, tmp_path: Path) -> None:
    of = Place(tmp_path / "club")
    back_up(of, tmp_path / "club.zip")
    with pytest.raises(UsageError, match="exists: name a file"):
        back_up(of, tmp_path / "club.zip")
    with pytest.raises(UsageError, match="holds no games"):
        back_up(Place(tmp_path / "nowhere"), tmp_path / "other.zip")
    before = contents(of)
    with pytest.raises(UsageError, match="is not empty: name an empty one"):
        restore(tmp_path / "club.zip", of)
    assert contents(of) == before
    (tmp_path / "bad.zip").write_bytes(b"no archive")
    for bad, why in (("bad.zip", "no backup that can be read"), ("missing.zip", "There is no file")):
        with pytest.raises(UsageError, match=why):
            restore(tmp_path / bad, Place(tmp_path / "third"))
    assert not (tmp_path / "other.zip").exists() and not (tmp_path / "third").exists()


def test_by_the_command_line(server: Server, tmp_path: Path) -> None:
    club, file, new = tmp_path / "club", tmp_path / "club.zip", tmp_path / "new"
    assert f"{file} has 1 game," in run_cli("backup", file, "--data", club).stdout
    assert "Restored: 1 game," in run_cli("restore", file, "--data", new).stdout
    assert "Copied: 1 game," in run_cli("move", "--data", new, "--to-data", tmp_path / "third").stdout
    assert contents(Place(tmp_path / "third")) == contents(Place(club))
    third = f"sqlite:///{tmp_path / 'third' / 'tabletop.sqlite'}"
    assert "seq" in run_cli("games", "--url", third).stdout
    log = tmp_path / "seq.jsonl"
    assert run_cli("log", "--game", "seq", "--url", third, "--all", "--out", log).exit_code == 0
    assert 'as the game "again"' in run_cli("load", log, "--name", "again", "--data", tmp_path / "fourth").stdout
    again = run_cli("restore", file, "--data", new)
    assert again.exit_code == 2 and "is not empty: name an empty one" in again.stderr


@pytest.mark.slow
@pytest.mark.skipif(bool(postgres.missing()), reason=postgres.missing())
def test_to_postgresql_and_back(server: Server, tmp_path: Path) -> None:
    of, back = Place(tmp_path / "club"), Place(tmp_path / "back")
    with postgres.cluster() as address:
        there = Place(tmp_path / "pictures", postgres.new_database(address, "club"))
        kept = move(of, there)
        assert contents(there) == contents(of)
        assert back_up(there, tmp_path / "club.zip") == kept
        assert restore(tmp_path / "club.zip", back) == kept
    assert contents(back) == contents(of)
