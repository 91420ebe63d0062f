"""How soon what happens at a game reaches the phones that follow it: `tabletop serve`, phones on loopback.

Every phone follows the game's stream, which sends the changes of its screen after every event. One player moves every
so often. Printed: milliseconds from the moment the player's command was sent until each phone has received it, the
share of that before the command was answered, until each phone shows the game as it then is, the bytes that a phone
received for each command and the server's processor time for it. Then how much of a core the server takes while so
many streams are open and nothing happens. For comparison, the same is printed for a bare FastAPI application on uvicorn
that answers an echo, passes every command's words on to as many streams, and keeps as many open.

    python scripts/bench_live.py --phones 20 --commands 60 --pause-s 2 --idle 200

With ``--beside-worst`` both are measured twice: alone, and while a spectator asks `tabletop serve` for more than it can
do. ``--out`` writes these times as a table between the marks of a page.

    python scripts/bench_live.py --beside-worst --pause-s 0.4 --out docs/promises.md
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import worst_seat
from pages import write_between
from processes import processor_s
from worst_seat import GAME

ASKED = 200
NOT_KEPT = httpx.Limits(keepalive_expiry=2.0)
"""A client that is the first to close a connection never sends on one that the server is closing."""
ARRIVES_S = 60.0
QUIET_S = 2.0
SETTLED_S = 5.0
WATCHED_S = 20.0
BARE = """
import asyncio
import sys
from collections.abc import AsyncIterator
import uvicorn
from fastapi import FastAPI
from fastapi.sse import EventSourceResponse, ServerSentEvent

app = FastAPI()
streams = set()
seq = 0


@app.get("/api/device")
async def echo(said: str) -> dict[str, str]:
    return {"said": said}


@app.post("/commands")
async def command(said: dict[str, str]) -> dict[str, int]:
    global seq
    seq += 1
    for stream in streams:
        stream.put_nowait(ServerSentEvent(data=said, event="screen", id=str(seq)))
    return {"seq": seq}


@app.get("/stream", response_class=EventSourceResponse)
async def follow() -> AsyncIterator[ServerSentEvent]:
    stream = asyncio.Queue()
    streams.add(stream)
    try:
        while True:
            try:
                yield await asyncio.wait_for(stream.get(), 15)
            except TimeoutError:
                yield ServerSentEvent(comment="still here")
    finally:
        streams.discard(stream)


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", access_log=False)
"""
BARE_BYTES = 800
"""What the bare application sends for each command, about as much as a phone receives about the game."""


@dataclass
class Phone:
    """A device at the game: when it heard of every event, and when it showed it."""

    client: httpx.AsyncClient
    heard: dict[int, float] = field(default_factory=dict)
    shown: dict[int, float] = field(default_factory=dict)
    received: int = 0

    async def follow(self) -> None:
        """Listen to the game for ever."""
        screen = (await self.client.get(f"/api/games/{GAME}/screen")).json()
        await self.listen(f"/api/games/{GAME}/stream?after={screen['game']['seq']}&screen={screen['version']}")

    async def listen(self, path: str) -> None:
        """Listen to a stream for ever."""
        async with self.client.stream("GET", path, timeout=None) as answer:
            kind = ""
            async for line in answer.aiter_lines():
                self.received += len(line.encode()) + 1
                if line.startswith("id: "):
                    self.heard[int(line[4:])] = time.perf_counter()
                elif line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: ") and kind == "screen":
                    told = json.loads(line[6:])
                    if "version" in told:
                        self.shown[int(told["version"].partition("-")[0])] = time.perf_counter()


async def host_at(root: str, token: str) -> httpx.AsyncClient:
    """The device of the host."""
    host = httpx.AsyncClient(base_url=root, timeout=60, limits=NOT_KEPT)
    (await host.post("/api/join", json={"token": token, "label": "Host"})).raise_for_status()
    return host


async def phones(host: httpx.AsyncClient, count: int) -> list[Phone]:
    """Phones that joined: two players, the others watch."""
    found = []
    for number in range(count):
        role = ["side blue", "side red"][number] if number < 2 else "spectator"
        invited = (await host.post(f"/api/games/{GAME}/invitations", json={"roles": [role]})).json()
        client = httpx.AsyncClient(base_url=host.base_url, timeout=60, limits=NOT_KEPT)
        wish = {"token": invited["address"].split("#")[1], "label": f"Phone {number + 1}"}
        (await client.post("/api/join", json=wish)).raise_for_status()
        found.append(Phone(client))
    return found


@asynccontextmanager
async def listening(streams: list[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """The streams are open as long as the block lasts."""
    tasks = [asyncio.create_task(stream) for stream in streams]
    await asyncio.sleep(2.0)
    yield
    lost = [task.exception() for task in tasks if task.done()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    if lost:
        raise SystemExit(f"{len(lost)} of {len(streams)} streams ended before their time, the first by {lost[0]!r}.")


@dataclass(frozen=True)
class Said:
    """Commands and their cost: when each was sent and answered, and the server's processor time, in seconds."""

    sent: dict[int, float]
    answered: dict[int, float]
    processor_s: float


async def say(
    pid: int, asked: argparse.Namespace, command: Callable[[int], Awaitable[int]], arrived: Callable[[int], bool]
) -> Said:
    """Say the commands, which answer the number of their event, and wait until the last has arrived."""
    sent, answered, before = {}, {}, processor_s(pid)
    for number in range(asked.commands):
        start = time.perf_counter()
        seq = await command(number)
        sent[seq], answered[seq] = start, time.perf_counter()
        await asyncio.sleep(asked.pause_s)
    until = time.perf_counter() + ARRIVES_S
    while not arrived(max(sent, default=0)) and time.perf_counter() < until:
        await asyncio.sleep(0.02)
    await asyncio.sleep(QUIET_S)
    return Said(sent, answered, processor_s(pid) - before)


def heard_ms(said: Said, every: list[Phone]) -> np.ndarray:
    """Milliseconds until each phone heard of each command, a row a command and a column a phone."""
    lost = [(seq, n) for seq in said.sent for n, phone in enumerate(every) if seq not in phone.heard]
    if lost:
        raise SystemExit(f"{len(lost)} events did not reach a phone, as event {lost[0][0]} phone {lost[0][1] + 1}.")
    return np.array([[phone.heard[seq] - at for phone in every] for seq, at in said.sent.items()]) * 1e3


async def measure_game(root: str, pid: int, host: httpx.AsyncClient, asked: argparse.Namespace) -> dict[str, Any]:
    """The times of the game's commands, each phone's bytes and the server's processor time for one."""
    every = await phones(host, asked.phones)
    seq = (await host.get(f"/api/games/{GAME}")).json()["seq"]

    async def command(_number: int) -> int:
        nonlocal seq
        words = f"correct B6 hits {1 + seq % 8}"
        wish = {"id": f"bench-{seq:05d}", "after": seq, "words": words, "overrule": True}
        answer = await host.post(f"/api/games/{GAME}/commands", json=wish)
        answer.raise_for_status()
        seq = answer.json()["seq"]
        return int(seq)

    async with listening([phone.follow() for phone in every]):
        quiet = [phone.received for phone in every]
        said = await say(pid, asked, command, lambda seq: all(max(phone.shown, default=0) >= seq for phone in every))
    shown = [
        [min(at for s, at in phone.shown.items() if s >= seq) - sent for phone in every]
        for seq, sent in said.sent.items()
    ]
    received = [(phone.received - before) / asked.commands for phone, before in zip(every, quiet, strict=True)]
    return {
        "answered": spread(np.array([said.answered[seq] - sent for seq, sent in said.sent.items()]) * 1e3),
        "heard": spread(heard_ms(said, every)),
        "shown": spread(np.array(shown) * 1e3),
        "processor_ms_a_command": round(said.processor_s * 1e3 / asked.commands, 1),
        "bytes_a_command": {"median": round(float(np.median(received))), "most": round(max(received))},
    }


async def measure_bare(root: str, pid: int, asked: argparse.Namespace) -> dict[str, Any]:
    """The same of the bare application."""
    host = httpx.AsyncClient(base_url=root, timeout=60, limits=NOT_KEPT)
    every = [Phone(httpx.AsyncClient(base_url=root, timeout=60, limits=NOT_KEPT)) for _ in range(asked.phones)]

    async def command(_number: int) -> int:
        return int((await host.post("/commands", json={"said": "x" * BARE_BYTES})).json()["seq"])

    async with listening([phone.listen("/stream") for phone in every]):
        said = await say(pid, asked, command, lambda seq: all(seq in phone.heard for phone in every))
    taken = round(said.processor_s * 1e3 / asked.commands, 1)
    return {"bare_heard": spread(heard_ms(said, every)), "bare_processor_ms_a_command": taken}


async def measure_beside_worst(
    bare: tuple[str, subprocess.Popen[str]], serve: tuple[str, subprocess.Popen[str]], asked: argparse.Namespace
) -> dict[str, Any]:
    """The times of both alone and while a spectator does its worst; the spectator's answers by request and status."""
    host = await host_at(serve[0], host_token(serve[1]))
    spectator = (await phones(host, 3))[-1].client

    async def measure() -> dict[str, Any]:
        return {
            **await measure_bare(bare[0], bare[1].pid, asked),
            **await measure_game(serve[0], serve[1].pid, host, asked),
        }

    alone = await measure()
    line = [sys.executable, worst_seat.__file__, serve[0], json.dumps(dict(spectator.cookies))]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worst:
        await asyncio.sleep(SETTLED_S)
        beside = await measure()
        return {"alone": alone, "beside_worst": beside, "worst_answers": json.loads(worst.communicate()[0])}


def table(found: dict[str, Any], asked: argparse.Namespace) -> str:
    """The times as a table, and the number of the spectator's answers by status."""
    rows = [
        f"| {asked.phones} phones, a command every {asked.pause_s:g} s: median, 95th percentile "
        "| a bare stream, heard | heard | shown |",
        "| --- | --- | --- | --- |",
    ]
    for name, key in (("alone", "alone"), ("while a spectator does its worst", "beside_worst")):
        times = (found[key][one].values() for one in ("bare_heard", "heard", "shown"))
        rows.append(f"| {name} | {' | '.join(f'{median:.0f}, {p95:.0f} ms' for median, p95, _ in times)} |")
    totals = Counter[str]()
    for name, count in found["worst_answers"].items():
        totals[name.rpartition(" ")[2]] += count
    told = ", ".join(f"{status}: {count}" for status, count in sorted(totals.items()))
    return "\n".join([*rows, "", f"The spectator's answers by status: {told}.", ""])


async def share_of_core(pid: int) -> float:
    """The part of a core that a server takes, all its processes together, while nothing happens."""
    await asyncio.sleep(SETTLED_S)
    before, start = processor_s(pid), time.perf_counter()
    await asyncio.sleep(WATCHED_S)
    return round((processor_s(pid) - before) / (time.perf_counter() - start), 4)


async def measure_idle(host: httpx.AsyncClient, pid: int, count: int) -> dict[str, float]:
    """The server's share of a core without streams and with so many idle ones."""
    alone = await share_of_core(pid)
    async with listening([phone.follow() for phone in await phones(host, count)]):
        return {"without_streams": alone, "with_streams": await share_of_core(pid)}


async def measure_bare_idle(root: str, pid: int, count: int) -> float:
    """The same of the bare application."""
    every = [Phone(httpx.AsyncClient(base_url=root, timeout=60, limits=NOT_KEPT)) for _ in range(count)]
    async with listening([phone.listen("/stream") for phone in every]):
        return await share_of_core(pid)


@contextmanager
def serving(command: list[str]) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a server that listens at the port that ends its command, and its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    root = f"http://127.0.0.1:{port}"
    folder = Path(__file__).parents[1]
    server = subprocess.Popen([*command, str(port)], stdout=subprocess.PIPE, text=True, cwd=folder)
    try:
        for _ in range(600):
            try:
                httpx.get(f"{root}/api/device")
                break
            except httpx.TransportError:
                time.sleep(0.05)
        yield root, server
    finally:
        server.terminate()
        server.wait(20)


def answer_times(root: str) -> np.ndarray:
    """Milliseconds from a small question to its answer, one after the other on one connection."""
    times = []
    with httpx.Client(base_url=root, timeout=30) as client:
        for _ in range(ASKED):
            start = time.perf_counter()
            client.get("/api/device", params={"said": "hello"}).raise_for_status()
            times.append(time.perf_counter() - start)
    return np.array(times) * 1e3


def host_token(server: subprocess.Popen[str]) -> str:
    """The token of the invitation that `tabletop serve` prints when it starts."""
    for line in server.stdout or ():
        if link := re.search(r"/j#([A-Za-z0-9_-]+)", line):
            return link[1]
    raise SystemExit("The server printed no invitation.")


def spread(times_ms: np.ndarray) -> dict[str, float]:
    """Times as they are printed."""
    found = {"median_ms": np.median(times_ms), "p95_ms": np.percentile(times_ms, 95), "most_ms": times_ms.max()}
    return {name: round(float(time_ms), 1) for name, time_ms in found.items()}


async def measure_serve(root: str, server: subprocess.Popen[str], asked: argparse.Namespace) -> dict[str, Any]:
    """`tabletop serve`: its commands, then how it idles."""
    host = await host_at(root, host_token(server))
    found = await measure_game(root, server.pid, host, asked) if asked.commands else {}
    idle = await measure_idle(host, server.pid, asked.idle) if asked.idle else {}
    return {**found, "idle_share_of_core": {"streams": asked.idle, **idle}}


async def measure_bare_all(root: str, server: subprocess.Popen[str], asked: argparse.Namespace) -> dict[str, Any]:
    """The bare application beside it."""
    found = await measure_bare(root, server.pid, asked) if asked.commands else {}
    idle = await measure_bare_idle(root, server.pid, asked.idle) if asked.idle else None
    return {**found, "bare_idle_share_of_core": idle}


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--phones", type=int, default=20)
    parser.add_argument("--commands", type=int, default=60)
    parser.add_argument("--pause-s", type=float, default=2.0, help="between commands: players think")
    parser.add_argument("--idle", type=int, default=200, help="streams that are open while nothing happens")
    parser.add_argument("--beside-worst", action="store_true", help="measure beside a spectator at its worst")
    parser.add_argument("--out", type=Path, help="a page that has the marks of that table")
    given = parser.parse_args()
    told: dict[str, Any] = {"run": {name: str(value) for name, value in vars(given).items()}}
    with ExitStack() as open_now:
        bare = open_now.enter_context(serving([sys.executable, "-c", BARE]))
        told["bare_echo"] = spread(answer_times(bare[0]))
        if not given.beside_worst:
            told |= asyncio.run(measure_bare_all(*bare, given))
            bare[1].terminate()
        folder = open_now.enter_context(tempfile.TemporaryDirectory())
        worst_seat.begin(Path(folder), worst_seat.ACTIONS if given.beside_worst else 0)
        line = ["-m", "tabletop", "serve", "--host", "127.0.0.1", "--data", folder, "--workers", "1", "--port"]
        serve = open_now.enter_context(serving([sys.executable, *line]))
        told["serve"] = spread(answer_times(serve[0]))
        if given.beside_worst:
            told |= asyncio.run(measure_beside_worst(bare, serve, given))
        else:
            told |= asyncio.run(measure_serve(*serve, given))
    if given.out:
        write_between(given.out, "beside the worst", table(told, given))
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
