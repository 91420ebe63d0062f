"""The scripts that kill a server under load and play long evenings, for a few rounds."""

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from typing import Any

import pytest

from tests.paths import ROOT
from tests.support import postgres

ON_POSTGRESQL = pytest.mark.skipif(bool(postgres.missing()), reason=postgres.missing() or "-")
pytestmark = pytest.mark.slow


def run(script: str, *arguments: str) -> dict[str, Any]:
    """What a script reports; it must have found nothing wrong."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / script), *arguments],
        capture_output=True, text=True, check=False, timeout=400, cwd=ROOT, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout)


@pytest.mark.parametrize("database", ["", pytest.param("kills", marks=ON_POSTGRESQL)])
def test_a_server_that_is_killed_or_stopped_loses_nothing_that_it_acknowledged(database: str) -> None:
    with postgres.cluster() if database else nullcontext("") as address:
        url = postgres.new_database(address, database) if database else ""
        seen = run("kill_test.py", "--kills", "3", "--players", "1", "--photographers", "1", "--url", url)
    assert (seen["faults"], seen["kills"], seen["stops"]) == ([], 2, 1)
    assert seen["commands_acknowledged"] > 0 and seen["photos_acknowledged"] > 0


def test_a_long_evening_is_played_and_its_memory_told() -> None:
    seen = run(
        "soak.py", "--photos", "10", "--commands", "50", "--every", "5", "--canned", "--phones", "4", "--most", "3"
    )
    assert [row["photos"] for row in seen["series"]] == [5, 10] and seen["faults"] == []
    assert all(row["megabytes"]["server"] > 0.0 and row["megabytes"]["workers"] > 0.0 for row in seen["series"])
    assert seen["told_by_streams"]["record"] > 0 and set(seen["end_by_first"]) >= {"server", "workers"}
