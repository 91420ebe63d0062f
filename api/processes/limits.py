"""What a process of ours may take, where its system can bound that.

POSIX systems bound memory, processor time and open files; macOS may refuse a bound of memory. Windows has none of these
for a program without further rights: there the wall clock alone ends what goes on too long.
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
"""The exit status of a process that met its bound of memory."""
OUT_OF_TIME: int | None = -signal.SIGXCPU if sys.platform != "win32" else None
"""The exit status of a process that met its bound of processor time, where there is one."""
_GIVES_WAY = 5
"""How much less such a process counts than the server's own where both want the processor."""


def bound_memory(memory_bytes: int) -> None:
    """This process may have so many bytes of address space in all, and leaves no picture of its memory behind."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def bound_cpu(cpu_s: int) -> None:
    """This process may use so many seconds of a processor more from now on."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        until = math.ceil(used.ru_utime + used.ru_stime) + cpu_s
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))


def open_no_more() -> None:
    """This process opens nothing besides the two pipes and the terminal that it has."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


def give_way() -> None:
    """Have this process give way to what people wait for."""
    if sys.platform != "win32":
        os.nice(_GIVES_WAY)


def was_killed(status: int | None) -> bool:
    """Whether an exit status is that of a process which somebody else ended."""
    return sys.platform != "win32" and status in (-signal.SIGKILL, -signal.SIGTERM)
