"""Combat's planes: what they attack and when, who fires on them, when airstrips take them."""

from __future__ import annotations

from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.setup import Airstrip
from tests.support.combat_games import OPEN, codes, done, on, standing

STRIPS = (Airstrip("red", ("a1", "b1")), Airstrip("red", ("l1",)), Airstrip("blue", ("k12", "l12")))
TWO = on(OPEN, profile="codified", planes_fly=True, airstrips=STRIPS)
PIECES = {"RP1": "a1", "RT1": "b3", "BT1": "f12", "BT2": "a12"}


def test_planes_stay_on_the_ground_by_night() -> None:
    state = standing(on(TWO, days=2, turns_a_day=1), PIECES)
    night = done(done(state, "end"), "end")
    assert night.night == 1
    assert codes(night, "strike RP1 at BT1") == {"night"} == codes(night, "fly RP1 to l1")
    assert not [o for o in RULES.options(night) if o.kind in ("strike", "fly", "fire")]


def test_no_plane_flies_to_an_airstrip_that_the_enemy_is_on_nor_onto_another_piece() -> None:
    taken = standing(TWO, {**PIECES, "BT3": "l1"})
    assert codes(taken, "fly RP1 to l1") == {"strip-closed", "occupied"}
    wide = on(TWO, airstrips=(STRIPS[0], Airstrip("red", ("k1", "l1")), STRIPS[2]))
    closed = standing(wide, {**PIECES, "BT3": "l1"})
    assert codes(closed, "fly RP1 to k1") == {"strip-closed"}
    assert codes(standing(wide, {**PIECES, "RG1": "k1"}), "fly RP1 to k1") == {"occupied"}
    assert codes(standing(wide, PIECES, mines=("k1",)), "fly RP1 to k1") == {"own-mine"}
    assert done(standing(wide, PIECES), "fly RP1 to k1").by_id["RP1"].fired


def test_guns_and_tanks_fire_on_planes_on_the_ground_and_planes_on_helicopters() -> None:
    state = standing(on(OPEN, helicopters=True), {"RG1": "k9", "RP1": "a1", "BP1": "k12", "BH1": "f8", "BT1": "a12"})
    assert codes(state, "fire RG1 at BP1") == set()
    assert codes(state, "strike RP1 at BH1") == set() and codes(state, "strike RP1 at BP1") == {"plane-target"}
    assert codes(state, "fire RP1 at BH1") == {"plane"} and codes(state, "move RP1 to b1") == {"plane"}
