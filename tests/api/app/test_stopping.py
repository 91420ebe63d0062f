"""A server that is asked to end does so, though a computation, a client or the application's own end holds it up."""

import signal
import socket
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from api.app.application import create_app
from api.settings import Settings
from tests.paths import ROOT
from tests.support import postgres
from tests.support.waiting import BOUND_S, Bell, wait_for_end

SERVER = """
import threading, sys
import anyio
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
        await (anyio.sleep_forever() if sys.argv[1] == "wait" else run_sync(never.wait))

door = listening_socket("127.0.0.1", 0)
print(door.getsockname()[1], flush=True)
server_at(door, app, checkpoint=lambda: print("checkpoint", flush=True)).run(sockets=[door])
"""


@pytest.mark.parametrize(
    ("stuck", "signals"),
    [
        ("end", [signal.SIGTERM]),
        ("answer", [signal.SIGINT]),
        ("end", [signal.SIGTERM, signal.SIGTERM]),
        ("wait", [signal.SIGTERM]),
    ],
)
def test_what_is_stuck_does_not_keep_a_server_and_its_store_is_whole(stuck: str, signals: list[signal.Signals]) -> None:
    program = [sys.executable, "-c", SERVER, stuck]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True) as server:
        assert server.stdout is not None and server.stderr is not None
        with socket.create_connection(("127.0.0.1", int(server.stdout.readline())), timeout=BOUND_S) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert server.stdout.readline() == "asked\n"
            for each in signals:
                server.send_signal(each)
            assert server.wait(BOUND_S) == (-signal.SIGTERM if stuck == "wait" else 0), "uvicorn raises it once more"
        assert server.stdout.read() == ("" if stuck == "wait" else "checkpoint\n")
        assert "Exception in ASGI application" not in server.stderr.read(), (
            "an answer that is cut off is no fault of the program"
        )


WORKING = """
import sys
from pathlib import Path
from fastapi import Request
from api.app.application import create_app
from api.app.connections import server_at
from api.processes.work_queue import Processes
from api.services.heavy_work import heavy, need
from api.settings import Settings
from tabletop.cli.serving import listening_socket
from tests.support import apart_jobs

app = create_app(Settings(Path(sys.argv[1]), url=sys.argv[2], workers=0))
services = app.state.services
services.work.__init__(Processes(apart_jobs.calls, 1))

@app.get("/api/report")
@heavy(services.work)
def report() -> bytes:
    return need(services.work, ("report",), apart_jobs.waits, b"", {"bell": sys.argv[3]})

door = listening_socket("127.0.0.1", 0)
print(door.getsockname()[1], flush=True)
server_at(door, app, end_streams=services.end, checkpoint=lambda: print("late", flush=True)).run(sockets=[door])
"""


@pytest.mark.parametrize("database", ["", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_a_report_that_is_being_made_ends_with_the_server_in_good_order(tmp_path: Path, database: str) -> None:
    if database and postgres.missing():
        pytest.skip(postgres.missing())
    bell = Bell(tmp_path / "bell")
    with postgres.cluster() if database else nullcontext("") as running:
        url = postgres.new_database(running, "stopping") if database else ""
        arguments = [sys.executable, "-c", WORKING, str(tmp_path), url, str(bell.path)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, cwd=ROOT, text=True) as server:
            assert server.stdout is not None
            with socket.create_connection(("127.0.0.1", int(server.stdout.readline())), timeout=BOUND_S) as client:
                client.sendall(b"GET /api/report HTTP/1.1\r\nHost: localhost\r\n\r\n")
                draws = int(bell.wait())
                server.send_signal(signal.SIGTERM)
                assert server.wait(BOUND_S) == -signal.SIGTERM, "it was not broken off"
                assert client.recv(100).startswith(b"HTTP/1.1 503"), "who waits for it is told"
            wait_for_end(draws)
            assert server.stdout.read() == "", "nothing had to be broken off"


@pytest.mark.parametrize("at_once", [False, True])
def test_workers_end_with_a_server_that_waits_for_requests_or_can_t_stop(tmp_path: Path, at_once: bool) -> None:
    services = create_app(Settings(tmp_path, workers=1)).state.services
    end = (services.at_once if at_once else services.at_end)[0]
    program = "import time; time.sleep(1e6)" if at_once else "input()"
    waiting = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    end.__self__._places[0].process = waiting
    (services.end_at_once if at_once else services.end)()
    assert waiting.wait(BOUND_S) == (-signal.SIGKILL if at_once else 1)
