"""One evening with a server as it is started: photos read and learnt from in worker processes, pixels and all."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

from api.app.application import create_app
from api.settings import Settings
from tabletop.referee.collection_files import check_collection, load_collection
from tests.api.photos.test_jobs import wait_for
from tests.support import settled_tables as scene
from tests.support.api_games import ROOT, Device
from tests.support.api_support import sentence

pytestmark = pytest.mark.slow


class Evening:
    """A running server whose collection lies in a file, and its host's phone."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "ours.zip"
        check_collection(self.file)
        self.app = create_app(Settings(folder / "data", addresses=(ROOT,), collection=str(self.file)))
        self.host = Device(self.app)
        token = self.app.state.services.welcome().token
        self.host.ask("POST", "/api/join", 201, json={"token": token, "label": "Anna"})
        done, data = cv2.imencode(".jpg", scene.photo().image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        assert done
        self.picture = bytes(data)

    def begin(self) -> dict[str, Any]:
        wish = {
            "id": secrets.token_hex(12), "table_name": "my.table.toml", "rules": "measure",
            "table_file": scene.TABLE_TOML.replace('rules = "one-hour-ww2"\n', ""),
        }  # fmt: skip
        begun: dict[str, Any] = self.host.ask("POST", "/api/games", 201, json=wish)
        return begun

    def photograph(self, begun: dict[str, Any], more: bytes = b"") -> dict[str, Any]:
        """Send the photo (another file each time, with the same pixels), and what the game's look then says."""
        files = {"photo": ("a.jpg", self.picture + more)}
        job = self.host.ask("POST", f"/api/tables/{begun['table']}/photos", 202, files=files)["id"]
        wait_for(lambda: self.host.get(f"/api/jobs/{job}")["state"] in ("done", "failed"))
        assert self.host.get(f"/api/jobs/{job}")["detail"] == ""
        look: dict[str, Any] = self.host.get(f"/api/games/{begun['id']}/look")
        return look

    def answer_all(self, begun: dict[str, Any], look: dict[str, Any]) -> dict[str, Any]:
        """Answer every question as the table truly is."""
        for _ in range(12):
            if not look["questions"]:
                return look
            question = look["questions"][0]
            wish = {"question": question["id"], "value": true_answer(question)}
            look = self.host.ask("POST", f"/api/games/{begun['id']}/look/answers", 201, json=wish)
        raise AssertionError(look["questions"])


def true_answer(question: dict[str, Any]) -> object:
    x = question["center"][0]
    if question["ask"] in ("unit", "side"):
        blue = x > 9
        return {"unit": "b" if blue else "r", "side": "blue" if blue else "red"}[question["ask"]]
    if question["ask"] == "kind":
        return "field" if x > 9 else "woods"
    assert question["ask"] == "facing"
    return min((one["value"] for one in question["answers"]), key=lambda value: abs(value - 10.0))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    loop = asyncio.new_event_loop()
    running = made.app.router.lifespan_context(made.app)
    loop.run_until_complete(running.__aenter__())
    yield made
    loop.run_until_complete(running.__aexit__(None, None, None))
    loop.close()
    made.app.state.services.event_store.close()


def test_what_one_photo_settles_the_next_table_is_read_by(evening: Evening) -> None:
    first = evening.begin()
    look = evening.photograph(first)
    asked = len(look["questions"])
    assert {one["ask"] for one in look["questions"]} >= {"unit", "kind"}
    look = evening.answer_all(first, look)
    wish = {"id": "accept-000001", "after": look["seq"], "chosen": None}
    evening.host.ask("POST", f"/api/games/{first['id']}/look/accept", json=wish)
    wait_for(lambda: evening.host.get("/api/collection")["photos"])
    told = evening.host.get("/api/collection")
    seen = evening.app.state.services.tables.get(first["table"]).observation()["terrain"]
    answered = Counter(piece["kind"] for piece in seen if piece["confidence"] == 1.0)
    assert answered.total() >= 1
    assert {row["what"]: row["count"] for row in told["terrain"]} == answered
    assert [(side["side"], side["count"]) for side in told["sides"]] == [("blue", 1), ("red", 1)]
    assert [photo.id for photo in load_collection(evening.file).photos] == [told["photos"][0]["id"]]

    second = evening.begin()
    look = evening.photograph(second, b"2")
    rows = {row["id"]: row for row in evening.app.state.services.tables.get(second["table"]).observation()["bases"]}
    assert {row["side"]: row["center"][0] > 9 for row in rows.values()} == {"red": False, "blue": True}
    assert len(look["questions"]) < asked

    evening.file.write_bytes(b"spoilt")
    look = evening.photograph(evening.begin(), b"3")
    assert any("read without it: ours.zip is no collection that can be read" in warning for warning in look["warnings"])
    assert "ours.zip is no collection" in sentence(evening.host.answer("GET", "/api/collection"), 422)
    evening.file.unlink()
    assert evening.host.get("/api/collection")["photos"] == []
