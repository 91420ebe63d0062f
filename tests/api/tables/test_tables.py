"""Tables over HTTP: made from a file, photographed, looked at, kept over a restart."""

from __future__ import annotations

import asyncio
import io
import threading
from pathlib import Path

import pytest
from PIL import Image

from api.engine import Progress, Reading
from tabletop.referee.reports import report_on
from tabletop.tables.model import TableFile
from tabletop.tables.scene import scene_from_json
from tests.support.api_support import BASES, TABLE, Canned, Client, observation, refusal


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path, addresses=("http://192.168.1.20:8000",))


def test_a_table_file_becomes_a_table_without_a_photo(client: Client) -> None:
    made = client("POST", "/api/tables", files={"table_file": ("mine.toml", TABLE)})
    assert made.status_code == 201
    table = made.json()
    assert table["name"] == "mine.toml"
    assert table["photo"] is None and table["bases"] == [] and table["undo"] is None
    assert [unit["id"] for unit in table["units"]] == ["tank", "gun", "near", "far"]
    assert table["sides"] == [{"id": "blue", "rim": "#325088"}, {"id": "red", "rim": "#8a2226"}]
    assert client("GET", f"/api/tables/{table['id']}").json() == table


def test_a_photo_lays_its_bases_on_the_table(client: Client) -> None:
    game = client("POST", "/api/tables", files={"table_file": ("mine.toml", TABLE)}).json()["id"]
    table = client.photo(game)
    assert [base["id"] for base in table["bases"]] == ["b1", "b2", "b3", "b4"]
    assert table["warnings"] == ["A remark."]
    near = next(unit for unit in table["units"] if unit["id"] == "near")
    assert near["bases_found"] == 1 and near["has_unique"]
    picture = client("GET", table["photo"]["map"]["url"])
    assert picture.headers["content-type"] == "image/jpeg" and picture.content.startswith(b"\xff\xd8")
    assert table["photo"]["map"]["bounds"] == [[-1.0, -1.0], [37.0, 37.0]]
    upright = client("GET", table["photo"]["upright"]["url"])
    with Image.open(io.BytesIO(upright.content)) as shown:
        assert shown.size == (table["photo"]["upright"]["width"], table["photo"]["upright"]["height"]) == (600, 450)


def test_outlines_are_drawn_where_the_bases_lie(client: Client) -> None:
    tank = client.table()["bases"][0]
    assert sorted(map(tuple, tank["outline"])) == [(17.125, 6.75), (17.125, 9.25), (18.875, 6.75), (18.875, 9.25)]
    xs, ys = zip(*tank["ellipse"], strict=True)
    radius = 0.01 * 5.991464547**0.5
    assert max(xs) - 18.0 == pytest.approx(radius, abs=2e-4)
    assert max(ys) - 8.0 == pytest.approx(radius, rel=0.02)
    assert tank["sigma"] == pytest.approx(0.01)


def test_the_view_of_a_unit_shows_ranges_front_and_threat(client: Client) -> None:
    game = client.table()["id"]
    view = client("GET", f"/api/tables/{game}/units/tank").json()
    assert [(ring["name"], ring["inches"]) for ring in view["rings"]] == [("close", 4), ("normal", 12), ("long", 24)]
    top_of = {ring["name"]: max(y for _, y in ring["outlines"][0]) for ring in view["rings"]}
    assert top_of == {"close": pytest.approx(13.25), "normal": pytest.approx(21.25), "long": pytest.approx(33.25)}
    assert min(y for _, y in view["front"][0]) == pytest.approx(9.25)  # the line through the front edge
    assert max(y for _, y in view["threat"][0]) == pytest.approx(11.25)
    assert view["measured_from"] == "b1"


def test_shots_come_as_the_report_judges_them_and_too_close_first(client: Client) -> None:
    client.engine.seen = observation([*BASES[:1], BASES[1] | {"center": [18.0, 21.88]}, *BASES[2:]])
    game = client.table()["id"]
    view = client("GET", f"/api/tables/{game}/units/near").json()
    assert [shot["verdict"] for shot in view["shots"]] == ["too-close"]
    tank = client("GET", f"/api/tables/{game}/units/tank").json()
    assert [shot["target"] for shot in tank["shots"]] == ["near", "far"]
    report = client("GET", f"/api/tables/{game}/report").json()
    seen = client("GET", f"/api/tables/{game}/observation").json()
    roster = {"tank": 1, "gun": 1, "near": 1, "far": 2}
    assert report == report_on(scene_from_json(seen, roster=roster), "one-hour-ww2", "d5")
    for shot in tank["shots"]:
        entry = next(e for e in report["shots"] if e["firer"] == "tank" and e["target"] == shot["target"])
        assert (shot["verdict"], shot["reasons"], shot["hits"]) == (entry["verdict"], entry["reasons"], entry["hits"])
        assert shot["range"]["value"] == entry["range"]["value"]


def test_a_unit_without_bases_says_what_to_do(client: Client) -> None:
    game = client.table()["id"]
    view = client("GET", f"/api/tables/{game}/units/gun").json()
    assert view["rings"] == [] and view["shots"] == [] and view["front"] == []
    assert view["notes"] == ["No base of gun was found. Correct: tap one and give it to gun, or add it."]


def test_tables_survive_a_restart(tmp_path: Path) -> None:
    first = Client(tmp_path)
    table = first.table()
    game = table["id"]
    first("PATCH", f"/api/tables/{game}/bases/b2", json={"center": [20, 22]})
    before = first("GET", f"/api/tables/{game}").json()
    second = Client(tmp_path)
    assert second("GET", f"/api/tables/{game}").json() == before
    assert second("GET", table["photo"]["annotated"]["url"]).status_code == 200
    assert [one["id"] for one in second("GET", "/api/tables").json()] == [game]


def test_nothing_is_kept_of_a_photo_that_is_refused(client: Client, tmp_path: Path) -> None:
    game = client("POST", "/api/tables", files={"table_file": ("mine.toml", TABLE)}).json()["id"]
    refusal(client("POST", f"/api/tables/{game}/photos", files={"photo": ("x.jpg", b"no picture")}))
    assert list((tmp_path / "photos").iterdir()) == []
    assert client("GET", f"/api/tables/{game}").json()["seq"] == 1


def test_the_host_tells_its_address_as_a_qr_code(client: Client) -> None:
    assert client("GET", "/api/host").json()["addresses"] == ["http://192.168.1.20:8000"]
    qr = client("GET", "/api/host/qr.svg")
    assert qr.headers["content-type"].startswith("image/svg+xml") and b"<path" in qr.content


class Slow(Canned):
    """An engine that reads a photo only when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.at_once = self.most_at_once = 0

    def read_photo(self, data: bytes, name: str, table: TableFile, progress: Progress) -> Reading:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        assert self.go.wait(20)
        reading = super().read_photo(data, name, table, progress)
        self.at_once -= 1
        return reading


def test_one_photo_at_a_time_while_others_wait_and_the_rest_is_answered(tmp_path: Path) -> None:
    engine = Slow()
    client = Client(tmp_path, engine, photos_waiting_in_all=2)

    async def evening() -> list[int]:
        photos = [asyncio.create_task(client.ask("POST", "/api/demo")) for _ in range(3)]
        while not any(photo.done() for photo in photos):  # the third is sent away at once
            await asyncio.sleep(0.01)
        assert (await client.ask("GET", "/api/tables")).status_code == 200  # while a photo is being read
        engine.go.set()
        return sorted([(await photo).status_code for photo in photos])

    assert asyncio.run(evening()) == [202, 202, 503]
    assert engine.most_at_once == 1
