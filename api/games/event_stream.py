"""A game's events, sent to every device as they happen: one stream each, which resumes where it was lost."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from threading import Lock
from typing import Any, TypeVar

from fastapi.sse import format_sse_event
from pydantic_core import to_json

from api.games.pg_notify import PgNotify, is_postgresql
from tabletop.game.records import EventView

T = TypeVar("T")

STREAM_THREADS = 2
"""Threads that look up what to send: most of it is cached after one stream has looked it up, and many threads at
once would only hinder each other."""
SILENT_S = 15.0
"""After how long an idle stream says that it is alive."""
TOGETHER_S = 0.005
"""How long the result of one stream's job may wait for those of its game's other streams, so that all get it at
once."""


@dataclass(frozen=True)
class StreamEvent:
    """One message of a stream: its kind, its JSON, and the number of its event, if it is one; or a comment. It is
    encoded once, however many streams send it."""

    event: str | None = None
    data: str | None = None
    id: str | None = None
    retry: int | None = None
    comment: str | None = None

    @cached_property
    def sent(self) -> bytes:
        """The message as bytes."""
        return format_sse_event(
            event=self.event, data_str=self.data, id=self.id, retry=self.retry, comment=self.comment
        )


STOPPING = StreamEvent("stopping", "{}", retry=1000)
"""The server stops; a device reconnects every second until it is back."""
STILL_HERE = StreamEvent(comment="ping")


class Notifier:
    """Wakes the streams that wait for a game's next event. `notify` may be called from any thread.

    With the ``url`` of a PostgreSQL, those of all its processes are woken.
    """

    def __init__(self, url: str = "") -> None:
        self._lock = Lock()
        self._subscriptions: dict[str, set[Subscription]] = defaultdict(set)
        self._count = count(1)
        self._last_wake: dict[str, int] = {}
        self._followers: list[Callable[[str], None]] = []
        self._batches: dict[tuple[asyncio.AbstractEventLoop, str], list[_Asked]] = {}
        self._threads = ThreadPoolExecutor(max_workers=STREAM_THREADS, thread_name_prefix="streams")
        self._other_processes = PgNotify(url, self.wake) if is_postgresql(url) else None
        self.ended = False

    def follow(self, heard: Callable[[str], None]) -> None:
        """Call ``heard`` for every game that this process changes; it must return quickly."""
        self._followers.append(heard)

    def notify(self, game: str) -> None:
        """Wake everything that waits for this game."""
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
        _wake(subscriptions)

    def close(self) -> None:
        """Close the database connection."""
        if self._other_processes is not None:
            self._other_processes.close()

    def wake(self, game: str) -> None:
        """Wake the streams of this process only."""
        with self._lock:
            subscriptions = tuple(self._subscriptions.get(game, ()))
            if subscriptions:
                self._last_wake[game] = next(self._count)
        _wake(subscriptions)

    @contextmanager
    def subscribe(self, game: str) -> Iterator[Subscription]:
        """A subscription to this game for the length of the block; to be used on a running event loop."""
        subscription = Subscription(self, game)
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
        """The number of the last wake-up of a game's subscribers, different for each; a new subscription counts as one.
        0 where the game has no subscriber."""
        with self._lock:
            return self._last_wake.get(game, 0)

    @property
    def followed(self) -> frozenset[str]:
        """The games with subscribers."""
        with self._lock:
            return frozenset(self._subscriptions)

    @property
    def listeners(self) -> int:
        """How many subscribers all games have."""
        with self._lock:
            return sum(len(subscriptions) for subscriptions in self._subscriptions.values())

    def do(self, game: str, job: Callable[[], T]) -> asyncio.Future[T]:
        """Run a job of one of a game's streams in a thread; jobs that are requested at once share a thread and run one
        after another. To be called on a running event loop."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[T] = loop.create_future()
        if (loop, game) not in self._batches:
            self._batches[loop, game] = []
            loop.call_soon(self._begin, loop, game)
        self._batches[loop, game].append((result, job))
        return result

    def _begin(self, loop: asyncio.AbstractEventLoop, game: str) -> None:
        self._threads.submit(_do, loop, self._batches.pop((loop, game)))


_Asked = tuple[asyncio.Future[Any], Callable[[], Any]]
_Found = tuple[asyncio.Future[Any], Any, Exception | None]


def _do(loop: asyncio.AbstractEventLoop, asked: Iterable[_Asked]) -> None:
    """Run some jobs, and hand over the result or exception of each."""
    found, since = list[_Found](), time.monotonic()
    for result, job in asked:
        try:
            found.append((result, job(), None))
        except Exception as error:  # noqa: BLE001 - raised where it is awaited
            found.append((result, None, error))
        if time.monotonic() - since > TOGETHER_S:
            _hand_over(loop, found)
            found, since = [], time.monotonic()
    _hand_over(loop, found)


def _hand_over(loop: asyncio.AbstractEventLoop, found: Sequence[_Found]) -> None:
    def settle() -> None:
        for result, made, error in found:
            if result.done():  # its client has left, or the server stops
                continue
            if error is None:
                result.set_result(made)
            else:
                result.set_exception(error)

    if found and not loop.is_closed():
        loop.call_soon_threadsafe(settle)


class Subscription:
    """One listener. It stays woken until it is cleared, so that no event between two looks is lost."""

    def __init__(self, notifier: Notifier, game: str) -> None:
        self._notifier = notifier
        self._game = game
        self.loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._asked: asyncio.Future[Any] | None = None

    def wake(self) -> None:
        """Wake the listener, in its event loop."""
        self._woken.set()
        if self.ended and self._asked is not None and not self._asked.done():
            self._asked.set_result(None)

    def clear(self) -> None:
        """Get ready for the next event: clear first, then look."""
        self._woken.clear()

    @property
    def ended(self) -> bool:
        """Whether the server is stopping."""
        return self._notifier.ended

    async def wait(self) -> None:
        """Wait to be woken."""
        await self._woken.wait()

    async def run(self, job: Callable[[], T]) -> T | None:
        """The result of a job in a thread of the streams; ``None`` where the server stops before it is done."""
        if self.ended:
            return None
        self._asked = self._notifier.do(self._game, job)
        found: T | None = await self._asked
        return found


def _wake(subscriptions: Iterable[Subscription]) -> None:
    """Wake listeners, from any thread."""
    by_loop = defaultdict[asyncio.AbstractEventLoop, list[Subscription]](list)
    for subscription in subscriptions:
        by_loop[subscription.loop].append(subscription)
    for loop, woken in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_wake_here, woken)


def _wake_here(subscriptions: Iterable[Subscription]) -> None:
    for subscription in subscriptions:
        subscription.wake()


async def stream(
    follow: AbstractContextManager[Subscription],
    told: Callable[[int], Sequence[StreamEvent]],
    after: int,
    *,
    goes_on: Callable[[], bool] = lambda: True,
    beside: Callable[[], Sequence[StreamEvent]] = tuple,
    afterwards: Callable[[], Sequence[StreamEvent]] = tuple,
) -> AsyncIterator[StreamEvent]:
    """A game's events from the one after ``after`` on, for as long as the client listens.

    ``told`` returns the events after a number, each with its number as the stream's id, so that a device that slept
    asks for those after its last one. It is called whenever the subscription is woken, after ``beside``; the messages
    of ``beside`` follow the events. Slower messages come from ``afterwards``. ``goes_on`` is called before every event
    and must not block: a revoked seat gets nothing more. When the server stops, the last message is STOPPING.
    Exceptions of ``told`` and the others are passed on.
    """

    def read_news() -> tuple[Sequence[StreamEvent], Sequence[StreamEvent]]:
        others = beside()
        return (told(after) if goes_on() else ()), others

    with follow as subscription:
        while goes_on():
            if subscription.ended:
                yield STOPPING
                return
            subscription.clear()
            news, others = await subscription.run(read_news) or ((), ())
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
            while goes_on() and not subscription.ended:
                try:
                    async with asyncio.timeout(SILENT_S):
                        await subscription.wait()
                    break
                except TimeoutError:
                    yield STILL_HERE


def record_event(told: EventView) -> StreamEvent:
    """A game's event as a stream sends it."""
    return StreamEvent("record", to_json(told).decode(), str(told.seq))
