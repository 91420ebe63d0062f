"""Strangers who open connections and leave it at that: the server ends those, and goes on answering everybody."""

import asyncio
import http.client
import logging
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import pytest

from api.app.connections import BoundedProtocol, Bounds, Connection, Connections, Door, OnceAMinute, Stage, server_at
from tabletop.cli.serving import listening_socket
from tests.support.api_games import Place
from tests.support.waiting import BOUND_S

HALF_SENT = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
SHORT = Bounds(in_all=12, of_one=6, headers_s=1.0, body_s=1.0, body_bytes=1000, answer_s=1.0)
STREAM = b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def app(scope: dict, receive: object, send: object) -> None:
    """Answers with what it was sent; tells its address; streams for ever; sends more than anybody takes."""
    if scope["type"] != "http":
        while True:
            kind = (await receive())["type"]
            await send({"type": f"{kind}.complete"})
            if kind == "lifespan.shutdown":
                return
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/much":
        for _ in range(1000):
            await send({"type": "http.response.body", "body": bytes(100_000), "more_body": True})
    if scope["path"] == "/stream":
        await send({"type": "http.response.body", "body": b"data: 1\n\n", "more_body": True})
        await receive()
        return
    who = scope["client"][0].encode()
    await send({"type": "http.response.body", "body": body or who})


@contextmanager
def running(door: Door) -> Iterator[int]:
    """The port of a server at a door that listens already: who comes waits for the server."""
    server = server_at(door, app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
    thread.start()
    try:
        yield door.getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        thread.join(BOUND_S)


class Watched(Connections):
    """The connections of a door: the time goes on when it is told to, and the end of each is told."""

    def __init__(self) -> None:
        self.now = 0.0
        self.forgotten = threading.Semaphore(0)
        super().__init__(SHORT, clock=lambda: self.now)

    def forget(self, peer: Any, sock: socket.socket) -> None:
        super().forget(peer, sock)
        self.forgotten.release()


@pytest.fixture
def door() -> Iterator[Door]:
    with Door(SHORT) as made:
        made.connections = Watched()
        made.bind(("127.0.0.1", 0))
        made.listen()
        yield made


def connected(port: int, sent: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    link = socket.create_connection(("127.0.0.1", port), timeout=BOUND_S, source_address=(source, 0))
    link.sendall(sent)
    return link


@contextmanager
def streaming(port: int) -> Iterator[socket.socket]:
    """A stream that has begun; it must still be open at the end."""
    with connected(port, STREAM) as link:
        told = b""
        while not told.endswith(b"data: 1\n\n\r\n"):
            told += link.recv(1000)
        yield link
        link.setblocking(False)
        with pytest.raises(BlockingIOError):
            link.recv(1)


def asked(port: int, body: bytes | None = None, headers: dict[str, str] | None = None) -> bytes:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=BOUND_S)) as link:
        link.request("POST" if body else "GET", "/", body, headers or {})
        return link.getresponse().read()


def wait_for_end(link: socket.socket) -> None:
    with suppress(ConnectionError):
        while link.recv(1 << 20):
            pass


def test_small_answers_are_sent_at_once() -> None:
    with listening_socket("127.0.0.1", 0) as door, running(door) as port, connected(port, STREAM) as link:
        link.recv(1000)
        served = door.connections.of(link.getsockname())
        assert served is not None and served.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_half_sent_requests_end_and_streams_stay(door: Door) -> None:
    with running(door) as port, streaming(port), ExitStack() as stack:
        slow = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nlittle"
        links = [stack.enter_context(connected(port, sent)) for sent in (b"", HALF_SENT, slow)]
        assert asked(port, bytes(100_000)) == bytes(100_000), "who came before is known by now"
        assert len(door.connections) >= 4
        door.connections.now = SHORT.headers_s
        for link in links:
            wait_for_end(link)
        assert asked(port, bytes(100_000)) == bytes(100_000)


def test_whoever_takes_nothing_of_an_answer_loses_it(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    pause, stalled = BoundedProtocol.pause_writing, threading.Event()
    monkeypatch.setattr(BoundedProtocol, "pause_writing", lambda self: (pause(self), stalled.set()))
    with running(door) as port, connected(port, b"GET /much HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        assert stalled.wait(BOUND_S)
        door.connections.now = SHORT.answer_s
        assert door.connections.forgotten.acquire(timeout=BOUND_S)
        assert not len(door.connections)


def test_others_are_answered_whatever_strangers_hold(door: Door) -> None:
    with running(door) as port, streaming(port), ExitStack() as stack:
        for source in [f"127.0.0.{2 + n // 8}" for n in range(40)] + ["127.0.0.1"] * 20:
            stack.enter_context(connected(port, HALF_SENT, source))
        assert asked(port, headers={"X-Forwarded-For": "10.9.8.7"}) == b"127.0.0.1", "not whom it says it forwards"
        assert len(door.connections) <= SHORT.in_all


def test_one_too_many_is_turned_away_where_all_are_served() -> None:
    known = Connections(Bounds(in_all=3, of_one=2), clock=lambda: 0.0)
    with socket.socket() as sock:
        for port in (1, 2):
            assert known.admit(sock, ("10.0.0.1", port))
            connection = known.of(("10.0.0.1", port))
            assert isinstance(connection, Connection)
            connection.enter(Stage.SERVED, 0.0)
        assert not known.admit(sock, ("10.0.0.1", 3))
        assert known.admit(sock, ("10.0.0.2", 1)) and known.admit(sock, ("10.0.0.3", 1))
        assert len(known) == 3 and known.of(("10.0.0.2", 1)) is None


def test_a_client_may_leave_while_a_stream_tells_it_something(place: Place, game: str) -> None:
    for number in range(4):
        place.host.ask("POST", f"/api/games/{game}/notes", 201, json={"id": f"note-{number}0000", "text": "A note"})

    leaves = asyncio.Event()

    async def take_nothing() -> None:
        for _ in range(100):  # turns of the loop, in which the next events are queued for it
            await asyncio.sleep(0)
        leaves.set()
        await asyncio.Event().wait()

    path = f"/api/games/{game}/stream?after=0"
    assert asyncio.run(place.host.ask_until("GET", path, leaves, take_nothing)) == 200, "no error is raised and logged"


def test_a_warning_is_logged_once_a_minute_and_errors_always() -> None:
    now = 0.0
    sieve = OnceAMinute(lambda: now)

    def passes(level: int, words: str) -> bool:
        return sieve.filter(logging.LogRecord("x", level, "", 0, words, None, None))

    storm = "socket.accept() out of system resource\nsocket: 1"
    assert [passes(logging.ERROR, storm) for _ in range(3)] == [True, False, False]
    assert [passes(logging.WARNING, "Invalid HTTP request received.") for _ in range(2)] == [True, False]
    assert all(passes(logging.ERROR, "Exception in ASGI application\n") for _ in range(2))
    now = 61.0
    assert passes(logging.ERROR, storm)


def test_the_limit_of_open_files_is_raised_and_connections_stay_below_it() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (300, 1000))\n"
        "from tabletop.cli.serving import listening_socket\n"
        "door = listening_socket('127.0.0.1', 0)\n"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], door.connections.bounds.in_all)"
    )
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= 1000
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1000", "744"]
