"""One seat that asks for more than a server can do: sheets, hints, replays, and reports that it abandons.

The benchmarks measure other seats beside it. ``python scripts/worst_seat.py ADDRESS COOKIES`` sends all these requests
at once to the server of a game and repeats each one a second after its answer. When standard input ends, it prints as
JSON the number of answers by request and status.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from api.tables.store import Store
from tabletop.game.opponents import go_on, seat_computers
from tabletop.starting.scenarios import find

GAME = "evening"
ACTIONS = 60
LEAVES_S = 0.3
NO_LIMITS = httpx.Limits(max_connections=None)
AGAIN_S = 1.0
Send = Callable[[httpx.AsyncClient, int], Coroutine[None, None, httpx.Response | None]]


async def sheet(client: httpx.AsyncClient, number: int) -> httpx.Response | None:
    """A sheet of many tags that is not kept yet."""
    return await client.get(f"/api/prints/tags.pdf?count=400&dictionary=DICT_APRILTAG_36h11&first={number % 150}")


async def hint(client: httpx.AsyncClient, _number: int) -> httpx.Response | None:
    """A hint."""
    return await client.get(f"/api/games/{GAME}/hint")


async def replay(client: httpx.AsyncClient, number: int) -> httpx.Response | None:
    """A run of steps."""
    return await client.get(f"/api/games/{GAME}/replay?step={1 + number % ACTIONS}")


async def left_report(client: httpx.AsyncClient, number: int) -> httpx.Response | None:
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


def begin(folder: Path, actions: int = ACTIONS) -> None:
    """A game of so many actions in a data folder."""
    scenario, kept = find("flank-attack"), Store(folder).kept
    kept.start(scenario.rules, scenario.setup, game=GAME, title=scenario.title)
    game = kept.open_game(GAME)
    seat_computers(game, dict.fromkeys(game.ruleset.sides(game.state), "simple"))
    go_on(game, random.Random(1), most=actions)
    seat_computers(game, {})
    kept.close()


@asynccontextmanager
async def doing_its_worst(client: httpx.AsyncClient, count: int, send: Send) -> AsyncIterator[None]:
    """One seat sends so many requests at once."""
    tasks = [asyncio.create_task(send(client, number)) for number in range(count)]
    await asyncio.sleep(LEAVES_S)
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def go_on_and_on(root: str, cookies: dict[str, str]) -> Counter[str]:
    """Send and repeat all requests until standard input ends; the number of answers by request and status."""
    answers: Counter[str] = Counter()

    async def repeat(client: httpx.AsyncClient, name: str, send: Send, number: int, many: int) -> None:
        while True:
            with contextlib.suppress(httpx.TransportError):
                answer = await send(client, number)
                answers[f"{name}: {answer.status_code if answer else 'left'}"] += 1
            number += many
            await asyncio.sleep(AGAIN_S)

    async with httpx.AsyncClient(base_url=root, cookies=cookies, timeout=300, limits=NO_LIMITS) as client:
        tasks = [
            asyncio.create_task(repeat(client, name, send, number, many))
            for name, (many, send) in WORST.items()
            for number in range(many)
        ]
        await asyncio.to_thread(sys.stdin.read)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return answers


if __name__ == "__main__":
    print(json.dumps(dict(sorted(asyncio.run(go_on_and_on(sys.argv[1], json.loads(sys.argv[2]))).items()))))
