"""How soon what happens at a game reaches the phones that follow it: `tabletop serve`, phones on loopback.

Every phone follows the game's stream, which tells what changed of its screen after every event. One player moves every
so often. Printed: milliseconds from the moment the player's command was sent until each phone has heard of it, the
share of that before the command was answered, until each phone shows the game as it then is, and the bytes that a phone
received for each command. Before it, how long the idle server takes over its smallest answer, and a bare FastAPI
application of uvicorn's over an echo.

    python scripts/bench_live.py --phones 20 --commands 60 --pause-s 2
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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import numpy as np

from api.tables.store import Store
from tabletop.starting.scenarios import find

GAME = "evening"
ASKED = 200
ECHO = """
import sys
import uvicorn
from fastapi import FastAPI

app = FastAPI()


@app.get("/api/device")
async def echo(said: str) -> dict[str, str]:
    return {"said": said}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", access_log=False)
"""


@dataclass
class Phone:
    """A device at the game: when it heard of every event, and when it showed it."""

    client: httpx.AsyncClient
    heard: dict[int, float] = field(default_factory=dict)
    shown: dict[int, float] = field(default_factory=dict)
    received: int = 0

    async def follow(self) -> None:
        """Listen for ever."""
        screen = (await self.client.get(f"/api/games/{GAME}/screen")).json()
        path = f"/api/games/{GAME}/stream?after={screen['game']['seq']}&screen={screen['version']}"
        async with self.client.stream("GET", path, timeout=None) as answer:
            kind = ""
            async for line in answer.aiter_lines():
                self.received += len(line.encode()) + 1
                if line.startswith("id: "):
                    self.heard[int(line[4:])] = time.perf_counter()
                elif line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: ") and kind == "screen":
                    self.shown[int(json.loads(line[6:])["version"].partition("-")[0])] = time.perf_counter()


async def phones(root: str, token: str, count: int) -> tuple[httpx.AsyncClient, list[Phone]]:
    """The host, and phones that joined: two players, the others watch."""
    host = httpx.AsyncClient(base_url=root, timeout=30)
    (await host.post("/api/join", json={"token": token, "label": "Host"})).raise_for_status()
    found = []
    for number in range(count):
        role = ["side blue", "side red"][number] if number < 2 else "spectator"
        invited = (await host.post(f"/api/games/{GAME}/invitations", json={"roles": [role]})).json()
        client = httpx.AsyncClient(base_url=root, timeout=30)
        wish = {"token": invited["address"].split("#")[1], "label": f"Phone {number + 1}"}
        (await client.post("/api/join", json=wish)).raise_for_status()
        found.append(Phone(client))
    return host, found


async def measure_times(root: str, token: str, count: int, commands: int, pause_s: float) -> dict[str, np.ndarray]:
    """The times in milliseconds, a row a command and a column a phone, and each phone's bytes a command."""
    host, every = await phones(root, token, count)
    game = (await host.get(f"/api/games/{GAME}")).json()
    listening = [asyncio.create_task(phone.follow()) for phone in every]
    await asyncio.sleep(2.0)
    quiet = [phone.received for phone in every]
    seq, sent, answered = game["seq"], {}, {}
    for number in range(commands):
        words = f"correct B1 hits {number % 9}"
        start = time.perf_counter()
        wish = {"id": f"bench-{number:05d}", "after": seq, "words": words, "overrule": True}
        answer = await host.post(f"/api/games/{GAME}/commands", json=wish)
        answer.raise_for_status()
        seq = answer.json()["seq"]
        sent[seq], answered[seq] = start, time.perf_counter()
        await asyncio.sleep(pause_s)
    await asyncio.sleep(2.0)
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    lost = [(seq, n) for seq in sent for n, phone in enumerate(every) if seq not in phone.heard]
    if lost:
        raise SystemExit(f"{len(lost)} events did not reach a phone, as event {lost[0][0]} phone {lost[0][1] + 1}.")
    rows = list(sent)
    heard = np.array([[phone.heard[seq] - sent[seq] for phone in every] for seq in rows])
    shown = np.array(
        [[min(at for s, at in phone.shown.items() if s >= seq) - sent[seq] for phone in every] for seq in rows]
    )
    return {
        "answered": np.array([answered[seq] - sent[seq] for seq in rows]) * 1e3,
        "heard": heard * 1e3,
        "shown": shown * 1e3,
        "bytes": np.array([(phone.received - before) / commands for phone, before in zip(every, quiet, strict=True)]),
    }


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


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--phones", type=int, default=20)
    parser.add_argument("--commands", type=int, default=60)
    parser.add_argument("--pause-s", type=float, default=2.0, help="between commands: players think")
    given = parser.parse_args()
    with serving([sys.executable, "-c", ECHO]) as (root, _):
        times = {"bare_echo": answer_times(root)}
    with tempfile.TemporaryDirectory() as folder:
        scenario = find("flank-attack")
        Store(Path(folder)).kept.start(scenario.rules, scenario.setup, game=GAME, title=scenario.title)
        serve = ["-m", "tabletop", "serve", "--host", "127.0.0.1", "--data", folder, "--workers", "1", "--port"]
        with serving([sys.executable, *serve]) as (root, server):
            token = host_token(server)
            times["serve"] = answer_times(root)
            times |= asyncio.run(measure_times(root, token, given.phones, given.commands, given.pause_s))
    received = times.pop("bytes")
    told = {
        name: {"median_ms": round(float(np.median(rows)), 1), "p95_ms": round(float(np.percentile(rows, 95)), 1),
               "most_ms": round(float(rows.max()), 1)}
        for name, rows in times.items()
    }  # fmt: skip
    weight = {"bytes_a_command": {"median": round(float(np.median(received))), "most": round(float(received.max()))}}
    run = {"phones": given.phones, "commands": given.commands, "pause_s": given.pause_s}
    print(json.dumps({**run, **told, **weight}, indent=1))


if __name__ == "__main__":
    main()
