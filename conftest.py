"""Settings that all tests and examples share, and which of them run."""

from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

# Randomness is seeded: the same commit is checked with the same examples everywhere. Look for new ones with
# `pytest --hypothesis-profile=search`.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=500)
settings.load_profile("same")


LONG = ("api", "architecture", "vision")
"""Folders of ``tests`` with tests that take long."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--all`` also runs the tests marked slow."""
    parser.addoption("--all", action="store_true", help="also run the tests marked slow")


def pytest_configure(config: pytest.Config) -> None:
    """Let each process of a parallel run read the folders in another order.

    What a process imports first in a fresh clone it compiles for all; in the same order, all would compile everything.
    """
    if worker := getattr(config, "workerinput", None):
        shift = int(worker["workerid"].removeprefix("gw")) * len(config.args) // worker["workercount"]
        config.args[:] = config.args[shift:] + config.args[:shift]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read only files that have tests or examples, with ``-m serial`` only files with serial tests."""
    if collection_path.suffix != ".py" or collection_path.name == "conftest.py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    if config.option.markexpr == "serial":
        return "pytest.mark.serial" not in text or None
    return not (collection_path.name.startswith("test_") or ">>> " in text) or None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples only in files that have some."""
    found = yield
    if found and ">>> " not in file_path.read_text(encoding="utf-8"):
        return [one for one in found if type(one) is pytest.Module]
    return found


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests, unless ``--all`` is given or a test is named; sort the files by expected run time."""
    named = any("::" in argument for argument in config.args)
    if not (config.getoption("--all") or config.getoption("lf", False) or named):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("slow")])
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
    # Workers take whole files in this order: files with browser tests first, then the long folders, each by
    # number of tests, so that no worker has a long file at the end. All have to agree, whatever they read first.
    counts = Counter(item.path for item in items)

    def place(item: pytest.Item) -> tuple[bool, bool, int, Path]:
        folder = item.path.relative_to(config.rootpath).parts[1]
        return item.get_closest_marker("browser") is None, folder not in LONG, -counts[item.path], item.path

    items.sort(key=place)
