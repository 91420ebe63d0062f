"""Learning without being asked for: when a photo is settled, what is taken from it, what the host says to it."""

import io
import random
import threading
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import pytest
from PIL import Image

from api.app.application import create_app
from api.engine import PhotoToRead, Reading
from api.learning import learner as learner_module
from api.learning.learner import Learner
from api.photos.collections import photo_id
from api.settings import Settings
from api.tables.store import table_of
from tabletop.identity.observation_rows import Observation
from tabletop.referee.collection_files import KnownFiles, collection_of, file_of
from tabletop.tables.model import TableFile
from tests.api.conftest import Servers
from tests.support.api_games import Place
from tests.support.api_support import jpeg, sentence
from tests.support.photo_games import Photos, observed, photographed, sequence
from tests.support.waiting import BOUND_S
from vision.model.collection import Collection, Crop, KnownBase, LearntPhoto
from vision.model.errors import CollectionError

ASKED = {
    "id": "q1", "about": "r0", "ask": "value", "says": "What does the die show?",
    "answers": [{"value": n, "chance": 0.1, "says": str(n)} for n in range(1, 7)],
    "covers": [["die1"]], "others": [], "after": None,
}  # fmt: skip
DIE = {"id": "die1", "value": None, "center": [4.0, 4.0], "confidence": 0.4}


class Teaching(Photos):
    """Learns whatever it is told to, and remembers what it was given to read and to learn by."""

    def __init__(self) -> None:
        super().__init__()
        self.taught: list[Observation] = []
        self.known: list[list[str]] = []
        self.fault: Exception | None = None
        self._files = KnownFiles()

    def read_photo(self, asked: PhotoToRead) -> Reading:
        self.known.append([photo.id for photo in self._files.together(asked.known).photos])
        return super().read_photo(asked)

    def learn(self, upright_jpeg: bytes, sha256: str, table: TableFile, observation: Observation) -> bytes:
        if self.fault is not None:
            raise self.fault
        assert Image.open(io.BytesIO(upright_jpeg)).size == (600, 450)
        self.taught.append(observation)
        base = KnownBase("red", "infantry", 2.0, 1.25, False, np.zeros(6, np.float32))
        crops = (Crop("woods", jpeg((40, 30), (20, 90, 20))),)
        size = (table.width_in, table.depth_in)
        learnt = LearntPhoto(photo_id(sha256), "2026-05-01", size, (("woods", 2),), None, (base,), crops)
        return file_of(Collection((learnt,)))


@pytest.fixture
def engine() -> Teaching:
    return Teaching()


@pytest.fixture
def place(make_place: Servers, engine: Teaching) -> Place:
    return make_place(engine)


@pytest.fixture
def game(place: Place) -> str:
    return sequence(place.services)


def learnt(place: Place) -> dict[str, Any]:
    told: dict[str, Any] = place.host.get("/api/collection")
    return told


def ids(place: Place) -> list[str]:
    return [photo["id"] for photo in learnt(place)["photos"]]


def go_on(place: Place, game: str) -> None:
    """Something happens in the game: a photo's first certain proposal is carried out."""
    chosen = next(one["id"] for one in place.host.look(game)["proposals"] if one["what"] == "moved")
    place.host.accept(game, [chosen], measured=True, overrule=True, roll=True)


class TestWhenAPhotoIsSettled:
    def test_once_the_game_has_gone_on_with_it_and_again_when_it_is_corrected(
        self, place: Place, engine: Teaching, game: str
    ) -> None:
        photographed(place.host, game)
        assert ids(place) == [] and engine.taught == []
        for _ in range(2):
            go_on(place, game)
            sha = place.host.look(game)["photo"]
            assert ids(place) == [photo_id(sha)] and len(engine.taught) == 1
        base = engine.seen["bases"][0]["id"]
        center = [value + 0.2 for value in engine.seen["bases"][0]["center"]]
        place.host.ask("PATCH", f"/api/games/{game}/look/bases/{base}", json={"center": center})
        assert len(engine.taught) == 2 and len(ids(place)) == 1
        assert next(row for row in engine.taught[1]["bases"] if row["id"] == base)["center"] == center
        place.host.ask("DELETE", f"/api/games/{game}/look/last")
        assert len(engine.taught) == 3 and len(ids(place)) == 1
        photographed(place.host, game, more=b"2")
        assert engine.known == [[], [photo_id(sha)]], "the next photo is read by it"

    def test_once_another_photo_follows_that_nothing_was_done_for_but_none_without_a_camera(
        self, place: Place, engine: Teaching, game: str
    ) -> None:
        engine.seen = {**observed(2), "photos": []}
        photographed(place.host, game)
        go_on(place, game)
        assert engine.taught == [] and learnt(place)["trouble"] == ""
        engine.seen = observed(2)
        photographed(place.host, game, more=b"2")
        first = place.host.look(game)["photo"]
        photographed(place.host, game, more=b"3")
        assert ids(place) == [photo_id(first)]
        assert place.host.look(game)["photo"] != first

    def test_not_before_what_the_photo_and_the_game_ask_is_answered(
        self, place: Place, engine: Teaching, game: str
    ) -> None:
        answers = f"/api/games/{game}/look/answers"
        engine.seen = observed(3)
        photographed(place.host, game)
        asked = place.host.look(game)["questions"]
        assert {one["ask"] for one in asked} == {"presence"}
        go_on(place, game)
        for one in asked:
            assert engine.taught == []
            place.host.ask("POST", answers, 201, json={"question": one["id"], "value": "hidden"})
        assert len(engine.taught) == 1
        engine.seen = {**observed(2), "dice": [DIE], "questions": [ASKED]}
        for more in (b"2", b"3"):
            photographed(place.host, game, more=more)
            go_on(place, game)
        assert len(engine.taught) == 1
        place.host.ask("POST", answers, 201, json={"question": "q1", "value": 3})
        assert len(engine.taught) == 2


class TestTheHost:
    def test_sees_what_was_learnt_and_nobody_else_does(self, place: Place, game: str) -> None:
        photographed(place.host, game)
        go_on(place, game)
        told = learnt(place)
        assert (told["on"], told["waiting"], told["trouble"], told["most_photos"]) == (True, 0, "", 24)
        assert told["terrain"] == [{"what": "woods", "count": 2}]
        assert told["sides"] == [{"side": "red", "count": 1, "kinds": [{"what": "infantry", "count": 1}]}]
        (photo,) = told["photos"]
        assert (photo["learnt"], photo["pictures"], photo["stale"]) == ("2026-05-01", 1, False)
        picture = place.host.answer("GET", f"/api/collection/photos/{photo['id']}.png")
        assert picture.headers["content-type"] == "image/png"
        assert Image.open(io.BytesIO(picture.content)).size == (180, 180)
        file = place.host.answer("GET", "/api/collection/file")
        assert [one.id for one in collection_of(file.content).photos] == [photo["id"]]
        asked = [
            ("GET", "/api/collection"),
            ("PATCH", "/api/collection"),
            ("GET", "/api/collection/file"),
            ("GET", f"/api/collection/photos/{photo['id']}.png"),
            ("DELETE", f"/api/collection/photos/{photo['id']}"),
        ]
        for device in (place.seated(game, "host", "side blue"), place.device()):
            for method, path in asked:
                body = {"json": {"on": False}} if method == "PATCH" else {}
                assert sentence(device.answer(method, path, **body), 401)
        assert learnt(place) == told

    def test_what_is_forgotten_is_not_learnt_again(self, place: Place, engine: Teaching, game: str) -> None:
        photographed(place.host, game)
        go_on(place, game)
        (name,) = ids(place)
        told = place.host.ask("DELETE", f"/api/collection/photos/{name}")
        assert told["photos"] == [] and told["terrain"] == []
        base = engine.seen["bases"][0]["id"]
        place.host.ask("PATCH", f"/api/games/{game}/look/bases/{base}", json={"facing": 5.0})
        assert ids(place) == [] and len(engine.taught) == 1
        assert "Nothing from this photo" in sentence(place.host.answer("DELETE", f"/api/collection/photos/{name}"), 404)
        picture = place.host.answer("GET", f"/api/collection/photos/{name}.png")
        assert "The pictures of this photo are gone" in sentence(picture, 404)

    def test_turns_learning_off_and_on(self, place: Place, engine: Teaching, game: str) -> None:
        place.services.notifier.notify("*")  # the server's own seats changed: a change of no game
        assert learnt(place)["photos"] == [] and not place.services.event_store.last(table_of("*"))
        assert place.host.ask("PATCH", "/api/collection", json={"on": False})["on"] is False
        photographed(place.host, game)
        go_on(place, game)
        assert engine.taught == [] and ids(place) == []
        assert place.host.ask("PATCH", "/api/collection", json={"on": True})["on"] is True
        go_on(place, game)
        assert len(engine.taught) == 1 and len(ids(place)) == 1

    def test_is_told_why_a_photo_could_teach_nothing(self, place: Place, engine: Teaching, game: str) -> None:
        engine.fault = CollectionError("Nothing in this observation is settled.")
        photographed(place.host, game)
        go_on(place, game)
        assert learnt(place)["trouble"] == "Nothing in this observation is settled." and ids(place) == []


def test_games_are_looked_at_beside_the_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a server with workers the thread that changes a game never waits for what is looked at."""
    app = create_app(Settings(tmp_path, workers=0, engine="tests.support.api_engines:Waiting"), rng=random.Random(1))
    services, may, looked = app.state.services, threading.Event(), Queue[tuple[str, str]]()

    def slow(_: Learner, game: str, before: int | None = None) -> bool:
        assert may.wait(BOUND_S)
        looked.put((game, threading.current_thread().name))
        return False

    monkeypatch.setattr(Learner, "look", slow)
    monkeypatch.setattr(learner_module, "PAUSE_S", 0.0)
    for _ in range(5):
        services.notifier.notify("one")
    services.notifier.notify("two")
    assert looked.empty()
    may.set()
    found = [looked.get(timeout=BOUND_S)]
    while found[-1][0] != "two":
        found.append(looked.get(timeout=BOUND_S))
    assert 2 <= len(found) <= 3, "what happens while a game is looked at is looked at once more"
    assert all(name.startswith("learner") for _, name in found)
    services.event_store.close()
