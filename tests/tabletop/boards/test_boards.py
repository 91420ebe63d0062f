"""What is drawn of a game: true to the table, the same shape for all rules, and nothing hidden in it."""

import json
from dataclasses import replace
from typing import Any

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.hex_layout import HexLayout
from tabletop.boards import board_of
from tabletop.game.protocol import PUBLIC
from tabletop.rulesets.combined_arms.board import NAMES
from tabletop.rulesets.one_hour_ww2.setup import Zone
from tests.support.aar_games import bare
from tests.support.board_games import HEX, OPEN, hex_state, open_state, posted, twins
from tests.support.combined_arms_tables import state_at
from tests.support.one_hour_games import a_unit, begun, do

KEYS = {
    "": {"width", "depth", "grid", "cell_size", "ground", "cells", "ways", "zones", "pieces", "units", "sides",
         "facts", "marks"},
    "ground": {"id", "kind", "outline", "holes", "height", "hill_top", "says"},
    "cells": {"id", "center", "outline", "kind", "marks", "says"},
    "ways": {"id", "kind", "points", "width"},
    "zones": {"id", "kind", "label", "outline", "holder", "says"},
    "pieces": {"id", "unit", "side", "kind", "label", "shape", "width", "depth", "center", "facing", "outline",
               "unique", "badges", "hidden", "state", "ellipse", "says"},
    "units": {"id", "side", "kind", "title", "on_table", "place", "badges", "acted", "says"},
    "sides": {"id", "title", "to_act", "rim", "colour"},
    "facts": {"label", "value"},
    "marks": {"kind", "center", "cell", "says"},
}  # fmt: skip
"""The members of a board and of everything on it."""

SEEDS = st.integers(0, 15)
ACTIONS = st.sampled_from((0, 4, 10, 20))


def drawn(rules: str, state: Any, viewer: str = PUBLIC, **more: Any) -> dict[str, Any]:
    return json.loads(json.dumps(board_of(rules, state, viewer, **more).to_json()))


def by_id(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found = {row["id"]: row for row in rows}
    assert len(found) == len(rows), "every id stands once"
    return found


def whole(board: dict[str, Any]) -> None:
    """What holds of every board: its members, ids that stand once, everything on the table, references that lead."""
    assert board.keys() == KEYS[""]
    for name, keys in KEYS.items():
        for row in board[name] if name else ():
            assert row.keys() == keys, name
            if "says" in keys:
                assert row["says"].endswith(".") and row["says"][0].isupper() | row["says"][0].isdigit(), row["says"]
    for name in ("ground", "cells", "ways", "zones", "pieces", "units", "sides"):
        by_id(board[name])
    sides, units, cells = by_id(board["sides"]), by_id(board["units"]), by_id(board["cells"])
    for unit in units.values():
        assert unit["side"] in sides and (unit["place"] is None or unit["place"] in cells)
    for piece in board["pieces"]:
        assert units[piece["unit"]]["on_table"] and piece["side"] == units[piece["unit"]]["side"]
        outline = shapely.Polygon(piece["outline"])
        assert outline.is_valid and outline.distance(shapely.Point(piece["center"])) == 0
        if cells:
            cell = cells[piece["unit"] if piece["unit"] in cells else units[piece["unit"]]["place"]]
            assert shapely.Polygon(cell["outline"]).buffer(1e-3).contains(outline)
    for unit in units.values():
        assert unit["on_table"] == any(piece["unit"] == unit["id"] for piece in board["pieces"])
    assert all(mark["cell"] is None or mark["cell"] in cells for mark in board["marks"])
    assert all(zone["holder"] in (None, *sides) for zone in board["zones"])


@settings(max_examples=8)
@given(SEEDS, ACTIONS)
def test_every_open_table_is_whole_and_true(seed: int, actions: int) -> None:
    state = open_state(seed, actions)
    board = drawn(OPEN, state)
    whole(board)
    assert (board["width"], board["depth"], board["grid"], board["cells"]) == (24.0, 24.0, None, [])
    for unit in state.units:
        rows = [piece for piece in board["pieces"] if piece["unit"] == unit.id]
        assert [row["id"] for row in rows] == [f"{unit.id}.{n + 1}" for n in range(len(unit.bases))]
        assert [row["unique"] for row in rows].index(True) == unit.unique
        for n, row in enumerate(rows):
            assert row["center"] == pytest.approx(unit.bases.center[n], abs=1e-4)
            area = shapely.Polygon(row["outline"]).area
            assert area == pytest.approx(
                row["width"] * row["depth"] * (0.785 if row["shape"] == "round" else 1), rel=0.02
            )


@settings(max_examples=8)
@given(SEEDS, ACTIONS)
def test_every_hex_board_is_whole_and_true(seed: int, actions: int) -> None:
    state = hex_state(seed, actions)
    board = drawn(HEX, state)
    whole(board)
    assert [cell["id"] for cell in board["cells"]] == list(NAMES) and board["grid"] == "hex"
    assert {c["id"]: c["kind"] for c in board["cells"]} == dict(zip(NAMES, state.ground.terrain, strict=True))
    places = {unit["id"]: unit["place"] for unit in board["units"]}
    for platoon in state.platoons:
        assert places[platoon.id] == (NAMES[platoon.at] if platoon.at >= 0 else None)
    for counter in state.enemy:
        (piece,) = (p for p in board["pieces"] if p["id"] == f"counter {NAMES[counter.at]}")
        assert piece["hidden"] is not counter.revealed and piece["state"] == ("fresh" if counter.fresh else "spent")


def test_an_open_table_tells_markers_steps_holders_and_who_is_off() -> None:
    game = begun(
        a_unit("B1", "blue", "tank", 6, 6, hits=7, permanent=5),
        replace(a_unit("R1", "red", "infantry", 20, 20, 180.0, dug_in=True, ready=True), name="The Buffs"),
    )
    do(game, "end; move B1", 3, 3, 3)
    board = drawn(OPEN, game.state, "blue", rims={"blue": "#123456"})
    units = by_id(board["units"])
    assert [(b["id"], b["text"]) for b in units["B1"]["badges"]] == [("hits", "7/5"), ("moving", "11″")]
    assert [b["id"] for b in units["R1"]["badges"]] == ["dug-in", "ready"] and not units["R1"]["acted"]
    assert units["B1"]["acted"] and units["R1"]["title"] == "The Buffs (R1, infantry)"
    assert [(s["id"], s["to_act"], s["rim"]) for s in board["sides"]] == [
        ("blue", True, "#123456"),
        ("red", False, None),
    ]
    assert {"label": "Phase", "value": "Actions step"} in board["facts"]
    assert {"label": "To be put down", "value": "B1, 11″"} in board["facts"]
    do(game, "place B1 at 6,12; correct R1 off because lifted")
    board = drawn(OPEN, game.state)
    assert by_id(board["units"])["R1"]["says"] == "The Buffs (R1, infantry), Red: taken off in turn 1."
    assert {piece["unit"] for piece in board["pieces"]} == {"B1"}


def test_deployment_shows_its_zones_and_what_is_still_to_come() -> None:
    from tabletop.game import Game
    from tabletop.rulesets.one_hour_ww2.play import RULES as ONE_HOUR

    state = Game.new(ONE_HOUR, bare()).state
    board = drawn(OPEN, state)
    zones = [zone for zone in board["zones"] if zone["kind"] == "deployment"]
    assert [zone["holder"] for zone in zones] == ["blue", "red"] and not board["pieces"]
    assert not any(unit["on_table"] for unit in board["units"])
    only = replace(state, setup=replace(state.setup, zones=(Zone("blue", zones[0]["outline"], ("B1", "B2"), "ford"),)))
    (ford,) = (zone for zone in drawn(OPEN, only)["zones"] if zone["kind"] == "deployment")
    assert (ford["id"], ford["label"]) == ("ford", "B1 and B2 set up here")


def test_a_hex_board_tells_smoke_targets_facing_and_companions() -> None:
    state = state_at(
        {"A1": "3-4 0", "D1": "3-4", "D2": "2-2 spent"},
        {"6-4": "real spent atg", "7-3": "potential"},
        {"6-4": "woods", "4-3": "crest"},
        smoke=["4-4"],
        enemy_mortar="3-4",
    )
    board = drawn(HEX, state)
    pieces, cells = by_id(board["pieces"]), by_id(board["cells"])
    assert pieces["A1"]["facing"] == 0.0 and pieces["D1"]["facing"] is None
    assert pieces["A1"]["center"] != pieces["D1"]["center"]
    assert pieces["D2"]["state"] == "spent" and [b["id"] for b in pieces["D2"]["badges"]] == ["spent"]
    assert not pieces["counter 6-4"]["hidden"] and pieces["guns 6-4"]["kind"] == "guns"
    assert pieces["counter 7-3"]["hidden"] and pieces["guns 7-3"]["label"] == "AT?"
    assert [m["kind"] for m in board["marks"]] == ["smoke", "enemy-mortar"]
    assert cells["3-4"]["marks"] == ["enemy-mortar"] and cells["4-4"]["marks"] == ["smoke"]
    assert cells["6-4"]["says"] == "Hex 6-4: woods, defenders' platoon, spent, with anti-tank guns."
    assert {"label": "Turn", "value": "5 of 20"} in board["facts"]


def test_a_board_lies_on_its_table_or_on_one_of_its_own() -> None:
    state = state_at({"D1": "1-1"})
    own = drawn(HEX, state)
    hexes = shapely.union_all([shapely.Polygon(cell["outline"]) for cell in own["cells"]])
    left, bottom, right, top = hexes.bounds
    assert (own["cell_size"], left, bottom) == pytest.approx((4.0, 2.0, 2.0))
    assert (own["width"] - right, own["depth"] - top) == pytest.approx((2.0, 2.0), abs=1e-3)
    given = replace(state, setup=replace(state.setup, layout=HexLayout(4.5, (16.0, 5.0), 2.0)))
    board = drawn(HEX, given, table=(60.0, 48.0))
    assert (board["width"], board["depth"], board["cell_size"]) == (60.0, 48.0, 4.5)
    assert by_id(board["cells"])["1-1"]["center"] == [16.0, 5.0]


def test_hexes_that_are_not_rolled_for_yet_are_unknown() -> None:
    state = state_at({"D1": "1-1"}, board={"5-5": "farm"})
    hidden = replace(state, ground=replace(state.ground, known=0b11))
    cells = drawn(HEX, hidden)["cells"]
    assert [cell["kind"] for cell in cells[:3]] == ["open", "open", "unknown"]
    assert "farm" not in json.dumps(cells)


@pytest.mark.parametrize("viewer", [PUBLIC, "attacker", "command", "armour", "D"])
def test_nobody_but_the_defender_sees_which_counters_are_real(viewer: str) -> None:
    one, two = twins(posted())
    assert drawn(HEX, one, viewer) == drawn(HEX, two, viewer)
    assert any(piece["hidden"] for piece in drawn(HEX, one, viewer)["pieces"])


def test_the_defender_sees_which_counters_are_real() -> None:
    one, two = twins(posted())
    boards = drawn(HEX, one, "defender"), drawn(HEX, two, "defender")
    assert boards[0] != boards[1]
    for state, board in zip((one, two), boards, strict=True):
        whole(board)
        assert state.secret is not None and not any(piece["hidden"] for piece in board["pieces"])
        real = {unit["id"] for unit in board["units"] if any(b["id"] == "real" for b in unit["badges"])}
        shown = {NAMES[c.at] for c in state.enemy if c.revealed}
        assert real | shown == {NAMES[n] for n in state.secret.platoon_hexes}


def test_sealed_bids_are_seen_by_their_player_alone() -> None:
    state = replace(posted(0), step="bids", turn=0, setup=replace(posted(0).setup, bidding=True))
    one, two = (replace(state, bids=(bid, None)) for bid in (3, 4))
    for viewer in (PUBLIC, "attacker", "defender", "player 2"):
        assert drawn(HEX, one, viewer) == drawn(HEX, two, viewer)
    assert {"label": "Bid of player 1", "value": "3"} in drawn(HEX, one, "player 1")["facts"]
