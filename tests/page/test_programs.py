"""Tokens for programs on the page: made and shown once, copied, taken back by whose they are and by the host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tabletop.starting.scenarios import find
from tests.support.page_support import (  # noqa: F401 - the fixtures
    POOR_CONTRAST,
    Phone,
    Server,
    chromium,
    page_marks,
    server,
)

pytestmark = [*page_marks, pytest.mark.slow]


@pytest.fixture(scope="module")
def game(server: Server) -> str:
    """A game of the module's server."""
    scenario = find("flank-attack")
    server.services.event_store.start(scenario.rules, scenario.setup, game="flank", title=scenario.title)
    return "flank"


@pytest.fixture
def host(chromium: Any, server: Server, game: str) -> Iterator[Phone]:
    one = Phone(chromium, server)
    yield one
    one.close()


def answers(host: Phone, game: str, token: str) -> int:
    """What the server answers a program with this token."""
    return httpx.get(f"{host.url}/api/v1/games/{game}", headers={"Authorization": f"Bearer {token}"}).status_code


def test_a_token_is_made_shown_once_copied_and_taken_back(host: Phone, game: str) -> None:
    page = host.page
    page.goto(f"{host.url}/g/{game}/seats")
    host.tap("add-program")
    host.tap("make-token")
    assert "what the program is called" in page.inner_text("[data-test=program-form] [role=alert]")
    page.fill("[data-test=program-name]", "Scoreboard")
    host.tap("may-act")
    assert "whatever you may do" in page.inner_text("[data-test=program-form]")
    host.tap("may-read")
    host.tap("days-1")
    host.tap("make-token")
    token = page.input_value("[data-test=token]")
    assert answers(host, game, token) == 200
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.tap("copy-token")
    page.wait_for_function("() => document.querySelector('[data-test=copy-token]').innerText === 'Copied'")
    assert page.evaluate("() => navigator.clipboard.readText()") == token
    assert page.evaluate(POOR_CONTRAST) == []
    host.tap("token-done")
    row = page.inner_text("[data-test=program-list]")
    assert "Scoreboard" in row and "Only looks, until" in row and token not in page.content()
    page.reload()
    page.wait_for_selector("[data-test=program-list]")
    assert "Last used" in page.inner_text("[data-test=program-list]") and token not in page.content()
    host.tap("take-back")
    assert answers(host, game, token) == 200, "the first tap only asks"
    host.tap("take-back")
    page.wait_for_selector("[data-test=program-list]", state="detached")
    assert answers(host, game, token) == 401
