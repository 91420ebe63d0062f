"""``python scripts/evaluate_photos.py`` from end to end, on a drawn table, and how it refuses."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import evaluate_photos as command
import pytest

from synthetic.tables import draw
from synthetic.wishes import Wish
from tabletop.errors import UsageError
from tests.support.evaluated_tables import case_in

WISH = Wish(
    size=(18, 18), tags=True, rims=True, frame=True, elevation_deg=60, megapixels=1.2, shadow=False, hand=False, noise=0
)


def test_a_drawn_table_is_read_and_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside a photo that is no picture, and with everything that can be written."""
    drawn = draw(5, WISH)
    for name in ("whole", "broken"):
        replace(drawn, name=name).write(tmp_path)
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    (tmp_path / "worst").mkdir()
    (tmp_path / "worst" / "missed-9.jpg").write_bytes(b"of an earlier evaluation")
    (tmp_path / "worst" / "mine.jpg").write_bytes(b"not ours")
    wrote = ("--out", tmp_path / "accuracy.md", "--worst", tmp_path / "worst", "--json", tmp_path / "a.json")
    with pytest.raises(SystemExit, match="0"):
        command.main([str(tmp_path), *map(str, wrote)])
    written = capsys.readouterr()
    assert written.err == "", "progress is for terminals"
    assert written.out.startswith("2 photos, 1 of them refused; ") and str(tmp_path / "accuracy.md") in written.out
    broken, whole = json.loads((tmp_path / "a.json").read_text())["sections"][0]["photos"]
    assert whole["refused"] is None and whole["figures"]["found"] == 26
    assert whole["figures"]["readable_right"] == 2 and whole["figures"]["wrong_unit"] == 0
    assert max(whole["bases"]["error_in"]) < 0.1
    assert whole["times"]["wall_s"] > 0 and whole["times"]["pixels"] == drawn.image.shape[0] * drawn.image.shape[1]
    assert whole["times"]["peak_mb"] > 50 and whole["times"]["bare_detect_s"] > 0
    assert whole["light"]["level"] > 100 and whole["rulings"]["positions"]["rulings"] > 0
    assert broken["refused"] is not None and (broken["figures"]["found"], broken["figures"]["bases"]) == (0, 26)
    text = (tmp_path / "accuracy.md").read_text()
    assert "2 photos, 1 refused:" in text and "- broken: " in text
    links = [line.partition("](")[2].rstrip(")") for line in text.splitlines() if "![" in line]
    kept = {path.name for path in (tmp_path / "worst").iterdir()}
    assert links and kept == {"mine.jpg", *(link.removeprefix("worst/") for link in links)}
    assert all((tmp_path / link).stat().st_size <= 40_000 for link in links)


def test_a_process_that_fails_or_takes_too_long_counts_as_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, program = case_in(tmp_path), tmp_path / "program"
    monkeypatch.setattr(sys, "executable", str(program))
    program.write_text("#!/bin/sh\necho some warning >&2\necho KeyError: x >&2\nexit 3\n")
    program.chmod(0o755)
    told = command.observed_with(None)(case)
    assert told.observation is None and told.refused == "The program failed (exit status 3): KeyError: x"

    def never_ends(*_: object, timeout: float, **__: object) -> None:
        raise subprocess.TimeoutExpired("observing", timeout)

    monkeypatch.setattr(subprocess, "run", never_ends)
    assert f"took longer than {command.LONGEST_S:g} s" in str(command.observed_with(None)(case).refused)


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
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        command.main(arguments)
    written = capsys.readouterr()
    assert written.out == "" and words in written.err and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("pattern", ["calib-*.jpg", "/nowhere/calib-*.jpg"])
def test_a_folder_without_board_pictures_is_refused(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(UsageError, match=r"holds no picture like .*calib-\*\.jpg"):
        command.calibrate(tmp_path, pattern, "letter", lambda step: None)
