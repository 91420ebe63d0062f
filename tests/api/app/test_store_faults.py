"""A full disk, one that may only be read, a database or bucket that is away: each is said as what it is, and nothing is
acknowledged that is not kept."""

import errno
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from api.photos.pictures import Bucket, Folder
from tests.api.conftest import Servers
from tests.support.api_games import Place
from tests.support.api_support import sentence
from tests.support.cli_runs import run_cli
from tests.support.photo_games import PHOTO, Photos, sequence


@pytest.fixture
def place(make_place: Servers) -> Place:
    return make_place(Photos())


FULL, READ_ONLY = "database or disk is full", "attempt to write a readonly database"


def check_said(answer: Any, folder: Path) -> None:
    assert answer.status_code == 503, answer.text
    assert answer.headers["retry-after"]
    told = answer.json()
    assert told["type"] == "not-kept" and "disk may be full" in told["detail"]
    assert str(folder) not in answer.text and "sqlite" not in answer.text


def test_the_server_is_well_while_its_database_answers(make_place: Servers) -> None:
    place = make_place(look_again_s=0.0)
    stranger = place.device()
    well = stranger.answer("GET", "/api/health")
    assert (well.status_code, well.content) == (204, b""), "anybody may ask, and learns nothing else"

    def away(*_: Any) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    sa.event.listen(place.services.event_store._engine, "before_cursor_execute", away)
    assert stranger.answer("GET", "/api/health").json()["type"] == "database-away"


def test_a_server_is_not_well_on_a_full_disk(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=1_000_000))
    answer = place.device().answer("GET", "/api/health")
    assert (answer.status_code, answer.json()["type"]) == (503, "disk-full")


@pytest.mark.parametrize("why", [FULL, READ_ONLY])
def test_a_database_that_fails_is_said_and_reading_goes_on_once_it_is_back(
    place: Place, tmp_path: Path, why: str
) -> None:
    game = sequence(place.services)
    blue = place.seated(game, "side blue")
    seq = blue.get(f"/api/games/{game}")["seq"]
    engine = place.services.event_store._engine

    def full(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(("INSERT", "UPDATE")):
            raise sqlite3.OperationalError(why)

    sa.event.listen(engine, "before_cursor_execute", full)
    wish = {"id": "end-the-step-1", "after": seq, "words": "end"}
    check_said(blue.answer("POST", f"/api/games/{game}/commands", json=wish), tmp_path)
    assert blue.get(f"/api/games/{game}/log")["seq"] == seq, "what is kept can still be read"
    sa.event.remove(engine, "before_cursor_execute", full)
    assert blue.ask("POST", f"/api/games/{game}/commands", json=wish)["seq"] > seq


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EROFS])
def test_a_photo_that_can_not_be_kept_is_not_acknowledged(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int
) -> None:
    game = sequence(place.services)
    place.host.get(f"/api/games/{game}/photo")
    table = place.host.get(f"/api/games/{game}")["table"]

    def full(*_: object) -> None:
        raise OSError(fault, os.strerror(fault), str(tmp_path))

    monkeypatch.setattr(Folder, "put", full)
    answer = place.host.answer("POST", f"/api/tables/{table}/photos", files={"photo": ("table.jpg", PHOTO)})
    check_said(answer, tmp_path)
    with place.services.event_store.reading() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM photo_job")).scalar_one() == 0


def test_a_folder_that_nothing_can_be_kept_in_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)
    told = run_cli("serve", "--port", 0, "--data", tmp_path / "club")
    assert told.exit_code == 2 and "Traceback" not in told.output
    assert "Nothing can be kept in" in told.output and "(read-only file system): name a writable folder" in told.output


class Bucketful:
    """What an obstore module does for a bucket, as long as that does not fail."""

    def __init__(self, obstore: Any) -> None:
        self._obstore = obstore
        self.fails = False

    def __getattr__(self, name: str) -> Any:
        if self.fails:
            raise self._obstore.exceptions.GenericError("Error performing PUT http://10.0.0.9/club?key=SECRET: 500")
        return getattr(self._obstore, name)


def test_a_bucket_that_fails_takes_no_photo_and_the_game_goes_on(make_place: Servers, tmp_path: Path) -> None:
    obstore = pytest.importorskip("obstore", reason="needs obstore: pip install 'tabletop[bucket]'")
    place = make_place(Photos(), photos="memory:///")
    pictures = place.services.store.pictures
    assert isinstance(pictures, Bucket)
    pictures._obstore = bucket = Bucketful(obstore)
    game = sequence(place.services)
    blue = place.seated(game, "side blue")
    table = place.services.table(game, lay=True).game
    send = f"/api/tables/{table}/photos"

    def photographed() -> Any:
        return blue.answer("POST", send, files={"photo": ("table.jpg", PHOTO)})

    def picture() -> Any:
        return blue.answer("GET", f"{send}/{blue.get(f'/api/games/{game}/look')['photo']}/upright.jpg")

    assert photographed().json()["state"] == "done" and picture().content.startswith(b"\xff\xd8")
    assert not (tmp_path / "photos").exists() and pictures.list_folder("spool") == []
    seen, seq = place.services.tables.seq(table), blue.get(f"/api/games/{game}")["seq"]

    bucket.fails = True
    for answer in (photographed(), picture()):
        check_said(answer, tmp_path)
        assert "SECRET" not in answer.text and "10.0.0.9" not in answer.text
    wish = {"id": "end-the-step-1", "after": seq, "words": "end"}
    assert blue.ask("POST", f"/api/games/{game}/commands", json=wish)["seq"] > seq
    assert blue.get(f"/api/games/{game}/log")["seq"] > seq
    assert place.services.tables.seq(table) == seen, "no half of a photo lies on the table"

    bucket.fails = False
    assert picture().status_code == 200 and photographed().json()["state"] == "done"
    pictures.drop(next(name for name in pictures.names() if "/upright-" in name))
    assert sentence(picture(), 404) == "This picture is not on the server."
