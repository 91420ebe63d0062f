"""``print``, ``calibrate`` and ``serve``: what they write and how they refuse."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration import Camera
from calibration.boards import Board
from calibration.markers import find_markers
from tabletop.cli import serving
from tabletop.tables.tablefile import parse_table
from tests.calibration.test_charuco import POSES, SIZE, TRUE, draw
from tests.paths import ROOT
from tests.support.cli_runs import refused
from tests.support.cli_runs import run_cli as run
from tests.tabletop.cli.test_cli import TABLE

CHESSBOARD = "8x6:1in"


def page(path: Path, number: int = 0, dpi: int = 200) -> np.ndarray:
    image = pypdfium2.PdfDocument(path)[number].render(scale=dpi / 72).to_numpy()
    return cv2.cvtColor(np.ascontiguousarray(image[..., :3]), cv2.COLOR_BGR2GRAY)


def test_markers_are_printed_with_what_the_table_file_needs(tmp_path: Path) -> None:
    result = run("print", "markers", "--width", 48, "--depth", 36, "--out", tmp_path / "m.pdf")
    assert result.exit_code == 0, result.output
    section = result.stdout[result.stdout.index("[frame]") :]
    table = parse_table(f"[table]\nwidth = 48\ndepth = 36\n{section}")
    assert [m.id for m in table.frame.markers] == [0, 1, 2, 3]
    sheets = range(len(pypdfium2.PdfDocument(tmp_path / "m.pdf")))
    found = [find_markers(page(tmp_path / "m.pdf", number), "DICT_APRILTAG_36h11").ids for number in sheets]
    assert set(np.concatenate(found).tolist()) == {0, 1, 2, 3}


def test_markers_of_a_table_in_centimetres(tmp_path: Path) -> None:
    wished = ("print", "markers", "--width", 120, "--depth", 90, "--unit", "cm", "--out", tmp_path / "m.pdf")
    told = run(*wished, "--size", 7.5).stdout
    assert 'with unit = "cm" in [table]' in told
    table = parse_table(f'[table]\nwidth = 120\ndepth = 90\nunit = "cm"\n{told[told.index("[frame]") :]}')
    assert table.frame.marker_size_in == pytest.approx(7.5 / 2.54) and table.frame.markers[2].center[1] < 35.5
    assert "A table of 120 cm x 90 cm is too small" in refused(*wished, "--size", 60)


def test_tokens_of_a_table_file_are_printed_with_its_tags(tmp_path: Path) -> None:
    table = tmp_path / "with-tokens.toml"
    table.write_text(TABLE.read_text() + '\n[[tokens]]\nmeans = "ready"\ntags = [90, 91]\n')
    result = run("print", "tags", "--table", table, "--paper", "a4", "--out", tmp_path / "t.pdf")
    assert result.exit_code == 0 and result.stdout.startswith("12 tags in ")
    assert {*range(10), 90, 91} <= set(find_markers(page(tmp_path / "t.pdf"), "DICT_4X4_100").ids.tolist())


def test_the_board_comes_with_its_board_file(tmp_path: Path) -> None:
    result = run("print", "board", "--out", tmp_path / "board.pdf", "--quiet")
    assert (result.exit_code, result.output) == (0, "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["board.pdf", "board.toml"]
    assert Board.read(str(tmp_path / "board.toml")) == Board.parse("letter")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["markers", "--paper", "a5"], "letter or a4"),
        (["tags", "--count", "36"], "Tag 35 does not exist in DICT_APRILTAG_25h9, which has ids 0 to 34"),
        (["tags", "--dictionary", "DICT_5X5_10"], "did you mean"),
        (["board", "--board", "8 by 11"], "is no calibration board"),
        (["tags", "--table", "nowhere.toml"], "no table file"),
        (["markers", "--out", "m.png"], "ends in .pdf"),
    ],
)
def test_a_page_that_cannot_be_is_refused(arguments: list[str], says: str, tmp_path: Path) -> None:
    kind, *options = arguments
    assert says in refused("print", kind, "--out", tmp_path / "x.pdf", *options)
    assert list(tmp_path.iterdir()) == []


def board_pictures(folder: Path, count: int) -> list[Path]:
    """Pictures of a chessboard as a known camera sees it, from all sides."""
    board, paths = Board.parse(CHESSBOARD), [folder / f"board-{n:02}.png" for n in range(count)]
    for n, (path, (R, t)) in enumerate(zip(paths, POSES, strict=False)):
        cv2.imwrite(str(path), draw(board, R, t, TRUE, SIZE, n))
    return paths


def test_calibrate_saves_a_camera_and_every_pictures_residual(tmp_path: Path) -> None:
    pictures = board_pictures(tmp_path, len(POSES))
    target = tmp_path / "camera.json"
    result = run("calibrate", *pictures, "--board", CHESSBOARD, "--json", target)
    assert result.exit_code == 0, result.output
    camera = Camera.load(target)
    assert camera.size == SIZE and camera.K[0, 0] == pytest.approx(TRUE[0], rel=0.01)
    saved = json.loads(target.read_text())
    assert [p["name"] for p in saved["pictures"]] == [p.name for p in pictures]
    assert saved["board"] == CHESSBOARD
    *used, cut_off = pictures
    for picture in used:
        assert re.search(rf"{picture.name}\s+\d+ corners\s+\d+\.\d+ px", result.stdout)
    assert re.search(rf"{cut_off.name}\s+left out: no chessboard of 8 x 6 squares", result.stdout)


def test_calibrate_refuses_what_is_no_picture_and_no_board(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_text("no picture")
    assert "is not a picture" in refused("calibrate", tmp_path / "a.jpg", "--board", CHESSBOARD)
    assert "is no calibration board" in refused("calibrate", tmp_path / "a.jpg", "--board", "big")
    assert "2 times" in refused("calibrate", tmp_path / "a.jpg", tmp_path / "a.jpg", "--board", CHESSBOARD)


@pytest.mark.parametrize("stop", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGTERM])
def test_serve_tells_its_address_answers_and_stops_whatever_its_clients_do(
    tmp_path: Path, stop: signal.Signals
) -> None:
    """Its socket listens before its address is told, so that who asks at once waits for the answer."""
    command = [sys.executable, "-u", "-m", "tabletop", "serve", "--port", "0", "--host", "127.0.0.1"]
    command += ["--data", str(tmp_path), "--table", str(TABLE), "--wifi", "Club", "--wifi-password", "eight chars"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            first = server.stdout.readline()
            link = re.search(r"(http://127\.0\.0\.1:\d+)/j\?to=/g/(demo)#([A-Za-z0-9_-]{40})", first)
            assert link, first
            root, game, token = link.groups()
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            wish = json.dumps({"token": token, "label": "Anna"}).encode()
            join = urllib.request.Request(f"{root}/api/join", wish, {"Content-Type": "application/json"})
            browser.open(join, timeout=60).close()
            with browser.open(f"{root}/api/games/{game}", timeout=60) as answer:
                begun = json.load(answer)
            assert (begun["rules"], begun["title"]) == ("measure", "demo") and len(begun["board"]["units"]) == 10
            stream = browser.open(f"{root}/api/games/{game}/stream?after={begun['seq'] - 1}", timeout=60)
            assert stream.readline()
            upload = socket.create_connection(("127.0.0.1", int(root.rpartition(":")[2])), timeout=60)
            upload.sendall(b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf")
        finally:
            server.send_signal(stop)
            told = server.stdout.read()
            assert server.wait(timeout=60) == (0 if stop == signal.SIGINT else -stop)
        assert b"event: stopping" in stream.read()
        upload.close()
    log = tmp_path / "tabletop.sqlite-wal"
    assert not log.exists() or log.stat().st_size == 0, "the one file does not hold everything"
    assert "Stopping within five seconds" in told
    assert "█" in told and "Ctrl-C" in told and str(tmp_path) in told
    assert "Wi-Fi network Club" in told and "eight chars" not in told


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        sentence = refused("serve", "--host", "127.0.0.1", "--port", port, "--data", tmp_path / "data")
    assert f"Port {port}" in sentence and "--port" in sentence
    assert not (tmp_path / "data").exists()


def test_a_wifi_password_that_no_network_has_is_refused_before_serving(tmp_path: Path) -> None:
    given = ["serve", "--port", 0, "--data", tmp_path / "d"]
    assert "8 to 63" in refused(*given, "--wifi", "Club", "--wifi-password", "short")
    assert "--wifi" in refused(*given, "--wifi-password", "eight chars")
    assert not (tmp_path / "d").exists()


def test_a_bad_table_file_is_refused_before_serving(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text("[table]\n")
    sentence = refused(
        "serve", "--host", "127.0.0.1", "--port", 0, "--data", tmp_path / "d", "--table", tmp_path / "t.toml"
    )
    assert sentence.startswith("t.toml has")


def test_every_address_is_listed_once_and_this_machine_last() -> None:
    links = serving.addresses(serving.ANY_ADDRESS, 8000)
    assert links[-1] == "http://127.0.0.1:8000" and len(links) == len(set(links))
