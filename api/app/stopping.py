"""A server that ends when it is asked to, whatever its clients do.

Streams announce that the server stops, and end; other requests have a moment to be answered; then the application
closes. If a client, a database or a long computation delays that, the process ends anyway: acknowledged
commands are in the store, and unfinished jobs are repeated after the next start.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    import socket
    from types import FrameType

CLIENTS_S = 1.0
"""How long clients have to send the rest of a request and to read their answers once the server stops."""
GRACE_S = 2
"""How long requests have to be answered then."""
END_S = 3.4
"""Seconds from the first signal until the process ends without them."""
_LAST_S = 1.0
"""How long the last checkpoint may take then."""


class StoppingServer(uvicorn.Server):
    """uvicorn's server; ``end_streams`` is called before it waits for requests to end, ``end_connections`` when clients
    have had their time.

    The first SIGTERM or Ctrl-C stops it within END_S seconds and a last checkpoint, another one at once. ``checkpoint``
    is called before the process ends early.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        end_streams: Callable[[], None],
        end_connections: Callable[[], None],
        checkpoint: Callable[[], None],
    ) -> None:
        config.timeout_graceful_shutdown = GRACE_S
        super().__init__(config)
        self._end_streams, self._end_connections, self._checkpoint = end_streams, end_connections, checkpoint
        self._asked_again = threading.Event()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop on a signal."""
        if self.should_exit:
            self._asked_again.set()
            return
        super().handle_exit(sig, frame)
        threading.Thread(target=self._end_late, name="end", daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, answer the requests under way, and close the application."""
        self._end_streams()
        asyncio.get_running_loop().call_later(CLIENTS_S, self._end_connections)
        await super().shutdown(sockets)

    def _end_late(self) -> None:
        """End the process if it has not ended in time, or is asked again."""
        self._asked_again.wait(END_S)
        last = threading.Thread(target=self._try_checkpoint, name="last checkpoint", daemon=True)
        last.start()
        last.join(_LAST_S)
        os._exit(0)

    def _try_checkpoint(self) -> None:
        with suppress(Exception):  # if the store fails now, its log is read again
            self._checkpoint()
