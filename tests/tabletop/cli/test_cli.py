"""The command line: what it says, what it writes, and how it refuses."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from tabletop.cli.app import app
from tests.paths import ROOT
from tests.support.cli_runs import Ran, refused
from tests.support.cli_runs import run_cli as run

DEMO = ROOT / "tabletop" / "data" / "demo"
PHOTO, TABLE = DEMO / "demo.jpg", DEMO / "demo.table.toml"

SCENE = {
    "version": 1,
    "rules": "one-hour-ww2",
    "table": {"width": 36, "depth": 36},
    "terrain": [],
    "units": [
        {
            "id": name,
            "side": side,
            "kind": "tank",
            "bases": [
                {"shape": "rect", "width": 1.75, "depth": 2.5, "center": [18, y], "facing": facing, "unique": True}
            ],
        }
        for name, side, y, facing in (("A1", "blue", 6, 0), ("B1", "red", 16, 180))
    ],
}


def table_picture(ids: tuple[int, ...]) -> bytes:
    """A plain picture from straight above of a 36″ table, 30 pixels to the inch, with some of its frame markers."""
    image = np.full((36 * 30, 36 * 30), 150, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for marker, (x, y) in enumerate(((1.5, 1.5), (34.5, 1.5), (34.5, 34.5), (1.5, 34.5))):
        if marker in ids:
            left, top = round((x - 1.5) * 30), round((34.5 - y) * 30)
            image[top : top + 90, left : left + 90] = 255
            image[top + 10 : top + 80, left + 10 : left + 80] = cv2.aruco.generateImageMarker(dictionary, marker, 70)
    return cv2.imencode(".jpg", cv2.copyMakeBorder(image, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=150))[1].tobytes()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (PHOTO.read_bytes()[:100_000], ["cut short"]),
        (table_picture((0, 3)), ["2 of 4 frame markers", "ids 0, 3", "1 and 2"]),
    ],
    ids=["truncated", "two markers"],
)
def test_a_bad_photo_is_refused_and_nothing_is_written(content: bytes, words: list[str], tmp_path: Path) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(content)
    sentence = refused("referee", photo, "--table", TABLE, "--out", tmp_path / "out")
    assert all(word in sentence for word in words) and sentence.endswith(".") and "\n" not in sentence
    wished = ("--json", tmp_path / "o.json", "--picture", tmp_path / "o.png")
    assert refused("observe", photo, "--table", TABLE, *wished) == sentence
    assert list(tmp_path.iterdir()) == [photo]


def test_a_bad_table_file_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    text = TABLE.read_text()
    table = tmp_path / "club.toml"
    table.write_text(text.replace("bases = 3", "base_count = 3", 1))
    sentence = refused("referee", PHOTO, "--table", table, "--out", tmp_path / "out")
    line = text[: text.index("bases = 3")].count("\n") + 1
    assert sentence.startswith("club.toml") and 'unknown key "base_count"' in sentence and f"line {line}" in sentence
    refused("observe", PHOTO, "--table", table, "--json", tmp_path / "o.json")
    assert [path.name for path in tmp_path.iterdir()] == ["club.toml"]


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert "There is no photo" in refused("referee", tmp_path / "no.jpg", "--table", TABLE, "--out", out)
    assert "no table file at" in refused("referee", PHOTO, "--table", tmp_path / "no.toml", "--out", out)
    assert "There is no camera file" in refused(
        "referee", PHOTO, "--table", TABLE, "--out", out, "--camera", tmp_path / "no.json"
    )
    assert "There is no file" in refused("report", tmp_path / "no.json")
    assert not out.exists()


def test_results_have_a_place_to_go(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("mine")
    assert "is a file" in refused("referee", PHOTO, "--table", TABLE, "--out", taken)
    assert "is a folder" in refused("observe", PHOTO, "--table", TABLE, "--json", tmp_path)
    assert "There is no folder" in refused("observe", PHOTO, "--table", TABLE, "--json", tmp_path / "a" / "b.json")
    for option in ("--picture", "--trust"):
        assert f"{option} b.gif: a picture's name ends in .png or .jpg" in refused(
            "observe", PHOTO, "--table", TABLE, option, tmp_path / "b.gif"
        )
    assert taken.read_text() == "mine" and len(list(tmp_path.iterdir())) == 1


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(SCENE))
    return path


def test_report_writes_json_and_tells_people(scene: Path, tmp_path: Path) -> None:
    result = run("report", scene, "--rules", "one-hour-ww2", "--json", tmp_path / "report.json")
    assert result.exit_code == 0, result.output
    report = json.loads((tmp_path / "report.json").read_text())
    assert [(s["firer"], s["target"], s["verdict"]) for s in report["shots"]] == [
        ("A1", "B1", "yes"),
        ("B1", "A1", "yes"),
    ]
    assert "A1 at B1, 7.50″ (normal)" in result.stdout
    assert "2 shots judged: 2 yes, 0 too close to call, 0 no." in result.stdout


def test_unknown_rules_and_dice_are_refused(scene: Path) -> None:
    assert 'did you mean "one-hour-ww2"?' in refused("report", scene, "--rules", "one-hour-ww")
    assert "dice" in refused("report", scene, "--dice", "d20")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "line 1"),
        ("[" * 100_000, "too deeply"),
        ("[" * 900 + "]" * 900, "too deeply"),
        (b"\xff\xfe\x00", "not JSON"),
        (json.dumps(SCENE).replace('"tank"', '"tnak"', 1), "tnak"),
        ('{"version": 1, ' + json.dumps(SCENE)[1:], '"version" is repeated'),
        (json.dumps({**SCENE, "table": {"width": 10**400, "depth": 36}}), "at most 1,000,000"),
    ],
)
def test_a_scene_that_is_none_is_refused(content: str | bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    assert says in refused("report", path, "--json", tmp_path / "report.json")
    assert not (tmp_path / "report.json").exists()


def test_a_folder_that_refuses_is_named_with_the_wished_file(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(prefix: str, dir: Path) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied", str(dir / f"{prefix}x"))

    monkeypatch.setattr("tabletop.files.tempfile.mkstemp", refuse)
    said = refused("report", scene, "--json", tmp_path / "r.json")
    assert said == f"{tmp_path / 'r.json'} can't be written (permission denied): choose another folder."


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    out = tmp_path_factory.mktemp("demo") / "results" / "today"
    return out, run("demo", "--out", out)


FILES = ["annotated.jpg", "index.html", "map.png", "map.svg", "observation.json", "report.json"]


def test_demo_judges_the_bundled_photograph(judged: tuple[Path, Ran]) -> None:
    out, result = judged
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == FILES
    assert [path.name for path in out.parent.iterdir()] == ["today"], "no leftovers beside the folder"
    report = json.loads((out / "report.json").read_text())
    count = {word: sum(shot["verdict"] == word for shot in report["shots"]) for word in ("yes", "too-close", "no")}
    assert f"{count['yes']} yes, {count['too-close']} too close to call, {count['no']} no" in result.stdout
    assert "10 of 10 units found" in result.stdout and str(out / "index.html") in result.stdout
    assert result.stderr == "", "no progress where standard error is no terminal"
    observation = json.loads((out / "observation.json").read_text())
    tagged = {base["unit"] for base in observation["bases"] if base["method"] == "tag"}
    assert tagged >= {"r0", "b1", "r2", "r4", "b5", "r8", "b9"}
    assert {piece["id"] for piece in observation["terrain"]} >= {"river", "Millbrook", "Sheep Hill"}
    photo, table_map = cv2.imread(str(out / "annotated.jpg")), cv2.imread(str(out / "map.png"))
    assert photo is not None and min(photo.shape[:2]) > 1000
    assert table_map is not None and abs(table_map.shape[0] - table_map.shape[1]) <= 2, "a square table"
    assert ET.parse(out / "map.svg").getroot().tag.endswith("svg")


def test_an_observation_can_be_reported_on(judged: tuple[Path, Ran]) -> None:
    result = run("report", judged[0] / "observation.json", "--table", TABLE, "--json", "-")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == json.loads((judged[0] / "report.json").read_text())


def test_standard_input_is_a_file_and_h_is_help() -> None:
    judged = CliRunner().invoke(app, ["report", "-"], input=json.dumps(SCENE), prog_name="tabletop")
    assert judged.exit_code == 0, judged.output
    assert "A1" in judged.stdout
    for command in ((), ("report",), ("print", "tags")):
        assert run(*command, "-h").stdout == run(*command, "--help").stdout != ""
