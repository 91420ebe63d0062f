"""Routes with heavy work: it is done in other processes, and awaited without a thread.

Such a route is written like any other. Where it needs a slow result, :func:`need` ends it; the work is awaited, and the
route runs again with the result at hand. It must have changed nothing by then.
"""

from __future__ import annotations

import asyncio
import inspect
import random
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, TypeVar

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from api.processes.work_queue import Key, LeftError, Task, WorkQueue

T = TypeVar("T")

SEAT = "tabletop.seat"
"""The key of a request's scope with the name of its seat."""
TURN = "tabletop.turn"
"""The key of a request's scope with its device's turn (:class:`api.services.turns.Turn`)."""
_MADE: ContextVar[dict[Key, bytes] | None] = ContextVar("made", default=None)
"""Results of the work for the request that is being answered."""


@dataclass(frozen=True)
class Later:
    """An argument of heavy work that takes a while to make, such as a game's packed log: it is made when the work
    begins."""

    make: Callable[[], object]


@dataclass(frozen=True)
class _Call:
    """A call with such arguments. Another process gets it with the arguments computed."""

    write: Callable[..., bytes]
    arguments: tuple[object, ...]

    def __call__(self) -> bytes:
        return self.write(*self._made())

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return partial, (self.write, *self._made())

    def _made(self) -> Iterator[object]:
        return (each.make() if isinstance(each, Later) else each for each in self.arguments)


class NeededError(Exception):
    """A route needs the result of a task first."""

    def __init__(self, task: Task) -> None:
        super().__init__(task.key)
        self.task = task


def need(
    work: WorkQueue,
    key: Key,
    write: Callable[..., bytes],
    *arguments: object,
    sealed: bool = False,
    instead_of: Key = (),
) -> bytes:
    """The result of a module's function for these arguments, cached by a key of everything that it depends on: in a
    heavy route raises NeededError where it is not computed yet. Elsewhere it is computed at once.

    Functions that read strangers' files are ``sealed``; ``instead_of`` begins the keys of older results, which this one
    replaces."""
    made = _MADE.get()
    found = None if made is None else made.get(key)
    if found is None:
        found = work.kept(key)
    if found is None:
        task = Task(key, _Call(write, arguments), sealed, instead_of)
        if made is not None:
            raise NeededError(task)
        return task.call()
    if made is not None:
        made[key] = found
    return found


def hand_in(key: Key, result: bytes) -> None:
    """Provide a result for the rest of this request, as if it had been computed for it."""
    made = _MADE.get()
    if made is not None:
        made[key] = result


def once(what: str, job: Callable[[], object]) -> None:
    """Do a job that changes something only once, although a heavy route runs again when later work is done. The job may
    :func:`need` work before it changes anything."""
    made = _MADE.get()
    if made is None or (what,) not in made:
        job()
        if made is not None:
            made[what,] = b""


def steady_rng(rng: random.Random) -> random.Random:
    """Dice that repeat their results when a heavy route runs again, rolled once by ``rng``."""
    made = _MADE.get()
    if made is None:
        return rng
    seed = made.setdefault(("dice",), rng.randbytes(16))
    return random.Random(seed)


def heavy(work: WorkQueue) -> Callable[[Callable[..., T]], Callable[..., Coroutine[Any, Any, T]]]:
    """Makes a route from a function that may need heavy work, done for the seat of the request."""

    def route_of(endpoint: Callable[..., T]) -> Callable[..., Coroutine[Any, Any, T]]:
        signature = inspect.signature(endpoint)
        takes_request = "request" in signature.parameters

        @wraps(endpoint)
        async def answer(request: Request, **arguments: Any) -> T:
            if takes_request:
                arguments["request"] = request
            return await with_work(work, request, partial(endpoint, **arguments))

        asked = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request)
        others = [each for each in signature.parameters.values() if each.name != "request"]
        given = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in others]
        answer.__signature__ = signature.replace(parameters=[asked, *given])  # type: ignore[attr-defined]
        return answer

    return route_of


def work_through(work: WorkQueue, whose: str, job: Callable[[], T]) -> T:
    """The result of a job in a separate thread; its heavy work is queued for a seat of this name. Raises what the work
    raises."""
    made: dict[Key, bytes] = {}
    before = _MADE.set(made)
    try:
        while True:
            try:
                return job()
            except NeededError as needed:
                task = needed.task
            made[task.key] = asyncio.run(work.make(whose, task))
    finally:
        _MADE.reset(before)


async def with_work(work: WorkQueue, request: Request, job: Callable[[], T]) -> T:
    """The answer of a job, in a thread, once its heavy work is done; raises what the work raises, and LeftError where
    the client has left."""
    turn = request.scope.get(TURN)
    made: dict[Key, bytes] = {}
    _MADE.set(made)  # of this request's task alone
    while True:
        try:
            return await run_in_threadpool(job)
        except NeededError as needed:
            task = needed.task
        seat = str(request.scope.get(SEAT, ""))
        if turn is not None:  # other requests of the device are answered meanwhile
            turn.give_back()
        made[task.key] = await _unless_left(request, work.make(seat, task))
        if turn is not None:
            await turn.take()


async def _unless_left(request: Request, wanted: Awaitable[T]) -> T:
    asked, left = asyncio.ensure_future(wanted), asyncio.ensure_future(_leaves(request))
    try:
        await asyncio.wait((asked, left), return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            raise LeftError("No client waits for this now.")
        return asked.result()
    finally:
        asked.cancel()
        left.cancel()


async def _leaves(request: Request) -> None:
    """Wait until the client of a request is gone; its body was read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
