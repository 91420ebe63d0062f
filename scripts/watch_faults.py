"""A pytest plug-in for scripts/inject_faults.py: records the tests that start and deselects tests recorded before."""

import os
from pathlib import Path

import pytest

DONE = Path(os.environ["FAULTS_DONE"])


def note(test: str) -> None:
    """Append a test's id to the record."""
    with DONE.open("a", encoding="utf-8") as file:
        file.write(f"{test}\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deselect recorded tests."""
    done = set(DONE.read_text(encoding="utf-8").splitlines())
    items[:] = [item for item in items if item.nodeid not in done]


def pytest_runtest_logstart(nodeid: str) -> None:
    """Record a test that starts."""
    note(nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Record a file that cannot be collected."""
    if report.failed:
        note(report.nodeid)
