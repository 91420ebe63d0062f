"""Long looks at a stored picture, each in a process of its own that may die without harm.

The process is bounded: in memory, in processor time, in time on the clock. It takes what is asked and the picture's
bytes through one pipe and answers JSON through another; then it is gone, with all the memory that it took.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import BoundedSemaphore, Lock
from typing import Any, Literal

from api.processes.limits import OUT_OF_MEMORY, OUT_OF_TIME, bound_cpu, bound_memory, give_way
from api.processes.pipes import answers, told_job
from api.processes.starting import end_process, start_process

Job = Callable[[bytes, Mapping[str, Any]], dict[str, Any]]
"""A picture's bytes and what is asked of it (JSON); answers JSON, and raises RefusalError. A function of a module,
since the process finds it by its name."""


@dataclass(frozen=True)
class Bounds:
    """What one look may take: ``memory_bytes`` of address space in all, ``cpu_s`` seconds of a processor, ``wall_s``
    seconds on the clock; and how many looks may be taken ``at_once``."""

    memory_bytes: int = 2_000_000_000
    cpu_s: int = 60
    wall_s: float = 90.0
    at_once: int = 2


class RefusalError(ValueError):
    """The picture does not show what is asked for; the sentence says why."""


class EndedError(Exception):
    """There is no answer: too many are being asked for, or the process was ended by its bounds, by a fault of the
    program that it has told on this one's terminal, or from outside."""

    def __init__(self, why: Literal["busy", "memory", "time", "fault", "outside"]) -> None:
        super().__init__(why)
        self.why = why


class Sandbox:
    """What takes such looks; any thread may call. ``job`` is what a look does."""

    def __init__(self, job: Job, bounds: Bounds | None = None) -> None:
        self.job = job
        self.bounds = bounds or Bounds()
        self._room = BoundedSemaphore(self.bounds.at_once)
        self._lock = Lock()
        self._running: set[subprocess.Popen[bytes]] = set()

    @property
    def pids(self) -> list[int]:
        """The processes there are now."""
        with self._lock:
            return [process.pid for process in self._running]

    def close(self) -> None:
        """End what is running."""
        with self._lock:
            for process in self._running:
                process.kill()

    def look(self, data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What the job answers.

        Raises RefusalError as the job does, EndedError, and RuntimeError for a fault of the program, which the process
        has then told on this one's terminal.
        """
        if not self._room.acquire(blocking=False):
            raise EndedError("busy")
        try:
            return self._run_process(json.dumps(asked).encode() + b"\n" + data)
        finally:
            self._room.release()

    def _run_process(self, sent: bytes) -> dict[str, Any]:
        process = self._start_process()
        try:
            out, _ = process.communicate(sent, self.bounds.wall_s)
        except subprocess.TimeoutExpired as error:
            raise EndedError("time") from error
        finally:
            end_process(process)
            with self._lock:
                self._running.discard(process)
        match process.returncode:
            case 0:
                return _answer(out)
            case status if status == OUT_OF_MEMORY:
                raise EndedError("memory")
            case status if status == OUT_OF_TIME:
                raise EndedError("time")
            case status if status < 0:
                raise EndedError("outside")
        raise RuntimeError("A look at a picture failed; its process has told how.")

    def _start_process(self) -> subprocess.Popen[bytes]:
        numbers = (self.bounds.memory_bytes, self.bounds.cpu_s)
        with self._lock:
            process = start_process("api.processes.sandbox", self.job, numbers)
            self._running.add(process)
        return process


def _answer(out: bytes) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(out)
    if "refused" in told:
        raise RefusalError(str(told["refused"]))
    answer: dict[str, Any] = told["found"]
    return answer


# --- the process's own side ------------------------------------------------------------------------------------------


def main() -> None:
    """What the process does: ``sys.argv`` has the job's module and name, bytes of memory, seconds."""
    job, (memory_bytes, cpu_s) = told_job()
    give_way()
    bound_memory(memory_bytes)
    bound_cpu(cpu_s)
    try:
        asked = json.loads(sys.stdin.buffer.readline())
        told: dict[str, Any] = {"found": job(sys.stdin.buffer.read(), asked)}
    except RefusalError as error:
        told = {"refused": str(error)}
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    answers().write(json.dumps(told).encode())
    answers().flush()
