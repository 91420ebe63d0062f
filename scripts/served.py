"""A server in a separate process that may be killed, and an engine that reads no pixels: for the scripts that test it.

``kill_test.py``, ``load_test.py`` and ``soak.py`` use it.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from processes import family

from api.app.application import create_app
from api.app.connections import server_at
from api.app.memory import keep_memory_level
from api.app.program import Program
from api.auth.access import HOST
from api.auth.seats import SERVER, Seats
from api.engine import PhotoToRead, Reading
from api.settings import Settings
from api.workers.photo_work import settings_from, settings_text
from tabletop.cli.serving import listening_socket
from tabletop.game.store import EventStore
from tabletop.starting.scenarios import find

HERE = Path(__file__).resolve().parent
START_S = 60.0
NEVER_S = 30.0
READS_S = (0.01, 0.25)
MOST_THOUGHT_S = 0.1
DEMO = resources.files("tabletop") / "data" / "demo"
NO_LIMITS: dict[str, Any] = dict.fromkeys(
    (
        "reads_a_minute", "writes_a_minute", "photos_a_minute", "frames_a_minute", "drawings_a_minute",
        "joins_a_minute", "uploads_of_seat",
    ),
    1000000,
)  # fmt: skip


class Canned(Program):
    """Knows what every photo shows, and takes as long for it as its name says: ``0.25.jpg`` a quarter of a second."""

    def start(self) -> None:
        """Nothing is decoded."""

    def load(self) -> None:
        """Nothing is read."""

    def read_photo(self, asked: PhotoToRead) -> Reading:
        """An empty table."""
        table = asked.table
        asked.progress("finding bases", 0.5)
        time.sleep(float(asked.name.removesuffix(".jpg")))
        seen = {
            "version": 1, "units": "inches", "table": {"width": table.width_in, "depth": table.depth_in},
            "photos": [], "bases": [], "terrain": [], "dice": [], "warnings": [],
        }  # fmt: skip
        picture = io.BytesIO()
        Image.new("RGB", (64, 64)).save(picture, "JPEG")
        jpeg, size = picture.getvalue(), (64, 64)
        bounds, sha256 = ((0.0, 0.0), (table.width_in, table.depth_in)), hashlib.sha256(asked.data).hexdigest()
        return Reading(seen, sha256, 64, 64, jpeg, size, bounds, jpeg, size, (0, 0, 64, 64), jpeg, size)


def canned_engine(_settings: Settings) -> Canned:
    """The engine of a server that is tried; worker processes find it as ``served:canned_engine``."""
    return Canned()


class Server:
    """A server in a process, to be killed and started again at the same port.

    It is forked off a process that has loaded the program and done nothing else, so that it starts at once. ``said``
    is the file of its standard error.
    """

    def __init__(self, settings: Settings) -> None:
        self.said = tempfile.TemporaryFile("w+")  # noqa: SIM115 - as long as the server may be started
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.pid = 0
        path = os.pathsep.join([str(HERE), str(HERE.parent), os.environ.get("PYTHONPATH", "")])
        self._nest = subprocess.Popen(
            [sys.executable, str(HERE / "served.py"), str(self.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.said,
            text=True,
            env={**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
        )
        self._say(settings_text(settings))

    def start(self) -> None:
        """Begin, without waiting for it."""
        self.pid = int(self._say("start"))

    def token(self) -> str:
        """An invitation for its host."""
        return self._say("invite")

    def _say(self, word: str) -> str:
        assert self._nest.stdin is not None and self._nest.stdout is not None
        self._nest.stdin.write(word + "\n")
        self._nest.stdin.flush()
        return self._nest.stdout.readline().strip()

    def ready(self) -> None:
        """Wait until it answers."""
        until = time.monotonic() + START_S
        with httpx.Client(base_url=self.url, timeout=5.0) as client:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    if client.get("/api/host").status_code < 500:
                        return
                if time.monotonic() > until:
                    raise TimeoutError(f"the server does not answer after {START_S:g} s")
                time.sleep(0.02)

    def kill(self, *, workers: bool = False) -> None:
        """SIGKILL, and for its workers at the same moment too."""
        for pid in list(family(self.pid)) if workers else []:
            if pid != self.pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self.end(signal.SIGKILL)

    def end(self, sign: signal.Signals) -> float:
        """Send it a signal and wait for its end; the seconds that it took, NEVER_S where it had to be killed then."""
        began, killer = time.monotonic(), threading.Timer(NEVER_S, os.kill, (self.pid, signal.SIGKILL))
        killer.start()
        os.kill(self.pid, sign)
        self._say("wait")
        killer.cancel()
        return time.monotonic() - began

    def stop(self) -> None:
        """End it in good order, with the processes forked from it."""
        self.end(signal.SIGTERM)
        with self._nest as nest:
            assert nest.stdin is not None
            nest.stdin.close()


@dataclass
class Told:
    """The server's acknowledgements: commands by their id with the numbers of their events, photos by their job."""

    commands: dict[str, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    jobs: dict[str, str] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class Client(threading.Thread):
    """A device that never stops: it plays a game, or sends photos of a table."""

    def __init__(
        self, number: int, seed: int, host: httpx.Client, game: str, table: str, over: threading.Event
    ) -> None:
        super().__init__(daemon=True)
        self.told = Told()
        self._number, self._over = number, over
        self._chance = random.Random(f"{seed} {number}")
        self.http = httpx.Client(base_url=host.base_url, cookies=host.cookies, timeout=20.0)
        self.game, self.table = game, table
        self._said = 0

    def run(self) -> None:
        """Go on until it is over."""
        while not self._over.is_set():
            self._over.wait(self._chance.uniform(0.0, MOST_THOUGHT_S))
            if self.game:
                self.play()
            else:
                self.photograph()

    def play(self) -> None:
        """Say one command, and see it acknowledged or refused."""
        self._said += 1
        id_ = f"{self.game}-{self._number}-{self._said:06d}"
        seen = self.ask("GET", f"/api/games/{self.game}/options")
        if seen is None:
            return
        words = [row["text"] for row in seen["options"] if row["legal"] and row["mine"] and "X,Y" not in row["text"]]
        wish: dict[str, Any] = {"id": id_, "after": seen["seq"]}
        where = "commands"
        if words and self._chance.random() < 0.7:
            wish |= {"words": self._chance.choice(words), "roll": True}
        elif self._chance.random() < 0.3:
            wish |= {"undo": True, "referee": True}
        else:
            where, wish = "notes", {"id": id_, "text": f"Caption {self._said}"}
        done = self.ask("POST", f"/api/games/{self.game}/{where}", json=wish)
        if done is not None:
            self.told.commands[id_] = self.game, tuple(event["seq"] for event in done["events"])

    def photograph(self) -> None:
        """Send one photo, and ask a few times how far it has come."""
        self._said += 1
        photo = a_photo(f"{self._number} {self._said}", READS_S)
        job = self.ask("POST", f"/api/tables/{self.table}/photos", again=False, files=photo)
        if job is None:
            self._over.wait(0.05)
            return
        self.told.jobs[job["id"]] = self.table
        for _ in range(self._chance.randrange(4)):
            self.ask("GET", f"/api/jobs/{job['id']}")
            self._over.wait(0.02)

    def ask(self, method: str, path: str, *, again: bool = True, **more: Any) -> Any:
        """The answer, asked for again until there is one; ``None`` for a refusal."""
        while not self._over.is_set():
            try:
                answer = self.http.request(method, path, **more)
            except httpx.TransportError:
                self.told.answers["none"] += 1
                if not again:
                    return None
                self._over.wait(0.05)
                continue
            self.told.answers[f"{method} {answer.status_code}"] += 1
            if answer.status_code >= 500 and answer.status_code != 503:
                self.told.faults.append(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
            return answer.json() if answer.is_success else None
        return None


def begin_game(host: httpx.Client, kept: EventStore, game: str) -> httpx.Client:
    """Begin a game of the first scenario; the device of a player of both its sides, who hosts it too."""
    scenario = find("flank-attack")
    kept.start(scenario.rules, scenario.setup, game=game, title=scenario.title)
    return join(host, game, ["host", "side blue", "side red"])


def join(host: httpx.Client, game: str, roles: list[str]) -> httpx.Client:
    """A device that has joined a game."""
    invited = host.post(f"/api/games/{game}/invitations", json={"roles": roles})
    invited.raise_for_status()
    player = httpx.Client(base_url=host.base_url, timeout=20.0)
    token = invited.json()["address"].split("#")[1]
    player.post("/api/join", json={"token": token, "label": "Player"}).raise_for_status()
    return player


def host_of(server: Server, token: str) -> httpx.Client:
    """The host's device."""
    client = httpx.Client(base_url=server.url, timeout=60.0)
    joined = client.post("/api/join", json={"token": token, "label": "Anna"})
    joined.raise_for_status()
    return client


def begin(host: httpx.Client, table: Path | None = None) -> dict[str, Any]:
    """A new game of a table file, the bundled one unless given, without rules: its ``id`` and its ``table``'s; the host
    sits at it."""
    table_file = (table or DEMO / "demo.table.toml").read_text(encoding="utf-8")
    wish = {"id": secrets.token_hex(12), "table_file": table_file, "table_name": "demo.table.toml", "rules": "measure"}
    answer = host.post("/api/games", json=wish)
    answer.raise_for_status()
    begun: dict[str, Any] = answer.json()
    return begun


def a_photo(seed: str, reads_s: tuple[float, float], size: int = 60_000) -> dict[str, Any]:
    """Bytes that are a photo for :class:`Canned`, which takes so long over them; the same for the same seed."""
    chance = random.Random(seed)
    return {"photo": (f"{chance.uniform(*reads_s):.3f}.jpg", chance.randbytes(size))}


def main() -> None:
    """Start servers at the port, one after the other, as standard input says; end with it."""
    settings, port = settings_from(sys.stdin.readline()), int(sys.argv[1])
    print(flush=True)
    pid = 0
    while word := sys.stdin.readline().strip():
        if word == "start":
            pid = os.fork()
            if pid == 0:
                _serve(settings, port)
            print(pid, flush=True)
        elif word == "wait":
            os.waitpid(pid, 0)
            print(flush=True)
        elif word == "invite":
            print(_invitation(settings), flush=True)
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)


def _serve(settings: Settings, port: int) -> None:
    """The forked server; it never returns."""
    keep_memory_level()
    app, door = create_app(settings), listening_socket("127.0.0.1", port)
    services = app.state.services
    with contextlib.suppress(KeyboardInterrupt):
        server_at(door, app, end_streams=services.end, checkpoint=services.end_at_once).run([door])
    os._exit(0)


def _invitation(settings: Settings) -> str:
    """Create it in a separate process: a process that forks servers must hold no database."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        seats = Seats(EventStore(settings.url or settings.data_dir / "tabletop.sqlite"))
        os.write(write, seats.invite(SERVER, [HOST]).token.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        token = pipe.read()
    os.waitpid(pid, 0)
    return token


if __name__ == "__main__":
    main()
