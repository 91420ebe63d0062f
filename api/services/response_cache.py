"""What many ask for: made once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

from fastapi import Response
from pydantic_core import to_json

T = TypeVar("T")

MOST_ANSWERS = 256
"""Answers kept, tens of kilobytes each; the one that was not asked for longest goes first."""

MOST_WHOLE_TABLES = 16
"""Results from whole tables, some megabytes each."""

MOST_MOMENTS = 4096
"""Moments of games of which one bit is kept."""


class ResponseCache:
    """What was made lately, at most so many, by keys that hold all that it depends on. Threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[object, ...], object] = OrderedDict()
        self._making: dict[tuple[object, ...], Lock] = {}
        self._lock = Lock()

    def drop(self, *start: object) -> None:
        """Forget the answers to keys that begin so."""
        with self._lock:
            for key in [key for key in self._kept if key[: len(start)] == start]:
                del self._kept[key]

    def get(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What the key was answered before, else what ``make`` makes now; what it raises is raised, and nothing kept.

        Of those who ask at the same time one makes it, and the others wait for that.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]  # type: ignore[return-value]
            making = self._making.setdefault(key, Lock())
        with making:
            with self._lock:
                if key in self._kept:
                    return self._kept[key]  # type: ignore[return-value]
            try:
                response = make()
                with self._lock:
                    self._kept[key] = response
                    while len(self._kept) > self._most:
                        self._kept.popitem(last=False)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return response


def json_response(value: Any, status: int = 200) -> Response:
    """What is ready for JSON, as it is sent: nothing of it is checked again."""
    return Response(to_json(value), status, media_type="application/json")
