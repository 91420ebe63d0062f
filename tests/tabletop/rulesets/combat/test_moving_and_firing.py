"""Combat's moves and shots, rule by rule: golden cases of the source and the rulings on it (docs/combat.md)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tabletop.rulesets.combat import actions, firing, moving
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.data import PERIODS
from tabletop.rulesets.combat.figures import moves_of, range_of
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.state import State
from tests.support.combat_games import OPEN, codes, done, ground, on, standing

ALL = on(OPEN, profile="codified", rivers=True, built_up=True, foot=True, motorised=True, cavalry=True,
         helicopters=True)  # fmt: skip


def reached(state: State, unit: str) -> set[str]:
    return {state.name(n) for n in moving.ways(state, state.by_id[unit])}


def furthest(setup: Setup, unit: str, at: str = "f6") -> int:
    """How many squares up its column a piece gets alone on the board."""
    state = standing(setup, {unit: at, "BT9": "a12", "RT16": "l1"})
    there = reached(state, unit)
    return max((int(name[1:]) - int(at[1:]) for name in there if name[0] == at[0]), default=0)


@pytest.mark.parametrize(
    ("unit", "open_", "road"),
    [("RT1", 3, 5), ("RG1", 2, 3), ("RF1", 2, 3), ("RM1", 3, 5), ("RC1", 3, 5), ("RH1", 4, 6)],
)
def test_squares_a_turn_in_the_open_and_wholly_on_road(unit: str, open_: int, road: int) -> None:
    assert furthest(ALL, unit, "f3") == open_
    column = tuple(f"f{row}" for row in range(1, 13))
    assert furthest(on(ALL, roads=column), unit, "f3") == road


def test_any_mix_of_directions() -> None:
    state = standing(OPEN, {"RT1": "f6", "BT1": "a12"})
    assert len(reached(state, "RT1")) == 7 * 7 - 1
    state = done(state, "move RT1 to g8 via g7")
    assert codes(state, "move RT1 to h8") == set() and codes(state, "move RT1 to i8") == {"too-far"}


def test_road_speed_needs_every_square_on_road_the_first_one_too() -> None:
    column = tuple(f"f{row}" for row in range(2, 11))
    setup = on(OPEN, roads=column)
    joins = standing(setup, {"RT1": "e4", "BT1": "a12"})
    assert "f7" in reached(joins, "RT1") and "f8" not in reached(joins, "RT1")
    along = done(standing(setup, {"RT1": "f4", "BT1": "a12"}), "move RT1 to f8")
    assert codes(along, "move RT1 to f9") == set()
    assert codes(along, "move RT1 to e9") == {"too-far"}


def test_slow_ground_stops_and_lets_one_square_a_turn() -> None:
    setup = on(OPEN, ground=ground({"woods": "f7 f8", "hill": "h7"}))
    state = standing(setup, {"RT1": "f6", "RT2": "h6", "BT1": "a12"})
    assert state.name(moving.ways(state, state.by_id["RT1"])[state.field.number["f8"]][1]) in ("e7", "g7")
    entered = done(done(state, "move RT1 to f7"), "move RT2 to h7")
    assert codes(entered, "move RT1 to f8") == {"halted"} == codes(entered, "move RT2 to h8")
    later = done(done(entered, "end"), "end")
    assert reached(later, "RT1") == {"e6", "f6", "g6", "e7", "g7", "e8", "f8", "g8"}
    assert codes(done(later, "move RT1 to g8"), "move RT1 to g9") == {"halted"}


def test_nobody_is_passed_by_and_none_share_a_square() -> None:
    state = standing(OPEN, {"RT1": "a1", "RT2": "b1", "RT3": "b2", "BT1": "a2"})
    assert reached(state, "RT1") == set()
    assert codes(state, "move RT1 to b2") == {"occupied"}


def test_own_mines_bar_the_way_and_the_enemy_s_do_not() -> None:
    state = standing(OPEN, {"RT1": "f2", "BT1": "f12"}, mines=("f3", "f4", "f11"))
    assert codes(state, "move RT1 to f3") == {"own-mine"}
    assert state.field.names[moving.ways(state, state.by_id["RT1"])[state.field.number["f5"]][1]] != "f3"
    assert "f11" in reached(standing(OPEN, {"RT1": "f8", "BT1": "a12"}, mines=("f11",)), "RT1")


def test_rivers_are_crossed_at_bridges_and_not_between_squares_that_touch() -> None:
    river = ground({"river": "a6 b6 c6 d7 e7 f7 g7 h7 i7 k7 l7", "bridge": "j7"})
    state = standing(on(ALL, ground=river), {"RT1": "c5", "RT2": "j6", "RH1": "f6", "BT1": "a12"})
    assert codes(state, "move RT1 to c6") == {"river"}
    assert "d6" in reached(state, "RT1") and "c7" not in reached(state, "RT1")
    assert "j8" in reached(state, "RT2") and "k8" in reached(state, "RT2")
    assert not any(int(name[1:]) > 7 for name in reached(state, "RH1") if name[0] in "efg")
    dry = standing(on(OPEN, ground=river), {"RT1": "c5", "BT1": "a12"})
    assert "c6" in reached(dry, "RT1")


def test_helicopters_keep_out_of_woods_and_built_up_areas_and_over_mines() -> None:
    setup = on(ALL, ground=ground({"woods": "f7", "built-up": "g7", "defence": "e7", "hill": "f5"}))
    state = standing(setup, {"RH1": "f6", "BT1": "a12"})
    assert not reached(state, "RH1") & {"e7", "f7", "g7"}
    assert codes(state, "move RH1 to g7") == {"no-helicopters"}
    over = done(standing(ALL, {"RH1": "f9", "BT1": "a12"}, mines=("f11",)), "move RH1 to f11 via f10")
    assert not over.pending and over.laid[1]


def test_tanks_of_the_late_first_world_war_move_as_guns() -> None:
    assert moves_of(on(OPEN, period="late-wwi"), "tank") == (2, 3)
    assert moves_of(on(OPEN, period="late-wwi"), "cavalry") == (3, 5)
    assert moves_of(on(OPEN, more_speed=2), "gun") == (4, 5)


def test_a_move_names_its_way_where_that_matters() -> None:
    state = standing(OPEN, {"RT1": "f8", "BT1": "a12"}, mines=("g10",))
    action = RULES.parse(state, "move rt1 to f10 via g9")
    assert RULES.text(action) == "move RT1 to f10 via g9"
    (moved,) = RULES.resolve(state, action, ())
    assert isinstance(moved, ev.Moved)
    assert moved.path == ("f8", "g9", "f10") and moved.probed
    assert codes(state, "move RT1 to f10 via a1") == {"too-far"}


def test_ranges_of_the_source_and_of_the_periods() -> None:
    kinds = ("tank", "gun", "foot", "motorised", "cavalry", "helicopter")
    assert [range_of(OPEN, kind, crest=False) for kind in kinds] == [2, 4, 1, 1, 1, 3]
    assert [range_of(OPEN, kind, crest=True) for kind in kinds] == [3, 5, 1, 1, 1, 4]
    for period, further in (("late-wwii", 1), ("mid-cold-war", 1), ("late-cold-war", 2), ("post-cold-war", 2)):
        setup = on(OPEN, period=period)
        assert range_of(setup, "tank", crest=False) == 2 + further
        assert range_of(setup, "gun", crest=False) == 4
        infantry = 1 if period == "late-wwii" else 1 + further
        assert range_of(setup, "foot", crest=False) == infantry == range_of(setup, "motorised", crest=False)
    assert set(PERIODS) == {
        "early-wwi", "late-wwi", "early-wwii", "late-wwii", "mid-cold-war", "late-cold-war", "post-cold-war",
    }  # fmt: skip
    assert range_of(on(OPEN, more_range=1), "tank", crest=False) == 3


@pytest.mark.parametrize("to", ["f10", "j10", "j6", "j2", "f2", "b2", "b6", "b10"])
def test_fire_goes_in_eight_directions(to: str) -> None:
    state = standing(OPEN, {"RG1": "f6", "BT1": to})
    assert codes(state, "fire RG1 at BT1") == set()
    beyond = {"f10": "f11", "j10": "k11", "j6": "k6", "j2": "k1", "f2": "f1", "b2": "a1", "b6": "a6", "b10": "a11"}[to]
    assert codes(standing(OPEN, {"RG1": "f6", "BT1": beyond}), "fire RG1 at BT1") == {"range"}


def test_nothing_but_straight_lines() -> None:
    assert codes(standing(OPEN, {"RG1": "f6", "BT1": "g8"}), "fire RG1 at BT1") == {"line-straight"}


@pytest.mark.parametrize(
    ("squares", "target", "against"),
    [
        ("f8", "f8", set()),  # into the edge of a wood
        ("f8 f9", "f9", set()),  # two squares deep
        ("f8 f9 f10", "f10", {"line-depth"}),  # three
        ("f8", "f9", {"line-over"}),  # over one
        ("f6", "f9", set()),  # out of its edge
        ("f6 f7", "f9", set()),  # out of its second square
        ("f6 f7 f8", "f9", {"line-out"}),  # out of its third
        ("f6 f7", "f7", set()),  # within one
        ("f6 f7 f8", "f8", set()),
        ("f6 f7 f8 f9", "f9", {"line-depth"}),
        ("f6 f9", "f9", set()),  # out of one wood into another
        ("f7 f9", "f9", {"line-over"}),
        ("e7 g7 e8 g8", "f9", set()),  # between woods
    ],
)
@pytest.mark.parametrize("kind", ["woods", "hill", "built-up"])
def test_fire_into_and_out_of_hills_and_woods_but_not_over(
    squares: str, target: str, against: set[str], kind: str
) -> None:
    setup = on(ALL, ground=ground({kind: squares}))
    assert codes(standing(setup, {"RG1": "f6", "BT1": target}), "fire RG1 at BT1") == against


def test_woods_one_square_deep_by_the_house_rule() -> None:
    woods = on(OPEN, woods_one_deep=True, ground=ground({"woods": "f8 f9"}))
    assert codes(standing(woods, {"RG1": "f6", "BT1": "f9"}), "fire RG1 at BT1") == {"line-depth"}
    assert codes(standing(woods, {"RG1": "f6", "BT1": "f8"}), "fire RG1 at BT1") == set()
    assert codes(standing(woods, {"RG1": "f8", "BT1": "f9"}), "fire RG1 at BT1") == set()
    hill = on(woods, ground=ground({"hill": "f8 f9"}))
    assert codes(standing(hill, {"RG1": "f6", "BT1": "f9"}), "fire RG1 at BT1") == set()


def test_a_wood_before_a_hill_is_shot_over() -> None:
    setup = on(OPEN, ground=ground({"woods": "f7", "hill": "f8"}))
    assert codes(standing(setup, {"RG1": "f6", "BT1": "f8"}), "fire RG1 at BT1") == {"line-over"}


def test_a_diagonal_touches_the_corners_of_woods_and_passes() -> None:
    setup = on(OPEN, ground=ground({"woods": "g6 f7"}))
    assert codes(standing(setup, {"RG1": "f6", "BT1": "h8"}), "fire RG1 at BT1") == set()


def test_pieces_do_not_block_fire() -> None:
    state = standing(OPEN, {"RG1": "f6", "RT1": "f7", "BT2": "f8", "BT1": "f9"})
    assert codes(state, "fire RG1 at BT1") == set()


def test_one_shot_a_turn_at_any_moment_of_the_move() -> None:
    state = standing(OPEN, {"RT1": "f6", "BT1": "f9", "BT2": "a12"})
    moved = done(state, "move RT1 to f7")
    fired = done(moved, "fire RT1 at BT1 miss")
    assert codes(fired, "fire RT1 at BT1") == {"fired"}
    assert done(fired, "move RT1 to g6 via g7").by_id["RT1"].steps == 3
    assert codes(done(done(fired, "end"), "end"), "fire RT1 at BT1") == set()


def test_cards_are_drawn_without_replacement_and_shuffled_when_they_run_out() -> None:
    setup = on(OPEN, hits=2, misses=1)
    state = standing(setup, {"RG1": "f6", "RG2": "e6", "RG3": "d6", "RG4": "c6", "BT1": "f8", "BT2": "e8",
                             "BT3": "d8", "BT4": "c8"})  # fmt: skip
    assert RULES.dice(state, actions.Fire("RG1", "BT1")).faces == (1, 2, 3)
    state = done(done(state, "fire RG1 at BT1", 2), "save", 6)
    assert (state.hits, state.misses) == (1, 1)
    assert firing.odds(state, actions.Fire("RG2", "BT2")).also["hit"] == Fraction(1, 2)
    state = done(state, "fire RG2 at BT2 miss")
    assert firing.odds(state, actions.Fire("RG3", "BT3")).also["hit"] == 1
    assert codes(state, "fire RG3 at BT3 miss") == {"no-such-card"}
    state = done(done(state, "fire RG3 at BT3", 1), "save", 6)
    assert (state.hits, state.misses) == (0, 0)
    odds = firing.odds(state, actions.Fire("RG4", "BT4"))
    assert odds.also["hit"] == Fraction(2, 3) and "shuffled anew" in odds.words[0]
    (shot,) = RULES.resolve(state, actions.Fire("RG4", "BT4"), (3,))
    assert isinstance(shot, ev.Fired)
    assert shot.card == "miss" and shot.shuffled and (shot.hits, shot.misses) == (2, 1)


def test_the_usual_deck_has_24_hits_and_12_misses() -> None:
    state = standing(OPEN, {"RG1": "f6", "BT1": "f8"})
    odds = firing.odds(state, actions.Fire("RG1", "BT1"))
    assert odds.chances == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert odds.also["destroyed"] == Fraction(2, 3) * Fraction(1, 2)  # the first salvo is saved on 4 to 6
