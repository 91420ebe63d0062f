"""Quick looks at small pictures, one after another, in a process that is kept warm and may die without harm.

The process is bounded: in memory, in processor time, in time on the clock, and once it is ready it can open no file. It
takes what is asked and a picture's bytes through one pipe and answers JSON through another. When nobody has asked for a
while it ends, and the next look starts another.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import select
import signal
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, Literal

from api.photos.processes import OUT_OF_MEMORY, allow_cpu, end_process, start_process
from api.photos.sandbox import EndedError, RefusalError

_HEAD = struct.Struct(">II")  # bytes of the JSON, bytes of the picture after it
_MOST_JSON = 64_000
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
        self._end: weakref.finalize[Any, Any] | None = None
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
                self._end = weakref.finalize(self, end_process, self._process.process)
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
        if self._process is not None and self._end is not None:
            self._end()  # which nobody's forgetting to close leaves undone
            self._process = self._end = None


class _Process:
    """A process and the two pipes to it."""

    def __init__(self, job: Job, bounds: QuickBounds) -> None:
        self.bounds = bounds
        numbers = (bounds.memory_bytes, bounds.cpu_s, bounds.idle_s)
        self.process = start_process("api.photos.quick_looks", job, numbers, bufsize=0)
        self._ready = False

    def look(self, data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
        """See :meth:`QuickLooks.look`."""
        assert self.process.stdin is not None
        late = threading.Event()

        def out_of_time() -> None:
            late.set()
            self.process.kill()

        seconds = self.bounds.wall_s + (0.0 if self._ready else self.bounds.start_s)
        timer = threading.Timer(seconds, out_of_time)
        timer.daemon = True
        timer.start()
        try:
            if not self._ready:
                self._ready = self._answer().get("ready") is True
            body = json.dumps(asked).encode()
            rest = memoryview(_HEAD.pack(len(body), len(data)) + body + data)
            while rest:
                rest = rest[self.process.stdin.write(rest) :]
            return self._answer()
        except (OSError, ValueError, EOFError) as error:
            raise EndedError(self._why(late.is_set())) from error
        finally:
            timer.cancel()
            timer.join()

    def _answer(self) -> dict[str, Any]:
        """What it says next, of which nothing is taken on trust; raises EOFError, ValueError."""
        assert self.process.stdout is not None
        size, _ = _HEAD.unpack(_read(self.process.stdout, _HEAD.size))
        if size > _MOST_JSON:
            raise ValueError("an answer that is too long")
        told = json.loads(_read(self.process.stdout, size))
        if not isinstance(told, dict) or not told.keys() & {"ready", "found", "refused"}:
            raise ValueError("no answer")
        return told

    def _why(self, late: bool) -> Literal["memory", "time", "outside"]:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(2.0)
        if late or self.process.returncode == -signal.SIGXCPU:
            return "time"
        return "memory" if self.process.returncode == OUT_OF_MEMORY else "outside"


def _read(pipe: IO[bytes], count: int) -> bytes:
    """So many bytes; EOFError where the other side is gone."""
    parts = b""
    while len(parts) < count:
        part = pipe.read(count - len(parts))
        if not part:
            raise EOFError
        parts += part
    return parts


# --- the process's own side ------------------------------------------------------------------------------------------


def main() -> None:
    """What the process does: ``sys.argv`` has the job's module and name, bytes of memory, seconds, idle seconds."""
    module, name, *numbers = sys.argv[1:]
    memory_bytes, cpu_s, idle_s = map(int, numbers)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server, which then ends us
    os.nice(_GIVES_WAY)
    look: Look = getattr(importlib.import_module(module), name)()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))  # the two pipes and the terminal: nothing more can be opened
    _send({"ready": True})
    with open(0, "rb", buffering=0, closefd=False) as source, suppress(EOFError):
        while select.select([source], [], [], idle_s)[0]:
            size, length = _HEAD.unpack(_read(source, _HEAD.size))
            allow_cpu(cpu_s)
            asked = json.loads(_read(source, size))
            try:
                told: dict[str, Any] = {"found": look(_read(source, length), asked)}
            except RefusalError as error:
                told = {"refused": str(error)}
            except MemoryError:
                os._exit(OUT_OF_MEMORY)
            _send(told)


def _send(told: dict[str, Any]) -> None:
    body = json.dumps(told).encode()
    sys.stdout.buffer.write(_HEAD.pack(len(body), 0) + body)
    sys.stdout.buffer.flush()
