"""Joining on the page: strangers, the QR code's address, codes, roles, and seats that are taken away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tabletop.starting.scenarios import find
from tests.support.api_support import stored_table
from tests.support.page_support import (  # noqa: F401 - the fixtures
    PHONE,
    POOR_CONTRAST,
    Phone,
    Server,
    chromium,
    page_marks,
    server,
)

pytestmark = page_marks


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


@pytest.fixture
def guest(chromium: Any, server: Server, game: str) -> Iterator[Phone]:
    """A phone without a seat; what its browser says of refusals that a test wants is no fault."""
    one = Phone(chromium, server, host=False)
    yield one
    one.faults = [said for said in one.faults if "Failed to load resource" not in said]
    one.close()


def invite(host: Phone, game: str, *roles: str) -> dict[str, str]:
    """An invitation made on the host's screen: its address, from its QR code's own words, and its code."""
    host.page.goto(f"{host.url}/g/{game}/seats")
    for role in roles:
        host.tap(f"invite-{role}")
    with host.page.expect_response(lambda answer: answer.url.endswith("/invitations")) as made:
        host.tap("make-invitation")
    host.page.wait_for_selector("[data-test=invite-qr]")
    told = made.value.json()
    assert host.page.inner_text("[data-test=invite-code]") == told["code"]
    assert host.page.locator("[data-test=invite-qr]").evaluate("image => image.decode().then(() => image.naturalWidth)")
    return {"address": told["address"], "code": told["code"], "invitation": told["invitation"]}


def fill(phone: Phone, **words: str) -> None:
    for name, word in words.items():
        phone.page.fill(f"[data-test={name}]", word)


@pytest.mark.slow
def test_a_stranger_is_told_where_to_scan_and_to_type(guest: Phone) -> None:
    guest.page.goto(guest.url)
    words = guest.page.inner_text("[data-test=stranger]")
    assert "Scan the QR code" in words and "6-character code" in words
    for name in ("demo", "table-file", "to-start", "reach"):
        assert guest.page.locator(f"[data-test={name}]").count() == 0
    fill(guest, name="Eve", code="22")
    guest.tap("join")
    assert "6-character code: 2 so far" in guest.page.inner_text("[data-test=code-refused]")
    fill(guest, code="ABC 222")
    guest.tap("join")
    guest.page.wait_for_function(
        "() => document.querySelector('[data-test=code-refused]').innerText.includes('No open')"
    )


@pytest.mark.slow
def test_the_qr_codes_address_gives_a_seat_and_is_gone_from_the_address(host: Phone, guest: Phone, game: str) -> None:
    address = invite(host, game, "side-blue")["address"]
    secret = address.split("#")[1]
    guest.page.goto(address)
    guest.page.wait_for_selector("[data-test=name]")
    assert guest.page.url == f"{guest.url}/j" and secret not in guest.page.content()
    guest.tap("join")
    assert "Give a name" in guest.page.inner_text("[data-test=join-refused]")
    fill(guest, name="Ben")
    guest.tap("join")
    guest.page.wait_for_url(f"**/g/{game}")
    kept = guest.page.evaluate("() => JSON.stringify({...localStorage, ...sessionStorage, cookie: document.cookie})")
    assert secret not in kept and "Ben" in kept and "seat-" not in kept  # the seat's cookie is out of scripts' reach
    assert not [url for url in guest.asked if secret in url.split("#")[0]]
    host.page.wait_for_selector("[data-test=invite-taken]", timeout=8000)
    assert "Ben" in host.page.inner_text("[data-test=seats]")
    guest.page.goto(guest.url)
    guest.page.wait_for_selector(f"[data-test=open-{game}]")
    row = guest.page.inner_text(f"[data-test=open-{game}]")
    assert "Flank Attack" in row and "British" in row
    assert guest.page.locator("[data-test=to-start]").count() == 0


@pytest.mark.slow
def test_a_used_address_says_so_and_the_code_is_the_way_on(
    host: Phone, guest: Phone, server: Server, game: str
) -> None:
    used = invite(host, game, "side-red")
    server.services.seats.redeem(used["address"].split("#")[1], "Cem")
    guest.page.goto(used["address"])
    fill(guest, name="Dora")
    guest.tap("join")
    guest.page.wait_for_selector("[data-test=join-refused]")
    assert "was used already" in guest.page.inner_text("[data-test=join-refused]")
    other = invite(host, game, "spectator")
    assert guest.page.input_value("[data-test=name]") in ("Dora", "")
    fill(guest, name="Dora", code=other["code"].lower().replace(" ", "-"))
    guest.tap("join")
    guest.page.wait_for_url(f"**/g/{game}")


def test_two_players_on_one_phone_hold_two_roles(host: Phone, guest: Phone, game: str) -> None:
    guest.page.goto(invite(host, game, "side-blue", "side-red")["address"])
    fill(guest, name="Ben and Cem")
    guest.tap("join")
    guest.page.wait_for_url(f"**/g/{game}")
    guest.page.goto(f"{guest.url}/g/{game}/seats")
    guest.page.wait_for_selector("[data-test=my-seat]")
    assert "British, Italians" in guest.page.inner_text("[data-test=my-seat]")


@pytest.mark.slow
def test_the_host_changes_roles_takes_a_seat_away_and_the_phone_is_shown_out(
    host: Phone, guest: Phone, game: str
) -> None:
    guest.page.goto(invite(host, game, "side-blue")["address"])
    fill(guest, name="Fay")
    guest.tap("join")
    guest.page.wait_for_url(f"**/g/{game}")
    guest.page.goto(f"{guest.url}/g/{game}/seats")
    guest.page.wait_for_selector("[data-test=my-seat]")
    row = host.page.locator("[data-test=seats] li", has_text="Fay")
    row.locator("[data-test=seat-open]").tap()
    row.locator("[data-test=role-side-red]").tap()
    host.page.wait_for_selector("[data-test=seats] li:has-text('Fay') [data-test=role-side-red][aria-pressed=true]")
    assert "British, Italians" in row.inner_text()
    row.locator("[data-test=revoke]").tap()
    assert "Tap again" in row.locator("[data-test=revoke]").inner_text()  # nothing yet
    assert guest.page.locator("[data-test=my-seat]").count() == 1
    row.locator("[data-test=revoke]").tap()
    guest.page.wait_for_selector("[data-test=stranger]", timeout=8000)
    assert "took the seat" in guest.page.inner_text("[data-test=notice]")


@pytest.mark.slow
def test_leaving_and_a_lost_phone(chromium: Any, server: Server, host: Phone, guest: Phone, game: str) -> None:
    guest.page.goto(invite(host, game, "side-red")["address"])
    fill(guest, name="Gil")
    guest.tap("join")
    guest.page.wait_for_url(f"**/g/{game}")
    row = host.page.locator("[data-test=seats] li", has_text="Gil")
    row.locator("[data-test=seat-open]").tap()
    with host.page.expect_response(lambda answer: "/seats/" in answer.url) as made:
        row.locator("[data-test=invite-again]").tap()
    found = Phone(chromium, server, host=False)
    found.page.goto(made.value.json()["address"])
    fill(found, name="Gil")
    found.tap("join")
    found.page.wait_for_url(f"**/g/{game}")
    found.page.goto(f"{found.url}/g/{game}/seats")
    found.page.wait_for_selector("[data-test=leave]")
    found.tap("leave")
    found.tap("leave")
    found.page.wait_for_selector("[data-test=stranger]")
    found.close()
    assert [seat.revoked is not None for seat in server.services.seats.seats(game) if seat.label == "Gil"] == [True]


@pytest.mark.slow
def test_an_invitation_is_withdrawn_and_the_host_plays_a_side(host: Phone, guest: Phone, game: str) -> None:
    made = invite(host, game, "spectator")
    host.page.locator(f"[data-test=invitation-{made['invitation']}] [data-test=withdraw]").tap()
    host.page.wait_for_selector(f"[data-test=invitation-{made['invitation']}]", state="detached")
    guest.page.goto(made["address"])
    fill(guest, name="Ida")
    guest.tap("join")
    guest.page.wait_for_selector("[data-test=join-refused]")
    host.tap("own-side-blue")
    host.page.wait_for_selector("[data-test=own-side-blue][aria-pressed=true]")
    assert "side blue" in host.page.evaluate(f"() => fetch('/api/games/{game}/me').then(answer => answer.text())")


@pytest.mark.slow
def test_a_host_begins_on_the_page_that_the_terminal_named(guest: Phone, server: Server) -> None:
    table = stored_table(server.services, name="club.table.toml")
    guest.page.goto(f"{guest.url}/j?to=/t/{table}#{server.services.welcome().token}")
    fill(guest, name="Anna")
    guest.tap("join")
    guest.page.wait_for_url("**/g/club*")  # the address of a stored table opens its game
    guest.tap("menu")
    guest.tap("menu-seats")
    guest.page.wait_for_selector("[data-test=invite-side-blue]")
    for strange in ("//evil.example/x", "https://evil.example", "javascript:alert(1)"):
        guest.page.goto(f"{guest.url}/j?to={strange}#{server.services.welcome().token}")
        fill(guest, name="Anna")
        guest.tap("join")
        guest.page.wait_for_selector("[data-test=to-start]")
        assert guest.page.url == f"{guest.url}/"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "scheme"), [(PHONE, "light"), (PHONE, "dark"), ({"width": 820, "height": 1180}, "dark")], ids=str
)
def test_everything_is_large_named_and_readable(
    chromium: Any, server: Server, game: str, size: dict[str, int], scheme: str
) -> None:
    poor = POOR_CONTRAST.replace(".sheet *, .top-bar *, .bar *, .pill", "main *")
    for host_phone, path, ready in (
        (False, "/", "stranger"),
        (False, "/j", "code"),
        (True, "/", "reach"),
        (True, f"/g/{game}/seats", "make-invitation"),
    ):
        phone = Phone(chromium, server, size, scheme, host=host_phone)
        phone.page.goto(phone.url + path)
        phone.page.wait_for_selector(f"[data-test={ready}]")
        if ready == "make-invitation":
            phone.tap("invite-spectator")
            phone.tap("make-invitation")
            phone.page.wait_for_selector("[data-test=invite-qr]")
        boxes = phone.page.locator("button, label:has(input), input:not(.unseen), summary").evaluate_all(
            "all => all.map(e => [e.getAttribute('aria-label') || e.innerText || e.labels?.[0]?.innerText || '', "
            "e.getBoundingClientRect().toJSON()])"
        )
        for name, box in boxes:
            assert name.strip(), f"{path}: something to touch without a name"
            assert box["width"] >= 44 and box["height"] >= 44, f"{path}: {name}: {box}"
        assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= size["width"]
        assert phone.page.evaluate(poor) == [], path
        assert phone.page.locator("img:not([alt])").count() == 0
        phone.close()
