"""Work in processes of their own, for one picture each or kept warm: bounded, and gone whatever becomes of them."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from api.processes.sandbox import Bounds, EndedError, Job, RefusalError, Sandbox
from api.processes.warm import WarmBounds, WarmProcess
from tests.support import apart_jobs
from tests.support.waiting import BOUND_S, Bell, wait_for_end


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


@pytest.mark.serial
def test_bounds_of_a_warm_process() -> None:
    looks = WarmProcess(apart_jobs.quick, WarmBounds(cpu_s=1, wall_s=BOUND_S))
    assert looks.look(b"abc", {"do": "length"}) == {"bytes": 3}
    with pytest.raises(RefusalError, match="nothing in 3 bytes"):
        looks.look(b"abc", {"do": "refuses"})
    for do, why in (("works", "time"), ("grows", "memory"), ("opens", "fault"), ("dies", "outside")):
        with pytest.raises(EndedError) as ended:
            looks.look(b"abc", {"do": do})
        assert ended.value.why == why, do
        assert looks.pid is None
    looks.close()


def test_who_asks_meanwhile_is_refused_and_nothing_is_done_once_it_is_closed(tmp_path: Path) -> None:
    looks = WarmProcess(apart_jobs.quick, WarmBounds(wall_s=BOUND_S, turn_s=0.0, sealed=False))
    bell = Bell(tmp_path / "bell")
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(looks.look, b"", {"do": "waits", "bell": str(bell.path)})
        pid = int(bell.wait())
        assert looks.pid == pid
        with pytest.raises(EndedError) as busy:
            looks.look(b"abc", {"do": "length"})
        looks.close()
        outside = first.exception(BOUND_S)
    assert isinstance(outside, EndedError) and (busy.value.why, outside.why) == ("busy", "outside")
    assert looks.pid is None
    with pytest.raises(EndedError):
        looks.look(b"abc", {"do": "length"})


def test_a_process_that_nobody_asks_ends() -> None:
    looks = WarmProcess(apart_jobs.quick, WarmBounds(idle_s=1, wall_s=BOUND_S))
    assert looks.look(b"abc", {"do": "length"}) == {"bytes": 3}
    first = looks.pid
    assert first is not None
    wait_for_end(first)
    assert looks.look(b"ab", {"do": "length"}) == {"bytes": 2} and looks.pid != first
    looks.close()


def test_bytes_are_made_and_files_opened_where_it_is_not_sealed() -> None:
    process = WarmProcess(apart_jobs.files, WarmBounds(sealed=False))
    made = process.make(__file__.encode())
    assert made == b"\0" * 1_000_000 + Path(__file__).read_bytes()
    process.close()
