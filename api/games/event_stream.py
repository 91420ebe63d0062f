"""What happens at a game, told to every device as it happens: one stream each, which goes on where it was lost."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from fastapi.concurrency import run_in_threadpool
from fastapi.sse import ServerSentEvent

from api.games.commands import CommandHandler
from api.games.pg_notify import PgNotify, is_postgresql
from tabletop.game.records import EventView

LOOK_AGAIN_S = 1.0
"""How often a stream looks for what other processes wrote, which notify nobody here."""
QUIET_S = 15.0
"""After so long without news a stream says that it is alive, so that nothing on the way closes it."""


class Notifier:
    """Wakes those who wait for a game's next event. `notify` may be called from any thread.

    With the ``url`` of a PostgreSQL those of all its processes are woken.
    """

    def __init__(self, url: str = "") -> None:
        self._lock = Lock()
        self._subscriptions: dict[str, set[Subscription]] = defaultdict(set)
        self._followers: list[Callable[[str], None]] = []
        self._other_processes = PgNotify(url, self._notify_here) if is_postgresql(url) else None

    def follow(self, heard: Callable[[str], None]) -> None:
        """Have that told of every game that this process changes; it must not take long."""
        self._followers.append(heard)

    def notify(self, game: str) -> None:
        """Wake all who wait for this game."""
        self._notify_here(game)
        for heard in self._followers:
            heard(game)
        if self._other_processes is not None:
            self._other_processes.notify(game)

    def close(self) -> None:
        """Let go of the database."""
        if self._other_processes is not None:
            self._other_processes.close()

    def _notify_here(self, game: str) -> None:
        with self._lock:
            subscriptions = tuple(self._subscriptions.get(game, ()))
        for subscription in subscriptions:
            subscription.wake()

    @contextmanager
    def subscribe(self, game: str) -> Iterator[Subscription]:
        """A subscription to this game as long as the block lasts; to be used on a running event loop."""
        subscription = Subscription()
        if self._other_processes is not None:
            self._other_processes.listen()
        with self._lock:
            self._subscriptions[game].add(subscription)
        try:
            yield subscription
        finally:
            with self._lock:
                self._subscriptions[game].discard(subscription)
                if not self._subscriptions[game]:
                    del self._subscriptions[game]

    @property
    def listeners(self) -> int:
        """How many listen, over all games."""
        with self._lock:
            return sum(len(subscriptions) for subscriptions in self._subscriptions.values())


class Subscription:
    """One listener. It stays woken until it is cleared, so that no event between two looks is lost."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Wake the listener, from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._woken.set)

    def clear(self) -> None:
        """Get ready for the next event: clear first, then look."""
        self._woken.clear()

    async def wait(self, seconds: float) -> bool:
        """Wait to be woken, at most so long; whether it was."""
        try:
            await asyncio.wait_for(self._woken.wait(), seconds)
        except TimeoutError:
            return False
        return True


async def stream(
    handler: CommandHandler,
    notifier: Notifier,
    game: str,
    viewer: str | Callable[[], str | None] | None,
    after: int,
    *,
    look_again_s: float = LOOK_AGAIN_S,
    goes_on: Callable[[], bool] = lambda: True,
    beside: Callable[[], Sequence[ServerSentEvent]] = tuple,
    afterwards: Callable[[], Sequence[ServerSentEvent]] = tuple,
) -> AsyncIterator[ServerSentEvent]:
    """A game's events from the one after ``after`` on, as a side sees them, for as long as anybody listens.

    Each carries its number as the stream's id, so that a device that slept asks for what came after the last one it
    had. ``viewer`` may change in the course of a game, and is then asked for at every look, as is what to tell
    ``beside`` the events and, where that takes longer, ``afterwards``. ``goes_on`` is asked before every event and must
    not wait for anything: a seat that was taken away hears no more. Raises NoGameError.
    """

    def read_news(after: int) -> tuple[Sequence[EventView], Sequence[ServerSentEvent]]:
        return handler.since(game, after, viewer() if callable(viewer) else viewer), beside()

    quiet_s = 0.0
    with notifier.subscribe(game) as subscription:
        while goes_on():
            subscription.clear()
            news, others = await run_in_threadpool(read_news, after)
            for told in news:
                if not goes_on():
                    return
                after, quiet_s = told.seq, 0.0
                yield ServerSentEvent(data=vars(told), event="record", id=str(after))
            later = await run_in_threadpool(afterwards) if goes_on() else ()
            for other in (*others, *later):
                quiet_s = 0.0
                yield other
            if quiet_s >= QUIET_S:
                quiet_s = 0.0
                yield ServerSentEvent(comment="still here")
            if not await subscription.wait(look_again_s):
                quiet_s += look_again_s
