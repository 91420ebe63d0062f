"""Looks at pictures in processes of their own: bounded, and gone whatever becomes of them."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from api.processes.sandbox import Bounds, EndedError, Job, RefusalError, Sandbox
from tests.support import apart_jobs
from tests.support.waiting import BOUND_S, Bell


def test_an_answer_a_refusal_and_a_fault_which_the_process_tells(capfd: pytest.CaptureFixture[str]) -> None:
    looks = Sandbox(apart_jobs.length)
    assert looks.look(b"\n\0" * 500_000, {"a": [1, 2.5]}) == {"bytes": 1_000_000, "asked": {"a": [1, 2.5]}}
    with pytest.raises(RefusalError, match="There is nothing in 4 bytes"):
        Sandbox(apart_jobs.refuses).look(b"none", {})
    with pytest.raises(RuntimeError, match="its process has told how"):
        Sandbox(apart_jobs.fails).look(b"", {})
    assert "KeyError: 'a fault of the program'" in capfd.readouterr().err
    assert looks.pids == []


@pytest.mark.serial
@pytest.mark.parametrize(
    ("job", "bounds", "why"),
    [
        (apart_jobs.waits, Bounds(wall_s=0.5), "time"),
        (apart_jobs.works, Bounds(cpu_s=1), "time"),
        (apart_jobs.grows, Bounds(memory_bytes=1_000_000_000), "memory"),
        (apart_jobs.dies, Bounds(), "outside"),
    ],
)
def test_bounds(job: Job, bounds: Bounds, why: str) -> None:
    looks = Sandbox(job, bounds)
    with pytest.raises(EndedError) as ended:
        looks.look(b"a picture", {})
    assert ended.value.why == why and looks.pids == []


def test_more_than_may_be_at_once_and_the_end_of_the_server(tmp_path: Path) -> None:
    looks, bell = Sandbox(apart_jobs.waits, Bounds(at_once=1)), Bell(tmp_path / "bell")
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(looks.look, b"", {"bell": str(bell.path)})
        pid = int(bell.wait())
        assert looks.pids == [pid]
        with pytest.raises(EndedError) as busy:
            looks.look(b"", {})
        looks.close()
        outside = first.exception(BOUND_S)
    assert isinstance(outside, EndedError) and (busy.value.why, outside.why) == ("busy", "outside")
    assert looks.pids == []
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
