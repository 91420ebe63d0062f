"""Kill and stop a server at random moments under load: ``python scripts/kill_test.py --kills 200``.

Several clients play games by commands and send photos of tables. Again and again the server, sometimes with its
workers, is killed with SIGKILL and restarted at once. One time in five it is stopped in good order instead, by SIGTERM
or Ctrl-C, while other clients follow streams, hardly read their answers, send half an upload, or wait for a report.
After each end the database and the pictures are searched for everything that was acknowledged: every event exactly
once, no gap, every photo job with its bytes or its event, nothing else. A client without an answer repeats its command,
which counts once. A stop must end all processes within five seconds, send every stream the last message, and leave
nothing beside an SQLite file; and the server must log no traceback. ``--url`` is an empty PostgreSQL database to use
instead of a file. The same ``--seed`` gives the same moments, as far as a machine repeats itself. Prints the results as
JSON; the exit status is 1 if there is a fault.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa
from processes import family, started_as
from served import NO_LIMITS, Client, Server, begin, begin_game, host_of

from api.photos.jobs import SILENT_S
from api.settings import Settings
from api.tables.store import DATABASE, Store
from tabletop.game.store import EventStore
from tabletop.game.tables import EVENT, PHOTO_JOB

MOST_UP_S = 1.5
STOP_S = 5.0
LEFT_S = 1.0
"""How long ended processes may take to disappear."""
EACH_AT_A_STOP = 3
READING_S = 20.0
UNTOLD_S = 5.0
"""A photo's bytes may stay without a row for so long: the client got no acknowledgement."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=200, help="a fifth of them stops")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="kill no more after so long")
    parser.add_argument("--url", default="", help="an empty PostgreSQL database")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--photographers", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = run_kills(Path(folder), asked)
    print(json.dumps(report, indent=2))
    return 1 if report["faults"] else 0


def run_kills(folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """Play, kill, check; returns the results."""
    settings = Settings(
        folder, url=asked.url, workers=asked.workers, engine="served:canned_engine", photos_waiting=30,
        orphan_s=UNTOLD_S, **NO_LIMITS,
    )  # fmt: skip
    store = Store(folder, asked.url)
    server, chance, over = Server(settings), random.Random(asked.seed), threading.Event()
    server.start()
    server.ready()
    host = host_of(server, server.token())
    clients = _clients(asked, store.kept, host, over)
    begun, faults, kills, with_workers, early, up_s = time.monotonic(), list[str](), 0, 0, 0, 0.0
    stops_s: list[float] = []
    for number in range(asked.kills):
        if time.monotonic() - begun > asked.seconds:
            break
        if number % 5 == 1:
            server.ready()
            stopped_s, wrong = stop(server, store, clients, chance)
            stops_s.append(stopped_s)
            faults += [f"stop {number + 1}: {fault}" for fault in wrong + faults_of(store, clients)]
            server.start()
            continue
        if number % 4 == 3:  # while it starts
            early += 1
            time.sleep(chance.uniform(0.0, 0.3))
        else:
            server.ready()
            up = time.monotonic()
            if number % 4 == 1:
                _until_read(store)
            time.sleep(chance.uniform(0.0, MOST_UP_S))
            up_s += time.monotonic() - up
        workers = chance.random() < 0.25
        with_workers += workers
        server.kill(workers=workers)
        kills += 1
        faults += [f"after kill {number + 1}: {fault}" for fault in faults_of(store, clients)]
        server.start()
    server.ready()
    time.sleep(0.5)
    over.set()
    for client in clients:
        client.join()
    _settle(store)
    faults += faults_of(store, clients, at_the_end=True)
    server.stop()
    faults += [f"{line} was logged {count} times" for line, count in errors_logged(server).items()]
    spent = time.monotonic() - begun
    with store.kept.reading() as connection:
        count = sa.select(PHOTO_JOB.c.state, sa.func.count()).group_by(PHOTO_JOB.c.state)
        states = {row[0]: row[1] for row in connection.execute(count)}
        events = connection.execute(sa.select(sa.func.count()).select_from(EVENT)).scalar_one()
    answers: Counter[str] = Counter()
    for client in clients:
        answers += client.told.answers
        faults += client.told.faults
    return {
        "kills": kills,
        "stops": len(stops_s),
        "longest_stop_s": round(max(stops_s, default=0.0), 2),
        "seed": asked.seed,
        "database": "postgresql" if asked.url else "sqlite",
        "workers_killed_too": with_workers,
        "killed_while_starting": early,
        "seconds": round(spent, 1),
        "seconds_under_load": round(up_s, 1),
        "commands_acknowledged": sum(len(client.told.commands) for client in clients),
        "photos_acknowledged": sum(len(client.told.jobs) for client in clients),
        "jobs": states,
        "events": events,
        "answers": dict(answers.most_common()),
        "faults": faults,
    }


def errors_logged(server: Server) -> Counter[str]:
    """How often each error was written on the server's terminal with a traceback."""
    server.said.seek(0)
    tracebacks = "".join(line.lstrip(" |+") for line in server.said).split("Traceback (most recent call last):\n")[1:]
    return Counter(next((line for line in one.splitlines() if "Error" in line), one[:200]) for one in tracebacks)


def _clients(asked: argparse.Namespace, kept: EventStore, host: httpx.Client, over: threading.Event) -> list[Client]:
    """The devices: players, each with a separate game in which they play both sides, and photographers."""
    clients = []
    for number in range(asked.players):
        game = f"evening-{number}"
        clients.append(Client(number, asked.seed, begin_game(host, kept, game), game, "", over))
    for number in range(asked.photographers):
        clients.append(Client(asked.players + number, asked.seed, host, "", begin(host)["table"], over))
    for client in clients:
        client.start()
    return clients


@dataclass(frozen=True)
class Held:
    """Clients that are busy while the server stops: ``begun`` is released by each, ``ended`` set after the stop."""

    begun: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    ended: threading.Event = field(default_factory=threading.Event)


def stop(server: Server, store: Store, clients: list[Client], chance: random.Random) -> tuple[float, list[str]]:
    """Stop the server while clients are busy; the seconds that it took, and the faults."""
    players, senders = [one for one in clients if one.game], [one for one in clients if not one.game]
    jobs: list[Callable[[Held], str]] = []
    for number in range(EACH_AT_A_STOP):
        player, sender = chance.choice(players), chance.choice(senders)
        jobs.append(partial(_follow, player))
        wish = json.dumps({"format": "pdf", "length": "full", "title": f"Stop {chance.random()} {number}"})
        report = "POST", f"/api/games/{player.game}/report", "application/json", len(wish), wish
        upload = "POST", f"/api/tables/{sender.table}/photos", "multipart/form-data; boundary=x", 60_000, "--x\r\n"
        others = (partial(_send, player, report), partial(_send, sender, upload), partial(_read_slowly, player))
        jobs += [job for job in others if chance.random() < 0.7]
    held = Held()
    with ThreadPoolExecutor(len(jobs)) as threads:
        running = [threads.submit(job, held) for job in jobs]
        for _ in jobs:
            held.begun.acquire(timeout=READING_S)
        time.sleep(chance.uniform(0.0, MOST_UP_S))
        pids = list(family(server.pid))
        took_s = server.end(chance.choice((signal.SIGTERM, signal.SIGINT)))
        held.ended.set()
        faults = [fault for one in running if (fault := one.result())]
    if took_s > STOP_S:
        faults.append(f"it took {took_s:.1f} s")
    until = time.monotonic() + LEFT_S
    while (left := [name for pid in pids if (name := started_as(pid))]) and time.monotonic() < until:
        time.sleep(0.01)
    faults += [f"{name} still runs" for name in left]
    beside = store.folder / f"{DATABASE}-wal"
    if beside.exists() and beside.stat().st_size:
        faults.append(f"{beside.name} holds {beside.stat().st_size} bytes")
    return took_s, faults


def _follow(client: Client, held: Held) -> str:
    """Follow a stream to its end; the fault where its last message is not that the server stops."""
    last = ""
    try:
        with client.http.stream("GET", f"/api/games/{client.game}/stream?after=0", timeout=None) as answer:
            held.begun.release()
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    last = line[7:]
    except httpx.TransportError:
        pass
    return "" if last == "stopping" else f"the last message of a stream was {last!r}"


def _send(client: Client, request: tuple[str, str, str, int, str], held: Held) -> str:
    """Send a request or its beginning, and wait until the connection ends."""
    method, path, kind, length, body = request
    with _connected(client) as connection:
        head = f"{method} {path} HTTP/1.1\r\n{_cookies(client)}Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
        connection.sendall((head + body).encode())
        held.begun.release()
        _read(connection, 4096, 0.0, held)
    return ""


def _read_slowly(client: Client, held: Held) -> str:
    """Ask for more than the system keeps for a connection, and read some bytes of it now and then."""
    with _connected(client) as connection:
        connection.sendall(f"GET /api/openapi.json HTTP/1.1\r\n{_cookies(client)}\r\n".encode() * 50)
        held.begun.release()
        _read(connection, 100, 0.05, held)
    return ""


def _connected(client: Client) -> socket.socket:
    url = client.http.base_url
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect((url.host, url.port))
    return connection


def _cookies(client: Client) -> str:
    cookies = "; ".join(f"{name}={value}" for name, value in client.http.cookies.items())
    return f"Host: 127.0.0.1\r\nCookie: {cookies}\r\n"


def _read(connection: socket.socket, most: int, pause_s: float, held: Held) -> None:
    """Read until the connection or the server ends: the system still delivers bytes after that."""
    with suppress(OSError):
        while connection.recv(most) and not held.ended.wait(pause_s):
            pass


def _until_read(store: Store) -> None:
    """Wait until a worker is at a photo: on a busy machine they start long after the server."""
    until = time.monotonic() + READING_S
    query = sa.select(PHOTO_JOB.c.job).where(PHOTO_JOB.c.state == "working").limit(1)
    while time.monotonic() < until:
        with store.kept.reading() as connection:
            if connection.execute(query).first() is not None:
                return
        time.sleep(0.01)


def _settle(store: Store) -> None:
    """Wait until every photo is read and unacknowledged uploads are dropped."""
    until = time.monotonic() + SILENT_S + UNTOLD_S + 60.0
    query = sa.select(sa.func.count()).select_from(PHOTO_JOB).where(PHOTO_JOB.c.state.in_(("waiting", "working")))
    while time.monotonic() < until:
        with store.kept.reading() as connection:
            open_ = connection.execute(query).scalar_one()
        if not open_ and not store.pictures.list_folder("spool"):
            return
        time.sleep(0.2)


def faults_of(store: Store, clients: list[Client], *, at_the_end: bool = False) -> list[str]:
    """Acknowledged things that are missing, things stored twice, and dangling references."""
    faults = []
    told = [client.told for client in clients]
    commands = {id_: where for one in told for id_, where in list(one.commands.items())}
    jobs = {job: table for one in told for job, table in list(one.jobs.items())}
    uploads = store.pictures.list_folder("spool")  # before the rows: a job that ends meanwhile is not a fault
    with store.kept.reading() as connection:
        if connection.dialect.name == "postgresql":  # SQLite reads both tables as of one moment anyway
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        events = connection.execute(sa.select(EVENT.c.game, EVENT.c.seq, EVENT.c.id, EVENT.c.kind, EVENT.c.body)).all()
        rows = {row.job: row for row in connection.execute(sa.select(PHOTO_JOB))}
    ids = Counter(event.id for event in events)
    faults += [f"event {id_} is there {count} times" for id_, count in ids.items() if count > 1]
    at = {(event.game, event.seq): event.id for event in events}
    for game in {event.game for event in events}:
        seqs = sorted(event.seq for event in events if event.game == game)
        if seqs != list(range(1, len(seqs) + 1)):
            faults.append(f"{game} has gaps: {seqs}")
    for id_, (game, written) in commands.items():
        if ids[id_] != 1:
            faults.append(f"the acknowledged command {id_} is there {ids[id_]} times")
        faults += [f"the acknowledged event {game} {seq} is gone" for seq in written if (game, seq) not in at]
    names = set(uploads)
    for job in jobs:
        row = rows.get(job)
        if row is None:
            faults.append(f"the acknowledged photo {job} has no row")
        elif row.state == "done" and not ids[job]:
            faults.append(f"the photo {job} is done without an event")
        elif row.state in ("waiting", "working") and at_the_end:
            faults.append(f"the photo {job} was never read: {row.state}")
    for job, row in rows.items():
        upload = f"spool/{row.sha256}-{job}"
        if row.state in ("waiting", "working") and upload not in names and store.pictures.get(upload) is None:
            faults.append(f"the photo {job} is {row.state} and has no bytes")
    faults += [f"{upload} is left over" for upload in uploads if at_the_end]
    faults += _pictures_missing(store, events)
    if at_the_end:
        faults += _pictures_without_event(store, events)
    return faults


def _pictures_missing(store: Store, events: Sequence[Any]) -> list[str]:
    missing = []
    for event in events:
        if event.kind == "photo":
            sha = json.loads(event.body)["sha256"]
            for picture in ("map", "annotated", "upright"):
                if not (store.folder / "photos" / sha / f"{picture}-{event.game}.jpg").is_file():
                    missing.append(f"the photo event {event.id} has no {picture}")
    return missing


def _pictures_without_event(store: Store, events: Sequence[Any]) -> list[str]:
    known = {(json.loads(event.body)["sha256"], event.game) for event in events if event.kind == "photo"}
    left = []
    for path in (store.folder / "photos").rglob("*"):
        if path.is_file() and (path.parent.name, path.stem.rpartition("-")[2]) not in known:
            left.append(f"{path.relative_to(store.folder)} has no event")
    return left


if __name__ == "__main__":
    sys.exit(main())
