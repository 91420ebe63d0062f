"""One evening on which photos are read and learnt from, pixels and all."""

import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from PIL import Image

from api.app.program import Program
from tabletop.referee.collection_files import check_collection, load_collection
from tests.api.photos.test_decoding import OWNER, PLACE, private_exif
from tests.support import settled_tables as scene
from tests.support.api_games import Place
from tests.support.api_support import sentence


class Evening:
    """A server whose collection lies in a file, and its host's phone."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "ours.zip"
        check_collection(self.file)
        self.place = Place(folder / "data", Program(), collection=str(self.file))
        self.host, self.services = self.place.host, self.place.services
        done, data = cv2.imencode(".jpg", scene.photo().image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        assert done
        block = Image.Exif()
        block.load(private_exif())
        block[0x0112] = 1
        told = b"Exif\0\0" + block.tobytes().removeprefix(b"Exif\0\0")
        self.picture = bytes(data[:2]) + b"\xff\xe1" + struct.pack(">H", len(told) + 2) + told + bytes(data[2:])

    def begin(self) -> dict[str, Any]:
        toml = scene.TABLE_TOML.replace('rules = "one-hour-ww2"\n', "")
        begun: dict[str, Any] = self.place.begin(table_name="my.table.toml", rules="measure", table_file=toml)
        return begun

    def photograph(self, begun: dict[str, Any], more: bytes = b"") -> dict[str, Any]:
        """Send the photo (another file each time, with the same pixels), and what the game's look then says."""
        files = {"photo": ("a.jpg", self.picture + more)}
        job = self.host.ask("POST", f"/api/tables/{begun['table']}/photos", 202, files=files)
        assert (job["state"], job["detail"]) == ("done", "")
        return self.host.look(begun["id"])

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
    yield made
    made.services.engine.close()
    made.services.event_store.close()


def test_what_one_photo_settles_the_next_table_is_read_by(evening: Evening) -> None:
    first = evening.begin()
    look = evening.photograph(first)
    asked = len(look["questions"])
    assert {one["ask"] for one in look["questions"]} >= {"unit", "kind"}
    marks = (OWNER, PLACE, b"Exif\0\0", b"GPS")  # where the photo was taken and whose it is: no file of the server says
    assert all(mark in evening.picture for mark in marks[:3])
    kept = [path for path in evening.services.settings.data_dir.rglob("*") if path.is_file()]
    assert sum(path.suffix == ".jpg" for path in kept) == 3
    for path in kept:
        data = path.read_bytes()
        assert not [mark for mark in marks if mark in data], path
        if path.suffix == ".jpg":
            with Image.open(path) as picture:
                assert not picture.getexif() and all(name.startswith("jfif") for name in picture.info)
    look = evening.answer_all(first, look)
    evening.host.accept(first["id"])
    told = evening.host.get("/api/collection")
    seen = evening.services.tables.get(first["table"]).observation()["terrain"]
    answered = Counter(piece["kind"] for piece in seen if piece["confidence"] == 1.0)
    assert answered.total() >= 1
    assert {row["what"]: row["count"] for row in told["terrain"]} == answered
    assert [(side["side"], side["count"]) for side in told["sides"]] == [("blue", 1), ("red", 1)]
    assert [photo.id for photo in load_collection(evening.file).photos] == [told["photos"][0]["id"]]

    second = evening.begin()
    look = evening.photograph(second, b"2")
    rows = {row["id"]: row for row in evening.services.tables.get(second["table"]).observation()["bases"]}
    assert {row["side"]: row["center"][0] > 9 for row in rows.values()} == {"red": False, "blue": True}
    assert len(look["questions"]) < asked

    evening.file.write_bytes(b"spoilt")
    look = evening.photograph(evening.begin(), b"3")
    assert any("read without it: ours.zip is no collection that can be read" in warning for warning in look["warnings"])
    assert "ours.zip is no collection" in sentence(evening.host.answer("GET", "/api/collection"), 422)
    evening.file.unlink()
    assert evening.host.get("/api/collection")["photos"] == []
