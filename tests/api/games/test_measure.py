"""Measuring on the server: what is drawn of a unit, two things, what is shown to all, the photo's lens."""

from typing import Any

import cv2
import numpy as np
import pytest

from api.routes.measuring import lens_of
from tests.support.api_games import Place
from tests.support.api_support import sentence


@pytest.fixture
def place(shared: Place) -> Place:
    return shared


def measure(device: Any, game: str, a: dict[str, Any], b: dict[str, Any], **more: Any) -> Any:
    return device.answer("POST", f"/api/games/{game}/{'shared' if more else 'measure'}", json={"a": a, "b": b, **more})


def test_a_units_overlays_and_two_things(place: Place, game: str) -> None:
    blue, spectator = place.seated(game, "side blue"), place.seated(game, "spectator")
    drawn = blue.get(f"/api/games/{game}/units/B1/overlays")
    assert drawn["unit"] == "B1" and {ring["name"] for ring in drawn["ranges"]} == {"close", "normal"}
    assert {line["to"] for line in drawn["sights"]} and all(line["reasons"] for line in drawn["sights"])
    answer = blue.answer("GET", f"/api/games/{game}/units/Z9/overlays")
    assert "Z9" in sentence(answer, 422)
    found = measure(spectator, game, {"unit": "B1"}, {"point": [18.0, 30.0]}).json()
    (x0, y0), (x1, y1) = found["plain"]["line"]
    assert found["plain"]["value"] == pytest.approx(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, abs=1e-3)
    assert found["says"]
    for a, b in (({"unit": "Z9"}, {"unit": "B1"}), ({"point": [99, 99]}, {"unit": "B1"}), ({"unit": "B1"},) * 2):
        assert sentence(measure(place.host, game, a, b), 422)
    assert "name one of" in sentence(measure(place.host, game, {}, {"unit": "B1"}), 422)


def test_what_is_shared_all_see_once(place: Place, game: str) -> None:
    blue, red = place.seated(game, "side blue", label="Ben"), place.seated(game, "side red")
    private = measure(blue, game, {"unit": "B1"}, {"unit": "R1"}).json()
    assert red.get(f"/api/games/{game}/shared") == []
    for _ in range(2):
        assert measure(blue, game, {"unit": "B1"}, {"unit": "R1"}, id="shared-001").status_code == 201
    (shown,) = red.get(f"/api/games/{game}/shared")
    assert shown["by"] == "Ben" and shown["measurement"] == private
    table = place.services.table(game, lay=True)
    assert table.undo is None and table.seq == 2, "it is no change of the table"
    spectator = place.seated(game, "spectator")
    assert "Spectators" in sentence(measure(spectator, game, {"unit": "B1"}, {"unit": "R1"}, id="shared-2"), 403)


def test_on_hexes_it_is_drawn_where_the_board_is_drawn(place: Place) -> None:
    """Also after the grid was laid elsewhere on the game's table."""
    game = place.hexes()
    for wish in (None, {"size_in": 2.5, "origin": [7.0, 6.5], "rotation_deg": 2.0}):
        if wish is not None:
            place.host.ask("PUT", f"/api/games/{game}/overlay", json=wish)
        board = place.host.get(f"/api/games/{game}")["board"]
        (piece,) = (one for one in board["pieces"] if one["id"] == "D1")
        cell = next(one for one in board["cells"] if one["id"] == "5-5")
        found = measure(place.host, game, {"unit": "D1"}, {"cell": "5-5"}).json()
        assert found["rule"]["unit"] == "hexes" and found["sights"]
        assert found["a"]["outlines"] == [piece["outline"]]
        assert found["b"]["outlines"][0] == pytest.approx(np.array(cell["outline"]), abs=1e-3)
        drawn = place.host.get(f"/api/games/{game}/units/D1/overlays")
        assert drawn["ranges"][0]["unit"] == "hexes" and drawn["reach"][0]["cells"]
        assert all(line["points"][0] == pytest.approx(piece["center"], abs=1e-3) for line in drawn["sights"])
        corner = [board["width"] - 0.1, board["depth"] - 0.1]
        assert measure(place.host, game, {"unit": "D1"}, {"point": corner}).status_code == 200


def test_a_smaller_picture_has_its_own_lens_and_there_is_none_without_a_photo() -> None:
    """Points projected into the full picture and into one a third as wide agree, pixel centres taken as such."""
    K = [[3000.0, 0.0, 2000.0], [0.0, 3000.0, 1500.0], [0.0, 0.0, 1.0]]
    R, _ = cv2.Rodrigues(np.array([2.2, 0.2, 0.1]))
    view = {"width": 4032, "height": 3024, "K": K, "R": R.tolist()}
    view |= {"dist": [-0.1, 0.02, 0.0, 0.0, 0.0], "t": [-18.0, 10.0, 50.0]}
    lens = lens_of({"observation": {"photos": [view]}}, 1344, 1008)
    assert lens is not None
    points = np.array([[0.0, 0.0, 0.0], [36.0, 0.0, 0.0], [18.0, 18.0, 0.0]])

    def projected(k: Any) -> np.ndarray:
        pose = cv2.Rodrigues(R)[0], np.array(view["t"])
        return cv2.projectPoints(points, *pose, np.array(k), np.array(view["dist"]))[0][:, 0]

    expected = (projected(K) + 0.5) / 3 - 0.5
    assert projected(lens.K) == pytest.approx(expected, abs=1e-6)
    assert lens_of({"observation": {"photos": []}}, 10, 10) is None
