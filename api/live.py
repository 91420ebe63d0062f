"""What happens at a game, told to every device as it happens: one stream each, which goes on where it was lost."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

from fastapi.concurrency import run_in_threadpool
from fastapi.sse import ServerSentEvent

from api.desk import Desk, Told
from api.wire import Wire, is_postgresql

LOOK_AGAIN_S = 1.0
"""How often a stream looks for what other processes wrote, which ring no bell here."""
QUIET_S = 15.0
"""After so long without news a stream says that it is alive, so that nothing on the way closes it."""


class Bells:
    """Wakes those who wait for a game's next event. :meth:`ring` may be called from any thread.

    With the ``url`` of a PostgreSQL they ring in all its processes.
    """

    def __init__(self, url: str = "") -> None:
        self._lock = Lock()
        self._bells: dict[str, set[Bell]] = defaultdict(set)
        self._wire = Wire(url, self._ring_here) if is_postgresql(url) else None

    def ring(self, game: str) -> None:
        """Wake all who wait for this game."""
        self._ring_here(game)
        if self._wire is not None:
            self._wire.tell(game)

    def close(self) -> None:
        """Let go of the database."""
        if self._wire is not None:
            self._wire.close()

    def _ring_here(self, game: str) -> None:
        with self._lock:
            bells = tuple(self._bells.get(game, ()))
        for bell in bells:
            bell.ring()

    @contextmanager
    def listening(self, game: str) -> Iterator[Bell]:
        """A bell that rings for this game as long as the block lasts; to be used on a running event loop."""
        bell = Bell()
        if self._wire is not None:
            self._wire.listen()
        with self._lock:
            self._bells[game].add(bell)
        try:
            yield bell
        finally:
            with self._lock:
                self._bells[game].discard(bell)
                if not self._bells[game]:
                    del self._bells[game]

    @property
    def listeners(self) -> int:
        """How many listen, over all games."""
        with self._lock:
            return sum(len(bells) for bells in self._bells.values())


class Bell:
    """One listener's bell. It stays rung until it is silenced, so that no ring between two looks is lost."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Ring it, from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._rung.set)

    def silence(self) -> None:
        """Get ready for the next ring: silence it first, then look."""
        self._rung.clear()

    async def wait(self, seconds: float) -> bool:
        """Wait for a ring, at most so long; whether there was one."""
        try:
            await asyncio.wait_for(self._rung.wait(), seconds)
        except TimeoutError:
            return False
        return True


async def stream(
    desk: Desk,
    bells: Bells,
    game: str,
    viewer: str | Callable[[], str | None] | None,
    after: int,
    *,
    look_again_s: float = LOOK_AGAIN_S,
    goes_on: Callable[[], bool] = lambda: True,
    beside: Callable[[], Sequence[ServerSentEvent]] = tuple,
) -> AsyncIterator[ServerSentEvent]:
    """A game's events from the one after ``after`` on, as a side sees them, for as long as anybody listens.

    Each carries its number as the stream's id, so that a device that slept asks for what came after the last one it
    had. ``viewer`` may change in the course of a game, and is then asked for at every look, as is what to tell
    ``beside`` the events. ``goes_on`` is asked before every event and must not wait for anything: a seat that was
    taken away hears no more. Raises NoGameError.
    """

    def looked(after: int) -> tuple[Sequence[Told], Sequence[ServerSentEvent]]:
        return desk.since(game, after, viewer() if callable(viewer) else viewer), beside()

    quiet_s = 0.0
    with bells.listening(game) as bell:
        while goes_on():
            bell.silence()
            news, others = await run_in_threadpool(looked, after)
            for told in news:
                if not goes_on():
                    return
                after, quiet_s = told.record.seq, 0.0
                yield ServerSentEvent(data=told_json(told), event="record", id=str(after))
            for other in others:
                quiet_s = 0.0
                yield other
            if quiet_s >= QUIET_S:
                quiet_s = 0.0
                yield ServerSentEvent(comment="still here")
            if not await bell.wait(look_again_s):
                quiet_s += look_again_s


def told_json(told: Told) -> dict[str, Any]:
    """A record with its sentence, as devices take it."""
    record = told.record
    return {
        "seq": record.seq,
        "group": record.group,
        "at": record.at,
        "actor": record.actor,
        "kind": record.kind,
        "action": record.action,
        "body": dict(record.body),
        "text": told.text,
    }
