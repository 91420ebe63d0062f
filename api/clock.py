"""The time: by the machine's clock, which can be set at any moment, and as counted by this process."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)


class SteadyClock:
    """The machine's time when this was made, plus the seconds since: it can't be set."""

    def __init__(self, clock: Clock = utc_now, count: Callable[[], float] = time.monotonic) -> None:
        self._count = count
        self._begun, self._from = clock(), count()

    def __call__(self) -> datetime:
        """The time, in UTC."""
        return self._begun + timedelta(seconds=self._count() - self._from)


steady_now = SteadyClock()
"""The time of this process."""


class Unchanged:
    """For how many seconds things have been unchanged, as seen by the caller; ``count`` counts seconds.

    Things that were not looked up for ``forget_s`` seconds are forgotten.
    """

    def __init__(self, count: Callable[[], float] = time.monotonic, forget_s: float = 3600.0) -> None:
        self._count = count
        self._forget_s = forget_s
        self._seen: dict[str, tuple[object, float, float]] = {}

    def for_s(self, thing: str, state: object) -> float:
        """For how long a thing has had that state; 0 when it is first seen with it."""
        now = self._count()
        before, since, _ = self._seen.get(thing, (None, now, now))
        since = since if before == state else now
        self._seen[thing] = state, since, now
        for other in [name for name, (_, _, asked) in self._seen.items() if now - asked > self._forget_s]:
            del self._seen[other]
        return now - since
