"""The examples of docs/api.md, run as its readers run them: a script that prints events, a page that draws a table."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from api.auth.access import HOST
from tabletop.starting.scenarios import find
from tests.paths import ROOT
from tests.support.page_support import PHONE, Server, chromium, expect, page_marks, server  # noqa: F401 - the fixtures

pytestmark = page_marks

EXAMPLES = ROOT / "docs" / "examples" / "api"
GAME = "flank"


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    scenario, services = find("flank-attack"), server.services
    services.event_store.start(scenario.rules, scenario.setup, game=GAME, title=scenario.title)
    host = services.seats.sit(GAME, [HOST], "Anna").seat
    return services.tokens.make(host, GAME, "Examples", "act", 1).secret


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport=PHONE)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    assert faults == []
    context.close()


def test_the_examples_follow_a_game_until_their_token_ends(server: Server, token: str, page: Any) -> None:
    script = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "follow.py"), server.url, GAME],
        env={**os.environ, "TABLETOP_TOKEN": token},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert script.stdout is not None and script.stderr is not None
    page.goto((EXAMPLES / "table.html").as_uri())
    for field, said in (("server", server.url), ("game", GAME), ("token", token)):
        page.fill(f"#{field}", said)
    page.click("button")
    assert script.stdout.readline() == "   1  Flank Attack was laid out.\n"
    expect(page.locator("svg polygon title").nth(20)).to_be_attached()
    expect(page.locator("#headline")).to_contain_text("deployment")

    wish = {"id": "cmd-000001", "after": 1, "words": "begin"}
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.post(f"{server.url}/api/v1/games/{GAME}/commands", headers=headers, json=wish).status_code == 200
    assert script.stdout.readline() == "   2  The first turn began.\n"
    expect(page.locator("#log li").first).to_have_text("The first turn began.")
    expect(page.locator("#headline")).not_to_contain_text("deployment")

    (kept,) = server.services.tokens.tokens(GAME)
    server.services.tokens.revoke(kept.token, GAME)
    assert script.wait(60) == 1 and "taken back" in script.stderr.read()
    script.stdout.close()
    script.stderr.close()
    expect(page.locator("#headline")).to_contain_text("taken back")
