"""What the tests of the server share: a small table, an engine that reads no pixels, a client without a network."""

import asyncio
import copy
import hashlib
import io
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
from PIL import Image

from api.app.application import create_app
from api.app.program import Program
from api.engine import PhotoToRead, Reading
from api.services.services import Services
from api.settings import Settings
from tabletop.identity.observation_rows import Observation
from tabletop.tables.model import TableFile
from tests.paths import DATA
from vision.model.errors import CollectionError

TABLE = (DATA / "kitchen.table.toml").read_text(encoding="utf-8")

SHARP = 1e-4  # variance of a base that the photo places to a hundredth of an inch


def row(base_id: str, unit: str | None, side: str | None, kind: str | None, center: list[float], **more: Any) -> dict:
    """A base of an observation: rectangular, sure, facing the far side."""
    base = {
        "id": base_id, "unit": unit, "tag": None, "side": side, "kind": kind, "unique": True, "shape": "rect",
        "width": 2.0, "depth": 1.25, "center": center, "z": 0.0, "facing": 0.0,
        "covariance": [[SHARP, 0.0], [0.0, SHARP]], "facing_sigma": 0.5, "confidence": 0.99, "method": "tag",
    }  # fmt: skip
    return base | more


# The tank stands 10" behind "near"; "far" is 25" away, so out of its reach; "stray" has no unit yet.
BASES = [
    row("b1", "tank", "blue", "tank", [18.0, 8.0], width=1.75, depth=2.5),
    row("b2", "near", "red", "infantry", [18.0, 19.875], facing=180.0),
    row("b3", "far", "red", "infantry", [6.0, 34.0], facing=180.0, width=1.5),
    row("b4", None, "red", None, [9.0, 34.0], unique=None, facing=None, facing_sigma=None, method="outline"),
]
PHOTO = b"\xff\xd8\xff" + b"a picture of the test's table"


def observation(bases: list[dict[str, Any]] = BASES) -> dict[str, Any]:
    """An observation of the small table (contract, section 3)."""
    return {
        "version": 1,
        "units": "inches",
        "table": {"width": 36.0, "depth": 36.0},
        "photos": [],
        "bases": copy.deepcopy(bases),
        "terrain": [],
        "dice": [],
        "warnings": ["A remark."],
    }


def jpeg(size: tuple[int, int], colour: tuple[int, int, int] = (92, 110, 70)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "JPEG")
    return out.getvalue()


class Canned(Program):
    """The program with a photo door that knows one photo by heart; any other goes through the real one."""

    def __init__(self) -> None:
        self.seen = observation()
        self.given: list[tuple[TableFile, Mapping[str, Any] | None]] = []
        """The table and the observation before that each photo was read with."""

    def load(self) -> None:
        """It knows what it answers."""

    def read_photo(self, asked: PhotoToRead) -> Reading:
        if not asked.data.startswith(PHOTO):
            return super().read_photo(asked)
        self.given.append((asked.table, copy.deepcopy(asked.previous)))
        asked.progress("finding bases", 0.5)
        return Reading(
            observation=self.seen,
            sha256=hashlib.sha256(asked.data).hexdigest(),
            width=640,
            height=480,
            map_jpeg=jpeg((380, 380)),
            map_size=(380, 380),
            map_bounds=((-1.0, -1.0), (37.0, 37.0)),
            annotated_jpeg=jpeg((640, 480)),
            annotated_size=(640, 480),
            annotated_part=(0, 0, 640, 480),
            upright_jpeg=jpeg((600, 450)),
            upright_size=(600, 450),
        )

    def learn(self, upright_jpeg: bytes, sha256: str, table: TableFile, observation: Observation) -> bytes:
        """Nothing is seen in a canned picture."""
        raise CollectionError("A canned picture teaches nothing.")

    def demo(self) -> tuple[str, str, bytes, str]:
        return TABLE, "small.toml", PHOTO, "small.jpg"


class Client:
    """Requests to an application in this process, as the host's browser on the local network sends them."""

    def __init__(self, folder: Path, engine: Program | None = None, **settings: Any) -> None:
        self.engine = engine or Canned()
        self.app = create_app(Settings(folder, **settings), self.engine)
        self.cookies = httpx.Cookies()
        welcome = {"token": self.app.state.services.welcome().token, "label": "Anna"}
        assert self("POST", "/api/join", json=welcome).status_code == 201

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One request in the caller's event loop."""
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        root = "http://192.168.1.20:8000"
        async with httpx.AsyncClient(transport=transport, base_url=root, cookies=self.cookies) as client:
            answer = await client.request(method, path, **more)
            self.cookies.update(client.cookies)
            return answer

    def __call__(self, method: str, path: str, **more: Any) -> httpx.Response:
        return asyncio.run(self.ask(method, path, **more))

    def begin(self, table_file: str = TABLE, **wish: Any) -> dict[str, Any]:
        """A game of a table file, without rules unless they are named: its ``id`` and its ``table``'s."""
        own = {"id": secrets.token_hex(12), "table_name": "small.table.toml", "rules": "measure"}
        answer = self("POST", "/api/games", json={**own, "table_file": table_file, **wish})
        assert answer.status_code == 201, answer.text
        begun: dict[str, Any] = answer.json()
        return begun

    def send(self, table: str, data: bytes = PHOTO, name: str = "a.jpg") -> httpx.Response:
        return self("POST", f"/api/tables/{table}/photos", files={"photo": (name, data)})

    def photo(self, begun: dict[str, Any], data: bytes = PHOTO, name: str = "a.jpg") -> dict[str, Any]:
        job = read_job(self.send(begun["table"], data, name))
        assert (job["state"], job["detail"], job["table"]) == ("done", "", begun["table"])
        assert self("GET", f"/api/jobs/{job['id']}").json() == job
        look: dict[str, Any] = self("GET", f"/api/games/{begun['id']}/look").json()
        return look


def stored_table(services: Services, toml: str = TABLE, name: str = "mine.toml", **marks: dict[str, Any]) -> str:
    """A table without a game as earlier servers stored them, with the markers of some of its units; its id."""
    table = services.store.new_game()
    services.tables.create(toml, name, table)
    for unit, changed in marks.items():
        mark_stored(services, table, unit, changed)
    return table


def mark_stored(services: Services, table: str, unit: str, marks: dict[str, Any]) -> None:
    """Lay markers beside a unit of a stored table, as its players did."""
    seq = services.tables.seq(table) + 1
    assert services.store.append(table, seq, "mark", {"unit": unit, "marks": marks})


def read_job(answer: httpx.Response) -> dict[str, Any]:
    """What became of a photo that was taken in."""
    assert answer.status_code == 202, answer.text
    return answer.json()


def refusal(answer: httpx.Response) -> str:
    """The sentence of a photo that was taken in and could not be used."""
    job = read_job(answer)
    assert job["state"] == "failed", job
    return job["detail"]


def sentence(answer: httpx.Response, status: int) -> str:
    """The sentence of a refusal, which must be a problem document of that status."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status and problem["title"] and problem["type"]
    return problem["detail"]
