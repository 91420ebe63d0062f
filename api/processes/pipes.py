"""Messages through the two pipes of a process that is kept warm and may die: JSON, and bytes after it.

:class:`PipedProcess` is the server's side, which trusts nothing; the functions below are the process's own.
"""

from __future__ import annotations

import importlib
import json
import signal
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import IO, Any

from api.processes.limits import bound_memory, open_no_more
from api.processes.starting import end_process, start_process

HEAD = struct.Struct(">IQ")
"""Before each message: length of its JSON, length of the bytes after it."""
_MOST_JSON = 64_000


class PipeError(Exception):
    """The process's side of the pipe is closed, or its message is invalid."""


class PipedProcess:
    """A process that runs the ``main`` of a module on a job, and the two pipes to it (see
    :func:`api.processes.starting.start_process`)."""

    def __init__(self, module: str, job: Callable[..., Any], numbers: tuple[int, ...], *, pipesize: int = -1) -> None:
        self.process = start_process(module, job, numbers, bufsize=0, pipesize=pipesize)
        assert self.process.stdin is not None and self.process.stdout is not None
        self._to, self._from = self.process.stdin, self.process.stdout
        self.ready = False
        self.late = False
        self.end = weakref.finalize(self, end_process, self.process)

    def wait_ready(self, seconds: float) -> None:
        """Wait until it says that it is ready, unless it has already; raises PipeError, OSError."""
        if not self.ready:
            with self.ended_after(seconds):
                self.ready = self.receive().get("ready") is True

    def send(self, header: dict[str, Any], data: bytes) -> None:
        """Send a message; raises OSError."""
        body = json.dumps(header).encode()
        for part in (HEAD.pack(len(body), len(data)), body, data):
            rest = memoryview(part)
            while rest:
                rest = rest[self._to.write(rest) :]

    def receive(self) -> dict[str, Any]:
        """The JSON of its next message; raises PipeError, OSError."""
        size, _ = HEAD.unpack(self.fill(bytearray(HEAD.size)))
        if size > _MOST_JSON:
            raise PipeError
        try:
            header = json.loads(self.fill(bytearray(size)))
        except ValueError as error:
            raise PipeError from error
        if not isinstance(header, dict):
            raise PipeError
        return header

    def fill(self, buffer: Any) -> Any:
        """Fill a buffer with the next bytes from the process; raises PipeError, OSError."""
        fill(self._from, buffer)
        return buffer

    @contextmanager
    def ended_after(self, seconds: float) -> Iterator[None]:
        """End the process where the block takes longer, and note it as ``late``: the pipes then break."""

        def out_of_time() -> None:
            self.late = True
            self.process.kill()

        timer = threading.Timer(seconds, out_of_time)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def status(self) -> int | None:
        """How it ended, where its pipes broke a moment ago."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(2.0)
        return self.process.returncode


def fill(pipe: IO[bytes], buffer: Any) -> None:
    """Fill a buffer from an unbuffered pipe; raises PipeError where the other side is gone."""
    rest = memoryview(buffer)
    while rest:
        count = pipe.readinto(rest)  # type: ignore[attr-defined]
        if not count:
            raise PipeError
        rest = rest[count:]


# --- the process's own side ------------------------------------------------------------------------------------------


def told_job() -> tuple[Any, list[int]]:
    """The job and the numbers in ``sys.argv``."""
    answers()
    module, name, *numbers = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server, which then ends us
    return getattr(importlib.import_module(module), name), [int(number) for number in numbers]


@cache
def answers() -> IO[bytes]:
    """The pipe to the server; output of other packages goes to the server's terminal instead."""
    pipe, sys.stdout = sys.stdout.buffer, sys.stderr
    return pipe


def say_ready(memory_bytes: int, *, sealed: bool = True) -> None:
    """Limit this process to so many bytes of address space in total and, where it is sealed, to the files that are open
    now; and say that it is ready."""
    bound_memory(memory_bytes)
    if sealed:
        open_no_more()
    say({"ready": True})


def say(header: dict[str, Any], data: Any = b"") -> None:
    """Send a message to the server."""
    body = json.dumps(header).encode()
    out = answers()
    out.write(HEAD.pack(len(body), len(data)) + body)
    out.write(data)
    out.flush()
