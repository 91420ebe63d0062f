"""How soon `tabletop serve` answers: beside a bare FastAPI echo, and while one seat does its worst.

All servers run at once, and each is asked in turn, so that what else the machine does meets all alike. ``--before`` is
the folder of another version of the program, which is measured beside this one. The first table has the medians of
answers on one connection, in parts of the echo's; the second the 95th percentile of another phone's screen, idle and
while one seat sends many requests at once. ``--out`` writes both between the marks of a page.

    python scripts/bench_seats.py --before ../tabletop-1 --out docs/promises.md
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from bench_live import BARE, GAME, Phone, host_at, host_token, phones, serving

from api.tables.store import Store
from tabletop.game.opponents import go_on, seat_computers
from tabletop.starting.scenarios import find

HERE = Path(__file__).resolve().parents[1]
MARKS = "<!-- answers -->\n", "<!-- end of answers -->\n"
ACTIONS = 60
WARM = 10
LEAVES_S = 0.3
ANSWERS = {
    "health": "/api/health", "device": "/api/device", "me": f"/api/games/{GAME}/me",
    "options": f"/api/games/{GAME}/options", "screen": f"/api/games/{GAME}/screen",
}  # fmt: skip
SCREEN = ANSWERS["screen"]
ALONE, AFTER = "a short report, alone", "a short report after the abandoned ones"
Send = Callable[[httpx.AsyncClient, int], Coroutine[Any, Any, object]]


async def sheet(client: httpx.AsyncClient, number: int) -> object:
    """A sheet of many tags that is not kept yet."""
    return await client.get("/api/prints/tags.pdf?count=400&dictionary=DICT_APRILTAG_36h11", params={"first": number})


async def hint(client: httpx.AsyncClient, _number: int) -> object:
    """A hint."""
    return await client.get(f"/api/games/{GAME}/hint")


async def replay(client: httpx.AsyncClient, number: int) -> object:
    """A run of steps."""
    return await client.get(f"/api/games/{GAME}/replay?step={1 + number % ACTIONS}")


async def left_report(client: httpx.AsyncClient, number: int) -> object:
    """A full report that is left before it is there."""
    wish = {"format": "pdf", "length": "full", "title": f"Report {number}"}
    with contextlib.suppress(httpx.TimeoutException):
        return await client.post(f"/api/games/{GAME}/report", json=wish, timeout=LEAVES_S)
    return None


WORST: dict[str, tuple[int, Send]] = {
    "15 sheets": (15, sheet),
    "45 hints": (45, hint),
    "40 replays": (40, replay),
    "15 abandoned reports": (15, left_report),
}


def begin(folder: Path) -> None:
    """A game of some turns in a data folder."""
    scenario, kept = find("flank-attack"), Store(folder).kept
    kept.start(scenario.rules, scenario.setup, game=GAME, title=scenario.title)
    game = kept.open_game(GAME)
    seat_computers(game, dict.fromkeys(game.ruleset.sides(game.state), "simple"))
    go_on(game, random.Random(1), most=ACTIONS)
    seat_computers(game, {})
    kept.close()


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


@asynccontextmanager
async def doing_its_worst(client: httpx.AsyncClient, count: int, send: Send) -> AsyncIterator[None]:
    """One seat sends so many requests at once."""
    tasks = [asyncio.create_task(send(client, number)) for number in range(count)]
    await asyncio.sleep(LEAVES_S)
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


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


async def short_page(client: httpx.AsyncClient, title: str) -> float:
    """Milliseconds until a short report is there."""
    start = time.perf_counter()
    wish = {"format": "html", "length": "short", "title": title}
    (await client.post(f"/api/games/{GAME}/report", json=wish)).raise_for_status()
    return 1000 * (time.perf_counter() - start)


def p95(times_ms: list[float]) -> float:
    """The 95th percentile."""
    return float(np.percentile(times_ms, 95))


async def measure(bare: str, servers: dict[str, tuple[str, str]], count: int) -> str:
    """Both tables."""
    served = {}
    for version, (root, token) in servers.items():
        served[version] = await phones(await host_at(root, token), 2)
        for phone in served[version]:
            phone.client.timeout = httpx.Timeout(300)
    async with httpx.AsyncClient(base_url=bare) as echo:
        first = await measure_answers(echo, {version: found[1] for version, found in served.items()}, count)
    second = await measure_worst(served, count)
    return "\n".join([*first, "", *second, ""])


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--before", type=Path, help="the folder of another version")
    parser.add_argument("--answers", type=int, default=150)
    parser.add_argument("--out", type=Path, help="a page that has the marks of the tables")
    given = parser.parse_args()
    trees = {**({"before": given.before.resolve()} if given.before else {}), "now": HERE}
    with ExitStack() as open_now:
        bare, _ = open_now.enter_context(serving([sys.executable, "-c", BARE]))
        servers = {}
        for version, tree in trees.items():
            folder = open_now.enter_context(tempfile.TemporaryDirectory())
            begin(Path(folder))
            serve = ["-m", "tabletop", "serve", "--host", "127.0.0.1", "--data", folder, "--workers", "0", "--port"]
            command = ["env", f"PYTHONPATH={tree}", sys.executable, "-P", *serve]
            root, server = open_now.enter_context(serving(command))
            servers[version] = root, host_token(server)
        tables = asyncio.run(measure(bare, servers, given.answers))
    print(tables)
    if given.out:
        before, _, rest = given.out.read_text(encoding="utf-8").partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        given.out.write_text(f"{before}{MARKS[0]}\n{tables}\n{MARKS[1]}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
