"""Every command with every kind of file that a user may name: an answer, or one sentence that says what is wrong."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tabletop.cli.app import COMMANDS
from tests.paths import DATA
from tests.support.cli_runs import run_cli

TABLE = "[table]\nwidth = 36\ndepth = 36\n"
FRAME = """[frame]
dictionary = "DICT_APRILTAG_36h11"
marker_size = 3.0
markers = [{ id = 0, center = [2, 2] }, { id = 1, center = [34, 2] }, { id = 2, center = [34, 34] }]
"""
UNIT = """[[sides]]
id = "red"
[[units]]
id = "R1"
side = "red"
kind = "tank"
bases = 1
tag = 1
base = { shape = "rect", width = 1, depth = 2, height = 0.1 }
[tags]
dictionary = "DICT_4X4_50"
size = 0.6
"""
TABLES = {
    "plain": TABLE + UNIT,
    "framed": TABLE + FRAME + UNIT,
    "centimetres": TABLE.replace("36", "90") + 'unit = "cm"\n' + UNIT,
    "bare": TABLE + 'rules = "measure"\n',
    "measure": TABLE + 'rules = "measure"\n' + UNIT,
    "hexes": TABLE + 'rules = "combined-arms"\n[overlay]\ngrid = "hex"\nsize = 3.4\norigin = [3, 3]\n',
    "squares": TABLE + 'rules = "combat"\n[overlay]\ngrid = "square"\nsize = 2\norigin = [3, 3]\n',
    "chessboard": TABLE + 'rules = "ww2-combined-arms"\n',
    "framed-squares": TABLE + 'rules = "combat"\n' + FRAME + '[overlay]\ngrid = "square"\nsize = 2\norigin = [3, 3]\n',
}
OTHERS = ("photo.jpg", "photo.png", "preview.jpg", "folder", "missing.jpg", "missing.toml", "empty.jpg", "empty.toml",
          "empty.json", "words.txt", "words.jpg", "words.toml",
          "words.json", "list.json", "number.json", "log.jsonl", "seen.json")  # fmt: skip
KINDS = (*OTHERS, *(f"{name}.toml" for name in TABLES))

SLOTS = {
    "init": ["{}"],
    "doctor": ["--table {}", "{} --table plain.toml", "{} --table framed.toml", "photo.jpg --table {}",
               "photo.jpg --table plain.toml --camera {}"],
    "observe": ["{} --table plain.toml", "{} --table framed.toml", "photo.jpg --table {}",
                "{} photo.jpg --table framed.toml",
                *(f"photo.jpg --table plain.toml {option} {{}}" for option in ("--camera", "--mat", "--previous",
                  "--collection", "--json", "--picture", "--trust"))],
    "settle": ["{}", "{} --answer q1=A1"],
    "learn": ["{} --table framed.toml --observation seen.json --collection out.json",
              "photo.jpg --table {} --observation seen.json --collection out.json",
              "photo.jpg --table framed.toml --observation {} --collection out.json",
              "photo.jpg --table framed.toml --observation seen.json --collection {}",
              "photo.jpg --table framed.toml --observation seen.json --collection out.json --merge {}"],
    "collection": ["{}"],
    "report": ["{}", "seen.json --table {}"],
    "referee": ["{} --table framed.toml --out out", "photo.jpg --table {} --out out",
                "photo.jpg --table framed.toml --out {}"],
    "backup": ["{}", "out.zip --data {}"],
    "restore": ["{}"],
    "move": ["--data {} --to-data out"],
    "invite": ["--data {}"],
    "seats": ["--data {}"],
    "token": ["--data {}"],
    "tokens": ["--data {}"],
    "calibrate": ["{} --board letter", "photo.jpg photo.png preview.jpg --board {}"],
    "new": ["{}", "--table {}", "flank-attack --table {}", "--scene {}", "flank-attack --scene {}",
            "combined-arms --position {}",
            "--table measure.toml --scene {}", "measure --table {}"],
    "act": ["help --data {}", "skip --photo {}"],
    "state": ["--data {}", "--scene {}", "--picture {}"],
    "undo": ["--data {}"],
    "redo": ["--data {}"],
    "log": ["{}", "log.jsonl --out {}", "log.jsonl --csv {}"],
    "note": ["word --data {}"],
    "games": ["--data {}"],
    "load": ["{}"],
    "danger": ["--position {}"],
    "computer": ["--data {}"],
    "hint": ["--data {}"],
    "rules": ["{}"],
    "diff": ["{} seen.json", "seen.json {}", "{} seen.json --table framed.toml", "seen.json seen.json --table {}"],
    "see": ["{} --table measure.toml", "photo.jpg --table {}", "{}", "seen.json --table {}"],
    "watch": ["{} --once --table plain.toml", "missing.jpg --once --table {}"],
    "overlay": [*(f"{{}} --table {table}.toml" for table in ("plain", "hexes", "squares", "framed-squares")),
                "photo.jpg --table {}", "seen.json --table {}", "photo.jpg --table {} --find",
                "photo.jpg --table {} --fit",
                "photo.jpg --table {} --board 8x8", "photo.jpg --table squares.toml --previous {}"],
    "aar": ["{} --out out", "log.jsonl --out {}", "log.jsonl --out out --captions {}"],
    "play": ["{}", "one-hour-ww2 --scenario {}"],
    "export": ["{} --geojson out.json", "log.jsonl --uvtt {}", "seen.json --geojson out.json --table {}",
               "log.jsonl --uvtt out.uvtt --photo-map {}"],
    "import": ["{} --out out.toml", "list.json --out {}"],
    "print": ["markers --out out.pdf --table {}", "tags --out out.pdf --table {}", "board --out out.pdf --board {}",
              "board --out {}", "sheet {} --out out.pdf"],
    "plugin": ["new {}"],
}  # fmt: skip
UNASKED = {"serve", "work", "demo"}
"""Those that run until they are stopped, or read no file."""
IN_GATE = {"doctor": ("photo.jpg", "plain.toml", "squares.toml"), "aar": ("words.txt",), "referee": ("folder",)}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    for name, text in TABLES.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    noise = Image.fromarray(np.random.default_rng(1).integers(90, 150, (900, 1200, 3)).astype(np.uint8))
    (folder / "folder").mkdir()
    for name, size in (("photo.jpg", 1200), ("photo.png", 1200), ("preview.jpg", 120), ("folder/a.jpg", 1200)):
        noise.resize((size, size * 3 // 4)).save(folder / name)
    for kind in ("jpg", "toml", "json", "txt"):
        (folder / f"empty.{kind}").touch()
        (folder / f"words.{kind}").write_text("once upon a time\n", encoding="utf-8")
    (folder / "list.json").write_text("[]", encoding="utf-8")
    (folder / "number.json").write_text("1e999", encoding="utf-8")
    shutil.copy(DATA / "golden/combat-first-skirmish.jsonl", folder / "log.jsonl")
    shutil.copy(DATA / "seq/seq-1.json", folder / "seen.json")
    return folder


def test_every_command_is_met() -> None:
    assert set(COMMANDS) == {*SLOTS, *UNASKED}


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        *((command, IN_GATE.get(command, ("folder", "words.txt"))) for command in SLOTS),
        *(pytest.param(command, KINDS, marks=pytest.mark.slow) for command in SLOTS),
    ],
)
def test_no_file_ends_in_a_traceback(
    command: str, kinds: tuple[str, ...], files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    asked = [slot.format(kind).split() for slot in SLOTS[command] for kind in kinds]
    for number, arguments in enumerate(asked):
        if command == "watch" and arguments[0] == "folder":
            continue  # it waits for photos
        shutil.copytree(files, tmp_path / str(number))
        monkeypatch.chdir(tmp_path / str(number))
        ran = run_cli(command, *arguments)
        said = f"{command} {' '.join(arguments)}: {ran.output}"
        assert ran.exit_code in (0, 1, 2), said
        assert not re.search(r"\b(nan|inf)\b|Error|Errno|Traceback", ran.output), said
        if ran.exit_code == 2:
            sentence = ran.stderr.partition(" Usage: ")[0].rstrip()
            assert not ran.stdout and sentence.startswith("tabletop: ") and sentence.endswith((".", "?")), said
