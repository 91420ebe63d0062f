"""A side that the computer plays, on the server: begun so, answered by whoever plays, changed by the host."""

from functools import partial
from itertools import count
from typing import Any

import pytest

from api.games import computing
from api.games.computing import wanted_key
from api.views.screens import Screens
from tabletop.game.opponents import proposal
from tests.support.api_games import Device, Place
from tests.support.api_support import sentence

IDS = count(1)


def says(device: Device, game: str, what: str, status: int = 200, **more: Any) -> Any:
    wish = {"id": f"computer-{next(IDS):04d}", "after": device.get(f"/api/games/{game}")["seq"], "says": what, **more}
    return device.ask("POST", f"/api/games/{game}/computer", status, json=wish)


def test_its_actions_are_proposed_and_said_to_be_done_or_not_possible(shared: Place) -> None:
    game = shared.begin(scenario="first-game", computers={"blue": "strong"})["id"]
    head = shared.host.get(f"/api/games/{game}")
    assert head["computers"] == {"blue": "strong"}
    assert head["levels"] == {"blue": ["simple", "strong"], "red": ["simple", "strong"]}
    assert head["me"]["roles"] == ["host", "side red"]
    says(shared.host, game, "do")
    wanted = shared.host.get(f"/api/games/{game}/computer")
    assert (wanted["side"], wanted["label"], wanted["dice"]["count"]) == ("blue", "Fire B2 at R2", 1)
    assert wanted["mine"] and wanted["why"] and not wanted["secret"]
    assert "needed" in says(shared.host, game, "do", 422)["detail"]
    assert "made 6 hits" in says(shared.host, game, "do", dice=[4])["events"][0]["text"]
    wanted = shared.host.get(f"/api/games/{game}/computer")
    told = says(shared.host, game, "impossible")["events"][0]
    assert told["text"] == f"Not possible on the table: {wanted['label']}." and told["actor"] == "red"
    assert shared.host.get(f"/api/games/{game}/computer")["action"] != wanted["action"]


def test_a_side_is_begun_with_the_levels_that_its_plan_offers(shared: Place) -> None:
    wish: dict[str, Any] = {"rules": "combined-arms", "mode": "enemy-player"}
    plan = shared.host.ask("POST", "/api/plan", json=wish)
    assert plan["levels"] == {"attacker": ["simple", "strong"], "defender": ["simple"]}
    assert "only simple does" in shared.begin(422, **wish, computers={"defender": "strong"})["detail"]
    game = shared.begin(**wish, computers={"defender": "simple"})["id"]
    assert shared.host.get(f"/api/games/{game}/computer") is None, "the attackers' player surveys the ground first"
    assert shared.host.get(f"/api/games/{game}")["computers"] == {"defender": "simple"}


def test_what_it_wants_after_an_action_that_came_to_nothing_is_not_kept(shared: Place) -> None:
    game = shared.begin(scenario="first-game", computers={"blue": "strong"})["id"]
    says(shared.host, game, "do")
    playing = shared.services.commands.game(game)
    tried, done = playing.trial(), playing.trial()
    tried.push(tried.parse("fire B2 at R2"), dice=[4])
    done.push(done.parse("end"))
    wanted = [shared.services.wanted(one) for one in (tried, done)]
    assert tried.seq == done.seq and wanted == [proposal(tried), proposal(done)] and wanted[0] != wanted[1]
    keys, words, seat = set(), set(), shared.services.seats.seats(game)[0]
    for half in (2, 6):  # a photo asks of a hill of either size, in the same words
        square = [[18 + x * half, 18 + y * half] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        hill = {"id": "t1", "kind": "hill", "polygon": square, "confidence": 0.7}
        tried.shown = partial(dict, table={"width": 36, "depth": 36}, terrain=[hill])
        assert tried.in_doubt is not None
        words.add(tried.in_doubt.why)
        keys.add((wanted_key(tried), Screens(shared.services).options(seat, tried)[0]))
    assert len(words) == 1 and all(len(set(one)) == 2 for one in zip(*keys, strict=True))


def test_a_hint_is_kept_and_the_log_not_packed_again_also_after_a_note(
    shared: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = shared.one_hour()
    told = shared.host.get(f"/api/games/{game}/hint")
    shared.host.ask("POST", f"/api/games/{game}/notes", 201, json={"id": "note-hint", "text": "So far, so good."})
    monkeypatch.setattr(computing, "packed", None)
    assert shared.host.get(f"/api/games/{game}/hint") == {**told, "seq": told["seq"] + 1}


def test_all_that_needs_no_choice_is_done_at_once(shared: Place) -> None:
    game = shared.begin(rules="combined-arms", mode="solitaire")["id"]
    shared.host.command(game, "survey", roll=True)
    before = shared.host.get(f"/api/games/{game}")["seq"]
    says(shared.host, game, "go-on", roll=True)
    assert shared.host.get(f"/api/games/{game}")["seq"] > before
    assert "choice" in says(shared.host, game, "go-on", 422)["detail"]


def test_what_it_decides_in_secret_is_told_no_further(shared: Place) -> None:
    game = shared.begin(scenario="first-skirmish", computers={"red": "simple"})["id"]
    assert shared.host.get(f"/api/games/{game}")["me"]["roles"] == ["host", "side blue"]
    wanted = shared.host.get(f"/api/games/{game}/computer")
    assert (wanted["secret"], wanted["action"], wanted["label"], wanted["why"]) == (True, None, "", "")
    assert "secret" in says(shared.host, game, "impossible", 422)["detail"]
    done = says(shared.host, game, "do")
    assert [event["action"] for event in done["events"]] == ["army ...", "place ..."]
    wanted = shared.host.get(f"/api/games/{game}/computer")
    assert not wanted["secret"] and wanted["label"] == "Red is ready"


def test_the_host_changes_who_plays_and_whoever_plays_may_say_it_is_done(shared: Place) -> None:
    game = shared.begin(scenario="first-game")["id"]
    red, spectator = shared.seated(game, "side red"), shared.seated(game, "spectator", label="Cem")
    wish = {"id": "players-0001", "computers": {"blue": "strong"}}
    assert "Only the host" in sentence(red.answer("POST", f"/api/games/{game}/computers", json=wish), 403)
    done = shared.host.ask("POST", f"/api/games/{game}/computers", json=wish)
    assert done["events"][0]["text"] == "The computer plays Blue (strong)."
    assert red.get(f"/api/games/{game}")["computers"] == {"blue": "strong"}
    wrong = {"id": "players-0002", "computers": {"blue": "clever"}}
    refused = shared.host.ask("POST", f"/api/games/{game}/computers", 422, json=wrong)
    assert "expected simple or strong" in refused["detail"]
    plan = shared.host.ask("POST", "/api/plan", 422, json={"scenario": "first-game", "computers": wrong["computers"]})
    assert plan["faults"][0]["where"] == "computers"

    assert red.get(f"/api/games/{game}/computer")["mine"]
    assert not spectator.get(f"/api/games/{game}/computer")["mine"]
    assert "Spectators" in says(spectator, game, "do", 422)["detail"]
    says(red, game, "do")
    wanted = red.get(f"/api/games/{game}/computer")
    red.command(game, action=wanted["action"], dice=[4])
    assert "for Blue to do" in red.command(game, "ready B2", 409)["detail"]


def test_computers_are_offered_where_there_are_rules(shared: Place) -> None:
    plans = [shared.host.ask("POST", "/api/plan", json={"scenario": name}) for name in ("first-game", "bare-table")]
    both = ["simple", "strong"]
    assert [plan["levels"] for plan in plans] == [{"blue": both, "red": both}, {}]
