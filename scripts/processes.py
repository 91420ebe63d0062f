"""The machine's resources that processes use, by `/proc`: processor time and memory. For the scripts that measure."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_GONE = (FileNotFoundError, ProcessLookupError)
_TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> Iterator[int]:
    """A process and all its descendants; none if it has gone."""
    with suppress(*_GONE):
        children = [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
        yield pid
        for child in children:
            yield from family(child)


def processor_s(pid: int) -> float:
    """Processor seconds of a process and its running descendants; without ended ones."""
    taken = 0
    for one in family(pid):
        with suppress(*_GONE):
            numbers = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            taken += int(numbers[11]) + int(numbers[12])
    return taken / _TICKS


def resident_bytes(pid: int) -> int:
    """A process's memory, including shared memory; 0 if it has gone."""
    with suppress(*_GONE):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Rss:"):
                return int(line.split()[1]) * 1024
    return 0


def started_as(pid: int) -> str:
    """The words that a process was started with; empty where it is gone."""
    with suppress(*_GONE):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    return ""
