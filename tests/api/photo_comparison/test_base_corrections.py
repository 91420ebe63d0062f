"""Bases of a photo put right before anything is carried out: moved, turned, renamed, sized, taken off, and back."""

from typing import Any

import pytest

from api.tables.store import table_of
from tests.api.conftest import Servers
from tests.support.api_games import Device, Place
from tests.support.api_support import TABLE, sentence
from tests.support.photo_games import Photos, nameless, observed, photographed, sequence

HAND = {"covariance": (0.01, 0.0, 0.01), "facing_sigma": 3.0}
"""How sure a hand is of a place and a facing."""


@pytest.fixture
def place(shared: Place) -> Place:
    return shared


@pytest.fixture
def game(place: Place) -> str:
    """A measured game whose photo was read and of which nothing is carried out."""
    made = str(place.begin(table_file=TABLE, table_name="sunday.table.toml", rules="measure")["id"])
    assert photographed(place.host, made)["state"] == "done"
    return made


def base_of(told: dict[str, Any], unit: str | None) -> dict[str, Any]:
    return next(base for base in told["outlines"] if base["unit"] == unit)


def corrected(device: Device, game: str, base: str, **wish: Any) -> dict[str, Any]:
    told: dict[str, Any] = device.ask("PATCH", f"/api/games/{game}/look/bases/{base}", json=wish)
    return told


def accepted(device: Device, game: str) -> list[dict[str, Any]]:
    """All that is acceptable carried out; its events."""
    chosen = [one["id"] for one in device.look(game)["proposals"] if one["acceptable"]]
    events: list[dict[str, Any]] = device.accept(game, chosen)["events"]
    return events


def unit(place: Place, game: str, name: str) -> Any:
    return place.services.commands.game(game).state.by_id[name]


def test_where_a_base_stands_and_faces_is_what_the_accepted_event_says(place: Place, game: str) -> None:
    told = place.host.look(game)
    assert told["correctable"] and told["sizable"] and not base_of(told, "tank")["by_hand"]
    base = base_of(told, "tank")["id"]
    for status, wish, why in (
        (422, {}, "Say what to correct"),
        (422, {"center": [40.0, 3.0]}, "off the table, which is 36"),
        (422, {"width": 0.0}, "greater than or equal to 0.1"),
        (404, {"unit": "Z9"}, "in this game; expected"),
    ):
        answer = place.host.answer("PATCH", f"/api/games/{game}/look/bases/{base}", json=wish)
        assert answer.status_code == status and why in answer.text
    assert place.host.look(game) == told
    after = corrected(place.host, game, base, center=[20.0, 21.5], facing=370.0)
    now = base_of(after, "tank")
    assert (now["center"], now["facing"], now["by_hand"]) == ([20.0, 21.5], 10.0, True)
    assert after["answered"]["says"] == f"Base {base} was put right by hand"
    events = accepted(place.host, game)
    assert "tank was placed at 20.0, 21.5 facing 10." in [event["text"] for event in events]
    (stands,) = unit(place, game, "tank").at
    assert (stands.x, stands.y, stands.facing) == (20.0, 21.5, 10.0)
    assert {name: getattr(stands, name) for name in HAND} == HAND, "as sure as a hand is, and rulings reckon with it"
    again = place.host.look(game)
    assert not [one for one in again["proposals"] if one["unit"] == "tank"], "the photo says what was put right"


def test_what_is_no_base_is_taken_off_and_back_and_a_base_is_another_units(place: Place, game: str) -> None:
    before = place.host.look(game)
    base = base_of(before, "tank")["id"]
    path, last = f"/api/games/{game}/look/bases/{base}", f"/api/games/{game}/look/last"
    after = place.host.ask("DELETE", path)
    assert base not in [one["id"] for one in after["outlines"]] and after["bases"] == before["bases"] - 1
    assert "was taken off by hand" in after["answered"]["says"]
    assert "no longer shows a base" in sentence(place.host.answer("DELETE", path), 404)
    assert "no longer shows a base" in sentence(place.host.answer("PATCH", path, json={"facing": 0}), 404)
    back = place.host.ask("DELETE", last)
    assert back["outlines"] == before["outlines"] and back["proposals"] == before["proposals"]

    after = corrected(place.host, game, base, unit="gun")
    assert not [one for one in after["outlines"] if one["unit"] == "tank"]
    gun = base_of(after, "gun")
    assert (gun["id"], gun["round"], gun["width"]) == (base, True, 1.5), "with the outline of its unit's bases"
    accepted(place.host, game)
    assert unit(place, game, "gun").at and not unit(place, game, "tank").at
    nobody = corrected(place.host, game, base, unit="")
    assert base_of(nobody, None)["id"] == base
    answer = place.host.answer("PATCH", path, json={"unit": "tnk"})
    assert sentence(answer, 404).startswith('There is no unit "tnk" in this game; did you mean "tank"?')
    place.services.tables.use_camera(table_of(game), None)
    assert "something else happened" in sentence(place.host.answer("DELETE", last), 409)


def test_its_outline(place: Place, game: str) -> None:
    base = base_of(place.host.look(game), "tank")["id"]
    after = corrected(place.host, game, base, width=3.0, round=False, depth=2.0)
    assert [(one["what"], one["acceptable"]) for one in after["proposals"] if one["unit"] == "tank"] == [("new", True)]
    accepted(place.host, game)
    tank = unit(place, game, "tank")
    assert (tank.base.width, tank.base.depth, len(tank.at)) == (3.0, 2.0, 1)
    assert not [one for one in place.host.look(game)["proposals"] if one["unit"] == "tank"]
    corrected(place.host, game, base, round=True)
    (only,) = [one for one in place.host.look(game)["proposals"] if one["unit"] == "tank"]
    assert only["what"] == "resized" and only["told"].startswith("tank has round bases of 3")
    after = corrected(place.host, game, base, shape="oval", depth=2.0)
    (only,) = [one for one in after["proposals"] if one["unit"] == "tank"]
    assert only["told"].startswith("tank has oval bases of 3″ by 2″")
    (drawn,) = [one for one in after["outlines"] if one["id"] == base]
    assert (drawn["shape"], drawn["round"], len(drawn["outline"])) == ("oval", False, 64)
    accepted(place.host, game)
    assert unit(place, game, "tank").base.shape == "oval"


def test_where_rules_know_the_outlines_places_alone_are_put_right(make_place: Servers) -> None:
    place = make_place(Photos())
    game = sequence(place.services)
    photographed(place.host, game)
    told = place.host.look(game)
    assert told["correctable"] and not told["sizable"]
    moved = next(one for one in told["proposals"] if (one["unit"], one["what"]) == ("b1", "moved"))
    for base in [one for one in told["outlines"] if one["unit"] == "b1"]:
        x, y = base["center"]
        told = corrected(place.host, game, base["id"], center=[x, y + 1.0])
    again = next(one for one in told["proposals"] if (one["unit"], one["what"]) == ("b1", "moved"))
    assert again["seen"]["distance"] != moved["seen"]["distance"] and again["seen"]["sigma"] > moved["seen"]["sigma"]
    answer = place.host.answer("PATCH", f"/api/games/{game}/look/bases/{base['id']}", json={"width": 3.0})
    assert "These rules set" in sentence(answer, 422)


def test_on_a_board_bases_are_no_matter_of_inches(place: Place) -> None:
    game = place.hexes()
    assert photographed(place.host, game)["state"] == "done"
    told = place.host.look(game)
    assert not told["correctable"] and not told["sizable"]
    for method in ("PATCH", "DELETE"):
        answer = place.host.answer(method, f"/api/games/{game}/look/bases/b1", json={"facing": 1.0})
        assert "answers and by actions" in sentence(answer, 422)


@pytest.mark.parametrize(("unit", "alike"), [("b1", True), ("b3", False)])
def test_a_name_given_to_one_base_is_the_name_of_those_that_stand_with_it(
    make_place: Servers, unit: str, alike: bool
) -> None:
    engine, photos = Photos(), nameless(("b1",))
    bases = sorted(base["id"] for base in observed(2)["bases"] if base["unit"] == "b1")
    answers = [{"value": one, "chance": 0.45, "says": one} for one in ("b1", "b5")]
    none = {"value": None, "chance": 0.1, "says": "none"}
    question = {"id": "q9", "about": bases[0], "ask": "unit", "says": "Which unit?", "covers": [bases]}
    photos["questions"] = [*photos.get("questions", []), {**question, "answers": [*answers, none], "others": ["b3"]}]
    engine.seen = photos
    place = make_place(engine)
    game = sequence(place.services)
    photographed(place.host, game)
    assert len(bases) > 1 and any(one["id"] == "q9" for one in place.host.look(game)["questions"])
    told = corrected(place.host, game, bases[0], unit=unit)
    named = {one["id"] for one in told["outlines"] if one["unit"] == unit}
    assert named & set(bases) == (set(bases) if alike else {bases[0]}), "b3 has all of its bases"
    assert not any(one["id"] == "q9" for one in told["questions"])
    again = place.host.ask("DELETE", f"/api/games/{game}/look/last")
    assert any(one["id"] == "q9" for one in again["questions"]), "taken back at once"
