"""Settings that all tests share, and which of them run."""

import ctypes
import gc
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.caches import clear_caches

# Randomness is seeded: the same commit is checked with the same examples everywhere. Look for new ones with
# `pytest --hypothesis-profile=search`.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=500)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--all`` also runs the tests marked slow."""
    parser.addoption("--all", action="store_true", help="also run the tests marked slow")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``-m serial``, read only the files that have such tests: all files take 20 seconds."""
    if config.option.markexpr == "serial" and collection_path.suffix == ".py":
        return "pytest.mark.serial" not in collection_path.read_text(encoding="utf-8") or None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests, unless ``--all`` is given or a test is named; sort the files by expected run time."""
    named = any("::" in argument for argument in config.args)
    if not (config.getoption("--all") or config.getoption("lf", False) or named):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("slow")])
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
    # Workers take whole files in this order: files with browser tests first, then by number of tests, so that no
    # worker is left with a long file at the end.
    counts = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.get_closest_marker("browser") is None, -counts[item.path]))


@pytest.fixture(scope="module", autouse=True)
def give_memory_back() -> Iterator[None]:
    """Release what a module's tests cached, so that pictures do not add up over a run."""
    yield
    clear_caches("tests.", "synthetic.")
    gc.collect()
    gc.freeze()  # what is alive now stays: do not walk half a million objects again after every module
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
