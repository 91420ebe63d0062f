"""The cost of many photos on one table: `tabletop serve`'s answers and memory with a few of them and with a thousand.

The bundled photograph is read once. This script, a process beside the server as workers are, adds it to the table of
one game again and again, each time as another photo with a correction, and a device asks for each. Printed for each
number of photos: the median of every answer, the server's processor time for one, and its memory. ``--out`` writes the
table between the marks of a page.

    python scripts/bench_photos.py --photos 50 1000 --out docs/promises.md
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
from pages import write_between
from processes import processor_s, resident_bytes
from served import NO_LIMITS, Server, begin, host_of

from api.app.program import Program
from api.engine import PhotoToRead, Reading
from api.settings import Settings
from api.tables.session import Tables
from api.tables.store import Store
from tabletop.tables.tablefile import parse_table

ANSWERS = ("look", "photo", "screen", "log", "replay")
ASKED = 40
QUIET_S = 2.0


@dataclass(frozen=True)
class Cost:
    """The cost of each answer: its median and the server's processor time, in milliseconds; and the server's memory."""

    median_ms: dict[str, float]
    processor_ms: dict[str, float]
    memory_mb: float


def reading_of_demo() -> Reading:
    """The bundled photograph as it is read."""
    engine = Program()
    toml, name, photo, photo_name = engine.demo()
    return engine.read_photo(PhotoToRead(photo, photo_name, parse_table(toml, name)))


class Evening:
    """One game, the photos of its table, and the device that asks for them."""

    def __init__(self, folder: Path) -> None:
        self._server = Server(Settings(folder, workers=0, engine="served:canned_engine", **NO_LIMITS))
        self._server.start()
        self._server.ready()
        self._host = host_of(self._server, self._server.token())
        begun = begin(self._host)
        self._game, self._table = begun["id"], begun["table"]
        self._tables = Tables(Store(folder), Program())
        self._reading = reading_of_demo()
        self._photos = 0

    def take(self, photos: int) -> None:
        """Go on to so many photos."""
        while self._photos < photos:
            self._photos += 1
            sha256 = hashlib.sha256(str(self._photos).encode()).hexdigest()
            seen = self._tables.add_reading(self._table, replace(self._reading, sha256=sha256), f"photo-{self._photos}")
            self._tables.correct_base(self._table, next(iter(seen.bases)), {"facing": float(self._photos % 360)})
            self.ask("look").raise_for_status()
            self._host.get(self.ask("photo").json()["map_url"]).raise_for_status()

    def ask(self, what: str) -> httpx.Response:
        """One answer about the game."""
        return self._host.get(f"/api/games/{self._game}/{what}")

    def cost(self) -> Cost:
        """The present cost of answers and memory."""
        medians, taken = {}, {}
        for what in ANSWERS:
            self.ask(what).raise_for_status()
            before, times = processor_s(self._server.pid), []
            for _ in range(ASKED):
                start = time.perf_counter()
                self.ask(what).raise_for_status()
                times.append(1000 * (time.perf_counter() - start))
            medians[what] = statistics.median(times)
            taken[what] = 1000 * (processor_s(self._server.pid) - before) / ASKED
        time.sleep(QUIET_S)
        return Cost(medians, taken, resident_bytes(self._server.pid) / 1e6)

    def end(self) -> None:
        """Stop the server."""
        self._server.stop()


def table_of(costs: dict[int, Cost]) -> str:
    """A row for each answer and for the memory."""
    first, last = next(iter(costs.values())), list(costs.values())[-1]
    rows = [
        f"| one table | {' | '.join(f'{count} photos' for count in costs)} | times |",
        f"| --- |{' --- |' * (len(costs) + 1)}",
    ]
    for what in ANSWERS:
        told = (f"{each.median_ms[what]:.1f} ms ({each.processor_ms[what]:.1f} ms)" for each in costs.values())
        rows.append(f"| {what} | {' | '.join(told)} | {last.median_ms[what] / first.median_ms[what]:.2f} |")
    memory = " | ".join(f"{each.memory_mb:.0f} MB" for each in costs.values())
    return "\n".join([*rows, f"| the server's memory | {memory} | {last.memory_mb / first.memory_mb:.2f} |", ""])


def measure(folder: Path, photos: Sequence[int]) -> dict[int, Cost]:
    """The cost at each number of photos."""
    evening, costs = Evening(folder), {}
    for count in photos:
        evening.take(count)
        costs[count] = evening.cost()
    evening.end()
    return costs


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--photos", type=int, nargs="+", default=[50, 1000])
    parser.add_argument("--out", type=Path, help="a page that has the marks of the table")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        told = table_of(measure(Path(folder), sorted(given.photos)))
    print(told)
    if given.out:
        write_between(given.out, "photos", told)


if __name__ == "__main__":
    main()
