"""A plugin for pytest, of scripts/inject_faults.py: notes which tests are begun, and leaves out those that were."""

import os
from pathlib import Path

import pytest

DONE = Path(os.environ["FAULTS_DONE"])


def note(test: str) -> None:
    """Write a test's name into the list."""
    with DONE.open("a", encoding="utf-8") as file:
        file.write(f"{test}\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what the list has."""
    done = set(DONE.read_text(encoding="utf-8").splitlines())
    items[:] = [item for item in items if item.nodeid not in done]


def pytest_runtest_logstart(nodeid: str) -> None:
    """A test is begun."""
    note(nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A file can't be read."""
    if report.failed:
        note(report.nodeid)
