"""Work in a process that is kept warm: bounded, followed by another when it dies, gone when nobody asks."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from api.processes.sandbox import EndedError, RefusalError
from api.processes.warm import WarmBounds, WarmProcess
from tests.support import apart_jobs


def test_bounds() -> None:
    looks = WarmProcess(apart_jobs.quick, WarmBounds(wall_s=1.0, cpu_s=1, turn_s=0.05))
    assert looks.look(b"abc", {"do": "length"}) == {"bytes": 3}
    with pytest.raises(RefusalError, match="nothing in 3 bytes"):
        looks.look(b"abc", {"do": "refuses"})
    pid = looks.pid
    for do, why in (("works", "time"), ("grows", "memory"), ("opens", "fault"), ("dies", "outside")):
        with pytest.raises(EndedError) as ended:
            looks.look(b"abc", {"do": do})
        assert ended.value.why == why, do
        assert looks.pid is None
    told: list[str] = []

    def late() -> None:
        with pytest.raises(EndedError) as ended:
            looks.look(b"", {"do": "sleeps"})
        told.append(ended.value.why)

    first = threading.Thread(target=late)
    first.start()
    while looks.pid is None:
        time.sleep(0.01)
    with pytest.raises(EndedError) as ended:
        looks.look(b"abc", {"do": "length"})
    assert ended.value.why == "busy"
    looks.close()
    first.join(10)
    assert told == ["outside"] and looks.pid is None and pid is not None
    with pytest.raises(EndedError):
        looks.look(b"abc", {"do": "length"})


def test_a_process_that_nobody_asks_ends_by_itself() -> None:
    looks = WarmProcess(apart_jobs.quick, WarmBounds(idle_s=1))
    assert looks.look(b"abc", {"do": "length"}) == {"bytes": 3}
    first = looks.pid
    time.sleep(1.5)
    assert looks.look(b"ab", {"do": "length"}) == {"bytes": 2}
    assert looks.pid != first
    looks.close()


def test_bytes_are_made_and_files_opened_where_it_is_not_sealed() -> None:
    process = WarmProcess(apart_jobs.files, WarmBounds(sealed=False))
    made = process.make(__file__.encode())
    assert made == b"\0" * 1_000_000 + Path(__file__).read_bytes()
    process.close()
