"""Requests of one device take turns: a few are answered at once and the others wait without a thread, so that threads
stay free for other devices."""

from __future__ import annotations

from asyncio import wrap_future
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from threading import Lock

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.services.devices import device_of
from api.services.heavy_work import TURN
from api.services.refusals import Refusals

AT_ONCE = 2
"""Requests of one device that are answered at once."""


class Turns:
    """Middleware; any event loop may call. Requests that ``refusals`` knows are refused before anything else. Streams
    last and need no turn, bodies of more than ``most_bytes`` are limited where they are read, and a heavy route gives
    its turn back while its work is done. A turn lasts from the last byte of a request to the first of its answer.

    A device is identified by its seat's secret, valid or not (:class:`api.services.devices.Device`).
    """

    def __init__(self, app: ASGIApp, most_bytes: int, refusals: Refusals) -> None:
        self._app = app
        self._most_bytes = most_bytes
        self._refusals = refusals
        self._lock = Lock()
        self._taken: dict[str, int] = {}
        self._waiting: dict[str, deque[Future[None]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request in its turn."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        device = device_of(scope)
        refused = self._refusals.answer(device)
        if refused is not None:
            for message in refused:
                await send(message)
            return
        if not device.secrets or scope["path"].endswith("/stream"):
            await self._app(scope, receive, send)
            return
        begun = list[Message]()
        turn = scope[TURN] = Turn(self, device.secrets)
        if device.has_body:  # a body that stalls holds no turn
            begun = await _read(receive, Headers(scope=scope), self._most_bytes)

        async def receive_again() -> Message:
            return begun.pop(0) if begun else await receive()

        async def send_in_turn(message: Message) -> None:
            if message["type"] == "http.response.start":  # nor does a client that reads its answer slowly
                turn.give_back()
            await send(message)

        try:
            if not begun or begun[-1]["type"] != "http.request" or not begun[-1].get("more_body", False):
                await turn.take()
            await self._app(scope, receive_again if begun else receive, send_in_turn)
        finally:
            turn.give_back()

    async def take(self, whose: str) -> None:
        """Wait for a turn of a device."""
        with self._lock:
            if self._taken.get(whose, 0) < AT_ONCE:
                self._taken[whose] = self._taken.get(whose, 0) + 1
                return
            waits: Future[None] = Future()
            self._waiting.setdefault(whose, deque()).append(waits)
        try:
            await wrap_future(waits)
        except BaseException:  # the client has left
            if not waits.cancel() and not waits.cancelled():
                self.give_back(whose)
            raise

    def give_back(self, whose: str) -> None:
        """Pass the turn to the next request of a device."""
        with self._lock:
            waiting = self._waiting.get(whose, deque())
            while waiting:
                following = waiting.popleft()
                if following.set_running_or_notify_cancel():
                    following.set_result(None)
                    return
            self._waiting.pop(whose, None)
            self._taken[whose] -= 1
            if not self._taken[whose]:
                del self._taken[whose]


class Turn:
    """The turn of one request."""

    def __init__(self, turns: Turns, devices: Iterable[str]) -> None:
        self.devices = tuple(devices)
        self._turns = turns
        self._taken: list[str] = []

    async def take(self) -> None:
        """Wait for it; the order is the same for all, so that there is no deadlock."""
        for one in self.devices:
            await self._turns.take(one)
            self._taken.append(one)

    def give_back(self) -> None:
        """Pass it to another request of the same device."""
        while self._taken:
            self._turns.give_back(self._taken.pop())


async def _read(receive: Receive, headers: Headers, most_bytes: int) -> list[Message]:
    """The messages of a body, or enough of them to show that it is too large."""
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) > most_bytes:
        return [{"type": "http.request", "body": b"", "more_body": True}]
    read, size = list[Message](), 0
    while size <= most_bytes:
        read.append(await receive())
        size += len(read[-1].get("body", b""))
        if not read[-1].get("more_body", False):
            break
    return read
