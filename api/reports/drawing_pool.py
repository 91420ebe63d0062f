"""What takes seconds to draw: a few files at a time, off the event loop, and kept while there is room."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

from api.reports.drawing_process import File

Key = tuple[object, ...]


class Drawing:
    """Files that are made when they are first asked for, at most ``at_once`` at a time. Any event loop may ask.

    ``draw`` makes them, in a thread that may wait for a process (:mod:`api.reports.drawing_process`).

    What is asked for while it is being made is made once. The last ones are kept as long as they have at most
    ``most_bytes`` together.
    """

    def __init__(self, at_once: int, most_bytes: int, draw: Callable[[File], bytes]) -> None:
        self._draw = draw
        self._hands = ThreadPoolExecutor(at_once, "drawing")
        self._most_bytes = most_bytes
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._under_way: dict[Key, Future[bytes]] = {}
        self._lock = Lock()

    async def get_or_make(self, key: Key, file: File) -> bytes:
        """The file of a key, which holds all that it hangs on; raises what ``draw`` raises, and keeps nothing then."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            wanted = self._under_way.get(key)
            if wanted is None:
                wanted = self._under_way[key] = self._hands.submit(self._make, key, file)
        return await asyncio.shield(asyncio.wrap_future(wanted))  # who goes away takes it from nobody else

    def kept(self, key: Key) -> bytes | None:
        """The file of a key where it was made and is kept."""
        with self._lock:
            return self._kept.get(key)

    @property
    def kept_bytes(self) -> int:
        """How much is kept."""
        with self._lock:
            return sum(map(len, self._kept.values()))

    def _make(self, key: Key, file: File) -> bytes:
        try:
            found = self._draw(file)
            with self._lock:
                self._kept[key] = found
                while len(self._kept) > 1 and sum(map(len, self._kept.values())) > self._most_bytes:
                    self._kept.popitem(last=False)
            return found
        finally:
            with self._lock:
                self._under_way.pop(key, None)
