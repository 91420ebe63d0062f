"""A test that fails once and then passes is reported by name; one that fails twice fails the run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

UNSTABLE = """
def test_passes_the_second_time():
    from pathlib import Path
    seen = Path("seen")
    first = not seen.exists()
    seen.touch()
    assert not first
"""
PASSING = "def test_passes(): pass\n"
BROKEN = "def test_broken(): assert False\n"


def run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Python in ``folder``; pytest starts without plug-ins, which it would spend most of the time on."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [sys.executable, *map(str, command)], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("tests", "status", "unstable"),
    [
        pytest.param(PASSING, 0, False, marks=pytest.mark.slow),
        (PASSING + UNSTABLE, 0, True),
        (PASSING + UNSTABLE + BROKEN, 1, True),
        pytest.param("import no_such_module\n", 1, False, marks=pytest.mark.slow),
        pytest.param("\n".join(f"def test_{n}(): assert False" for n in range(11)), 1, False, marks=pytest.mark.slow),
        pytest.param("", 1, False, marks=pytest.mark.slow),
    ],
    ids=["passing", "unstable", "broken too", "not collected", "too many", "no tests"],
)
def test_a_failed_test_runs_again_alone(tmp_path: Path, tests: str, status: int, unstable: bool) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\ncache_dir = build/pytest\n", encoding="utf-8")
    (tmp_path / "test_some.py").write_text(tests, encoding="utf-8")
    first = run(tmp_path, "-m", "pytest", "-q")
    again = run(tmp_path, ROOT / "scripts" / "rerun_failed.py", str(first.returncode))
    assert again.returncode == status, first.stdout + again.stdout
    named = "Unstable: test_some.py::test_passes_the_second_time failed" in again.stdout
    assert named == unstable, again.stdout
    assert "test_broken failed, then passed" not in again.stdout
