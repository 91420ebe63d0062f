"""Settings that all tests share, and which of them run."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.paths import ROOT
from tests.support.caches import clear_caches

# Randomness is seeded: the same commit is checked with the same examples everywhere. Look for new ones with
# `pytest --hypothesis-profile=search`.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=500)
settings.load_profile("same")


SLOW = {
    function: float(seconds)
    for function, seconds in map(str.split, (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").splitlines())
}
"""Test functions that are slow besides those marked so, and their seconds; written by scripts/list_slow_tests.py from a
run's times."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--all`` runs the slow tests too: thousands of random games, whole evenings, kills, fuzz."""
    parser.addoption("--all", action="store_true", help="run the tests marked slow too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow tests, unless all are wanted or one was asked for by its name; the dearest files come first."""
    for item in items:
        if _function(item) in SLOW:
            item.add_marker("slow")
    named = any("::" in argument for argument in config.args)
    if not (config.getoption("--all") or config.option.markexpr or named):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("slow")])
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
    put_dearest_files_first(items)


def _function(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def put_dearest_files_first(items: list[pytest.Item]) -> None:
    """Files by the seconds of their slow tests, then by how many tests they have; within a file all stays.

    Processes take whole files in that order, so that none works alone on a long one at the end.
    """
    counts = Counter(_file(item) for item in items)
    seconds: defaultdict[str, float] = defaultdict(float)
    for function, file in {_function(item): _file(item) for item in items}.items():
        seconds[file] += SLOW.get(function, 0.0)
    items.sort(key=lambda item: (-seconds[_file(item)], -counts[_file(item)]))


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


@pytest.fixture(scope="module", autouse=True)
def give_memory_back() -> Iterator[None]:
    """A worker gives back what a module's tests have kept, so that pictures do not add up over a run."""
    yield
    clear_caches("tests.", "synthetic.")
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
