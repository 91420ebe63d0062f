"""A seat's screen, and the changes that its phone hears of instead of asking for all of it again."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.games.json_changes import changes
from api.routes.games import Follower
from api.views.screens import Screens
from tabletop.game import Game
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


def test_a_phone_hears_that_its_screen_is_the_newest_or_gets_all_of_the_new_one(place: Place, game: str) -> None:
    watching, other = (place.seated(game, "spectator") for _ in range(2))
    old = watching.get(f"/api/games/{game}/screen")
    version = old["version"]
    assert heard(place, game, other, [], version)[0] == {"since": version, "version": version, "changes": []}
    place.host.command(game, "begin")
    new = watching.get(f"/api/games/{game}/screen")
    first = heard(place, game, watching, [], version)[0]
    assert version != new["version"] == first["version"]
    assert patched(None, first["changes"]) == new

    device = place.seated(game, "spectator")
    seat, old = device.get(f"/api/games/{game}/me")["seat"], device.get(f"/api/games/{game}/screen")
    place.host.ask("PUT", f"/api/games/{game}/seats/{seat}", json={"roles": ["side blue"]})
    new = device.get(f"/api/games/{game}/screen")
    assert old["version"] != new["version"] and new["game"]["me"]["acts_as"] == ["blue"], "by other roles too"


def test_what_viewers_are_shown_and_hear_alike_is_made_once(
    place: Place, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    services, screens, listed, options = place.services, Screens(place.services), list[Game](), Game.options
    monkeypatch.setattr(Game, "options", lambda playing: (listed.append(playing), options(playing))[1])
    names = [place.seated(game, "spectator").get(f"/api/games/{game}/me")["seat"] for _ in range(2)]
    seats = [services.seats.seat(name) for name in names]
    first, second = (screens.screen(seat) for seat in seats)
    assert first.head is second.head and first.options is second.options
    place.host.get(f"/api/games/{game}/options")
    assert len(listed) == 1, "the host's are among the same"
    assert [one.game["me"]["seat"] for one in (first, second)] == names
    first_told, second_told = (Follower(services, screens, seat).told(0) for seat in seats)
    assert first_told and first_told is second_told


@pytest.mark.parametrize("who_asks_first", ["host", "spectator"])
def test_a_spectator_is_offered_nothing_of_what_the_host_may_do(place: Place, who_asks_first: str) -> None:
    game = place.one_hour(f"flank-{who_asks_first}")
    seats = [place.host, place.seated(game, "spectator")]
    offered = {
        seat: any(row["mine"] for row in seat.get(f"/api/games/{game}/options")["options"])
        for seat in (seats if who_asks_first == "host" else reversed(seats))
    }
    assert [offered[seat] for seat in seats] == [True, False]


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
            changed = [dict(one) for one in screens.changes(before, after)]
            found = patched({key: screen[key] for key in ("game", "options")}, changed)
            screen = device.get(f"/api/games/{game}/screen")
            assert found == {key: screen[key] for key in ("game", "options")}
            assert len(json.dumps(changed)) < len(json.dumps(screen)) / 2
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


def test_what_many_ask_for_at_once_is_made_once_and_tried_again_where_it_could_not_be(place: Place) -> None:
    makers, made, begun, go_on = 8, list[int](), threading.Event(), threading.Event()

    def make() -> str:
        made.append(1)
        begun.set()
        assert go_on.wait(BOUND_S)
        return "answer"

    def fails() -> str:
        raise LookupError("not yet")

    with ThreadPoolExecutor(makers) as threads:
        answers = [threads.submit(place.services.cache.get, ("slow",), make) for _ in range(makers)]
        assert begun.wait(BOUND_S)
        go_on.set()
        assert [one.result(BOUND_S) for one in answers] == ["answer"] * makers
    assert len(made) == 1
    with pytest.raises(LookupError):
        place.services.cache.get(("later",), fails)
    assert place.services.cache.get(("later",), lambda: "now") == "now"


def test_the_answer_to_a_command_brings_what_changed_of_the_screen_and_said_again_all_of_it(
    place: Place, game: str
) -> None:
    path, commands = f"/api/games/{game}/screen", f"/api/games/{game}/commands"
    old = place.host.get(path)
    assert place.host.command(game, "begin", after=old["game"]["seq"])["screen"] is None
    shown = place.host.get(path)
    wish = {
        "id": "lost-on-the-way", "after": shown["game"]["seq"], "screen": shown["version"], "overrule": True,
        "words": "correct B1 hits 3",
    }  # fmt: skip
    first, now = place.host.ask("POST", commands, json=wish), place.host.get(path)
    done = first["screen"]
    assert (done["since"], done["version"]) == (shown["version"], now["version"])
    found = patched({key: shown[key] for key in ("game", "options")}, done["changes"])
    assert found == {key: now[key] for key in ("game", "options")}
    assert len(json.dumps(done)) < len(json.dumps(now)) / 2

    place.host.command(game, "correct B1 hits 0", overrule=True)
    again, newest = place.host.ask("POST", commands, json=wish), place.host.get(path)
    assert not first["again"] and again["again"] and again["events"] == first["events"]
    assert (again["screen"]["since"], again["screen"]["version"]) == (shown["version"], newest["version"])
    assert patched(None, again["screen"]["changes"]) == newest


KEYS = st.sampled_from(["id", "text", "a", "b/c", "~d", "0"])
SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-2, 2) | st.sampled_from(["", "A", "B", "C"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)
ROWS = st.lists(st.fixed_dictionaries({"id": st.sampled_from("ABCDE")}, optional={"hits": SCALARS}), max_size=6)


def same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(VALUES, VALUES)
def test_the_changes_of_a_value_make_the_other(before: Any, after: Any) -> None:
    found = changes(before, after)
    assert same(patched(before, found), after)
    assert (found == []) is same(before, after)


@given(ROWS, ROWS)
def test_rows_that_come_go_and_change_places(before: Any, after: Any) -> None:
    whole = {"rows": before, "seq": 1}
    found = changes(whole, {"rows": after, "seq": 1}, "/game")
    assert same(patched({"game": whole}, found), {"game": {"rows": after, "seq": 1}})


def test_one_field_of_one_row_is_one_short_change_and_another_value_altogether_is_sent_whole() -> None:
    before = [{"id": f"U{n}", "hits": 0, "says": "a long sentence about it"} for n in range(50)]
    after = [dict(row) for row in before]
    after[7]["hits"] = 2
    del after[40]
    assert changes(before, after) == [
        {"op": "remove", "path": "/40"},
        {"op": "replace", "path": "/7/hits", "value": 2},
    ]
    assert changes([0, {"a": 1, "b": 2}], [0, {"b": 2, "a": 1}]) == []
    values = {"a": 1, "b": 2, "c": 3, "d": 4}, {"e": 1}
    assert changes({"x": values[0]}, {"x": values[1]}) == [{"op": "replace", "path": "/x", "value": values[1]}]
