"""The memory management of the server's process."""

from __future__ import annotations

import ctypes
import sys

_M_TRIM_THRESHOLD, _M_ARENA_MAX = -1, -8
_TRIM_BYTES = 128 * 1024


def keep_memory_level() -> None:
    """With GNU's C library: make all threads share one heap, and return large freed blocks to the system. By default
    there is a heap for every few threads, each of which keeps the memory of its largest request.

    To be called before threads are started.
    """
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(_M_ARENA_MAX, 1)
        mallopt(_M_TRIM_THRESHOLD, _TRIM_BYTES)
