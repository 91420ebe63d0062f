"""Quick looks at small pictures, one after another, in a process that is kept warm and may die without harm.

The process is bounded: in memory, in processor time, in time on the clock, and once it is ready it can open no file. It
takes what is asked and a picture's bytes through one pipe and answers JSON through another. When nobody has asked for a
while it ends, and the next look starts another.
"""

from __future__ import annotations

import json
import os
import select
import signal
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, Literal

from api.photos.pipes import HEAD, PipedProcess, PipeError, fill, say, say_ready, told_job
from api.photos.processes import OUT_OF_MEMORY, allow_cpu
from api.photos.sandbox import EndedError, RefusalError

_GIVES_WAY = 5

Look = Callable[[bytes, Mapping[str, Any]], dict[str, Any]]
"""A picture's bytes and what is asked of it (JSON); answers JSON, and raises RefusalError."""

Job = Callable[[], Look]
"""Loads all that the look needs, so that no file is opened later. A function of a module, since the process finds it by
its name."""


@dataclass(frozen=True)
class QuickBounds:
    """What one look may take: ``memory_bytes`` of address space in all, ``cpu_s`` seconds of a processor, ``wall_s``
    seconds on the clock, ``start_s`` more while the process starts. Who asks waits ``turn_s`` for the look before to
    end. The process ends ``idle_s`` seconds after the last look."""

    memory_bytes: int = 1_500_000_000
    cpu_s: int = 5
    wall_s: float = 5.0
    start_s: float = 30.0
    turn_s: float = 0.6
    idle_s: int = 120


class QuickLooks:
    """What takes such looks; any thread may call. ``job`` is what a look does."""

    def __init__(self, job: Job, bounds: QuickBounds | None = None) -> None:
        self.job = job
        self.bounds = bounds or QuickBounds()
        self._turn = threading.Lock()
        self._process: _Process | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process there is now."""
        process = self._process
        return None if process is None else process.process.pid

    def close(self) -> None:
        """End the process, and the look that it may be at."""
        self._closed = True
        process = self._process
        if process is not None:
            process.process.kill()
        with self._turn:
            self._drop()

    def look(self, data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What the job answers; raises RefusalError as the job does, and EndedError: busy, or the process was ended."""
        if not self._turn.acquire(timeout=self.bounds.turn_s):
            raise EndedError("busy")
        try:
            if self._closed:
                raise EndedError("outside")
            if self._process is not None and self._process.process.poll() is not None:
                self._drop()  # it ended for want of looks
            if self._process is None:
                self._process = _Process(self.job, self.bounds)
            whole = False
            try:
                told = self._process.look(data, asked)
                whole = True
            finally:
                if not whole:  # what it had to say is left in the pipe
                    self._drop()
        finally:
            self._turn.release()
        if "refused" in told:
            raise RefusalError(str(told["refused"]))
        found: dict[str, Any] = told["found"]
        return found

    def _drop(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


class _Process(PipedProcess):
    """A process that looks, and the two pipes to it."""

    def __init__(self, job: Job, bounds: QuickBounds) -> None:
        super().__init__("api.photos.quick_looks", job, (bounds.memory_bytes, bounds.cpu_s, bounds.idle_s))
        self.bounds = bounds

    def look(self, data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
        """See :meth:`QuickLooks.look`."""
        try:
            self.wait_ready(self.bounds.start_s)
            with self.ended_after(self.bounds.wall_s):
                self.send(dict(asked), data)
                return self._answer(self.receive())
        except (PipeError, OSError) as error:
            raise EndedError(self._why()) from error

    @staticmethod
    def _answer(told: dict[str, Any]) -> dict[str, Any]:
        if not told.keys() & {"found", "refused"}:
            raise PipeError
        return told

    def _why(self) -> Literal["memory", "time", "outside"]:
        status = self.status()
        if self.late or status == -signal.SIGXCPU:
            return "time"
        return "memory" if status == OUT_OF_MEMORY else "outside"


# --- the process's own side ------------------------------------------------------------------------------------------


def main() -> None:
    """What the process does: ``sys.argv`` has the job's module and name, bytes of memory, seconds, idle seconds."""
    job, (memory_bytes, cpu_s, idle_s) = told_job()
    os.nice(_GIVES_WAY)
    look: Look = job()
    say_ready(memory_bytes)
    with open(0, "rb", buffering=0, closefd=False) as source, suppress(PipeError):
        while select.select([source], [], [], idle_s)[0]:
            size, length = HEAD.unpack(_read(source, HEAD.size))
            allow_cpu(cpu_s)
            asked = json.loads(_read(source, size))
            try:
                told: dict[str, Any] = {"found": look(bytes(_read(source, length)), asked)}
            except RefusalError as error:
                told = {"refused": str(error)}
            except MemoryError:
                os._exit(OUT_OF_MEMORY)
            say(told)


def _read(source: IO[bytes], count: int) -> bytearray:
    buffer = bytearray(count)
    fill(source, buffer)
    return buffer
