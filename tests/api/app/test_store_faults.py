"""A full disk and a database that is away are said as what they are, and nothing is acknowledged that is not kept."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from api.photos.pictures import Folder
from tests.support.api_games import Place
from tests.support.photo_games import PHOTO, Photos, sequence


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path, Photos())
    yield made
    made.services.event_store.close()


def check_said(answer: Any, folder: Path) -> None:
    assert answer.status_code == 503, answer.text
    assert answer.headers["retry-after"]
    told = answer.json()
    assert told["type"] == "not-kept" and "disk may be full" in told["detail"]
    assert str(folder) not in answer.text and "sqlite" not in answer.text


def test_a_database_that_fails_is_said_and_reading_goes_on_once_it_is_back(place: Place, tmp_path: Path) -> None:
    game = sequence(place.services)
    blue = place.seated(game, "side blue")
    seq = blue.get(f"/api/games/{game}")["seq"]
    engine = place.services.event_store._engine

    def full(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(("INSERT", "UPDATE")):
            raise sqlite3.OperationalError("database or disk is full")

    sa.event.listen(engine, "before_cursor_execute", full)
    wish = {"id": "end-the-step-1", "after": seq, "words": "end"}
    check_said(blue.answer("POST", f"/api/games/{game}/commands", json=wish), tmp_path)
    assert blue.get(f"/api/games/{game}/log")["seq"] == seq, "what is kept can still be read"
    sa.event.remove(engine, "before_cursor_execute", full)
    assert blue.ask("POST", f"/api/games/{game}/commands", json=wish)["seq"] > seq


def test_a_photo_that_can_not_be_kept_is_not_acknowledged(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = sequence(place.services)
    place.host.get(f"/api/games/{game}/photo")
    table = place.host.get(f"/api/games/{game}")["table"]

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path))

    monkeypatch.setattr(Folder, "put", full)
    answer = place.host.answer("POST", f"/api/tables/{table}/photos", files={"photo": ("table.jpg", PHOTO)})
    check_said(answer, tmp_path)
    with place.services.event_store.reading() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM photo_job")).scalar_one() == 0
