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
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import numpy as np
from bench_live import BARE, Phone, host_at, host_token, phones, serving, write_between
from worst_seat import GAME, WORST, begin, doing_its_worst, left_report

HERE = Path(__file__).resolve().parents[1]
WARM = 10
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
        write_between(given.out, "answers", tables)


if __name__ == "__main__":
    main()
