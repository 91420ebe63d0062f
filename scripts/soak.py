"""A long evening: ``python scripts/soak.py --photos 500 --commands 10000``.

One server with real workers. In rounds of fifty photos several players begin a game each and play it by commands,
phones follow the games' streams, one device looks at screens, replays, boards and reports (at every kind once, then at
random), and another sends photos of several tables in turn and waits until each is read. After each round, once all is
quiet, the memory of the server, of its workers and of the processes beside them is recorded and printed to standard
error. ``--canned`` reads no pixels; ``--photo`` names photos to send instead of the bundled one, and ``--table`` the
file of their table. Prints that series as JSON, and the ratio of the memory after the last round to that after the
first; exit status 1 if that is more than ``--most``, or if anything failed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
from processes import family, resident_bytes, started_as
from served import DEMO, NO_LIMITS, READS_S, Client, Server, a_photo, begin, begin_game, host_of, join

from api.settings import Settings
from api.tables.store import Store
from tabletop.game.store import EventStore

QUIET_S = 2.0
LOOKS_S = 2.0
REPORTS = 0.2
"""The share of all page views after which a report is requested."""
READING_S = 300.0
LOOKS = ("screen", "replay", "report", "report/pictures", "board.svg", "log", "options", "hint")
FORMATS = ("html", "pdf", "markdown")


class Round:
    """One round: new games, their players and phones, a device that opens every page, and photos."""

    def __init__(self, number: int, asked: argparse.Namespace, host: httpx.Client, kept: EventStore) -> None:
        self._asked, self._host = asked, host
        self._chance = random.Random(f"{asked.seed} {number}")
        self._over = threading.Event()
        self._games = [f"round-{number}-game-{player}" for player in range(asked.players)]
        self._players = [
            Client(player, asked.seed + number, begin_game(host, kept, game), game, "", self._over)
            for player, game in enumerate(self._games)
        ]
        self._phones = [
            (game, join(host, game, ["spectator"]))
            for game, _ in zip(itertools.cycle(self._games), range(asked.phones), strict=False)
        ]
        self.heard: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.faults: list[str] = []

    def play(self, commands: int, photos: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
        """Send so many commands and photos, for a game each."""
        share = commands // len(self._players)
        with ThreadPoolExecutor(max_workers=len(self._players) + len(self._phones) + 2) as threads:
            beside = [threads.submit(self._follow, *phone) for phone in self._phones]
            beside.append(threads.submit(self._look))
            at_work = [threads.submit(self._say, player, share) for player in self._players]
            at_work.append(threads.submit(self._send, photos))
            wait(at_work)
            self._over.set()
            for player in self._players:  # every listener receives the end
                over = {"id": f"{player.game}-over", "text": "It is over."}
                self._note(player.http.post(f"/api/games/{player.game}/notes", json=over))
            for thread in (*at_work, *beside):
                thread.result()
        for player in self._players:
            self.answers += player.told.answers
            self.faults += player.told.faults
            player.http.close()

    def _say(self, player: Client, commands: int) -> None:
        while len(player.told.commands) < commands:
            player.play()

    def _send(self, photos: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
        for begun, photo in photos:
            answer = self._host.post(f"/api/tables/{begun['table']}/photos", files=photo)
            job, until = answer.json(), time.monotonic() + READING_S
            while job.get("state") in ("waiting", "working") and time.monotonic() < until:
                time.sleep(job["ask_ms"] / 1000)  # as the page does
                job = self._host.get(f"/api/jobs/{job['id']}").json()
            if job.get("state") != "done":
                self.faults.append(f"a photo was not read: {answer.status_code} {job}")
                continue
            self._note(self._host.get(f"/api/games/{begun['id']}/look"))
            told = self._host.get(f"/api/games/{begun['id']}/photo").json()
            self._note(self._host.get(told["map_url"]))

    def _follow(self, game: str, phone: httpx.Client) -> None:
        screen = phone.get(f"/api/games/{game}/screen").json()
        path = f"/api/games/{game}/stream?after={screen['game']['seq']}&screen={screen['version']}"
        with closing(phone), phone.stream("GET", path, timeout=None) as answer:
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    self.heard[line[7:]] += 1
                if self._over.is_set():
                    return

    def _look(self) -> None:
        with httpx.Client(base_url=self._host.base_url, cookies=self._host.cookies, timeout=120.0) as device:
            for what in LOOKS:
                self._note(device.get(f"/api/games/{self._chance.choice(self._games)}/{what}"))
            for form in FORMATS:
                self._report(device, form)
            while not self._over.wait(LOOKS_S):
                self._note(device.get(f"/api/games/{self._chance.choice(self._games)}/{self._chance.choice(LOOKS)}"))
                if self._chance.random() < REPORTS:
                    self._report(device, self._chance.choice(FORMATS))

    def _report(self, device: httpx.Client, form: str) -> None:
        game = self._chance.choice(self._games)
        self._note(device.post(f"/api/games/{game}/report", json={"format": form}))

    def _note(self, answer: httpx.Response) -> None:
        self.answers[f"{answer.request.method} {answer.status_code}"] += 1
        if answer.status_code >= 500:
            self.faults.append(f"{answer.request.method} {answer.request.url.path}: {answer.status_code}")


def memory(server: Server) -> dict[str, int]:
    """Bytes in memory of the server, of its workers together, and of the processes beside them together."""
    found = {"server": resident_bytes(server.pid), "workers": 0, "others": 0}
    for pid in family(server.pid):
        if pid != server.pid:
            found["workers" if "api.workers" in started_as(pid) else "others"] += resident_bytes(pid)
    return found


def photos_of(
    asked: argparse.Namespace, games: list[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Games in turn, each with the next photo."""
    chosen = asked.photo or [DEMO / "demo.jpg"]
    for number in itertools.count():
        path = chosen[number % len(chosen)]
        canned = a_photo(f"soak {asked.seed} {number}", READS_S)
        yield games[number % len(games)], canned if asked.canned else {"photo": (path.name, path.read_bytes())}


def run_soak(folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """Round after round; returns the measurements."""
    engine: dict[str, Any] = {"engine": "served:canned_engine"} if asked.canned else {}
    settings = Settings(folder, workers=asked.workers, **engine, **NO_LIMITS)
    kept, server = Store(folder).kept, Server(settings)
    server.start()
    server.ready()
    host = host_of(server, server.token())
    photos = photos_of(asked, [begin(host, asked.table) for _ in range(asked.tables)])
    rounds = max(2, asked.photos // asked.every)
    series: list[dict[str, Any]] = []
    faults: list[str] = []
    answers: Counter[str] = Counter()
    heard: Counter[str] = Counter()
    begun = time.monotonic()
    for number in range(rounds):
        played = Round(number, asked, host, kept)
        played.play(asked.commands // rounds, list(itertools.islice(photos, asked.photos // rounds)))
        faults += played.faults
        answers += played.answers
        heard += played.heard
        time.sleep(QUIET_S)
        taken = {name: round(size / 1e6, 1) for name, size in memory(server).items()}
        row = {
            "photos": (number + 1) * (asked.photos // rounds), "commands": (number + 1) * (asked.commands // rounds),
            "seconds": round(time.monotonic() - begun), "megabytes": taken,
        }  # fmt: skip
        print(json.dumps(row), file=sys.stderr)
        series.append(row)
    server.stop()
    first, last = series[0]["megabytes"], series[-1]["megabytes"]
    return {
        "run": {name: value for name, value in vars(asked).items() if isinstance(value, int | float)},
        "told_by_streams": dict(heard),
        "answers": dict(answers.most_common()),
        "series": series,
        "end_by_first": {name: round(last[name] / size, 3) for name, size in first.items() if size},
        "faults": faults,
    }


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--photos", type=int, default=500)
    parser.add_argument("--commands", type=int, default=10000)
    parser.add_argument("--every", type=int, default=50, help="photos of a round")
    parser.add_argument("--canned", action="store_true", help="read no pixels")
    parser.add_argument("--photo", type=Path, nargs="+", help="photos to send, one after the other, and again")
    parser.add_argument("--table", type=Path, help="the file of the table that they show")
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--phones", type=int, default=10)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=float, default=1.1, help="times the memory after the first round")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = run_soak(Path(folder), asked)
    print(json.dumps(report, indent=1))
    grown = any(times > asked.most for times in report["end_by_first"].values())
    return 1 if grown or report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
