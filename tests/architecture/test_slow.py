"""Which tests the quick run leaves out, and which files come first."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from scripts.list_slow_tests import slow_functions, times_in
from tests import conftest
from tests.paths import ROOT

BASES = [ROOT / "tests" / "support" / name for name in ("ruleset_contract.py", "small_games.py")]


@lru_cache
def functions_in(path: Path) -> frozenset[str]:
    """The ids of a module's test functions; those that its classes inherit are not in it."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
    return frozenset(found)


def test_every_test_on_the_list_is_there() -> None:
    shared = {name.partition("::")[2] for path in BASES for name in functions_in(path)}
    listed = list(conftest.SLOW)
    assert listed == sorted(set(listed))
    gone = []
    for one in listed:
        module, _, name = one.partition("::")
        there = (ROOT / module).is_file() and (
            name in functions_in(ROOT / module) or name.partition("::")[2] in shared - {""}
        )
        if not there:
            gone.append(one)
    assert not gone, f"scripts/list_slow_tests.py writes the list anew: {gone}"


def test_the_slowest_go_until_the_rest_fits_and_every_module_keeps_one(tmp_path: Path) -> None:
    report = tmp_path / "run.xml"
    rows = [
        ("tests.a.test_one", "test_slow[1]", 9.0), ("tests.a.test_one", "test_slow[2]", 1.0),
        ("tests.a.test_one.TestIt", "test_quick", 0.5), ("tests.a.test_two", "test_alone", 30.0),
        ("tests.a.test_one", "test_middling", 4.0), ("geometry.sight", "geometry.sight.seen", 50.0),
    ]  # fmt: skip
    cases = "".join(f'<testcase classname="{where}" name="{name}" time="{time}"/>' for where, name, time in rows)
    report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>", encoding="utf-8")
    times = times_in(report)
    assert slow_functions(times, 35.0) == ["tests/a/test_one.py::test_slow"]
    assert slow_functions(times, 1.0) == ["tests/a/test_one.py::test_slow", "tests/a/test_one.py::test_middling"]
    assert slow_functions(times, 100.0) == []
    evening = {"tests/a/test_evening.py::test_evening": [80.0], **times}
    assert slow_functions(evening, 200.0) == ["tests/a/test_evening.py::test_evening"], (
        "though it is its module's only one"
    )


def test_files_come_by_the_seconds_of_their_slow_tests_then_by_their_number_of_tests(monkeypatch: Any) -> None:
    monkeypatch.setattr(conftest, "SLOW", {"b.py::test_long": 60.0, "c.py::TestOne::test_longer": 90.0})
    names = ("a.py::test_1", "b.py::test_long[1]", "b.py::test_long[2]", "b.py::test_2", "c.py::TestOne::test_longer")
    items: list[Any] = [SimpleNamespace(nodeid=name) for name in (*names, "d.py::test_2", "d.py::test_1")]
    conftest.put_dearest_files_first(items)
    assert [item.nodeid for item in items] == [
        "c.py::TestOne::test_longer",
        "b.py::test_long[1]",
        "b.py::test_long[2]",
        "b.py::test_2",
        "d.py::test_2",
        "d.py::test_1",
        "a.py::test_1",
    ]
