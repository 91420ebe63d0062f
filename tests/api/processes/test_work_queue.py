"""Heavy work: seats take turns at a few processes, equal requests share a result, what nobody awaits is dropped."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from threading import Event
from typing import Any
from unittest.mock import Mock

import pytest

from api.errors import BusyError
from api.processes import pipes, work_queue
from api.processes.work_queue import BOUNDS, LeftError, Processes, RefusedError, Task, WorkQueue, work_processes
from tests.support import apart_jobs
from tests.support.waiting import BOUND_S, Bell, wait_for_end


class Held(Processes):
    """Processes of which each holds its work until that is let go by its name."""

    class One:
        def __init__(self) -> None:
            self.interrupted = Event()
            self.interrupt = self.interrupted.set

    def __init__(self, at_once: int = 3) -> None:
        super().__init__(apart_jobs.calls, at_once)
        self.begun: SimpleQueue[str] = SimpleQueue()
        self.go_on: dict[str, Event] = {}
        self.running: dict[str, Any] = {}

    def take(self, *, sealed: bool = False) -> Any:
        return Held.One()

    def put_back(self, process: Any) -> None:
        assert not self.running.pop("", None)

    def do(self, process: Any, call: Callable[[], bytes]) -> bytes:
        name = call().decode()
        self.running[name] = process
        self.go_on[name] = Event()
        self.begun.put(name)
        assert self.go_on[name].wait(BOUND_S)
        return call()

    async def next(self) -> str:
        return await asyncio.to_thread(self.begun.get, timeout=BOUND_S)


def named(name: str) -> Task:
    return Task((name,), name.encode)


def asked(queue: WorkQueue, seat: str, name: str) -> asyncio.Future[bytes]:
    return asyncio.ensure_future(queue.make(seat, named(name)))


def test_seats_take_turns_and_one_has_at_most_two_at_once() -> None:
    async def evening() -> None:
        held = Held()
        queue = WorkQueue(held)
        greedy = [asked(queue, "greedy", f"g{n}") for n in range(6)]
        assert {await held.next(), await held.next()} == {"g0", "g1"}
        others = [asked(queue, "ben", "b0"), asked(queue, "carla", "c0"), asked(queue, "carla", "c1")]
        assert await held.next() == "b0", "a process was kept free"
        for done, begins in (("g0", "c0"), ("b0", "g2"), ("g1", "c1"), ("c0", "g3")):
            held.go_on[done].set()
            assert await held.next() == begins
        held.go_on["c1"].set()
        assert await others[2] == b"c1" and held.begun.empty(), "the third process stays free for others"
        held.go_on["g2"].set()
        assert await held.next() == "g4"
        held.go_on["g3"].set()
        assert await held.next() == "g5"
        for event in held.go_on.values():
            event.set()
        assert len(await asyncio.gather(*greedy, *others)) == 9

    asyncio.run(evening())


def test_what_several_ask_for_is_made_once_and_dropped_once_nobody_waits() -> None:
    async def evening() -> None:
        held = Held(1)
        queue = WorkQueue(held)
        first, second = asked(queue, "anna", "same"), asked(queue, "ben", "same")
        assert await held.next() == "same"
        waiting = asked(queue, "ben", "later")
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        assert not held.running["same"].interrupted.is_set(), "another seat waits for it"
        held.go_on["same"].set()
        assert await second == b"same" == await asked(queue, "carla", "same")
        assert await held.next() == "later"
        never = asked(queue, "carla", "never")
        await asyncio.sleep(0)
        for one in (never, waiting):
            one.cancel()
        await asyncio.gather(never, waiting, return_exceptions=True)
        assert held.running["later"].interrupted.is_set() and queue.under_way == 0
        again = asked(queue, "ben", "later")
        held.go_on["later"].set()
        assert await held.next() == "later", "it begins anew, and what nobody waits for never does"
        queue.close()
        for refused in (again, asked(queue, "ben", "more")):
            with pytest.raises(LeftError):
                await refused
        held.go_on["later"].set()

    asyncio.run(evening())


def test_results_are_kept_up_to_a_limit_for_every_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    processes, calls = Processes(apart_jobs.calls, 1), Held(1)
    calls.do = lambda _process, call: call()  # type: ignore[method-assign]
    small = WorkQueue(calls, most_bytes=250)
    for n in range(6):
        asyncio.run(small.make("anna", Task((n,), partial(bytes, 100))))
    assert small.kept_bytes == 200 and small.kept((5,)) == bytes(100) and small.kept((0,)) is None
    for n in range(3):
        asyncio.run(small.make("anna", Task(("look", "game", n), partial(bytes, 100), instead_of=("look", "game"))))
    assert small.kept(("look", "game", 1)) is None and small.kept((5,)) and small.kept_bytes == 200, "the last look"
    many, counted = WorkQueue(calls, most_bytes=400), Mock(wraps=len)
    monkeypatch.setattr(work_queue, "len", counted, raising=False)
    for n in range(200):
        asyncio.run(many.make(f"seat {n}", Task((n,), partial(bytes, 2))))
    asyncio.run(many.make("anna", Task(("large",), partial(bytes, 399))))
    assert many.kept_bytes == 399 and counted.call_count < 2000, "each is looked at a few times"
    assert len(vars(many)["_running"]) + len(vars(many)["_seats"]) <= 2, "nothing stays of seats that wait for nothing"
    queue = WorkQueue(processes)
    first = asyncio.run(queue.make("anna", Task((1,), apart_jobs.pid)))
    assert first == asyncio.run(queue.make("ben", Task((2,), apart_jobs.pid))) != str(os.getpid()).encode()
    assert asyncio.run(queue.make("anna", Task(("says",), apart_jobs.prints))) == b"made", "not what is printed"
    with pytest.raises(BusyError) as ended:
        asyncio.run(queue.make("anna", Task((3,), apart_jobs.ends)))
    assert "This machine ended the work on this" in str(ended.value.detail)
    assert asyncio.run(queue.make("anna", Task((3,), apart_jobs.pid))) != first, "what fails is not kept"
    several = WorkQueue(Processes(apart_jobs.calls, 2))
    pids = {asyncio.run(several.make("anna", Task((n,), apart_jobs.pid))) for n in range(3)}
    assert len(pids) == 1, "a process that is warm is taken first"


def test_work_that_is_dropped_before_its_process_starts_is_not_begun_and_ends_no_other_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    processes = Processes(apart_jobs.calls, 1)
    process = processes.take()
    process.interrupt()
    with pytest.raises(BusyError):
        processes.do(process, apart_jobs.pid)
    processes.put_back(process)
    first = processes.do(processes.take(), apart_jobs.pid)
    process.interrupt()  # its work is done, and it has not ended yet
    processes.put_back(process)
    assert processes.do(processes.take(), apart_jobs.pid) != first
    monkeypatch.setattr(pipes, "start_process", Mock(side_effect=BlockingIOError("no more processes")))
    with pytest.raises(BusyError):
        processes.do(Processes(apart_jobs.calls, 1).take(), apart_jobs.pid)


def test_a_process_whose_work_nobody_awaits_ends(tmp_path: Any, capfd: pytest.CaptureFixture[str]) -> None:
    bell = Bell(tmp_path / "bell")

    async def evening() -> None:
        queue = WorkQueue(Processes(apart_jobs.calls, 1))
        call: Any = partial(apart_jobs.waits, b"", {"bell": str(bell.path)})
        left = asyncio.ensure_future(queue.make("anna", Task(("left",), call)))
        pid = int(await asyncio.to_thread(bell.wait))
        left.cancel()
        await asyncio.to_thread(wait_for_end, pid)
        assert int(await queue.make("anna", Task(("next",), apart_jobs.pid))) != pid
        with pytest.raises(RuntimeError, match="its process has logged the error"):
            await queue.make("anna", Task(("fault",), partial(apart_jobs.fails, b"", {})))  # type: ignore[arg-type]

    asyncio.run(evening())
    assert "a fault of the program" in capfd.readouterr().err


@pytest.mark.serial
def test_what_can_not_be_done_is_said() -> None:
    for job, bounds, words in (
        (apart_jobs.waits, replace(BOUNDS, wall_s=0.3), "could not be done in 0.3 seconds"),
        (apart_jobs.grows, replace(BOUNDS, memory_bytes=1_500_000_000), "takes more than the 1500 MB of memory"),
    ):
        with pytest.raises(BusyError) as ended:
            processes = Processes(apart_jobs.calls, 1, bounds)
            processes.do(processes.take(), partial(job, b"", {}))  # type: ignore[arg-type]
        assert words in str(ended.value.detail)
    with pytest.raises(RefusedError) as refused:
        processes = work_processes()
        processes.do(processes.take(), apart_jobs.unknown_sheet)
    with pytest.raises(RuntimeError):  # what looks at files of strangers opens none
        processes = Processes(apart_jobs.calls, 1)
        processes.do(processes.take(sealed=True), partial(apart_jobs.opens, b"", {}))  # type: ignore[arg-type]
    assert refused.value.kinds[0] == "UsageError" and "no sheet" in str(refused.value)
