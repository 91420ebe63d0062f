"""The server keeps to its own OpenAPI document: no server error and no undeclared answer, whatever is asked.

Requests are made by schemathesis from the document. ``SCHEMA_EXAMPLES`` asks more of every address than the suite does.
"""

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import openapi_spec_validator
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Response
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.tables.store import table_of
from tests.api.conftest import Servers
from tests.support.api_games import OFTEN, ROOT, Place

EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "2"))
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
ENDLESS = ("/stream",)
ENDS_THE_SEAT = ("/leave",)
MODES = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]


@pytest.fixture(scope="module")
def place(servers: Servers) -> Place:
    made = servers(**OFTEN)
    made.one_hour()
    made.hexes()
    sides = {"flank": ["side blue", "side red"], "hexes": ["side attacker"]}
    for game, roles in sides.items():
        made.host.ask("PUT", f"/api/games/{game}/me", json={"roles": roles, "label": "Anna"})
        made.services.table(game, lay=True)
    return made


def test_the_document_is_valid_and_its_operations_have_names_of_their_own(place: Place) -> None:
    document = place.app.openapi()
    openapi_spec_validator.validate(document)
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names) and {"show_game", "send_command", "follow_game"} <= set(names)
    assert all(name.count("_") >= 1 for name in names), "a verb and what it is about"
    free = {operation["operationId"] for operation in operations if operation.get("security") == []}
    assert free == {"this_device", "join_by_token", "join_by_code"}


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_every_address_answers_as_it_declares(place: Place, method: str) -> None:
    schema = schemathesis.openapi.from_dict(place.app.openapi())
    operations = [found for one in schema.get_all_operations() if (found := one.ok()).method.upper() == method]
    assert operations
    games = iter(("flank", "hexes") * 1000)
    for operation in operations:
        path = operation.path
        wanted = map(table_of, games) if "/tables/" in path else games
        modes = MODES if operation.definition.raw.get("parameters") or operation.body else MODES[:1]
        for mode in modes if not path.endswith((*ENDLESS, *ENDS_THE_SEAT)) else ():
            try:
                _asked(place, operation, mode, wanted)
            except BaseException as error:
                error.add_note(f"{method} {path}, {mode.value}")
                raise


def _asked(place: Place, operation: Any, mode: GenerationMode, games: Iterator[str]) -> None:
    """Ask an address whatever schemathesis makes up, of games that are there where it is to be well asked."""

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), phases=[Phase.generate], database=None)
    @seed(1)
    @given(case=operation.as_strategy(generation_mode=mode))
    def asked(case: Any) -> None:
        if "game" in (case.path_parameters or {}) and mode is GenerationMode.POSITIVE:
            case.path_parameters["game"] = next(games)
        answer = place.host.answer(**_request(case))
        read = httpx.Response(
            answer.status_code,
            headers={key: value for key, value in answer.headers.items() if key != "content-encoding"},
            content=answer.content,
            request=httpx.Request(answer.request.method, answer.request.url),
        )
        read.elapsed = timedelta()
        case.validate_response(Response.from_any(read), checks=CHECKS)

    asked()


def _request(case: Any) -> dict[str, Any]:
    """A case as the device sends it: its own cookies, and what the case says."""
    made = case.as_transport_kwargs(base_url=ROOT)
    taken = {key: made[key] for key in ("json", "data", "params", "files") if made.get(key) is not None}
    if "files" in taken:  # httpx sends what has bytes
        taken["files"] = [(name, _with_bytes(part)) for name, part in dict(taken["files"]).items()]
    if isinstance(taken.get("data"), bytes | str):
        taken["content"] = taken.pop("data")
    return {"method": made["method"], "path": made["url"], "headers": dict(made.get("headers") or {}), **taken}


def _with_bytes(part: Any) -> Any:
    """A part of a form whose content, the second of a tuple, can be sent."""
    if isinstance(part, tuple):
        return (part[0], _with_bytes(part[1]), *part[2:])
    return part if isinstance(part, bytes | str) else str(part).encode()
