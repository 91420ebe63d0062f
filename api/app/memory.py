"""How the server's process takes memory from the system."""

from __future__ import annotations

import ctypes
import sys

_M_TRIM_THRESHOLD, _M_ARENA_MAX = -1, -8
_TRIM_BYTES = 128 * 1024


def keep_memory_level() -> None:
    """Have all threads share one heap, and large blocks that are freed go back to the system, where the C library is
    GNU's. Left alone it has a heap for every few threads, each of which keeps what its largest request took.

    To be called before the threads begin.
    """
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(_M_ARENA_MAX, 1)
        mallopt(_M_TRIM_THRESHOLD, _TRIM_BYTES)
