"""``tabletop watch``: what it says and writes, from a film, from a folder, and how it refuses."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.paths import ROOT
from tests.support.cli_runs import run_cli as run
from tests.support.live_scenes import MOVED, ROW, TABLE_TOML, Pixels, noisy, table, visit

A, B = table(), table(MOVED)


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    path = tmp_path / "small.table.toml"
    path.write_text(TABLE_TOML, encoding="utf-8")
    return path


def film(path: Path, pictures: list[Pixels]) -> Path:
    """A Motion JPEG film of five pictures a second."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (1000, 750))
    writer.set(cv2.VIDEOWRITER_PROP_QUALITY, 92)
    for k, picture in enumerate(pictures):
        writer.write(noisy(picture, k))
    writer.release()
    return path


def test_a_film_of_a_move_is_two_observations(tmp_path: Path, toml: Path) -> None:
    source = film(tmp_path / "film.avi", [*[A] * 8, *visit(A, B), *[B] * 12])
    result = run("watch", source, "--table", toml, "--out", tmp_path / "out", "--json", tmp_path / "all.jsonl")
    assert result.exit_code == 0, result.output
    said = result.stdout.splitlines()
    assert said[0] == "Watching film.avi. Ctrl-C ends it."
    assert said[1].startswith("Observation 1: 1 of 1 units found: 3 of 3 bases")
    assert said.index("A hand is over the far right.") < said.index("Observation 2:")
    assert any(line.strip().startswith("a moved 3.0") for line in said)
    assert said[-2:] == ["film.avi has ended.", "2 observations."]
    written = {path.name: path for path in (tmp_path / "out").iterdir()}
    pictures = [name for name in written if name.endswith(".jpg")]
    assert sorted(set(written) - set(pictures)) == ["OBS-0001.json", "OBS-0002.json"] and len(pictures) == 2
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    for k, bases in enumerate((ROW, MOVED)):
        observed = json.loads(written[f"OBS-000{k + 1}.json"].read_text())
        assert json.loads(lines[k]) == observed
        frame = written[observed["photos"][0]["file"]]
        assert hashlib.sha256(frame.read_bytes()).hexdigest().startswith(frame.stem)
        seen = np.array([base["center"] for base in observed["bases"]])
        for base in bases:
            assert np.hypot(*(seen - [base.x, base.y]).T).min() < 0.08
    again = run("observe", frame, "--table", toml, "--json", "-")
    assert json.loads(again.stdout)["bases"] == observed["bases"]


def test_lines_alone_of_json_once_and_numbers_that_go_on_after_those_that_are_there(tmp_path: Path, toml: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "OBS-0007.json").write_text("{}")
    source = film(tmp_path / "film.avi", [A] * 8)
    result = run("watch", source, "--table", toml, "--out", out, "--json", "-", "--once")
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    assert json.loads(line)["version"] == 1 and "1 observation." in result.stderr
    assert sorted(path.name for path in out.glob("OBS*")) == ["OBS-0007.json", "OBS-0008.json"]


@pytest.mark.parametrize(
    ("source", "word"),
    [("none.mp4", "check its name"), ("small.table.toml", "can't be played as a video"), ("99", "another number")],
)
def test_a_source_that_gives_nothing_is_refused_in_one_sentence(
    tmp_path: Path, toml: Path, source: str, word: str
) -> None:
    given = source if source.isdecimal() else tmp_path / source
    result = run("watch", given, "--table", toml, "--out", tmp_path / "out")
    assert result.exit_code == 2 and result.stdout == ""
    said = result.stderr.strip()
    assert said.startswith("tabletop: ") and word in said and said.endswith(".") and "\n" not in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_control_c_ends_it_with_a_count(tmp_path: Path, toml: Path, stop: signal.Signals) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    command = [sys.executable, "-m", "tabletop", "watch", str(folder), "--table", str(toml)]
    heard = partial(
        signal.signal, signal.SIGINT, signal.default_int_handler
    )  # also where the tests run in the background
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heard
    ) as watching:
        assert watching.stdout is not None and watching.stderr is not None
        try:
            first = watching.stdout.readline()
            watching.send_signal(stop)
            rest, faults = watching.communicate(timeout=60)
        finally:
            watching.kill()
    assert first == f"Watching {folder}. Ctrl-C ends it.\n"
    assert (watching.returncode, rest.strip(), faults) == (0, "0 observations.", "")
    assert os.listdir(folder) == []
