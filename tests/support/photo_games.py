"""Games on the server whose table is photographed: the observations of a sequence of three photos, without pixels."""

import copy
import json
from collections.abc import Sequence
from typing import Any

from api.services.services import Services
from api.settings import Settings
from api.tables.store import table_of
from tabletop.game import Game
from tabletop.rulesets.one_hour_ww2.scenario_forces import setup_from_tablefile, with_places
from tabletop.rulesets.one_hour_ww2.setup import Setup
from tabletop.starting.scenarios import find
from tabletop.tables.scene import scene_from_json
from tabletop.tables.tablefile import load_table
from tests.paths import DATA
from tests.support.api_games import Device
from tests.support.api_support import PHOTO, Canned
from tests.support.observed_rows import base_row, observation

SEQ = DATA / "seq"
TABLE = load_table(SEQ / "seq.table.toml")


def observed(n: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SEQ / f"seq-{n}.json").read_text())
    return found


def sequence(services: Services, game: str = "seq", first: dict[str, Any] | None = None) -> str:
    """A game that began with the first photo of the sequence; blue acts."""
    setup = sequence_setup(first)
    sequence_begun(services.event_store.start("one-hour-ww2", setup, game=game, title="Three photos")[1])
    return game


def sequence_setup(first: dict[str, Any] | None = None) -> Setup:
    roster = {unit.id: unit.bases for unit in TABLE.units}
    return with_places(setup_from_tablefile(TABLE), scene_from_json(first or observed(1), roster=roster))


def sequence_begun(game: Game) -> Game:
    """The same game in its first step of actions."""
    for words in ("begin", "end"):
        game.push(game.parse(words))
    return game


def photographed(device: Device, game: str, name: str = "table.jpg", more: bytes = b"") -> dict[str, Any]:
    """Send a photo of a game's table, and what became of it."""
    device.get(f"/api/games/{game}/photo")
    path = f"/api/tables/{table_of(game)}/photos"
    job: dict[str, Any] = device.ask("POST", path, 202, files={"photo": (name, PHOTO + more)})
    return device.get(f"/api/jobs/{job['id']}")


def nameless(units: tuple[str, ...], n: int = 2) -> dict[str, Any]:
    """The photo ``n`` with the bases of some units read without a name."""
    seen = copy.deepcopy(observed(n))
    for base in seen["bases"]:
        if base["unit"] in units:
            base.update(unit=None, unique=None, tag=None, kind=None)
    return seen


def shifted(n: int = 2, by: tuple[float, float] = (3.0, 0.0)) -> dict[str, Any]:
    """The photo ``n`` with every base moved by as much, as if the frame markers had been pushed."""
    seen = copy.deepcopy(observed(n))
    for base in seen["bases"]:
        base["center"] = [base["center"][0] + by[0], base["center"][1] + by[1]]
    return seen


def of_another_table() -> dict[str, Any]:
    """Bases without a name where no unit of Flank Attack may be deployed, hardly anything of its terrain, and a die."""
    places = [(x, y) for x in (2.0, 23.0, 25.0) for y in range(18, 34, 2)]
    bases = [base_row(f"base{n}", at, width=2.0, depth=1.25, method="shape") for n, at in enumerate(places, 1)]
    terrain = [
        {"id": piece.id, "kind": piece.kind, "polygon": [list(point) for point in piece.polygon], "shown": 0.04}
        for piece in find("flank-attack").setup.terrain
    ]
    die = {"id": "die1", "center": [5.0, 5.0], "value": 4, "confidence": 1.0}
    return observation(*bases, terrain=terrain, dice=[die])


class Photos(Canned):
    """An engine that reads what it is told to."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self.seen = observed(2)


def asks(about: str, ask: str, values: Sequence[Any]) -> dict[str, Any]:
    answers = [{"value": value, "chance": 0.5, "says": str(value)} for value in values]
    asked = {"id": "q1", "about": about, "ask": ask, "says": "What is it?", "covers": [[about]]}
    return {**asked, "answers": answers, "others": [], "after": None}
