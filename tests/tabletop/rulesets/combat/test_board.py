"""Combat drawn and measured: what the page shows of a board, lines of fire, reach, distances."""

import json

import pytest

from geometry.square_layout import SquareLayout
from tabletop.boards import board_of
from tabletop.exports.picture import picture_bytes
from tabletop.game.protocol import PUBLIC
from tabletop.measuring import MeasureError, measure, overlays
from tabletop.rulesets.combat import board_text
from tabletop.rulesets.combat.board_drawing import board
from tabletop.rulesets.combat.data import NAME
from tabletop.rulesets.combat.setup_faults import faults_of
from tests.support.combat_games import OPEN, done, ground, on, standing, standing_game

SETUP = on(
    OPEN, ground=ground({"woods": "f7 l5 l6", "hill": "c9 d9", "crest": "e9"}), roads=("g1", "g2"), headquarters=True,
    layout=SquareLayout(2.0, (3.0, 3.0)),
)  # fmt: skip
PIECES = {"RT1": "f5", "RG1": "h5", "RP1": "a1", "BT1": "f8", "BG1": "h8", "BP1": "l12"}
STATE = standing(SETUP, PIECES, mines=("c2", "h11"), headquarters=(("red", "f7"), ("blue", "c9")))


def test_a_board_shows_ground_airstrips_lines_and_pieces() -> None:
    seen = board(STATE, "red")
    cells = {cell.id: cell for cell in seen.cells}
    assert (seen.grid, seen.cell_size, len(cells)) == ("square", 2.0, 144)
    assert [cells[name].kind for name in ("f7", "d9", "e9", "a6")] == ["woods", "hill", "crest", "open"]
    assert "airstrip" in cells["a1"].marks and "road" in cells["g2"].marks and "hq" in cells["c9"].marks
    assert "mine" in cells["c2"].marks and "mine" not in cells["h11"].marks
    assert "a mine" in cells["c2"].says and "Blue's airstrip" in cells["k12"].says
    assert {zone.id for zone in seen.zones if zone.kind == "edge"} == {"deployment-red", "deployment-blue"}
    assert {piece.id: piece.center for piece in seen.pieces}["RT1"] == (13.0, 11.0)
    assert [mark.cell for mark in seen.marks] == ["c2"] and not board(STATE, PUBLIC).marks
    json.dumps(seen.to_json(), allow_nan=False)


def test_badges_say_what_a_piece_has_done() -> None:
    state = done(done(STATE, "move RG1 to h6"), "fire RG1 at BG1 hit")
    units = {unit.id: unit for unit in board(state, "blue").units}
    assert [badge.id for badge in units["RG1"].badges] == ["moved", "fired"] and units["RG1"].acted
    assert [badge.id for badge in units["BG1"].badges] == ["hit"]
    facts = {fact.label: fact.value for fact in board(state, PUBLIC).facts}
    assert facts["Salvo deck"] == "23 hits, 12 misses left" and facts["Red"] == "3 pieces on the board, 0 lost"


def test_the_board_in_letters_is_eighty_wide_and_tells_no_mine() -> None:
    told = board_text.in_words(STATE)
    assert max(map(len, told.splitlines())) <= 80 and "T1" in told and "g1" in told and "mine" not in told
    assert board_text.of_unit(STATE, "RG1").endswith("has BG1 in its lines of fire.")
    assert board_text.remarks(STATE, ["RG1"]) == ("RG1 stands in the lines of fire of BG1.",)


def test_lines_of_fire_and_reach_of_a_piece() -> None:
    found = overlays(NAME, STATE, "RG1", "red")
    (ring,) = found.ranges
    assert "h9" in ring.cells and "h10" not in ring.cells and ring.value == 4.0
    assert {sight.to: sight.verdict for sight in found.sights} == {"BT1": "blocked", "BG1": "clear", "BP1": "blocked"}
    assert found.threatened_by == ("BG1",) and {cell.id for cell in found.reach[0].cells} >= {"h6", "h7", "j7"}
    (over,) = (sight for sight in overlays(NAME, STATE, "RT1", "red").sights if sight.to == "BT1")
    assert over.blocked_by == ("f7",) and "woods in f7" in over.reasons[0].text
    assert overlays(NAME, STATE, "RP1", "red").says.startswith("RP1 attacks any piece")


def test_distances_in_squares_and_inches() -> None:
    found = measure(NAME, STATE, {"unit": "RG1"}, {"cell": "h8"}, "red")
    assert found.rule is not None and (found.rule.value, found.rule.unit) == (3.0, "squares")
    assert found.plain.unit == "in" and found.plain.value == pytest.approx(6.0 - 1.0 - 0.66)
    off = measure(NAME, STATE, {"unit": "RG1"}, {"point": [0.5, 0.5]}, "red")
    assert off.rule is None
    for wrong in ({"unit": "RT9"}, {"cell": "z9"}, {"ground": "t1"}):
        with pytest.raises(MeasureError):
            measure(NAME, STATE, {"unit": "RG1"}, wrong, "red")


def test_reach_tells_an_enemy_nothing_of_mines() -> None:
    bare = standing(SETUP, PIECES, headquarters=(("red", "f7"), ("blue", "c9")))
    mined = standing(SETUP, PIECES, mines=("f4", "g5", "h6"), headquarters=(("red", "f7"), ("blue", "c9")))
    assert overlays(NAME, bare, "RG1", "blue") == overlays(NAME, mined, "RG1", "blue")
    assert overlays(NAME, bare, "RG1", "red") != overlays(NAME, mined, "RG1", "red")
    assert board_of(NAME, bare, "blue").to_json() == board_of(NAME, mined, "blue").to_json()


def test_a_sheet_is_drawn() -> None:
    drawn = picture_bytes(standing_game(SETUP, PIECES, headquarters=(("red", "f7"), ("blue", "c9"))), ".svg")
    assert b"<svg" in drawn and b"Open field" in drawn


def test_rivers_are_two_squares_wide_at_most() -> None:
    three = " ".join(f"{col}{row}" for col in "cde" for row in (5, 6, 7))
    assert any("two squares wide" in text for _, text in faults_of(on(OPEN, ground=ground({"river": three}))))
    two = " ".join(f"{col}{row}" for col in "cdefgh" for row in (5, 6))
    assert not list(faults_of(on(OPEN, ground=ground({"river": two}))))
