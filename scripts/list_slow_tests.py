"""Write tests/slow.txt: the tests that are left out unless --all is given.

    pytest -n 2 --dist loadfile --all --junitxml=run.xml && python scripts/list_slow_tests.py run.xml

Takes the slowest test functions away until the rest fits a budget of processor seconds. The quickest function of every
module stays, so that the quick run touches every feature; but for modules of whole evenings, whose steps others touch.
Beside each function stand its seconds in all: tests/conftest.py begins with the dearest files. Of several reports the
last that knows a function counts.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "slow.txt"
BUDGET_S = 500.0
"""Seconds of all tests of the quick run, one after another: with set-up and start six to eight minutes on two cores."""

LONGEST_S = 60.0
"""A test that takes longer stays in no quick run."""

ALWAYS = ("tests/architecture/test_imports.py", "tests/architecture/test_rooms.py")
"""Modules whose tests every quick run has: which part of the house may know which."""


def function_of(class_name: str, name: str) -> str:
    """A test function's id, from what JUnit's report calls a test.

    >>> function_of("tests.page.test_game.TestTheNetwork", "test_asleep_it_misses_nothing[dark]")
    'tests/page/test_game.py::TestTheNetwork::test_asleep_it_misses_nothing'
    """
    parts = class_name.split(".")
    at = next(n for n, part in enumerate(parts) if part.startswith("test_"))
    return "::".join(["/".join(parts[: at + 1]) + ".py", *parts[at + 1 :], name.partition("[")[0]])


def times_in(report: Path) -> dict[str, list[float]]:
    """The seconds of every test of a run, by function; doctests are left out."""
    found: dict[str, list[float]] = defaultdict(list)
    for case in ET.parse(report).iter("testcase"):
        if case.get("name", "").startswith("test_"):
            found[function_of(case.get("classname", ""), case.get("name", ""))].append(float(case.get("time", "0")))
    return found


def slow_functions(times: Mapping[str, Sequence[float]], budget_s: float) -> list[str]:
    """The functions to leave out, the one with the slowest test first, until the rest takes at most ``budget_s`` and no
    test more than ``LONGEST_S``."""
    quickest: dict[str, str] = {}
    for function in sorted(times, key=lambda one: (sum(times[one]), one)):
        quickest.setdefault(function.partition("::")[0], function)
    left = sum(map(sum, times.values()))
    out: list[str] = []
    for function in sorted(times, key=lambda one: (-max(times[one]), one)):
        too_long = max(times[function]) > LONGEST_S
        if left <= budget_s and not too_long:
            break
        if function.partition("::")[0] in ALWAYS:
            continue
        if too_long or function not in quickest.values():
            left -= sum(times[function])
            out.append(function)
    return out


def main() -> None:
    """Read a run's report and write the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "report", type=Path, nargs="+", help="JUnit reports of runs with --all, all on machines equally idle"
    )
    parser.add_argument("--budget", type=float, default=BUDGET_S, metavar="SECONDS", help="default: %(default)g")
    asked = parser.parse_args()
    times: dict[str, list[float]] = {}
    for report in asked.report:
        times |= times_in(report)
    found = slow_functions(times, asked.budget)
    LIST.write_text("".join(f"{one} {sum(times[one]):.0f}\n" for one in sorted(found)), encoding="utf-8")
    sys.stdout.write(f"{len(found)} slow test functions in {LIST.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
