"""Limits of a process of ours, where its system has them.

POSIX systems limit memory, processor time and open files; macOS may refuse a limit of memory. Windows has none of these
for a program without special rights: there the wall clock alone ends slow work.
"""

from __future__ import annotations

import math
import os
import signal
import sys
from contextlib import suppress

if sys.platform != "win32":
    import resource

OUT_OF_MEMORY = 86
"""The exit status of a process that reached its limit of memory."""
OUT_OF_TIME: int | None = -signal.SIGXCPU if sys.platform != "win32" else None
"""The exit status of a process that reached its limit of processor time, where there is one."""
_GIVES_WAY = 5
"""The niceness of such a process, so that the server comes first where both want the processor."""


def bound_memory(memory_bytes: int) -> None:
    """Limit this process to so many bytes of address space in total, and let it write no core dump."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def bound_cpu(cpu_s: int) -> None:
    """Limit this process to so many more seconds of a processor."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        until = math.ceil(used.ru_utime + used.ru_stime) + cpu_s
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))


def open_no_more() -> None:
    """Let this process open no file besides the two pipes and the terminal that it has."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


def give_way() -> None:
    """Lower this process's priority below that of processes that users wait for."""
    if sys.platform != "win32":
        os.nice(_GIVES_WAY)


def was_killed(status: int | None) -> bool:
    """Whether an exit status shows that the process was killed from outside."""
    return sys.platform != "win32" and status in (-signal.SIGKILL, -signal.SIGTERM)
