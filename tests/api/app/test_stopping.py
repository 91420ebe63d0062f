"""A server that is asked to end does so, though a computation, a client or the application's own end holds it up."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import pytest

from tests.paths import ROOT
from tests.support.waiting import BOUND_S

SERVER = """
import threading, sys
from anyio.to_thread import run_sync
from api.app.connections import server_at
from tabletop.cli.serving import listening_socket

never = threading.Event()

async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        if sys.argv[1] == "end":
            await run_sync(never.wait)
        await send({"type": "lifespan.shutdown.complete"})
    else:
        print("asked", flush=True)
        await run_sync(never.wait)

door = listening_socket("127.0.0.1", 0)
print(door.getsockname()[1], flush=True)
server_at(door, app, checkpoint=lambda: print("checkpoint", flush=True)).run(sockets=[door])
"""


@pytest.mark.parametrize(
    ("stuck", "signals"),
    [("end", [signal.SIGTERM]), ("answer", [signal.SIGINT]), ("end", [signal.SIGTERM, signal.SIGTERM])],
)
def test_what_is_stuck_does_not_keep_a_server_and_its_store_is_whole(stuck: str, signals: list[signal.Signals]) -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER, stuck], stdout=subprocess.PIPE, cwd=ROOT, text=True) as server:
        assert server.stdout is not None
        with socket.create_connection(("127.0.0.1", int(server.stdout.readline())), timeout=BOUND_S) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert server.stdout.readline() == "asked\n"
            for each in signals:
                server.send_signal(each)
            assert server.wait(BOUND_S) == 0
        assert server.stdout.read() == "checkpoint\n"
