"""What happens at a game, told to every device as it happens: one stream each, which goes on where it was lost."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import count
from threading import Lock
from typing import ParamSpec, TypeVar

from fastapi.sse import ServerSentEvent
from pydantic_core import to_json

from api.games.pg_notify import PgNotify, is_postgresql
from tabletop.game.records import EventView

P = ParamSpec("P")
T = TypeVar("T")

STREAM_THREADS = 2
"""Threads that look up what to tell: most of it is known once it was looked up for one stream, and many threads at once
would only hinder one another."""


class Notifier:
    """Wakes those who wait for a game's next event. `notify` may be called from any thread.

    With the ``url`` of a PostgreSQL those of all its processes are woken.
    """

    def __init__(self, url: str = "") -> None:
        self._lock = Lock()
        self._subscriptions: dict[str, set[Subscription]] = defaultdict(set)
        self._count = count(1)
        self._last_wake: dict[str, int] = {}
        self._followers: list[Callable[[str], None]] = []
        self.threads = ThreadPoolExecutor(max_workers=STREAM_THREADS, thread_name_prefix="streams")
        self._other_processes = PgNotify(url, self.wake) if is_postgresql(url) else None
        self.ended = False

    def follow(self, heard: Callable[[str], None]) -> None:
        """Have that told of every game that this process changes; it must not take long."""
        self._followers.append(heard)

    def notify(self, game: str) -> None:
        """Wake all who wait for this game."""
        self.wake(game)
        for heard in self._followers:
            heard(game)
        if self._other_processes is not None:
            self._other_processes.notify(game)

    def end(self) -> None:
        """End every stream, later ones too: the server stops."""
        self.ended = True
        with self._lock:
            subscriptions = [one for waiting in self._subscriptions.values() for one in waiting]
        for subscription in subscriptions:
            subscription.wake()

    def close(self) -> None:
        """Let go of the database."""
        if self._other_processes is not None:
            self._other_processes.close()

    def wake(self, game: str) -> None:
        """Wake those of this process alone."""
        with self._lock:
            subscriptions = tuple(self._subscriptions.get(game, ()))
            if subscriptions:
                self._last_wake[game] = next(self._count)
        for subscription in subscriptions:
            subscription.wake()

    @contextmanager
    def subscribe(self, game: str) -> Iterator[Subscription]:
        """A subscription to this game as long as the block lasts; to be used on a running event loop."""
        subscription = Subscription(self)
        if self._other_processes is not None:
            self._other_processes.listen()
        with self._lock:
            self._subscriptions[game].add(subscription)
            self._last_wake[game] = next(self._count)
        try:
            yield subscription
        finally:
            with self._lock:
                self._subscriptions[game].discard(subscription)
                if not self._subscriptions[game]:
                    del self._subscriptions[game], self._last_wake[game]

    def last_wake(self, game: str) -> int:
        """The number of the last wake of those who wait for a game, another one for each; to subscribe counts as one.
        0 where nobody waits for it."""
        with self._lock:
            return self._last_wake.get(game, 0)

    @property
    def followed(self) -> frozenset[str]:
        """The games that anybody waits for."""
        with self._lock:
            return frozenset(self._subscriptions)

    @property
    def listeners(self) -> int:
        """How many listen, over all games."""
        with self._lock:
            return sum(len(subscriptions) for subscriptions in self._subscriptions.values())


class Subscription:
    """One listener. It stays woken until it is cleared, so that no event between two looks is lost."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._stops: asyncio.Future[None] = self._loop.create_future()

    def wake(self) -> None:
        """Wake the listener, from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._woken.set()
        if self.ended and not self._stops.done():
            self._stops.set_result(None)

    def clear(self) -> None:
        """Get ready for the next event: clear first, then look."""
        self._woken.clear()

    @property
    def ended(self) -> bool:
        """Whether the server stops."""
        return self._notifier.ended

    async def wait(self) -> None:
        """Wait to be woken."""
        await self._woken.wait()

    async def run(self, job: Callable[P, T], *args: P.args, **more: P.kwargs) -> T | None:
        """The result of a job in a thread of the streams; ``None`` where the server stops before it is done."""
        asked = self._loop.run_in_executor(self._notifier.threads, partial(job, *args, **more))
        await asyncio.wait((asked, self._stops), return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            return asked.result()
        asked.cancel()
        return None


async def stream(
    follow: AbstractContextManager[Subscription],
    told: Callable[[int], Sequence[ServerSentEvent]],
    after: int,
    *,
    goes_on: Callable[[], bool] = lambda: True,
    beside: Callable[[], Sequence[ServerSentEvent]] = tuple,
    afterwards: Callable[[], Sequence[ServerSentEvent]] = tuple,
) -> AsyncIterator[ServerSentEvent]:
    """A game's events from the one after ``after`` on, for as long as anybody listens.

    ``told`` says what happened after an event, each with its number as the stream's id, so that a device that slept
    asks for what came after the last one it had. It is asked whenever the subscription is woken, after what to tell
    ``beside`` the events; what takes longer is told ``afterwards``. ``goes_on`` is asked before every event and must
    not wait for anything: a seat that was taken away hears no more. Where the server stops, the last message is
    STOPPING. What ``told`` and the others raise is raised.
    """

    def read_news(after: int) -> tuple[Sequence[ServerSentEvent], Sequence[ServerSentEvent]]:
        others = beside()
        return (told(after) if goes_on() else ()), others

    with follow as subscription:
        while goes_on():
            if subscription.ended:
                yield STOPPING
                return
            subscription.clear()
            news, others = await subscription.run(read_news, after) or ((), ())
            for event in news:
                if subscription.ended:
                    break
                if not goes_on():
                    return
                after = int(event.id or after)
                yield event
            later = await subscription.run(afterwards) if goes_on() else ()
            for other in (*others, *(later or ())):
                yield other
            if goes_on() and not subscription.ended:
                await subscription.wait()


STOPPING = ServerSentEvent(raw_data="{}", event="stopping", retry=1000)
"""The server stops; a device asks again every second until it is back."""


def record_event(told: EventView) -> ServerSentEvent:
    """An event of a game as a stream tells it."""
    return ServerSentEvent(raw_data=to_json(told).decode(), event="record", id=str(told.seq))
