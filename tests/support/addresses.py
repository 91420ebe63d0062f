"""Every address of the server's OpenAPI document, with something that could stand there for each of its names."""

import re
from typing import Any

from api.tables.store import table_of
from tests.support.api_games import Place


def addresses(place: Place) -> list[tuple[str, str, dict[str, Any]]]:
    """Every operation of the document: its method, its path still with its names, and what is said of it."""
    found = place.app.openapi()["paths"].items()
    return [(method.upper(), path, said) for path, methods in found for method, said in methods.items()]


def filled(path: str, game: str, job: str = "0" * 32) -> str:
    known = {"game": table_of(game) if "/tables/" in path else game, "job": job, "sha": "0" * 64, "picture": "map"}
    known |= {"rules": "combat", "scenario": "first-skirmish"}
    return re.sub(r"\{(\w+)\}", lambda name: known.get(name[1], "abcdefgh"), path)
