"""Many tables send photos at once: ``python scripts/load_test.py --tables 50 --workers 2``.

First as many processes as there will be workers read the bundled photo again and again and do nothing else: no server
can do more. Then the server is started, each simulated table sends its photo separately and polls its progress
as the page does, and meanwhile another device measures how quickly the server answers a tap. ``--canned 0.5``
reads no pixels and takes half a second for each photo instead. ``--url`` takes an empty PostgreSQL database. Prints the
measurements as JSON; exit status 1 where a photo was lost.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from served import DEMO, NO_LIMITS, Server, a_photo, begin, host_of

from api.engine import PhotoToRead
from api.settings import Settings
from api.tables.store import Store
from api.workers.photo_work import engine_of
from tabletop.tables.tablefile import parse_table

TAP_S = 0.5
WORKERS_GIVE_WAY = 5
NAME = "demo.jpg"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--photos", type=int, default=1, help="how many each table sends, one after the other")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--alone", type=int, default=6, help="photos that each process reads alone beforehand")
    parser.add_argument("--canned", type=float, default=0.0, help="seconds for each photo, with no pixels read")
    parser.add_argument("--url", default="", help="an empty PostgreSQL database")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = measure_load(Path(folder), asked)
    print(json.dumps(report, indent=2))
    return 1 if report["lost"] or report["failed"] else 0


def measure_load(folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """Measure the processes alone, then the server."""
    engine = "served:canned_engine" if asked.canned else "api.app.program:of_settings"
    settings = Settings(
        folder, url=asked.url, workers=asked.workers, engine=engine,
        photos_waiting_in_all=asked.tables + asked.workers, **NO_LIMITS,
    )  # fmt: skip
    photo = _photo(asked.canned)
    limit = _alone(settings, asked.alone, *photo["photo"])
    server = Server(settings)
    server.start()
    server.ready()
    host = host_of(server, server.token())
    games = [begin(host) for _ in range(asked.tables)]
    tables = [game["table"] for game in games]
    first: list[str] = []
    _in_threads([(_send_photo, host, table, photo, first) for table in tables[: asked.workers]])
    if set(first) != {"done"}:  # every worker should have loaded its models by now
        server.stop()
        raise SystemExit(f"The first photos were not read: {', '.join(first)}.")
    states: list[str] = []
    over = threading.Event()
    taps: list[float] = []
    tapping = threading.Thread(target=_tap, args=(host, games[0]["id"], over, taps))
    tapping.start()
    begun = time.monotonic()
    _in_threads([(_play_evening, host, table, photo, asked.photos, states) for table in tables])
    spent = time.monotonic() - begun
    over.set()
    tapping.join()
    server.stop()
    store = Store(folder, asked.url)
    laid = sum(event.kind == "photo" for table in tables for event in store.events(table)) - asked.workers
    count = asked.tables * asked.photos
    rate = count / spent
    return {
        "tables": asked.tables,
        "workers": asked.workers,
        "processors": os.cpu_count(),
        "busy_before": round(os.getloadavg()[1], 1),
        "database": "postgresql" if asked.url else "sqlite",
        "photos": count,
        "seconds": round(spent, 1),
        "photos_per_second": round(rate, 3),
        "vision_alone_photos_per_second": round(limit, 3),
        "part_of_the_limit": round(rate / limit, 3),
        "lost": count - laid,
        "failed": count - Counter(states)["done"],
        "taps": len(taps),
        "tap_ms_median": round(1000 * statistics.median(taps), 1),
        "tap_ms_95th": round(1000 * statistics.quantiles(taps, n=20)[-1], 1),
    }


def _photo(canned_s: float) -> dict[str, Any]:
    if canned_s:
        return a_photo("load", (canned_s, canned_s))
    return {"photo": (NAME, (DEMO / NAME).read_bytes())}


def _play_evening(host: httpx.Client, table: str, photo: dict[str, Any], photos: int, states: list[str]) -> None:
    """One table's photos, one after the other."""
    for _ in range(photos):
        _send_photo(host, table, photo, states)


def _send_photo(host: httpx.Client, table: str, photo: dict[str, Any], states: list[str]) -> None:
    """Send a photo and follow it to its end."""
    with httpx.Client(base_url=host.base_url, cookies=host.cookies, timeout=120.0) as phone:
        answer = phone.post(f"/api/tables/{table}/photos", files=photo)
        job = answer.json()
        while job.get("state") in ("waiting", "working"):
            time.sleep(job["ask_ms"] / 1000)  # as the page does
            job = phone.get(f"/api/jobs/{job['id']}").json()
        states.append(job.get("state", f"{answer.status_code}"))


def _tap(host: httpx.Client, game: str, over: threading.Event, taps: list[float]) -> None:
    """A device that looks at a game twice a second, and twice at least, however soon the others are done."""
    with httpx.Client(base_url=host.base_url, cookies=host.cookies, timeout=120.0) as phone:
        while not over.wait(TAP_S) or len(taps) < 2:
            begun = time.perf_counter()
            phone.get(f"/api/games/{game}").raise_for_status()
            taps.append(time.perf_counter() - begun)


def _in_threads(calls: list[tuple[Any, ...]]) -> None:
    """Carry out calls (what, and with what) at the same time, to the last one's end."""
    threads = [threading.Thread(target=call, args=given) for call, *given in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# --- the processes alone -------------------------------------------------------------------------------------------


def _alone(settings: Settings, photos: int, name: str, data: bytes) -> float:
    """Photos a second of as many processes as there will be workers, that do nothing else."""
    context = multiprocessing.get_context("spawn")
    barrier, spent = context.Barrier(settings.workers), context.Queue()
    processes = [
        context.Process(target=_read, args=(settings, photos, name, data, barrier, spent))
        for _ in range(settings.workers)
    ]
    for process in processes:
        process.start()
    seconds = [spent.get() for _ in processes]
    for process in processes:
        process.join()
    return sum(photos / one for one in seconds)


def _read(settings: Settings, photos: int, name: str, data: bytes, barrier: Any, spent: Any) -> None:
    os.nice(WORKERS_GIVE_WAY)
    engine = engine_of(settings)
    engine.start()
    photo = PhotoToRead(data, name, parse_table((DEMO / "demo.table.toml").read_bytes(), "demo.table.toml"))
    engine.read_photo(photo)
    barrier.wait()
    begun = time.monotonic()
    for _ in range(photos):
        engine.read_photo(photo)
    spent.put(time.monotonic() - begun)
    engine.close()


if __name__ == "__main__":
    sys.exit(main())
