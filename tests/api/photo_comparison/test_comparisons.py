"""Photos of games over HTTP: what is left open and answered, moves carried out once, the photo taken as the truth."""

import json
from typing import Any

import pytest

from api.games.computing import log_of
from api.learning.learner import onlooker
from api.photo_comparison.comparisons import compared, write_look, write_truth
from api.services.table_photos import photos_taken
from api.tables.near_edge import settle_near_edge
from api.tables.session import Tables
from api.tables.store import table_of
from api.workers import photo_work
from geometry.directions import EDGES
from tabletop.game import Game
from tabletop.game.protocol import PUBLIC
from tabletop.game.records import SEEN
from tests.api.conftest import Servers
from tests.support.api_games import OFTEN, Place
from tests.support.api_support import PHOTO, sentence, stored_table
from tests.support.combined_arms_photos import LAID, base, photo_of
from tests.support.photo_games import Photos, asks, observed, of_another_table, photographed, sequence, shifted


@pytest.fixture(scope="module")
def server(servers: Servers) -> Place:
    return servers(Photos(), **OFTEN)


@pytest.fixture
def engine(server: Place) -> Photos:
    """Sees the second photo of the sequence, until it is told otherwise."""
    engine: Any = server.services.engine
    engine.seen = observed(2)
    return engine


@pytest.fixture
def place(server: Place, engine: Photos) -> Place:
    return server


@pytest.fixture
def game(place: Place) -> str:
    return sequence(place.services, place.free("seq"))


def proposal(told: dict[str, Any], unit: str | None, what: str) -> dict[str, Any]:
    (found,) = [one for one in told["proposals"] if (one["unit"], one["what"]) == (unit, what)]
    return found


def on_hexes(place: Place) -> str:
    """A game of Combined Arms whose board lies on its table."""
    game = place.hexes()
    place.services.table(game, lay=True)
    (x, y), size = LAID.layout.origin, LAID.layout.size_in
    place.services.tables.lay_grid(table_of(game), {"grid": "hex", "size": size, "origin": [x, y], "rotation": 0.0})
    return game


def across(playing: Game, unit: str, at: str, dx: float) -> dict[str, Any]:
    """A photo of a game in which one platoon stands so far from the middle of a hex."""
    kind = playing.state.by_id[unit].kind
    return photo_of(playing, gone=(unit,), extra=(base(unit, kind, at, dx),))


def test_what_was_found_is_reported_with_distance_spread_and_ruling_until_the_next_photo(
    place: Place, engine: Photos, game: str
) -> None:
    for method, path in (("GET", "look"), ("GET", "look/truth"), ("DELETE", "look/last")):
        answer = place.host.answer(method, f"/api/games/{game}/{path}")
        assert "No photo of this table was taken yet" in sentence(answer, 404)
    assert photographed(place.host, game)["state"] == "done"
    told = place.host.look(game)
    assert (told["bases"], told["units"], told["sync"]["state"]) == (36, 10, "in step")
    moved = proposal(told, "b1", "moved")
    assert moved["verdict"] == "yes" and moved["needs"] == {"count": 2, "faces": [2, 3, 3, 4, 4, 5]}
    assert moved["seen"]["distance"] == pytest.approx(6.04, abs=0.01) and 0 < moved["seen"]["sigma"] < 0.1
    assert len(moved["seen"]["before"]) == len(moved["seen"]["after"]) == 3
    other = proposal(told, "r8", "moved")
    assert other["verdict"] == "no" and any("threatened" in one["text"] for one in other["violations"])
    assert other["violations"][0]["place"]
    assert [die["value"] for die in told["dice"]][:3] == [1, 2, 2]
    engine.seen = observed(3)
    photographed(place.host, game, more=b"3")
    second = place.host.look(game)
    assert second["photo"] != told["photo"] and second["seq"] == told["seq"]
    assert {one["unit"] for one in second["proposals"]} != {one["unit"] for one in told["proposals"]}


class TestQuestions:
    def test_an_answer_settles_one_and_is_taken_back(self, place: Place, engine: Photos, game: str) -> None:
        engine.seen = observed(3)
        photographed(place.host, game)
        told, answers = place.host.look(game), f"/api/games/{game}/look/answers"
        question = next(one for one in told["questions"] if one["about"] == "b1")
        assert question["ask"] == "presence" and question["center"] == pytest.approx([14.35, 8.0], abs=0.01)
        chances = [one["chance"] for one in question["answers"]]
        assert chances == sorted(chances, reverse=True) and told["answered"] is None
        wish = {"question": question["id"], "value": "in the box"}
        assert "in the box" in sentence(place.host.answer("POST", answers, json=wish), 422)
        wish["value"] = "hidden"
        after = place.host.ask("POST", answers, 201, json=wish)
        assert question["id"] not in [one["id"] for one in after["questions"]]
        assert after["answered"]["question"] == question["says"] and "does not show it" in after["answered"]["says"]
        assert not [one for one in after["proposals"] if one["unit"] == "b1" and one["what"] == "removed"]
        assert "no longer open" in sentence(place.host.answer("POST", answers, json=wish), 404)
        back = place.host.ask("DELETE", f"/api/games/{game}/look/last")
        assert back["questions"] == told["questions"] and back["answered"] is None
        twice = place.host.answer("DELETE", f"/api/games/{game}/look/last")
        assert "no answer" in sentence(twice, 409)

    def test_the_units_of_the_game_show_which_edge_is_near_and_a_player_has_the_last_word(
        self, place: Place, engine: Photos, game: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        engine.seen = {**observed(2), "questions": [asks("table", "turn", EDGES)]}
        engine.seen["questions"][0]["covers"] = [[base["id"] for base in engine.seen["bases"]]]
        photographed(place.host, game)
        told, photo = place.host.look(game), place.host.get(f"/api/games/{game}/photo")
        assert told["answered"]["says"] == "near" and len(told["proposals"]) > 1
        asked = place.host.ask("DELETE", f"/api/games/{game}/look/last")
        assert [one["action"] for one in asked["proposals"]] == [""]
        wish = {"question": "q1", "value": "far"}
        after = place.host.ask("POST", f"/api/games/{game}/look/answers", 201, json=wish)
        was, now = ({one["id"]: one["center"] for one in look["outlines"]} for look in (told, after))
        assert all(now[name] == pytest.approx([36 - x, 36 - y]) for name, (x, y) in was.items())
        turned = place.host.get(f"/api/games/{game}/photo")["map_url"]
        assert turned == photo["map_url"] + "?turn=2"
        assert b"rotate(180 .5 .5)" in place.host.answer("GET", turned).content
        assert place.host.ask("DELETE", f"/api/games/{game}/look/last")["outlines"] == told["outlines"]

        def after_a_measurement(tables: Tables, table: str) -> None:
            tables.share(table, "measured-1", "a seat", {})
            settle_near_edge(tables, table)

        monkeypatch.setattr(photo_work, "settle_near_edge", after_a_measurement)
        photographed(place.host, game, more=b"again")
        assert place.host.look(game)["answered"]["says"] == "near"
        table = stored_table(place.services, place.services.table_source(game))
        place.host.ask("POST", f"/api/tables/{table}/photos", 202, files={"photo": ("a.jpg", PHOTO)})
        begun = place.host.ask("POST", f"/api/tables/{table}/game", 201)["id"]
        assert place.host.look(begun)["answered"]["says"] == "near", "its units begin as its photo has them"

    def test_a_photo_of_another_table_asks_that_alone_until_it_is_used_anyway(
        self, place: Place, engine: Photos
    ) -> None:
        game = place.one_hour()
        engine.seen = of_another_table()
        photographed(place.host, game)
        told = place.host.look(game)
        assert told["sync"]["state"] == "another table" and told["proposals"] == told["dice"] == []
        (asked,) = told["questions"]
        assert asked["says"] == (
            "This photo seems to show a different table: none of the 24 bases is where it may be deployed and 2 of 2 "
            "pieces of terrain are missing. Drop it, or use it anyway."
        )
        assert place.host.get(f"/api/games/{game}/look/truth")["corrections"] == []
        assert place.host.accept(game)["events"] == []
        wish = {"question": asked["id"], "value": "this"}
        used = place.host.ask("POST", f"/api/games/{game}/look/answers", 201, json=wish)
        assert used["sync"]["state"] == "in step" and used["proposals"] and len(used["dice"]) == 1
        assert place.host.ask("DELETE", f"/api/games/{game}/look/last")["questions"] == [asked]

    def test_the_board_of_hexes_asks_and_is_answered(self, place: Place, engine: Photos) -> None:
        game = on_hexes(place)
        seen = across(place.services.commands.game(game), "D1", "3-4", 1.5)
        engine.seen = seen
        assert photographed(place.host, game)["state"] == "done"
        question = next(one for one in place.host.look(game)["questions"] if one["about"] == "D1")
        row = next(one for one in seen["bases"] if one["unit"] == "D1")
        assert question["ask"] == "hex" and question["center"] == pytest.approx(row["center"])
        wish = {"question": question["id"], "value": "nowhere"}
        answer = place.host.answer("POST", f"/api/games/{game}/look/answers", json=wish)
        assert answer.status_code == 422 and "can't be answered with nowhere" in answer.json()["detail"]
        wish["value"] = question["answers"][-1]["value"]
        after = place.host.ask("POST", f"/api/games/{game}/look/answers", 201, json=wish)
        assert not [one for one in after["questions"] if one["about"] == "D1"]
        assert after["answered"]["says"] == question["answers"][-1]["says"]
        back = place.host.ask("DELETE", f"/api/games/{game}/look/last")
        assert [one["id"] for one in back["questions"]] == [question["id"]]


class TestCarryingOut:
    def test_one_move_with_its_dice_counts_once(self, place: Place, game: str) -> None:
        photographed(place.host, game)
        blue = place.seated(game, "side blue")
        told = blue.look(game)
        chosen = proposal(told, "b1", "moved")["id"]
        wish = {"id": f"{game}-move", "after": told["seq"], "dice": {chosen: [4, 5]}}
        done, again = (blue.accept(game, [chosen], **wish) for _ in range(2))
        assert [one["kind"] for one in done["events"]] == ["move-rolled", "moved", SEEN]
        assert again["again"] and again["seq"] == done["seq"] and again["events"] == done["events"]
        assert not [one for one in blue.look(game)["proposals"] if (one["unit"], one["what"]) == ("b1", "moved")]
        blue.accept(game, [chosen], 409, **{**wish, "id": f"{game}-too-late"})

    def test_a_question_is_answered_by_one_of_its_actions_with_dice_that_are_thrown(
        self, place: Place, game: str
    ) -> None:
        photographed(place.host, game)
        fired = proposal(place.host.look(game), "b1", "fired")
        first, *_, last = fired["answers"]
        action = first["action"]
        assert action["kind"] == "fire" and first["words"].startswith("fire b1 at ")
        assert (last["action"], last["words"]) == (None, "")
        red, blue = place.seated(game, "side red"), place.seated(game, "side blue")
        for device, answer, more, status, why in (
            (red, action, {"roll": True}, 409, "Blue to do"),
            (blue, "concede blue", {"roll": True}, 422, "answers no question"),
            (blue, {**action, "target": "nobody"}, {"roll": True}, 422, "answers no question"),
            (blue, first["words"], {}, 422, "needed"),
            (blue, action, {}, 422, "needed"),
        ):
            assert why in device.accept(game, [], answers={fired["id"]: answer}, **more, status=status)["detail"]
        done = blue.accept(game, [], answers={fired["id"]: action}, roll=True)
        assert [one["kind"] for one in done["events"]] == ["fired", SEEN]
        assert not [one for one in blue.look(game)["proposals"] if one["what"] == "fired"]

    def test_terrain_is_answered_laid_once_drawn_and_still_read_by_the_next_photo(
        self, place: Place, engine: Photos, game: str
    ) -> None:
        woods = {"id": "t1", "kind": "woods", "polygon": [[12, 20], [24, 20], [24, 30], [12, 30]], "confidence": 0.99}
        hill = {"id": "t2", "kind": "hill", "polygon": [[2, 2], [8, 2], [8, 6]], "confidence": 0.7}
        seen = observed(2)
        folded = {"possible_terrain": [hill], "further_questions": [asks("t2", "kind", ["hill", None])]}
        engine.seen = {**seen, "terrain": [woods], **folded}
        photographed(place.host, game)
        told = place.host.look(game)
        laid = proposal(told, None, "laid")
        assert laid["mine"] and laid["acceptable"] and len(laid["seen"]["after"]) == 4
        assert "a hill at (6.0, 3.3)" in told["warnings"][-1]
        assert told["questions"] == [] and [(one["id"], one["center"]) for one in told["further"]] == [
            ("q1", [6.0, 10 / 3])
        ]
        doubt = place.services.commands.game(game).in_doubt
        assert doubt is not None and "a hill at (6.0, 3.3)" in doubt.why and doubt.questions
        assert not proposal(place.seated(game, "side red").look(game), None, "laid")["mine"]
        place.host.ask("POST", f"/api/games/{game}/look/answers", 201, json={"question": "q1", "value": "hill"})
        assert place.host.look(game)["further"] == []
        assert place.services.commands.game(game).in_doubt is None, "answered"
        both = [one["id"] for one in place.host.look(game)["proposals"] if one["what"] == "laid"]
        assert len(both) == 2
        place.host.accept(game, both)
        assert len(place.host.get(f"/api/games/{game}")["board"]["ground"]) == 2
        town = {**woods, "id": "t3", "kind": "town", "polygon": [[30, 2], [34, 2], [34, 6]]}
        engine.seen = {**seen, "terrain": [woods, hill, town], "questions": []}
        photographed(place.host, game, more=b"again")
        assert "a town" in proposal(place.host.look(game), None, "laid")["told"], "and nothing else"
        assert place.services.table(game).table.terrain == (), "what a photo showed is no terrain of the table file"
        place.host.command(game, "erase woods-1")
        engine.seen = {**engine.seen, "terrain": [hill, woods], "questions": [asks("t1", "kind", ["woods", None])]}
        photographed(place.host, game, more=b"erased")
        told = place.host.look(game)
        assert not [one for one in told["proposals"] if one["what"] == "laid"] and told["questions"] == []
        larger = {**woods, "polygon": [[12, 5], [24, 5], [24, 30], [12, 30]]}
        engine.seen = {**engine.seen, "terrain": [hill, larger], "questions": []}
        photographed(place.host, game, more=b"larger")
        assert proposal(place.host.look(game), None, "laid"), "it clearly changed"

    def test_who_may_not_changes_nothing_and_only_the_host_overrules(self, place: Place, game: str) -> None:
        photographed(place.host, game)
        red, watching = place.seated(game, "side red"), place.seated(game, "spectator")
        before, told = place.host.get(f"/api/games/{game}")["seq"], red.look(game)
        move, wrong = proposal(told, "b1", "moved"), proposal(told, "r6", "moved")
        assert not move["mine"] and not told["overrule"] and wrong["verdict"] == "no"
        for dice in ({}, {move["id"]: [1, 9]}, {move["id"]: [3]}):
            assert place.host.accept(game, [move["id"]], 422, dice=dice)["detail"]
        assert "Blue to do" in red.accept(game, [move["id"]], dice={move["id"]: [4, 5]}, status=409)["detail"]
        overruling = {"dice": {wrong["id"]: [3, 3, 3]}, "overrule": True}
        assert "Only the host" in red.accept(game, [wrong["id"]], **overruling, status=409)["detail"]

        told = watching.look(game)
        assert told["proposals"] and not any(one["mine"] for one in told["proposals"])
        for method, path, wish in (
            ("POST", "accept", {"id": f"{game}-accept", "after": told["seq"]}),
            ("POST", "answers", {"question": "p1", "value": "off"}),
            ("POST", "truth", {"id": f"{game}-truth-1", "after": told["seq"]}),
            ("DELETE", "last", None),
            ("PATCH", "bases/b1.1", {"facing": 90}),
            ("DELETE", "bases/b1.1", None),
            ("DELETE", "dice/die1", None),
            ("GET", "truth", None),
        ):
            answer = watching.answer(method, f"/api/games/{game}/look/{path}", **({"json": wish} if wish else {}))
            assert answer.status_code == 403, f"{path}: {answer.text}"

        done = place.host.accept(game, None)
        assert done["events"] == [] and done["seq"] == before, "nothing is certain, and nothing was carried out"
        done = place.host.accept(game, [wrong["id"]], reason="Agreed.", **overruling)
        assert done["events"][0]["kind"] == "move-rolled" and done["events"][0]["actor"] == "referee"


class TestDropping:
    def test_a_photo_that_was_dropped_leaves_nothing_and_the_one_before_counts_again(
        self, place: Place, engine: Photos, game: str
    ) -> None:
        photographed(place.host, game)
        first = place.host.look(game)
        place.host.accept(game, [proposal(first, "b1", "moved")["id"]], roll=True)
        carried_out = place.host.get(f"/api/games/{game}")["seq"]
        engine.seen = observed(3)
        photographed(place.host, game, more=b"3")
        second = place.host.look(game)
        question = next(one for one in second["questions"] if one["ask"] == "presence")
        said = {"question": question["id"], "value": "hidden"}
        place.host.ask("POST", f"/api/games/{game}/look/answers", 201, json=said)
        dropped = f"/api/games/{game}/photos/{second['photo']}"
        assert place.seated(game, "spectator").answer("DELETE", dropped).status_code == 403
        shown = place.host.get(f"/api/games/{game}/photo")["url"]
        assert place.host.answer("GET", shown).status_code == 200
        red = place.seated(game, "side red")
        red.ask("DELETE", dropped, 204)
        assert "no longer exists" in sentence(red.answer("DELETE", dropped), 404)
        assert place.host.answer("GET", shown).status_code == 404, "its pictures are deleted"
        back = place.host.look(game)
        assert back["photo"] == first["photo"] and back["table_seq"] > second["table_seq"], "news for other phones"
        assert [one["value"] for one in back["dice"]] == [one["value"] for one in first["dice"]]
        red.ask("DELETE", f"/api/games/{game}/photos/{first['photo']}", 204)
        assert "No photo of this table was taken yet" in sentence(
            place.host.answer("GET", f"/api/games/{game}/look"), 404
        )
        assert photos_taken(place.services, game) == []
        assert place.host.get(f"/api/games/{game}")["seq"] == carried_out, "what was carried out stays"
        photographed(place.host, game, more=b"3")
        assert place.host.look(game)["questions"] == second["questions"], "the same photo may be taken again"

    def test_a_die_is_dropped_and_rolled_dice_expire_with_their_step(
        self, place: Place, engine: Photos, game: str
    ) -> None:
        rolled = {"id": "die1", "center": [20.0, 20.0], "value": 4, "confidence": 1.0}
        hits = {"id": "die2", "center": [21.0, 20.0], "value": 2, "confidence": 1.0}
        unread = {"id": "die3", "center": [22.0, 20.0], "value": None, "confidence": 0.5}
        counted = {"id": "m1", "unit": "b3", "means": "hits", "value": 2, "dice": ["die2"], "center": [21, 20],
                   "confidence": 1.0}  # fmt: skip
        asked = asks("die3", "value", [5, 2])
        engine.seen = {**observed(2), "dice": [rolled, hits, unread], "markers": [counted], "questions": [asked]}
        photographed(place.host, game)

        def shown(told: dict[str, Any]) -> list[str]:
            return [die["id"] for die in told["dice"]]

        first = place.host.look(game)
        assert shown(first) == ["die1", "die2", "die3"] and proposal(first, "b3", "hits")
        after = place.host.ask("DELETE", f"/api/games/{game}/look/dice/die2")
        assert shown(after) == ["die1", "die3"] and not [one for one in after["proposals"] if one["what"] == "hits"]
        place.host.ask("DELETE", f"/api/games/{game}/look/last")
        place.host.ask("DELETE", f"/api/games/{game}/look/dice/die9", 404)
        place.seated(game, "side blue").command(game, "end")
        later = place.host.look(game)
        assert shown(later) == ["die2"], "dice for hits stay beside their unit"
        assert "q1" not in [one["id"] for one in later["questions"]]

    def test_a_deleted_game_takes_its_pictures_with_it_and_no_others(self, place: Place, game: str) -> None:
        other = sequence(place.services, place.free("seq"))
        for one in (game, other):
            photographed(place.host, one, more=b"of both")
        place.host.ask("DELETE", f"/api/games/{game}", 204)
        kept = [name for name in place.services.store.pictures.names() if table_of(game) in name]
        left = [name for name in place.services.store.pictures.names() if table_of(other) in name]
        assert kept == [] and len(left) == 3


class TestTheTruth:
    def test_a_photo_out_of_step_is_reported_and_the_referee_takes_it_as_the_truth(
        self, place: Place, engine: Photos, game: str
    ) -> None:
        engine.seen = shifted(1, (1.5, 0.0))
        photographed(place.host, game)
        told = place.host.look(game)
        assert told["sync"]["state"] == "out of step" and "the same way" in told["sync"]["reasons"][0]
        assert [one["id"] for one in told["sync"]["ways_back"]] == ["retake", "accept", "keep"]
        if told["proposals"]:
            place.host.accept(game, [told["proposals"][0]["id"]], 422)
        truth = place.host.get(f"/api/games/{game}/look/truth")
        assert len(truth["corrections"]) == 12 and all(one["certain"] for one in truth["corrections"])
        assert all("1.5″" in one["says"] for one in truth["corrections"])
        wish = {"id": f"{game}-truth-1", "after": truth["seq"], "chosen": None, "reason": "The cloth slipped."}
        done = place.host.ask("POST", f"/api/games/{game}/look/truth", json=wish)
        assert {one["actor"] for one in done["events"] if one["kind"] == "corrected"} == {"referee"}
        assert place.host.ask("POST", f"/api/games/{game}/look/truth", json=wish)["again"]
        assert place.host.look(game)["sync"]["state"] == "in step"
        assert place.host.get(f"/api/games/{game}/look/truth")["corrections"] == []
        seen = sorted(tuple(row["center"]) for row in engine.seen["bases"] if row["unit"] == "b1")
        pieces = place.host.get(f"/api/games/{game}")["board"]["pieces"]
        stands = sorted(tuple(one["center"]) for one in pieces if one["unit"] == "b1")
        assert [x for at in stands for x in at] == pytest.approx([x for at in seen for x in at], abs=1e-3)

    def test_the_corrections_begin_from_the_look(self, place: Place, game: str) -> None:
        photographed(place.host, game)
        playing, table = place.services.commands.game(game), place.services.table(game)
        given, known = (log_of(playing), None, table, onlooker(game), PUBLIC), compared.cache_info().misses
        assert write_look(*given) == write_look(*given) and json.loads(write_truth(*given))["corrections"]
        assert compared.cache_info().misses == known + 1

    def test_one_unit_alone_is_corrected_and_the_rest_stays(self, place: Place, game: str) -> None:
        photographed(place.host, game)
        truth = place.host.get(f"/api/games/{game}/look/truth")
        one = next(row for row in truth["corrections"] if row["unit"] == "b7")
        wish = {"id": f"{game}-truth-2", "after": truth["seq"], "chosen": [one["id"]]}
        done = place.host.ask("POST", f"/api/games/{game}/look/truth", json=wish)
        assert [row["kind"] for row in done["events"]] == ["corrected", SEEN]
        told = place.host.look(game)
        assert not [row for row in told["proposals"] if row["unit"] == "b7" and row["what"] in ("moved", "turned")]
        assert proposal(told, "b1", "moved")
