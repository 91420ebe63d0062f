"""Reports and pictures are drawn in processes of their own, so that players who play on are not slowed down.

What is to be drawn goes there as a pickled call of a function of ours, and the file comes back as bytes: nothing that
the process says is unpickled here.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from queue import SimpleQueue
from typing import Any

from api.errors import BusyError
from api.processes.sandbox import EndedError
from api.processes.warm import WarmBounds, WarmProcess, Work

AT_ONCE = 2
"""Files that are drawn at the same time."""
BOUNDS = WarmBounds(cpu_s=120, wall_s=150.0, start_s=60.0, sealed=False)

File = Callable[[], bytes]
"""What makes a file: a ``functools.partial`` of a function of a module, since it is pickled."""


class DrawingProcesses:
    """A few processes that draw, each one file at a time; any thread may call."""

    def __init__(self, job: Callable[[], Work], at_once: int = AT_ONCE, bounds: WarmBounds = BOUNDS) -> None:
        self._bounds = bounds
        self._free: SimpleQueue[WarmProcess] = SimpleQueue()
        for _ in range(at_once):
            self._free.put(WarmProcess(job, bounds))

    def draw(self, file: File) -> bytes:
        """The file, once a process is free; raises BusyError where its process was ended, and RuntimeError for a fault
        of the program, which the process has then told on this one's terminal."""
        call = pickle.dumps(file)
        process = self._free.get()
        try:
            return process.make(call)
        except EndedError as error:
            if error.why == "fault":
                raise RuntimeError("A file could not be drawn; its process has told how.") from error
            raise BusyError(self._words(error.why), headers={"Retry-After": "10"}) from error
        finally:
            self._free.put(process)

    def _words(self, why: str) -> str:
        if why == "time":
            return (
                f"This could not be drawn in {self._bounds.wall_s:g} seconds: try again when less is going on, or ask "
                "for the short report."
            )
        if why == "memory":
            return (
                f"To draw this takes more than the {self._bounds.memory_bytes / 1e6:.0f} MB of memory that are given: "
                "ask for the short report."
            )
        return "This machine ended the drawing of this: try again in some seconds."


def drawing_processes() -> DrawingProcesses:
    """Those of this server."""
    return _processes_finding(tuple(sys.path))


@lru_cache(maxsize=1)
def _processes_finding(_path: tuple[str, ...]) -> DrawingProcesses:
    """They find modules where this process did when they were made."""
    return DrawingProcesses(load_drawing)


def load_drawing() -> Work:
    """What draws, with the writers of reports loaded."""
    import tabletop.aar.html
    import tabletop.aar.pdf  # noqa: F401

    return _draw


def _draw(call: bytes, _asked: Mapping[str, Any]) -> bytes:
    file: File = pickle.loads(call)
    return file()
