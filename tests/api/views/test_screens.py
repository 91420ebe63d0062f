"""A seat's screen, and the changes that its phone hears of instead of asking for all of it again."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from api.views.screens import Screens
from tests.api.conftest import Servers
from tests.support.api_games import OFTEN, Device, Place
from tests.support.json_patch import patched
from tests.support.streams import listen
from tests.support.waiting import BOUND_S


@pytest.fixture(scope="module")
def place(servers: Servers) -> Place:
    return servers(look_again_s=0.02, **OFTEN)


def heard(place: Place, game: str, device: Device, events: list[str], screen: str) -> list[Any]:
    """What the stream tells of a device's screen while the host does these things."""
    steps = [partial(place.host.command, game, words, overrule=True) for words in events]
    lines = listen(place, game, device, screen, 99, steps).split("\n")
    return [json.loads(data[6:]) for name, data in pairwise(lines) if name == "event: screen"]


def test_a_phone_that_has_the_newest_screen_hears_that(place: Place, game: str) -> None:
    watching = place.seated(game, "spectator")
    version = watching.get(f"/api/games/{game}/screen")["version"]
    first = heard(place, game, watching, [], version)[0]
    assert first == {"since": version, "version": version, "changes": []}


def test_a_phone_with_an_older_screen_gets_all_of_the_new_one(place: Place, game: str) -> None:
    watching = place.seated(game, "spectator")
    old = watching.get(f"/api/games/{game}/screen")
    place.host.command(game, "begin")
    new = watching.get(f"/api/games/{game}/screen")
    first = heard(place, game, watching, [], old["version"])[0]
    assert old["version"] != new["version"] == first["version"]
    assert patched(None, first["changes"]) == new


def test_changes_of_actions_make_the_screens_after_them_and_are_short(place: Place, game: str) -> None:
    place.host.command(game, "begin")
    for seat in ("side blue", "side red", "spectator"):
        screens, device = Screens(place.services), place.seated(game, seat)
        own = device.get(f"/api/games/{game}/me")["seat"]
        screen = device.get(f"/api/games/{game}/screen")
        for words in ("correct B1 hits 3", "correct B1 hits 0", "concede red"):
            before = screens.screen(place.services.seats.seat(own))
            place.host.command(game, words, overrule=True)
            after = screens.screen(place.services.seats.seat(own))
            changes = [dict(one) for one in screens.changes(before, after)]
            found = patched({key: screen[key] for key in ("game", "options")}, changes)
            screen = device.get(f"/api/games/{game}/screen")
            assert found == {key: screen[key] for key in ("game", "options")}
            assert len(json.dumps(changes)) < len(json.dumps(screen)) / 2
        place.host.command(game, undo=True, referee=True)


def test_the_stream_tells_every_change_once(place: Place, game: str) -> None:
    place.host.command(game, "begin")
    watching = place.seated(game, "spectator")
    screen = watching.get(f"/api/games/{game}/screen")
    news = heard(place, game, watching, [f"correct B1 hits {n}" for n in (1, 2, 3)], screen["version"])
    shown = {key: screen[key] for key in ("game", "options")}
    version = screen["version"]
    for one in news:
        assert one["since"] == version
        shown, version = patched(shown, one["changes"]), one["version"]
    assert len({one["version"] for one in news}) == len(news) >= 2


def test_other_roles_are_another_screen(place: Place, game: str) -> None:
    device = place.seated(game, "spectator")
    seat = device.get(f"/api/games/{game}/me")["seat"]
    old = device.get(f"/api/games/{game}/screen")
    place.host.ask("PUT", f"/api/games/{game}/seats/{seat}", json={"roles": ["side blue"]})
    new = device.get(f"/api/games/{game}/screen")
    assert old["version"] != new["version"] and new["game"]["me"]["acts_as"] == ["blue"]


def test_what_many_ask_for_at_once_is_made_once(place: Place) -> None:
    makers, made, begun, go_on = 8, list[int](), threading.Event(), threading.Event()

    def make() -> str:
        made.append(1)
        begun.set()
        assert go_on.wait(BOUND_S)
        return "answer"

    with ThreadPoolExecutor(makers) as threads:
        answers = [threads.submit(place.services.cache.get, ("slow",), make) for _ in range(makers)]
        assert begun.wait(BOUND_S)
        go_on.set()
        assert [one.result(BOUND_S) for one in answers] == ["answer"] * makers
    assert len(made) == 1


def test_an_answer_that_could_not_be_made_is_tried_again(place: Place) -> None:
    def fails() -> str:
        raise LookupError("not yet")

    with pytest.raises(LookupError):
        place.services.cache.get(("later",), fails)
    assert place.services.cache.get(("later",), lambda: "now") == "now"


def test_the_answer_to_a_command_brings_what_changed_of_the_screen(place: Place, game: str) -> None:
    path = f"/api/games/{game}/screen"
    old = place.host.get(path)
    assert place.host.command(game, "begin", after=old["game"]["seq"])["screen"] is None
    shown = place.host.get(path)
    done = place.host.command(game, "correct B1 hits 3", screen=shown["version"], overrule=True)["screen"]
    now = place.host.get(path)
    assert (done["since"], done["version"]) == (shown["version"], now["version"])
    assert patched({key: shown[key] for key in ("game", "options")}, done["changes"]) == {
        key: now[key] for key in ("game", "options")
    }
    assert len(json.dumps(done)) < len(json.dumps(now)) / 2


def test_a_command_said_again_brings_all_of_the_newest_screen(place: Place, game: str) -> None:
    place.host.command(game, "begin")
    shown = place.host.get(f"/api/games/{game}/screen")
    wish = {"id": "lost-on-the-way", "after": shown["game"]["seq"], "screen": shown["version"], "overrule": True}
    first = place.host.ask("POST", f"/api/games/{game}/commands", json={**wish, "words": "correct B1 hits 3"})
    place.host.command(game, "correct B1 hits 0", overrule=True)
    again = place.host.ask("POST", f"/api/games/{game}/commands", json={**wish, "words": "correct B1 hits 3"})
    newest = place.host.get(f"/api/games/{game}/screen")
    assert not first["again"] and again["again"] and again["events"] == first["events"]
    assert (again["screen"]["since"], again["screen"]["version"]) == (shown["version"], newest["version"])
    assert patched(None, again["screen"]["changes"]) == newest
