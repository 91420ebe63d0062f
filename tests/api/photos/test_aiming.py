"""On the way to a photo: what a viewfinder's frames are told, corners that are named."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.paths import DATA
from tests.support.api_games import Device, Place
from tests.support.edge_scenes import SceneStyle, draw_scene

TABLE = (DATA / "desert.table.toml").read_text()


def frame(part: tuple[float, float] = (0.0, 1.0), photo: str = "desert") -> bytes:
    """A photograph as a phone sends its viewfinder; ``part``: from where to where across, 0 to 1."""
    image = cv2.imread(str(DATA / f"{photo}.jpg"))
    columns = image.shape[1]
    image = image[:, round(part[0] * columns) : round(part[1] * columns)]
    small = 800 / max(image.shape[:2])
    size = round(image.shape[1] * small), round(image.shape[0] * small)
    return jpeg(cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def jpeg(image: Any) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 70])[1])


def begun(place: Place, table: str) -> str:
    return str(place.begin(table_file=table, table_name="t.toml", rules="measure")["id"])


def aimed(device: Device, game: str, data: bytes, status: int = 200) -> Any:
    return device.ask("POST", f"/api/games/{game}/aim", status, files={"frame": ("f.jpg", data, "image/jpeg")})


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, frames_a_minute=8)


def test_markers_height_and_advice(place: Place) -> None:
    game = begun(place, TABLE)
    found = aimed(place.host, game, frame())
    assert found["seen"] == found["expected"] == [0, 1, 2, 3]
    assert found["good"] and found["advice"] == "Good: all 4 markers."
    assert 30 < found["elevation_deg"] < 90
    assert [len(outline) for outline in found["outlines"]] == [4] * 4
    assert all(0 < x < 1 and 0 < y < 1 for outline in found["outlines"] for x, y in outline)

    cut = aimed(place.host, game, frame((0.3, 1.0)))
    assert 0 < len(cut["seen"]) < 4 and not cut["good"] and "out of the picture, on the left." in cut["advice"]
    none = aimed(place.host, game, jpeg(np.full((600, 800, 3), 120, np.uint8)))
    assert none["seen"] == [] and none["elevation_deg"] is None and none["advice"].startswith("No frame marker")
    bare = aimed(place.host, begun(place, "[table]\nwidth = 36\ndepth = 36\n"), b"never looked at")
    assert bare["expected"] == bare["seen"] == [] and bare["advice"] == "" and not bare["good"]


def test_what_is_refused(place: Place) -> None:
    game = begun(place, TABLE)
    assert "not a picture" in aimed(place.host, game, b"To whom it may concern", 422)["detail"]
    assert "pixels" in aimed(place.host, game, jpeg(np.zeros((2000, 2000, 3), np.uint8)), 422)["detail"]
    assert aimed(place.host, game, bytes(400_000), 413)["title"] == "Too large"
    assert aimed(place.device(), game, frame(), 401)["status"] == 401
    spectator = place.seated(game, "spectator")
    assert aimed(spectator, game, frame(), 403)["status"] == 403
    answers = [aimed(place.host, game, b"again", status) for status in (422,) * 6 + (429,)]
    assert "8 frames a minute" in answers[-1]["detail"]


def test_corners_named_in_a_photo_that_shows_no_markers(place: Place) -> None:
    """Its lines and a guess, what corners are worth, and a reading by those that were refused without."""
    scene = draw_scene(1, (36.0, 36.0), SceneStyle(size=(1000, 750), over=1))
    begun = place.begin(table_file="[table]\nwidth = 36\ndepth = 36\n", table_name="t.toml", rules="measure")
    game, data = begun["id"], jpeg(cv2.cvtColor(cv2.cvtColor(scene.photo.image, 6), 8) // 3 + 80)
    aid = place.host.ask("POST", f"/api/games/{game}/naming", files={"frame": ("f.jpg", jpeg(scene.photo.image))})
    assert aid["table"] == [36, 36] and aid["before"] is None and len(aid["lines"]) >= 4
    assert {"name": "72x48", "size_in": [72, 48], "sheet": False} in aid["sizes"]
    shares = (scene.corners + 0.5) / scene.photo.size
    assert min(np.abs(np.roll(aid["guess"], k, axis=0) - shares).max() for k in range(4)) < 0.01

    named = {"corners": shares.tolist(), "size_in": None, "at": None}
    asked = {**named, "width": 1000, "height": 750, "focal_35mm": 26.0}
    check = place.host.ask("POST", f"/api/games/{game}/naming/check", json=asked)
    assert check["refused"] == "" and 0 < check["middle_in"] < check["worst_in"] < 2
    assert np.abs(np.array(check["outline"]) - shares).max() < 0.02
    crossed = {**asked, "corners": shares[[0, 2, 1, 3]].tolist()}
    assert "sides cross" in place.host.ask("POST", f"/api/games/{game}/naming/check", json=crossed)["refused"]
    wrong = {**asked, "size_in": [72, 36]}
    assert "or choose" in place.host.ask("POST", f"/api/games/{game}/naming/check", json=wrong)["refused"]

    path = f"/api/tables/{begun['table']}/photos"
    refused = place.host.ask("POST", path, 202, files={"photo": ("a.jpg", data)})
    assert (refused["state"], refused["unplaced"]) == ("failed", True)
    by = {"files": {"photo": ("a.jpg", data)}, "data": {"named": json.dumps(named)}}
    read = place.host.ask("POST", path, 202, **by)
    assert (read["state"], read["unplaced"], read["detail"]) == ("done", False, "")
    said = place.host.get(f"/api/games/{game}/look")["warnings"]
    assert any("placed by its corners" in line for line in said)
    again = place.host.ask("POST", f"/api/games/{game}/naming", files={"frame": ("f.jpg", jpeg(scene.photo.image))})
    assert again["before"]["corners"] == named["corners"]
    assert place.host.answer("POST", path, files=by["files"], data={"named": "[]"}).status_code == 422
