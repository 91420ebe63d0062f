"""What is printed where the output's encoding lacks a letter: the nearest plain one, and no failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT


def printed(folder: Path, encoding: str, *words: str) -> str:
    """What a command of a game kept in ``folder`` prints, in an encoding."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tabletop", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode(encoding)


@pytest.mark.parametrize(("encoding", "sign"), [("utf-8", "’"), ("cp437", "'")])
def test_a_letter_that_the_output_lacks_is_printed_plainly(tmp_path: Path, encoding: str, sign: str) -> None:
    printed(tmp_path, encoding, "new", "combined-arms", "--mode", "enemy-player", "--bid")
    bid = printed(tmp_path, encoding, "act", "bid", "1", "5", "--as", "player 1")
    assert f"Player 1 made a sealed bid for the defenders{sign} command." in bid
