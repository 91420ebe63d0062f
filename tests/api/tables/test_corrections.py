"""Corrections over HTTP: every one is an event, changes the rulings, and can be taken back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.api_support import Client, sentence


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path)


def base_of(table: dict, base_id: str) -> dict:
    return next(base for base in table["bases"] if base["id"] == base_id)


def test_dragging_a_base_changes_the_rulings_and_undo_changes_them_back(client: Client) -> None:
    game = client.table()["id"]
    assert client.verdict(game) == "yes"
    moved = client("PATCH", f"/api/tables/{game}/bases/b2", json={"center": [18.0, 34.5]})
    base = base_of(moved.json(), "b2")
    assert base["center"] == [18.0, 34.5] and base["method"] == "hand" and base["confidence"] == 1.0
    assert base["sigma"] == pytest.approx(0.1)  # what a finger is worth, whatever the photo was
    assert moved.json()["undo"] == {"kind": "move", "about": "b2"}
    assert client.verdict(game) == "no"
    back = client("POST", f"/api/tables/{game}/undo").json()
    assert base_of(back, "b2")["center"] == [18.0, 19.875] and base_of(back, "b2")["method"] == "tag"
    assert back["redo"] == {"kind": "move", "about": "b2"}
    assert client.verdict(game) == "yes"
    client("POST", f"/api/tables/{game}/redo")
    assert client.verdict(game) == "no"


def test_a_stated_sigma_decides_what_is_too_close(client: Client) -> None:
    game = client.table()["id"]
    place = {"center": [18.0, 21.835]}  # 11.96" from the tank's front edge to the nearest edge
    client("PATCH", f"/api/tables/{game}/bases/b1", json={"center": [18.0, 8.0], "sigma": 0.0})
    client("PATCH", f"/api/tables/{game}/bases/b2", json={**place, "sigma": 0.3})
    assert client.verdict(game, "near", "tank") == "too-close"
    client("PATCH", f"/api/tables/{game}/bases/b2", json={**place, "sigma": 0.0})
    assert client.verdict(game, "near", "tank") == "yes"


def test_turning_a_base_turns_its_front(client: Client) -> None:
    game = client.table()["id"]
    before = client("GET", f"/api/tables/{game}/units/tank").json()["shots"][0]
    assert before["arc"]["firing_to_rear"] is False
    turned = client("PATCH", f"/api/tables/{game}/bases/b1", json={"facing": 540.0}).json()
    assert base_of(turned, "b1")["facing"] == 180.0
    view = client("GET", f"/api/tables/{game}/units/tank").json()
    assert view["shots"][0]["arc"]["firing_to_rear"] is True
    assert max(y for _, y in view["front"][0]) == pytest.approx(6.75)


def test_a_stray_base_is_given_to_a_unit_with_that_units_outline(client: Client) -> None:
    game = client.table()["id"]
    given_away = client("PATCH", f"/api/tables/{game}/bases/b4", json={"unit": "far"}).json()
    base = base_of(given_away, "b4")
    assert (base["unit"], base["side"], base["kind"], base["unique"]) == ("far", "red", "infantry", False)
    assert (base["width"], base["depth"]) == (2.0, 1.25)
    unique = client("PATCH", f"/api/tables/{game}/bases/b4", json={"unique": True}).json()
    assert base_of(unique, "b4")["width"] == 1.5  # the unique base has an outline of its own
    assert base_of(unique, "b3")["unique"] is False  # a unit has one unique base
    assert client("GET", f"/api/tables/{game}/units/far").json()["measured_from"] == "b4"


def test_a_base_can_be_taken_from_its_unit(client: Client) -> None:
    game = client.table()["id"]
    taken = client("PATCH", f"/api/tables/{game}/bases/b2", json={"unit": None}).json()
    base = base_of(taken, "b2")
    assert (base["unit"], base["side"], base["unique"]) == (None, "red", None)
    assert client("GET", f"/api/tables/{game}/units/near").json()["shots"] == []


def test_a_missing_base_is_added_and_a_false_one_removed(client: Client) -> None:
    game = client.table()["id"]
    wish = {"unit": "gun", "center": [14.0, 8.0], "facing": 350.0, "unique": True}
    added = client("POST", f"/api/tables/{game}/bases", json=wish)
    assert added.status_code == 201
    base = added.json()["bases"][-1]
    assert (base["shape"], base["width"], base["method"], base["side"]) == ("round", 1.5, "hand", "blue")
    assert client.verdict(game, "gun") == "yes"
    gone = client("DELETE", f"/api/tables/{game}/bases/{base['id']}").json()
    assert len(gone["bases"]) == 4
    assert len(client("POST", f"/api/tables/{game}/undo").json()["bases"]) == 5


def test_markers_of_a_unit_enter_the_rulings(client: Client) -> None:
    game = client.table()["id"]

    def expected() -> float:
        return client("GET", f"/api/tables/{game}/units/tank").json()["shots"][0]["expected_hits"]

    in_the_open = expected()
    marked = client("PATCH", f"/api/tables/{game}/units/near", json={"dug_in": True, "hits": 3}).json()
    near = next(unit for unit in marked["units"] if unit["id"] == "near")
    assert near["marks"]["dug_in"] is True and near["marks"]["hits"] == 3 and near["marks"]["ready"] is False
    assert expected() < in_the_open
    client("PATCH", f"/api/tables/{game}/units/near", json={"hits": 15})
    assert client.verdict(game) == "no"
    assert client("GET", f"/api/tables/{game}/units/near").json()["removed"] is True


def test_the_dice_of_the_game_can_be_chosen(client: Client) -> None:
    game = client.table()["id"]
    average = client("GET", f"/api/tables/{game}/report").json()
    assert client("PUT", f"/api/tables/{game}/dice", json={"dice": "d6"}).json()["dice"] == "d6"
    report = client("GET", f"/api/tables/{game}/report").json()
    assert (average["dice"], report["dice"]) == ("d5", "d6")


def test_markers_stay_when_a_new_photo_comes_and_undo_brings_the_old_photo_back(client: Client) -> None:
    table = client.table()
    game = table["id"]
    client("PATCH", f"/api/tables/{game}/units/near", json={"ready": True})
    client("PATCH", f"/api/tables/{game}/bases/b2", json={"center": [30, 30]})
    again = client.photo(game, b"\xff\xd8\xffa picture of the test's table again")
    assert base_of(again, "b2")["center"] == [18.0, 19.875]
    assert next(unit for unit in again["units"] if unit["id"] == "near")["marks"]["ready"] is True
    back = client("POST", f"/api/tables/{game}/undo").json()
    assert base_of(back, "b2")["center"] == [30.0, 30.0]
    assert back["photo"]["sha256"] == table["photo"]["sha256"] != again["photo"]["sha256"]


@pytest.mark.parametrize(
    ("method", "path", "wish", "status", "words"),
    [
        ("PATCH", "bases/b9", {"center": [1, 1]}, 404, 'no base "b9"'),
        ("PATCH", "bases/b2", {"center": [36.5, 1]}, 422, 'off the table, which is 36" by 36"'),
        ("PATCH", "bases/b2", {"unit": "ghost"}, 404, "its units are tank, gun, near, far"),
        ("PATCH", "bases/b2", {"unit": "near", "side": "blue"}, 422, "near fights for red, not for blue"),
        ("PATCH", "bases/b4", {"side": "green"}, 422, "its sides are blue, red"),
        ("PATCH", "bases/b2", {"sigma": -1}, 422, "sigma"),
        ("PATCH", "bases/b2", {"centre": [1, 1]}, 422, "centre"),
        ("POST", "bases", {"unit": "ghost", "center": [1, 1]}, 404, 'no unit "ghost"'),
        ("DELETE", "bases/b9", None, 404, 'no base "b9"'),
        ("PATCH", "units/near", {"permanent": 2}, 422, "2 permanent hits of only 0 hits"),
        ("PATCH", "units/near", {"hits": -1}, 422, "hits"),
        ("PUT", "dice", {"dice": "d20"}, 422, "dice"),
        ("POST", "redo", None, 409, "nothing to redo"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    client: Client, method: str, path: str, wish: dict | None, status: int, words: str
) -> None:
    game = client.table()["id"]
    before = client("GET", f"/api/tables/{game}").json()
    more = {} if wish is None else {"json": wish}
    assert words in sentence(client(method, f"/api/tables/{game}/{path}", **more), status)
    assert client("GET", f"/api/tables/{game}").json() == before


def test_undo_ends_where_the_table_began(client: Client) -> None:
    game = client.table()["id"]
    assert client("POST", f"/api/tables/{game}/undo").json()["photo"] is None
    assert "nothing to undo" in sentence(client("POST", f"/api/tables/{game}/undo"), 409)


_CHANGES = st.one_of(
    st.tuples(st.just("PATCH"), st.sampled_from(["bases/b1", "bases/b2", "bases/b4"]), st.fixed_dictionaries(
        {"center": st.tuples(st.floats(0, 36), st.floats(0, 36))}, optional={"facing": st.floats(-360, 360)})),
    st.tuples(st.just("PATCH"), st.just("bases/b4"), st.fixed_dictionaries(
        {"unit": st.sampled_from([None, "tank", "near", "far"])}, optional={"unique": st.booleans()})),
    st.tuples(st.just("PATCH"), st.just("units/near"), st.fixed_dictionaries({"hits": st.integers(0, 20)})),
    st.tuples(st.just("POST"), st.just("bases"), st.fixed_dictionaries(
        {"unit": st.sampled_from(["gun", "far"]), "center": st.tuples(st.floats(0, 36), st.floats(0, 36))})),
)  # fmt: skip


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_CHANGES, max_size=6))
def test_undoing_everything_and_redoing_it_gives_the_same_table(client: Client, changes: list) -> None:
    game = client.table()["id"]
    states = [client("GET", f"/api/tables/{game}").json()]
    for method, path, wish in changes:
        answer = client(method, f"/api/tables/{game}/{path}", json=wish)
        assert answer.status_code in (200, 201), answer.text
        # one wish may be two events; only whole wishes are compared
        if answer.json()["seq"] == states[-1]["seq"] + 1:
            states.append(answer.json())
    same = ("bases", "units", "terrain", "dice")
    for state in reversed(states[:-1]):
        back = client("POST", f"/api/tables/{game}/undo").json()
        assert [back[key] for key in same] == [state[key] for key in same]
    for state in states[1:]:
        again = client("POST", f"/api/tables/{game}/redo").json()
        assert [again[key] for key in same] == [state[key] for key in same]


def test_two_players_at_the_same_moment_never_break_the_table(client: Client) -> None:
    """Whatever order their requests fall in, each is done or refused, and the table still opens."""
    game = client.table()["id"]

    async def both() -> list[int]:
        wishes = [client.ask("DELETE", f"/api/tables/{game}/bases/b2") for _ in range(4)]
        wishes += [client.ask("POST", f"/api/tables/{game}/undo") for _ in range(6)]
        return [answer.status_code for answer in await asyncio.gather(*wishes)]

    statuses = asyncio.run(both())
    assert set(statuses) <= {200, 404, 409} and 200 in statuses
    assert client("GET", f"/api/tables/{game}").status_code == 200


def test_the_number_of_the_last_event_tells_of_changes(client: Client) -> None:
    game = client.table()["id"]
    before = client("GET", f"/api/tables/{game}/seq").json()["seq"]
    changed = client("PATCH", f"/api/tables/{game}/bases/b2", json={"facing": 90}).json()
    assert client("GET", f"/api/tables/{game}/seq").json()["seq"] == changed["seq"] == before + 1
    assert "There is no table" in sentence(client("GET", "/api/tables/0123456789abcdef/seq"), 404)
