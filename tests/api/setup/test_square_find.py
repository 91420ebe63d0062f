"""The grid of a board found by its lines in the table's last photo: on drawn photographs that are really read."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.app import looks
from api.app.program import Program
from api.engine import FoundSquares
from api.processes import work_queue
from api.tables.store import table_of
from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from tabletop.referee.judging import expected_from, open_photo
from tabletop.tables.tablefile import parse_table
from tests.api.conftest import Servers
from tests.support.api_games import OFTEN, Place
from tests.support.api_support import PHOTO, Canned, read_job, sentence
from tests.support.square_photos import board_photo, chess_game
from vision.pipeline.one_photo import ObserveConfig
from vision.table_pose.placement import view_of

NEAR_IN = 0.1
EIGHT = SquareBoard(8, 8)


def on_chessboard(place: Place, data: bytes = PHOTO) -> str:
    game = chess_game(place.services, board_photo())
    job = read_job(place.host.answer("POST", f"/api/tables/{table_of(game)}/photos", files={"photo": ("a.jpg", data)}))
    assert job["state"] == "done"
    return game


@pytest.fixture(scope="module")
def place(servers: Servers) -> Iterator[Place]:
    """A server with a game on a chessboard, whose photo it has read."""
    made = servers(Program(), **OFTEN)
    on_chessboard(made, board_photo().data)
    yield made
    made.services.engine.close()


def looked(place: Place, game: str = "chess") -> Any:
    """What is found in the game's photo."""
    return place.host.ask("POST", f"/api/games/{game}/overlay/found")


class TestFound:
    def test_where_the_board_truly_is_looked_for_once_as_long_as_the_photo_stays(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        last = place.services.event_store.last(table_of("chess"))
        found, truth = looked(place), board_photo().layout
        layout = SquareLayout(found["size_in"], tuple(found["origin"]), found["rotation_deg"])
        apart = layout.centres(EIGHT.squares) - truth.centres(EIGHT.squares)
        assert np.linalg.norm(apart, axis=1).max() < NEAR_IN
        assert found["kind"] == "chessboard" and found["doubt"] == "" and 0.9 < found["seen"] <= 1
        assert 0 < found["sigma_in"] < 0.05 and len(found["cells"]) == 64
        assert found["says"] == (
            f"Found: a chessboard of 8 x 8 squares of {truth.size_in:.2f} inches, each known to within "
            f"{2 * found['sigma_in']:.2f} inches."
        )
        assert place.services.event_store.last(table_of("chess")) == last, "it is reported and not laid"

        assert [way["corner"] for way in found["ways"]] == ["near-left", "far-left", "far-right", "near-right"]
        assert found["way"] == 0 and found["ways"][0]["origin"] == found["origin"]
        mine = {tuple(np.round(at, 3)) for at in np.array([way["origin"] for way in found["ways"]])}
        ends = [EIGHT.parse(name) for name in ("a1", "a8", "h8", "h1")]
        for at, true in zip(sorted(mine), sorted(map(tuple, truth.centres(ends).tolist())), strict=True):
            assert np.hypot(*np.subtract(at, true)) < NEAR_IN, "every corner may have the first square"

        monkeypatch.setattr(work_queue, "pickle", None)  # nothing is asked of a process again
        assert looked(place) == found
        turned = found["ways"][2]
        wish = {"size_in": found["size_in"], "origin": turned["origin"], "rotation_deg": turned["rotation_deg"] + 4}
        place.host.ask("PUT", "/api/games/chess/overlay", json=wish)
        told = looked(place)
        assert told["way"] == 2 and told["rotation_deg"] == pytest.approx(turned["rotation_deg"]), "as it lay before"
        kept = {"size_in": found["size_in"], "origin": turned["origin"], "rotation_deg": turned["rotation_deg"]}
        place.host.ask("PUT", "/api/games/chess/overlay", json=kept)
        cells = {cell["id"]: cell["center"] for cell in place.host.get("/api/games/chess")["board"]["cells"]}
        at = truth.centres([EIGHT.parse("h8")])[0]
        assert np.hypot(*(np.array(cells["a1"]) - at)) < NEAR_IN, "a1 lies in the far right corner now"

    @pytest.mark.parametrize(
        ("seen", "sigma_in", "doubt"),
        [
            (0.8, 0.02, ""),
            (0.64, 0.02, "Only 64% of its lines were seen: check that the drawn ones match."),
            (0.9, 0.2, "Its place is not known well: check that the drawn lines match the board's."),
        ],
    )
    def test_doubts_are_told(self, place: Place, make_place: Servers, seen: float, sigma_in: float, doubt: str) -> None:
        read = place.services.table("chess").photo
        assert read is not None
        canned = Canned()
        canned.seen = read["observation"]
        canned.looks = replace(canned.looks, find_squares=partial(finds, seen, sigma_in))
        doubtful = make_place(canned)
        told = looked(doubtful, on_chessboard(doubtful))
        assert told["doubt"] == doubt and told["says"].endswith(f"each known to within {2 * sigma_in:.2f} inches.")


def finds(seen: float, sigma_in: float, *_: object) -> bytes:
    """Finds every board in the same place, so surely."""
    return json.dumps(asdict(FoundSquares(2.0, (6.0, 6.0), 0.0, False, "lines", sigma_in, 0.01, seen))).encode()


class TestRefused:
    def test_players_boards_without_such_lines_and_tables_without_a_photo(self, place: Place) -> None:
        unseen = chess_game(place.services, board_photo(), "unseen")
        for device, game, status, why in (
            (place.seated("chess", "side red"), "chess", 403, "Only the host"),
            (place.host, place.hexes(), 409, "Hex boards can't be found by their lines: lay the grid by two taps."),
            (place.host, place.one_hour(), 409, "played in inches"),
            (place.host, unseen, 404, "This table has no photo yet: take one first, or lay the grid by hand."),
        ):
            assert why in sentence(device.answer("POST", f"/api/games/{game}/overlay/found"), status)

    def test_no_board_there_and_no_camera(self, place: Place, make_place: Servers) -> None:
        read, canned = place.services.table("chess").photo, Canned()  # whose pictures are plain
        bare = make_place(canned)
        path = f"/api/games/{on_chessboard(bare)}/overlay/found"
        said = sentence(bare.host.answer("POST", path), 422)
        assert said.endswith("photograph it again, or lay the grid by two taps."), "where the camera stood is not known"
        assert read is not None
        canned.seen = read["observation"]
        bare.host.answer("POST", f"/api/tables/{table_of('chess')}/photos", files={"photo": ("b.jpg", PHOTO + b"2")})
        said = sentence(bare.host.answer("POST", path), 422)
        assert said.startswith("No board of 8 x 8 squares was found: ")
        assert said.endswith(". Lay it by two taps, or photograph the whole board again from higher up.")


@pytest.mark.slow
def test_a_board_that_lies_across_the_table_is_found_too(tmp_path: Path) -> None:
    photo, path = board_photo(302, "chessboard", 6, 9), tmp_path / "a.jpg"
    path.write_bytes(photo.data)
    table, picture = parse_table(photo.table), open_photo(path)
    view = view_of(picture, expected_from(table), None, ObserveConfig())
    camera = view.camera
    row = {"K": camera.K.tolist(), "dist": camera.dist.tolist(), "R": view.R.tolist(), "t": view.t.tolist()}
    row |= {"width": camera.size[0], "height": camera.size[1]}
    found = FoundSquares(**json.loads(looks.find_squares(photo.data, row, (table.width_in, table.depth_in), (9, 6))))
    assert found.across
    assert np.hypot(*np.subtract(found.origin, photo.layout.origin)) < NEAR_IN
    assert abs(found.rotation_deg - photo.layout.rotation_deg) < 0.5
