"""``tabletop overlay`` on boards of squares: by table file, taps and lines; answers, pictures, refusals."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.cli_runs import Ran, run_cli
from tests.tabletop.grids.test_squared_overlay import base, photo, piece, rect
from tests.vision.grids.test_board_plane import camera, field, off, photographed
from tests.vision.grids.test_detection import CHESS, SMALL_MAP, TURNED, painted

TABLE = '[table]\nwidth = 24.0\ndepth = 24.0\nrules = "combat"\n'
OVERLAY = '[overlay]\ngrid = "square"\nsize = 2.0\norigin = [5.0, 5.0]\n'
SEEN = photo(base("R1", "c3"), base("R3", "d4", 0.9), terrain=(piece("woods", rect(4.0, 4.0, 9.05, 6.0), 0.3),))


def run(*words: str | Path) -> Ran:
    return run_cli("overlay", *words)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.toml").write_text(TABLE + OVERLAY)
    (tmp_path / "plain.toml").write_text(TABLE)
    (tmp_path / "hex.toml").write_text('[table]\nwidth = 24.0\ndepth = 24.0\nrules = "combined-arms"\n')
    (tmp_path / "free.toml").write_text("[table]\nwidth = 24.0\ndepth = 24.0\n" + OVERLAY)
    (tmp_path / "o.json").write_text(json.dumps(SEEN))
    return tmp_path


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_a_board_that_the_table_file_lays(folder: Path) -> None:
    done = run(folder / "o.json", "--table", folder / "t.toml", "--board", "8x8", "--json", folder / "p.json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "The board by the table file: 8 x 8 squares of 2.00″, a1 at (5.00, 5.00), turned 0.0 degrees." in done.stdout
    assert "R1 in c3." in done.stdout
    assert "Square c1: open or woods?" in done.stdout or "Square c1: woods or open?" in done.stdout
    told = read(folder / "p.json")
    assert told["rules"] == "combat"
    assert {unit["id"]: unit["square"] for unit in told["units"]} == {"R1": "c3", "R3": "d4"}
    assert told["overlay"]["uncertain"] == ["c1"]
    assert run(folder / "o.json", "--table", folder / "t.toml", "--board", "8x8", "--json", "-").stdout.startswith("{")


def test_tapped_squares_lay_the_board(folder: Path) -> None:
    words = folder / "o.json", "--table", folder / "plain.toml", "--board", "8x8"
    done = run(*words, "--tap", "a1@5,5 h8@19,19", "--json", folder / "p.json", "--picture", folder / "p.svg")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "The board by 2 tapped squares" in done.stdout
    layout = read(folder / "p.json")["overlay"]["layout"]
    assert (layout["size"], layout["origin"]) == (2.0, [5.0, 5.0])
    assert layout["sigma"] > 0.05
    drawn = ET.parse(folder / "p.svg").getroot()
    titles = {element.text for element in drawn.iter() if element.tag.endswith("title")}
    assert {"square a1", "square h8"} <= titles
    assert not any(title and title.startswith("hex ") for title in titles)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--board", "8x8", "--tap", "j1@5,5", "--tap", "a1@7,5"), 'There is no square "j1"'),
        (("--board", "40x8"), "--board 40x8: A board of squares has 1 to 26 columns"),
        (("--board", "8"), "write columns and rows, as in --board 8x8"),
        (("--board", "8x8", "--tap", "a1@5,5", "--tap", "h8@19,19", "--find"), "--tap and --find both lay the grid"),
        (("--board", "8x8", "--fit"), "laid by its lines: --find"),
        (("--board", "8x8"), "does not say where the board lies"),
        (("--board", "8x8", "--tap", "a1@15,5", "--tap", "h8@29,19"), "does not lie on the 24 x 24 table"),
    ],
)
def test_what_can_t_be_is_refused_in_one_sentence(folder: Path, words: tuple[str, ...], told: str) -> None:
    done = run(folder / "o.json", "--table", folder / "plain.toml", *words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert list(folder.glob("*.svg")) == []


def test_answers_are_kept_with_the_file(folder: Path) -> None:
    words = folder / "o.json", "--table", folder / "t.toml", "--board", "8x8"
    first = run(*words, "--answer", "c1=woods", "--answer", "R3=e4", "--json", folder / "p.json")
    assert "Nothing is left open." in first.stdout
    again = run(*words, "--previous", folder / "p.json", "--json", folder / "q.json")
    assert "Nothing is left open." in again.stdout
    assert read(folder / "q.json")["ground"] == {"a1": "woods", "b1": "woods", "c1": "woods"}
    moved = run(*words[:1], "--table", folder / "plain.toml", "--board", "8x8", "--previous", folder / "p.json",
                "--tap", "a1@7,5", "--tap", "h8@21,19")  # fmt: skip
    assert "The grid has moved: 2 earlier answers no longer count." in moved.stdout


def test_a_photo_without_a_frame_is_placed_by_the_lines_of_the_board(folder: Path) -> None:
    plane = camera(SMALL_MAP, 35.0, 5.0, 0.8)
    picture = photographed(painted(SMALL_MAP, TURNED, CHESS, "chessboard"), plane)
    cv2.imwrite(str(folder / "board.png"), picture)
    (folder / "board.toml").write_text("[table]\nwidth = 16.0\ndepth = 16.0\n")
    how = (folder / "board.png", "--table", folder / "board.toml", "--board", "8x8", "--json", folder / "p.json")
    done = run(*how, "--picture", folder / "over.png")
    assert done.exit_code == 0, done.output
    assert "The board by its lines in the photo: 8 x 8 squares of 2.00″, a1 at (1.00, 1.00)" in done.stdout
    corners = np.array(read(folder / "p.json")["field_corners_px"])
    assert off(corners, field(TURNED, CHESS, SMALL_MAP, plane), CHESS) < 0.1
    drawn = cv2.imread(str(folder / "over.png"))
    assert drawn is not None and np.abs(drawn.astype(int) - cv2.resize(picture, drawn.shape[1::-1])).max() > 100
    # the same table by its corners, as a player names them
    named = " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)
    again = run(*how, "--corners", named)
    assert again.exit_code == 0, again.output
    assert off(np.array(read(folder / "p.json")["field_corners_px"]), corners, CHESS) < 0.1
