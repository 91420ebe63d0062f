"""Run failed tests again, alone, and report each that then passes as unstable.

    python scripts/rerun_failed.py STATUS [STATUS ...]

``STATUS``: the exit statuses of the pytest runs before, which share one cache. A test that passes alone is *unstable*:
it depends on timing or on other tests. It is printed by name and does not fail the run. Exit status 0 if no test fails
twice, else 1.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

CACHE = Path("build/pytest/v/cache/lastfailed")
"""Where pytest lists the tests that failed and have not passed since; relative to the folder it runs in."""

MOST = 10
"""More failures than this are a fault of the product or of the machine, and are not run again."""

PASSED, FAILED, NOTHING_RAN = 0, 1, 5


def failed_tests() -> list[str]:
    """The ids of the tests that failed last, sorted."""
    return sorted(json.loads(CACHE.read_text(encoding="utf-8"))) if CACHE.is_file() else []


def main(arguments: Sequence[str] | None = None) -> int:
    """Rerun what failed and print a verdict."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("status", type=int, nargs="+", help="exit statuses of the pytest runs before")
    statuses = set(parser.parse_args(arguments).status)
    if statuses == {NOTHING_RAN}:
        print("No test ran.")
        return 1
    if statuses <= {PASSED, NOTHING_RAN}:
        return 0
    first = failed_tests()
    if not statuses <= {PASSED, FAILED, NOTHING_RAN} or not 0 < len(first) <= MOST:
        print(f"{len(first)} tests failed; they are not run again.")
        return 1
    print(f"Running {len(first)} failed tests again, alone ...", flush=True)
    again = subprocess.run([sys.executable, "-m", "pytest", "--last-failed", "--last-failed-no-failures", "none"])
    for test in sorted({*first} - {*failed_tests()}):
        print(f"Unstable: {test} failed, then passed alone.")
    return int(again.returncode != PASSED)


if __name__ == "__main__":
    sys.exit(main())
