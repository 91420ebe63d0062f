"""Calibrating on the server: picture by picture with advice, solved, kept without pictures, used for games' photos."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count
from typing import Any

import cv2
import numpy as np
import pytest

from api.app.program import camera_for
from api.engine import PhotoToRead, Reading
from api.photos import cameras as service
from calibration import Camera
from tabletop.equipment import camera_calibration
from tests.api.conftest import Servers
from tests.calibration.test_charuco import BOARD, POSES, SIZE, TRUE, draw, pose
from tests.support.api_games import Device, Place
from tests.support.api_support import Canned, jpeg, sentence
from tests.support.photo_games import photographed
from vision.imaging.photo import Photo

TEXT = BOARD.to_text()
_NUMBERS = count(1)


@lru_cache(maxsize=16)
def picture(n: int) -> bytes:
    """A drawn board as a file: the poses of the calibration's own tests."""
    R, t = POSES[n]
    done, data = cv2.imencode(".png", draw(BOARD, R, t, TRUE, SIZE, n))
    assert done
    return bytes(data)


@pytest.fixture(scope="module")
def place(shared: Place) -> Iterator[Place]:
    yield shared
    shared.services.engine.close()


def begin(device: Device, name: str = "Anna's phone", **more: Any) -> Any:
    wish = {"id": f"camera-{next(_NUMBERS):04d}", "name": name, "board": TEXT, **more}
    return device.ask("POST", "/api/cameras", 201, json=wish)


def send(device: Device, camera: str, data: bytes, status: int = 200) -> Any:
    return device.ask("POST", f"/api/cameras/{camera}/photos", status, files={"photo": ("board.png", data)})


class TestPictureByPicture:
    def test_a_whole_calibration(self, place: Place) -> None:
        camera = begin(place.host)
        so_far = camera["so_far"]
        assert so_far["pictures"] == 0 and not so_far["ready"] and "at least 4 pictures" in so_far["missing"][0]
        assert len(so_far["cells"]) == 5 and {len(row) for row in so_far["cells"]} == {6}
        shares = []
        for n in range(len(POSES)):
            seen = send(place.host, camera["id"], picture(n))
            assert seen["found"] and (seen["width"], seen["height"]) == SIZE
            assert len(seen["corners"]) > 20 and f"{len(seen['corners'])} of its corners" in seen["says"]
            now = seen["camera"]["so_far"]
            shares.append(now["share"])
            assert now["pictures"] == n + 1 and sum(map(sum, now["cells"])) > 0
            assert now["ready"] == (not now["missing"])
        assert shares == sorted(shares)
        assert now["ready"] and {tilt["side"]: tilt["done"] for tilt in now["tilts"]} == dict.fromkeys(
            ("right", "lower", "left", "upper"), True
        )
        solved = place.host.ask("POST", f"/api/cameras/{camera['id']}/solve")["solved"]
        assert abs(solved["focal_px"] - TRUE[0]) < 4 * solved["focal_sigma_px"] + 0.5
        assert solved["rms_px"] < 0.3 and 0 < solved["spread_middle_px"] <= solved["spread_worst_px"] < 5
        assert (solved["width"], solved["height"], solved["pictures"]) == (*SIZE, len(POSES))
        assert solved["says"].startswith("Focal length 75")
        assert any("10 or more" in line for line in solved["advice"])
        assert place.host.get("/api/cameras")[0]["solved"] == solved

    def test_a_nearer_side_is_named_as_it_is_seen(self) -> None:
        """The side whose corners have the least depth, by the drawing's own geometry."""
        for R, t in (pose(30, angle, 0, (0.0, 0.0), 12.0) for angle in (0, 90, 180, 270)):
            corners = BOARD.corners @ R[:, :2].T + t
            pixels = corners[:, :2] / corners[:, 2:] * TRUE[0] + TRUE[2:4]
            sides = [np.array(step) for step in ((1, 0), (0, 1), (-1, 0), (0, -1))]
            expected = min(range(4), key=lambda k: np.polyfit((pixels - TRUE[2:4]) @ sides[k], corners[:, 2], 1)[0])
            row = {
                "name": "one", "size": list(SIZE), "orientation": None, "ids": list(range(len(corners))),
                "pixels": pixels.tolist(), "sigma": [0.1] * len(corners), "blur": 1.0, "legacy": False,
            }  # fmt: skip
            told = camera_calibration.so_far([row], TEXT)
            assert [tilt.side for tilt in told.tilts if tilt.done] == [camera_calibration.SIDES[expected]]

    def test_a_picture_counts_once_or_not_at_all_and_only_its_corners_are_kept(self, place: Place) -> None:
        camera, folder = begin(place.host)["id"], place.services.settings.data_dir
        path = f"/api/cameras/{camera}"
        assert "no picture of the board yet" in sentence(place.host.answer("POST", f"{path}/solve"), 422)
        before = {file for file in folder.rglob("*") if file.is_file()}
        empty = send(place.host, camera, jpeg((960, 720)))
        assert not empty["found"] and empty["says"].startswith("This picture does not count: no marker")
        first, again = (send(place.host, camera, picture(1)) for _ in range(2))
        assert again["found"] and again["corners"] == first["corners"] and "counts once" in again["says"]
        small = cv2.resize(cv2.imdecode(np.frombuffer(picture(0), np.uint8), 0), (900, 720))
        seen = send(place.host, camera, bytes(cv2.imencode(".png", small)[1]))
        assert not seen["found"] and "900 x 720 pixels and the others 960 x 720" in seen["says"]
        assert again["camera"]["so_far"]["pictures"] == seen["camera"]["so_far"]["pictures"] == 1
        answer = place.host.answer("POST", f"{path}/photos", files={"photo": ("a.jpg", b"no picture")})
        assert "photo" in sentence(answer, 422)
        assert "Only 1 usable pictures" in sentence(place.host.answer("POST", f"{path}/solve"), 422)
        assert place.host.get("/api/cameras")[0]["solved"] is None
        assert {file for file in folder.rglob("*") if file.is_file()} == before
        kept = place.services.store.pictures.get(f"cameras/{camera}.json")
        assert kept is not None and len(kept) < len(picture(1)) / 10
        (row,) = json.loads(kept)["pictures"]
        assert set(row) == {"name", "size", "orientation", "ids", "pixels", "sigma", "blur", "legacy", "sha"}


class TestWhose:
    def test_strangers_and_spectators_calibrate_nothing_and_another_devices_is_left_alone(self, place: Place) -> None:
        game = place.one_hour("whose")
        blue, red, watching = (place.seated(game, role) for role in ("side blue", "side red", "spectator"))
        wish = {"id": "camera-stranger", "name": "Eve's", "board": "letter"}
        assert "no seat" in sentence(place.device().answer("POST", "/api/cameras", json=wish), 401)
        assert "Spectators" in sentence(watching.answer("POST", "/api/cameras", json=wish), 403)
        camera = begin(blue, "Ben's")
        assert camera["mine"] is True
        listed = next(one for one in red.get("/api/cameras") if one["id"] == camera["id"])
        assert listed["mine"] is False
        path = f"/api/cameras/{camera['id']}"
        answer = red.answer("POST", f"{path}/photos", files={"photo": ("a.png", picture(0))})
        assert "Another device" in sentence(answer, 403)
        assert "Another device" in sentence(red.answer("DELETE", path), 403)
        place.host.ask("DELETE", path, 204)
        assert "no such camera" in sentence(blue.answer("POST", f"{path}/solve"), 404)
        chosen = place.host.answer("PUT", f"/api/games/{game}/camera", json={"camera": camera["id"]})
        assert "no such camera" in sentence(chosen, 404)

    def test_said_twice_it_is_begun_once_and_there_are_only_so_many(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        wish = {"id": "camera-once", "name": "Anna's", "board": "a4"}
        first, again = (place.host.ask("POST", "/api/cameras", 201, json=wish) for _ in range(2))
        assert first == again and first["board"] == "7x9:1in:0.75in:DICT_5X5_100"
        for board, says in (
            ("/etc/passwd.toml", "is no calibration board"),
            ("90x90:10mm", "too fine"),
            ("7x9:1in:2in:5X5_100", "do not fit"),
        ):
            answer = place.host.answer("POST", "/api/cameras", json={"id": "camera-bad", "name": "x", "board": board})
            assert says in sentence(answer, 422)
        camera = begin(place.host)["id"]
        send(place.host, camera, picture(0))
        monkeypatch.setattr(service, "MOST_PICTURES", 1)
        answer = place.host.answer("POST", f"/api/cameras/{camera}/photos", files={"photo": ("b.png", picture(1))})
        assert "the most that are taken" in sentence(answer, 409)
        monkeypatch.setattr(service, "MOST_CAMERAS", 1)
        wish = {"id": "camera-many", "name": "One more", "board": "letter"}
        assert "delete one" in sentence(place.host.answer("POST", "/api/cameras", json=wish), 409)


class Remembering(Canned):
    """The canned program, which remembers the calibration that it read a photo with."""

    used: Mapping[str, Any] | None = None

    def read_photo(self, asked: PhotoToRead) -> Reading:
        self.used = asked.calibration
        return super().read_photo(asked)


def test_photos_are_read_with_the_camera_that_was_chosen_for_their_game(make_place: Servers) -> None:
    engine = Remembering()
    place = make_place(engine)
    game = place.one_hour()
    path, camera = f"/api/games/{game}/camera", begin(place.host)["id"]
    for n in range(4):
        send(place.host, camera, picture(n))
    assert "not solved yet" in sentence(place.host.answer("PUT", path, json={"camera": camera}), 409)
    place.host.ask("POST", f"/api/cameras/{camera}/solve")
    assert place.host.get(path) == {"camera": None, "name": None}
    chosen = place.host.ask("PUT", path, json={"camera": camera})
    assert chosen == {"camera": camera, "name": "Anna's phone"}
    place.host.ask("DELETE", f"/api/cameras/{camera}", 204)
    photographed(place.host, game)
    assert engine.used is not None and abs(engine.used["camera"]["K"][0][0] - TRUE[0]) < 5
    engine.used = None
    place.host.ask("PUT", path, json={"camera": None})
    photographed(place.host, game)
    assert engine.used is None and place.host.get(path)["camera"] is None
    watching = place.seated(game, "spectator").answer("PUT", path, json={"camera": None})
    assert "Spectators" in sentence(watching, 403)
    engine.close()


@pytest.mark.parametrize(
    ("size", "model", "says"),
    [
        *((size, model, "") for size in ((400, 300), (800, 600), (300, 400), (600, 800)) for model in ("P", None)),
        ((400, 300), "Q", "calibrated for P, and this photo is of Q"),
        ((400, 225), "P", "400 x 225, another shape"),
    ],
)
def test_photos_of_its_shape_are_read_with_it_and_of_another_phone_or_mode_without(
    size: tuple[int, int], model: str | None, says: str
) -> None:
    photo = Photo(np.zeros((size[1], size[0], 3), np.uint8), "a.jpg", "0" * 64, None, model, None, 1)
    calibration = {"name": "Anna's", "model": "P", "camera": Camera.from_parameters(TRUE, (400, 300)).to_json()}
    camera, warnings = camera_for(photo, calibration)
    if says:
        assert camera is None and says in warnings[0]
    else:
        assert camera is not None and camera.parameters == pytest.approx(TRUE) and warnings == ()
