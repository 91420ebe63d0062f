"""Requests that come too often: repeated ones are refused again at once."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from threading import Lock

from fastapi.responses import JSONResponse
from starlette.types import Message

from api.auth.origin_checks import safety_headers
from api.errors import TooOftenError
from api.services.devices import Device

MOST_KEPT = 4096
"""The most refusals that are remembered, the latest ones."""


class Refusals:
    """The requests that devices were refused, and until when. Any thread may call; ``count`` counts seconds.

    All requests of a device to read from a game or table share one limit, and all to write share another: one refusal
    answers for all of them. Other limits are remembered by method and address.
    """

    def __init__(self, count: Callable[[], float] = time.monotonic) -> None:
        self._count = count
        self._lock = Lock()
        self._kept: OrderedDict[tuple[tuple[str, ...], str], tuple[float, str, int]] = OrderedDict()

    def keep(self, device: Device, what: str, a_minute: int, wait_s: float) -> TooOftenError:
        """The refusal of a request: its device did ``what`` so many times within a minute, and may do it again in
        ``wait_s`` seconds. Until then :meth:`answer` refuses it."""
        if device.secrets:
            where = what if what == device.kind else device.address
            with self._lock:
                self._kept[device.secrets, where] = self._count() + wait_s, what, a_minute
                while len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
        return _refusal(what, a_minute, math.ceil(wait_s))

    def answer(self, device: Device) -> tuple[Message, Message] | None:
        """The immediate refusal of a request; ``None`` where it is not refused."""
        for where in (device.address, device.kind) if self._kept else ():
            until, what, a_minute = self._kept.get((device.secrets, where), (0.0, "", 0))
            wait_s = math.ceil(until - self._count())
            if wait_s > 0:
                return _answer(what, a_minute, wait_s, device.bearer is not None)
        return None


def _refusal(what: str, a_minute: int, wait_s: int) -> TooOftenError:
    return TooOftenError(
        f"That came too often ({a_minute} {what} a minute are taken from one device): wait {wait_s} seconds.",
        headers={"Retry-After": str(wait_s)},
    )


@lru_cache(maxsize=1024)
def _answer(what: str, a_minute: int, wait_s: int, with_token: bool) -> tuple[Message, Message]:
    """A refusal as it is sent, in the form of :mod:`api.app.problems`."""
    error = _refusal(what, a_minute, wait_s)
    headers = {"content-type": "application/problem+json", **(error.headers or {})}
    response = JSONResponse(error.marshal(), error.status, headers)
    start = {
        "type": "http.response.start",
        "status": error.status,
        "headers": [*response.raw_headers, *safety_headers(with_token)],
    }
    return start, {"type": "http.response.body", "body": response.body}
