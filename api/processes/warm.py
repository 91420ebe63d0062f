"""Work of one kind, one piece after another, in a process that is kept warm and may die without harm.

The process is bounded: in memory, in processor time, in wall-clock time, and where it is sealed it can open no file
once it is ready. It takes bytes through one pipe and answers bytes through another. After it has been idle for a while
it ends, and the next piece of work starts another.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Literal

from api.processes.limits import OUT_OF_MEMORY, OUT_OF_TIME, bound_cpu, give_way
from api.processes.pipes import HEAD, PipedProcess, PipeError, fill, say, say_ready, told_job

Work = Callable[[bytes], bytes]
"""Turns bytes into bytes; raises RefusalError."""

Job = Callable[[], Work]
"""Loads everything that the work needs, so that nothing is loaded later. A function of a module, since the process
finds it by its name."""


class RefusalError(ValueError):
    """The work can't be done with this input; the sentence says why."""


class EndedError(Exception):
    """There is no answer: the process is busy with other work, or it was ended by its limits, by a fault of the program
    that is logged on the server's terminal, or from outside."""

    def __init__(self, why: Literal["busy", "memory", "time", "fault", "outside"]) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class WarmBounds:
    """The limits of one piece of work: ``memory_bytes`` of total address space, ``cpu_s`` seconds of a processor,
    ``wall_s`` seconds on the clock, which only end work that waits in vain, ``start_s`` more while the process starts.
    A caller waits ``turn_s`` for the piece before to end. The process ends ``idle_s`` seconds after the last one; where
    it is ``sealed`` it opens no file."""

    memory_bytes: int = 1_500_000_000
    cpu_s: int = 5
    wall_s: float = 20.0
    start_s: float = 30.0
    turn_s: float = 0.6
    idle_s: int = 120
    sealed: bool = True


class WarmProcess:
    """A warm process for such work; any thread may call."""

    def __init__(self, job: Job, bounds: WarmBounds | None = None) -> None:
        self.job = job
        self.bounds = bounds or WarmBounds()
        self._turn = threading.Lock()
        self._process: _Process | None = None
        self._closed = self._interrupted = False

    @property
    def pid(self) -> int | None:
        """The current process."""
        process = self._process
        return None if process is None else process.process.pid

    @property
    def is_warm(self) -> bool:
        """Whether there is a process."""
        process = self._process
        return process is not None and process.process.poll() is None

    def close(self) -> None:
        """End the process, and the work that it may be doing."""
        self._closed = True
        self.interrupt()
        with self._turn:
            self._drop()

    def interrupt(self) -> None:
        """End the work that the process is doing or about to begin, and the process; none begins until
        :meth:`renew`."""
        self._interrupted = True
        process = self._process
        if process is not None:
            process.process.kill()

    def renew(self) -> None:
        """Have the next piece of work start another process after an interruption."""
        with self._turn:
            if self._interrupted:
                self._drop()
                self._interrupted = False

    def make(self, data: bytes) -> bytes:
        """The work's result; raises RefusalError as the work does, and EndedError: busy, or the process was ended."""
        if not self._turn.acquire(timeout=self.bounds.turn_s):
            raise EndedError("busy")
        try:
            if self._closed:
                raise EndedError("outside")
            try:
                return self._ask(data)
            except _IdleError:  # it ended for lack of work just now
                return self._ask(data)
        finally:
            self._turn.release()

    def _ask(self, data: bytes) -> bytes:
        if self._process is not None and self._process.process.poll() is not None:
            self._drop()  # it ended for lack of work
        if self._process is None:
            try:
                self._process = _Process(self.job, self.bounds)
            except OSError as error:  # the machine can't start another process
                raise EndedError("outside") from error
        whole = False
        try:
            if self._interrupted:  # before there was a process to end
                raise EndedError("outside")
            made = self._process.answer(data)
            whole = True
            return made
        except RefusalError:
            whole = True
            raise
        finally:
            if not whole:  # the rest of its answer is still in the pipe
                self._drop()

    def _drop(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


class _IdleError(EndedError):
    """The process ended for lack of work before it took this piece."""


class _Process(PipedProcess):
    """The current process, and the two pipes to it."""

    def __init__(self, job: Job, bounds: WarmBounds) -> None:
        numbers = (bounds.memory_bytes, bounds.cpu_s, bounds.idle_s, int(bounds.sealed))
        super().__init__("api.processes.warm", job, numbers)
        self.bounds = bounds

    def answer(self, data: bytes) -> bytes:
        """The result of one piece of work; raises RefusalError where the process refuses it."""
        try:
            self.wait_ready(self.bounds.start_s)
            with self.ended_after(self.bounds.wall_s):
                self.send({}, data)
                told = self.receive()
                if not told.keys() & {"bytes", "refused"}:
                    raise PipeError
                made = self.fill(bytearray(told.get("bytes", 0)))
        except (PipeError, OSError) as error:
            if self.status() == 0:
                raise _IdleError("outside") from error
            raise EndedError(self._why()) from error
        if "refused" in told:
            raise RefusalError(str(told["refused"]))
        return bytes(made)

    def _why(self) -> Literal["memory", "time", "fault", "outside"]:
        status = self.status()
        if self.late or (status is not None and status == OUT_OF_TIME):
            return "time"
        if status == OUT_OF_MEMORY:
            return "memory"
        return "fault" if status == 1 else "outside"  # Python's own status where an exception ends it


# --- the process's own side ------------------------------------------------------------------------------------------


def main() -> None:
    """The process's entry point: ``sys.argv`` has the job's module and name, bytes of memory, seconds, idle seconds,
    and whether it is sealed."""
    job, (memory_bytes, cpu_s, idle_s, sealed) = told_job()
    give_way()
    work: Work = job()
    say_ready(memory_bytes, sealed=bool(sealed))
    with open(0, "rb", buffering=0, closefd=False) as source, suppress(PipeError):
        while _has_more(source, idle_s):
            size, length = HEAD.unpack(_read(source, HEAD.size))
            bound_cpu(cpu_s)
            _read(source, size)
            try:
                made = work(bytes(_read(source, length)))
            except RefusalError as error:
                say({"refused": str(error)})
                continue
            except MemoryError:
                os._exit(OUT_OF_MEMORY)
            say({"bytes": len(made)}, made)


def _has_more(source: IO[bytes], idle_s: int) -> bool:
    """Whether a message, or the pipe's end, arrives within so many seconds."""
    if sys.platform == "win32":
        return True  # a pipe can't be waited for there: the process stays as long as the server
    return bool(select.select([source], [], [], idle_s)[0])


def _read(source: IO[bytes], count: int) -> bytearray:
    buffer = bytearray(count)
    fill(source, buffer)
    return buffer
