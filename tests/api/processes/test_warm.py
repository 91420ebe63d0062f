"""Work in a process that is kept warm: bounded, and gone whatever becomes of it."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from api.processes.warm import EndedError, RefusalError, WarmBounds, WarmProcess
from tests.support import apart_jobs
from tests.support.waiting import BOUND_S, Bell, wait_for_end


def asked(looks: WarmProcess, do: str, data: str = "abc", **more: str) -> Any:
    return json.loads(looks.make(json.dumps([do, data, more]).encode()))


@pytest.mark.serial
def test_bounds_of_a_warm_process() -> None:
    looks = WarmProcess(apart_jobs.quick, WarmBounds(cpu_s=1, wall_s=BOUND_S))
    assert asked(looks, "length") == {"bytes": 3}
    with pytest.raises(RefusalError, match="nothing in 3 bytes"):
        asked(looks, "refuses")
    for do, why in (("works", "time"), ("grows", "memory"), ("opens", "fault"), ("dies", "outside")):
        with pytest.raises(EndedError) as ended:
            asked(looks, do)
        assert ended.value.why == why, do
        assert looks.pid is None
    looks.close()


def test_who_asks_meanwhile_is_refused_and_nothing_is_done_once_it_is_closed(tmp_path: Path) -> None:
    looks = WarmProcess(apart_jobs.quick, WarmBounds(wall_s=BOUND_S, turn_s=0.0, sealed=False))
    bell = Bell(tmp_path / "bell")
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(asked, looks, "waits", "", bell=str(bell.path))
        pid = int(bell.wait())
        assert looks.pid == pid
        with pytest.raises(EndedError) as busy:
            asked(looks, "length")
        looks.close()
        outside = first.exception(BOUND_S)
    assert isinstance(outside, EndedError) and (busy.value.why, outside.why) == ("busy", "outside")
    assert looks.pid is None
    with pytest.raises(EndedError):
        asked(looks, "length")


def test_a_process_that_nobody_asks_ends() -> None:
    looks = WarmProcess(apart_jobs.quick, WarmBounds(idle_s=1, wall_s=BOUND_S))
    assert asked(looks, "length") == {"bytes": 3}
    first = looks.pid
    assert first is not None
    wait_for_end(first)
    assert asked(looks, "length", "ab") == {"bytes": 2} and looks.pid != first
    looks.close()
