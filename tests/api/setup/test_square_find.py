"""The grid of a board found by its lines in the table's last photo: on drawn photographs that are really read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.app.program import Program
from api.engine import FoundSquares
from api.errors import BusyError, UnusableError
from api.processes.sandbox import Bounds, Sandbox
from api.services.services import table_of
from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from tabletop.referee.judging import expected_from, open_photo
from tabletop.tables.tablefile import parse_table
from tests.support import apart_jobs
from tests.support.api_games import Place
from tests.support.api_support import PHOTO, Canned, read_job, sentence
from tests.support.square_photos import BoardPhoto, board_photo, chess_game
from vision.pipeline.one_photo import ObserveConfig
from vision.table_pose.placement import view_of

NEAR_IN = 0.1
EIGHT = SquareBoard(8, 8)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A server with a game on a chessboard, whose photo it has read."""
    made = Place(tmp_path_factory.mktemp("found"), Program())
    photo = board_photo()
    path = f"/api/tables/{table_of(chess_game(made.services, photo))}/photos"
    assert read_job(made.host.answer("POST", path, files={"photo": ("a.jpg", photo.data)}))["state"] == "done"
    yield made
    made.services.engine.close()
    made.services.event_store.close()


def looked(place: Place, game: str = "chess") -> Any:
    """What is found in the game's photo."""
    return place.host.ask("POST", f"/api/games/{game}/overlay/found")


def farthest_in(a: SquareLayout, b: SquareLayout) -> float:
    """How far, at most, the same square lies apart."""
    return float(np.linalg.norm(a.centres(EIGHT.squares) - b.centres(EIGHT.squares), axis=1).max())


def lies(told: Any) -> SquareLayout:
    """The layout of an answer."""
    return SquareLayout(told["size_in"], tuple(told["origin"]), told["rotation_deg"])


class TestFound:
    @pytest.mark.slow
    def test_where_the_board_truly_lies(self, place: Place) -> None:
        last = place.services.event_store.last(table_of("chess"))
        found = looked(place)
        truth = board_photo().layout
        assert farthest_in(lies(found), truth) < NEAR_IN
        assert found["kind"] == "chessboard" and found["doubt"] == "" and 0.9 < found["seen"] <= 1
        assert 0 < found["sigma_in"] < 0.05 and len(found["cells"]) == 64
        assert found["says"] == (
            f"Found: a chessboard of 8 x 8 squares of {truth.size_in:.2f} inches, each known to within "
            f"{2 * found['sigma_in']:.2f} inches."
        )
        assert place.services.event_store.last(table_of("chess")) == last, "it is told and not laid"

    def test_every_corner_may_have_the_first_square(self, place: Place) -> None:
        found = looked(place)
        assert [way["corner"] for way in found["ways"]] == ["near-left", "far-left", "far-right", "near-right"]
        assert found["way"] == 0 and found["ways"][0]["origin"] == found["origin"]
        truth = board_photo().layout
        mine = {tuple(np.round(at, 3)) for at in np.array([way["origin"] for way in found["ways"]])}
        ends = [EIGHT.parse(name) for name in ("a1", "a8", "h8", "h1")]
        for at, true in zip(sorted(mine), sorted(map(tuple, truth.centres(ends).tolist())), strict=True):
            assert np.hypot(*np.subtract(at, true)) < NEAR_IN

    def test_it_is_looked_for_once_as_long_as_the_photo_stays(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = looked(place)

        def again(*_: object) -> None:
            raise AssertionError("looked for again")

        monkeypatch.setattr(place.services.engine, "find_squares", again)
        assert looked(place) == before

    def test_it_lies_as_the_grid_lay_before(self, place: Place) -> None:
        found = looked(place)
        turned = found["ways"][2]
        wish = {"size_in": found["size_in"], "origin": turned["origin"], "rotation_deg": turned["rotation_deg"] + 4}
        place.host.ask("PUT", "/api/games/chess/overlay", json=wish)
        again = looked(place)
        assert again["way"] == 2 and again["rotation_deg"] == pytest.approx(turned["rotation_deg"])
        kept = {"size_in": found["size_in"], "origin": turned["origin"], "rotation_deg": turned["rotation_deg"]}
        place.host.ask("PUT", "/api/games/chess/overlay", json=kept)
        cells = {cell["id"]: cell["center"] for cell in place.host.get("/api/games/chess")["board"]["cells"]}
        at = board_photo().layout.centres([EIGHT.parse("h8")])[0]
        assert np.hypot(*(np.array(cells["a1"]) - at)) < NEAR_IN, "a1 lies in the far right corner now"

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("seen", "sigma_in", "doubt"),
        [
            (0.8, 0.02, ""),
            (0.64, 0.02, "Only 64% of its lines were seen: look whether the drawn ones lie on them."),
            (0.9, 0.2, "Its place is not known well: look whether the drawn lines lie on the board's."),
        ],
    )
    def test_doubts_are_told(self, place: Place, tmp_path: Path, seen: float, sigma_in: float, doubt: str) -> None:
        read = place.services.table("chess").photo
        assert read is not None
        doubtful = Place(tmp_path, Doubtful(seen, sigma_in))
        doubtful.services.engine.seen = read["observation"]  # type: ignore[attr-defined]
        game = chess_game(doubtful.services, board_photo())
        path = f"/api/tables/{table_of(game)}/photos"
        read_job(doubtful.host.answer("POST", path, files={"photo": ("a.jpg", PHOTO)}))
        told = looked(doubtful, game)
        assert told["doubt"] == doubt and told["says"].endswith(f"each known to within {2 * sigma_in:.2f} inches.")
        doubtful.services.event_store.close()


class Doubtful(Canned):
    """Finds every board in the same place, so surely."""

    def __init__(self, seen: float, sigma_in: float) -> None:
        super().__init__()
        self.found = FoundSquares(2.0, (6.0, 6.0), 0.0, False, "lines", sigma_in, 0.01, seen)

    def find_squares(self, *_: object) -> FoundSquares:
        """The board."""
        return self.found


class TestRefused:
    def test_only_the_host_lays_the_grid(self, place: Place) -> None:
        player = place.seated("chess", "side red")
        assert "Only the host" in sentence(player.answer("POST", "/api/games/chess/overlay/found"), 403)

    def test_boards_that_have_no_such_lines(self, place: Place) -> None:
        game = place.hexes()
        said = sentence(place.host.answer("POST", f"/api/games/{game}/overlay/found"), 409)
        assert said == "Boards of hexes are not found by their lines: lay the grid by two taps."
        game = place.one_hour()
        said = sentence(place.host.answer("POST", f"/api/games/{game}/overlay/found"), 409)
        assert "played in inches" in said

    def test_without_a_photo(self, place: Place) -> None:
        game = chess_game(place.services, board_photo(), "unseen")
        said = sentence(place.host.answer("POST", f"/api/games/{game}/overlay/found"), 404)
        assert said == "No photo of this table was taken yet: take one first, or lay the grid by hand."

    @pytest.mark.slow
    def test_a_photo_that_does_not_tell_where_its_camera_stood(self, tmp_path: Path) -> None:
        place = Place(tmp_path)
        game = chess_game(place.services, board_photo())
        path = f"/api/tables/{table_of(game)}/photos"
        read_job(place.host.answer("POST", path, files={"photo": ("a.jpg", PHOTO)}))
        said = sentence(place.host.answer("POST", f"/api/games/{game}/overlay/found"), 422)
        assert said.endswith("photograph it again, or lay the grid by two taps.")
        place.services.event_store.close()

    @pytest.mark.slow
    def test_no_board_there(self, place: Place, tmp_path: Path) -> None:
        read, canned = place.services.table("chess").photo, Canned()  # whose pictures are plain
        assert read is not None
        canned.seen = read["observation"]
        bare = Place(tmp_path, canned)
        game = chess_game(bare.services, board_photo())
        path = f"/api/tables/{table_of(game)}/photos"
        read_job(bare.host.answer("POST", path, files={"photo": ("a.jpg", PHOTO)}))
        said = sentence(bare.host.answer("POST", f"/api/games/{game}/overlay/found"), 422)
        assert said.startswith("No board of 8 x 8 squares was found: ")
        assert said.endswith(". Lay it by two taps, or photograph the whole board again from higher up.")
        bare.services.event_store.close()


# --- the engine itself -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def oblong(tmp_path_factory: pytest.TempPathFactory) -> tuple[BoardPhoto, dict[str, Any], tuple[float, float]]:
    """A photo of a board of 6 x 9 squares, its row of an observation, and its table."""
    photo = board_photo(302, "chessboard", 6, 9)
    path = tmp_path_factory.mktemp("oblong") / "a.jpg"
    path.write_bytes(photo.data)
    table, picture = parse_table(photo.table), open_photo(path)
    view = view_of(picture, expected_from(table), None, ObserveConfig())
    camera = view.camera
    row = {
        "K": camera.K.tolist(),
        "dist": camera.dist.tolist(),
        "R": view.R.tolist(),
        "t": view.t.tolist(),
        "width": camera.size[0],
        "height": camera.size[1],
    }
    return photo, row, (table.width_in, table.depth_in)


Oblong = tuple[BoardPhoto, dict[str, Any], tuple[float, float]]


@pytest.mark.slow
def test_a_board_that_lies_across_the_table_is_found_too(oblong: Oblong) -> None:
    photo, view, table = oblong
    found = Program().find_squares(photo.data, view, table, (9, 6))
    assert found.across
    assert np.hypot(*np.subtract(found.origin, photo.layout.origin)) < NEAR_IN
    assert abs(found.rotation_deg - photo.layout.rotation_deg) < 0.5


@pytest.mark.slow
def test_another_board_is_refused(oblong: Oblong) -> None:
    photo, view, table = oblong
    with pytest.raises(UnusableError) as refused:
        Program().find_squares(photo.data, view, table, (8, 8))
    said = str(refused.value.detail)
    assert said.startswith("No board of 8 x 8 squares was found: ")
    assert said.endswith(". Lay it by two taps, or photograph the whole board again from higher up.")


class Hurried(Program):
    """Looks for boards with bounds that it does not keep."""

    def __init__(self, job: Any, bounds: Bounds) -> None:
        self.finder = Sandbox(job, bounds)
        self.bounds = bounds


@pytest.mark.parametrize(
    ("job", "bounds", "error", "says"),
    [
        (
            apart_jobs.waits,
            Bounds(wall_s=0.5),
            UnusableError,
            "In 0.5 seconds no board was found in the photo. Lay it",
        ),
        (
            apart_jobs.grows,
            Bounds(memory_bytes=1_000_000_000),
            UnusableError,
            "more than the 1000 MB of memory that are given: lay",
        ),
        (
            apart_jobs.dies,
            Bounds(),
            BusyError,
            "This machine ended the search for the board: try again in some seconds",
        ),
        (
            apart_jobs.waits,
            Bounds(at_once=0),
            BusyError,
            "Other boards are being looked for: try again in some seconds",
        ),
    ],
)
def test_a_search_that_does_not_end(
    oblong: Oblong, job: Any, bounds: Bounds, error: type[UnusableError | BusyError], says: str
) -> None:
    photo, view, table = oblong
    with pytest.raises(error) as refused:
        Hurried(job, bounds).find_squares(photo.data, view, table, (6, 9))
    assert says in str(refused.value.detail)
