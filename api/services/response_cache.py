"""Answers that many devices request, computed once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

from fastapi import Response
from pydantic_core import to_json

T = TypeVar("T")

MOST_ANSWERS = 256
"""The most answers kept, tens of kilobytes each; the least recently used is dropped first."""

MOST_WHOLE_TABLES = 16
"""The most results kept from whole tables, some megabytes each."""

MOST_MOMENTS = 4096
"""The most moments of games for which one bit is kept."""


class ResponseCache:
    """Recent results, at most so many, by keys with everything that they depend on. Threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[object, ...], object] = OrderedDict()
        self._making: dict[tuple[object, ...], Lock] = {}
        self._lock = Lock()

    def drop(self, *start: object) -> None:
        """Forget the answers of keys that start with these parts."""
        with self._lock:
            for key in [key for key in self._kept if key[: len(start)] == start]:
                del self._kept[key]

    def get(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """The stored answer to the key, else the result of ``make``; its exceptions are passed on and not stored.

        Of simultaneous callers one computes the answer, and the others wait for it.
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
    """A JSON response of a value that is ready for JSON: it is not validated again."""
    return Response(to_json(value), status, media_type="application/json")
