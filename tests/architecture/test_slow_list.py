"""The list of slow tests names tests that are there, and puts the dearest files first."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import Any

from tests import conftest
from tests.paths import ROOT


def test_every_slow_test_is_still_in_its_file() -> None:
    """Functions of contracts are inherited, so that of those the class is looked for."""
    defined: dict[str, set[str]] = {}
    for function in conftest.SLOW:
        file, name, *_ = function.split("::")
        if file not in defined:
            found = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
            defined[file] = {one.name for one in found if isinstance(one, ast.FunctionDef | ast.ClassDef)}
        assert name in defined[file], f"{function} is in tests/slow.txt and nowhere else"


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
