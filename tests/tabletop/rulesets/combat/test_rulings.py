"""Rulings and cases of Combat: saves, mines, planes, airstrips, reinforcements, objectives, night, more players."""

import pytest

from geometry.squares import DIRECTIONS
from tabletop.game import Game
from tabletop.rulesets.combat import board_text, commander, events, seats, turn_flow
from tabletop.rulesets.combat.board import field_of
from tabletop.rulesets.combat.data import COMPASS
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.scenario import apply_options
from tabletop.rulesets.combat.setup import Airstrip, Objective, Setup
from tabletop.rulesets.combat.setup_faults import faults_of
from tabletop.rulesets.combat.state import State
from tabletop.rulesets.combat.views import hidden_by
from tests.support.combat_games import OPEN, begun, codes, done, ground, on, standing
from tests.support.combat_games import later as in_turn_2

CODIFIED = on(OPEN, profile="codified", foot=True, motorised=True, cavalry=True, helicopters=True, built_up=True)


def later(setup: Setup, pieces: dict[str, str], **more: object) -> State:
    """A battle in its second turn, one salvo fired."""
    return in_turn_2(standing(setup, pieces, **more))  # type: ignore[arg-type]


def test_a_save_is_the_owner_s_to_roll_and_comes_first() -> None:
    state = later(OPEN, {"RT1": "f6", "BT1": "f8", "BT2": "a12"})
    hit = done(state, "fire RT1 at BT1 hit")
    assert RULES.to_act(hit) == "blue" and codes(hit, "end") == {"save-first"} == codes(hit, "move RT1 to f7")
    assert done(hit, "save", 4).by_id["BT1"].fate == "lost"
    assert done(hit, "save", 5).by_id["BT1"].fate == "board"


def test_a_mine_stops_the_move_is_gone_and_a_saved_piece_goes_on() -> None:
    state = later(OPEN, {"RT1": "f8", "BT1": "a12"}, mines=("f10",))
    hit = done(state, "move RT1 to f11 via f9 f10")
    assert hit.by_id["RT1"].at == hit.field.number["f10"] and hit.pending[0].need == 4
    assert not hit.laid[1] and hit.exploded == (hit.field.number["f10"],)
    assert done(hit, "save", 3).by_id["RT1"].fate == "lost"
    saved = done(hit, "save", 4)
    assert done(saved, "move RT1 to f11").by_id["RT1"].steps == 3


def test_a_mine_in_the_enemy_s_airstrip_comes_before_the_airstrip() -> None:
    pieces = {"RT1": "k10", "RT2": "a5", "BP1": "l12", "BT1": "a12", "BT2": "b12"}
    state = later(OPEN, pieces, mines=("k12",))
    hit = done(state, "move RT1 to k12")
    assert hit.by_id["BP1"].fate == "board"
    after = done(hit, "save", 6)
    assert after.by_id["BP1"].fate == "lost" and after.by_id["RT1"].fate == "lost" and after.owed == 3


def test_a_plane_attacks_anywhere_once_a_turn_and_must_be_saved_itself() -> None:
    state = later(OPEN, {"RP1": "a1", "RT1": "b3", "BT1": "f12", "BT2": "a12"})
    hit = done(state, "strike RP1 at BT1 hit")
    assert [(p.unit, p.need, p.cause) for p in hit.pending] == [("BT1", 4, "air"), ("RP1", 4, "plane")]
    after = done(done(hit, "save", 4), "save", 3)
    assert after.by_id["RP1"].fate == "lost" and after.by_id["BT1"].fate == "board"
    missed = done(state, "strike RP1 at BT1 miss")
    assert [p.unit for p in missed.pending] == ["RP1"]
    assert codes(done(missed, "save", 6), "strike RP1 at BT2") == {"fired"}


def test_planes_on_alternate_turns_by_the_house_rule() -> None:
    pieces = {"RP1": "a1", "RT1": "b3", "BT1": "f12", "BT2": "a12"}
    for setup, against in ((OPEN, set()), (on(OPEN, planes_alternate=True), {"refuels"})):
        state = done(done(later(setup, pieces), "strike RP1 at BT1 miss"), "save", 6)
        state = done(done(state, "end"), "end")
        assert codes(state, "strike RP1 at BT1") == against
        state = done(done(state, "end"), "end")
        assert codes(state, "strike RP1 at BT1") == set()


def test_planes_attack_planes_and_change_airstrips_by_house_rules() -> None:
    pieces = {"RP1": "a1", "RT1": "b3", "BP1": "k12", "BT2": "a12"}
    assert codes(later(OPEN, pieces), "strike RP1 at BP1") == {"plane-target"}
    assert codes(later(on(OPEN, planes_attack_planes=True), pieces), "strike RP1 at BP1") == set()
    strips = (*OPEN.airstrips, Airstrip("red", ("l1",)))
    two = on(OPEN, profile="codified", planes_fly=True, airstrips=strips)
    state = later(two, pieces)
    assert codes(state, "fly RP1 to b1") == {"same-airstrip"} and codes(state, "fly RP1 to c1") == {"no-airstrip"}
    flown = done(state, "fly RP1 to l1")
    assert codes(flown, "strike RP1 at BT2") == {"fired"}
    assert codes(later(on(two, planes_fly=False), pieces), "fly RP1 to l1") == {"no-flying"}


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (on(OPEN, airstrips=(*OPEN.airstrips, Airstrip("red", ("l1",)))), "the original rules allow one"),
        (on(OPEN, profile="codified", strip_on_base=True, airstrips=(Airstrip("red", ("c2",)),)), "touch its base"),
        (on(OPEN, airstrips=(Airstrip("red", ("c5",)),)), "behind its deployment line"),
        (on(OPEN, airstrips=(Airstrip("red", ("c1", "e1")),)), "do not touch one another"),
    ],
)
def test_where_airstrips_may_lie(setup: Setup, words: str) -> None:
    assert any(words in text for _, text in faults_of(setup))


def test_an_airstrip_that_is_entered_loses_its_planes_and_works_again_when_left() -> None:
    setup = on(OPEN, airstrips=(Airstrip("red", ("a2", "b2")), Airstrip("blue", ("k11", "l11"))))
    state = later(setup, {"RG1": "j10", "RT1": "a4", "BP1": "l11", "BT1": "a9", "BT2": "b9"})
    (moved, entered) = RULES.resolve(state, RULES.parse(state, "move RG1 to k11"), ())
    assert isinstance(moved, events.Moved) and entered == events.StripEntered("RG1", "blue", ("k11", "l11"), ("BP1",))
    inside = done(state, "move RG1 to k11")
    assert inside.by_id["BP1"].fate == "lost"
    reinforcing = inside.but(index=1, owed=1)
    assert codes(reinforcing, "reinforce plane at l11") == {"strip-closed"}
    left = done(inside, "move RG1 to j11").but(index=1, owed=1)
    assert codes(left, "reinforce plane at l11") == set()


def test_helicopters_and_planes_do_not_enter_airstrips() -> None:
    setup = on(CODIFIED, airstrips=(Airstrip("red", ("a2", "b2")), Airstrip("blue", ("k11", "l11"))))
    state = later(setup, {"RH1": "j9", "RT1": "a4", "BP1": "l11", "BT1": "a9"})
    assert done(state, "move RH1 to k11").by_id["BP1"].fate == "board"


def test_a_piece_on_the_enemy_s_base_line_is_lost_for_three_new_ones() -> None:
    state = later(OPEN, {"RT1": "f10", "RT2": "a5", "BT1": "a9", "BT2": "b9", "BT3": "c9"})
    gone = done(state, "move RT1 to f12")
    assert gone.by_id["RT1"].fate == "lost" and gone.owed == 3 and gone.result is None
    assert codes(gone, "reinforce tank at f4") == {"ahead"} and codes(gone, "reinforce plane at c1") == {"no-airstrip"}
    new = done(done(done(gone, "reinforce tank at f3"), "reinforce gun at g3"), "reinforce plane at a1")
    assert [p.id for p in new.armies[0]] == ["RT2", "RT3", "RG1", "RP1"] and new.owed == 0
    assert codes(new, "reinforce tank at h3") == {"nothing-owed"}
    assert codes(new, "move RT3 to f4") == {"new"} == codes(new, "strike RP1 at BT1")
    assert codes(done(done(new, "end"), "end"), "move RT3 to f4") == set()


def test_helicopters_get_no_reinforcements_and_new_pieces_are_forgone_at_the_end() -> None:
    state = later(CODIFIED, {"RH1": "f10", "RT1": "g10", "RT2": "a5", "BT1": "a9", "BT2": "b9"})
    assert done(state, "move RH1 to f12").owed == 0
    state = done(state, "move RT1 to g12")
    ended = RULES.resolve(state, RULES.parse(state, "end"), ())
    assert isinstance(ended[0], events.TurnEnded) and ended[0].forgone == 3
    assert done(state, "end").owed == 0


def test_new_pieces_keep_to_the_box_and_the_period() -> None:
    pieces = {f"RT{n}": f"{'abcdefghijkl'[(n - 1) % 12]}{4 + (n - 1) // 12}" for n in range(1, 17)}
    state = later(OPEN, {**pieces, "BT1": "f12"} | {f"BT{n}": f"{'abcdefghijkl'[n - 2]}8" for n in range(2, 8)})
    full = state.but(owed=1)
    assert codes(full, "reinforce tank at a2") == {"pool"}
    late = later(on(OPEN, period="late-wwi"), {"RT1": "a4", "RT2": "b4", "BT1": "f12"}).but(owed=1)
    assert codes(late, "reinforce tank at a2") == {"at-once"}
    assert codes(late, "reinforce motorised at a2") == {"kind-not-allowed"}


def test_three_to_one_wins_at_once_and_pieces_that_are_due_count() -> None:
    state = later(OPEN, {"RT1": "f6", "RT2": "a5", "RT3": "b5", "BT1": "f8", "BT2": "a11"})
    won = done(done(state, "fire RT1 at BT1 hit"), "save", 1)
    assert won.result is not None and won.result.winner == "red" and "3 pieces to 1" in won.result.reason
    two = later(OPEN, {"RT1": "f6", "RT2": "a5", "BT1": "f8", "BT2": "a11"})
    assert done(done(two, "fire RT1 at BT1 hit"), "save", 1).result is None
    lone = later(OPEN, {"RT1": "f10", "BT1": "f8", "BT2": "a11"})
    last = done(lone, "move RT1 to f12")
    assert last.result is None and last.owed == 3
    assert done(last, "end").result is not None


def test_headquarters_fall_to_two_pieces_on_their_hill() -> None:
    setup = on(OPEN, headquarters=True, ground=ground({"hill": "f11 g11", "woods": "f2 g2"}))
    pieces = {"RT1": "f10", "RT2": "g10", "RT3": "a1", "BT1": "a12", "BT2": "b12"}
    state = standing(setup, pieces, headquarters=(("red", "f2"), ("blue", "g11")))
    one = done(state, "move RT1 to f11")
    assert one.result is None
    two = done(one, "move RT2 to g11")
    assert two.result is not None and two.result.winner == "red" and "headquarters in g11" in two.result.reason


def test_a_road_is_cut_and_an_airstrip_taken_by_one_piece() -> None:
    goals = (Objective("road", "road", "blue", ("f9", "f10"), 1, "the main road"),)
    state = standing(on(OPEN, objectives=goals), {"RT1": "f7", "RT2": "a1", "BT1": "a12", "BT2": "b12"})
    won = done(state, "move RT1 to f9")
    assert won.result is not None and won.result.reason == "Red cut the main road."
    strip = (Objective("strip", "airstrip", "red", ("a1", "b1")),)
    state = standing(on(OPEN, objectives=strip), {"RT1": "f7", "RT2": "l4", "BT1": "a3", "BT2": "b12"}, first="blue")
    won = done(state, "move BT1 to a1")
    assert won.result is not None and won.result.winner == "blue"


TIMED = on(OPEN, days=2, turns_a_day=2, regroup=3)
FEW = {"RT1": "f5", "RT2": "a5", "BT1": "f8", "BT2": "a11"}


def ends(state: State, count: int) -> State:
    for _ in range(count):
        state = done(state, "end")
    return state


def test_twelve_turns_make_a_day_and_three_of_regrouping_a_night() -> None:
    assert (Setup().turns_a_day, Setup().regroup) == (12, 3)
    state = ends(standing(TIMED, FEW), 4)
    assert (state.night, state.turn) == (1, 3)
    assert codes(state, "fire RT1 at BT1") >= {"night"}
    assert codes(state, "move RT1 to f6") == {"advance"} == codes(state, "move RT1 to g6")
    assert {*"defgh"} >= {name[0] for name in ("d5",)} and codes(state, "move RT1 to d5") == set()
    assert codes(done(state, "move RT1 to f4"), "move RT1 to f5") == {"advance"}
    blue = done(state, "end")
    assert codes(blue, "move BT1 to f7") == {"advance"} and codes(blue, "move BT1 to f9") == set()
    dawn = ends(state, 6)
    assert dawn.step == "toss" and (dawn.day, dawn.hour, dawn.night) == (2, 1, 0)
    assert codes(dawn, "move RT1 to f6") == {"toss-first"}
    tossed = done(dawn, "toss", 4)
    assert tossed.section_to_act == (1, -1) and codes(tossed, "move BT1 to f7") == set()


def test_the_larger_army_wins_when_the_last_day_is_over() -> None:
    state = ends(standing(on(TIMED, days=1), {**FEW, "RT3": "l5"}), 4)
    assert state.result is not None and state.result.winner == "red"
    drawn = ends(standing(on(TIMED, days=1), FEW), 4)
    assert drawn.result is not None and drawn.result.winner is None


def test_boards_apart_at_night_keep_every_side_on_its_half() -> None:
    setup = on(TIMED, apart_at_night=True)
    state = ends(standing(setup, {**FEW, "RT3": "l8"}), 4)
    assert codes(state, "move RT3 to l6") == {"apart"}
    moved = done(state, "move RT1 to f3")
    shown = {p["id"]: p["square"] for p in RULES.view(moved, "blue")["pieces"]}
    assert shown["RT1"] == "f5" and "RT1 f3" in RULES.view(moved, "red")["secret"]["red"]["pieces"]
    dawn = ends(moved, 6)
    assert {p["id"]: p["square"] for p in RULES.view(dawn, "blue")["pieces"]}["RT1"] == "f3"


def test_corps_take_turns_opposite_number_by_opposite_number() -> None:
    four = on(OPEN, players=4)
    pieces = {"RT1": "b5", "RT2": "k5", "BT1": "b9", "BT2": "k9"}
    state = standing(four, pieces)
    told = []
    for _ in range(4):
        told.append(RULES.view(state)["acting"])
        state = done(state, "end")
    assert told == ["red-right", "blue-left", "red-left", "blue-right"]
    assert codes(standing(four, pieces), "move RT1 to b6") == {"other-sector"}
    assert RULES.actor(state, RULES.parse(state, "move RT2 to k6")) == "red-right"
    first_blue = standing(four, pieces, first="blue")
    assert RULES.view(first_blue)["acting"] == "blue-right" and codes(first_blue, "move BT1 to b8") == set()


def test_a_piece_that_changes_sectors_is_the_other_commander_s_from_the_next_turn() -> None:
    state = standing(on(OPEN, players=4), {"RT1": "g5", "RT2": "a1", "BT1": "a11", "BT2": "l11"})
    moved = done(state, "move RT1 to f5")
    assert done(moved, "move RT1 to e5").by_id["RT1"].steps == 2
    left = ends(moved, 2)
    assert RULES.view(left)["acting"] == "red-left" and codes(left, "move RT1 to e5") == {"other-sector"}
    again = ends(left, 4)
    assert RULES.view(again)["acting"] == "red-left" and codes(again, "move RT1 to e5") == set()


def test_commanders_confer_after_every_three_turns() -> None:
    state = standing(on(OPEN, players=4), {"RT1": "g5", "BT1": "a11"})
    turns = []
    for _ in range(4 * 8):
        if turn_flow.may_confer(state):
            turns.append(state.turn)
        state = done(state, "end")
    assert sorted(set(turns)) == [4, 7]
    two = standing(OPEN, {"RT1": "g5", "BT1": "a11"}).but(turn=4)
    assert not turn_flow.may_confer(two)


def test_a_simple_player_gives_up_a_battle_that_nobody_wins() -> None:
    import random

    state = standing(OPEN, {"RT1": "g5", "BT1": "a11"}).but(turn=commander.TIRED + 1)
    assert RULES.text(next(iter(RULES.bot_actions(state, random.Random(1))))) == "concede red"


def test_armies_of_equal_points_are_measured_in_points() -> None:
    points = on(OPEN, pieces=0, points=6, foot=True)
    pieces = {"RT1": "f6", "RT2": "a5", "BF1": "f8", **{f"BF{n}": f"{'abcdef'[n - 2]}11" for n in range(2, 7)}}
    state = later(points, pieces)
    assert done(state, "end").result is None, "two tanks and six foot infantry cost the same"
    lost = done(done(state, "fire RT1 at BF1 hit"), "save", 1)
    assert lost.result is None
    for unit in ("BF2", "BF3", "BF4"):
        lost = done(lost, f"correct {unit} off")
    assert lost.result is not None and lost.result.reason == "Red has 6 points to 2, a majority of 3 to 1."
    broken = later(points, {"RT1": "f10", "BF1": "a11", "BF2": "b11"})
    due = done(broken, "move RT1 to f12")
    assert due.result is None and due.owed == 3, "what is due is judged once it has come on"
    assert done(due, "end").result is not None
    timed = ends(standing(on(points, days=1, turns_a_day=1), {"RT1": "f6", "BF1": "a11", "BF2": "b11"}), 2)
    assert timed.result is not None and timed.result.winner == "red" and "3 points of Red to 2" in timed.result.reason


def test_days_and_nights_go_on_until_the_battle_is_won() -> None:
    endless = on(OPEN, nights=True, turns_a_day=1, regroup=1)
    state = standing(endless, FEW)
    assert state.setup.is_timed and "day 1, hour 1 of 1" in board_text.when(state.but(hour=1))
    for day in range(1, 5):
        assert (state.day, state.night, state.hour) == (day, 0, 1)
        state = ends(state, 2)
        assert state.night == 1
        state = done(ends(state, 2), "first red")
    assert state.result is None and apply_options(OPEN, {"nights": "yes"}).nights
    assert [path for path, _ in faults_of(on(endless, days=2))] == [("nights",)]


def test_headquarters_are_the_part_of_their_hill_on_their_own_half() -> None:
    hill = on(OPEN, headquarters=True, ground=ground({"hill": "f5 f6 f7 f8", "woods": "c9 c10"}))
    state = standing(hill, {"BT1": "f7", "BT2": "f8", "BT3": "g6", "BT4": "g5", "RT1": "a4", "RT2": "b4"},
                     headquarters=(("red", "f6"), ("blue", "c9")), first="blue")  # fmt: skip
    assert done(state, "move BT1 to e7").result is None, "their own part of the hill is not Red's headquarters"
    won = done(done(state, "move BT3 to f6"), "move BT4 to f5")
    assert won.result is not None and won.result.winner == "blue"
    lone = on(hill, ground=ground({"hill": "f6 f7", "woods": "c9 c10 c4 c5"}), pieces=3)
    state = begun(lone)
    assert codes(state, "headquarters f6") == {"too-small"} and codes(state, "headquarters c4") == set()


def test_players_place_their_own_airstrips_behind_their_lines() -> None:
    state = begun(on(OPEN, pieces=3))
    moved = done(done(state, "lay f2 airstrip"), "lay f3 airstrip")
    assert [(strip.side, strip.squares) for strip in moved.setup.airstrips] == [
        ("red", ("f2", "f3")), ("blue", ("k12", "l12")),
    ]  # fmt: skip
    assert codes(state, "lay f4 airstrip") == {"airstrip"} == codes(state, "lay f6 airstrip")
    assert codes(done(state, "lay l10 airstrip"), "lay l9 airstrip") == {"airstrip"}
    two = done(begun(on(OPEN, pieces=3, profile="codified")), "lay f2 airstrip")
    assert [strip.squares for strip in two.setup.airstrips if strip.side == "red"] == [("a1", "b1"), ("f2",)]
    base = begun(on(OPEN, pieces=3, profile="codified", strip_on_base=True))
    assert codes(base, "lay f2 airstrip") == {"airstrip"} and codes(base, "lay f1 airstrip") == set()
    wet = done(begun(on(OPEN, pieces=3, rivers=True)), "lay f2 river")
    assert codes(wet, "lay f2 airstrip") == {"airstrip"} == codes(moved, "lay f3 woods")
    assert codes(done(state, "lay f2 woods"), "lay f2 airstrip") == {"airstrip"}
    goals = (Objective("strip", "airstrip", "red", ("a1", "b1")),)
    goal = done(begun(on(OPEN, pieces=3, objectives=goals)), "lay f2 airstrip")
    assert goal.setup.objectives[0].squares == ("f2",), "the objective goes with the airstrip"


def test_an_airstrip_is_entered_once_though_a_mine_lies_in_it() -> None:
    setup = on(OPEN, airstrips=(Airstrip("red", ("a2", "b2")), Airstrip("blue", ("j10", "k10", "l10"))))
    state = later(setup, {"RT1": "i10", "RT2": "a5", "BP1": "l10", "BT1": "a12", "BT2": "b12"}, mines=("k10",))
    state = done(state, "move RT1 to j10")
    assert state.by_id["BP1"].fate == "lost"
    hit = done(state, "move RT1 to k10")
    found = RULES.resolve(hit, RULES.parse(hit, "save"), (6,))
    assert [type(event).__name__ for event in found] == ["Saved"]


def test_a_piece_set_right_to_have_moved_nothing_has_its_road_again() -> None:
    column = tuple(f"f{row}" for row in range(2, 11))
    state = standing(on(OPEN, roads=column), {"RT1": "e3", "BT1": "a12"})
    state = done(done(state, "move RT1 to f4"), "correct RT1 moved 0")
    assert codes(state, "move RT1 to f9") == set()


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


CORPS = {"RT1": "b5", "RT2": "k5", "BT1": "b9", "BT2": "k9"}


def test_one_player_commands_both_corps_against_two() -> None:
    state = standing(on(OPEN, players=3, alone="red"), CORPS)
    assert seats.roles(state) == ("side red", "side blue", "command blue-left", "command blue-right")
    told, titles = [], []
    for _ in range(4):
        told.append(RULES.view(state)["acting"])
        titles.append(board_text.acting_title(state))
        state = done(state, "end")
    assert told == ["red", "blue-left", "red", "blue-right"]
    assert titles == ["Red with its right corps", "Blue's left corps", "Red with its left corps", "Blue's right corps"]
    assert RULES.actor(state, RULES.parse(state, "move RT2 to k6")) == "red"
    assert "side red" in seats.roles(state) and "red" in seats.stands_for(state, "side red")


def test_the_one_player_moves_a_corps_at_a_time() -> None:
    state = standing(on(OPEN, players=3, alone="red"), CORPS)
    assert codes(state, "move RT2 to k6") == set() and codes(state, "move RT1 to b6") == {"other-sector"}
    (found,) = RULES.check(state, RULES.parse(state, "move RT1 to b6"))
    assert "moves in that corps' turn" in found.text


def test_who_hides_something_is_who_plays() -> None:
    state = standing(on(OPEN, players=3, alone="red", mines=4), CORPS)
    assert hidden_by(state) == ("red", "blue", "blue-left", "blue-right")


def test_numbers_of_players_that_can_not_be_are_told() -> None:
    found = dict(faults_of(on(OPEN, players=5)))
    assert found[("players",)] == "Two, three or four players command, and not 5."
    assert ("alone",) in dict(faults_of(on(OPEN, players=3, alone="green")))


def hill(*counters: tuple[str, str]) -> Setup:
    return on(OPEN, ground=ground({"hill": "e5"}), hill_counters=counters)


def test_no_shot_leaves_a_hill_by_a_side_that_a_counter_bars_nor_comes_in_by_it() -> None:
    pieces = {"RG1": "e5", "BT1": "e8", "BT2": "h5"}
    free, barred = standing(hill(), pieces), standing(hill(("e5", "n")), pieces)
    assert codes(free, "fire RG1 at BT1") == codes(free, "fire RG1 at BT2") == set()
    assert codes(barred, "fire RG1 at BT1") == {"line-counter"} and codes(barred, "fire RG1 at BT2") == set()
    (found,) = RULES.check(barred, RULES.parse(barred, "fire RG1 at BT1"))
    assert found.text == "A hill counter in e5 bars shots to and from the north of it."
    after = done(barred, "end")
    assert codes(after, "fire BT1 at RG1") >= {"line-counter"}
    assert "BT1" not in {option.target for option in RULES.options(barred) if option.kind == "fire" and option.legal}


@pytest.mark.parametrize("way", range(8))
def test_a_line_is_barred_both_ways_and_in_no_other_direction(way: int) -> None:
    """Against every square two away from the hill: the field says the same of a line from either end."""
    field = field_of(hill(("e5", list(COMPASS)[way])))
    at = field.number["e5"]
    cell = field.cells[at]
    for other, step in enumerate(DIRECTIONS):
        there = field.at(cell + step + step)
        lines = field.line(at, there), field.line(there, at)
        assert {line.against for line in lines} == ({"counter"} if other == way else {""})
        assert (there in field.lines(at)) is (other != way) is (at in field.lines(there))


def test_counters_are_laid_on_hills_while_the_battlefield_is_arranged_and_taken_away_again() -> None:
    game = Game.new(RULES, hill())
    assert {v.code for v in game.check(game.parse("lay d5 counter-ne"))} == {"no-hill"}
    game.push(game.parse("lay e5 counter-ne"))
    assert game.state.setup.hill_counters == (("e5", "ne"),)
    assert RULES.view(game.state)["battlefield"]["hill_counters"] == [["e5", "ne"]]
    game.push(game.parse("lay e5 crest"))
    assert game.state.setup.hill_counters == (("e5", "ne"),)
    game.push(game.parse("lay e5 counter-ne"))
    assert game.state.setup.hill_counters == ()
    game.push(game.parse("lay e5 counter-s"))
    game.push(game.parse("lay e5 woods"))
    assert game.state.setup.hill_counters == ()


def test_counters_that_can_not_be_are_told() -> None:
    texts = [text for path, text in faults_of(hill(("d5", "n"), ("e5", "up"))) if path == ("hill_counters",)]
    assert texts[0] == "A hill counter lies in d5, where no hill is." and '"up"' in texts[1]
