"""``tabletop overlay``: what it says, writes and draws, and how it refuses."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.cli_runs import Ran, run_cli
from tests.support.picture_scenes import view_over
from tests.tabletop.grids.test_overlay_units import LAID, box, doubtful, place, table
from vision.drawing.hex_drawing import (
    FireLine,
    ForwardArc,
    HexCell,
    HexDrawing,
    HexUnit,
    drape_marks,
    overlay_marks,
)
from vision.model.expected import ExpectedTerrain

OVERLAY = '[overlay]\ngrid = "hex"\nsize = 3.2\norigin = [8.4, 6.914875]\n'
TABLE = '[table]\nwidth = 36.0\ndepth = 36.0\nrules = "combined-arms"\n'
VIEW = view_over()


def run(*words: str | Path) -> Ran:
    return run_cli("overlay", *words)


def photo_of(seen: dict[str, Any]) -> dict[str, Any]:
    camera = VIEW.camera
    photo = {
        "file": "a.png", "width": camera.size[0], "height": camera.size[1], "K": camera.K.tolist(),
        "dist": camera.dist.tolist(), "R": VIEW.R.tolist(), "t": VIEW.t.tolist(), "rms_px": 0.2, "markers_seen": [],
    }  # fmt: skip
    return {**seen, "photos": [photo]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.toml").write_text(TABLE + OVERLAY)
    (tmp_path / "plain.toml").write_text(TABLE)
    (tmp_path / "o.json").write_text(json.dumps(photo_of(table())))
    (tmp_path / "doubt.json").write_text(json.dumps(photo_of(doubtful())))
    width, height = VIEW.camera.size
    cv2.imwrite(str(tmp_path / "a.png"), np.full((height, width, 3), 120, np.uint8))
    return tmp_path


def test_a_position_in_text_and_json(folder: Path) -> None:
    done = run(folder / "o.json", "--table", folder / "t.toml", "--json", folder / "p.json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "hexes of 3.20″, hex 1-1 at (8.40, 6.91)" in done.stdout
    assert "A1 (armour) in 3-4, facing corner 1 (upper right, +10 degrees)." in done.stdout
    assert "E2 (rifle) in 2-3, spent." in done.stdout and "Nothing is left open." in done.stdout
    position = json.loads((folder / "p.json").read_text())
    assert position["board"] == {"4-4": "crest", "6-4": "woods"} and position["overlay"]["uncertain"] == []
    told = run(folder / "o.json", "--table", folder / "t.toml", "--json", "-")
    assert json.loads(told.stdout) == position


def test_answers_are_kept_from_one_call_to_the_next(folder: Path) -> None:
    command = (folder / "doubt.json", "--table", folder / "t.toml")
    first = run(*command, "--answer", "6-4=woods", "--answer", "A1=3-5")
    assert "Nothing was written: add --json FILE" in first.stdout and "6-4  Hex" not in first.stdout
    assert run(*command, "--answer", "6-4=woods", "--answer", "A1=3-5", "--json", folder / "p.json").exit_code == 0
    again = run(*command, "--previous", folder / "p.json", "--answer", "A2 facing=3", "--json", folder / "p.json")
    assert again.exit_code == 0, again.stderr
    settled = json.loads((folder / "p.json").read_text())["overlay"]["settled"]
    assert [(one["id"], one["value"]) for one in settled] == [("6-4", "woods"), ("A1", "3-5"), ("A2 facing", 3)]


def test_the_grid_from_taps_in_inches_and_in_pixels(folder: Path) -> None:
    (x, y), (u, v) = place("1-1"), place("9-7")
    done = run(folder / "o.json", "--table", folder / "plain.toml", "--json", folder / "p.json",
               "--tap-hex", f"1-1@{x},{y} 9-7@{u},{v}")  # fmt: skip
    assert done.exit_code == 0 and "2 tapped hexes" in done.stdout and "one sigma" in done.stdout
    inches = json.loads((folder / "p.json").read_text())
    assert inches["overlay"]["layout"]["size"] == pytest.approx(3.2, abs=1e-4)
    pixels = VIEW.pixel_from_table(np.array([[x, y, 0.0], [u, v, 0.0]]))
    done = run(folder / "o.json", "--table", folder / "plain.toml", "--json", folder / "q.json",
               *(part for name, (px, py) in zip(("1-1", "9-7"), pixels, strict=True)
                 for part in ("--tap-hex", f"{name}@{px:.3f},{py:.3f}px")))  # fmt: skip
    assert done.exit_code == 0, done.stderr
    tapped = json.loads((folder / "q.json").read_text())
    assert tapped["board"] == inches["board"]
    assert tapped["overlay"]["layout"]["origin"] == pytest.approx(inches["overlay"]["layout"]["origin"], abs=0.01)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["o.json", "--table", "plain.toml"], r"plain.toml has no [overlay]: add one (grid = \"hex\", size = 3.2"),
        (["o.json", "--table", "plain.toml", "--fit"], "tap two hexes instead (--tap-hex)"),
        (["o.json", "--table", "t.toml", "--fit", "--tap-hex", "1-1@3,3"], "give one of the two"),
        (["o.json", "--table", "t.toml", "--tap-hex", "1-1@3,3"], "tap two different ones"),
        (["o.json", "--table", "t.toml", "--tap-hex", "1-1@3,3 9-7@60,60"], "does not lie on the 36 x 36 table"),
        (["o.json", "--table", "t.toml", "--tap-hex", "1-1@3,-9000px 9-7@60,60"], "the table is not seen there"),
        (["o.json", "--table", "t.toml", "--answer", "4-3"], "write it as QUESTION=VALUE"),
        (["o.json", "--table", "t.toml", "--answer", "4-3=woods", "--answer", "4-3=farm"], "answered twice"),
        (["o.json", "--table", "t.toml", "--picture", "x.gif"], "ends in .png, .jpg or .svg"),
        (["o.json", "--table", "t.toml", "--previous", "o.json"], "is no reading of a hex overlay"),
        (["none.json", "--table", "t.toml"], "There is no file"),
        (["other.json", "--table", "t.toml"], "shows a table of 48 x 36"),
        (["lost.json", "--table", "t.toml", "--picture", "x.png"], "needs the photo gone.png beside lost.json"),
        (["list.json", "--table", "t.toml"], "is not an observation"),
    ],
)
def test_refusals_are_one_sentence_and_nothing_is_written(folder: Path, words: list[str], said: str) -> None:
    other = json.loads((folder / "o.json").read_text())
    (folder / "other.json").write_text(json.dumps({**other, "table": {"width": 48.0, "depth": 36.0}}))
    lost = {**other, "photos": [{**other["photos"][0], "file": "gone.png"}]}
    (folder / "lost.json").write_text(json.dumps(lost))
    (folder / "list.json").write_text("[]")
    before = sorted(folder.iterdir())
    files = [str(folder / w) if w.endswith((".json", ".toml", ".png", ".gif")) else w for w in words]
    done = run(*files, "--json", folder / "out.json")
    assert done.exit_code == 2 and said.replace("\\", "") in done.stderr.replace("\n", " "), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1 and sorted(folder.iterdir()) == before


def test_pictures_over_the_photo_and_as_a_plain_map(folder: Path) -> None:
    for name in ("x.png", "x.jpg", "x.svg"):
        done = run(folder / "o.json", "--table", folder / "t.toml", "--picture", folder / name, "--quiet")
        assert (done.exit_code, done.stdout) == (0, ""), done.stderr
    drawn = cv2.imread(str(folder / "x.png"))
    assert drawn.shape[1::-1] == VIEW.camera.size
    side = (np.array(place("4-3")) + np.array(place("4-4"))) / 2  # the middle of the side between two open hexes
    u, v = np.round(VIEW.pixel_from_table(np.array([[*side, 0.0]]))[0]).astype(int)
    assert drawn[v - 1 : v + 2, u - 1 : u + 2].mean() != pytest.approx(120, abs=5)
    root = ET.fromstring((folder / "x.svg").read_text())
    titles = {element.text for element in root.iter("{http://www.w3.org/2000/svg}title")}
    assert {"hex 4-3", "hex 9-7"} <= titles


def cell(name: str, **more: Any) -> HexCell:
    from tabletop.rulesets.combined_arms.board import HEXES, NUMBER

    return HexCell(name, LAID.layout.corners([HEXES[NUMBER[name]]])[0], **more)


def test_nothing_is_told_by_colour_alone() -> None:
    drawing = HexDrawing(
        (cell("4-3", word="woods"), cell("4-4", uncertain=True, others="woods/open"), cell("4-5", road=True)),
        (
            FireLine((5, 5), (9, 9), "clear"),
            FireLine((5, 5), (9, 5), "partial"),
            FireLine((5, 5), (5, 9), "blocked", (5, 7)),
        ),
        (ForwardArc((9, 9), 60.0, 4.0, "A1 +5°"),),
        (HexUnit("A1", (9, 9)), HexUnit("D3", (12, 12), doubtful=True)),
    )
    marks = overlay_marks(drawing)
    words = {label.text for label in marks.labels}
    assert {"4-3", "woods", "4-4 ?", "woods/open", "road", "-1", "A1 +5°", "A1", "D3 ?"} <= words
    lines = [path for path in marks.paths if path.layer == "lines of fire"]
    assert sorted(path.style.dashed for path in lines) == [False, False, False, False, True]
    assert sum(path.layer == "uncertain" and path.style.dashed for path in marks.paths) == 1


def test_marks_on_a_hill_are_drawn_where_its_surface_is_seen() -> None:
    ring = tuple((float(x), float(y)) for x, y in box("hill", "4-4", 6.0)["polygon"])
    hill = ExpectedTerrain("h", "hill", ring, 2.0, tuple((x * 0.999 + 0.01, y * 0.999 + 0.01) for x, y in ring))
    drawing = HexDrawing((cell("4-4"), cell("8-1")), terrain=(hill,))
    eye = VIEW.eye
    flat = overlay_marks(drawing)
    raised = drape_marks(flat, drawing.terrain, eye)
    outline = next(path for path in raised.paths if path.title == "hex 4-4")
    corner = drawing.cells[0].corners[0]
    wanted = VIEW.pixel_from_table(np.array([[*corner, 2.0]]))[0]
    drawn = VIEW.pixel_from_table(np.column_stack([outline.points, np.zeros(len(outline.points))]))
    assert np.linalg.norm(drawn - wanted, axis=1).min() < 0.5
    off_hill = next(path for path in raised.paths if path.title == "hex 8-1")
    assert np.allclose(off_hill.points[0], drawing.cells[1].corners[0])
    assert drape_marks(flat, (), eye) is flat
