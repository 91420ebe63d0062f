"""Tokens for programs on the page: made and shown once, copied, taken back by whose they are and by the host."""

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
    expect,
    page_marks,
    server,
)

pytestmark = [*page_marks, pytest.mark.slow]


@pytest.fixture
def host(chromium: Any, server: Server) -> Iterator[Phone]:
    scenario = find("flank-attack")
    server.services.event_store.start(scenario.rules, scenario.setup, game="flank", title=scenario.title)
    one = Phone(chromium, server)
    yield one
    one.close()


def answers(host: Phone, token: str) -> int:
    return httpx.get(f"{host.url}/api/v1/games/flank", headers={"Authorization": f"Bearer {token}"}).status_code


def test_a_token_is_made_shown_once_copied_and_taken_back(host: Phone) -> None:
    page = host.page
    form, programs = (page.locator(f"[data-test=program-{what}]") for what in ("form", "list"))
    page.goto(f"{host.url}/g/flank/seats")
    host.tap("add-program")
    host.tap("make-token")
    expect(form.locator("[role=alert]")).to_contain_text("Enter the program’s name")
    page.fill("[data-test=program-name]", "Scoreboard")
    host.tap("may-act")
    expect(form).to_contain_text("everything that you can do")
    host.tap("may-read")
    host.tap("days-1")
    host.tap("make-token")
    token = page.input_value("[data-test=token]")
    assert answers(host, token) == 200
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.tap("copy-token")
    expect(page.locator("[data-test=copy-token]")).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == token
    assert page.evaluate(POOR_CONTRAST) == []
    host.tap("token-done")
    expect(programs).to_contain_text("Scoreboard")
    expect(programs).to_contain_text("Only looks, until")
    assert token not in page.content()
    page.reload()
    expect(programs).to_contain_text("Last used")
    assert token not in page.content()
    host.tap("take-back")
    expect(page.locator("[data-test=take-back].asked")).to_be_visible()
    assert answers(host, token) == 200, "the first tap only asks"
    host.tap("take-back")
    expect(programs).to_have_count(0)
    assert answers(host, token) == 401
