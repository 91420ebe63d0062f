"""``tabletop evaluate`` from end to end, on a drawn table, and how it refuses."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tabletop.cli import evaluate as command
from tabletop.cli import evaluate_photo
from tabletop.errors import UsageError
from tabletop.evaluate.cases import Case
from tabletop.evaluate.results import Run, evaluate
from tests.support.cli_runs import Ran
from tests.support.cli_runs import run_cli as run
from tests.support.evaluated_tables import case_in
from tests.support.table_scenes import BLUE, FRAME, RED, DrawnBase, draw_table, looking_at, tag_corners

TAGS, TAG_IN = "DICT_4X4_100", 0.7


def drawn_case(folder: Path, name: str) -> Case:
    """A drawn table of two units with a tagged base each, its table file and its truth."""
    view = looking_at()
    units = {
        "r1": [DrawnBase(6, 7, 20, tag=1), DrawnBase(6, 10, 20)],
        "b1": [DrawnBase(12, 7, 200, rim=BLUE, tag=2), DrawnBase(12, 10, 200, rim=BLUE)],
    }
    case = case_in(folder, name)
    image = draw_table(view, [base for bases in units.values() for base in bases], tags=TAGS)
    case.photo.write_bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())
    case.truth.write_text(json.dumps(truth_of(view, units)))
    case.table.write_text(table_file(units))
    return case


def truth_of(view: Any, units: dict[str, list[DrawnBase]]) -> dict[str, Any]:
    def base(b: DrawnBase) -> dict[str, Any]:
        corners = np.column_stack([tag_corners(b, TAG_IN), np.full(4, b.z + b.shape.height)])
        return {
            "shape": "rect", "width": b.shape.width, "depth": b.shape.depth, "thickness": b.shape.height,
            "centre": [b.x, b.y], "z": b.z, "facing_deg": b.facing, "tag_id": b.tag, "unique": b.tag is not None,
            "visible_fraction": 1.0,
            "tag": None if b.tag is None else {"corners": corners.tolist(), "visible_fraction": 1.0},
        }  # fmt: skip

    return {
        "image": {"width": 1600, "height": 1200},
        "camera": {
            "K": view.camera.K.tolist(), "distortion": view.camera.dist.tolist(), "R": view.R.tolist(),
            "t": view.t.tolist(),
        },
        "table": {"width": 18, "depth": 18},
        "frame_markers": [{"corners": FRAME.corners(m.id).tolist()} for m in FRAME.markers],
        "rims": {"red": list(RED), "blue": list(BLUE)},
        "units": [
            {"id": name, "side": "red" if name == "r1" else "blue", "kind": "infantry", "bases": list(map(base, bases))}
            for name, bases in units.items()
        ],
        "terrain": [{"kind": "marsh", "polygon": [[3, 13], [6, 13], [6, 16], [3, 16]], "height": 0.0}],
    }  # fmt: skip


def table_file(units: dict[str, list[DrawnBase]]) -> str:
    frame = "".join(f"[[frame.markers]]\nid = {m.id}\ncenter = {list(m.center)}\n" for m in FRAME.markers)
    sides = "".join(
        f'[[sides]]\nid = "{side}"\nrim = "#{r:02x}{g:02x}{b:02x}"\n'
        for side, (r, g, b) in (("red", RED), ("blue", BLUE))
    )
    entries = "".join(
        f'[[units]]\nid = "{name}"\nside = "{"red" if name == "r1" else "blue"}"\nkind = "infantry"\n'
        f"bases = {len(bases)}\ntag = {bases[0].tag}\n"
        'base = { shape = "rect", width = 2.0, depth = 1.25, height = 0.12 }\n'
        for name, bases in units.items()
    )
    return (
        f'[table]\nwidth = 18\ndepth = 18\nrules = "one-hour-ww2"\n[frame]\ndictionary = "{FRAME.dictionary}"\n'
        f'marker_size = {FRAME.marker_size_in}\n{frame}[tags]\ndictionary = "{TAGS}"\nsize = {TAG_IN}\n{sides}{entries}'
    )


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """A folder with a drawn photo and one that is no picture, evaluated with everything that can be written."""
    folder = tmp_path_factory.mktemp("photos")
    drawn_case(folder, "whole")
    drawn_case(folder, "broken").photo.write_bytes(b"no picture")
    (folder / "worst").mkdir()
    (folder / "worst" / "missed-9.jpg").write_bytes(b"of an earlier evaluation")
    (folder / "worst" / "mine.jpg").write_bytes(b"not ours")
    told = run(
        "evaluate", folder, "--out", folder / "accuracy.md", "--worst", folder / "worst", "--json", folder / "a.json"
    )
    return folder, told


@pytest.mark.slow
def test_a_drawn_table_is_read_scored_and_told(evaluated: tuple[Path, Ran]) -> None:
    folder, told = evaluated
    assert told.exit_code == 0, told.output
    assert told.stderr == "", "progress is for terminals"
    assert told.stdout.startswith("2 photos, 1 of them refused; ") and str(folder / "accuracy.md") in told.stdout
    section = json.loads((folder / "a.json").read_text())["sections"][0]
    broken, whole = section["photos"]
    assert whole["refused"] is None and whole["figures"]["readable_right"] == 2 and whole["figures"]["found"] >= 3
    assert max(error for error in whole["bases"]["error_in"] if error is not None) < 0.1
    assert 0.0 <= whole["figures"]["terrain_iou"]["marsh"] <= 1.0
    assert whole["times"]["wall_s"] > 0 and whole["times"]["pixels"] == 1600 * 1200
    assert 50 < whole["times"]["peak_mb"] < 2000 and whole["times"]["bare_detect_s"] > 0
    assert sum(whole["times"]["stages_s"].values()) <= whole["times"]["wall_s"] + 0.01
    assert whole["light"]["level"] == pytest.approx(95, abs=25), "the mat's paint is (96, 108, 60)"
    assert whole["light"]["cast"] == pytest.approx(1.0, abs=0.1), "printed white is grey"
    assert whole["rulings"]["positions"]["rulings"] > 0
    assert broken["refused"] is not None and broken["figures"]["found"] == 0 and broken["figures"]["bases"] == 4


@pytest.mark.slow
def test_the_files_of_an_evaluation(evaluated: tuple[Path, Ran]) -> None:
    folder, _ = evaluated
    text = (folder / "accuracy.md").read_text()
    assert "2 photos, 1 refused:" in text and "- broken: " in text
    links = [line.partition("](")[2].rstrip(")") for line in text.splitlines() if "![" in line]
    assert links and all((folder / link).is_file() for link in links)
    kept = {path.name for path in (folder / "worst").iterdir()}
    assert "mine.jpg" in kept and "missed-9.jpg" not in kept
    assert kept == {"mine.jpg", *(link.removeprefix("worst/") for link in links)}
    assert all((folder / link).stat().st_size <= 40_000 for link in links)


@pytest.mark.slow
def test_one_process_tells_a_refusal_as_a_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = drawn_case(tmp_path, "a")
    case.photo.write_bytes(b"no picture")
    assert evaluate_photo.main([str(case.photo), str(case.table), str(case.truth)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["observation"] is None and "a.jpg" in told["refused"] and told["peak_mb"] > 10
    case.table.write_text("[table]\n")
    assert evaluate_photo.main([str(case.photo), str(case.table), str(case.truth)]) == 0
    assert "a.table.toml has" in json.loads(capsys.readouterr().out)["refused"]


def test_a_process_that_fails_or_takes_too_long_counts_as_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, program = case_in(tmp_path), tmp_path / "program"
    monkeypatch.setattr(sys, "executable", str(program))
    program.write_text("#!/bin/sh\necho some warning >&2\necho KeyError: x >&2\nexit 3\n")
    program.chmod(0o755)
    told = command.observed_with(None)(case)
    assert told.observation is None and told.refused == "The program failed (exit status 3): KeyError: x"
    program.write_text("#!/bin/sh\nexec sleep 30\n")
    monkeypatch.setattr(command, "LONGEST_S", 0.2)
    assert "took longer than 0.2 s" in str(command.observed_with(None)(case).refused)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["."], "holds no photo with its truth"),
        ([".", "--calibration", "x*.jpg"], "needs both --calibration"),
        ([".", "--board", "letter"], "needs both --calibration"),
        ([".", "--camera", "c.json", "--calibration", "x*.jpg", "--board", "letter"], "Either --camera or"),
        ([".", "--out", "missing/a.md"], "There is no folder missing"),
        (["a.jpg"], "a.jpg can't be evaluated"),
    ],
)
def test_what_can_t_be_done_is_refused_in_one_sentence(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = run("evaluate", *arguments)
    assert told.exit_code == 2 and told.stdout == "" and words in told.stderr
    assert told.stderr.startswith("tabletop: ") and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("pattern", ["calib-*.jpg", "/nowhere/calib-*.jpg"])
def test_a_folder_without_board_pictures_is_refused(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(UsageError, match=r"holds no picture like .*calib-\*\.jpg"):
        command.calibrate(tmp_path, pattern, "letter", lambda step: None)


@pytest.mark.slow
def test_a_calibration_is_tried_on_the_photos_of_its_phone_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, cameras = looking_at(), []
    solved = command.SolvedCamera(view.camera, "Phone A", "Twelve pictures.")
    monkeypatch.setattr(command, "calibrate", lambda *_: solved)

    def observed_with(camera: Path | None) -> Callable[[Case], Run]:
        assert camera is not None
        cameras.append(json.loads(camera.read_text()))
        return lambda case: Run(None, "observed again")

    cases = [drawn_case(tmp_path, name) for name in ("a", "b")]
    models = {"a": "Phone A", "b": "Phone B"}
    before = evaluate(cases, lambda case: Run(None, "x", model=models[case.name]))
    monkeypatch.setattr(command, "observed_with", observed_with)
    title, sentence, again = command._with_calibration(before, tmp_path, "calib-*.jpg", "letter", 1, lambda step: None)
    assert (title, sentence) == ("With a calibration from calib-*.jpg", "Twelve pictures.")
    assert [(r.name, r.refused) for r in again] == [("a", "observed again")] and len(cameras) == 1
    with pytest.raises(UsageError, match="None of the photos was taken by the phone"):
        command._with_calibration(before[1:], tmp_path, "calib-*.jpg", "letter", 1, lambda step: None)
