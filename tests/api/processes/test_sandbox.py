"""Looks at pictures in processes of their own: bounded, and gone whatever becomes of them."""

from __future__ import annotations

import os
import threading
import time

import pytest

from api.processes.sandbox import Bounds, EndedError, Job, RefusalError, Sandbox
from tests.support import apart_jobs


def ends(job: Job, bounds: Bounds) -> str:
    """Why a look ends without an answer; no process stays."""
    looks = Sandbox(job, bounds)
    with pytest.raises(EndedError) as ended:
        looks.look(b"a picture", {})
    assert looks.pids == []
    return ended.value.why


def test_an_answer() -> None:
    looks = Sandbox(apart_jobs.length)
    assert looks.look(b"\n\0" * 500_000, {"a": [1, 2.5]}) == {"bytes": 1_000_000, "asked": {"a": [1, 2.5]}}
    assert looks.pids == []


def test_a_refusal() -> None:
    with pytest.raises(RefusalError, match="There is nothing in 4 bytes"):
        Sandbox(apart_jobs.refuses).look(b"none", {})


def test_a_fault_of_the_program_is_told_by_the_process(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match="its process has told how"):
        Sandbox(apart_jobs.fails).look(b"", {})
    assert "KeyError: 'a fault of the program'" in capfd.readouterr().err


@pytest.mark.slow
def test_bounds() -> None:
    assert ends(apart_jobs.sleeps, Bounds(wall_s=0.5)) == "time"
    assert ends(apart_jobs.works, Bounds(cpu_s=1)) == "time"
    assert ends(apart_jobs.grows, Bounds(memory_bytes=1_000_000_000)) == "memory"
    assert ends(apart_jobs.dies, Bounds()) == "outside"


def test_more_than_may_be_at_once_and_the_end_of_the_server() -> None:
    looks, told = Sandbox(apart_jobs.sleeps, Bounds(at_once=1)), []

    def look() -> None:
        try:
            looks.look(b"", {})
        except EndedError as error:
            told.append(error.why)

    first = threading.Thread(target=look)
    first.start()
    until = time.monotonic() + 10
    while not looks.pids:
        assert time.monotonic() < until
        time.sleep(0.01)
    [pid] = looks.pids
    look()
    assert told == ["busy"]
    looks.close()
    first.join(10)
    assert told == ["busy", "outside"] and looks.pids == []
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
