"""Photos of games' tables over HTTP: laid on the table, their pictures, kept over a restart, one at a time."""

import asyncio
import io
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from api.engine import PhotoToRead, Reading
from tests.support.api_support import BASES, PHOTO, Canned, Client, observation
from tests.support.waiting import BOUND_S


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path)


def test_a_photo_lays_its_bases_on_the_table_and_survives_a_restart(client: Client, tmp_path: Path) -> None:
    begun = client.begin()
    look = client.photo(begun)
    assert (look["bases"], look["units"], look["warnings"]) == (4, 3, ["A remark."])
    tank = next(base for base in look["outlines"] if base["unit"] == "tank")
    assert sorted(map(tuple, tank["outline"])) == [(17.125, 6.75), (17.125, 9.25), (18.875, 6.75), (18.875, 9.25)]
    ground = client("GET", f"/api/games/{begun['id']}/photo").json()
    flat = client("GET", ground["map_url"])
    assert flat.headers["content-type"] == "image/jpeg" and flat.content.startswith(b"\xff\xd8")
    assert ground["map_bounds"] == [[-1.0, -1.0], [37.0, 37.0]]
    again = Client(tmp_path)
    assert again("GET", f"/api/games/{begun['id']}/look").json() == look
    assert [one["id"] for one in again("GET", "/api/games").json()] == [begun["id"]]
    assert again("GET", look["annotated"]["url"]).status_code == 200
    upright = again("GET", look["upright"]["url"])
    with Image.open(io.BytesIO(upright.content)) as shown:
        assert shown.size == (look["upright"]["width"], look["upright"]["height"]) == (600, 450)


class Slow(Canned):
    """An engine that reads a photo only when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go = threading.Semaphore(0), threading.Event()
        self.at_once = self.most_at_once = 0

    def read_photo(self, asked: PhotoToRead) -> Reading:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.begun.release()
        assert self.go.wait(BOUND_S)
        reading = super().read_photo(asked)
        self.at_once -= 1
        return reading


def test_one_photo_at_a_time_while_others_wait_and_the_rest_is_answered(tmp_path: Path) -> None:
    engine = Slow()
    client = Client(tmp_path, engine, photos_waiting_in_all=2)
    paths = [f"/api/tables/{client.begin()['table']}/photos" for _ in range(3)]

    async def evening() -> list[int]:
        sent = {"photo": ("a.jpg", PHOTO + bytes(client.app.state.services.settings.max_json_bytes))}  # takes no turn
        photos = [asyncio.create_task(client.ask("POST", path, files=sent)) for path in paths]
        assert await asyncio.to_thread(engine.begun.acquire, timeout=BOUND_S)
        await asyncio.wait(photos, timeout=BOUND_S, return_when=asyncio.FIRST_COMPLETED)  # the third is sent away
        assert (await client.ask("GET", "/api/games")).status_code == 200  # while a photo is being read
        engine.go.set()
        return sorted([(await photo).status_code for photo in photos])

    assert asyncio.run(evening()) == [202, 202, 503]
    assert engine.most_at_once == 1


BETWEEN = [[10.0, 12.0], [26.0, 12.0], [26.0, 16.0], [10.0, 16.0]]


def test_a_photo_is_read_knowing_the_terrain_that_players_have_drawn(client: Client) -> None:
    begun, given = client.begin(), client.engine.given

    def do(number: int, **action: Any) -> None:
        seq = client("GET", f"/api/games/{begun['id']}").json()["seq"]
        wish = {"id": f"drawing-{number:04d}", "after": seq, "action": action}
        assert client("POST", f"/api/games/{begun['id']}/commands", json=wish).status_code == 200

    tables = client.app.state.services.tables
    client.photo(begun)
    assert given[-1][0].terrain == () and tables.seq(begun["table"]) == 2
    do(1, kind="draw", of_kind="hill", ring=BETWEEN, high=3, top=BETWEEN)
    for photo in (PHOTO + b"2", PHOTO + b"3"):  # the second is read by what was laid for the first
        client.photo(begun, photo)
        assert given[-1][0].terrain == (), "the photo may show more"
        (hill,) = (one.piece for one in given[-1][0].ground.drawn)
        assert (hill.id, hill.height_in, hill.hill_top) == ("hill-1", 3.0, tuple(map(tuple, BETWEEN)))
    assert [event.kind for event in tables.store.events(begun["table"])].count("draw") == 1
    do(2, kind="erase", terrain="hill-1")
    client.photo(begun, PHOTO + b"4")
    assert given[-1][0].terrain == given[-1][0].ground.drawn == ()


def test_a_photo_is_read_with_the_heights_of_the_one_before_unless_it_is_out_of_step(client: Client) -> None:
    engine, begun = client.engine, client.begin()
    line, raised = {"z_sigma": 0.3, "lean": [0.5, -0.2]}, {"center": [18.0, 8.0], "reach": 0.9, "z": 1.0, "sigma": 0.05}
    engine.seen = {**observation([{**base, **line} for base in BASES]), "raised": [raised]}
    for more in (b"1", b"2"):
        client.photo(begun, PHOTO + more)
    (_, first), (_, second) = engine.given
    assert first is None and second is not None
    assert second["raised"] == [raised] and all(base["lean"] == line["lean"] for base in second["bases"])

    client.app.state.services.tables.correct_base(begun["table"], "b2", {"center": [20.0, 9.0], "method": "hand"})
    client.photo(begun, PHOTO + b"3")
    by_hand = engine.given[2][1]
    assert by_hand is not None
    assert [base["method"] for base in by_hand["bases"]] == ["tag", "hand", "tag", "outline"]

    begun, swapped = client.begin(), {"b1": [18.0, 19.875], "b2": [18.0, 8.0]}  # two stand exactly where others stood
    client.photo(begun)
    engine.given.clear()
    for base in engine.seen["bases"]:
        base.update(center=swapped.get(base["id"], base["center"]), width=2.0, depth=1.25)
    client.photo(begun, PHOTO + b"2")
    assert [previous is None for _, previous in engine.given] == [False, True]
