"""Waiting for what other threads and processes do. The bound is there so that nothing hangs: no test depends on it."""

import os
import select
import weakref
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier
from typing import TypeVar

T = TypeVar("T")
BOUND_S = 60.0


def wait_for_end(pid: int) -> None:
    """Wait until a process has ended, whoever started it."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([handle], [], [], BOUND_S)[0], f"the process {pid} goes on"
    finally:
        os.close(handle)


class Bell:
    """A named pipe that processes ring, once a line; whoever waits hears each once."""

    def __init__(self, path: Path) -> None:
        with suppress(FileExistsError):
            os.mkfifo(path)
        self.path = path
        self._pipe = os.open(path, os.O_RDWR)  # both ways, so that it never ends
        weakref.finalize(self, os.close, self._pipe)

    def ring(self, says: object = "") -> None:
        os.write(self._pipe, f"{says}\n".encode())

    def wait(self) -> str:
        said = b""
        while not said.endswith(b"\n"):
            assert select.select([self._pipe], [], [], BOUND_S)[0], f"nobody rang {self.path.name}"
            said += os.read(self._pipe, 1)
        return said.decode().strip()


def all_at_once(jobs: Iterable[Callable[[], T]]) -> list[T | Exception]:
    """What jobs gave or raised, each in a thread of its own, none of which begins before all are there."""
    jobs = list(jobs)
    barrier = Barrier(len(jobs))

    def one(job: Callable[[], T]) -> T | Exception:
        barrier.wait(BOUND_S)
        try:
            return job()
        except Exception as error:  # noqa: BLE001 - handed to the test
            return error

    with ThreadPoolExecutor(len(jobs)) as threads:
        return list(threads.map(one, jobs))
