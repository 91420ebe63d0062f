"""How soon `tabletop serve` answers: beside a bare FastAPI echo, and while one seat does its worst.

All servers run at once, and each is queried in turn, so that other work on the machine affects all alike. ``--before``
is the folder of another version of the program, which is measured beside this one. The first table has the medians of
answers on one connection, in parts of the echo's; the second the 95th percentile of another phone's screen, idle and
while one seat sends many requests at once. The third goes through all operations of the OpenAPI document: one seat
sends the most expensive requests that each takes (``worst_requests.py``), thirty at once, for as long as another
phone's screens are counted; it has the ten that delay those most. ``--out`` writes all between the marks of a page,
``--only`` measures some operations and prints them.

    python scripts/bench_seats.py --before ../tabletop-1 --out docs/promises.md
    python scripts/bench_seats.py --only compare_photo,import_file --answers 20
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import worst_requests
from bench_live import BARE, Phone, host_at, host_token, phones, serving
from pages import write_between
from worst_requests import AT_ONCE
from worst_seat import GAME, LEAVES_S, WORST, doing_its_worst, left_report

from api.photos.pictures import pictures_at

HERE = Path(__file__).resolve().parents[1]
WARM = 10
ENDLESS = ("follow_game",)
"""The operation that is meant to take as long as the game: thirty streams are measured by ``bench_live.py``."""
SERVE = """
import sys
from pathlib import Path
from typing import Any
from api.app.application import create_app
from api.app.connections import server_at
from api.settings import Settings
from tabletop.cli.serving import listening_socket

often = dict.fromkeys([f"{what}_a_minute" for what in "reads writes joins photos frames drawings".split()], 10**6)
door = listening_socket("127.0.0.1", int(sys.argv[2]))
app = create_app(Settings(Path(sys.argv[1]), workers=0, **often))
services = app.state.services
print(f"/j#{services.welcome().token}", flush=True)
server_at(door, app, end_streams=services.end, checkpoint=services.end_at_once).run(sockets=[door])
"""
"""A server as `tabletop serve` starts it, of which one seat may ask as often as a minute has requests."""
A_SECOND = {"GET": 30, "": 10}
"""Requests that one seat may send a second, after the first burst: the limits of `tabletop serve`, reads and others."""
MADE = 40
"""Requests that are made before an operation is measured, so that making them takes no time of it."""
SHOWN = 10
SETTLES_S = 2.0
ANSWERS = {
    "health": "/api/health", "device": "/api/device", "me": f"/api/games/{GAME}/me",
    "options": f"/api/games/{GAME}/options", "screen": f"/api/games/{GAME}/screen",
}  # fmt: skip
SCREEN = ANSWERS["screen"]
ALONE, AFTER = "a short report, alone", "a short report after the abandoned ones"


async def ask(client: httpx.AsyncClient, path: str) -> float:
    """Milliseconds from a question to its answer."""
    start = time.perf_counter()
    (await client.get(path)).raise_for_status()
    return 1000 * (time.perf_counter() - start)


async def measure_answers(bare: httpx.AsyncClient, served: dict[str, Phone], count: int) -> list[str]:
    """The first table."""
    versions = list(served)
    rows = [f"| median answer, in parts of the echo's | {' | '.join(versions)} |", f"| --- |{' --- |' * len(versions)}"]
    for name, path in ANSWERS.items():
        times: dict[str, list[float]] = {key: [] for key in ["", *versions]}
        for _ in range(count + WARM):
            times[""].append(await ask(bare, "/api/device?said=hello"))
            for version, phone in served.items():
                times[version].append(await ask(phone.client, path))
        echo, *found = (float(np.median(each[WARM:])) for each in times.values())
        told = (f"{median / echo:.2f} ({median:.1f} ms)" for median in found)
        rows.append(f"| {name} (the echo: {echo:.2f} ms) | {' | '.join(told)} |")
    return rows


async def measure_worst(served: dict[str, list[Phone]], count: int) -> list[str]:
    """The second table: one version after the other, since they share the processors."""
    names = ["idle", *WORST]
    rows = [f"| another phone's screen, 95th percentile | {' | '.join(served)} |", f"| --- |{' --- |' * len(served)}"]
    found: dict[str, list[float]] = {name: [] for name in [*names, ALONE, AFTER]}
    for greedy, other in served.values():
        found["idle"].append(p95([await ask(other.client, SCREEN) for _ in range(count)]))
        await short_page(other.client, "First")  # which starts a process
        found[ALONE].append(await short_page(other.client, "Alone"))
        for name, (many, send) in WORST.items():
            async with doing_its_worst(greedy.client, many, send):
                found[name].append(p95([await ask(other.client, SCREEN) for _ in range(count)]))
                if send is left_report:
                    found[AFTER].append(await short_page(other.client, "After"))
    return rows + [f"| {name} | {' | '.join(f'{one:.0f} ms' for one in told)} |" for name, told in found.items()]


async def measure_every(host: httpx.AsyncClient, other: Phone, folder: Path, count: int, only: list[str]) -> list[str]:
    """The third table."""
    document = (await host.get("/api/openapi.json")).json()
    places = await asyncio.to_thread(stage, host, folder)
    idle = p95([await ask(other.client, SCREEN) for _ in range(2 * count)])
    found, bar = {}, 2 * idle + 20
    for name, make in worst_requests.requests(document, places):
        if name in ENDLESS or (only and name not in only):
            continue
        places |= await asyncio.to_thread(standing, host)
        made = await asyncio.to_thread(lambda: [written(host, make(n)) for n in range(MADE)])  # noqa: B023
        async with sending(host, made):
            found[name] = p95([await ask(other.client, SCREEN) for _ in range(count)])
        await asyncio.sleep(SETTLES_S)
    over = sum(time_ms > bar for time_ms in found.values())
    worst = sorted(found, key=found.__getitem__, reverse=True)[: len(found) if only else SHOWN]
    return [
        f"| {AT_ONCE} at once of the most expensive request | another phone's screen, 95th percentile |",
        "| --- | --- |",
        f"| nothing: {idle:.0f} ms, so that the bar is at {bar:.0f} ms | {over} of {len(found)} operations over it |",
        *(f"| `{name}` | {found[name]:.0f} ms |" for name in worst),
    ]


def written(client: httpx.AsyncClient, request: worst_requests.Request) -> httpx.Request:
    """A request with all its bytes."""
    made = client.build_request(request.method, request.path, **request.more)
    return httpx.Request(made.method, made.url, headers=made.headers, content=made.read())


@asynccontextmanager
async def sending(client: httpx.AsyncClient, made: list[httpx.Request]) -> AsyncIterator[None]:
    """One seat has as many requests at once under way as it may, and sends others in their place no faster than it
    may."""
    room, under_way = asyncio.Semaphore(AT_ONCE), set[asyncio.Task[None]]()

    async def send(request: httpx.Request) -> None:
        try:
            with contextlib.suppress(httpx.HTTPError):
                await client.send(request)
        finally:
            room.release()

    async def send_all() -> None:
        for number, request in enumerate(itertools.cycle(made)):
            await room.acquire()
            if number >= AT_ONCE:
                await asyncio.sleep(1 / A_SECOND.get(request.method, A_SECOND[""]))
            under_way.add(asyncio.create_task(send(request)))

    sender = asyncio.create_task(send_all())
    await asyncio.sleep(LEAVES_S)
    yield
    for task in (sender, *under_way):
        task.cancel()
    await asyncio.gather(sender, *under_way, return_exceptions=True)


def stage(host: httpx.AsyncClient, folder: Path) -> dict[str, str]:
    """Objects that the host's device creates first."""
    return worst_requests.set_stage(asking(host), pictures_at(folder, ""))


def standing(host: httpx.AsyncClient) -> dict[str, str]:
    """The state of its games."""
    return worst_requests.standing(asking(host))


def asking(host: httpx.AsyncClient) -> worst_requests.Ask:
    """Asks as the host's device, and waits."""

    def asked(method: str, path: str, **more: Any) -> Any:
        answer = httpx.request(
            method, str(host.base_url).rstrip("/") + path, cookies=dict(host.cookies), timeout=300, **more
        )
        host.cookies.update(answer.cookies)
        return answer.raise_for_status().json()

    return asked


async def short_page(client: httpx.AsyncClient, title: str) -> float:
    """Milliseconds until a short report is there."""
    start = time.perf_counter()
    wish = {"format": "html", "length": "short", "title": title}
    (await client.post(f"/api/games/{GAME}/report", json=wish)).raise_for_status()
    return 1000 * (time.perf_counter() - start)


def p95(times_ms: list[float]) -> float:
    """The 95th percentile."""
    return float(np.percentile(times_ms, 95))


async def measure(bare: str, servers: dict[str, tuple[str, str, Path]], count: int, only: list[str]) -> str:
    """All tables; the third of this version alone."""
    served, hosts = {}, {}
    for version, (root, token, _) in servers.items():
        hosts[version] = await host_at(root, token)
        served[version] = await phones(hosts[version], 2)
        for client in (hosts[version], *(phone.client for phone in served[version])):
            client.timeout = httpx.Timeout(300)
    tables: list[str] = []
    if not only:
        async with httpx.AsyncClient(base_url=bare) as echo:
            tables += await measure_answers(echo, {version: found[1] for version, found in served.items()}, count)
        tables += ["", *await measure_worst(served, count), ""]
    folder = servers["now"][2]
    return "\n".join([*tables, *await measure_every(hosts["now"], served["now"][1], folder, count, only), ""])


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--before", type=Path, help="the folder of another version")
    parser.add_argument("--answers", type=int, default=150)
    parser.add_argument("--only", default="", help="operations of the third table alone, with commas between them")
    parser.add_argument("--out", type=Path, help="a page that has the marks of the tables")
    given = parser.parse_args()
    only = [name for name in given.only.split(",") if name]
    trees = {**({"before": given.before.resolve()} if given.before and not only else {}), "now": HERE}
    with ExitStack() as open_now:
        bare, _ = open_now.enter_context(serving([sys.executable, "-c", BARE]))
        servers = {}
        for version, tree in trees.items():
            folder = open_now.enter_context(tempfile.TemporaryDirectory())
            worst_requests.begin_games(Path(folder))
            command = ["env", f"PYTHONPATH={tree}", sys.executable, "-P", "-c", SERVE, folder]
            root, server = open_now.enter_context(serving(command))
            servers[version] = root, host_token(server), Path(folder)
        tables = asyncio.run(measure(bare, servers, given.answers, only))
    print(tables)
    if given.out:
        write_between(given.out, "answers", tables)


if __name__ == "__main__":
    main()
