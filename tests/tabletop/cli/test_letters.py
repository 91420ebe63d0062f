"""What is printed where the output's encoding lacks a letter: the nearest plain one, and no failure."""

import os
import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT
from tests.support.cli_runs import run_cli


def test_a_letter_that_the_output_lacks_is_printed_plainly(tmp_path: Path) -> None:
    kept = ("--data", str(tmp_path))
    assert run_cli("new", "combined-arms", "--mode", "enemy-player", "--bid", *kept).exit_code == 0
    bid = [sys.executable, "-m", "tabletop", "act", "bid", "1", "5", "--as", "player 1", *kept]
    environment = {**os.environ, "PYTHONIOENCODING": "cp437"}
    done = subprocess.run(bid, cwd=ROOT, env=environment, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    assert "Player 1 made a sealed bid for the defenders' command." in done.stdout.decode("cp437")
    told = run_cli("act", "bid", "2", "4", "--as", "player 2", *kept)
    assert "Player 2 made a sealed bid for the defenders’ command." in told.stdout
