"""Clients of other programs, made from the served document by two generators, which must neither fail nor warn; they
begin a game, act in it and read what happened, by cookie and by token."""

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.addresses import VERSIONED
from tests.paths import ROOT
from tests.support.page_support import Server, server  # noqa: F401 - the fixture

pytestmark = pytest.mark.slow

CONFIG = ROOT / "docs" / "examples" / "api" / "openapi-python-client.yml"


def generate(*words: object) -> None:
    """Have a generator write a client, without an error or a warning."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # one of them calls ruff
    ran = subprocess.run(
        [sys.executable, "-m", *map(str, words)], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    told = ran.stdout + ran.stderr
    assert ran.returncode == 0 and "warning" not in told.lower(), told


@pytest.fixture(scope="module")
def clients(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:  # noqa: F811
    """A folder on the way of imports with ``first_client``, a package, and ``second_client``, models alone."""
    folder = tmp_path_factory.mktemp("clients")
    (folder / "openapi.json").write_bytes(httpx.get(f"{server.url}{VERSIONED}/openapi.json").content)
    generate(
        "openapi_python_client", "generate", "--path", folder / "openapi.json",
        "--output-path", folder / "first_client", "--meta", "none", "--config", CONFIG, "--fail-on-warning",
    )  # fmt: skip
    generate(
        "datamodel_code_generator", "--input", folder / "openapi.json", "--input-file-type", "openapi",
        "--output", folder / "second_client.py", "--output-model-type", "pydantic_v2.BaseModel",
        "--target-python-version", "3.11", "--formatters", "builtin",
    )  # fmt: skip
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def call(where: str, client: Any, **more: Any) -> Any:
    """What an operation of the first client answers, which must be good."""
    answer = importlib.import_module(f"first_client.api.{where}").sync_detailed(client=client, **more)
    assert 200 <= answer.status_code < 300, answer.content
    return answer.parsed


def test_clients_of_two_generators_play(server: Server, clients: Path) -> None:  # noqa: F811
    first, wishes = importlib.import_module("first_client"), importlib.import_module("first_client.models")
    second = importlib.import_module("second_client")

    with first.Client(base_url=server.url) as browser:  # keeps the cookie of its seat, as a browser does
        invited = server.services.welcome().token
        call("seats.join_by_token", browser, body=wishes.TokenWish(token=invited, label="Anna"))
        wish = wishes.BeginWish(id="begin-000001", scenario="flank-attack", rules="one-hour-ww2")
        game = call("starting.begin_game", browser, body=wish).id
        wish = wishes.ProgramWish(label="Score", may=wishes.ProgramWishMay("act"), days=1)
        made = call("programs.make_token", browser, game=game, body=wish)

    with first.AuthenticatedClient(base_url=server.url, token=made.token) as program:
        seq = call("games.show_game", program, game=game).seq
        wish = wishes.CommandWish(id="cmd-00001", after=seq, words="begin")
        done = call("games.send_command", program, game=game, body=wish)
        told = call("games.list_events", program, game=game)
        assert done.seq == told.seq > seq and told.events[-1].text == "The first turn began."
        assert "[table]" in call("starting.download_table_file", program, game=game)
        show_game = importlib.import_module("first_client.api.games.show_game")
        refused = show_game.sync(client=program, game="nowhere")
        assert isinstance(refused, wishes.Problem) and refused.status == 401

    with httpx.Client(base_url=f"{server.url}{VERSIONED}", headers={"Authorization": f"Bearer {made.token}"}) as other:
        shown = second.GameOut.model_validate_json(other.get(f"/games/{game}").content)
        assert (shown.seq, shown.me.host) == (done.seq, True) and len(shown.board.pieces) > 20
        undo = second.CommandWish(id="cmd-00002", after=shown.seq, undo=True)
        answer = other.post(f"/games/{game}/commands", json=undo.model_dump(exclude_unset=True))
        last = second.DoneOut.model_validate_json(answer.content).seq
        with other.stream("GET", f"/games/{game}/stream", params={"after": shown.seq}) as stream:
            data = next(line for line in stream.iter_lines() if line.startswith("data: "))
        event = second.EventView.model_validate_json(data.removeprefix("data: "))
        assert shown.seq < event.seq <= last
        assert second.Problem.model_validate_json(other.get("/games/nowhere").content).status == 401
