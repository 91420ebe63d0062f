"""What the tests of games on the server share: devices with their own cookies, a services with games in it."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from itertools import chain, count
from pathlib import Path
from typing import Any

import httpx

from api.app.application import create_app
from api.app.program import Program
from api.services.services import Services
from api.settings import Settings
from tabletop.rulesets.combined_arms.position import setup_from_position
from tabletop.starting.scenarios import find
from tests.support.api_support import Canned
from tests.support.combined_arms_tables import at

ROOT = "http://192.168.1.20:8000"
OFTEN = {f"{what}_a_minute": 1_000_000 for what in ("reads", "writes", "joins", "photos", "frames", "drawings")}
"""Settings of a server that is asked as often as a test wants."""


class Device:
    """A phone: its cookies, and requests as its page sends them."""

    _ids = count(1)

    def __init__(self, app: Any) -> None:
        self.app = app
        self.cookies = httpx.Cookies()

    def ask(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        answer = self.answer(method, path, **more)
        assert answer.status_code == status, f"{answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def answer(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=ROOT, cookies=self.cookies) as client:
                answer = await client.request(method, path, **more)
                self.cookies = client.cookies
                return answer

        return asyncio.run(asked())

    async def ask_until(
        self,
        method: str,
        path: str,
        leaves: asyncio.Event,
        hears: Callable[[], Awaitable[Any]] | None = None,
        **more: Any,
    ) -> int:
        """The status of an answer, asked for until this device leaves; it hears each part of the body."""
        request = httpx.Request(method, ROOT + path, cookies=self.cookies, **more)
        left: list[dict[str, Any]] = [{"type": "http.request", "body": request.read(), "more_body": False}]
        status: list[int] = []

        async def receive() -> dict[str, Any]:
            if left:
                return left.pop()
            await leaves.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if "status" in message:
                status.append(message["status"])
            elif hears is not None:
                await hears()

        scope = {
            "type": "http", "method": method, "path": request.url.path, "raw_path": request.url.raw_path,
            "query_string": request.url.query, "headers": [(key.lower(), value) for key, value in request.headers.raw],
            "client": ("127.0.0.1", 1), "server": ("localhost", 80), "scheme": "http", "http_version": "1.1",
            "root_path": "",
        }  # fmt: skip
        await self.app(scope, receive, send)
        return status[0]

    def get(self, path: str, status: int = 200, **more: Any) -> Any:
        return self.ask("GET", path, status, **more)

    def look(self, game: str) -> dict[str, Any]:
        """What a game's last photo says to it."""
        found: dict[str, Any] = self.get(f"/api/games/{game}/look")
        return found

    def accept(self, game: str, chosen: list[str] | None = None, status: int = 200, **more: Any) -> Any:
        """Carry out proposals of a game's look as the game stands now: all that is certain where none are chosen."""
        after = self.get(f"/api/games/{game}")["seq"]
        wish = {"id": f"accept-{next(self._ids):06d}", "after": after, "chosen": chosen, **more}
        return self.ask("POST", f"/api/games/{game}/look/accept", status, json=wish)

    def join(self, invited: dict[str, Any], label: str, status: int = 201) -> Any:
        """Take an invitation up as by its QR code."""
        return self.ask("POST", "/api/join", status, json={"token": invited["address"].split("#")[1], "label": label})

    def command(self, game: str, words: str = "", status: int = 200, **more: Any) -> Any:
        """Do something in a game as it stands now, unless ``after`` says otherwise."""
        if "after" not in more:
            more["after"] = self.get(f"/api/games/{game}")["seq"]
        wish = {"id": f"command-{next(self._ids):06d}", "words": words, **more}
        return self.ask("POST", f"/api/games/{game}/commands", status, json=wish)


class Place:
    """A server in this process, and its host's device."""

    _ids = count(1)

    def __init__(self, folder: Path, engine: Program | None = None, **settings: Any) -> None:
        settings = {"addresses": (ROOT,), **settings}
        self.app = create_app(Settings(folder, **settings), engine or Canned(), rng=random.Random(1))
        self.services: Services = self.app.state.services
        self.host = self.device()
        self.host.ask("POST", "/api/join", 201, json={"token": self.services.welcome().token, "label": "Anna"})

    def device(self) -> Device:
        return Device(self.app)

    def begin(self, status: int = 201, **wish: Any) -> Any:
        """A game that the host begins, with an id of its own unless the wish has one."""
        return self.host.ask("POST", "/api/games", status, json={"id": f"begin-{next(self._ids):06d}", **wish})

    def seated(self, game: str, *roles: str, label: str = "Ben") -> Device:
        invited = self.host.ask("POST", f"/api/games/{game}/invitations", 201, json={"roles": list(roles)})
        device = self.device()
        device.join(invited, label)
        return device

    def free(self, name: str) -> str:
        """A name that no game has yet: that one, or with a number."""
        taken = {entry.game for entry in self.services.event_store.games()}
        return next(one for one in chain([name], (f"{name}-{n}" for n in count(2))) if one not in taken)

    def one_hour(self, game: str = "") -> str:
        """A game of One-Hour WWII that has begun, "flank" where no other has that name."""
        game = game or self.free("flank")
        scenario = find("flank-attack")
        self.services.event_store.start(scenario.rules, scenario.setup, game=game, title=scenario.title)
        return game

    def hexes(self, game: str = "", **more: Any) -> str:
        """A game of Combined Arms with a few platoons, "hexes" where no other has that name."""
        game = game or self.free("hexes")
        setup = setup_from_position(at({"D1": "3-4", "D2": "3-5", "M1": "2-4"}, {"5-5": "", "6-6": ""}, **more))
        self.services.event_store.start("combined-arms", setup, game=game, title="A game")
        return game
