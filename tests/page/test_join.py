"""Joining on the page: strangers, the QR code's address, codes, roles, and seats that are taken away."""

from collections.abc import Iterator
from typing import Any

import pytest

from tabletop.starting.scenarios import find
from tests.support.api_support import stored_table
from tests.support.page_support import Phone, Server, chromium, expect, page_marks, server

__all__ = ["chromium", "server"]
pytestmark = page_marks


@pytest.fixture(scope="module")
def game(server: Server) -> str:
    scenario = find("flank-attack")
    server.services.event_store.start(scenario.rules, scenario.setup, game="flank", title=scenario.title)
    return "flank"


@pytest.fixture
def host(chromium: Any, server: Server) -> Iterator[Phone]:
    one = Phone(chromium, server)
    yield one
    one.close()


@pytest.fixture
def guest(chromium: Any, server: Server) -> Iterator[Phone]:
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
    told = made.value.json()
    expect(host.at("invite-code")).to_have_text(told["code"])
    assert host.at("invite-qr").evaluate("image => image.decode().then(() => image.naturalWidth)")
    return {"address": told["address"], "code": told["code"], "invitation": told["invitation"]}


def joins(phone: Phone, address: str, label: str) -> None:
    """Open an invitation's address and say a name."""
    phone.page.goto(address)
    phone.at("name").fill(label)
    phone.tap("join")


def test_a_game_is_begun_and_two_phones_join_by_address_and_by_code(
    chromium: Any, server: Server, host: Phone, guest: Phone
) -> None:
    host.page.goto(f"{host.url}/start")
    host.tap("scenario-flank-attack")
    expect(host.page.locator("h1")).to_have_text("Flank Attack")
    expect(host.at("notes")).to_contain_text("motor infantry")
    host.tap("begin")
    host.tap("to-the-game")
    expect(host.at("headline")).to_contain_text("deployment")
    game = str(host.page.url.rsplit("/", 1)[-1])

    # the address is used up, and its secret stays nowhere but in a cookie
    address = invite(host, game, "side-blue")["address"]
    secret = address.split("#")[1]
    guest.page.goto(address)
    expect(guest.at("name")).to_be_visible()
    expect(guest.page).to_have_url(f"{guest.url}/j")
    assert secret not in guest.page.content()
    guest.tap("join")
    expect(guest.at("join-refused")).to_contain_text("Enter your name")
    guest.at("name").fill("Ben")
    guest.tap("join")
    guest.page.wait_for_url(f"**/g/{game}")
    kept = guest.page.evaluate("() => JSON.stringify({...localStorage, ...sessionStorage, cookie: document.cookie})")
    assert secret not in kept and "Ben" in kept and "seat-" not in kept  # the seat's cookie is out of scripts' reach
    assert not [url for url in guest.asked if secret in url.split("#")[0]]
    expect(host.at("invite-taken")).to_be_visible()
    expect(host.at("seats")).to_contain_text("Ben")
    guest.page.goto(guest.url)
    for words in ("Flank Attack", "British"):
        expect(guest.at(f"open-{game}")).to_contain_text(words)
    expect(guest.at("to-start")).to_have_count(0)

    # a stranger is told where to scan and to type, and what is wrong with a code
    code = invite(host, game, "side-red")["code"]
    stranger = Phone(chromium, server, host=False)
    stranger.page.goto(stranger.url)
    for words in ("Scan the QR code", "6-character code"):
        expect(stranger.at("stranger")).to_contain_text(words)
    for name in ("demo", "table-file", "to-start", "reach"):
        expect(stranger.at(name)).to_have_count(0)
    stranger.at("name").fill("Cleo")
    for typed, words in (("22", "6-character code: 2 so far"), ("ABC 222", "No open")):
        stranger.at("code").fill(typed)
        stranger.tap("join")
        expect(stranger.at("code-refused")).to_contain_text(words)
    stranger.at("code").fill(code.lower().replace(" ", "-"))
    stranger.tap("join")
    stranger.page.wait_for_url(f"**/g/{game}")
    expect(stranger.at("headline")).to_contain_text("deployment")
    stranger.faults.clear()  # the browser's own word on the wrong code
    stranger.close()

    # the host's list says how the game stands, and has it renamed, archived and deleted
    host.page.goto(host.url)
    expect(host.at(f"open-{game}")).to_contain_text("One-Hour WWII · British to act")
    for test, taps in (("rename", 1), ("archive", 1), ("delete-game", 2)):
        if test == "delete-game":
            host.tap("archived")
        host.tap(f"manage-{game}")
        if test == "rename":
            host.at("new-title").fill("Thursday")
        for _ in range(taps):
            host.tap(test)
        expect(host.at("manage-game")).to_have_count(0)
        expect(host.at(f"open-{game}")).to_have_count(0 if test == "delete-game" else 1)
        if test == "rename":
            expect(host.at(f"open-{game}")).to_contain_text("Thursday")


@pytest.mark.slow
def test_what_was_used_or_withdrawn_opens_nothing(host: Phone, guest: Phone, server: Server, game: str) -> None:
    used = invite(host, game, "side-red")
    server.services.seats.redeem(used["address"].split("#")[1], "Cem")
    joins(guest, used["address"], "Dora")
    expect(guest.at("join-refused")).to_contain_text("was used already")
    made = invite(host, game, "spectator")
    host.at(f"invitation-{made['invitation']}").locator("[data-test=withdraw]").tap()
    expect(host.at(f"invitation-{made['invitation']}")).to_have_count(0)
    joins(guest, made["address"], "Ida")
    expect(guest.at("join-refused")).to_be_visible()
    host.tap("own-side-blue")
    expect(host.at("own-side-blue")).to_have_attribute("aria-pressed", "true")
    assert "side blue" in host.page.evaluate(f"() => fetch('/api/games/{game}/me').then(answer => answer.text())")


@pytest.mark.slow
def test_the_host_changes_roles_takes_a_seat_away_and_the_phone_is_shown_out(
    host: Phone, guest: Phone, game: str
) -> None:
    joins(guest, invite(host, game, "side-blue", "side-red")["address"], "Ben and Cem")
    guest.page.wait_for_url(f"**/g/{game}")
    guest.page.goto(f"{guest.url}/g/{game}/seats")
    expect(guest.at("my-seat")).to_contain_text("British, Italians")
    row = host.page.locator("[data-test=seats] li", has_text="Ben and Cem")
    row.locator("[data-test=seat-open]").tap()
    row.locator("[data-test=role-side-red]").tap()
    expect(row.locator("[data-test=role-side-red]")).to_have_attribute("aria-pressed", "false")
    expect(row).not_to_contain_text("British, Italians")
    row.locator("[data-test=revoke]").tap()
    expect(row.locator("[data-test=revoke]")).to_contain_text("Tap again")  # nothing yet
    expect(guest.at("my-seat")).to_be_visible()
    row.locator("[data-test=revoke]").tap()
    expect(guest.at("stranger")).to_be_visible()
    expect(guest.at("notice")).to_contain_text("took the seat")


@pytest.mark.slow
def test_leaving_and_a_lost_phone(chromium: Any, server: Server, host: Phone, guest: Phone, game: str) -> None:
    joins(guest, invite(host, game, "side-red")["address"], "Gil")
    guest.page.wait_for_url(f"**/g/{game}")
    row = host.page.locator("[data-test=seats] li", has_text="Gil")
    row.locator("[data-test=seat-open]").tap()
    with host.page.expect_response(lambda answer: "/seats/" in answer.url) as made:
        row.locator("[data-test=invite-again]").tap()
    found = Phone(chromium, server, host=False)
    joins(found, made.value.json()["address"], "Gil")
    found.page.wait_for_url(f"**/g/{game}")
    found.page.goto(f"{found.url}/g/{game}/seats")
    found.tap("leave")
    found.tap("leave")
    expect(found.at("stranger")).to_be_visible()
    found.close()
    assert [seat.revoked is not None for seat in server.services.seats.seats(game) if seat.label == "Gil"] == [True]


@pytest.mark.slow
def test_a_host_begins_on_the_page_that_the_terminal_named(guest: Phone, server: Server) -> None:
    table = stored_table(server.services, name="club.table.toml")
    joins(guest, f"{guest.url}/j?to=/t/{table}#{server.services.welcome().token}", "Anna")
    guest.page.wait_for_url("**/g/club*")  # the address of a stored table opens its game
    guest.tap("menu")
    guest.tap("menu-seats")
    expect(guest.at("invite-side-blue")).to_be_visible()
    for strange in ("//evil.example/x", "https://evil.example", "javascript:alert(1)"):
        joins(guest, f"{guest.url}/j?to={strange}#{server.services.welcome().token}", "Anna")
        expect(guest.at("to-start")).to_be_visible()
        expect(guest.page).to_have_url(f"{guest.url}/")
