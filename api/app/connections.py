"""Connections from the network, bounded: how many there are, and how long each may take to send a request.

uvicorn bounds the size of headers and the wait between two requests, but neither how long a request takes to arrive nor
how many connections one address has. Here a :class:`Door` accepts and counts connections, a :class:`BoundedProtocol`
tracks the progress of each connection's request, and the server calls :meth:`Connections.close_late` once a second. A
connection that waits for the server, such as a game's event stream, is never late.
"""

from __future__ import annotations

import asyncio
import enum
import logging
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from api.app.stopping import StoppingServer
from api.auth.tokens import network_of_address

if TYPE_CHECKING:
    from uvicorn.protocols.http.flow_control import FlowControl
    from uvicorn.server import ServerState

BACKLOG = 128
"""Connections that the system queues until they are accepted, and that are accepted in one batch."""
_WANTED_DESCRIPTORS = 8192
_OTHER_DESCRIPTORS = 256
"""Left for the database, files, pipes to workers, and connections that are being closed."""
_MOST_CONNECTIONS = 4000
_QUIET_S = 60.0
_TURN_S = 0.001
"""How long a thread computes before the event loop gets its turn, which it needs at every step of every request."""


@dataclass(frozen=True)
class Bounds:
    """At most ``in_all`` connections, ``of_one`` from one address. The headers of a request may take ``headers_s``
    seconds; its body must deliver ``body_bytes`` or end within each ``body_s``; a client that reads nothing of an
    answer for ``answer_s`` loses it."""

    in_all: int
    of_one: int
    headers_s: float = 10.0
    body_s: float = 15.0
    body_bytes: int = 16_000
    answer_s: float = 60.0


def bounds_below(descriptors: int) -> Bounds:
    """The bounds that keep a process below its limit of open files. A whole club may share one address, its router's.

    >>> bounds_below(1024)
    Bounds(in_all=768, of_one=384, headers_s=10.0, body_s=15.0, body_bytes=16000, answer_s=60.0)
    """
    in_all = max(64, min(_MOST_CONNECTIONS, descriptors - _OTHER_DESCRIPTORS))
    return Bounds(in_all, in_all // 2)


def raise_descriptor_limit() -> int:
    """Let this process open more files where the system allows it; returns how many it may open then. Windows has no
    such limit."""
    if sys.platform == "win32":
        return _WANTED_DESCRIPTORS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_WANTED_DESCRIPTORS, hard)
    if soft == resource.RLIM_INFINITY:
        return _WANTED_DESCRIPTORS
    if soft < wanted:
        with suppress(ValueError, OSError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return int(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


class Stage(enum.Enum):
    """The stage of a connection."""

    HEADERS = enum.auto()
    """Nothing has arrived yet, a TLS handshake is under way, headers are half sent, or the next request has not
    begun."""
    BODY = enum.auto()
    SERVED = enum.auto()
    """The request is complete; the server is answering it or will."""


@dataclass(eq=False)
class Connection:
    """One connection; ``since`` is when its stage began, ``stalled_since`` when its client stopped reading.

    ``received`` counts the bytes since the body's pace was last checked."""

    sock: socket.socket
    network: str
    since: float
    stage: Stage = Stage.HEADERS
    received: int = 0
    flow: FlowControl | None = None
    stalled_since: float | None = None

    def enter(self, stage: Stage, now: float) -> None:
        """Enter a stage, unless the connection is in it."""
        if stage is not self.stage:
            self.stage, self.since, self.received = stage, now, 0

    def end(self) -> None:
        """Make the event loop see the end of the connection, through any layer between such as TLS."""
        with suppress(OSError):  # it may be gone already
            self.sock.shutdown(socket.SHUT_RDWR)


class Connections:
    """The open connections. For the event loop's thread."""

    def __init__(self, bounds: Bounds, clock: Callable[[], float] = time.monotonic) -> None:
        self.bounds = bounds
        self.clock = clock
        self._by_peer: dict[Any, Connection] = {}
        self._of_network: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._by_peer)

    def of(self, peer: Any) -> Connection | None:
        """The connection with a peer (address and port); ``None`` where it is closing."""
        return self._by_peer.get(peer)

    def admit(self, sock: socket.socket, peer: Any) -> bool:
        """Count a new connection. Where there are too many, from its address or in total, it replaces the one that has
        been without a complete request for longest; if every other one has a request, the new one is refused."""
        network = network_of_address(peer[0])
        if self._of_network[network] >= self.bounds.of_one and not self._make_room(network):
            return False
        if len(self) >= self.bounds.in_all and not self._make_room(None):
            return False
        self._by_peer[peer] = Connection(sock, network, self.clock())
        self._of_network[network] += 1
        return True

    def forget(self, peer: Any, sock: socket.socket) -> None:
        """A connection is closed."""
        known = self._by_peer.get(peer)
        if known is not None and known.sock is sock:
            del self._by_peer[peer]
            self._of_network[known.network] -= 1
            if not self._of_network[known.network]:
                del self._of_network[known.network]

    async def close_late(self) -> None:
        """End the connections of clients that take too long."""
        now = self.clock()
        for connection in list(self._by_peer.values()):
            if self._is_late(connection, now):
                connection.end()

    def end_all(self) -> None:
        """End all connections."""
        for connection in list(self._by_peer.values()):
            connection.end()

    def _is_late(self, connection: Connection, now: float) -> bool:
        bounds = self.bounds
        if connection.stalled_since is not None and now - connection.stalled_since >= bounds.answer_s:
            return True
        if connection.stage is Stage.HEADERS:
            return now - connection.since >= bounds.headers_s
        if connection.stage is Stage.BODY and now - connection.since >= bounds.body_s:
            brought, connection.received, connection.since = connection.received, 0, now
            return brought < bounds.body_bytes and not (connection.flow and connection.flow.read_paused)
        return False

    def _make_room(self, network: str | None) -> bool:
        waiting = [
            (one.since, peer)
            for peer, one in self._by_peer.items()
            if one.stage is Stage.HEADERS and network in (None, one.network)
        ]
        if not waiting:
            return False
        _, peer = min(waiting)
        oldest = self._by_peer[peer]
        oldest.end()
        self.forget(peer, oldest.sock)
        return True


class _Accepted(socket.socket):
    """The socket of a connection, which is no longer counted once it is closed."""

    closing: Callable[[], None] | None = None

    def close(self) -> None:
        """Close it."""
        super().close()
        if self.closing is not None:
            self.closing()
            self.closing = None


class Door(socket.socket):
    """A listening TCP socket that counts its connections in ``connections``."""

    def __init__(self, bounds: Bounds) -> None:
        # asyncio sends small answers at once (TCP_NODELAY) only where the protocol is named
        super().__init__(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self.connections = Connections(bounds)

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection; one too many is closed, and BlockingIOError raised as if no connection were waiting."""
        descriptor, peer = self._accept()  # type: ignore[attr-defined]
        sock = _Accepted(self.family, self.type, self.proto, fileno=descriptor)
        if not self.connections.admit(sock, peer):
            sock.close()
            raise BlockingIOError
        sock.closing = lambda: self.connections.forget(peer, sock)
        return sock, peer


class _Config(uvicorn.Config):
    """uvicorn's settings, and the connections of the door."""

    connections: Connections


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP protocol, which also tracks the progress of each connection."""

    def __init__(
        self,
        config: _Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._connections = config.connections
        self._connection: Connection | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection begins."""
        super().connection_made(transport)
        self._connection = self._connections.of(transport.get_extra_info("peername"))
        if self._connection is None:  # it had to make room before it began
            transport.abort()
        else:
            self._connection.flow = self.flow

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request."""
        if self._connection is not None:
            self._connection.received += len(data)
        super().data_received(data)
        self._note_stage()

    def on_response_complete(self) -> None:
        """An answer is sent."""
        super().on_response_complete()
        self._note_stage()

    def pause_writing(self) -> None:
        """The client reads nothing for now."""
        super().pause_writing()
        if self._connection is not None:
            self._connection.stalled_since = self._connections.clock()

    def resume_writing(self) -> None:
        """The client has read the data that was buffered."""
        super().resume_writing()
        if self._connection is not None:
            self._connection.stalled_since = None

    def _note_stage(self) -> None:
        if self._connection is not None:
            stages = {h11.IDLE: Stage.HEADERS, h11.SEND_BODY: Stage.BODY}
            self._connection.enter(stages.get(self.conn.their_state, Stage.SERVED), self._connections.clock())


class OnceAMinute(logging.Filter):
    """Lets each warning through once a minute, so that strangers can't fill the log. All errors pass, except those of
    connections that can't be accepted and of answers that a stopping server cut off."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log it."""
        if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
            return False
        what = str(record.msg).partition("\n")[0]
        if record.levelno >= logging.ERROR and not what.startswith("socket.accept()"):
            return True
        now = self._clock()
        self._told = {known: at for known, at in self._told.items() if now - at < _QUIET_S}
        if what in self._told:
            return False
        self._told[what] = now
        return True


_ONCE_A_MINUTE = OnceAMinute()


def server_at(
    door: Door,
    app: Any,
    *,
    end_streams: Callable[[], None] = lambda: None,
    checkpoint: Callable[[], None] = lambda: None,
    **more: Any,
) -> StoppingServer:
    """A server of an application for the connections of a door; ``more`` are settings of uvicorn's, the others those of
    :class:`StoppingServer`.

    ``X-Forwarded-For`` is believed only from the addresses that FORWARDED_ALLOW_IPS names.
    """
    config = _Config(
        app,
        log_level="warning",
        access_log=False,
        loop="asyncio",
        http=BoundedProtocol,
        ws="none",
        backlog=BACKLOG,
        proxy_headers="FORWARDED_ALLOW_IPS" in os.environ,
        callback_notify=door.connections.close_late,
        timeout_notify=0,
        **more,
    )
    config.connections = door.connections
    sys.setswitchinterval(_TURN_S)
    for name in ("api.errors", "asyncio", "uvicorn.error"):
        logging.getLogger(name).addFilter(_ONCE_A_MINUTE)
    return StoppingServer(config, end_streams, door.connections.end_all, checkpoint)
