"""Limits of how often one device may do something, by a clock that can't be set."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from threading import Lock

WINDOW_S = 60.0


class Paces:
    """The requests of each device within the last minute. Any thread may call; ``count`` counts seconds."""

    def __init__(self, count: Callable[[], float] = time.monotonic) -> None:
        self._count = count
        self._lock = Lock()
        self._done: dict[tuple[str, str], deque[float]] = {}
        self._tidied = count()

    def wait_s(self, what: str, whose: str, a_minute: int) -> float:
        """0 where a device may do something now, which then counts; otherwise the seconds to wait.

        >>> seconds = iter([0.0, 0.0, 1.0, 21.0, 61.5])
        >>> paces = Paces(lambda: next(seconds))
        >>> [paces.wait_s("drawings", "Anna", 2) for _ in range(4)]
        [0.0, 0.0, 39.0, 0.0]
        """
        now = self._count()
        with self._lock:
            if now - self._tidied > WINDOW_S:
                self._tidy(now)
            done = self._done.setdefault((what, whose), deque())
            while done and now - done[0] >= WINDOW_S:
                done.popleft()
            if len(done) >= a_minute:
                return WINDOW_S - (now - done[0]) if done else WINDOW_S
            done.append(now)
            return 0.0

    def _tidy(self, now: float) -> None:
        """Forget devices without a request in the last minute."""
        self._tidied = now
        for key in [key for key, done in self._done.items() if not done or now - done[-1] >= WINDOW_S]:
            del self._done[key]
